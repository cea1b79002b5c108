"""Every variable that the site understands, once, as one field of `Settings`.

A field gives the variable's names, type, default, unit and meaning; `env` reads by it, and the page
docs/settings.md is generated from it.
"""

from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from config import parsers
from config.parsers import Days, Parser, Prices, Shares

BASE_DIR = Path(__file__).resolve().parent.parent
MINUTE_MS = 60_000
CRISIS_CONTACTS = (
    "In an emergency call 112 (Europe), 911 (North America) or 999 (United Kingdom). Free and "
    "confidential helplines in your country: https://findahelpline.com"
)
NO_PRICES: Prices = MappingProxyType({})
RETENTION: Days = MappingProxyType(
    {"trace": 90, "content": 730, "sensitive": 90}
    | {"attachments": 365, "records": 2555, "reads": 2555}
)
SAMPLE_RATES: Shares = MappingProxyType(
    {"judged_bad": 1.0, "low_confidence": 1.0, "budget_ended": 1.0, "thumbs_down": 1.0}
    | dict.fromkeys(("off_topic", "restricted", "direct", "clarification", "no_results"), 0.25)
)


@dataclass(frozen=True, slots=True)
class Variable:
    """How one variable is read, and what the generated page says about it."""

    name: str
    aliases: tuple[str, ...]
    parser: Parser
    default: Any
    unit: str
    about: str
    secret: bool

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


def _variable(
    names: str, parser: Parser, default: Any, about: str, *, unit: str = "", secret: bool = False
) -> Any:
    """A field of `Settings`. `names`: the variable's name, then its other names."""
    name, *aliases = names.split()
    variable = Variable(name, tuple(aliases), parser, default, unit, about, secret)
    return field(default_factory=lambda: default, metadata={"variable": variable}, repr=not secret)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the site, checked. Times are milliseconds, costs are USD."""

    port: int = _variable("PORT", parsers.whole(1, 65535), 8000, "Port that the site listens on.")
    bind: str = _variable(
        *("BIND", parsers.text(), "127.0.0.1"),
        "Network address that the site listens on; `0.0.0.0` opens it to other machines.",
    )
    django_secret_key: str = _variable(
        *("DJANGO_SECRET_KEY", parsers.text(), ""),
        "Key that signs sessions. Unset: made once and kept in `var/secret_key`.",
        secret=True,
    )
    django_debug: bool = _variable(
        "DJANGO_DEBUG", parsers.flag(), False, "Shows tracebacks in pages. For development only."
    )
    allowed_hosts: tuple[str, ...] = _variable(
        *("ALLOWED_HOSTS", parsers.words(), ("localhost", "127.0.0.1", "[::1]")),
        "Host names that the site answers to.",
    )
    csrf_trusted_origins: tuple[str, ...] = _variable(
        *("CSRF_TRUSTED_ORIGINS", parsers.words(), ()),
        "Origins, each with its scheme, that may post forms when the site is behind a proxy.",
    )
    var_dir: str = _variable(
        *("VAR_DIR", parsers.text(), "var"),
        "Folder of the embedded database and the secret key. As root, a database whose folder the "
        "account `nobody` may not enter is kept under `/var/lib/plumbline`.",
    )
    database_url: str = _variable(
        *("DATABASE_URL", parsers.address("postgresql", "postgres"), ""),
        "PostgreSQL with pgvector. Unset: the embedded server under `VAR_DIR`.",
        secret=True,
    )
    database_owner_url: str = _variable(
        *("DATABASE_OWNER_URL", parsers.address("postgresql", "postgres"), ""),
        "The same database under the role that owns its tables, for migrations, `purge` and "
        "`erase`; the role of `DATABASE_URL` is then given what serving needs and no more. Unset: "
        "one role does everything, and triggers alone guard the records.",
        secret=True,
    )
    retention_days: Days = _variable(
        *("RETENTION_DAYS", parsers.days(RETENTION), RETENTION),
        "How long `purge` lets things be, as JSON; a name that is left out keeps its default, 0 "
        "keeps for ever. `trace`: what staff alone see of a turn. `content`: what was said, with "
        "the staff's notes on it. `sensitive`: the same of turns that tell of somebody's health. "
        "`attachments`, `records` (whole beginnings of chains), `reads` (who read a record).",
        unit="days",
    )
    redis_url: str = _variable(
        *("REDIS_URL", parsers.address("redis", "rediss", "unix"), ""),
        "Carries wake-ups between processes. Unset: in memory, for one process.",
        secret=True,
    )
    trusted_proxies: int = _variable(
        *("TRUSTED_PROXIES", parsers.whole(0, 10), 0),
        "Proxies in front of the site that each add to `X-Forwarded-For`. 0: the header is ignored "
        "and a person's address is that of the connection.",
        unit="proxies",
    )
    limit_asks_person: str = _variable(
        *("LIMIT_ASKS_PERSON", parsers.rates(), "20/minute;400/day"),
        "Questions, edits, new answers and replies that one person may send; 0: no limit.",
    )
    limit_asks_address: str = _variable(
        *("LIMIT_ASKS_ADDRESS", parsers.rates(), "120/minute;4000/day"),
        "The same for all people of one address, or of one /64 network of IPv6; 0: no limit.",
    )
    limit_sockets_person: int = _variable(
        *("LIMIT_SOCKETS_PERSON", parsers.whole(0, 10_000), 8),
        "Pages of the chat that one person may have open; 0: no limit.",
        unit="sockets",
    )
    limit_sockets_address: int = _variable(
        *("LIMIT_SOCKETS_ADDRESS", parsers.whole(0, 100_000), 100),
        "Pages of the chat that all people of one address may have open; 0: no limit.",
        unit="sockets",
    )
    daily_tokens_person: int = _variable(
        *("DAILY_TOKENS_PERSON", parsers.whole(0, 10**12), 1_000_000),
        "Tokens that one person's turns may use within 24 hours; 0: no limit.",
        unit="tokens",
    )
    daily_cost_person: float = _variable(
        *("DAILY_COST_PERSON", parsers.number(0, 1_000_000), 5.0),
        "Cost that one person's turns may reach within 24 hours; 0: no limit.",
        unit="USD",
    )
    label_reviews: int = _variable(
        *("LABEL_REVIEWS", parsers.whole(1, 9), 1),
        "People who label one turn of the queue.",
        unit="people",
    )
    label_double_share: float = _variable(
        *("LABEL_DOUBLE_SHARE", parsers.number(0, 1), 0.1),
        "Share of the queue's turns that at least two people label, so that it can be told how "
        "far people agree.",
    )
    eval_data: str = _variable(
        "EVAL_DATA", parsers.text(), "", "Folder of the data sets that `evaluate` reads."
    )
    crisis_contacts: str = _variable(
        *("CRISIS_CONTACTS", parsers.text(), CRISIS_CONTACTS),
        "Who to turn to, as told to somebody in danger. Name the numbers of the people you serve.",
    )
    guardrails_file: str = _variable(
        *("GUARDRAILS_FILE", parsers.text(), ""),
        "TOML file with the questions that are not answered, the words that are softened and the "
        "claims that are never flagged. A relative path begins at the checkout. Unset: the "
        "sample's, `chat/sample/guardrails.toml`.",
    )

    openai_api_key: str = _variable(
        "OPENAI_API_KEY", parsers.text(), "", "Key for the model endpoint.", secret=True
    )
    openai_base_url: str = _variable(
        *("OPENAI_BASE_URL", parsers.address("http", "https"), ""),
        "Address of an OpenAI-compatible endpoint. Unset: the one of the client library.",
    )
    llm_model: str = _variable(
        "LLM_MODEL", parsers.text(), "", "Model that writes answers. Unset: the offline model."
    )
    llm_router_model: str = _variable(
        "LLM_ROUTER_MODEL", parsers.text(), "", "Model that routes. Unset: `LLM_MODEL`."
    )
    llm_grader_model: str = _variable(
        "LLM_GRADER_MODEL", parsers.text(), "", "Model that grades passages. Unset: `LLM_MODEL`."
    )
    llm_judge_model: str = _variable(
        "LLM_JUDGE_MODEL", parsers.text(), "", "Model that checks answers. Unset: `LLM_MODEL`."
    )
    embedding_model: str = _variable(
        "EMBEDDING_MODEL", parsers.text(), "", "Embedding model. Unset: the offline embedder."
    )
    llm_timeout_ms: int = _variable(
        *("LLM_TIMEOUT_MS", parsers.whole(1, 10 * MINUTE_MS), 10_000),
        "Wait for a reply; for a stream, to the first token and between tokens.",
        unit="ms",
    )
    llm_prices: Prices = _variable(
        *("LLM_PRICES", parsers.prices(), NO_PRICES),
        "Prices by model, as JSON with `input`, `cached_input` and `output`. Unset: cost is 0.",
        unit="USD per million tokens",
    )

    enable_agentic_rag: bool = _variable(
        *("ENABLE_AGENTIC_RAG RAG_ENABLE_AGENTIC_RAG", parsers.flag(), True),
        "False: plain retrieve-and-generate, without grading, rewriting and checks.",
    )
    relevance_threshold: float = _variable(
        *("RAG_RELEVANCE_THRESHOLD RELEVANCE_THRESHOLD", parsers.number(0, 1), 0.15),
        "Least cosine similarity of a vector hit that is kept.",
        unit="cosine",
    )
    top_k: int = _variable(
        "RAG_TOP_K TOP_K", parsers.whole(1, 50), 6, "Hits that are graded.", unit="passages"
    )
    min_docs: int = _variable(
        *("RAG_MIN_DOCS MIN_DOCS MIN_DOCUMENTS_FOR_GENERATION", parsers.whole(0, 50), 1),
        "Accepted passages that an answer needs; 0 turns rewriting off.",
        unit="passages",
    )
    max_retries: int = _variable(
        *("RAG_MAX_RETRIES MAX_RETRIES", parsers.whole(0, 10), 2),
        "Rewrites of the search query that one question may use.",
        unit="rewrites",
    )
    skip_hallucination_check: bool = _variable(
        *("RAG_SKIP_HALLUCINATION_CHECK SKIP_HALLUCINATION_CHECK", parsers.flag(), False),
        "True: answers are not checked against their passages, and say so.",
    )
    max_loop_iterations: int = _variable(
        *("RAG_MAX_LOOP_ITERATIONS MAX_LOOP_ITERATIONS", parsers.whole(0, 10), 1),
        "New attempts at an answer that its passages do not support.",
        unit="attempts",
    )
    chunk_expansion_enabled: bool = _variable(
        *("CHUNK_EXPANSION_ENABLED RAG_CHUNK_EXPANSION_ENABLED", parsers.flag(), True),
        "An accepted passage brings its neighbours from the same document.",
    )
    retrieval_mode: str = _variable(
        *("RETRIEVAL_MODE", parsers.choice("hybrid", "vector", "lexical"), "hybrid"),
        "How passages are found.",
    )
    stream_policy: str = _variable(
        *("STREAM_POLICY", parsers.choice("draft", "verified"), "draft"),
        "Whether a draft is shown while it is written, or held back until it is checked.",
    )
    router_timeout_ms: int = _variable(
        *("ROUTER_TIMEOUT_MS", parsers.whole(1, MINUTE_MS), 1_000),
        "Wait for the router; a question that it does not place in time is searched once.",
        unit="ms",
    )
    token_budget: int = _variable(
        *("RAG_TOKEN_BUDGET", parsers.whole(1, 10_000_000), 60_000),
        "Tokens that one turn may use.",
        unit="tokens",
    )
    cost_budget: float = _variable(
        *("RAG_COST_BUDGET", parsers.number(0, 1000), 0.25),
        "Cost that one turn may reach.",
        unit="USD",
    )
    wall_clock_ms: int = _variable(
        *("RAG_WALL_CLOCK_MS", parsers.whole(1, 60 * MINUTE_MS), MINUTE_MS),
        "Time that one turn may take.",
        unit="ms",
    )
    max_passes: int = _variable(
        "RAG_MAX_PASSES", parsers.whole(1, 50), 6, "Retrievals that one turn may make.",
        unit="passes",
    )  # fmt: skip
    sample_share: float = _variable(
        "SAMPLE_SHARE", parsers.number(0.0001, 1), 0.05, "Share of all turns to be labelled."
    )
    sample_rates: Shares = _variable(
        *("SAMPLE_RATES", parsers.shares(SAMPLE_RATES), SAMPLE_RATES),
        "What is drawn on top, by stratum, as JSON; docs/labelling.md says which is which.",
    )
    shadow_share: float = _variable(
        "SHADOW_SHARE", parsers.number(0, 1), 1.0, "Share of drawn off-topic turns searched again."
    )
    shadow_daily_cost: float = _variable(
        *("SHADOW_DAILY_COST", parsers.number(0, 1_000_000), 1.0),
        "Cost from which on no such search is begun, within 24 hours; 0: none is made.",
        unit="USD",
    )

    @property
    def var(self) -> Path:
        """`var_dir` as a path; a relative one begins at the checkout."""
        return BASE_DIR / self.var_dir

    @property
    def rules_file(self) -> Path | None:
        """`guardrails_file` as a path; None where it is unset."""
        return BASE_DIR / self.guardrails_file if self.guardrails_file else None


def variables() -> list[Variable]:
    """Every variable, in the order of the generated page."""
    return [each.metadata["variable"] for each in fields(Settings)]
