"""How far the judge's word is taken: kept figures before shipped ones, and none without enough."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat import judging
from chat.adapters.offline import checking
from chat.agent.prompts import check
from chat.contracts.trust import UNKNOWN, Trust
from chat.evaluation import measuring
from chat.judging import FEWEST, FIT, PRECISION_OF_SUPPORTED, Measured
from chat.judging import shipped as read_shipped
from chat.models import Measurement

pytestmark = pytest.mark.django_db

ME = "judge-9 check-2"


def row(dataset: str, value: float, n: int, metric: str = PRECISION_OF_SUPPORTED) -> Measured:
    return Measured(ME, dataset, metric, value, 0.0, 1.0, n)


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Measured]]:
    rows: list[Measured] = []
    monkeypatch.setattr(judging, "shipped", lambda: tuple(rows))
    judging.refresh()
    yield rows
    judging.refresh()


def test_a_judge_that_nobody_measured_is_not_trusted() -> None:
    assert judging.trust(ME, floor=0.0) == UNKNOWN


@pytest.mark.parametrize(
    ("precision", "word"), [(0.81, "checked"), (0.8, "checked"), (0.79, "compared")]
)
def test_the_floor_decides_the_word(precision: float, word: str) -> None:
    measuring.keep([row("wice", precision, 200)])
    found = judging.trust(ME, floor=0.8)
    assert found.precision == pytest.approx(precision)
    assert (found.word, found.n, found.dataset) == (word, 200, "wice")


@pytest.mark.parametrize("n", [0, 1, FEWEST - 1])
def test_too_few_rows_are_no_figure(n: int) -> None:
    measuring.keep([row("wice", 1.0, n)])
    assert judging.trust(ME, floor=0.0) == Trust(n=n, dataset="wice")


def test_sets_that_fit_are_pooled_by_their_rows() -> None:
    measuring.keep([row("wice", 1.0, 50), row("attributionbench", 0.7, 150)])
    found = judging.trust(ME, floor=0.8)
    assert (found.word, found.n, found.dataset) == ("compared", 200, "attributionbench, wice")
    assert found.precision == pytest.approx(0.775)


def test_other_sets_metrics_judges_and_controls_say_nothing() -> None:
    assert "halueval" not in FIT
    measuring.keep(
        [
            row("halueval", 1.0, 500),
            row("wice", 1.0, 500, metric="balanced accuracy"),
            replace(row("wice", 1.0, 500), subject="another check-2"),
            replace(row("wice", 1.0, 500), control="scope"),
        ]
    )
    assert judging.trust(ME, floor=0.0) == UNKNOWN


def test_what_this_site_kept_comes_before_what_is_shipped(nothing_shipped: list[Measured]) -> None:
    nothing_shipped.append(row("wice", 0.95, 300))
    judging.refresh()
    assert judging.trust(ME, floor=0.8).word == "checked"
    measuring.keep([row("wice", 0.6, 120)])
    assert judging.trust(ME, floor=0.8) == Trust(precision=0.6, n=120, dataset="wice")


def test_a_new_figure_takes_the_place_of_the_old_one() -> None:
    measuring.keep([row("wice", 0.9, 200)])
    measuring.keep([row("wice", 0.5, 150)])
    assert Measurement.objects.get().value == 0.5
    assert judging.trust(ME, floor=0.8).word == "compared"


def test_the_database_is_asked_once_until_it_is_refreshed_or_time_has_passed() -> None:
    now = [0.0]
    kept = judging._Kept(lambda: now[0])
    with CaptureQueriesContext(connection) as asked:
        kept.of(ME)
        kept.of(ME)
        assert len(asked) == 1
        now[0] = judging.KEPT_SECONDS
        kept.of(ME)
        assert len(asked) == 2
        kept.forget()
        kept.of(ME)
        assert len(asked) == 3


@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({"llm_model": ""}, f"offline-1 {checking.VERSION}"),
        ({"llm_model": "writer"}, f"writer {check.VERSION}"),
        ({"llm_model": "writer", "llm_judge_model": "owl"}, f"owl {check.VERSION}"),
        ({"llm_model": "", "llm_judge_model": "owl"}, f"offline-1 {checking.VERSION}"),
    ],
)
def test_the_judge_is_named_by_its_model_and_by_what_it_is_told(
    settings: Any, changes: dict[str, str], subject: str
) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, **changes)
    assert judging.judge_subject() == subject


def test_the_shipped_figures_are_of_the_judge_that_is_shipped() -> None:
    """A verdict that changed needs new figures: manage.py evaluate groundedness --ship."""
    rows = [Measured(**each) for each in json.loads(judging.SHIPPED.read_text("utf-8"))]
    judged = [each for each in rows if each.control == judging.CONTROL]
    assert {each.subject for each in judged} == {f"{checking.NAME} {checking.VERSION}"}
    pooled = judging.pooled(rows)
    assert pooled is not None
    assert pooled.n >= FEWEST


@pytest.mark.parametrize("text", [None, "", "{", "[1]", '[{"subject": 1}]', "{}x"])
def test_a_shipped_file_that_cannot_be_read_is_no_figure(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "measured.json"
    if text is not None:
        path.write_text(text, "utf-8")
    assert read_shipped(path) == ()
