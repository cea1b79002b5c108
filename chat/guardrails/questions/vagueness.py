"""Whether a question can be looked up at all, told by code wherever code can tell.

Asking back costs the person a turn, so it is done only where a search has nothing to go by: no
word in the question names a thing and there is no history to point at. A question is never
vague because it leaves something out ("refund times" without a plan's name).
"""

from __future__ import annotations

import re

from chat.contracts.verdicts import Clarity
from chat.guardrails.questions.intents import is_continuation
from chat.guardrails.wordlists import COURTESIES

QUESTION = "What is it about? Name the product, the page or the step, or paste the message you see."

# Words that hold a sentence together and name nothing.
_GLUE = frozenset(
    "a an the this that these those it its it's that's there there's here i i'm i've i'd me my "
    "mine you your yours u we us our he she they them their his her him one ones who whom whose "
    "what what's which when where why how how's is isn't are aren't was wasn't were weren't be "
    "been being am do don't does doesn't did didn't doing done have haven't has hasn't had having "
    "can can't cannot could couldn't will won't would wouldn't shall should shouldn't may might "
    "must not no nor yes ok okay and or but so if then than because as at by for from in into of "
    "off on onto out over to up with without about again also just only very really quite too much "
    "many more most some any all each every both either else ever never always now today yet still "
    "already soon maybe perhaps please pls plz thanks thank hi hello hey well oh um hmm like let "
    "let's got gets get getting go going went come gonna wanna im ive dont doesnt didnt cant wont "
    "isnt whats hows thats n't dear sir madam team guys everyone anybody anyone someone somebody "
    "nobody something anything everything nothing somehow anyhow right".split()
)
# Words that ask for help or name "a thing" without saying which.
_EMPTY = frozenset(
    "help helping assist assistance support supports problem problems issue issues trouble "
    "troubles question questions query thing things stuff matter matters topic case situation way "
    "ways know knowing tell say explain describe show give want wants need needs wish looking look "
    "find ask asking asked answer answers info information detail details work works working "
    "worked broken wrong fix fixed bad good better sure idea ideas advice clue urgent urgently "
    "asap quick quickly fast understand understood explained stuck confused lost guidance try "
    "trying tried use using kind sort bit little lot happen happens happening happened lots "
    "example examples possible able mean means make makes made think seem seems".split()
)
# Words that say what is asked of a thing but not of which; with nothing else a model may look.
_ASPECTS = frozenset(
    "long time times cost costs price free safe soon late fail fails failed failing error errors "
    "crash crashes crashed slow change changes changed stop stops stopped start started open "
    "opened close new old different difference same big small old next last first second other "
    "another available allowed required included done ready finished expire expires expired limit "
    "limits save saved load loads loading send sent see seen show shows appear appears put take "
    "takes taking took worth legal normal often far near hard easy".split()
)
_NAMELESS = _GLUE | _EMPTY | COURTESIES
_POINTERS = frozenset("it its this that these those they them their he she him her his one".split())
_ASKING = frozenset("what what's why which who where when how".split())
_FEW = 3  # words of a search that is no sentence: "error limits" names things, whatever they are
_WORD = re.compile(r"[^\W_]+(?:['’._/:#@+-][^\W_]+)*")


def clarity(question: str, *, has_history: bool) -> Clarity | None:
    """VAGUE or SPECIFIC where code can tell, None where a model may be asked.

    With a history a question points at something ("it does not work", "what is the issue?");
    a plea ("I have another problem") does not. Without one it has to name a thing itself.
    """
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(question)]
    points = any(word in _POINTERS for word in words)
    if has_history and (points or _ASKING.intersection(words[:1]) or is_continuation(question)):
        return Clarity.SPECIFIC
    naming = [word for word in words if word not in _NAMELESS]
    if not naming:
        return Clarity.VAGUE
    if len(words) <= _FEW and not points:
        return Clarity.SPECIFIC
    return None if all(word in _ASPECTS for word in naming) else Clarity.SPECIFIC
