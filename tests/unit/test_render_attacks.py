"""Nothing that runs, loads or leads astray comes out of the renderer, whatever goes in."""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat import render as module
from chat.contracts.passages import Passage
from chat.guardrails.evidence import bind_citations
from chat.render import render

TAGS = set("a blockquote br code em h3 h4 li ol p pre strong table tbody td th thead tr ul".split())
ATTRIBUTES = {"href", "rel", "target", "class", "data-marker", "aria-label", "start"}
HREF = re.compile(r"https?://[^/?#@\s]|mailto:[^\s]|#s\d{1,3}\Z", re.IGNORECASE)


class Reader(HTMLParser):
    """Collects what a browser would see that this project does not allow."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.cites: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.faults.append(tag)
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.faults.append(name)
            if name == "href" and not HREF.match(value or ""):
                self.faults.append(f"href {value}")
            if name == "data-marker":
                self.cites.append(int(value or 0))

    def handle_comment(self, data: str) -> None:
        self.faults.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.faults.append("declaration")


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def parsed_alone(text: str) -> str:
    """The first layer without the second."""
    return str(module._PARSER.render(text, {"cite_prefix": "#s", "last_marker": 999}))


OWN = [
    "<script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "</p><iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>",
    "[x](javascript:alert`1`)",
    "[x](<java\nscript:alert(1)>)",
    "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    '[x](https://x.example"onmouseover="alert(1))',
    "[x](https://x.example 'a\" onclick=\"alert(1)')",
    '![" onerror="alert(1)](x)',
    '![x](https://x.example/"onerror="alert(1))',
    '<https://x.example"onmouseover=alert(1)>',
    '`<script>`\n\n```"><script>\n</code></pre><script>alert(1)</script>\n```',
    "| <script> |\n|---|\n| </td><img src=x onerror=y> |",
    "# <img src=x onerror=y>",
    "[a]: javascript:alert(1)\n\n[a]",
    "<!--><img src=x onerror=y>-->",
    "<![CDATA[<script>]]>",
    "<math><mtext></p><style><img src=x onerror=y></style>",
    "[1](javascript:alert(1)) [1]\n\n[1]: javascript:alert(1)",
    "\u2028<script>\u2029",
    "<a\x00 href='x'>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "[x](//evil.example) [y](\\\\evil.example) [z](/\\evil.example)",
]


@pytest.mark.parametrize("text", OWN)
def test_no_attack_of_our_own_gets_through_either_layer(text: str) -> None:
    assert read(render(text, "#s")).faults == []
    assert read(parsed_alone(text)).faults == []


@pytest.mark.parametrize("text", OWN)
def test_the_sanitiser_alone_lets_no_html_through(text: str) -> None:
    assert read(module._sanitised(text, "#s")).faults == []


FRAGMENTS = st.sampled_from(
    [
        "<",
        ">",
        "[",
        "](",
        ")",
        "`",
        "```\n",
        "*",
        "**",
        "_",
        "|",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "> ",
        "# ",
    ]
    + [
        "|---|\n",
        "javascript:",
        "https://x.example",
        "onerror=x",
        "<script>",
        "<img src=x ",
        '"',
        "'",
        "![",
    ]
    + [
        "[1]",
        "[2]",
        "&lt;",
        "&#x6a;",
        "\\",
        "<!--",
        "]]>",
        "data:",
        "word",
        " ",
        "\t",
        "</p>",
        "=",
        "mailto:a@b",
    ]
)
MARKDOWN = st.lists(st.one_of(FRAGMENTS, st.text(max_size=4)), max_size=30).map("".join)


@given(text=MARKDOWN)
@settings(max_examples=500)
def test_no_text_gets_more_out_of_the_renderer_than_the_subset(text: str) -> None:
    assert read(render(text, "#s")).faults == []
    assert read(parsed_alone(text)).faults == []


@given(draft=MARKDOWN, count=st.integers(0, 3))
@settings(max_examples=300)
def test_every_marker_that_is_shown_as_a_link_has_its_citation(draft: str, count: int) -> None:
    passages = [
        Passage(chunk=f"c{n}", document="d", version=1, title="t", text="x") for n in range(count)
    ]
    done = bind_citations(draft, passages)
    cites = read(render(done.text, "#s", count=len(done.citations))).cites
    assert set(cites) <= {c.marker for c in done.citations}


def attack_texts() -> list[str]:
    """The rows of the public attack sets, where EVAL_DATA names their folder."""
    folder = Path(os.environ["EVAL_DATA"]) / "markup_attacks"
    fields = ("payload", "text", "markdown")
    rows = [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line
    ]
    return [row[field] for row in rows for field in fields if field in row]


@pytest.mark.skipif("EVAL_DATA" not in os.environ, reason="EVAL_DATA names no folder")
def test_no_public_attack_gets_through_in_any_place_of_an_answer() -> None:
    texts = attack_texts()
    assert len(texts) > 700
    places: tuple[str, ...] = (
        "{}",
        "[x]({})",
        "![{}](https://x.example)",
        "[{}](https://x.example)",
        "`{}`",
        "# {}",
    )
    places += (
        "| {} |\n|---|\n| {} |",
        "```\n{}\n```",
        "<{}>",
        '[x](https://x.example "{}")',
        "- {}",
    )
    for text in texts:
        for place in places:
            attack = place.replace("{}", text)
            assert read(render(attack, "#s")).faults == [], attack
            assert read(parsed_alone(attack)).faults == [], attack
