"""What can go wrong before the site serves: one family, each message plain and complete."""

from collections.abc import Sequence


class StartError(Exception):
    """The site cannot start; the message says what is wrong and what helps."""


class BadSetting(StartError):
    """One environment variable holds a value that cannot be used."""

    def __init__(self, name: str, given: str, allowed: str) -> None:
        super().__init__(f"{name} is {given}, but must be {allowed}.")
        self.name = name
        self.given = given
        self.allowed = allowed


class BadSettings(StartError):
    """All problems of one reading, so that a person mends them in one go; one line each."""

    def __init__(self, problems: Sequence[BadSetting]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)
