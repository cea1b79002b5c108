"""`manage.py evaluate`: a calm table, and one clear line when there is nothing to read."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError

from chat.evaluation.figures import Figure
from chat.evaluation.table import DataSet, Measure
from chat.management.commands import evaluate


def _run(*sets: str) -> list[str]:
    out = io.StringIO()
    call_command("evaluate", *sets, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def data(settings: Any, tmp_path: Path) -> Path:
    """A folder with one set of a made-up kind, which reports how its folder is called."""
    settings.PLUMBLINE = replace(settings.PLUMBLINE, eval_data=str(tmp_path))
    return tmp_path


@pytest.fixture
def one_set(monkeypatch: pytest.MonkeyPatch) -> None:
    made = DataSet(
        lambda folder: {"n": len(folder.name), "share": 0.5},
        (Measure("share of it", lambda found: found["share"], "0.400"),),
    )
    monkeypatch.setattr(evaluate, "SETS", {"owls": made})


def test_without_a_folder_it_says_so_and_ends_well(settings: Any) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, eval_data="")

    assert _run() == [evaluate.UNSET]


def test_a_set_that_is_not_there_is_named(data: Path) -> None:
    _, line = _run("clapnq")

    assert line == f"clapnq: there is no folder {data / 'clapnq'}."


def test_a_file_that_is_not_there_is_named(data: Path) -> None:
    (data / "clapnq").mkdir()

    _, line = _run("clapnq")

    assert line.startswith(f"clapnq: {data / 'clapnq' / 'passages.jsonl'} cannot be read")


def test_a_database_without_tables_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: Path) -> dict[str, Any]:
        raise ProgrammingError(f"no table for {folder}")

    monkeypatch.setattr(evaluate, "SETS", {"owls": DataSet(broken, ())})
    (data / "owls").mkdir()

    _, line = _run("owls")

    assert "manage.py migrate" in line


def test_each_figure_stands_beside_its_reference(data: Path, one_set: None) -> None:
    (data / "owls").mkdir()

    head, line = _run("owls")

    assert head.split() == ["set", "what", "figure", "interval", "reference", "n", "seconds"]
    assert line.split() == ["owls", "share", "of", "it", "0.500", "0.400", "4", "0"]


def test_a_figure_with_an_interval_brings_its_own_number_of_rows(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Measure("share", lambda found: found["share"])
    found = {"n": 40, "share": Figure(0.5, 0.25, 0.75, 8)}
    monkeypatch.setattr(evaluate, "SETS", {"owls": DataSet(lambda _folder: found, (read,))})
    (data / "owls").mkdir()

    _, line = _run("owls")

    assert line.split() == ["owls", "share", "0.500", "0.250-0.750", "8", "0"]


def test_one_name_may_stand_for_several_sets(
    data: Path, one_set: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "GROUPS", {"birds": ("owls", "owls")})
    (data / "owls").mkdir()

    assert len(_run("birds")) == 1 + 2


def test_without_a_name_all_sets_are_measured(data: Path, one_set: None) -> None:
    (data / "owls").mkdir()

    assert _run() == _run("owls")


def test_an_unknown_set_is_refused_with_the_known_ones() -> None:
    with pytest.raises(CommandError, match="owls.*clinc150, .*clapnq, support_kbs"):
        _run("owls")
