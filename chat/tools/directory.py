"""The tool `search_directory`: partners, data centres, meet-ups and what else the table holds."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from chat.contracts.tasks import ToolSpec
from chat.db import in_db
from chat.tools.base import Arguments, Found, Tool, one_line, time_limit
from chat.tools.known import Catalogue, Known
from chat.tools.records import Matches, Wanted, find

NAME = "search_directory"
TIMEOUT_MS = 3_000
MANY_AREAS = 40  # above this the schema names the kinds alone
NAMED = 30  # kinds and areas that an empty result names

DESCRIPTION = (
    "Searches the directory of partners, data centres, meet-ups and courses by name, kind, "
    "area and attributes. For questions about who or what is where; not for the handbook's rules."
)

# Phrases rather than words: the handbook itself speaks of data centres, agencies and people.
HINTS = (
    *("partners", "a partner", "which partner", "find a partner", "your partner"),
    *("partner in", "partner near", "partner for", "partner who", "partner that", "local partner"),
    *("an agency", "which agency", "agency in", "agency near", "agency for", "agencies in"),
    *("meet-up", "meet-ups", "meetup", "meetups", "user group", "workshop", "workshops"),
    *("visit a data centre", "visit the data centre", "data centre tour", "data centre address"),
    *("visit a data center", "visit the data center", "data center tour", "data center address"),
    *("address of the data centre", "address of the data center", "in the directory"),
    *("who can build", "who can migrate", "who can set up", "who can design", "who can install"),
    *("someone who can build", "someone to build", "someone to migrate", "someone near"),
)

Short = Annotated[str, AfterValidator(one_line)]
Word = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(one_line)]
Text = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(one_line)]


class DirectoryArguments(Arguments):
    """What to look for. Everything that is given has to fit."""

    name: Short = Field("", max_length=120, description="The name, or words of the record.")
    kind: Short = Field("", max_length=60, description="What kind of record.")
    area: Short = Field("", max_length=120, description="A city, a country, or Online.")
    filters: dict[Word, Text] = Field(
        default_factory=dict, max_length=8, description="Words that an attribute has to hold."
    )
    limit: int = Field(5, ge=1, le=10, description="How many records to give.")

    def wanted(self) -> Wanted:
        return Wanted(self.name, self.kind, self.area, self.filters, self.limit)


class SearchDirectory(Tool[DirectoryArguments]):
    """Reads only. `catalogue` names the kinds and areas that its schema offers."""

    arguments = DirectoryArguments

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    @property
    def spec(self) -> ToolSpec:
        return _spec(self._catalogue.known)

    def summary(self, arguments: DirectoryArguments) -> str:
        asked = _asked(arguments)
        return f"Search the directory: {asked}." if asked else "Search the directory."

    async def run(self, arguments: DirectoryArguments, key: str) -> Found:
        known, matches = await in_db(self._find, arguments.wanted())
        return Found(
            text=_told(arguments, matches, known),
            summary=f"{_counted(matches.total)} found in the directory",
            passages=matches.passages,
        )

    def _find(self, wanted: Wanted) -> tuple[Known, Matches]:
        with time_limit(TIMEOUT_MS):
            known = self._catalogue.learn()
            return known, find(wanted, known)


@lru_cache(maxsize=1)
def _spec(known: Known) -> ToolSpec:
    """Kept while the table is as it is: every turn asks for it, greetings too."""
    return ToolSpec(
        name=NAME,
        description=DESCRIPTION,
        parameters=_schema(known),
        published=True,
        timeout_ms=TIMEOUT_MS,
        hints=HINTS,
    )


def _schema(known: Known) -> dict[str, Any]:
    """The arguments' own schema, with the values that the table holds now.

    Other values are no bad arguments: what they mean is found out, or said to be unknown.
    """
    schema = DirectoryArguments.model_json_schema()
    fields = schema["properties"]
    if known.kinds:
        fields["kind"]["enum"] = ["", *known.kinds]
    if 0 < len(known.areas) <= MANY_AREAS:
        fields["area"]["enum"] = ["", *known.areas]
    if known.attributes:
        fields["filters"]["description"] += f" Attributes: {', '.join(known.attributes[:NAMED])}."
    return schema


def _asked(arguments: DirectoryArguments) -> str:
    said = [
        f"{label} {value}"
        for label in ("name", "kind", "area")
        if (value := getattr(arguments, label))
    ]
    return ", ".join((*said, *(f"{key}: {value}" for key, value in arguments.filters.items())))


def _told(arguments: DirectoryArguments, matches: Matches, known: Known) -> str:
    """What was found, for the model; the records themselves are the passages."""
    told = [f"“{typed}” was read as “{word}”." for typed, word in matches.read_as]
    if matches.total:
        names = "; ".join(passage.title for passage in matches.passages)
        shown = len(matches.passages)
        rest = f"; the first {shown} are" if matches.total > shown else ":"
        told.append(f"{_counted(matches.total)} found{rest} {names}.")
        return " ".join(told)
    told.append(f"No record was found for: {_asked(arguments) or 'everything'}.")
    told += [matches.missing] if matches.missing else []
    told += [f"Kinds: {_listed(known.kinds)}. Areas: {_listed(known.areas)}."]
    return " ".join(told)


def _listed(values: tuple[str, ...]) -> str:
    more = f"; and {len(values) - NAMED} more" if len(values) > NAMED else ""
    return ("; ".join(values[:NAMED]) or "none") + more


def _counted(records: int) -> str:
    return "1 record" if records == 1 else f"{records} records"
