"""The page's reducer is the twin of the server's: same frames, same view, whatever comes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.contracts.events import BODIES, Body, DraftWithdrawn, Stage, Token, Tool
from tests.js import cases

HERE = Path(__file__).parent
NODE = shutil.which("node")

# CI may skip nothing that matters: without node the tests fail there.
IN_CI = os.environ.get("CI") == "true"
needs_node = pytest.mark.skipif(NODE is None and not IN_CI, reason="node is not installed")


def run_node(*files: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Node's own test runner on the given files. Before 22, modules have to be asked for."""
    assert NODE is not None
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True)
    major = int(version.stdout.lstrip("v").split(".")[0])
    modules = ["--experimental-default-type=module"] if major < 22 else []
    return subprocess.run(
        [NODE, *modules, "--test", *(str(HERE / file) for file in files)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
    )


def assert_passed(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_shared_cases_are_what_the_server_reduces_them_to() -> None:
    written = cases.FILE.read_text("utf-8")
    assert written == cases.named_cases(), "write them anew: python -m tests.js.cases"


def test_the_shared_cases_hold_every_event_that_a_person_sees() -> None:
    used = {body.TYPE for numbered in cases.NAMED.values() for _, body in numbered}
    assert {body.TYPE for body in BODIES if body.AUDIENCE == "user"} <= used


@needs_node
def test_the_scripts_of_the_page_pass_their_own_tests() -> None:
    assert_passed(run_node(*sorted(file.name for file in HERE.glob("*.test.js"))))


TEXTS = st.text(st.sampled_from("ab [1]\n👍é𝒳"), min_size=1, max_size=6)
NODES = st.sampled_from(["retrieve", "generate_response"])
STAGES = st.builds(
    Stage,
    node=NODES,
    phase=st.sampled_from(["enter", "leave", "paused"]),
    label=st.sampled_from(["Looking", "Writing"]),
    ms=st.none() | st.floats(0, 1e4, allow_nan=False),
)
TOKENS = st.builds(Token, offset=st.integers(0, 12), text=TEXTS)
TOOLS = st.builds(
    Tool,
    tool=st.sampled_from(["open_ticket", "search_directory"]),
    phase=st.sampled_from(["start", "done"]),
    summary=st.sampled_from(["", "Opening"]),
    ms=st.none() | st.floats(0, 1e4, allow_nan=False),
)
OTHERS = st.sampled_from(
    [
        cases.STARTED,
        cases.ANSWER,
        cases.FINISHED,
        cases.CLARIFICATION,
        cases.ACTION,
        DraftWithdrawn(why="Not supported."),
    ]
)
BODY: st.SearchStrategy[Body] = TOKENS | STAGES | TOOLS | OTHERS
SEQUENCES = st.lists(st.tuples(st.integers(1, 20), BODY), max_size=25)


@needs_node
@settings(max_examples=6, deadline=None)
@given(many=st.lists(SEQUENCES, min_size=1, max_size=30))
def test_any_frames_in_any_order_give_the_same_view(
    tmp_path_factory: pytest.TempPathFactory, many: Sequence[Sequence[cases.Numbered]]
) -> None:
    made = [cases.case(f"case {index}", numbered) for index, numbered in enumerate(many)]
    file = tmp_path_factory.mktemp("cases") / "cases.json"
    file.write_text(json.dumps(made), "utf-8")
    assert_passed(run_node("protocol.test.js", CASES=str(file)))
