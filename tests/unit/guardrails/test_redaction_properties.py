"""Whatever surrounds it, personal data does not survive, and ordinary text is not touched."""

import random
import string

import phonenumbers
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from chat.guardrails.input import redact
from tests.growth import assert_linear

DIGITS = {
    "plain": "0123456789",
    "fullwidth": "０１２３４５６７８９",
    "arabic": "٠١٢٣٤٥٦٧٨٩",
    "devanagari": "०१२३४५६७८९",
}
SEPARATORS = [
    " ",
    "-",
    "\u00a0",
    "\u2009",
    "\u2011",
    "\u2013",
    "\u2212",
    " \u200b",
    ".",
    "\n",
    " - ",
]
# Letters, line ends, punctuation: what people write around a number, without more digits.
PROSE = st.text(
    st.characters(categories=["L", "Zs", "Po", "Ps", "Pe", "So"], include_characters="\n!?"),
    max_size=40,
)
CALM = st.lists(
    st.sampled_from(
        """hello my is the of please and (see) for: "with" – été ünd it's; Straße 你好 отлично
        ok, fine. yes! what? [link] #tag @home 😀 it… don't a/b x=y % & so_on""".split()
    ),
    max_size=12,
).map(" ".join)


def grouped(number: str, sizes: tuple[int, ...], separator: str, script: str) -> str:
    parts, place = [], 0
    for size in sizes:
        parts.append(number[place : place + size])
        place += size
    assert place == len(number)
    return separator.join(parts).translate(str.maketrans("0123456789", DIGITS[script]))


@st.composite
def cards(draw: st.DrawFn) -> tuple[str, str]:
    first, length, sizes = draw(
        st.sampled_from(
            [
                ("4", 16, (4, 4, 4, 4)),
                ("4", 13, (13,)),
                ("4", 19, (4, 4, 4, 4, 3)),
                ("51", 16, (4, 4, 4, 4)),
                ("55", 16, (16,)),
                ("2221", 16, (4, 4, 4, 4)),
                ("2720", 16, (16,)),
                ("34", 15, (4, 6, 5)),
                ("37", 15, (15,)),
                ("36", 14, (4, 6, 4)),
                ("6011", 16, (4, 4, 4, 4)),
                ("3528", 16, (8, 8)),
                ("62", 19, (6, 13)),
                ("4", 16, (1,) * 16),
                ("4", 16, (4, 2, 2, 4, 4)),
            ]
        )
    )
    body = first + draw(st.text("0123456789", min_size=length, max_size=length))
    number = body[: length - 1]
    number += luhn.calc_check_digit(number)
    script = draw(st.sampled_from(sorted(DIGITS)))
    return number, grouped(number, sizes, draw(st.sampled_from(SEPARATORS)), script)


@st.composite
def ibans(draw: st.DrawFn) -> tuple[str, str]:
    country, shape = draw(
        st.sampled_from(
            [("GB", "aaaannnnnnnnnnnnnn"), ("DE", "n" * 18), ("NL", "aaaa" + "n" * 10)]
            + [("FR", "n" * 10 + "c" * 11 + "nn"), ("NO", "n" * 11), ("MT", "aaaannnnn" + "c" * 18)]
        )
    )
    kinds = {"a": string.ascii_uppercase, "n": string.digits}
    kinds["c"] = kinds["a"] + kinds["n"]
    rest = "".join(draw(st.sampled_from(kinds[kind])) for kind in shape)
    number = country + iban.calc_check_digits(f"{country}00{rest}") + rest
    separator = draw(st.sampled_from(["", " ", "\u00a0", "-", "\u200b"]))
    written = separator.join(number[i : i + 4] for i in range(0, len(number), 4))
    return number, written.lower() if draw(st.booleans()) else written


REGIONS = st.sampled_from(["GB", "US", "DE", "FR", "NZ", "AU", "IN", "BR", "JP", "ZA", "SE"])


@st.composite
def phones(draw: st.DrawFn) -> tuple[str, str]:
    example = phonenumbers.example_number_for_type(draw(REGIONS), draw(st.sampled_from([0, 1])))
    assert example is not None
    form = draw(st.sampled_from(["INTERNATIONAL", "E164"]))
    written = phonenumbers.format_number(example, getattr(phonenumbers.PhoneNumberFormat, form))
    written = written.replace(" ", draw(st.sampled_from(SEPARATORS)))
    script = draw(st.sampled_from(sorted(DIGITS)))
    number = "".join(char for char in written if char.isdigit())
    return number, written.translate(str.maketrans("0123456789", DIGITS[script]))


def digits_of(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


@given(before=PROSE, card=cards(), after=PROSE)
@settings(max_examples=120)
def test_no_card_survives_in_prose(before: str, card: tuple[str, str], after: str) -> None:
    done = redact(f"{before} {card[1]} {after}")
    assert digits_of(done.text) == digits_of(before + after)
    assert done.counts["card"] == 1


@given(before=CALM, account=ibans(), after=CALM)
@settings(max_examples=120)
def test_no_iban_survives_in_prose(before: str, account: tuple[str, str], after: str) -> None:
    done = redact(f"{before} {account[1]} {after}")
    assert account[1] not in done.text
    assert "[iban]" in done.text
    assert digits_of(done.text) == digits_of(before + after)


@given(before=CALM, phone=phones(), after=CALM)
@settings(max_examples=120)
def test_no_international_phone_survives_in_prose(
    before: str, phone: tuple[str, str], after: str
) -> None:
    done = redact(f"{before} {phone[1]} {after}")
    assert digits_of(done.text) == digits_of(before + after)
    assert done.counts["phone"] == 1


@given(
    before=CALM,
    address=st.emails(),
    after=CALM,
    closer=st.sampled_from(["", ".", ",", ")", ">", "!"]),
)
@settings(max_examples=120)
def test_no_email_survives_in_prose(before: str, address: str, after: str, closer: str) -> None:
    done = redact(f"{before} {address}{closer} {after}")
    assert address not in done.text
    assert address.rpartition("@")[2] + " " not in done.text + " "
    assert done.counts["email"] >= 1


@given(before=PROSE, address=st.emails(), after=PROSE)
@settings(max_examples=120)
def test_no_email_survives_glued_to_other_text(before: str, address: str, after: str) -> None:
    assert address not in redact(f"{before}{address}{after}").text


@given(text=CALM)
def test_text_without_personal_data_is_unchanged(text: str) -> None:
    done = redact(text)
    assert done.text == text
    assert done.counts == {}


ODD = st.text(
    st.sampled_from("0123456789+-()./ \n\u200b\u00a0@[]:x#,'\"abDEGBcallorder£٤４é\ud800"),
    max_size=120,
)
MIXED = st.lists(
    st.one_of(
        ODD,
        cards().map(lambda pair: pair[1]),
        ibans().map(lambda pair: pair[1]),
        phones().map(lambda pair: pair[1]),
        st.emails(),
        st.sampled_from(
            ["call", "order", "card", "IBAN", "[phone]", "[card]", "[iban]", "(at)", "dot com"]
            + ["ext. 12", "-Fax", "07700 900123", "4111 1111 1111 1112", "0900-1700", "01.02.2024"]
        ),
    ),
    max_size=8,
).flatmap(lambda parts: st.sampled_from(["", " ", "\n", ", "]).map(lambda join: join.join(parts)))


@given(text=MIXED)
@settings(max_examples=400)
def test_a_second_redaction_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@given(text=st.text())
def test_any_text_can_be_redacted(text: str) -> None:
    assert isinstance(redact(text).text, str)


@given(
    text=st.text(
        st.characters(exclude_categories=["Nd", "Nl", "No", "Cs"], exclude_characters="@%&")
    )
)
def test_without_a_digit_or_an_at_sign_nothing_is_found(text: str) -> None:
    assume(" at " not in text.casefold())
    done = redact(text)
    assert done.text == text


@pytest.mark.parametrize(
    "piece",
    ["a@", "01 ", "4111 ", "+1 2 3 4 5 6 7 8 ", "GB12 ", "@", "1", "(at) ", "\u00a0"]
    + [
        "12-3456-",
        "account 1234 ",
        "AB12 ",
        "1.2.3.4 ",
        "1.1.1.1.",
        "a:1:",
        "::",
        "my name is ",
        "Mr ",
    ]
    + ["name? ", "Jane ", "thanks ", "123-45-6789 ", "<[email]> ", "12345678 (account) ", "é1"],
)
def test_the_time_grows_with_the_text_alone(piece: str) -> None:
    assert_linear(redact, piece * (32_000 // len(piece)))


def test_a_long_mixed_text_is_redacted_whole() -> None:
    rng = random.Random(7)
    words = ["please", "4111 1111 1111 1111", "a@b.example", "order 123", "07700 900123", "ok,"]
    text = " ".join(rng.choice(words) for _ in range(2_000))
    done = redact(text)
    assert "4111" not in done.text
    assert "@" not in done.text
    assert "07700" not in done.text
    assert done.counts["card"] == text.count("4111 1111 1111 1111")
