"""Does a text only greet, thank or take leave? For short texts that no pattern decided.

Such a text is near a greeting and, but for its opening, says no word that tells the documents'
passages apart: `hi Larkspur` does not, `hi refund` does.
"""

from __future__ import annotations

from chat.adapters.offline.reading import Reader
from chat.adapters.offline.text import content, stem, words

LONGEST = 6  # words; a longer text says more than hello
LIKE = 0.3  # least cosine to a greeting
TELLING = 0.3  # rarity from which a word is about something

GREETINGS = (
    "hello", "hi there", "hey", "good morning", "good evening", "greetings", "hello everyone",
    "hi, how are you?", "nice to meet you", "hello my friend", "dear support team",
    "thank you", "thanks a lot for your help", "many thanks, great job", "that was helpful, thanks",
    "goodbye", "bye for now", "have a nice day", "see you later", "cheers mate",
)  # fmt: skip
OPENINGS = frozenset(stem(word) for text in GREETINGS for word in words(text))


def greets(text: str, reader: Reader) -> bool:
    """True for a greeting by name and the like; False for all that asks or names a thing."""
    mended = reader.mended(text)
    if not 0 < len(words(mended)) <= LONGEST:
        return False
    rest = [root for root in map(stem, content(mended)) if root not in OPENINGS]
    if any(root in reader.rarity and reader.rarity(root) >= TELLING for root in rest):
        return False
    return float((reader.memory.rows(GREETINGS) @ reader.memory.row(mended)).max()) >= LIKE
