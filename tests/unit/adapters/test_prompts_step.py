"""What the model sees when it decides whether and what to search."""

from __future__ import annotations

from chat.agent.prompts import step
from chat.contracts.passages import Passage
from chat.contracts.tasks import Exchange, StepTask

TASK = StepTask(
    question="How long does a refund take?",
    history=(Exchange(question="Do you refund?", answer="Yes."),),
    tried=("refund time",),
    missing=("the time of a refund",),
    suggested=("business days", "card"),
)


def passage(text: str, title: str = "Billing") -> Passage:
    return Passage(chunk=text[:9], document="d", version=1, title=title, heading="h", text=text)


def test_all_that_is_known_stands_in_regions_of_its_own() -> None:
    user = step.by_tool(TASK).user
    for region in ("Asked: Do you refund?", "- refund time", "- the time of a refund"):
        assert region in user
    assert "business days, card" in user
    assert user.endswith("How long does a refund take?\n</data>")


def test_a_first_step_shows_no_empty_regions() -> None:
    user = step.by_tool(StepTask(question="q")).user
    assert user == '<data kind="question">\nq\n</data>'


def test_a_long_passage_is_cut_and_shows_it() -> None:
    task = TASK.model_copy(update={"found": (passage("x" * 9_000),)})
    user = step.by_tool(task).user
    assert "x …" in user
    assert len(user) < 3_000


def test_beyond_the_budget_only_titles_are_shown() -> None:
    found = tuple(passage(f"{n} " + "x" * 1_400, title=f"Title {n}") for n in range(9))
    user = step.by_tool(TASK.model_copy(update={"found": found})).user
    assert len(user) < 8_000
    assert "3 xxx" in user
    assert "- Title 8 / h" in user
    assert "8 xxx" not in user


def test_both_forms_show_the_same_and_only_one_names_the_tool() -> None:
    by_tool, by_form = step.by_tool(TASK), step.by_form(TASK)
    assert by_tool.user == by_form.user
    assert step.SEARCH.name in by_tool.system
    assert step.SEARCH.name not in by_form.system
