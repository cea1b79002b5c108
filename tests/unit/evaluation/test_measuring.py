"""The judge on its bench: what is shown, what is kept, and what is shipped of its figures."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from chat import judging
from chat.adapters.llm_offline import OfflineModel
from chat.evaluation import measuring
from chat.evaluation.figures import share
from chat.evaluation.judged_sets import JUDGED_SETS
from chat.evaluation.measuring import Bench, measured, ship
from chat.judging import PRECISION_OF_SUPPORTED, Measured
from chat.management.commands import evaluate
from tests.doubles.models import ScriptedModel

ROWS = [
    {
        "id": f"{n}",
        "subset": "A",
        "question": "q",
        "claim": "Money comes back onto the card after a while.",
        "references": ["A refund reaches the card in ten days."],
        "attributable": n % 2 == 0,
    }
    for n in range(8)
]


class Closing(ScriptedModel):
    closed = 0

    async def aclose(self) -> None:
        self.closed += 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "attributionbench"
    made.mkdir()
    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    (made / "claims.jsonl").write_text(text, "utf-8")
    return made


def row(dataset: str, value: float, subject: str = "me") -> Measured:
    return Measured(subject, dataset, PRECISION_OF_SUPPORTED, value, 0.0, 1.0, 10)


def test_only_figures_over_rows_become_measurements() -> None:
    found = {"n": 3, PRECISION_OF_SUPPORTED: share([True, False]), "of nothing": share([])}
    (only,) = measured("me", "wice", found)
    assert (only.metric, only.value, only.n) == (PRECISION_OF_SUPPORTED, 0.5, 2)
    assert (only.low, only.high) == (0.0945, 0.9055)


def test_the_connections_are_let_go_after_the_last_set_and_not_before(folder: Path) -> None:
    judge = Closing()
    with Bench(judge=judge) as bench:
        bench.measure("attributionbench", folder)
        assert bench.measure("attributionbench", folder)["n"] == 8
        assert judge.closed == 0
    assert judge.closed == 1


def test_a_bench_that_measured_nothing_loads_no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_configured", lambda: pytest.fail("a judge was loaded"))
    with Bench():
        pass


def test_the_offline_judge_is_measured_on_the_half_that_it_was_not_chosen_on(folder: Path) -> None:
    with Bench() as bench:
        assert 0 < bench.measure("attributionbench", folder)["n"] < len(ROWS)
        assert isinstance(bench._judge, OfflineModel)


def test_what_is_shipped_takes_the_place_of_the_same_set_alone(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    ship([row("wice", 0.5), row("attributionbench", 0.6)], path)
    ship([row("wice", 0.9, subject="newer")], path)
    found = judging.shipped(path)
    assert [(each.dataset, each.subject, each.value) for each in found] == [
        ("attributionbench", "me", 0.6),
        ("wice", "newer", 0.9),
    ]


def test_the_same_figures_give_the_same_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    rows = [row("wice", 0.5), row("attributionbench", 0.6)]
    ship(rows, one)
    ship(rows[::-1], other)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("flags", "kept", "shipped"),
    [((), 0, 0), (("--keep",), 1, 0), (("--ship",), 0, 1), (("--keep", "--ship"), 1, 1)],
)
def test_the_command_keeps_and_ships_only_when_told(
    folder: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    flags: tuple[str, ...],
    kept: int,
    shipped: int,
) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, eval_data=str(folder.parent))
    told: dict[str, list[Any]] = {"keep": [], "ship": []}
    for name, calls in told.items():
        monkeypatch.setattr(measuring, name, calls.append)
    monkeypatch.setattr(measuring, "_configured", ScriptedModel)
    out = io.StringIO()
    call_command("evaluate", "attributionbench", *flags, "--limit", "4", stdout=out)
    assert (len(told["keep"]), len(told["ship"])) == (kept, shipped)
    line = next(each for each in out.getvalue().splitlines() if PRECISION_OF_SUPPORTED in each)
    assert line.split()[-2] == "4", "the double says yes to every claim"


def test_one_name_stands_for_all_sets_of_the_judge() -> None:
    assert set(evaluate.GROUPS["groundedness"]) == set(JUDGED_SETS)
    assert all(each.judged for each in JUDGED_SETS.values())
