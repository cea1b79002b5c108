"""What may be said without a source: thanks, greetings, questions back and offers, no facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.drafts.courtesy import is_courtesy, makes_claims
from tests.growth import assert_linear

KIND = """You are welcome.|You're very welcome!|Thanks for asking.
Thank you so much for your patience.|Hello.|Hi there!
Good morning. What can I look up for you?|Goodbye. Take care.|Have a nice day!
Sure, let me check that.|I can look that up for you.
I can look that up in the documents if you like.
I can look up answers in the documents and show where each one stands.|I'm here to help.
Let me know if you need anything else.|If you have any other questions, feel free to ask.
Happy to help! If you have any other questions about your hosting, feel free to ask.|Just ask.
I can help with questions about billing, plans and servers.|What would you like to know?
Which plan is it about?|That sounds stressful, and it is good that you asked.|Okay.
Ask for one step at a time.|Name another kind or area to look again.
You are welcome. Ask whenever there is more to look up.
I don't know.|👋||   |**You are welcome.**|Here is what I found:"""

CLAIMING = """The fee is 5 euros.|Refunds are quick.|Our servers run in Dublin.|Paris.|It is free.
You can get a refund within two weeks.|Yes, you can export your data.|I can help you get a refund.
I can confirm that the plan includes backups.|Feel free to ask about our free student discount.
Did you know that refunds are free?|Did you know our plans include backups?|Is the fee 5 euros?
Would you like the Scale plan with more memory?|Thanks. The trial lasts a month.|I'm Larkspur's bot.
You are welcome, refunds take a week.|I am an assistant that answers from the documents.|42
Hello! Billing happens monthly.|I can look that up, but refunds take five days.|No refunds.
Backups are kept for a week, right?|Since you cancelled, would you like an export?
Try restarting it.|I can help with refunds that take a week.
Let me know if your server crashed after the update.
- Billing is monthly|Prices: low"""


def _texts(listed: str) -> list[str]:
    return listed.replace("\n", "|").split("|")


@pytest.mark.parametrize("text", _texts(KIND))
def test_a_kind_word_or_an_offer_claims_nothing(text: str) -> None:
    assert not makes_claims(text)


@pytest.mark.parametrize("text", _texts(CLAIMING))
def test_anything_that_tells_something_is_a_claim(text: str) -> None:
    assert makes_claims(text)


def test_one_claim_among_courtesies_is_enough() -> None:
    assert makes_claims("Hello. You are welcome.\n\nRefunds are quick. Let me know.")


@given(st.lists(st.sampled_from([t for t in _texts(KIND) if t.endswith(".")]), min_size=1))
def test_courtesies_stay_courtesies_together(sentences: list[str]) -> None:
    assert not makes_claims(" ".join(sentences))


@given(
    st.lists(st.sampled_from(_texts(KIND)), max_size=3),
    st.sampled_from(["It costs 5 euros.", "Refunds are never given.", "Dublin is closest to you."]),
)
def test_courtesies_hide_no_claim(kind: list[str], claim: str) -> None:
    assert makes_claims("\n\n".join([*kind, claim]))


@given(st.text(alphabet=st.characters(categories=("Ll", "Nd", "Zs")), max_size=60))
def test_a_figure_is_always_a_claim(text: str) -> None:
    assert makes_claims(f"{text} 7 days")


@pytest.mark.parametrize("text", ["What is it about?", "The fee is due.", ""])
def test_only_what_is_kind_is_a_courtesy(text: str) -> None:
    assert is_courtesy(text) == (text == "")


@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    assert makes_claims(text) in (True, False)


@pytest.mark.parametrize("piece", ["i can look that up and ", "that up and ", "thanks "])
def test_the_time_grows_with_the_length_and_not_faster(piece: str) -> None:
    assert_linear(makes_claims, "i can look " + piece * 5_000)


@pytest.mark.parametrize("piece", ["hi ", "hello there ", "hi all ", "thank you so much ", "ok "])
def test_a_sentence_that_is_almost_polite_is_not_cut_up_in_every_way(piece: str) -> None:
    words = len(piece.split())
    assert_linear(is_courtesy, piece * (29 // words) + "xq")
