"""A picture keeps what is seen in it, and nothing that its camera or its editor wrote down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.screening.pictures import without_metadata
from tests.documents import exif, jpeg, jpeg_segment, png

SECRET = b"48.8584 N 2.2945 E"
JFIF = (0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
TABLE = (0xDB, b"\0" + bytes(64))


def test_a_plain_picture_stays_as_it_is() -> None:
    assert without_metadata(png()) == png()
    assert without_metadata(jpeg(JFIF, TABLE)) == jpeg(JFIF, TABLE)


@pytest.mark.parametrize("kind", [b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"tIME", b"prIv"])
def test_what_a_png_says_beside_its_picture_goes(kind: bytes) -> None:
    assert without_metadata(png((kind, SECRET))) == png()


def test_the_colours_of_a_png_stay() -> None:
    coloured = png((b"gAMA", b"\0\0\xb1\x8f"), (b"pHYs", bytes(9)))
    assert without_metadata(coloured) == coloured


@pytest.mark.parametrize(
    "segment",
    [
        (0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET),
        (0xE1, exif(1, SECRET)),
        (0xE2, b"MPF\0" + SECRET),
        (0xED, b"Photoshop 3.0\0" + SECRET),
        (0xEF, SECRET),
        (0xFE, SECRET),
    ],
)
def test_what_a_jpeg_says_beside_its_picture_goes(segment: tuple[int, bytes]) -> None:
    assert without_metadata(jpeg(JFIF, segment, TABLE)) == jpeg(JFIF, TABLE)


@pytest.mark.parametrize("order", ["<", ">"])
def test_of_exif_the_way_up_alone_stays(order: str) -> None:
    clean = without_metadata(jpeg((0xE1, exif(6, SECRET, order)), TABLE))
    assert clean == jpeg((0xE1, exif(6, order=">")), TABLE)


def test_what_stands_behind_the_picture_goes() -> None:
    assert without_metadata(png() + SECRET) == png()
    assert without_metadata(jpeg(TABLE) + SECRET) == jpeg(TABLE)


def test_a_comment_between_two_scans_goes() -> None:
    second = jpeg_segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x99"
    scans = b"\x12\xff\x00" + jpeg_segment(0xFE, SECRET) + second
    assert without_metadata(jpeg(TABLE, scan=scans)) == jpeg(TABLE, scan=b"\x12\xff\x00" + second)


def test_a_jpeg_that_was_cut_off_in_its_scan_is_ended() -> None:
    assert without_metadata(jpeg(TABLE)[:-2]) == jpeg(TABLE)


@pytest.mark.parametrize("length", range(8, len(png()) - 1, 7))
def test_a_png_that_was_cut_off_is_damaged(length: int) -> None:
    assert without_metadata(png()[:length]) is None


@pytest.mark.parametrize("raw", [b"\xff\xd8", b"\xff\xd8\xff\xd9", b"\xff\xd8\xff\xdb\0", b""])
def test_a_jpeg_without_a_picture_is_damaged(raw: bytes) -> None:
    assert without_metadata(raw) is None


@given(st.binary(max_size=300), st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b""]))
def test_nothing_makes_it_fail_or_grow_much(rest: bytes, sign: bytes) -> None:
    clean = without_metadata(sign + rest)
    assert clean is None or len(clean) <= len(sign + rest) + 40


@given(st.binary(min_size=1, max_size=80))
def test_a_second_time_changes_nothing(scan: bytes) -> None:
    once = without_metadata(jpeg((0xE1, exif(8)), TABLE, scan=scan))
    assert once is None or without_metadata(once) == once
