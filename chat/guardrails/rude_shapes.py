"""Shapes of sentences that hate, threaten or insult, for `toxicity`.

A row is a reason, an expression over one sentence in lower case, and whether a denial takes it
back ("I do not hate them"). Where a sentence or the one before it named a group, `\x01` stands
for "they". Every repeat has a bound.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.guardrails import rude_wordlists as words

SLUR, HATE, THREAT, INSULT, SEXUAL = "slur", "hate", "threat", "insult", "sexual"
THEM = "\x01"

Row = tuple[str, str, bool]


def any_of(options: Sequence[str]) -> str:
    return f"(?:{'|'.join(sorted(options, key=len, reverse=True))})"


def _gap(most: int) -> str:
    """Up to so many words that lie between."""
    return rf"(?:[\w'-]+ ){{0,{most}}}?"


ADJECTIVE = any_of(words.GROUP_ADJECTIVES)
GROUP = rf"\b(?:{any_of(words.GROUP_NOUNS)}|{ADJECTIVE} {any_of(words.PEOPLE_WORDS)})(?:'s?)?\b"
_WHO = rf"(?:{GROUP}|{THEM})"

_HERE = any_of(words.DEHUMANISING_HERE)
_LOW = any_of((*words.DEHUMANISING, *words.CONTEMPT, *words.INSULTS))
_RUDE = any_of((*words.DEHUMANISING, *words.CONTEMPT, *words.INSULTS))
_CALLED = any_of((*words.INSULTS, *words.SLURS_OF_TWO_MEANINGS))
_TWO = any_of(words.SLURS_OF_TWO_MEANINGS)
_VIOLENCE = any_of(words.VIOLENCE)

_IS = r"(?:are|is|'re|'s|be|being)"
_VERY = (
    r"(?:(?:all|just|so|such|really|absolute(?:ly)?|complete(?:ly)?|nothing|but|common|human"
    r"|worthless"
    r"|an?|the|massive|still|pretty|truly|like|no|better|than|kind|of|worst|basically|seriously"
    r"|more"
    r"|most|too|very|utter(?:ly)?|total(?:ly)?|probably|always|not|never|very|opposite) ){0,6}"
)
_DISLIKE = (
    r"(?:hate|despise|loathe|detest|abhor|can't stand|disgusted by(?: all)?|sick of(?: all)?"
    r"|(?:contempt|hatred|disgust)(?: i have| in my heart)? for)"
)
_REPELS = (
    r"(?:(?:disgusts?|sickens?|repulses?|revolts?) (?:me|us)|(?:makes?|making) (?:me|us) (?:so )?"
    r"(?:sick|furious|puke|vomit|angry)|fills? me with (?:so much )?(?:rage|hate|hatred|disgust))"
)
_WISH = (
    r"(?:i|we|i'm|i'll|we'll|let's|someone|somebody|should|must|ought to|want to|going to|gonna"
    r"|would (?:love|like) to|if only|hope|what if|how about|time to|interest to|how (?:can"
    r"|do) (?:i|we)"
    r"|can i do to|it is time|just)"
)
_MYSELF = (
    r"(?:i|we)(?:'ll| will|'m going to| am going to|'m gonna| want to| would love to|'re going to"
    r"| really am| am)"
)
_HURT = r"(?:kill|murder|shoot|stab|strangle|rape|hurt|beat|hunt|destroy|attack|attacking|hit|burn)"

_THREATS: tuple[Row, ...] = (
    (THREAT, rf"\b{_WISH} {_gap(4)}{_VIOLENCE} {_gap(5)}{_WHO}", True),
    (THREAT, rf"\b{_MYSELF} {_gap(3)}{_HURT} {_gap(5)}{_WHO}", True),
    (
        THREAT,
        rf"\b{_MYSELF} {_gap(3)}{_HURT} (?:you|him|her|your (?:family|child\w*|kids))\b",
        True,
    ),
    (
        THREAT,
        rf"\b(?:cut|slit|snap|break|wring|slash) {_gap(3)}(?:{_WHO}|{ADJECTIVE}) ?{_gap(1)}"
        r"(?:throats?|necks?)|\bend every {_gap(2)}life\b",
        True,
    ),
    (THREAT, rf"\b(?:cut|slit|snap|break|wring) the (?:throats?|necks?) of {_gap(4)}{_WHO}", True),
    (
        THREAT,
        rf"\b(?:death to|kill all|kill every|gas the|hang the|end every) {_gap(3)}{_WHO}",
        True,
    ),
    (
        THREAT,
        rf"{_WHO} {_gap(4)}(?:should|must|ought to|need to|deserves? to) {_gap(4)}(?:die|dead"
        rf"|{_VIOLENCE}|suffer|burn|disappear|locked up in|in cages)\b|{_WHO} {_gap(4)}would all be"
        r" dead",
        True,
    ),
    (THREAT, rf"\blove to see {_gap(3)}{_WHO} {_gap(2)}(?:suffer|die|burn|hang)\b", True),
    (THREAT, rf"\bmake {_gap(2)}{_WHO} {_gap(1)}suffer\b", True),
    (
        THREAT,
        rf"\b(?:killing|murdering|raping|shooting|lynching) {_gap(2)}{_WHO} {_gap(3)}should be "
        r"(?:legal|allowed|decriminali[sz]ed|encouraged|rewarded)",
        True,
    ),
    (
        THREAT,
        rf"\bbetter (?:off|place) {_gap(1)}(?:if|without) {_gap(3)}{_WHO}",
        False,
    ),
    (
        THREAT,
        r"\b(?:kill|hang|shoot|drown) yourself\b|\b(?:hope|wish) (?:that )?you (?:die|were dead"
        r"|get "
        r"(?:hurt|cancer|raped))|\byou (?:deserve to|ought to|should) die\b|^go die\b",
        True,
    ),
)

_HATES: tuple[Row, ...] = (
    (HATE, rf"{_WHO} {_gap(5)}{_IS} {_VERY}{_LOW}\b", True),
    (HATE, rf"{_WHO} {_gap(1)}{_IS} {_VERY}{_HERE}(?: to| for| on| of)?(?: \w+){{0,2}}$", True),
    (HATE, rf"{_WHO} {_gap(1)}{_IS} {_VERY}{_HERE}[.!?,]", True),
    (HATE, rf"\b{_DISLIKE} {_gap(4)}{_WHO}", True),
    (HATE, rf"{_WHO} {_gap(6)}{_REPELS}", True),
    (HATE, rf"\b{ADJECTIVE} {any_of(words.DEHUMANISING)}\b", True),
    (HATE, rf"\bnothing {_gap(5)}(?:worse|less) than {_gap(2)}{_WHO}", False),
    (HATE, rf"\b(?:only|typical of|typical|always) {_gap(2)}{_WHO} {_gap(4)}{_VERY}{_LOW}\b", True),
    (HATE, rf"{_WHO} nature to be {_gap(3)}{_LOW}|{_WHO} {_gap(3)}fucked in the head", True),
    (
        HATE,
        rf"{_WHO} {_gap(3)}(?:worthless|(?:(?:is|are)(?: not"
        rf"|n't)? )?worth (?:absolutely )?(?:nothing"
        r"|anything|shit|less)|(?:have|has) no (?:value|worth)|(?:do|does)(?: not|n't) matter)",
        False,
    ),
    (
        HATE,
        rf"{_WHO} {_gap(2)}(?:are|is)(?: not|n't) (?:really )?(?:human|people)\b"
        rf"|\bno {_WHO} {_gap(2)}"
        rf"can ever be\b|{_WHO} can never be as\b|{_WHO} are never (?:attractive|good|clever"
        rf"|honest)",
        False,
    ),
    (
        HATE,
        rf"\brights {_gap(2)}(?:not|n't) {_gap(2)}(?:to|for) {_WHO}"
        rf"|{_WHO} {_gap(3)}(?:belong in (?:a|the"
        rf") (?:zoo|cage|oven|camp)s?|have no place in)|\bnot let any {_WHO} live\b",
        False,
    ),
    (
        HATE,
        rf"\bfuck (?:all |these |those |every |the |off,? )?(?:\w+ )?{_WHO}|\bfucking {_WHO}"
        rf"|{_WHO} {_gap(2)}(?:go )?fuck (?:themselves|off)",
        True,
    ),
    (
        HATE,
        rf"\b(?:swarms?|hordes?) of {_gap(1)}{_WHO}|{_WHO} {_gap(2)}(?:infesting|polluting"
        rf"|are ruining"
        r"|are destroying) (?:our|the) (?:country|government|society|nation|culture)",
        True,
    ),
)

_INSULTS: tuple[Row, ...] = (
    (
        SEXUAL,
        r"\b(?:suck|lick) (?:my|his|your) (?:dick|cock|balls|pussy)|\b(?:want to|wanna|going to"
        r"|would"
        r" love to) (?:fuck|bang|screw) (?:you|her|him)\b|\bshow me your (?:tits|boobs|pussy|cock"
        r"|dick"
        r"|breasts)|\bsend (?:me )?(?:nudes|naked)|\byour (?:tits|boobs|pussy|cock) (?:is|are"
        r"|look)",
        True,
    ),
    (INSULT, rf"\b(?:you|he|she)(?:'re|'s| are| is| really is| really are) {_VERY}{_RUDE}\b", True),
    (
        INSULT,
        rf"\byou (?:(?:stupid|fucking|absolute|complete|little|total|dirty) ){{0,2}}{_CALLED}\b",
        True,
    ),
    (
        INSULT,
        r"\b(?:fuck|screw) you\b|^(?:just |now |so )?(?:fuck off|go to hell|shut the fuck up"
        r"|go fuck"
        r"|piss off)\b|\bgo fuck yourself\b|\bfick dich\b|\bva te faire (?:foutre|enculer)\b"
        r"|\bvete a la "
        r"mierda\b|\bhalt die fresse\b|\bferme ta gueule\b",
        True,
    ),
    (
        INSULT,
        r"\bi (?:hate|despise|loathe|detest) you\b|\byou (?:make|made) me (?:sick|puke)"
        r"|\byou (?:disgust|repulse) me",
        True,
    ),
    (
        SLUR,
        r"\b(?:you|he|she|they|they're|you're)(?: are| is|'re|'s)? (?:(?:nothing|but|just|such|all"
        r"|a"
        rf"|an|bunch|of) ){{0,5}}{_TWO}\b",
        True,
    ),
    (SLUR, rf"\b(?:just another|typical|fucking|filthy|dirty) (?:common )?{_TWO}\b", True),
)

_ROWS = (*_THREATS, *_HATES, *_INSULTS)
Shape = tuple[str, re.Pattern[str], bool]


def _compiled(rows: Sequence[Row]) -> tuple[Shape, ...]:
    return tuple((reason, re.compile(shape), denied) for reason, shape, denied in rows)


OF_A_GROUP = _compiled([row for row in _ROWS if THEM in row[1] or ADJECTIVE in row[1]])
OF_ANYBODY = _compiled([row for row in _ROWS if not (THEM in row[1] or ADJECTIVE in row[1])])
ANY_SLUR = re.compile(rf"\b{any_of(words.SLURS)}\b")
HARMFUL = re.compile(
    rf"\b(?:{_LOW}|{_HERE}|{_VIOLENCE}|{_HURT}|{_CALLED}|{any_of(words.SLURS)}|hate|despise|loathe"
    r"|detest|abhor|stand|contempt|hatred|death|die|dead|suffer|suck|lick|tits|boobs|nudes|naked"
    r"|fuck\w*"
    r"|screw|hell|fick|va|vete|halt|ferme|piss|disgust\w*|sicken\w*|sick|furious|puke|vomit|angry"
    r"|rage|worse|less|worth|value|matter|human|people|never|ever|rights|belong|place|live|swarms?"
    r"|hordes?"
    r"|infesting|polluting|ruining|destroying|throats?|necks?|better|raping|killing|murdering|end"
    r"|shooting|lynching)\b"
)
