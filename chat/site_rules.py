"""Reads what a site decides for its controls: one TOML file, named by GUARDRAILS_FILE.

Every key is checked when the file is read: a control that goes by a broken rule would be silent
about it. Each problem names its key and says what to do.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from pydantic import ValidationError

from chat.contracts.site_rules import RestrictedCategory, SiteRules
from chat.guardrails.expressions import problem
from chat.guardrails.output import MIN_LENGTH, final_gate
from chat.sample.loader import FOLDER

SAMPLE = FOLDER / "guardrails.toml"
NONE = "none"
LARGEST = 1_000_000  # bytes of the file
_KNOWN = "The sample's file, chat/sample/guardrails.toml, holds every key there is."


class BadRules(Exception):
    """The file cannot be used. `problems` has a line for each thing that is wrong with it."""

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        super().__init__("\n".join(f"{path}: {line}" for line in problems))
        self.path = path
        self.problems = tuple(problems)


class UnreadableRules(BadRules):
    """There is no such file, it is no text, or it is too large."""


class UnparsableRules(BadRules):
    """It is no TOML."""


class RefusedRules(BadRules):
    """It is TOML, but holds a key or a value that no control can go by."""


def site_rules() -> SiteRules:
    """The rules of this site; the sample's where no file is named. Read once. Raises `BadRules`."""
    return _kept(settings.PLUMBLINE.rules_file or SAMPLE)


def read(path: Path) -> SiteRules:
    """The file as a checked value. Raises `BadRules`, with all problems at once."""
    rules = _valid(path, _parsed(path, _text(path)))
    if problems := list(_problems(rules)):
        raise RefusedRules(path, problems)
    return rules


@cache
def _kept(path: Path) -> SiteRules:
    return read(path)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise UnreadableRules(path, [f"it is larger than {LARGEST:,} bytes. Shorten it."])
        return path.read_text("utf-8")
    except OSError as error:
        line = f"it cannot be read ({error.strerror}). Name a readable file in GUARDRAILS_FILE."
        raise UnreadableRules(path, [line]) from error
    except UnicodeDecodeError as error:
        raise UnreadableRules(path, ["it is not UTF-8. Save it as UTF-8 text."]) from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = f"it is not TOML: {error}. Mend it there; text with a backslash goes in ''' '''."
        raise UnparsableRules(path, [line]) from error


def _valid(path: Path, given: dict[str, Any]) -> SiteRules:
    try:
        return SiteRules.model_validate(given)
    except ValidationError as error:
        raise RefusedRules(path, [_sentence(each, given) for each in error.errors()]) from error


def _sentence(error: Any, given: dict[str, Any]) -> str:
    """A line that names the key as the file has it, for one error of the model."""
    key = _key(error["loc"], given)
    if error["type"] == "extra_forbidden":
        return f"{key}: there is no such key. {_KNOWN}"
    if error["type"] == "missing":
        return f"{key}: it is missing. Add it."
    limits = {"greater_than_equal": "0 or more", "less_than_equal": "1 or less"}
    if error["type"] in limits:
        return f"{key} is {error['input']}, but must be {limits[error['type']]}."
    if error["type"] == "string_pattern_mismatch":
        return f"{key} is {error['input']!r}: write lower-case letters, digits and _, 40 at most."
    return f"{key}: {error['msg'].lower()}. Write it as the sample's file does."


def _key(place: Sequence[int | str], given: dict[str, Any]) -> str:
    """`restricted.personal_advice.rules[3]`: an entry by its name where it has one, from 1."""
    key, at = "", given
    for part in place:
        at = _inside(at, part)
        if isinstance(part, int):
            name = at.get("name") if isinstance(at, dict) else None
            key += f".{name}" if isinstance(name, str) else f"[{part + 1}]"
        else:
            key += f".{part}" if key else part
    return key


def _inside(value: Any, part: int | str) -> Any:
    try:
        return value[part]
    except (LookupError, TypeError):
        return None


def _problems(rules: SiteRules) -> Iterator[str]:
    names = Counter(category.name for category in rules.restricted)
    for name, count in names.items():
        if count > 1:
            yield f"restricted.{name}: {count} categories have this name. Give each its own."
    for category in rules.restricted:
        yield from _of_category(category)
    yield from _of_words(rules)


def _of_category(category: RestrictedCategory) -> Iterator[str]:
    key = f"restricted.{category.name}"
    if category.name == NONE:
        yield f"{key}.name: a model says {NONE!r} for no category at all. Choose another name."
    if not category.title.strip():
        yield f"{key}.title: it is blank. Say in a few words what is not answered."
    if not final_gate(category.reply).passed:
        line = f"the final gate sends nothing under {MIN_LENGTH} characters. Write a sentence."
        yield f"{key}.reply: {line}"
    for kind in ("rules", "unless"):
        for number, expression in enumerate(getattr(category, kind), start=1):
            if wrong := problem(expression):
                yield f"{key}.{kind}[{number}]: {wrong}"
    for kind in ("cues", "examples", "allowed"):
        yield from _blanks(f"{key}.{kind}", getattr(category, kind))
    yield from _of_teaching(key, category)


def _of_teaching(key: str, category: RestrictedCategory) -> Iterator[str]:
    if not category.rules and not category.examples:
        yield f"{key}: it has neither rules nor examples, so nothing would ever be of it. Add some."
    if bool(category.examples) != bool(category.allowed):
        lacks = "allowed" if category.examples else "examples"
        yield f"{key}.{lacks}: a classifier learns from both sides of the line. Add the other one."
    for text in sorted(set(category.examples) & set(category.allowed)):
        yield f"{key}.allowed: {text!r} is among the examples too. Take one of the two out."


def _of_words(rules: SiteRules) -> Iterator[str]:
    for word, softer in rules.soften.items():
        if not word.strip() or not softer.strip():
            yield f"soften.{word or '(blank)'}: a word and its plainer one are both needed."
    for kind in ("terms", "procedures", "statutes"):
        yield from _blanks(f"never_flagged.{kind}", getattr(rules.never_flagged, kind))
    known: dict[str, int] = {}
    for number, group in enumerate(rules.synonyms, start=1):
        yield from _blanks(f"synonyms[{number}]", group)
        if len(set(map(str.casefold, group))) < 2:
            yield f"synonyms[{number}]: one name alone is no group. Add another, or remove it."
        for name in {name.casefold() for name in group}:
            if first := known.get(name):
                yield f"synonyms[{number}]: {name!r} stands in synonyms[{first}] too. Join the two."
            known.setdefault(name, number)


def _blanks(key: str, texts: Sequence[str]) -> Iterator[str]:
    for number, text in enumerate(texts, start=1):
        if not text.strip():
            yield f"{key}[{number}]: it is blank. Remove it."
