"""What is said where no document is needed: constants that claim nothing.

Anything but small talk gets no words, because nothing is known here without a source.
"""

from __future__ import annotations

import re

WELCOME = "You are welcome. Ask whenever there is more to look up."
GOODBYE = "Goodbye. Ask again whenever you like."
HELLO = "Hello. Ask a question in your own words, and I can look it up in the documents."
ABILITIES = "I can look up answers in the documents and show where each one stands."
WHO = "I am here to help. " + ABILITIES
KIND = "I am here for you. " + ABILITIES

# The first that fits speaks; held against the text in lower case.
_SAID: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), reply)
    for pattern, reply in (
        (
            r"\bwhat (?:can|could|do|will) (?:you|u|this)\b|\bhow (?:can|could|do) (?:you|u)"
            r" (?:help|work)|\bwhat can (?:i|we) ask\b|\bwhat are you (?:for|able to)\b",
            ABILITIES,
        ),
        (
            r"\b(?:who|what) (?:are|r|made|created|built|is behind) (?:you|u)\b"
            r"|\byour (?:name|age|job|purpose|maker)\b|\bintroduce yourself\b|\babout yourself\b"
            r"|\b(?:are|r) (?:you|u) (?:a |an )?(?:bot|robot|human|real|person|machine|ai)\b"
            r"|\bam i (?:talking|speaking|chatting)\b",
            WHO,
        ),
        (r"\b(?:thanks?|thx|ty|cheers|appreciate|helpful)\b", WELCOME),
        (r"\b(?:bye|goodbye|farewell|good ?night|see (?:you|ya)|take care)\b", GOODBYE),
        (r"\b(?:sad|lonely|afraid|scared|upset|tired|bored|stressed)\b", KIND),
        (
            r"^(?:hi+|hey+|hello+|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))\b"
            r"|\bhow (?:are|r) (?:you|u)\b|\bhow(?:'s| is) (?:it|life|your day)\b",
            HELLO,
        ),
    )
)
CONSTANTS = (WELCOME, GOODBYE, HELLO, ABILITIES, WHO, KIND)


_LONGEST = 10  # words of small talk; a longer text is about something
_ASKS = re.compile(r"\?|\b(?:what|how|when|where|why|which|who|can|could|do|does|is|are|will)\b")
_ABOUT_US = (ABILITIES, WHO, HELLO)


def is_small_talk(text: str) -> bool:
    """Is it about the assistant, or thanks, farewell or mood, and asks for nothing else?"""
    said = reply(text)
    if not said or len(text.split()) > _LONGEST:
        return False
    return said in _ABOUT_US or not _ASKS.search(text.casefold())


def reply(text: str) -> str:
    """A courtesy that fits; empty for anything else, which is then searched after all."""
    said = text.casefold().replace("’", "'").strip()
    return next((words for pattern, words in _SAID if pattern.search(said)), "")
