"""The house rules of a library, small enough to know by heart: what the rules read in tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chat.adapters.embeddings import DIMENSIONS, Embedder
from chat.adapters.offline.corpus import Documents
from chat.contracts.passages import Passage

SECTIONS: dict[tuple[str, str], str] = {
    ("Loans", "Loan periods"): (
        "Books are lent for 21 days and films for 7 days. A loan starts on the day on which you "
        "take the item home. New magazines are read in the building and are not lent."
    ),
    ("Loans", "Renewing a loan"): (
        "To renew a loan, sign in, open My loans and press Renew next to the title. A loan can be "
        "renewed up to three times. It cannot be renewed while somebody else waits for the item."
    ),
    ("Loans", "Late fees"): (
        "Each day that an item is late costs 0.30 euros, and never more than 10 euros for one "
        "item. Children under 14 pay no late fees. Fees are paid at the desk, in cash or by card."
    ),
    ("Membership", "Joining the library"): (
        "Anyone who lives in the county can join free of charge. Bring a photo identity card to "
        "the desk. Your membership card is printed while you wait and is valid for two years."
    ),
    ("Membership", "Returning a lost card"): (
        "If you have lost your membership card, report it at the desk or by telephone. A new card "
        "costs 5 euros. If the old card is handed in later, 3 euros are paid back to you."
    ),
    ("Membership", "Getting money back"): (
        "Money that is owed to you can be claimed within 60 days. Once a claim is approved, the "
        "money arrives in your bank account after 3 to 5 working days."
    ),
    ("Rooms", "Booking a study room"): (
        "Six study rooms can be booked under Rooms on the website. What a room holds:\n\n"
        "- a table for eight people\n- a screen with a cable\n- a whiteboard\n\n"
        "A booking that is not taken up within 15 minutes is given to somebody else."
    ),
    ("Rooms", "Quiet floors"): (
        "The second and the third floor are quiet. Telephones stay silent there, and food is left "
        "in the lockers on the ground floor. The lockers take a one euro coin, which you get back."
    ),
}
FORMATTED = {heading: f"{title}\n{heading}\n{text}" for (title, heading), text in SECTIONS.items()}


@dataclass(frozen=True)
class Examples:
    """What visitors ask, and what they do not."""

    on_topic: tuple[str, ...] = (
        "how long can I keep a book",
        "can I borrow films",
        "renew my books",
        "what does it cost to be late",
        "how do I join",
        "lost my library card",
        "is there a room for a study group",
        "where can I make a phone call",
        "do you have audio books",
        "can I reserve a title",
    )
    off_topic: tuple[str, ...] = (
        "what is the weather like",
        "recipe for pancakes",
        "who won the football match",
        "book me a flight to Rome",
        "my car does not start",
        "translate good morning into French",
        "how do I lose weight",
        "what is the capital of Peru",
        "fix my washing machine",
        "tell me a joke",
    )


@dataclass
class Shelf:
    """A corpus whose documents a test may exchange. `asked` counts how often they were read."""

    current: Documents
    asked: int = 0

    def documents(self) -> Documents:
        self.asked += 1
        return self.current


def passage(heading: str) -> Passage:
    """The section with this heading."""
    title, text = next((t, text) for (t, h), text in SECTIONS.items() if h == heading)
    key = f"{title}#{heading}".lower().replace(" ", "-")
    return Passage(chunk=key, document=title, version=1, title=title, heading=heading, text=text)


def documents(embedder: Embedder, stamp: str = "one") -> Documents:
    """All sections, with their vectors."""
    return Documents(
        stamp=stamp,
        headings=tuple(heading for _, heading in SECTIONS),
        texts=tuple(SECTIONS.values()),
        vectors=embedder.embed(list(FORMATTED.values())),
    )


NOTHING = Documents("none", (), (), np.empty((0, DIMENSIONS), dtype=np.float32))
