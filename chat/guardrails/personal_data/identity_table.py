"""Numbers that a state or a bank gives a person, by region, as a table.

A row is found in two ways: after or before one of its words (then any way of writing it goes,
whatever its check digits say), or `bare`, where its shape is seen nowhere else or its check
digits prove it. A new region is a new row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from stdnum.be import nn
from stdnum.br import cpf
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.nz import ird
from stdnum.se import personnummer

Kind = Literal["account", "national_id"]


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of number. `words` stand beside it; `compact` is its upper-case letters and
    digits without separators; `bare` is how it is written when it needs no word, and `proves`
    what a bare find must pass, as it is written."""

    region: str
    name: str
    words: tuple[str, ...]
    compact: str
    bare: str = ""
    proves: Callable[[str], bool] | None = None
    kind: Kind = "national_id"


def _medicare(written: str) -> bool:
    """The ninth digit of an Australian Medicare card checks the first eight."""
    digits = [int(char) for char in written if char.isdigit()]
    weights = (1, 3, 7, 9, 1, 3, 7, 9)
    return sum(w * d for w, d in zip(weights, digits, strict=False)) % 10 == digits[8]


def _ird(written: str) -> bool:
    """A leading 0 is a telephone's."""
    return not written.startswith("0") and bool(ird.is_valid(written))


_DAY = re.compile(r"(?:0[1-9]|[12]\d|3[01])-(?:0[1-9]|1[0-2])-")


def _no_date(written: str) -> bool:
    """A sort code that could be a day is one only when a word says so."""
    return _DAY.match(written) is None


# Each bare shape begins with a digit or with at most six letters and two digits.
REGIONS: tuple[Row, ...] = (
    Row("US", "SSN", ("ssn", "social security", "social", "itin"), r"\d{9}", r"\d{3}-\d\d-\d{4}"),
    Row("US", "Medicare", ("medicare", "mbi"), r"\d[A-Z][A-Z0-9]\d[A-Z][A-Z0-9]\d[A-Z]{2}\d\d"),
    Row(
        "UK",
        "National Insurance",
        ("national insurance", "nino", "ni", "n i"),
        r"[A-Z]{2}\d{6}[A-Z]?",
        r"(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]|QQ)[ -]?\d\d[ -]?\d\d[ -]?\d\d[ -]?[A-D]",
    ),
    Row("UK", "NHS", ("nhs",), r"\d{10}"),
    Row("NZ", "IRD", ("ird", "inland revenue"), r"\d{8,9}", r"\d{2,3}-\d{3}-\d{3}", _ird),
    Row("NZ", "NHI", ("nhi",), r"[A-Z]{3}\d\d[A-Z0-9]{2}"),
    Row("AU", "TFN", ("tfn", "tax file"), r"\d{8,9}"),
    Row(
        "AU",
        "Medicare",
        ("medicare", "medicare card"),
        r"\d{10,11}",
        r"[2-6]\d{3} \d{5} \d(?:[ /-]\d)?",
        _medicare,
    ),
    Row(
        "DE",
        "Steuer-ID",
        ("steuer id", "steueridentifikationsnummer", "steuernummer", "idnr", "steuer idnr"),
        r"\d{10,13}",
        r"\d\d \d{3} \d{3} \d{3}",
        idnr.is_valid,
    ),
    Row(
        "DE",
        "Personalausweis",
        ("personalausweis", "personalausweisnummer", "ausweis", "ausweisnummer"),
        r"[A-Z0-9]{9,10}",
    ),
    Row(
        "FR",
        "NIR",
        ("nir", "sécurité sociale", "securite sociale", "sécu", "insee"),
        r"[1-478]\d{4}[0-9AB]\d{7,9}",
        r"[12](?P<nir>[ ]?)\d\d(?P=nir)\d\d(?P=nir)\d[0-9AB](?P=nir)\d{3}(?P=nir)\d{3} ?\d\d",
        nir.is_valid,
    ),
    Row("ES", "DNI", ("dni", "nif"), r"\d{7,8}[A-Z]?", r"\d{8}-?[A-Z]", dni.is_valid),
    Row("ES", "NIE", ("nie", "nif"), r"[XYZ]\d{7}[A-Z]?", r"[XYZ]-?\d{7}-?[A-Z]", nie.is_valid),
    Row(
        "IT",
        "codice fiscale",
        ("codice fiscale", "fiscale"),
        r"[A-Z]{6}[A-Z0-9]{10}",
        r"[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]",
    ),
    Row("NL", "BSN", ("bsn", "burgerservicenummer", "sofinummer"), r"\d{8,9}"),
    Row(
        "IN",
        "Aadhaar",
        ("aadhaar", "aadhar", "adhaar", "adhar", "uidai"),
        r"\d{12}",
        r"[2-9]\d{3}(?P<uid>[ -])\d{4}(?P=uid)\d{4}",
        aadhaar.is_valid,
    ),
    Row("IN", "PAN", ("pan",), r"[A-Z]{5}\d{4}[A-Z]", r"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]"),
    Row("BE", "national number", ("rijksregister", "rijksregisternummer"), r"\d{11}",
        r"\d\d\.\d\d\.\d\d-\d{3}[.-]\d\d", nn.is_valid),
    Row("BR", "CPF", ("cpf",), r"\d{11}", r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf.is_valid),
    Row("CA", "SIN", ("sin", "social insurance"), r"\d{9}"),
    Row("CH", "AHV", ("ahv", "avs"), r"756\d{10}", r"756\.\d{4}\.\d{4}\.\d\d"),
    Row("DK", "CPR", ("cpr",), r"\d{10}"),
    Row("FI", "hetu", ("hetu", "henkilötunnus"), r"\d{6}[A-Y]?\d{3}[0-9A-Y]",
        r"\d{6}[-+A]\d{3}[0-9A-Y]", hetu.is_valid),
    Row("IE", "PPS", ("pps", "ppsn"), r"\d{7}[A-Z]{1,2}"),
    Row("KR", "RRN", ("rrn",), r"\d{13}", r"\d\d[01]\d[0-3]\d-[1-4]\d{6}"),
    Row("MX", "CURP", ("curp",), r"[A-Z]{4}\d{6}[A-Z0-9]{8}",
        r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d"),
    Row("NO", "fødselsnummer", ("fødselsnummer", "fodselsnummer"), r"\d{11}"),
    Row("PL", "PESEL", ("pesel",), r"\d{11}"),
    Row("SE", "personnummer", ("personnummer",), r"\d{10}|\d{12}",
        r"\d{6}(?:\d\d)?[-+]\d{4}", personnummer.is_valid),
    Row("SG", "NRIC", ("nric", "fin"), r"[STFGM]\d{7}[A-Z]"),
    Row("any", "passport",
        ("passport", "passports", "passeport", "reisepass", "reisepassnummer", "pasaporte",
         "passaporto", "paspoort"),
        r"(?=(?:[A-Z]*\d){4})[A-Z0-9]{6,10}"),
    Row("any", "driving licence",
        ("driver s license", "drivers license", "driver license", "driver s licence",
         "drivers licence", "driver licence", "driving licence", "driving license", "führerschein",
         "führerscheinnummer"),
        r"(?=(?:[A-Z]*\d){4})[A-Z0-9]{6,18}"),
    Row("any", "national id",
        ("national id", "national identity", "national identification", "identity card", "id card",
         "citizen id", "tax id", "tax identification", "taxpayer identification", "tin",
         "personal identity", "personal identification", "identity document"),
        r"(?=(?:[A-Z]*\d){6})[A-Z0-9]{7,14}"),
)  # fmt: skip

ACCOUNTS: tuple[Row, ...] = (
    Row("NZ", "account", (), "", r"\d\d(?P<nz>[ -])\d{4}(?P=nz)\d{7}(?P=nz)\d{2,3}",
        kind="account"),
    Row("AU", "BSB and account", ("bsb",), r"\d{6}|\d{12,15}",
        r"\d{3}-\d{3}[ ,/]{1,3}\d{6,9}", kind="account"),
    Row("UK", "sort code and account", ("sort code", "sortcode", "sort"), r"\d{6}|\d{14}",
        r"\d\d-\d\d-\d\d[ ,/]{1,3}\d{8}", _no_date, kind="account"),
    Row("US", "routing number", ("routing", "aba", "rtn", "aba routing", "routing transit"),
        r"\d{9}", kind="account"),
    Row("any", "account", ("account", "acct", "acc", "a c", "bank account", "kontonummer", "konto",
        "cuenta", "compte", "conto", "rekening", "rekeningnummer", "clabe"),
        r"\d{6,18}", kind="account"),
)  # fmt: skip
