"""Answers are Markdown of a fixed subset, the same on every page."""

import pytest
from django.utils.safestring import SafeString

from chat.render import MAX_LENGTH, render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>"),
        ("**b** and *i*", "<p><strong>b</strong> and <em>i</em></p>"),
        ("a\nb  \nc", "<p>a\nb<br>\nc</p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("`a < b`", "<p><code>a &lt; b</code></p>"),
        ("```py\na < b\n```", "<pre><code>a &lt; b\n</code></pre>"),
        ("> q", "<blockquote>\n<p>q</p>\n</blockquote>"),
        ("# One\n## Two\n###### Six", "<h3>One</h3>\n<h4>Two</h4>\n<h4>Six</h4>"),
        ("One\n===", "<h3>One</h3>"),
        ("a\n\n---\n\nb", "<p>a</p>\n<p>b</p>"),
        ("    indented is text", "<p>indented is text</p>"),
        ("~~no~~ 1 < 2 &amp; &copy;", "<p>~~no~~ 1 &lt; 2 &amp; ©</p>"),
    ],
)
def test_the_subset(text: str, html: str) -> None:
    assert render(text).strip() == html


def test_a_table_aligns_by_class_and_not_by_style() -> None:
    html = render("| a | b | c |\n|:--|--:|:-:|\n| 1 | 2 | 3 |")
    assert "<td>1</td>" in html
    assert '<td class="right">2</td>' in html
    assert '<td class="center">3</td>' in html
    assert "style" not in html


@pytest.mark.parametrize(
    "target", ["https://x.example/a?b=1&c=2", "http://x.example", "mailto:help@x.example"]
)
def test_links_lead_outwards_without_telling_where_from(target: str) -> None:
    html = render(f'[words]({target} "title")')
    href = target.replace("&", "&amp;")
    rel = 'rel="noopener noreferrer nofollow" target="_blank"'
    assert html.strip() == f'<p><a href="{href}" {rel}>words</a></p>'


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "<javascript:alert(1)>",
        "javascript&#x3A;alert(1)",
    ]
    + [
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://x.example",
        "/relative",
        "#here",
    ]
    + [
        "//x.example/a",
        "http:x.example",
        "https://user@x.example",
        "https://[::1",
        "mailto:",
        "tel:1",
    ]
    + ["blob:https://x.example/1", "java%0ascript:alert(1)", "\x01javascript:alert(1)", "?q=1"],
)
def test_a_link_to_anything_else_leaves_its_words(target: str) -> None:
    html = render(f"See [the words]({target}) there.")
    assert html.strip() == "<p>See the words there.</p>"


def test_an_image_leaves_its_alternative_text() -> None:
    assert render("![A *red* fox](https://track.example/p.png)").strip() == "<p>A red fox</p>"
    assert render("![x](data:image/png;base64,AAAA) y").strip() == "<p>x y</p>"
    assert render('![<b onerror="x">](p.png)').strip() == '<p>&lt;b onerror="x"&gt;</p>'


def test_raw_html_is_shown_as_text() -> None:
    html = render("<b>x</b> <img src=x onerror=alert(1)>\n\n<script>\nalert(1)\n</script>")
    assert "<b>" not in html
    assert "<img" not in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_markers_become_links_to_the_sources() -> None:
    html = render("Five days [1][2].", "#s7-")
    assert html.strip() == (
        '<p>Five days <a class="cite" href="#s7-1" data-marker="1" aria-label="Source 1">1</a>'
        '<a class="cite" href="#s7-2" data-marker="2" aria-label="Source 2">2</a>.</p>'
    )


def test_a_prefix_that_ends_in_a_slash_gives_an_address_that_does() -> None:
    assert 'href="/chat/c/sources/t/12/"' in render("[12]", "/chat/c/sources/t/")


def test_markers_work_in_lists_tables_headings_and_emphasis() -> None:
    html = render("# H [1]\n\n- a [1]\n\n| t |\n|---|\n| **x [1]** |\n\n> q [1]", "#s")
    assert html.count('class="cite"') == 4


@pytest.mark.parametrize(
    "text", ["`[1]`", "```\n[1]\n```", "[x [1] y](https://x.example)", r"\[1]", "![a [1]](p.png)"]
)
def test_markers_in_code_links_and_behind_a_backslash_stay_text(text: str) -> None:
    html = render(text, "#s")
    assert "cite" not in html
    assert "[1]" in html


def test_a_marker_is_never_a_link_of_its_own() -> None:
    html = render("a [1](https://evil.example) b [x][1]\n\n[1]: https://evil.example", "#s")
    assert html.count('class="cite"') == 3
    assert 'href="https://evil' not in html


def test_markers_beyond_the_citations_stay_text() -> None:
    html = render("[1] [2] [3] [0] [01]", "#s", count=2)
    assert html.count('class="cite"') == 2
    assert "[3] [0] [01]" in html
    assert "cite" not in render("[1]", "#s", count=0)


def test_without_a_prefix_markers_stay_text() -> None:
    assert render("a [1]").strip() == "<p>a [1]</p>"


@pytest.mark.parametrize("prefix", ["https://x.example/", '#"', "javascript:", "#a b", "x"])
def test_a_prefix_has_to_be_an_address_of_this_site(prefix: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        render("[1]", prefix)


def test_the_result_is_safe_for_a_template() -> None:
    assert isinstance(render("x"), SafeString)
    assert isinstance(render("x" * (MAX_LENGTH + 1)), SafeString)


def test_a_very_long_text_is_shown_as_it_is() -> None:
    html = render("<b>*x* " + "y" * MAX_LENGTH)
    assert html.startswith("<pre>&lt;b&gt;")
    assert "<em>" not in html


@pytest.mark.parametrize("text", ["", " ", "\x00", "a\ud800b", "\x1b[31m", "\u202e", "\r\n\r\n"])
def test_odd_texts_are_rendered(text: str) -> None:
    assert "<script" not in render(text, "#s")
