"""The figures on personal data, on a set small enough to check by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from chat.evaluation.personal_data import (
    INTRODUCED,
    NOT_PROMISED,
    ORDINARY,
    PROMISED,
    alarms,
    evaluate_pii,
    half,
    scored,
    seen_in,
)
from chat.evaluation.personal_sets import PERSONAL_SETS
from chat.guardrails.input import KINDS


def sentence(number: int, text: str, **spans: str) -> dict[str, Any]:
    """A row; each span is its type and the words it covers."""
    found = [
        {"type": kind, "start": text.index(value), "end": text.index(value) + len(value)}
        for kind, value in spans.items()
    ]
    return {"id": f"pii-{number}", "text": text, "template": number, "spans": found}


ROWS = (
    sentence(1, "Mail me at jane@example.com now", EMAIL_ADDRESS="jane@example.com"),
    sentence(2, "My name is Jane Doe.", PERSON="Jane Doe"),
    sentence(3, "Ask Jane Doe", PERSON="Jane Doe"),
    sentence(4, "It is 078-05-1120", US_SSN="078-05-1120"),
    sentence(5, "Number 555 12, call it", PHONE_NUMBER="555 12"),
    sentence(6, "We are at 203.0.113.7 today"),  # found where the set says nothing
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pii").mkdir()
    _write(tmp_path / "pii" / "sentences.jsonl", ROWS)
    (tmp_path / "banking77").mkdir()
    told = ({"text": "is my card here"}, {"text": "from 203.0.113.7 to 203.0.113.8"})
    _write(tmp_path / "banking77" / "test.jsonl", told)
    return tmp_path / "pii"


def _write(file: Path, rows: Any) -> None:
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")


def test_recall_precision_and_f2_are_by_type() -> None:
    found = scored(ROWS)
    assert found["recall"]["EMAIL_ADDRESS"].value == 1
    assert found["recall"]["PHONE_NUMBER"].value == 0
    assert (found["recall"]["PERSON"].value, found["recall"]["PERSON"].n) == (0.5, 2)
    assert (found["recall"][INTRODUCED].value, found["recall"][INTRODUCED].n) == (1, 1)
    assert found["recall"]["promised"].value == pytest.approx(3 / 4)
    assert found["precision"]["promised"].value == pytest.approx(3 / 4)
    assert found["precision"]["IP_ADDRESS"].value == 0
    assert found["f2"]["promised"] == pytest.approx(3 / 4)
    assert found["f2"]["IP_ADDRESS"] == 0


def test_a_span_of_which_a_letter_is_left_is_not_found() -> None:
    text = "call 07700 900123 A"
    span = {"type": "PHONE_NUMBER", "start": 5, "end": 19}
    assert not seen_in(text, [span], [(5, 17, "phone")])[0].found
    assert seen_in(text, [span | {"end": 18}], [(5, 17, "phone")])[0].found


def test_the_halves_are_apart_and_make_the_whole(folder: Path) -> None:
    found = evaluate_pii(folder)
    assert {half(row["id"]) for row in ROWS} == {0, 1}
    assert found["n"] == found["read"]["n"] + found["unread"]["n"] == len(ROWS)


def test_alarms_are_counted_by_kind_and_by_text(folder: Path) -> None:
    found = alarms(folder.parent)
    assert found["banking77"]["n"] == 2
    assert found["banking77"]["any"].value == 0.5
    assert found["banking77"]["per_1000"] == {kind: 1000.0 * (kind == "ip") for kind in KINDS}
    assert found["xquad"]["n"] == 0
    assert set(found) == set(ORDINARY)


def test_what_is_promised_is_a_kind_of_ours_and_nothing_else_is() -> None:
    assert set(PROMISED.values()) < set(KINDS)
    assert not set(PROMISED) & set(NOT_PROMISED)


def test_every_measure_of_the_command_can_be_read(folder: Path) -> None:
    found = evaluate_pii(folder)
    assert all(measure.read(found) is not None for measure in PERSONAL_SETS["pii"].measures)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="sentences"):
        evaluate_pii(tmp_path / "pii")


@pytest.mark.slow
def test_the_public_set_keeps_to_what_is_promised() -> None:
    data = settings.PLUMBLINE.eval_data
    if not data:
        pytest.skip("EVAL_DATA is not set, so there is nothing to measure on.")
    found = evaluate_pii(Path(data) / "pii")
    assert found["all"]["recall"]["promised"].low > 0.9
    assert found["all"]["precision"]["promised"].low > 0.95
    assert found["alarms"]["banking77"]["any"].value < 0.01
    assert found["alarms"]["clinc150"]["any"].value < 0.01
