"""What is read from the environment, what is refused, and in which words."""

import os
import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import env
from config.errors import BadSettings
from config.variables import BASE_DIR, variables

SEED_NAMES = [
    ("RAG_MIN_DOCS", "MIN_DOCUMENTS_FOR_GENERATION", "min_docs", "3", 3),
    ("RAG_MAX_RETRIES", "MAX_RETRIES", "max_retries", "1", 1),
    (
        "RAG_SKIP_HALLUCINATION_CHECK",
        "SKIP_HALLUCINATION_CHECK",
        "skip_hallucination_check",
        "true",
        True,
    ),
    ("RAG_MAX_LOOP_ITERATIONS", "MAX_LOOP_ITERATIONS", "max_loop_iterations", "2", 2),
    ("RAG_ENABLE_AGENTIC_RAG", "ENABLE_AGENTIC_RAG", "enable_agentic_rag", "false", False),
    ("RAG_RELEVANCE_THRESHOLD", "RELEVANCE_THRESHOLD", "relevance_threshold", "0.3", 0.3),
    ("RAG_TOP_K", "TOP_K", "top_k", "4", 4),
    (
        "RAG_CHUNK_EXPANSION_ENABLED",
        "CHUNK_EXPANSION_ENABLED",
        "chunk_expansion_enabled",
        "false",
        False,
    ),
]

line_text = st.text(alphabet=string.ascii_letters + string.digits + " _-./:#='", max_size=30)
names = st.from_regex(r"[A-Z][A-Z0-9_]{0,20}", fullmatch=True)


def refusal(environment: dict[str, str]) -> str:
    with pytest.raises(BadSettings) as told:
        env.read(environment)
    return str(told.value)


def test_an_empty_environment_gives_the_documented_defaults() -> None:
    settings = env.read({})
    assert (settings.port, settings.top_k, settings.max_retries) == (8000, 6, 2)
    assert (settings.relevance_threshold, settings.min_docs) == (0.15, 1)
    assert (settings.token_budget, settings.cost_budget) == (60_000, 0.25)
    assert (settings.wall_clock_ms, settings.max_passes) == (60_000, 6)
    assert (settings.llm_timeout_ms, settings.llm_model) == (10_000, "")
    assert (settings.stream_policy, settings.retrieval_mode) == ("draft", "hybrid")


@pytest.mark.parametrize(("prefixed", "plain", "field", "text", "value"), SEED_NAMES)
def test_a_name_of_the_seeds_works_with_and_without_its_prefix(
    prefixed: str, plain: str, field: str, text: str, value: object
) -> None:
    assert getattr(env.read({prefixed: text}), field) == value
    assert getattr(env.read({plain: text}), field) == value


def test_two_names_of_one_setting_that_disagree_are_refused() -> None:
    line = refusal({"RAG_MAX_RETRIES": "2", "MAX_RETRIES": "3"})
    assert "RAG_MAX_RETRIES" in line
    assert "MAX_RETRIES" in line


def test_two_names_of_one_setting_may_agree() -> None:
    assert env.read({"RAG_MAX_RETRIES": "3", "MAX_RETRIES": "3"}).max_retries == 3


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [
        ("PORT", "0", "a whole number 1-65535"),
        ("PORT", "eighty", "a whole number 1-65535"),
        ("RAG_TOP_K", "6.5", "a whole number 1-50"),
        ("RAG_RELEVANCE_THRESHOLD", "nan", "a number 0-1"),
        ("RAG_COST_BUDGET", "-1", "a number 0-1000"),
        ("DJANGO_DEBUG", "perhaps", "true or false"),
        ("STREAM_POLICY", "later", "one of draft, verified"),
        ("RETRIEVAL_MODE", "both", "one of hybrid, vector, lexical"),
        ("OPENAI_BASE_URL", "localhost:9000", "begins with http:// or https://"),
        ("LLM_PRICES", "cheap", "JSON of the form"),
        ("LLM_PRICES", '{"m": {"input": -1}}', "JSON of the form"),
        ("LLM_PRICES", '{"m": {"per_word": 1}}', "JSON of the form"),
    ],
)
def test_a_refusal_names_the_variable_what_was_given_and_what_is_allowed(
    name: str, given: str, allowed: str
) -> None:
    line = refusal({name: given})
    assert line.startswith(f"{name} is {given!r}")
    assert allowed in line


def test_every_problem_is_told_at_once() -> None:
    bad = {"PORT": "x", "RAG_TOP_K": "0", "LLM_TIMEOUT_MS": "soon"}
    assert len(refusal(bad).splitlines()) == 3
    assert {problem.name for problem in env.problems(bad)} == set(bad)


def test_a_secret_is_neither_told_in_a_refusal_nor_shown() -> None:
    assert "hunter2" not in refusal({"DATABASE_URL": "mysql://app:hunter2@db/app"})
    settings = env.read({"OPENAI_API_KEY": "hunter2", "DATABASE_URL": "postgresql://a:hunter2@b/c"})
    assert "hunter2" not in repr(settings)


def test_an_empty_value_counts_as_unset() -> None:
    assert env.read({"RAG_TOP_K": "  ", "LLM_MODEL": ""}) == env.read({})


def test_prices_come_by_model_and_token_class() -> None:
    prices = env.read({"LLM_PRICES": '{"m": {"input": 0.5, "output": 2}}'}).llm_prices
    assert prices["m"]["output"] == 2.0


def test_days_of_retention_keep_their_default_where_they_are_not_given() -> None:
    days = env.read({"RETENTION_DAYS": '{"trace": 7, "records": 0}'}).retention_days
    assert (days["trace"], days["records"], days["content"]) == (7, 0, 730)
    assert list(days) == list(env.read({}).retention_days)


@pytest.mark.parametrize(
    "given",
    [
        "7",
        "[]",
        '{"traces": 7}',
        '{"trace": -1}',
        '{"trace": 1.5}',
        '{"trace": true}',
        "{",
        '{"trace": 99999}',
    ],
)
def test_days_of_retention_that_cannot_be_used_are_refused(given: str) -> None:
    assert "RETENTION_DAYS is" in refusal({"RETENTION_DAYS": given})


def test_rates_of_sampling_keep_their_default_where_they_are_not_given() -> None:
    rates = env.read({"SAMPLE_RATES": '{"direct": 1, "thumbs_down": 0.5}'}).sample_rates
    assert (rates["direct"], rates["thumbs_down"], rates["off_topic"]) == (1, 0.5, 0.25)
    assert list(rates) == list(env.read({}).sample_rates)


@pytest.mark.parametrize(
    "given",
    [
        *("0.5", "[]", '{"rest": 1}', '{"direct": -0.1}', '{"direct": 1.5}', '{"direct": true}'),
        *('{"direct": "1"}', '{"direct": NaN}', "{"),
    ],
)
def test_rates_of_sampling_that_cannot_be_used_are_refused(given: str) -> None:
    assert "SAMPLE_RATES is" in refusal({"SAMPLE_RATES": given})


@pytest.mark.parametrize("given", ["0", "1.1", "-1", "nan"])
def test_the_random_share_is_always_on(given: str) -> None:
    assert "SAMPLE_SHARE is" in refusal({"SAMPLE_SHARE": given})


@given(st.dictionaries(st.sampled_from([v.name for v in variables()]), line_text))
def test_any_environment_is_either_read_or_refused_with_known_names(
    environment: dict[str, str],
) -> None:
    problems = env.problems(environment)
    assert {problem.name for problem in problems} <= set(environment)
    if not problems:
        env.read(environment)


@given(st.integers())
def test_a_whole_number_is_taken_as_it_is_or_refused(number: int) -> None:
    if 1 <= number <= 50:
        assert env.read({"RAG_TOP_K": str(number)}).top_k == number
    else:
        assert env.problems({"RAG_TOP_K": str(number)})


@given(st.dictionaries(names, line_text.map(str.strip), max_size=5))
def test_a_file_of_quoted_lines_reads_back_as_it_was_written(pairs: dict[str, str]) -> None:
    lines = [f'export {name}="{value}"' for name, value in pairs.items()]
    assert env.pairs_in("\n\n# a comment = nothing\n".join(lines)) == pairs


def test_a_missing_file_gives_nothing(tmp_path: Path) -> None:
    assert env.from_file(tmp_path / ".env") == {}


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings"
    file.write_text("RAG_TOP_K=4\nRAG_MAX_RETRIES='1'\n")
    monkeypatch.setenv("ENV_FILE", str(file))
    monkeypatch.setenv("RAG_TOP_K", "5")
    settings = env.load()
    assert (settings.top_k, settings.max_retries) == (5, 1)


def test_each_name_belongs_to_one_variable() -> None:
    known = [name for variable in variables() for name in variable.names]
    assert len(known) == len(set(known))


EMBEDS = """
import django
django.setup()
from chat.adapters.embeddings import MiniLM
MiniLM().embed(("words",))
"""


def test_no_library_of_a_site_counts_for_its_maker(tmp_path: Path) -> None:
    """A home that nothing can be kept in: who wants to keep an id there complains."""
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    silenced = ("ORT_DISABLE_TELEMETRY", "LANGSMITH_TRACING")
    inherited = {name: value for name, value in os.environ.items() if name not in silenced}
    closed = {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "XDG_DATA_HOME": "/proc"}
    told = {"DJANGO_SETTINGS_MODULE": "config.settings", "ENV_FILE": "", "VAR_DIR": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", EMBEDS],
        cwd=BASE_DIR,
        env={**inherited, **closed, **told, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    assert os.environ["LANGSMITH_TRACING"] == "false"
