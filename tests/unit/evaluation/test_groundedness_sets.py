"""Code and judge against people's labels, on rows that are known by heart."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from chat.contracts.ports import Reply
from chat.contracts.tasks import CheckTask
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.evaluation.groundedness import evaluate_groundedness
from chat.evaluation.labelled import READERS, unread
from chat.judging import PRECISION_OF_SUPPORTED
from tests.doubles.models import Fails, ScriptedModel

SOURCE = "A refund takes some days to reach a card. Post is slow where mountains are high."
GOOD = ("Whoever waits gets money back onto the card.", "Where mountains rise the post crawls.")
BAD = ("Whoever waits gets a bicycle from the mayor.", "Where mountains rise the cats sing.")


def written(folder: Path, name: str, rows: Sequence[Mapping[str, Any]]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {
            "id": f"{n}",
            "subset": "AB"[n % 2],
            "question": "what comes back",
            "claim": claim,
            "references": [SOURCE],
            "attributable": claim in GOOD,
        }
        for n, claim in enumerate((*GOOD, *BAD) * 4)
    ]
    return written(tmp_path / "attributionbench", "claims.jsonl", rows)


class Judge(ScriptedModel):
    """Says what `decide` makes of each claim."""

    decide: Callable[[str], bool | None] = staticmethod(lambda claim: claim in GOOD)

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        reply = await super().check(task)
        said = tuple(
            ClaimVerdict(
                text=claim,
                label="a claim",
                basis=Basis.SOURCE,
                supported=self.decide(claim),
                by="judge",
            )
            for claim in task.claims
        )
        return Reply(said, reply.call)


def judge(decide: Callable[[str], bool | None]) -> Judge:
    made = Judge()
    made.decide = decide
    return made


async def figures(folder: Path, given: Any, **options: Any) -> dict[str, float]:
    found = await evaluate_groundedness("attributionbench", folder, given, **options)
    return {name: getattr(each, "value", each) for name, each in found.items()}


async def test_a_judge_that_is_always_right_has_every_figure(folder: Path) -> None:
    found = await figures(folder, judge(lambda claim: claim in GOOD))
    assert (found["n"], found["failed"]) == (16, 0)
    for name in (
        PRECISION_OF_SUPPORTED,
        "recall of supported",
        "precision of not supported",
        "recall of not supported",
        "F1 of not supported",
        "balanced accuracy",
        "AUROC",
        "macro-F1 of subsets",
    ):
        assert found[name] == 1.0, name


async def test_a_judge_that_says_yes_to_everything_is_seen_through(folder: Path) -> None:
    found = await figures(folder, judge(lambda _claim: True))
    assert found[PRECISION_OF_SUPPORTED] == 0.5
    assert found["recall of not supported"] == 0
    assert found["balanced accuracy"] == 0.5
    assert found["AUROC"] == 0.5


async def test_what_nobody_could_say_is_neither_yes_nor_no(folder: Path) -> None:
    found = await evaluate_groundedness("attributionbench", folder, judge(lambda _claim: None))
    assert found[PRECISION_OF_SUPPORTED].n == 0
    assert found["precision of not supported"].n == 0
    assert found["recall of not supported"].value == 0


async def test_a_judge_that_fails_is_counted_and_believed_in_nothing(folder: Path) -> None:
    found = await evaluate_groundedness("attributionbench", folder, ScriptedModel(checks=[Fails()]))
    assert found["failed"] == found["n"] == 16
    assert found[PRECISION_OF_SUPPORTED].n == 0


async def test_a_defect_of_the_judge_is_no_figure(folder: Path) -> None:
    class Broken(ScriptedModel):
        async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        await evaluate_groundedness("attributionbench", folder, Broken())


async def test_only_what_code_left_open_is_put_to_the_judge(folder: Path) -> None:
    quoted = [
        {
            "id": "q",
            "subset": "A",
            "question": "",
            "claim": "A refund takes some days to reach a card.",
            "references": [SOURCE],
            "attributable": True,
        }
    ]
    written(folder, "claims.jsonl", quoted)
    given = judge(lambda _claim: False)
    found = await evaluate_groundedness("attributionbench", folder, given)
    assert given.asked == []
    assert found["decided by code alone"].value == 1
    assert found[PRECISION_OF_SUPPORTED].value == 1


async def test_the_limit_takes_the_first_rows(folder: Path) -> None:
    assert (await figures(folder, judge(lambda _claim: True), limit=3))["n"] == 3


async def test_the_half_on_which_rules_were_chosen_is_left_out(folder: Path) -> None:
    rows = list(READERS["attributionbench"](folder))
    half = unread(rows)
    assert 0 < len(half) < len(rows)
    assert (await figures(folder, judge(lambda _claim: True), half=True))["n"] == len(half)
    assert unread(half) == half


async def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"claims\.jsonl"):
        await evaluate_groundedness("wice", tmp_path, ScriptedModel())


ROWS: dict[str, tuple[str, list[dict[str, Any]], list[bool]]] = {
    "wice": (
        "claims.jsonl",
        [
            {"id": "1", "article": "Owls", "claim": "c", "evidence": ["a", "b"], "label": label}
            for label in ("supported", "partially_supported", "not_supported")
        ],
        [True, False, False],
    ),
    "begin_wow": (
        "responses.jsonl",
        [
            {"id": "1", "message": "m", "response": "r", "knowledge": "k", "label": label}
            for label in ("Fully attributable", "Generic", "Not fully attributable")
        ],
        [True, False],
    ),
    "faithdial_audit": (
        "responses.jsonl",
        [
            {"id": "1", "history": "h", "response": "r", "knowledge": "k", "labels": labels}
            for labels in (
                ["entailment"],
                ["entailment", "uncooperative"],
                ["generic"],
                ["entailment", "hallucination"],
                ["partial hallucination"],
            )
        ],
        [True, True, False, False],
    ),
    "halueval": (
        "qa.jsonl",
        [
            {
                "id": "1",
                "question": "q",
                "knowledge": "k",
                "right_answer": "r",
                "hallucinated_answer": "h",
            }
        ],
        [True, False],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_says_nothing_of_grounding_is_left_out(tmp_path: Path, name: str) -> None:
    file, rows, grounded = ROWS[name]
    found = list(READERS[name](written(tmp_path / name, file, rows)))
    assert [row.grounded for row in found] == grounded
    assert all(row.passages for row in found)


def test_answers_that_were_rated_find_their_passages_in_the_set_beside_them(
    tmp_path: Path,
) -> None:
    written(tmp_path / "mtrag_un", "passages.jsonl", [{"id": "p", "title": "T", "text": "x"}])
    answers = [
        {
            "id": "1",
            "conversation": "c",
            "question": "q",
            "answer": "a",
            "passages": passages,
            "faithfulness_median": rating,
        }
        for passages, rating in ((["p"], 3), (["p", "gone"], 2.5), ([], 4))
    ]
    folder = written(tmp_path / "mtrag_human_eval", "answers.jsonl", answers)
    found = list(READERS["mtrag_human_eval"](folder))
    assert [(row.grounded, row.rating, len(row.passages)) for row in found] == [
        (True, 3, 1),
        (False, 2.5, 1),
    ]
