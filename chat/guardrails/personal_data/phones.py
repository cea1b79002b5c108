"""Which groups of a run of digits are a telephone number.

A number that starts with + or 0 counts when it is possible at all; one that starts otherwise
needs the North American grouping or a word such as "call" near it. Labels ("order no.") and
what touches the number (letters, a currency, a unit) speak against it.
"""

from __future__ import annotations

import re
from functools import lru_cache

import phonenumbers

from chat.guardrails.personal_data.runs import Run, Word

_MOST = 15  # digits of any number, by E.164
_LEAST = 7  # the shortest that people give, in groups; unbroken ones need one more
_NATIONAL = range(9, 14)  # digits of a national number with its leading 0
_USUAL = 11  # of them, where a longer run has to be cut
_COMPLETE = 10  # digits after which a line's end is the number's end

_EXTENSION = re.compile(
    r"[ ,;]{0,2}(?:x|ext\.?|extn\.?|extension|#)[ .:]{0,2}\d{1,6}(?!\d)", re.IGNORECASE
)
_PLUS = re.compile(r"\+[ (]{0,2}\Z")
_TOUCHED = re.compile(r"(?:[^\W_]|_|[^\W_][-_/#]|#)\Z")
_THOUSANDS = re.compile(r"\d,\Z")
_MONEY = re.compile(r"[$£€¥₹]\s?\Z")
_PHONE_PREFIX = re.compile(r"(?<![a-z])(?:tel|phone|mob|mobile|fax|cell|wa\.me)[-/]?\Z", re.I)
_PHONE_AFTER = re.compile(
    r"[\s,;:(\\-]{0,4}(?:fax|office|mobile|cell|home|work|desk|phone|tel)(?![a-z])", re.IGNORECASE
)
_UNIT = re.compile(
    r"\s?(?:[€$£¥₹%°]|(?:eur|usd|gbp|[kmgt]i?b|ms|px|kg|km|mm|cm)(?![a-z0-9]))", re.I
)
_AMERICAN_GAPS = re.compile(r"\)?[ .\-/]{0,3}x[ .-]{1,3}")
_LETTER = re.compile(r"[^\W\d]")
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")


def phone_end(run: Run, first: int) -> int | None:
    """The index after the last group of a phone number that begins with `first`, or None."""
    group = run.groups[first]
    if _PLUS.search(run.text, max(0, group.start - 3), group.start):
        return _international(run, first, "")
    if not _may_begin(run, first):
        return None
    if group.digits.startswith("00"):
        last = _international(run, first, "00")
    elif group.digits.startswith("0"):
        last = _national(run, first)
    else:
        last = _american(run, first) or _named(run, first)
    return last if last and _may_end(run, first, last) else None


def extension_end(text: str, end: int) -> int:
    """Where the number's extension ends, or `end`."""
    found = _EXTENSION.match(text, end)
    return found.end() if found else end


def _may_begin(run: Run, first: int) -> bool:
    """Nothing that touches the number from the left makes it part of something else."""
    if first > run.first:
        return True
    before = run.before.rstrip("(")
    if _MONEY.search(before):
        return False
    if _THOUSANDS.search(before) and len(run.groups[first].digits) == 3:
        return False
    if not _TOUCHED.search(before):
        return True
    return _PHONE_PREFIX.search(before) is not None


def _may_end(run: Run, first: int, last: int) -> bool:
    """Neither a label before the number nor what follows it makes it something else."""
    told = run.told
    at_once = first == run.first and not told.over_digits
    if told.word is Word.LABEL and (at_once or last - first == 1):
        return False
    if last < run.stop or _EXTENSION.match(run.after):
        return True
    if _UNIT.match(run.after):
        return False
    return told.word is Word.PHONE or not _LETTER.match(run.after)


def _stop(run: Run, first: int) -> int:
    """The furthest group that may still belong: a complete number ends with its line."""
    count = len(run.groups[first].digits)
    for index in range(first + 1, run.stop):
        breaks = run.gap(index).count("\n")
        if breaks > 1 or (breaks and count >= _COMPLETE):
            return index
        count += len(run.groups[index].digits)
        if count > _MOST + 2:
            return index
    return run.stop


def _prefixes(run: Run, first: int) -> list[tuple[int, str]]:
    """Every end that the number may have, the furthest first, with the digits up to it."""
    found: list[tuple[int, str]] = []
    digits = ""
    for index in range(first, _stop(run, first)):
        digits += run.groups[index].digits
        found.append((index + 1, digits))
    return found[::-1]


def _international(run: Run, first: int, prefix: str) -> int | None:
    options = [(last, digits.removeprefix(prefix)) for last, digits in _prefixes(run, first)]
    if _is_decimal(run, first, options[0][0]):
        return options[0][0] if _is_valid(options[0][1]) else None
    for last, digits in options:
        if len(digits) <= _MOST and _is_possible(digits):
            return last
    if prefix:
        return None
    # A country that the library does not know, or a digit too many: still somebody's number.
    return next((last for last, digits in options if 8 <= len(digits) <= _MOST), None)


def _is_decimal(run: Run, first: int, last: int) -> bool:
    return last - first == 2 and run.gap(first + 1) == "." and len(run.groups[first].digits) < 3


def _national(run: Run, first: int) -> int | None:
    if len(run.groups[first].digits) < 2 and not run.before.endswith("("):
        return None  # a decimal, a list's number, an ISBN
    options = _prefixes(run, first)
    if _is_clock_or_zip(run, first, options[0][0]) and run.told.word is not Word.PHONE:
        return None
    if len(options[0][1]) in _NATIONAL:
        return options[0][0]
    return next((last for last, digits in options if len(digits) in range(9, _USUAL + 1)), None)


def _is_clock_or_zip(run: Run, first: int, last: int) -> bool:
    """Opening hours (0900-1700) and the nine digits of an American postcode (02134-1234)."""
    if run.sizes(first, last) == (5, 4):
        return run.gap(first + 1) == "-"
    return all(_CLOCK.fullmatch(group.digits) for group in run.groups[first:last])


def _american(run: Run, first: int) -> int | None:
    start = first + 1 if run.groups[first].digits == "1" else first
    last = start + 3
    if last > run.stop or run.sizes(start, last) != (3, 3, 4):
        return None
    gaps = run.gap(start + 1), run.gap(start + 2)
    if not _AMERICAN_GAPS.fullmatch("x".join(gaps)):
        return None
    if "-" in gaps[1] or ")" in gaps[0] or last - start == run.stop - run.first:
        return last
    digits = "".join(group.digits for group in run.groups[start:last])
    return last if _is_valid("1" + digits) else None


def _named(run: Run, first: int) -> int | None:
    """Any number of a phone's length that the words around it call one."""
    if first > run.first and "\n" not in run.gap(first):
        return None
    for last, digits in _prefixes(run, first):
        least = _LEAST if last - first > 1 else _LEAST + 1
        if least <= len(digits) <= _MOST:
            return last if _is_called_phone(run, first, last) else None
    return None


def _is_called_phone(run: Run, first: int, last: int) -> bool:
    if first == run.first and run.told.word is Word.PHONE:
        return True
    return last == run.stop and _PHONE_AFTER.match(run.after) is not None


@lru_cache(maxsize=1024)
def _is_possible(digits: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(f"+{digits}", None))
    except phonenumbers.NumberParseException:
        return False


@lru_cache(maxsize=1024)
def _is_valid(digits: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(f"+{digits}", None))
    except phonenumbers.NumberParseException:
        return False
