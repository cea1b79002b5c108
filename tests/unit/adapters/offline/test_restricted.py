"""The second layer on this machine: taught by examples, and asked along with the topic."""

from __future__ import annotations

import numpy as np
import pytest

from chat.adapters.embeddings import Embedder
from chat.adapters.llm_offline import OfflineModel
from chat.adapters.offline import restricted
from chat.adapters.offline.reading import Memory
from chat.adapters.offline.restricted import RestrictedJudge
from chat.contracts.site_rules import RestrictedCategory
from chat.contracts.verdicts import Level, TopicLabel, TopicVerdict
from chat.guardrails import scope
from tests.doubles.embedder import WordEmbedder
from tests.unit.adapters.offline import library

HEALTH = RestrictedCategory(
    name="health",
    title="Advice about somebody's health",
    examples=(
        "should I take these pills for my headache",
        "is this rash dangerous",
        "which medicine helps against my cough",
        "do I need a doctor for my knee",
        "can I mix wine and my tablets",
        "my child has a fever what do I do",
    ),
    allowed=(
        "do you have books about medicine",
        "where is the shelf with health magazines",
        "can I borrow a film about doctors",
        "is the first aid course in a study room",
        "I was ill and brought my books back late",
        "is the building open to people with a cough",
    ),
    reply="Health is a matter for a doctor. Books about it stand on the first floor.",
)
NEIGHBOURS = RestrictedCategory(
    name="others",
    title="The loans of another member",
    threshold=0.2,
    examples=(
        "what has my neighbour borrowed",
        "show me the loans of my sister",
        "which books does my boss read",
        "renew the loan of somebody else without telling him",
        "give me the address of the member with this card",
        "tell me what my husband reads",
        "show me the films that my neighbour has at home",
        "what did my wife borrow last week",
        "which loans does my brother have, tell me",
        "show the account of my neighbour to me",
    ),
    allowed=(
        "can my sister join too",
        "may somebody else collect my books",
        "can two people share a card",
        "how do I see my own loans",
        "what happens when I lose my card",
        "how long may I keep a film",
        "can my wife return my books for me",
    ),
    reply="Loans are shown to the member who has them. Sign in to see your own.",
)
UNSEEN = {
    "health": ("what pills are good for a sore throat", "is my fever dangerous"),
    "others": ("tell me which books my neighbour has at home", "show my wife's loans to me"),
    "": ("renew my books", "how much is the late fee", "a book about headaches", "quiet floors"),
}


@pytest.fixture(scope="module")
def judge(memory: Memory) -> RestrictedJudge:
    shown = library.Examples()
    return RestrictedJudge(memory, (HEALTH, NEIGHBOURS), (*shown.on_topic, *shown.off_topic))


@pytest.mark.parametrize(
    ("name", "question"), [(name, text) for name, texts in UNSEEN.items() for text in texts]
)
def test_a_question_it_was_not_shown_falls_on_the_right_side(
    judge: RestrictedJudge, memory: Memory, name: str, question: str
) -> None:
    verdict = TopicVerdict(
        label=TopicLabel.RELEVANT,
        confidence=Level.HIGH,
        restricted=judge.scores(memory.row(question)),
    )
    assert scope.by_score(verdict, (HEALTH, NEIGHBOURS)) == name


def test_scores_are_shares_of_one_for_every_category(
    judge: RestrictedJudge, memory: Memory
) -> None:
    for text in ("", "pills", "?" * 500, "my neighbour's pills"):
        scores = judge.scores(memory.row(text))
        assert set(scores) == {"health", "others"}
        assert all(0 <= score <= 1 for score in scores.values())


def test_the_same_file_always_gives_the_same_scores(memory: Memory) -> None:
    first, second = (RestrictedJudge(memory, (HEALTH, NEIGHBOURS), ()) for _ in range(2))
    vector = memory.row("is this rash dangerous")
    assert first.scores(vector) == second.scores(vector)


def test_a_category_without_enough_examples_has_no_score(memory: Memory) -> None:
    few = HEALTH.model_copy(update={"name": "few", "examples": HEALTH.examples[:4]})
    none = HEALTH.model_copy(update={"name": "none_at_all", "examples": (), "allowed": ()})
    judge = RestrictedJudge(memory, (few, NEIGHBOURS, none), ())
    assert set(judge.scores(memory.row("pills"))) == {"others"}


def test_without_categories_nothing_is_learnt() -> None:
    embedder = WordEmbedder()
    judge = RestrictedJudge(Memory(embedder), (), ("renew my books",))
    assert judge.scores(embedder.embed(["pills"])[0]) == {}
    assert embedder.asked == ["pills"]


def test_an_example_that_a_topic_calls_foreign_stays_an_example(memory: Memory) -> None:
    judge = RestrictedJudge(memory, (HEALTH, NEIGHBOURS), HEALTH.examples)
    assert judge.scores(memory.row(HEALTH.examples[0]))["health"] > 0.8


def test_the_fit_says_even_where_both_sides_are_as_likely_and_rare() -> None:
    margins = np.array([-2, -1, -1, 0, 0, 1, 1, 2], dtype=np.float64)
    flags = np.array([False, False, False, True, False, True, True, True])
    slope, base = restricted._calibrated(margins, flags)
    assert slope > 0
    assert 1 / (1 + np.exp(-base)) == pytest.approx(restricted.EXPECTED, rel=0.2)


def test_sides_that_do_not_touch_give_a_finite_slope() -> None:
    flags = np.arange(20) < 10
    slope, base = restricted._calibrated(np.where(flags, 5.0, -5.0), flags)
    assert 0 < slope < 20
    assert np.isfinite(base)


@pytest.fixture(scope="module")
def model(embedder: Embedder) -> OfflineModel:
    shelf = library.Shelf(library.documents(embedder))
    return OfflineModel(embedder, library.Examples(), shelf, categories=(HEALTH, NEIGHBOURS))


async def test_the_model_says_it_with_the_topic_in_one_call(model: OfflineModel) -> None:
    reply = await model.classify_topic("is this rash dangerous")
    assert reply.value.restricted["health"] > 0.5 > reply.value.restricted["others"]
    assert reply.call.purpose == "classify_topic"


async def test_thanks_are_of_no_category(model: OfflineModel) -> None:
    assert (await model.classify_topic("thank you so much")).value.restricted == {}


async def test_new_documents_do_not_make_it_learn_again(
    embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[object] = []
    judge = restricted.RestrictedJudge

    def counted(*given: object) -> RestrictedJudge:
        learnt.append(given)
        return judge(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("chat.adapters.llm_offline.RestrictedJudge", counted)
    shelf = library.Shelf(library.documents(embedder))
    model = OfflineModel(embedder, library.Examples((), ()), shelf, categories=(NEIGHBOURS,))
    await model.classify_topic("show me the loans of my sister")
    shelf.current = library.NOTHING
    reply = await model.classify_topic("show me the loans of my sister")
    assert set(reply.value.restricted) == {"others"}
    assert len(learnt) == 1
