"""What is taken out of a text before anything is written, and what stays."""

import pytest

from chat.guardrails.input import redact

EMAILS = [
    "john@example.com",
    "JOHN.SMITH+news@Mail.Example.CO.UK",
    "o'brien@example.com",
    "josé@exämple.fr",
    "иван@почта.рф",
    "john＠example．com",
    "john\u200b@\u200bexample.com",
    "john @ example.com",
    "john@\nexample.com",
    "john@exam\nple.com",
    "john@ example . com",
    "john (at) example.com",
    "john(at)example(dot)com",
    "john [at] example [dot] com",
    "JOHN AT EXAMPLE DOT COM",
    "john dot smith at example dot co dot uk",
    "jane.doe at gmail.com",
    '"john smith"@example.org',
    "john@[192.168.0.1]",
    "john%40example.com",
    "john&#64;example.com",
]

CARDS = [
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "4111\u20111111\u20131111\u22121111",
    "4111\u00a01111\u20091111\u202f1111",
    "4111\u200b1111\u200b1111\u200b1111",
    "４１１１ １１１１ １１１１ １１１１",
    "٤١١١١١١١١١١١١١١١",
    "4111 1111\n1111 1111",
    "4111 11\n11 1111 1111",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "4111.1111.1111.1111",
    "3782 822463 10005",
    "3056 930902 5904",
    "6011111111111117",
    "3530111333300000",
    "4222222222222",
    "2223 0031 2200 3222",
    "630427373398",
    "4111 1111 1111 1112",  # grouped like a card, one digit mistyped
]

IBANS = [
    "GB82 WEST 1234 5698 7654 32",
    "GB82WEST12345698765432",
    "gb82 west 1234 5698 7654 32",
    "DE89-3704-0044-0532-0130-00",
    "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000",
    "DE89 3704 0044\n0532 0130 00",
    "FR1420041010050500013M02606",
    "NL91ABNA0417164300",
    "ＤＥ８９３７０４００４４０５３２０１３０００",
]

PHONES = [
    "+44 7700 900123",
    "+447700900123",
    "+44 (0)20 7946 0018",
    "+64 9 555 0199",
    "+1-903-140-4508 ext. 12",
    "+４４ ７７００ ９００１２３",
    "+44\u00a07700\u2009900\u2011123",
    "+44 7700\n900123",
    "0044 20 7946 0018",
    "07700 900123",
    "07700900123",
    "(020) 7946 0018",
    "0151 123 456 789",
    "01.84.17.61.18",
    "780-999-2181",
    "(602)272-9781x0135",
    "555-123-4567",
    "1 (800) 555-0199",
]


def check_kind(kind: str, written: str) -> None:
    for text, expected in [
        (written, f"[{kind}]"),
        (f"My detail: {written}.", f"My detail: [{kind}]."),
        (f"see <{written}>, please", f"see <[{kind}]>, please"),
        (f"{written}, then {written}!", f"[{kind}], then [{kind}]!"),
    ]:
        done = redact(text)
        assert done.text == expected
        assert done.counts == {kind: expected.count("[")}


@pytest.mark.parametrize("written", EMAILS)
def test_an_email_address_goes_however_it_is_written(written: str) -> None:
    check_kind("email", written)


@pytest.mark.parametrize("written", CARDS)
def test_a_card_goes_however_it_is_grouped(written: str) -> None:
    check_kind("card", written)


@pytest.mark.parametrize("written", IBANS)
def test_an_iban_goes_with_and_without_spaces(written: str) -> None:
    check_kind("iban", written)


@pytest.mark.parametrize("written", PHONES)
def test_a_phone_number_goes_from_every_country(written: str) -> None:
    check_kind("phone", written)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call me on 9472 7916", "call me on [phone]"),
        ("phone: 5403926876", "phone: [phone]"),
        ("Mobile 432 03 163\nthanks", "Mobile [phone]\nthanks"),
        ("12 High Street\n21 253 109 8211-Office", "12 High Street\n[phone]-Office"),
        ("wa.me/447700900123", "wa.me/[phone]"),
        ("card no 4111111111111112", "card no [card]"),
        ("my IBAN is DE88 3704 0044 0532 0130 00", "my IBAN is [iban]"),
        ("order 123 07700 900123", "order 123 [phone]"),
        ("ref 12345\n07700 900123", "ref 12345\n[phone]"),
    ],
)
def test_the_words_around_a_number_tell_what_it_is(text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "Order number 0123456789",
        "order #12345678901",
        "order 4111 1111 1111 1112",
        "Orders 0123456789, 0123456790 and 0123456791",
        "order 4929123412341234",
        "1234 5678 9012 3456",
        "invoice 2024-000123",
        "INV-0123456789",
        "ticket 01234567890",
        "tracking 1Z999AA10123456784",
        "tracking number 9400 1000 0000 0000 0000 00",
        "RB123456785GB and JD014600003828310000",
        "SKU-01234567890",
        "error code 0x80070005",
        "0x80070005 at 10:30",
        "version 10.0.19045.3803",
        "postgres 18.4.1.2",
        "2024-01-02 08:00",
        "2024-01-02T03:04:05.678901",
        "on 01.02.2024 or 03/04/2024",
        "01/02/2024 - 03/02/2024",
        "$1,234.50 and £12 345.00 and €1.234,56",
        "sold for 15,488,083 in 1971",
        "1 200 000 rows",
        "open 0900-1700",
        "0.123456789",
        "0.4111111111111111",
        "127.0.0.1:8000 and 0.0.0.0",
        "550e8400-e29b-41d4-a716-446655440000",
        "01234567-0123-0123-0123-012345678901",
        "ISBN 978-3-16-148410-0 or 0-306-40615-2",
        "1700000000000",
        "5 to 10 business days",
        "2020 2021 2022 2023",
        "pages 211-227 (2003)",
        "02134-1234",
        "DE123456789 is our VAT number",
        "call us between 9 and 17",
        "HTTP 429, 40P01, fields.E310, RFC 2119",
        "+5 %, -3.5, +1.23456789",
        "sign in at gmail.com",
        "status at status.larkspur.example",
        "name@1.2.3 and @scope/name",
        "thanks @larkspur.example",
        "he was at work. Come in",
        "look at this dot com bubble",
    ],
)
def test_what_is_nobodys_address_or_number_stays(text: str) -> None:
    done = redact(text)
    assert done.text == text
    assert done.counts == {}


def test_several_kinds_in_one_text_are_each_counted() -> None:
    done = redact(
        "I am j@example.com, card 4111 1111 1111 1111, IBAN GB82 WEST 1234 5698 7654 32, "
        "call +44 7700 900123 or 07700 900456 about order 0123456789."
    )
    assert done.text == (
        "I am [email], card [card], IBAN [iban], call [phone] or [phone] about order 0123456789."
    )
    assert done.counts == {"email": 1, "card": 1, "iban": 1, "phone": 2}


def test_numbers_that_touch_are_told_apart() -> None:
    assert redact("4111 1111 1111 1111 07700 900123").text == "[card] [phone]"
    assert redact("07700 900123 4111111111111111").text == "[phone] [card]"
    assert redact("07700900123,07700900456").text == "[phone],[phone]"
    assert redact("NO9386011117947NO9386011117947").text == "[iban][iban]"


def test_a_web_address_keeps_what_is_not_the_address_in_it() -> None:
    assert (
        redact("https://x.example/u/john@x.example?z=1").text == "https://x.example/u/[email]?z=1"
    )


def test_placeholders_typed_by_a_person_say_nothing_about_a_number() -> None:
    assert redact("[phone] 12345678").text == "[phone] 12345678"


@pytest.mark.parametrize(
    "text",
    [
        "010000000 GB15AAAA00000000000000",
        "GB15AAAA000000000000000/0/2000NO1300000000000",
        "NO1300000000000NO1300000000000",
        "01000\u0664000 1000 0000 0000-Fax4000 0000 0000 0002",
        "call me: averylongaddress@example.com 12345678",
        "card +44 7700 900123 4111 1111 1111 1112",
    ],
)
def test_what_was_found_does_not_change_what_its_neighbours_are(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "@" * 50, "\u202e4\u0301", "'@x"])
def test_odd_texts_pass_unharmed(text: str) -> None:
    assert redact(text).text == text
