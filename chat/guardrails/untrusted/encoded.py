"""Orders that were written so that nobody reads them: base64, figures, Morse, turned letters."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator

from chat.guardrails.untrusted.orders import Span, orders

ENCODED = "encoded"

_LONGEST = 4_000  # characters of one block that are read
_READABLE = 0.85

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){16,}")
_BITS = re.compile(r"(?:[01]{8}[ ,]?){6,}")
_MORSE = re.compile(r"(?:[.-]{1,6}[ /]{1,3}){8,}[.-]{0,6}")
_ENTITIES = re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};|\\u[0-9a-fA-F]{4}){6,}")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}){16,}")
_LINE = re.compile(r"[^\n]+")

_SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- "
    "-..-"
    " -.-- --.."
)
_LETTERS = dict(zip(_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))

# "ignore", "disregard", "instructions" and "prompt" with each letter moved by 13, and backwards.
_TURNED = ("vtaber", "qvfertneq", "vafgehpgvba", "flfgrz cebzcg")
_BACKWARDS = ("snoitcurtsni", "erongi", "dragersid", "tpmorp metsys")

_ASKS = re.compile(
    r"\b(?:ignore|disregard|forget|reveal|respond|reply|instructions?|system prompt|assistant"
    r"|tell the user|pretend|you are now|state that)\b",
    re.IGNORECASE,
)


def encoded(text: str) -> Iterator[Span]:
    """Blocks that decode to an order. Ordinary keys, digests and pictures decode to noise."""
    for pattern, decode in _KINDS:
        for match in pattern.finditer(text):
            if _is_an_order(decode(match[0][:_LONGEST])):
                yield (*match.span(), ENCODED)
    lower = text.lower() if text.isascii() else ""
    for words, turn in ((_TURNED, _thirteen), (_BACKWARDS, _backwards)):
        if any(word in lower for word in words):
            for match in _LINE.finditer(text):
                if orders(turn(match[0][:_LONGEST])):
                    yield (*match.span(), ENCODED)


def _is_an_order(said: str) -> bool:
    if len(said) < 6:
        return False
    readable = sum(c.isalnum() or c in " .,:;!?'\"-\n<>/" for c in said)
    return readable >= _READABLE * len(said) and bool(_ASKS.search(said) or orders(said))


def _from_base64(block: str) -> str:
    plain = block.rstrip("=").replace("-", "+").replace("_", "/")
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8", "ignore")
    except (binascii.Error, ValueError):
        return ""


def _from_hex(block: str) -> str:
    digits = re.sub(r"[ :%]", "", block)
    return bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8", "ignore")


def _from_bits(block: str) -> str:
    bits = re.sub(r"[ ,]", "", block)
    numbers = (int(bits[at : at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8))
    return bytes(numbers).decode("utf-8", "ignore")


def _from_morse(block: str) -> str:
    words = (word.split() for word in block.split("/"))
    return " ".join("".join(_LETTERS.get(letter, "") for letter in word) for word in words)


def _from_entities(block: str) -> str:
    codes = re.sub(r"\\u([0-9a-fA-F]{4})", r"&#x\1;", block)
    return html.unescape(codes)


def _thirteen(line: str) -> str:
    return codecs.encode(line, "rot13")


def _backwards(line: str) -> str:
    return line[::-1]


_KINDS: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (_BASE64, _from_base64),
    (_BITS, _from_bits),
    (_HEX, _from_hex),
    (_PERCENT, _from_hex),
    (_MORSE, _from_morse),
    (_ENTITIES, _from_entities),
)
