"""Addresses of machines: four numbers are one unless a version is spoken of."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chat.guardrails.input import redact


@pytest.mark.parametrize(
    "written",
    [
        "203.0.113.7",
        "192.168.100.200",
        "10.0.0.1",
        "8.8.8.8",
        "２０３.０.１１３.７",
        "203.0.\u200b113.7",
        "203。0。113。7",
        "203[.]0[.]113[.]7",
        "203(.)0(.)113(.)7",
        "203 . 0 . 113 . 7",
        "2001:db8::1",
        "2001:0db8:0000:0000:0000:ff00:0042:8329",
        "2001:db8:85a3::8a2e:370:7334",
        "FE80::1%eth0",
        "fe80::1ff:fe23:4567:890a",
        "::ffff:203.0.113.7",
        "64:ff9b::203.0.113.7",
    ],
)
@pytest.mark.parametrize("text", ["{}", "from {}.", "ping {}: refused", "[{}] and <{}>", "ip={}"])
def test_an_address_goes_however_it_is_written(text: str, written: str) -> None:
    done = redact(text.format(written, written))
    assert done.text == text.format("[ip]", "[ip]")
    assert done.counts == {"ip": done.text.count("[ip]")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://203.0.113.7:8443/x?y=1", "https://[ip]:8443/x?y=1"),
        ("http://[2001:db8::1]:8080/", "http://[[ip]]:8080/"),
        ("ssh root@203.0.113.7", "ssh root@[ip]"),
        ("block 203.0.113.0/24", "block [ip]/24"),
        ("203.0.113.7,203.0.113.8", "[ip],[ip]"),
        ("203.0.113.7 - - [29/Nov/2026:10:00:00 +0000]", "[ip] - - [29/Nov/2026:10:00:00 +0000]"),
        ("server at 10.2.3.4", "server at [ip]"),
        ("ip-10.2.3.4", "ip-[ip]"),
        ("updated the host 10.2.3.4", "updated the host [ip]"),
    ],
)
def test_what_is_not_the_address_stays(text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "version 1.2.3.4",
        "version: 1.2.3.4",
        "Version is 1.2.3.4",
        "v1.2.3.4",
        "v 1.2.3.4",
        "V.1.2.3.4",
        "release 1.2.3.4",
        "firmware 1.2.3.4",
        "upgrade from 1.2.3.4 to 1.2.3.5",
        "versions 1.2.3.4, 1.2.3.5 and 1.2.3.6",
        "postgres 18.4.1.2",
        "Chrome/120.0.0.1",
        "chrome 120.0.0.1",
        "pip install plumb==1.2.3.4",
        "plumb>=1.2.3.4",
        "nginx-1.2.3.4.tar.gz",
        "plumb_1.2.3.4_amd64.deb",
        "section 4.3.2.1",
        "1.2.3.4.5",
        "1.2.3",
        "256.1.1.1",
        "1.2.3.4567",
        "127.0.0.1 and 0.0.0.0 and 255.255.255.0",
        "::1 and ::",
        "10:20:30",
        "2026-11-29T10:20:30",
        "00:1a:2b:3c:4d:5e",
        "std::vector and dead::beef",
        "a[1::2]",
        "Ruby::Feed::Face",
        "a:b:c:d:e:f:1:2",
        "ratio 3:2:1",
    ],
)
def test_versions_times_and_what_is_nobodys_stay(text: str) -> None:
    assert redact(text).text == text


@given(st.ip_addresses(v=4))
def test_every_address_of_four_numbers_goes(address: object) -> None:
    written = str(address)
    assume(not written.startswith(("127.", "255.", "0.0.0.0")))
    assert redact(f"from {written} on").text == "from [ip] on"


@given(st.ip_addresses(v=6, network="2000::/3"))
def test_every_address_that_is_routed_goes(address: object) -> None:
    assert redact(f"from {address} on").text == "from [ip] on"
