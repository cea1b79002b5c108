"""Takes out of a picture what is not seen in it: place, time, camera, names, comments, previews.

Pure, by the formats' own segments; not a pixel is decoded. Of a JPEG's Exif only the way up
stays, or portraits would lie on their side.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

PNG_SIGN = b"\x89PNG\r\n\x1a\n"
# What a decoder needs, colours, and animation. Texts, Exif and times are not among them.
PNG_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT pHYs bKGD hIST acTL fcTL fdAT".split()
)

SOI, EOI, SOS, COM = 0xD8, 0xD9, 0xDA, 0xFE
APPS = range(0xE0, 0xF0)
EXIF = 0xE1
APPS_KEPT = (0xE0, 0xE2, 0xEE)  # JFIF, the colour profile, Adobe's colour transform
PROFILE = b"ICC_PROFILE\0"  # in 0xE2 stand previews as well

_MARKER = re.compile(rb"\xff+([\x02-\xcf\xd8-\xfe])")  # not a stuffed 0xFF, not a restart
_EXIF_HEAD = b"Exif\0\0"
_ORIENTATION = 0x0112


def without_metadata(raw: bytes) -> bytes | None:
    """The PNG or JPEG with its picture alone; None if it is damaged."""
    parts = _png(raw) if raw.startswith(PNG_SIGN) else _jpeg(raw)
    try:
        return b"".join(parts)
    except (_Damaged, struct.error, IndexError):
        return None


class _Damaged(Exception):
    pass


def _png(raw: bytes) -> Iterator[bytes]:
    yield PNG_SIGN
    at, kind = len(PNG_SIGN), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", raw, at)
        end = at + 12 + length
        if end > len(raw):
            raise _Damaged
        if kind in PNG_KEPT:
            yield raw[at:end]
        at = end


def _jpeg(raw: bytes) -> Iterator[bytes]:
    yield raw[:2]
    at, scans = 2, 0
    while (marker := _MARKER.search(raw, at) if scans else _MARKER.match(raw, at)) is not None:
        yield raw[at : marker.start()]  # what a scan holds; nothing elsewhere
        kind, start = marker[1][0], marker.end()
        if kind == EOI:
            break
        at = start + struct.unpack_from(">H", raw, start)[0]
        if at > len(raw) or at < start + 2:
            raise _Damaged
        scans += kind == SOS
        yield from _segment(kind, raw[start + 2 : at])
    else:
        yield raw[at:] if scans else b""
    if not scans:
        raise _Damaged
    yield bytes((0xFF, EOI))


def _segment(kind: int, body: bytes) -> Iterator[bytes]:
    if kind == EXIF and (way_up := _way_up(body)) is not None:
        body = (
            _EXIF_HEAD
            + b"MM\0*\0\0\0\x08"
            + struct.pack(">HHHIHHI", 1, _ORIENTATION, 3, 1, way_up, 0, 0)
        )
    elif kind == COM or (kind in APPS and not _is_kept(kind, body)):
        return
    yield struct.pack(">BBH", 0xFF, kind, len(body) + 2) + body


def _is_kept(kind: int, body: bytes) -> bool:
    return kind in APPS_KEPT and (kind != 0xE2 or body.startswith(PROFILE))


def _way_up(body: bytes) -> int | None:
    """Exif's orientation, 2 to 8; None where there is none or the picture stands upright."""
    if not body.startswith(_EXIF_HEAD):
        return None
    tiff = body[len(_EXIF_HEAD) :]
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return None
    try:
        first = struct.unpack_from(f"{order}I", tiff, 4)[0]
        for entry in range(struct.unpack_from(f"{order}H", tiff, first)[0]):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, first + 2 + 12 * entry)
            if tag == _ORIENTATION:
                return value if 2 <= value <= 8 else None
    except struct.error:
        return None
    return None
