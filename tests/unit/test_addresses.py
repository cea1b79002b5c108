"""Whose address counts: what a proxy added is believed, what anybody can write is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.addresses import address_key, address_of


def scope(*forwarded: str, client: Any = ("192.0.2.1", 4000)) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", value.encode("latin-1")) for value in forwarded]
    return {"client": client, "headers": [(b"host", b"localhost"), *headers]}


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        (("198.51.100.7",), 0, "192.0.2.1"),
        (("198.51.100.7",), 1, "198.51.100.7"),
        (("203.0.113.9, 198.51.100.7",), 1, "198.51.100.7"),
        (("203.0.113.9, 198.51.100.7, 10.0.0.2",), 2, "198.51.100.7"),
        (("203.0.113.9", "198.51.100.7"), 1, "198.51.100.7"),
        (("198.51.100.7:5123",), 1, "198.51.100.7"),
        (("198.51.100.7",), 2, "192.0.2.1"),
        (("unknown",), 1, "192.0.2.1"),
        (("",), 1, "192.0.2.1"),
        ((), 1, "192.0.2.1"),
    ],
)
def test_the_entry_that_the_outermost_proxy_added_counts(
    forwarded: tuple[str, ...], proxies: int, address: str
) -> None:
    assert address_of(scope(*forwarded), proxies) == address


@pytest.mark.parametrize(
    ("given_", "address"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
    ],
)
def test_an_ipv6_address_counts_by_its_network(given_: str, address: str) -> None:
    assert address_of(scope(given_), 1) == address


@pytest.mark.parametrize("client", [None, ("", None), ("/run/site.sock", None)])
def test_a_connection_without_an_address_has_none(client: Any) -> None:
    assert address_of(scope(client=client), 0) == ""


def test_a_scope_without_a_client_has_no_address() -> None:
    assert address_of({"headers": []}, 3) == ""


@given(st.lists(st.text(max_size=40).map(lambda text: text.encode("utf-8").decode("latin-1"))))
def test_nothing_that_stands_left_of_the_proxy_changes_the_address(written: list[str]) -> None:
    assert address_of(scope(*written, "198.51.100.7"), 1) == "198.51.100.7"


@given(st.binary(max_size=200), st.integers(0, 3))
def test_no_header_breaks_it(header: bytes, proxies: int) -> None:
    given_ = {"client": ("192.0.2.1", 1), "headers": [(b"x-forwarded-for", header)]}
    assert address_of(given_, proxies)


def test_a_key_holds_no_address_and_is_always_the_same() -> None:
    key = address_key("198.51.100.7")
    assert key == address_key("198.51.100.7") != address_key("198.51.100.8")
    assert "198" not in key.partition(":")[0] and len(key) == len("address:") + 32
    assert address_key("") == ""


def test_a_key_cannot_be_found_by_trying_without_the_sites_own_key(settings: Any) -> None:
    before = address_key("198.51.100.7")
    settings.SECRET_KEY = "another site"
    assert address_key("198.51.100.7") != before
