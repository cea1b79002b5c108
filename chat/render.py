"""Markdown to HTML for answers: one fixed subset, the same in chat, transcript and replay.

Paragraphs, emphasis, lists, code, tables, small headings, quotes and links; no raw HTML, no
images, nothing that loads from elsewhere. Two layers, each safe alone: a parser that makes
nothing else, and a sanitiser that lets nothing else through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import urlsplit

import nh3
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

MAX_LENGTH = 60_000  # characters; a longer text is shown as it is, for Markdown may take long

_BLOCKS = ("blockquote", "fence", "heading", "hr", "lheading", "list", "table")
_INLINES = ("autolink", "backticks", "emphasis", "entity", "escape", "image", "link", "newline")
_HEADINGS = {"h1": "h3"}  # an answer stands inside a page that has its own; all others are h4
_SCHEMES = {"http", "https", "mailto"}
_LINK_ATTRS = {"rel": "noopener noreferrer nofollow", "target": "_blank"}

_MARKER = re.compile(r"\[([1-9][0-9]{0,2})\]")
_PREFIX = re.compile(r"[#/][\w/.:-]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

_TAGS = set(
    "a blockquote br code em h3 h4 li ol p pre strong table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {"a": {"href", "rel", "target", "data-marker", "aria-label"}, "ol": {"start"}}
_CLASSES = {"a": {"cite"}, "td": {"right", "center"}, "th": {"right", "center"}}


def render(text: str, cite_prefix: str = "", *, count: int | None = None) -> SafeString:
    """The text as safe HTML.

    With `cite_prefix`, a marker `[2]` outside code becomes a link to `<cite_prefix>2` (and a
    closing slash if the prefix has one); `count` is the number of citations, so that a marker
    beyond it stays text. The prefix is a path or fragment of this site, else `ValueError`.
    """
    if cite_prefix and not _PREFIX.fullmatch(cite_prefix):
        raise ValueError(f"not an address of this site: {cite_prefix!r}")
    text = _CONTROL.sub("", _SURROGATE.sub("\ufffd", text))
    if len(text) > MAX_LENGTH:
        return SafeString(f"<pre>{nh3.clean_text(text)}</pre>")
    last = (999 if count is None else count) if cite_prefix else 0
    html = _PARSER.render(text, {"cite_prefix": cite_prefix, "last_marker": last})
    return SafeString(_sanitised(html, cite_prefix))


def _sanitised(html: str, cite_prefix: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        attribute_filter=partial(_kept_attribute, cite_prefix),
        url_schemes=_SCHEMES,
        link_rel=None,
    )


def _kept_attribute(cite_prefix: str, tag: str, name: str, value: str) -> str | None:
    """The second look at every link: outwards by a known scheme, or to this answer's sources."""
    if tag != "a" or name != "href" or _is_outward(value):
        return value
    cited = bool(cite_prefix) and value.startswith(cite_prefix)
    return value if cited and re.fullmatch(r"\d{1,3}/?", value[len(cite_prefix) :]) else None


def _is_outward(href: str) -> bool:
    """Does it lead to the web or to a mail program, and name no user of its own?"""
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    if parts.scheme in {"http", "https"}:
        return bool(parts.hostname) and "@" not in parts.netloc
    return parts.scheme == "mailto" and not parts.netloc and bool(parts.path)


def _cite(state: StateInline, silent: bool) -> bool:
    """The parser's rule for citation markers. In a link's words, which are read silently
    first, they stay text."""
    found = _MARKER.match(state.src, state.pos, state.posMax)
    if found is None or silent or state.linkLevel:
        return False
    if not 1 <= int(found[1]) <= state.env["last_marker"]:
        return False
    state.push("cite", "a", 0).content = found[1]
    state.pos = found.end()
    return True


def _tidied(state: StateCore) -> None:
    """Small headings, alignment by class, and links that lead nowhere good taken off."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = _HEADINGS.get(token.tag, "h4")
        elif token.type in {"th_open", "td_open"}:
            _align(token)
        elif token.children:
            token.children = _linked(token.children)


def _align(cell: Token) -> None:
    side = str(cell.attrs.pop("style", "")).removeprefix("text-align:")
    if side in {"right", "center"}:
        cell.attrs["class"] = side


def _linked(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of one line of text; a link with another target leaves its words."""
    kept: list[Token] = []
    is_open = False
    for token in tokens:
        if token.type == "image":
            token.children = [_worded(child) for child in token.children or ()]
        if token.type == "link_open":
            is_open = _is_outward(str(token.attrs.get("href", "")))
            token.attrs = {"href": token.attrs.get("href", ""), **_LINK_ATTRS}
        if is_open or token.type not in {"link_open", "link_close"}:
            kept.append(token)
        if token.type == "link_close":
            is_open = False
    return kept


def _worded(token: Token) -> Token:
    """A marker in an image's alternative text is text."""
    if token.type == "cite":
        token.type, token.content = "text", f"[{token.content}]"
    return token


Rule = Callable[[RendererHTML, Sequence[Token], int, OptionsDict, EnvType], str]


def _cite_html(
    self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    number, prefix = tokens[idx].content, env["cite_prefix"]
    href = f"{prefix}{number}{'/' if prefix.endswith('/') else ''}"
    label = f'aria-label="Source {number}"'
    return f'<a class="cite" href="{href}" data-marker="{number}" {label}>{number}</a>'


def _image_html(
    self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    return str(nh3.clean_text(self.renderInlineAsText(tokens[idx].children, options, env)))


def _code_html(
    self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    return f"<pre><code>{nh3.clean_text(tokens[idx].content)}</code></pre>\n"


def _no_html(
    self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    return ""


_RENDERERS: dict[str, Rule] = {
    "cite": _cite_html,
    "fence": _code_html,
    "hr": _no_html,
    "image": _image_html,
}


def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"html": False, "maxNesting": 60}).enable([*_BLOCKS, *_INLINES])
    parser.inline.ruler.before("link", "cite", _cite)
    parser.core.ruler.push("tidied", _tidied)
    for name, rule in _RENDERERS.items():
        parser.add_render_rule(name, rule)
    # Every target is parsed, so that a bad link leaves its words and not its source text;
    # which targets become links is decided on the tokens.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


_PARSER = _parser()
