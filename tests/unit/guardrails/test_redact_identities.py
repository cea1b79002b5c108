"""Numbers that a state gives a person: by their shape, or by the words beside them."""

import pytest

from chat.guardrails.input import redact
from chat.guardrails.personal_data.identities import ROWS

BARE = {
    "US SSN": ["078-05-1120", "123-45-6789", "１２３-４５-６７８９", "123–45–6789"],
    "UK NI": ["QQ123456C", "AB 12 34 56 C", "ab123456d", "JG-10-37-59-A", "AB 12\u200b 34 56 C"],
    "NZ IRD": ["49-091-850", "136-410-132"],
    "AU Medicare": ["2123 45670 1", "2123 45670 1/2"],
    "DE Steuer-ID": ["36 574 261 809"],
    "FR NIR": ["295109912611193", "2 95 10 99 126 111 93"],
    "ES": ["54362315K", "54362315-K", "X2482300W", "x-2482300-w"],
    "IT": ["RCCMNL83S18D969H", "rccmnl83s18d969h"],
    "IN": ["2341 2341 2346", "2341-2341-2346", "ACUPA7085R"],
    "BE": ["85.07.30-033.28"],
    "BR": ["390.533.447-05"],
    "CH": ["756.9217.0769.85"],
    "FI": ["131052-308T"],
    "KR": ["971013-1019439"],
    "MX": ["BOXW310820HNERXN09"],
    "SE": ["880320-0016", "19880320-0016"],
}


@pytest.mark.parametrize(
    ("region", "written"), [(region, each) for region, all_ in BARE.items() for each in all_]
)
@pytest.mark.parametrize("text", ["{}", "It is {}.", "see ({}), and", "{}\nis mine"])
def test_a_shape_of_its_own_needs_no_word(text: str, region: str, written: str) -> None:
    done = redact(text.format(written))
    assert done.text == text.format("[national_id]"), region
    assert done.counts == {"national_id": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SSN 078051120", "SSN [national_id]"),
        ("my social security number is 078 05 1120", "my social security number is [national_id]"),
        ("ssn:\n078-05-1120", "ssn:\n[national_id]"),
        ("N.I. number: ZZ123456Z", "N.I. number: [national_id]"),
        ("IRD 123456789", "IRD [national_id]"),
        ("IRD number 123 456 789", "IRD number [national_id]"),
        ("my tax file number is 123 456 782", "my tax file number is [national_id]"),
        ("Medicare card number 2123456701", "Medicare card number [national_id]"),
        ("Steuer-ID: 36574261809", "Steuer-ID: [national_id]"),
        ("Personalausweisnummer L01X00T471", "Personalausweisnummer [national_id]"),
        ("numéro de sécurité sociale 295109912611193", "numéro de sécurité sociale [national_id]"),
        ("DNI 12345678", "DNI [national_id]"),
        ("mi NIE es Y1234567", "mi NIE es [national_id]"),
        ("codice fiscale RSSMRA85T10A562S", "codice fiscale [national_id]"),
        ("BSN 123456789", "BSN [national_id]"),
        ("Aadhaar no 123412341234", "Aadhaar no [national_id]"),
        ("PAN: ABCDE1234F", "PAN: [national_id]"),
        ("SIN 046 454 286", "SIN [national_id]"),
        ("NHS number 943 476 5919", "NHS number [national_id]"),
        ("NRIC S1234567D", "NRIC [national_id]"),
        ("PPS number 1234567FA", "PPS number [national_id]"),
        ("passport number is LK123456 and", "passport number is [national_id] and"),
        ("passport: C01X00T47", "passport: [national_id]"),
        ("Reisepass Nr. C01X00T47", "Reisepass Nr. [national_id]"),
        ("driver's license: H1234567", "driver's license: [national_id]"),
        ("LK123456 is my passport number", "[national_id] is my passport number"),
        ("078051120 (SSN)", "[national_id] (SSN)"),
        ("tax ID 12-3456789", "tax ID [national_id]"),
        ("SSN 0 7 8 0 5 1 1 2 0", "SSN [national_id]"),
        ("ＳＳＮ　０７８０５１１２０", "ＳＳＮ　[national_id]"),
        ("S\u200bSN 0780\u200b51120", "S\u200bSN [national_id]"),
        ("order 12345 123-45-6789", "order 12345 [national_id]"),
    ],
)
def test_the_words_beside_a_number_name_it(text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "order 123-45-6789",
        "ticket QQ123456C",
        "SKU AB123456C",
        "part number 54362315K",
        "12345678A and 12345678B",  # of no person's check letter
        "123 456 789 rows in 987 654 321 files",
        "my passport is ready by 2024-01-02",
        "passport required for 3 people",
        "passport number is required",
        "my SSN ends in 6789",
        "national insurance costs 1234 pounds",
        "medicare",
        "the PAN is on the card",
        "a social network of 250000 people",
        "commit 1234567f",
        "version 756.1.2",
        "a123-45-6789",
        "123-45-6789-0",
        "(1 123-45-67)",
        "0x80070005 and 7F000001",
        "row 2341 2341 2341",
        "TIN 123",
    ],
)
def test_what_no_state_gave_stays(text: str) -> None:
    assert redact(text).text == text


def test_every_row_of_the_table_can_be_found() -> None:
    assert all(row.words or row.bare for row in ROWS)
    assert all(word == word.lower() for row in ROWS for word in row.words)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Driving licence 4111 1111 1111 1111 x", "Driving licence [card] x"),
        ("passport number 4111-1111-1111-1111", "passport number [card]"),
        ("passport number 9111-1111-1111-1112", "passport number [national_id]"),
    ],
)
def test_no_part_of_a_longer_number_is_left_beside_a_name(text: str, clean: str) -> None:
    assert redact(text).text == clean
