"""A text that tells of somebody's health is known; health as a subject is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.input import redact
from chat.guardrails.personal_data.health import tells_health

TELLS = [
    "I've been diagnosed with cancer and can't work",
    "I’ve been diagnosed with cancer",
    "I was just diagnosed with type 2 diabetes.",
    "my wife has breast cancer, can you pause the plan?",
    "My son is autistic and needs a simple page",
    "I have asthma",
    "I suffer from depression and forgot to pay",
    "she is 7 months pregnant",
    "I'm pregnant",
    "My father had a stroke last week",
    "my dad died of cancer",
    "I am in hospital and cannot log in",
    "We were in the ICU with our daughter",
    "I take sertraline every day",
    "he is on insulin",
    "I was prescribed antidepressants",
    "my chemotherapy starts on Monday, so please cancel",
    "my therapist told me to write to you",
    "my doctor says that I must rest",
    "I'm blind and your captcha does not work",
    "I am deaf, so I cannot call",
    "I have a disability",
    "I use a screen reader because I am visually impaired",
    "I'm off sick",
    "I am very ill at the moment",
    "My mother tested positive for covid",
    "I had a miscarriage",
    "I am recovering from surgery",
    "I have surgery next week",
    "I've got a cold",
    "My client has bipolar disorder",
    "her diabetes got worse",
    "Ich habe Krebs",
    "ich bin schwanger",
    "je suis enceinte",
    "tengo cáncer",
    "I HAVE CANCER",
    "i have can\u200bcer",
    "Refund please.\nI'm disabled\nand cannot use it.",
]
DOES_NOT = [
    "health check of my server",
    "my server is sick",
    "my site is down",
    "medical practice websites",
    "I run a cancer charity website",
    "We host a site for a diabetes clinic",
    "do you have a plan for medical practices?",
    "my health check fails",
    "the load balancer marks my instance unhealthy",
    "I am sick of waiting",
    "I'm sick and tired of this",
    "I have a virus on my laptop",
    "my computer was infected",
    "My database is in recovery",
    "I have a cold backup",
    "my disk is dead",
    "I have a pain point with billing",
    "is there a discount for disabled people?",
    "what is diabetes?",
    "I need help with my prescription website",
    "we have a mental health podcast",
    "my account is disabled",
    "the plugin is disabled and I cannot enable it",
    "my site was paralysed by an attack",
    "my doctor website is slow",
    "HIPAA compliance for our hospital data",
    "He has a seat in the office",
    "I'm blindly following the manual",
    "I have MS Office",
    "call me, I am waiting",
    "", " ",
]  # fmt: skip


@pytest.mark.parametrize("text", TELLS)
def test_what_befalls_a_person_is_told(text: str) -> None:
    assert tells_health(text)
    assert tells_health(f"Hello. {text} Thanks.")


@pytest.mark.parametrize("text", DOES_NOT)
def test_health_as_a_subject_or_a_machine_s_is_not(text: str) -> None:
    assert not tells_health(text)


@pytest.mark.parametrize("text", TELLS)
def test_redaction_takes_nothing_away_that_tells(text: str) -> None:
    assert tells_health(redact(f"{text} My card is 4111 1111 1111 1111.").text)


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    assert tells_health(text) in (True, False)
