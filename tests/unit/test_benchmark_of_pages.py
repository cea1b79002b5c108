"""The benchmark of the staff's pages: what its lines and its last sentence say."""

from __future__ import annotations

from benchmarks.spent import Spent
from benchmarks.workflow import HEADS, LIMIT, Seen, _line, _verdict


def seen(name: str, *took: float, work: float = 30.0) -> Seen:
    return Seen(name, tuple(Spent(ms, work, 10.0, 7) for ms in took), 2_400)


def test_a_line_tells_the_first_time_and_the_slowest_of_the_others():
    line = _line(seen("a page", 90.0, 20.4, 31.2, 25.0), plain=20.0)
    assert line == ["a page", "90", "31", "30", "10", "7", "2.0", "2"]
    assert len(line) == len(HEADS)


def test_work_is_that_of_the_middle_time():
    times = [Spent(50, cpu, 0.0, 3) for cpu in (900.0, 5.0, 80.0, 7.0)]
    assert Seen("a page", tuple(times), 0).middle.cpu == 7.0


def test_a_page_that_did_not_come_says_why():
    line = _line(Seen("a page", (), 0, "status 404"), plain=20.0)
    assert line[:2] == ["a page", "status 404"]
    assert len(line) == len(HEADS)


def test_a_database_elsewhere_has_no_work_of_its_own():
    page = Seen("a page", tuple(Spent(50, 30, None, 3) for _ in range(4)), 0)
    assert _line(page, plain=30.0)[3:7] == ["30", "", "3", "1.0"]


def test_the_last_sentence_names_what_took_too_long_at_any_time():
    quick, slow = seen("quick", 10, 10, 10, 10), seen("slow", 10, 10, LIMIT + 1, 10)
    gone = Seen("gone", (), 0, "status 500")
    assert _verdict([quick, slow, gone]) == "Over 1,000 ms, or not there: slow, gone."
    assert _verdict([quick]) == "None took 1,000 ms; the slowest was quick, 10 ms."
