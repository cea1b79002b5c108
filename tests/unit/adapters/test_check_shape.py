"""A judge's verdicts: lenient in form, strict where they would be believed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.check_shape import BEYOND, LEFT_OUT, NOWHERE, TWICE, check_of
from chat.adapters.shapes import Unusable
from chat.agent.prompts.check import MOST_CLAIMS
from chat.contracts.passages import Passage
from chat.contracts.tasks import CheckTask, Image
from chat.contracts.verdicts import Basis, ClaimVerdict

CLAIMS = ("A refund takes 5 days.", "It is free.", "It comes by post.")
PASSAGES = tuple(
    Passage(chunk=name, document="d", version=1, title="Refunds", text=name) for name in "ab"
)
TASK = CheckTask(question="q", draft="d", claims=CLAIMS, passages=PASSAGES)
ENTRY = {"claim": 1, "passages": [2], "basis": "SOURCE", "reason": "5 days", "supported": "YES"}


def entries(*changes: dict[str, Any]) -> dict[str, Any]:
    return {"verdicts": [ENTRY | change for change in changes]}


def read(task: CheckTask = TASK, **changes: Any) -> ClaimVerdict:
    return check_of(task).read(entries(changes))[0]


def test_a_verdict_is_read_whole_and_keeps_the_claims_own_words() -> None:
    assert read() == ClaimVerdict(
        text="A refund takes 5 days.",
        label="A refund takes days",
        basis=Basis.SOURCE,
        supported=True,
        by="judge",
        reason="5 days",
        passages=(2,),
    )


def test_verdicts_come_in_the_order_of_the_claims_whatever_order_they_were_given_in() -> None:
    given = entries({"claim": 3}, {"claim": 1, "supported": "NO"}, {"claim": 2})
    verdicts = check_of(TASK).read(given)
    assert [verdict.text for verdict in verdicts] == list(CLAIMS)
    assert [verdict.supported for verdict in verdicts] == [False, True, True]


def test_a_claim_that_was_left_out_is_decided_by_nobody() -> None:
    verdicts = check_of(TASK).read(entries({"claim": 2}))
    assert [verdict.supported for verdict in verdicts] == [None, True, None]
    assert verdicts[0].reason == LEFT_OUT


@pytest.mark.parametrize("second", ["YES", "NO"])
def test_two_verdicts_on_one_claim_are_none(second: str) -> None:
    verdicts = check_of(TASK).read(entries({}, {"supported": second}, {"claim": 2}))
    assert [verdict.supported for verdict in verdicts] == [None, True, None]
    assert verdicts[0].reason == TWICE


@pytest.mark.parametrize("number", [0, 4, -1, 61, "four", "", None, True, 1.5, [1], {}])
def test_a_number_that_no_claim_has_is_nonsense(number: Any) -> None:
    with pytest.raises(Unusable, match="a number from 1 to 3"):
        check_of(TASK).read(entries({"claim": number}))


@pytest.mark.parametrize("number", [1, "1", " [1] ", "(1)", "1."])
def test_a_number_may_be_written_in_other_dress(number: Any) -> None:
    assert read(claim=number).supported is True


@pytest.mark.parametrize("given", [None, "none", {}, [], [7], [None], ["YES"]])
def test_a_list_that_cannot_be_read_or_is_empty_is_unusable(given: Any) -> None:
    with pytest.raises(Unusable):
        check_of(TASK).read({"verdicts": given})


def test_a_list_without_end_is_unusable() -> None:
    with pytest.raises(Unusable, match="one entry for each claim"):
        check_of(TASK).read({"verdicts": [ENTRY] * (2 * MOST_CLAIMS + 1)})


def test_of_a_draft_with_too_many_claims_the_rest_is_decided_by_nobody() -> None:
    many = TASK.model_copy(update={"claims": tuple(f"Claim {n}." for n in range(MOST_CLAIMS + 5))})
    given = entries(*({"claim": n} for n in range(1, MOST_CLAIMS + 1)))
    verdicts = check_of(many).read(given)
    assert len(verdicts) == MOST_CLAIMS + 5
    assert all(verdict.supported for verdict in verdicts[:MOST_CLAIMS])
    assert {(v.supported, v.reason) for v in verdicts[MOST_CLAIMS:]} == {(None, BEYOND)}
    with pytest.raises(Unusable):
        check_of(many).read(entries({"claim": MOST_CLAIMS + 1}))


def test_without_claims_there_is_nothing_to_say() -> None:
    nothing = TASK.model_copy(update={"claims": ()})
    assert check_of(nothing).read({"verdicts": []}) == ()


@pytest.mark.parametrize(
    ("given", "supported"),
    [("YES", True), (" yes", True), (True, True), ("true", True)]
    + [("No ", False), (False, False), ("UNCLEAR", None), (None, None), ("null", None)],
)
def test_support_is_a_label_or_the_value_that_means_the_same(
    given: Any, supported: bool | None
) -> None:
    assert read(supported=given).supported is supported


@pytest.mark.parametrize("given", ["maybe", "", "partly", 1, ["YES"], {}])
def test_any_other_support_is_unusable(given: Any) -> None:
    with pytest.raises(Unusable, match="supported"):
        read(supported=given)


def test_a_support_that_is_left_out_is_not_taken_for_unclear() -> None:
    entry = {key: value for key, value in ENTRY.items() if key != "supported"}
    with pytest.raises(Unusable, match="supported"):
        check_of(TASK).read({"verdicts": [entry]})


@pytest.mark.parametrize("basis", ["General knowledge", "general-knowledge", "GENERAL_KNOWLEDGE "])
def test_a_basis_may_be_spelled_in_other_dress(basis: str) -> None:
    assert read(basis=basis, supported="NO").basis is Basis.GENERAL_KNOWLEDGE


@pytest.mark.parametrize("basis", ["passage", "", None, 3])
def test_any_other_basis_is_unusable(basis: Any) -> None:
    with pytest.raises(Unusable, match="basis"):
        read(basis=basis)


@pytest.mark.parametrize("basis", ["NONE", "GENERAL_KNOWLEDGE"])
def test_what_no_passage_carries_is_not_supported_whatever_stands_beside_it(basis: str) -> None:
    assert read(basis=basis, supported="YES").supported is False
    assert read(basis=basis, supported="UNCLEAR").supported is None
    assert read(basis=basis, supported="YES").passages == ()


@pytest.mark.parametrize("passages", [[], [3], [0, -2], None, "all of them", {}, ["x"]])
def test_a_yes_that_names_no_passage_that_exists_is_none(passages: Any) -> None:
    verdict = read(passages=passages)
    assert (verdict.supported, verdict.reason, verdict.passages) == (None, NOWHERE, ())


def test_pictures_can_carry_a_claim_that_no_passage_does() -> None:
    image = Image(name="shot.png", media_type="image/png", data="aGk=")
    seen = TASK.model_copy(update={"images": (image,)})
    assert read(seen, passages=[]).supported is True


@pytest.mark.parametrize("passages", [[2, 9, 2], ["[2]"], "2", 2])
def test_of_the_passages_those_that_exist_count_once(passages: Any) -> None:
    assert read(passages=passages).passages == (2,)


def test_a_no_rests_on_nothing() -> None:
    assert read(supported="NO").passages == ()


NUMBERS = st.integers(-2, 5) | st.text(max_size=3) | st.none()


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "claim": NUMBERS,
                "passages": st.lists(NUMBERS, max_size=3) | NUMBERS,
                "basis": st.sampled_from(["SOURCE", "NONE", "quotation", ""]),
                "reason": st.text(max_size=5),
                "supported": st.sampled_from(["YES", "NO", "UNCLEAR", "", True, None]),
            }
        ),
        max_size=6,
    )
)
def test_any_reply_gives_one_verdict_a_claim_or_is_unusable(verdicts: list[Any]) -> None:
    try:
        found = check_of(TASK).read({"verdicts": verdicts})
    except Unusable:
        return
    assert [verdict.text for verdict in found] == list(CLAIMS)
    for verdict in found:
        assert verdict.by == "judge"
        assert bool(verdict.supported) is bool(verdict.passages)
        assert set(verdict.passages) <= {1, 2}
        assert verdict.supported is None or verdict.basis is not Basis.NONE or not verdict.supported
