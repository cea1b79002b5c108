"""Bank accounts are told by their shape and by the words beside them, not by check digits."""

import pytest

from chat.guardrails.input import redact


@pytest.mark.parametrize(
    "written",
    [
        "12-3456-7890123-00",  # of no bank there is
        "01-0902-0068389-00",
        "01 0902 0068389 000",
        "062-000 12345678",
        "062-000, 123456789",
        "20-00-00 12345678",
        "20-00-00 / 12345678",
        "01–0902–0068389–00",
        "０１-０９０２-００６８３８９-００",
        "01-0902-00\u200b68389-00",
    ],
)
@pytest.mark.parametrize("text", ["{}", "Send it to {}.", "Mine: {}, thanks", "({}) is where"])
def test_a_shape_that_only_accounts_have_needs_no_word(text: str, written: str) -> None:
    done = redact(text.format(written))
    assert done.text == text.format("[account]")
    assert done.counts == {"account": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my account is 12-3456-7890, and", "my account is [account], and"),
        ("account number: 12345678", "account number: [account]"),
        ("Account no. 1234 5678 90", "Account no. [account]"),
        ("acct #000123456789", "acct #[account]"),
        ("A/C 12345678", "A/C [account]"),
        ("BSB 062-000 account 12345678", "BSB [account] account [account]"),
        ("sort code 01-02-03, account 12345678", "sort code [account], account [account]"),
        ("routing 021000021 and account 1234567", "routing [account] and account [account]"),
        ("12345678 is my account number", "[account] is my account number"),
        ("use 12345678 (account)", "use [account] (account)"),
        ("Kontonummer 0532013000", "Kontonummer [account]"),
        ("ACCOUNT NUMBER １２３４５６７８", "ACCOUNT NUMBER [account]"),
        ("account number 1 2 3 4 5 6 7 8", "account number [account]"),
        ("account\u00a0number\u00a012345678", "account\u00a0number\u00a0[account]"),
        ("account number 1234\n5678", "account number [account]"),
    ],
)
def test_a_word_beside_any_number_makes_it_an_account(text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "account 12345",  # too short for one
        "account number for order 12345678",
        "order 12-3456-7890123-00",
        "my account: order 12345678",
        "my account was opened on 2024-01-02",
        "account 2024-01-02",
        "account: 01/02/2024 10:00",
        "accounts 20 and 30 of 100",
        "01-02-24 12345678",  # a day and a ticket
        "invoice 062-000 12345678",
        "account [card] 12345678",
        "three accounts cost $1,234,567.00",
        "SKU 20-00-00 12345678",
        "pages 12-34 and 567890",
    ],
)
def test_what_no_bank_gave_stays(text: str) -> None:
    assert redact(text).text == text
