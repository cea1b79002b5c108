"""The words that the offline model's rules go by, as data.

Nothing here is compiled or run. Words are lower case; stems are made where they are used.
"""

from __future__ import annotations

# Words that say how something is asked or joined, not what about.
STOP_WORDS: frozenset[str] = frozenset(
    """
    a about above after again against ago all also always am an and another any anybody anyone
    anything are aren't as at be because been before being below between both but by can can't
    cannot could couldn't did didn't do does doesn't doing don't down during each either else even
    ever every everybody everyone everything exactly few for from further get gets getting go goes
    going gone got had hadn't has hasn't have haven't having he her here hers herself him himself
    his how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just know
    least less let let's like lot lots made make makes making many may maybe me might mine more
    most much must my myself need needs neither never no nobody nor not nothing now of off often
    on once one ones only onto or other others ought our ours ourselves out over own per perhaps
    please quite rather really same say says shall shan't she should shouldn't since so some
    somebody someone something soon still such sure take taken takes tell than thank thanks that
    that's the their theirs them themselves then there there's these they they're thing things
    this those though through to too toward towards under unless until up upon us use used uses
    using very want wants was wasn't way we we'd we'll we're we've well were weren't what what's
    whatever when whenever where where's wherever whether which whichever while who who's whoever
    whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're
    you've your yours yourself yourselves happen happens happened offer offers offered
    possible allow allowed able
    """.split()
)

# What people type in a hurry, and what it stands for.
SHORT_FORMS: dict[str, str] = {
    "u": "you", "ur": "your", "r": "are", "y": "why", "w": "with", "w/": "with", "w/o": "without",
    "wo": "without", "pls": "please", "plz": "please", "thx": "thanks", "ty": "thanks",
    "b4": "before", "2moro": "tomorrow", "tmrw": "tomorrow", "tmr": "tomorrow", "nite": "night",
    "msg": "message", "acc": "account", "acct": "account", "info": "information", "pw": "password",
    "pwd": "password", "passwd": "password", "pass": "password", "hr": "hour", "hrs": "hours",
    "min": "minutes", "mins": "minutes", "sec": "seconds", "secs": "seconds", "wk": "week",
    "wks": "weeks", "mo": "month", "mth": "month", "mths": "months", "yr": "year", "yrs": "years",
    "cant": "can't", "cannt": "can't", "wont": "won't", "dont": "don't", "doesnt": "doesn't",
    "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "havent": "haven't", "hasnt": "hasn't",
    "wasnt": "wasn't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't",
    "im": "i'm", "ive": "i've", "id": "id", "ill": "ill", "youre": "you're", "theyre": "they're",
    "whats": "what's", "wheres": "where's", "hows": "how's", "thats": "that's", "theres": "there's",
    "lets": "let's", "gimme": "give me", "gonna": "going to", "wanna": "want to",
    "gotta": "have to", "dunno": "don't know", "kinda": "kind of", "cuz": "because",
    "coz": "because", "bc": "because", "tho": "though", "thru": "through", "ppl": "people",
    "biz": "business", "pic": "picture", "docs": "documents", "db": "database",
    "dbs": "databases", "config": "configuration", "env": "environment", "auth": "sign-in",
    "login": "sign-in", "login's": "sign-in", "logon": "sign-in", "2fa": "two-factor 2fa",
    "24/7": "around the clock 24 hours", "24x7": "around the clock 24 hours", "asap": "soon",
    "approx": "about", "max": "maximum", "qty": "quantity", "addr": "address", "tel": "phone",
    "nr": "number", "num": "number", "diff": "difference", "temp": "temporary",
    "vs": "versus", "prob": "problem", "probs": "problems", "ok": "okay",
}  # fmt: skip

# What people say in place of a plainer word; the question is read with that word instead.
REPHRASED: dict[str, str] = {
    r"\b(?:is|are|was|were|has been|have been|went|has gone|have gone) "
    r"(?:all |completely |totally )?(?:down|offline|unreachable)\b"
    r"(?! (?:to|for|from|by)\b)": "cannot be reached",
    r"\bbiggest\b": "largest",
    r"\b(?:web ?)+(?=sites?\b)": "",
    r"(?<=\bsite) cannot be reached": " and app cannot be reached",
    r"(?:(?<=\bdata )|(?<=\bfiles ))(?:safe|secure|protected)\b": "encrypted",
}

# Ways of saying it that share no word with what they mean; a question gets the word as well.
MEANT: dict[str, str] = {
    r"\b(?:go|goes|going|went|gone|is|are|was|were|been) (?:down|offline)\b": "outage",
    r"\bmoney back\b": "refund",
    r"\b(?:log|logs|logged|logging) (?:in|on|into)\b": "sign-in",
    r"\bget rid of\b": "delete",
}

# Forms that no rule of endings leads back to their verb or noun.
IRREGULAR: dict[str, str] = {
    "began": "begin", "begun": "begin", "bought": "buy", "broke": "break", "broken": "break",
    "brought": "bring", "built": "build", "children": "child", "chose": "choose",
    "chosen": "choose", "fell": "fall", "forgot": "forget", "forgotten": "forget",
    "found": "find", "froze": "freeze", "frozen": "freeze", "gave": "give", "given": "give",
    "held": "hold", "hid": "hide", "hidden": "hide", "kept": "keep", "left": "leave",
    "lost": "lose", "loss": "lose", "men": "man", "meant": "mean", "paid": "pay",
    "payment": "pay", "payments": "pay", "ran": "run",
    "said": "say", "sent": "send", "sold": "sell", "spent": "spend", "stole": "steal",
    "stolen": "steal", "taught": "teach", "thought": "think", "told": "tell", "won": "win",
    "women": "woman", "wrote": "write", "written": "write",
}  # fmt: skip

# Verbs that begin a step when they stand first in a clause.
STEP_VERBS: frozenset[str] = frozenset(
    """
    add allow ask attach begin book borrow bring call cancel change check choose click close
    complete confirm connect contact copy create cut deactivate delete disable do download drag
    edit enable enter export fill find follow forward generate give go hold import insert
    install invite keep leave log look make mark mix mount move note open paste pay pick place
    point pour press provide pull push put read register remove rename renew repeat replace
    reply report request reset resize restart restore return review run save scan scroll search
    see select send set shut sign specify start state stop submit subscribe switch take tap tell
    tick toggle turn type unplug update upload use verify view visit wait write
    """.split()
)

UNIT_OF_TIME = (
    r"(?:seconds?|minutes?|hours?|(?:business |working |calendar )?days?|nights?|weeks?|months?"
    r"|years?|decades?|centur(?:y|ies)|quarters?)"
)

NUMBER_WORDS: frozenset[str] = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million billion dozen half once twice both single several couple
    """.split()
)

BEGINNINGS = r"and|or|but|so|then|ok|okay|also|plus|no|sorry"
"""Words that may stand before a new aspect: `no, sorry, what about Sydney`."""
