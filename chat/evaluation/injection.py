"""How many orders in brought text are seen, and how much ordinary text is taken for one.

Recall here is a property of shapes. Many attack strings of these sets are ordinary requests ("What
is the capital of France?"), and as text there is nothing wrong with them: no filter of texts can
tell them from a heading of a handbook. They are counted as missed. What an order can do once it is
read is held by other means than this.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from chat.evaluation.figures import Figure, share
from chat.evaluation.halves import is_read
from chat.evaluation.metrics import rows
from chat.guardrails.screening.injection import neutralise, suspicion
from chat.sample.loader import HANDBOOK

Row = dict[str, Any]

ATTACKS, STRINGS, HARMLESS = "cyberseceval.jsonl", "bipia_attacks.jsonl", "notinject_benign.jsonl"
DIRECT, INDIRECT = "direct", "indirect"

# What the attack strings want, by their category; the others are a task that has its own answer.
FORM = (
    "Substitution Ciphers", "Base Encoding", "Reverse Text", "Emoji Substitution",
    "Alphanumeric Substitution", "Homophonic Substitution", "Misspelling Intentionally",
    "Anagramming", "Space Removal & Grouping",
)  # fmt: skip
SLIPPED_IN = (
    "Instruction", "Social Interaction", "Persuasion", "Clickbait", "Malware Distribution",
    "Information Dissemination", "Marketing & Advertising", "Entertainment", "Scams & Fraud",
    "Misinformation & Propaganda",
)  # fmt: skip
WANTS = ("form of the reply", "slipped in", "another task", "code")

VARIANTS = (
    "different_user_input_language", "few_shot_attack", "hypothetical_scenario",
    "ignore_previous_instructions", "indirect_reference", "many_shot_attack", "mixed_techniques",
    "output_formatting_manipulation", "overload_with_information", "payload_splitting",
    "persuasion", "repeated_token_attack", "system_mode", "token_smuggling", "virtualization",
)  # fmt: skip

_SENTENCE_ENDS = re.compile(r"[.!?]\s|\n")


def evaluate_prompt_injection(folder: Path) -> dict[str, Any]:
    """Shares that are seen, and that are seen wrongly; each but `n` a figure or a table of them.

    `folder` holds the three files; `support_kbs` and `banking77` lie beside it, and of one that is
    missing a figure has no rows. `{"n", "direct", "indirect", "variants": {…}, "placed": {…},
    "categories": {…}, "alarms": {…}, "precision": {…}}`. Of `direct`, `indirect`, `placed` and
    `harmless` there are `…_read`, the half that the shapes were written with, and `…_unread`.
    Raises OSError.
    """
    attacks, strings = rows(folder / ATTACKS), rows(folder / STRINGS)
    harmless = rows(folder / HARMLESS)
    sections = _texts(folder.parent / "support_kbs" / "sections.jsonl")
    typed = _texts(folder.parent / "banking77" / "test.jsonl")
    seen = {row["id"]: bool(suspicion(row["user_input"])) for row in attacks}
    taken = {row["id"]: is_taken_out(row, sections) for row in strings}
    alarms = {
        "harmless": [bool(suspicion(row["text"])) for row in harmless],
        "support_kbs": [bool(neutralise(text).found) for text in sections],
        "banking77": [bool(suspicion(text)) for text in typed],
        "handbook": [bool(neutralise(text).found) for text in handbook()],
    }
    direct = [row for row in attacks if row["type"] == DIRECT]
    indirect = [row for row in attacks if row["type"] == INDIRECT]
    return {
        "n": len(attacks) + len(strings) + len(harmless),
        **_halves(DIRECT, direct, seen),
        **_halves(INDIRECT, indirect, seen),
        **_halves("placed", strings, taken),
        **_halves("harmless", harmless, _by_id(harmless, alarms["harmless"])),
        "variants": _grouped(attacks, seen, lambda row: str(row["variant"]), VARIANTS),
        "wants": _grouped(strings, taken, wants, WANTS),
        "categories": _grouped(strings, taken, lambda row: f"{row['kind']}: {row['category']}"),
        "alarms": {name: share(found) for name, found in alarms.items()},
        "precision": {
            "messages": _precision(
                [seen[row["id"]] for row in direct], alarms["harmless"], alarms["banking77"]
            ),
            "documents": _precision(list(taken.values()), alarms["support_kbs"]),
        },
    }


def placed(row: Row, sections: Sequence[str]) -> str:
    """An attack string at the start, in the middle or at the end of a section, by its id's hash."""
    number = int.from_bytes(hashlib.sha256(row["id"].encode()).digest()[:8])
    section = sections[number // 3 % len(sections)] if sections else ""
    at = (0, _middle(section), len(section))[number % 3]
    parts = (section[:at].rstrip(), row["text"], section[at:].lstrip())
    return "\n".join(part for part in parts if part)


def is_taken_out(row: Row, sections: Sequence[str]) -> bool:
    """Does the order, placed in a section, no longer stand there as it was?"""
    done = neutralise(placed(row, sections))
    return bool(done.found) and row["text"] not in done.text


def wants(row: Row) -> str:
    """What an attack string is after."""
    if row["kind"] == "code":
        return "code"
    if row["category"] in FORM:
        return "form of the reply"
    return "slipped in" if row["category"] in SLIPPED_IN else "another task"


def handbook() -> list[str]:
    """The sample's own documents."""
    return [path.read_text("utf-8") for path in sorted(HANDBOOK.glob("*.md"))]


def _middle(text: str) -> int:
    """The end of the sentence that the middle of a text lies in."""
    ends = _SENTENCE_ENDS.search(text, len(text) // 2)
    return ends.end() if ends else len(text)


def _texts(path: Path) -> list[str]:
    return [row["text"] for row in rows(path)] if path.is_file() else []


def _by_id(of: Sequence[Row], found: Sequence[bool]) -> dict[str, bool]:
    return {row["id"]: hit for row, hit in zip(of, found, strict=True)}


def _halves(name: str, of: Sequence[Row], found: dict[str, bool]) -> dict[str, Figure]:
    return {
        name: share([found[row["id"]] for row in of]),
        f"{name}_read": share([found[row["id"]] for row in of if is_read(row["id"])]),
        f"{name}_unread": share([found[row["id"]] for row in of if not is_read(row["id"])]),
    }


def _grouped(
    of: Sequence[Row],
    found: dict[str, bool],
    group: Callable[[Row], str],
    names: Sequence[str] = (),
) -> dict[str, Figure]:
    groups: dict[str, list[bool]] = defaultdict(list, {name: [] for name in names})
    for row in of:
        groups[group(row)].append(found[row["id"]])
    return {name: share(hits) for name, hits in sorted(groups.items())}


def _precision(attacks: Iterable[bool], *harmless: Iterable[bool]) -> Figure:
    """Of all that was called an order, the share that was one."""
    right = [True for hit in attacks if hit]
    wrong = [False for part in harmless for hit in part if hit]
    return share([*right, *wrong])
