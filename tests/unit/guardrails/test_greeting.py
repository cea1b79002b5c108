"""A greeting is told by patterns, fast, and never when something is asked along with it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.wordlists import GREETING_PATTERNS
from tests.growth import assert_linear

HELLOS = """\
hi|Hello!|hey there|HELLO|heyyyy|Hi :)|hello 👋|good morning
Good evening, everyone|howdy
how are you?|Hi, how are you doing today?|hello how are you|what's up|who are you?|What are you
are you a bot?|am I talking to a human|what can you do|what can you help me with?
how does this work?|help|can you help me?|thanks|Thank you so much!|ok thanks|cheers
bye|see you later|hola|bonjour
Guten Tag|ciao|olá|kia ora|namaste|你好|привет|hi hi
hello, is anyone there?|g'day mate
I have a question
thanks for your help|nice to meet you|Dear Sir or Madam|hi there, good afternoon|what's your name?
你好！|hello... anybody here|hello! anyone?|good evening, sir|Good evening sir
are you a language model?
are you an AI assistant|who made you?|who am I speaking to?|perfect, thank you|ok, thanks
great, thanks!|that helped, thanks|Got it. Thank you!|it works now, thank you so much
happy new year!|cheers mate"""
GREETINGS = HELLOS.replace("\n", "|").split("|")

QUESTIONS = """hi, how do I export my data?|hello where is my refund|hey my server is down
good morning can you cancel my plan|thanks, and how long does it take?|Hello! What does it cost?
hi what are your prices|hey do you offer a student discount|hello I need help with my invoice
How long does a refund take?|refund|my card was charged twice|hi 40P01|what can you do about my bill
help me reset my password|thank you but it still fails, why?|how does this work with two regions
are you a registered company|what is a snapshot|who are your founders|good backup options?
is anyone there who can refund me|hello, export fails with error 500|perfect, how do I export it?
great, now my server is down
thanks, that works but the export fails|happy hour prices|who made your servers
hi anyone tried the export
are you the assistant of Larkspur billing"""
ASKED = QUESTIONS.replace("\n", "|").split("|")


@pytest.mark.parametrize("text", GREETINGS)
def test_a_greeting_is_one(text: str) -> None:
    assert greeting(text) is GreetingGuess.YES


@pytest.mark.parametrize("text", ASKED)
def test_a_question_is_no_greeting(text: str) -> None:
    assert greeting(text) is GreetingGuess.NO


@pytest.mark.parametrize("text", ["hello larkspur", "Hi Sarah", "good day to thee"])
def test_a_greeting_by_name_is_left_to_a_model(text: str) -> None:
    assert greeting(text) is GreetingGuess.UNSURE


@pytest.mark.parametrize("text", ["ok", "Great!", "perfect", "got it", "it works now", "yes"])
def test_an_acknowledgement_alone_may_answer_something_and_is_no_greeting(text: str) -> None:
    assert greeting(text) is GreetingGuess.NO


@pytest.mark.parametrize("text", ["", "   ", "?!", "🙂", "x" * 5_000])
def test_what_says_nothing_is_no_greeting(text: str) -> None:
    assert greeting(text) is GreetingGuess.NO


@given(
    hello=st.sampled_from(GREETINGS),
    question=st.sampled_from(["how do I export", "where is my refund", "my server is down"]),
    join=st.sampled_from([" ", ", ", "! ", "\n", " - "]),
    mark=st.sampled_from(["?", ""]),
)
def test_no_greeting_hides_the_question_behind_it(
    hello: str, question: str, join: str, mark: str
) -> None:
    assert greeting(hello + join + question + mark) is GreetingGuess.NO


@given(st.text(max_size=200))
def test_any_text_gets_a_guess(text: str) -> None:
    assert greeting(text) in GreetingGuess


def test_there_are_at_least_thirty_nine_patterns() -> None:
    assert len(set(GREETING_PATTERNS)) >= 39


PIECES = ["hi ", "hi hi ", "hi all ", "hello hello ", "how are you doing today ", "thanks again "]


@pytest.mark.parametrize("piece", [*PIECES, "help me please ", "good ", "y", "y "])
@pytest.mark.parametrize("end", ["h", "all the best x"])
def test_a_text_that_almost_greets_is_not_cut_up_in_every_way(piece: str, end: str) -> None:
    text = (piece * 100)[: 100 - len(end)] + end
    assert greeting(text) is not GreetingGuess.YES
    assert_linear(greeting, text)


@given(st.lists(st.sampled_from(["hi", "all", "hello", "the", "best", "good", "day"]), max_size=6))
def test_every_way_to_cut_a_text_up_counts(words: list[str]) -> None:
    whole = re.compile(f"(?:(?:{'|'.join(map('(?:{})'.format, GREETING_PATTERNS))})(?: |$))+")
    text = " ".join(words)
    assert (greeting(text) is GreetingGuess.YES) == bool(whole.fullmatch(text))
