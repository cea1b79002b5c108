"""Files as people attach them, made by hand: a PDF of given pages, small pictures, uploads."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import Any

PDF = "application/pdf"
LOCKED = "<< /Filter /Standard /V 1 /R 2 /O <{0}> /U <{0}> /P -4 >>".format("41" * 32)


def pdf(*pages: str, locked: bool = False) -> bytes:
    """A PDF with a line of text for each line of a page; letters of Latin-1 alone."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        drawn = _drawn(page)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    return _written(objects, locked)


def _drawn(page: str) -> bytes:
    def shown(line: str) -> str:
        for sign in "\\()":
            line = line.replace(sign, "\\" + sign)
        return f"({line}) Tj T*"

    lines = "\n".join(map(shown, page.split("\n")))
    return f"BT /F1 10 Tf 12 TL 40 750 Td\n{lines}\nET".encode("cp1252")


def _written(objects: Sequence[bytes], locked: bool) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    lock = f" /Encrypt {LOCKED} /ID [<41> <41>]" if locked else ""
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R{lock} >>".encode()
    count = len(objects) + 1
    xref = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return out + xref + b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, len(out))


def png(*extra: tuple[bytes, bytes]) -> bytes:
    """One grey pixel; `extra` are chunks of a kind and its data, before the picture's own."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)), *extra]
    chunks += [(b"IDAT", zlib.compress(b"\0\x7f")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def jpeg(*segments: tuple[int, bytes], scan: bytes = b"\x12\xff\x00\x34\xff\xd0\x56") -> bytes:
    """The segments of a JPEG, in their order, around a scan; no decoder would draw it."""
    head = b"\xff\xd8" + b"".join(jpeg_segment(kind, body) for kind, body in segments)
    return head + jpeg_segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + scan + b"\xff\xd9"


def jpeg_segment(kind: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(body) + 2) + body


def exif(way_up: int, note: bytes = b"", order: str = "<") -> bytes:
    """An Exif segment's body: which way is up, and a note of the camera."""
    entries = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, way_up, 0)
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8)
    count = struct.pack(f"{order}H", 1)
    return b"Exif\0\0" + head + count + entries + b"\0\0\0\0" + note


def upload(name: str, raw: bytes, media_type: str = "") -> dict[str, Any]:
    """A file as a frame carries it."""
    return {"name": name, "media_type": media_type, "data": base64.b64encode(raw).decode()}
