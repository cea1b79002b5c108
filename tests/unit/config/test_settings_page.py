"""The generated page and the example file follow the variables."""

import re
from pathlib import Path

import pytest

from config import env, settings_page
from config.variables import BASE_DIR, variables


def test_the_page_and_the_example_file_are_current() -> None:
    assert settings_page.stale() == []


def test_every_variable_stands_on_the_page_with_its_other_names() -> None:
    page = settings_page.page()
    for variable in variables():
        assert all(f"`{name}`" in page for name in variable.names)


def test_the_example_file_changes_nothing_as_it_is_and_holds_valid_defaults() -> None:
    assert env.from_file(BASE_DIR / ".env.example") == {}
    uncommented = re.sub(r"^#(?=[A-Z_]+=)", "", settings_page.example(), flags=re.MULTILINE)
    assert env.pairs_in(uncommented).keys() == {variable.name for variable in variables()}
    assert env.read(env.pairs_in(uncommented)) == env.read({})


def test_a_stale_page_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(settings_page, "BASE_DIR", tmp_path)
    assert settings_page.main(["--check"]) == 1
    assert "docs/settings.md is not current" in capsys.readouterr().err
    assert settings_page.main([]) == 0
    assert settings_page.main(["--check"]) == 0
