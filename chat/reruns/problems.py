"""Why a turn cannot be run again, each as a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class CannotRerun(Exception):
    """Base of all refusals. `code` is stable, `public` may be shown as it stands."""

    code: ClassVar[str] = "cannot_rerun"

    def __init__(self, public: str | None = None) -> None:
        self.public = public or (type(self).__doc__ or "").strip()
        super().__init__(self.public)


class NothingChosen(CannotRerun):
    """No turn was chosen. Choose at least one."""

    code = "nothing_chosen"


class TooMany(CannotRerun):
    """At most 1,000 turns can be run again at once. Choose fewer days or narrower filters."""

    code = "too_many"


class NoSuchTurns(CannotRerun):
    """Some of these turns do not exist any more. Load the list again."""

    code = "no_such_turns"


class NotFinished(CannotRerun):
    """A turn that has not ended cannot be run again. Wait for its end."""

    code = "not_finished"


class Erased(CannotRerun):
    """What was said in this turn has been erased, so there is nothing to run again."""

    code = "erased"


class Sensitive(CannotRerun):
    """This turn tells of somebody's health. Ask somebody who may read such turns."""

    code = "sensitive"


class NothingChanged(CannotRerun):
    """Nothing is changed. Change at least one setting to run several turns again."""

    code = "nothing_changed"


class BadLimit(CannotRerun):
    """The most that a batch may cost is above 0 and at most 1,000 US dollars."""

    code = "bad_limit"


class BadChange(CannotRerun):
    """A change that cannot be made. `fields` has a sentence for each field that is wrong."""

    code = "bad_change"

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        super().__init__(" ".join(self.fields.values()))


class NotOffered(CannotRerun):
    """That model cannot be asked here. Choose one of those that are offered."""

    code = "not_offered"
