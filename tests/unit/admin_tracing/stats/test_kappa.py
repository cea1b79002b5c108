"""Agreement beyond chance against published numbers, and where it says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.stats import cohen, cohen_grouped, fleiss
from admin_tracing.stats.kappa import ONE_CLASS, Kappa

Rows = tuple[tuple[float, ...], ...]

# Cohen, Educational and Psychological Measurement 20 (1960), 37 to 46: 200 cases, kappa 0.492.
COHEN: Rows = ((88, 14, 18), (10, 40, 10), (2, 6, 12))

# Fleiss, Cohen and Everitt, Psychological Bulletin 72 (1969), 323 to 327: 200 cases, kappa 0.429.
FLEISS_COHEN_EVERITT: Rows = ((106, 10, 4), (22, 28, 10), (2, 12, 6))

# By hand, with an answer that one of the two never gives: seen 13/19, chance 140/361.
UNUSED: Rows = ((0, 4, 1), (0, 8, 0), (0, 1, 5))

# Fleiss, Psychological Bulletin 76 (1971), 378 to 382: 30 patients, 6 diagnoses each, kappa 0.430.
DIAGNOSES = (
    *("444444", "222555", "233335", "555555", "222444", "113333", "333355", "113334"),
    *("114444", "555555", "144444", "124444", "222333", "144444", "224445", "333335"),
    *("111455", "111112", "224444", "133555", "555555", "244444", "224555", "114444"),
    *("144445", "222224", "111155", "224444", "133333", "555555"),
)


def table(rows: Rows) -> dict[tuple[Hashable, Hashable], float]:
    return {(i, j): cell for i, row in enumerate(rows) for j, cell in enumerate(row)}


tables = st.lists(st.integers(0, 40), min_size=9, max_size=9).map(
    lambda cells: table(tuple(tuple(cells[n : n + 3]) for n in (0, 3, 6)))
)
cases = st.lists(
    st.lists(st.sampled_from("abc"), min_size=2, max_size=5).map(Counter), min_size=1, max_size=20
)


@pytest.mark.parametrize(("rows", "value"), [(COHEN, 0.492), (FLEISS_COHEN_EVERITT, 0.429)])
def test_published_kappas_come_out(rows: Rows, value: float) -> None:
    found = cohen(table(rows))
    assert found.value == pytest.approx(value, abs=0.0005)
    assert found.n == 200


def test_an_error_and_an_interval_by_hand() -> None:
    """(13/19 - 140/361) / (221/361) = 107/221; the error by Fleiss, Cohen and Everitt's formula."""
    found = cohen(table(UNUSED))
    told = (found.value, found.error, found.low, found.high)
    assert told == pytest.approx((0.4842, 0.1380, 0.2137, 0.7547), abs=0.00006)


def test_the_published_kappa_of_six_people_comes_out() -> None:
    cases: list[Counter[Hashable]] = [Counter(words) for words in DIAGNOSES]
    found = fleiss(cases)
    assert found.value == pytest.approx(0.4302445, abs=5e-8)
    assert found.n == 30
    assert found.low < 0.4302445 < found.high


def test_two_people_by_hand() -> None:
    """Agree on 8 of 10, each says yes 5 times: chance 0.5, (0.8 - 0.5) / 0.5 = 0.6."""
    found = cohen({("y", "y"): 4, ("y", "n"): 1, ("n", "y"): 1, ("n", "n"): 4})
    assert found.value == pytest.approx(0.6)
    assert found.said() == "0.60"


def test_who_says_the_same_of_everything_says_nothing() -> None:
    assert cohen({("y", "y"): 40}).value is None
    assert cohen({("y", "y"): 40}).said() == ONE_CLASS
    assert fleiss([Counter("yy")] * 40).said() == ONE_CLASS


def test_full_agreement_on_two_classes_is_one_and_not_surer_than_its_cases() -> None:
    found = cohen({("y", "y"): 6, ("n", "n"): 6})
    assert found.value == 1.0
    assert found.high == 1.0
    assert 0.4 < found.low < 0.6  # as far as Wilson's interval of 12 of 12 goes


def test_too_few_say_so() -> None:
    assert cohen({("y", "y"): 4, ("n", "n"): 3}).said() == "n = 7, too few to say"
    assert not cohen({("y", "y"): 4, ("n", "n"): 3}).has_number
    assert fleiss([]).said() == "n = 0, too few to say"


def test_weights_are_not_taken_for_cases() -> None:
    found = cohen({("y", "y"): 400, ("n", "n"): 300}, n=7, n_effective=5.0)
    assert (found.n, found.n_effective) == (7, 5.0)


def test_cases_of_like_weight_and_no_group_are_as_sure_as_their_table() -> None:
    for rows in (COHEN, FLEISS_COHEN_EVERITT, UNUSED):
        cells = [cell for cell, n in table(rows).items() for _ in range(int(n))]
        found = cohen_grouped((a, b, 3.0, place) for place, (a, b) in enumerate(cells))
        plain = cohen(table(rows))
        told = (found.value, found.error, found.low, found.n, found.n_effective)
        assert told == pytest.approx(
            (plain.value, plain.error, plain.low, plain.n, plain.n_effective)
        )


def test_ten_claims_that_all_say_the_same_of_a_turn_are_one_case() -> None:
    """Twelve turns, then each of them ten times over: ten times as many cases, and no surer."""
    turns = [("y", "y")] * 5 + [("y", "n")] + [("n", "y")] + [("n", "n")] * 5
    once = cohen_grouped((a, b, 1.0, turn) for turn, (a, b) in enumerate(turns))
    often = cohen_grouped((a, b, 1.0, turn) for turn, (a, b) in enumerate(turns) for _ in range(10))
    assert often.n == 120
    assert often.n_effective == pytest.approx(once.n_effective) == pytest.approx(12)
    assert (often.value, often.error) == pytest.approx((once.value, once.error))


def test_claims_of_one_turn_that_all_agree_are_no_ten_cases() -> None:
    found = cohen_grouped((a, a, 1.0, "turn") for a in "yyyyynnnnn")
    assert found.n_effective == 1.0
    assert found.said() == "n = 10 with the weight of 1.0, too few to say"


def test_a_heavy_case_is_one_case() -> None:
    cells = [("y", "y", 50.0), *[("y", "y", 1.0)] * 10, *[("n", "n", 1.0)] * 10, ("y", "n", 1.0)]
    found = cohen_grouped((a, b, weight, place) for place, (a, b, weight) in enumerate(cells))
    assert found.n == 22
    assert found.n_effective < 3


def test_of_no_case_there_is_no_kappa() -> None:
    assert cohen_grouped([]).said() == "n = 0, too few to say"


def test_a_case_with_one_person_is_left_out() -> None:
    pair: list[Counter[Hashable]] = [Counter("ab"), Counter("aa"), Counter("bb")]
    assert fleiss([*pair, Counter("a")]) == fleiss(pair)


def test_neighbours_of_an_order_count_as_half_an_agreement_by_hand() -> None:
    """Agreed: 1, 1/2, 1 and 0, in the mean 5/8. Said: yes 4, partly 1, no 3 of eight; by chance
    (16 + 1 + 9 + 2 * (4/2 + 3/2)) / 64 = 33/64. Kappa (40 - 33) / (64 - 33) = 7/31; without the
    order (1/2 - 26/64) / (38/64) = 3/19.
    """
    given = [Counter(["yes", "yes"]), Counter(["yes", "partly"]), Counter(["no", "no"])]
    told: list[Counter[Hashable]] = [*map(Counter[Hashable], given), Counter(["yes", "no"])]
    assert fleiss(told, ("yes", "partly", "no")).value == pytest.approx(7 / 31)
    assert fleiss(told, ("no", "partly", "yes")).value == pytest.approx(7 / 31)
    assert fleiss(told).value == pytest.approx(3 / 19)


@given(cases)
def test_of_two_answers_an_order_makes_no_difference(given: list[Counter[Hashable]]) -> None:
    two: list[Counter[Hashable]] = [
        Counter({"a": case["a"] + case["c"], "b": case["b"]}) for case in given
    ]
    plain, ordered = fleiss(two), fleiss(two, ("a", "b"))
    assert ordered.value == (None if plain.value is None else pytest.approx(plain.value))
    assert within(fleiss(given, ("a", "b", "c")))


def test_a_cell_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        cohen({("a", "a"): -1})


def within(found: Kappa) -> bool:
    if found.value is None:
        return found.why != ""
    return -1 <= found.low <= found.value + 1e-9 and found.value <= found.high + 1e-9 <= 1 + 1e-6


@given(tables)
def test_kappa_is_at_most_one_and_within_its_interval(
    given: dict[tuple[Hashable, Hashable], float],
) -> None:
    assert within(cohen(given))


@given(tables)
def test_who_is_first_is_nothing(given: dict[tuple[Hashable, Hashable], float]) -> None:
    one, other = cohen(given), cohen({(b, a): n for (a, b), n in given.items()})
    assert one.value == (None if other.value is None else pytest.approx(other.value))
    assert one.error == pytest.approx(other.error, abs=1e-6)


@given(cases)
def test_kappa_of_many_is_within_its_interval(given: list[Counter[Hashable]]) -> None:
    assert within(fleiss(given))


@given(tables, st.integers(2, 9))
def test_more_of_the_same_is_the_same_and_surer(
    given: dict[tuple[Hashable, Hashable], float], times: int
) -> None:
    one, more = cohen(given), cohen({cell: n * times for cell, n in given.items()})
    assert more.value == (None if one.value is None else pytest.approx(one.value))
    assert more.error <= one.error + 1e-9
