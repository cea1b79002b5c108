"""Phrases of people who are upset, as data for `crisis`, in rows as those of `phrases`.

A strong phrase is enough by itself. A weak one (a plea, haste, loss, waiting) needs a second, or
capitals and exclamation marks, because a calm question has one of them too.
"""

from __future__ import annotations

Row = tuple[str, str, str, str, bool]

TEARS: tuple[str, ...] = (
    "😭", "😢", "😿", "😰", "😱", "😩", "😫", "😖", "😞", "😔", "💔", "🥺", ":'(", ";-;", ";_;",
)  # fmt: skip

STRONG_FEELINGS: tuple[Row, ...] = (
    (
        "overwhelm|cry|tears|sob|weep|upset|heartbr|devast|despera|hopeless|helpless|miserable"
        "|depress|exhaust|worthless|lonely",
        r"overwhelmed|(?:so|too|completely|is|it's) overwhelming|(?:i'm|am|i feel like|feel like"
        r"|keep|been|started|start|just|made me|makes me|making me|and|want to|gonna|going to|could"
        r"|might) (?:(?!not |never |no )\w+ )?(?:cry|crying|sob|sobbing|weep|weeping)|in tears|i "
        r"(?:cried|weep|sobbed)|heart-?(?:broken|breaking)|devastat(?:ed|ing)|desperate(?:ly)?"
        r"|hopeless|helpless|miserable|depress(?:ed|ing)|worthless|(?:so|really|very|am|i'm) "
        r"(?:upset|exhausted|lonely)|upset(?:s|ting)",
        "",
        r"seeking|first search|out loud",
        True,
    ),
    (
        "stress|anxi|panic|nervous|scar|afraid|terrif|fright|worr|freak|dread|paranoi|shaking",
        r"(?:so|very|really|too|i'm|am|me|feel|feeling|getting|incredibly|is) (?:(?!not |never |no "
        r")\w+ )?(?:stressed|stressful|anxious|nervous|scared|scary|afraid|terrified|terrifying"
        r"|frightened|frightening|worried|worrying|paranoid)|(?:i'm|am|im|we're|are|in a|in|start"
        r"|having a) (?:(?!not |never |no )\w+ )?panick?(?:ing|ed)?|panic attack|anxiety|freak(?:ed"
        r"|ing|s) (?:me )?out|i (?:\w+ )?(?:dread|fear)|stress(?:ed|ing) (?:me )?out|(?:i'm|am|im) "
        r"shaking",
        "",
        r"mode|button|log|dump|screen",
        True,
    ),
    (
        "cope|take it|take this|anymore|any more|do this|wits|rope|lose|losing|lost|ruin|mess|give "
        "up|giving up|breaking point|breakdown|nightmare|mind",
        r"(?:can't|cannot|can not|unable to|not) (?:(?!not |never |no )\w+ )?cope|(?:can't|cannot) "
        r"(?:take|stand|bear) it|(?:can't|cannot) (?:take|bear|handle|do|deal with) (?:it|this"
        r"|things)(?: \w+)? (?:any ?more|any longer)|(?:at|of) my wit'?s'? end|end of my (?:rope"
        r"|tether)|(?:lose|losing|lost) (?:everything|my (?:job|business|mind|home|savings"
        r"|livelihood|life's work))|(?:is|are|i'm|am|been) ruined|ruin(?:s|ed|ing)? my (?:life"
        r"|business|day)|(?:i|about to|want to|i'm|am) (?:just )?giv(?:e|ing) up|breaking point"
        r"|(?:nervous|mental) breakdown|(?:is|it's|been|been such|a|total|absolute) nightmare"
        r"|don't know what to do any ?more",
        "",
        r"weight",
        False,
    ),
    (
        "frustrat|angry|furious|fed up|sick of|tired of|rage|livid|outrag|hate|disgust|ashamed"
        "|asham|embarrass|humiliat|regret|disappoint|mad|annoy",
        r"(?:so|very|really|extremely|incredibly|beyond|rather|am|i'm|im|is|getting|feel|just|how) "
        r"(?:frustrat\w+|angry|furious|livid|disgust\w+|ashamed|embarrass\w+|humiliat\w+"
        r"|disappoint\w+|annoy\w+|infuriat\w+|mad at|maddening)|fed up|(?:sick|tired)(?: and "
        r"tired)? of|outrag(?:ed|eous)|furious|livid|disgust(?:ed|ing)|i (?:(?!not |never |no )\w+ "
        r")?(?:hate|regret|despise|loathe)|hate (?:it|this|that|you|my)|infuriat\w+|humiliat\w+"
        r"|bad feeling",
        r"(?:don't|not|no)",
        r"to (?:bother|ask|be)",
        False,
    ),
    (
        "sad|awful|terribl|horribl|horrif|tragic|painful|cruel|grief|griev|mourn|hurt|alone|guilt"
        "|blam",
        r"(?:so|very|really|too|is|it's|that's|was|truly|just|feel|feeling|are|this) (?:\w+ "
        r")?(?:sad|awful|terrible|horrible|horrific|tragic|cruel|heartless)|feel(?:s|ing)? (?:\w+ "
        r")?(?:bad|guilty|alone|hurt|lost|sick|stupid|like (?:crap|shit|an idiot))|saddest|saddens?"
        r"|griev(?:e|ing)|mourning|blam(?:e|ing) myself|horribly|terribly sad|horrif(?:ied|ying)",
        "",
        r"music|song",
        False,
    ),
    (
        "fuck|shit|damn|hell|crap|wtf|ffs|bastard|bitch|idiot|stupid|asshole|scum|suck|piss",
        r"\w{0,9}fuck\w{0,5}|(?:bull|horse)?shit(?:ty|s|show)?|(?:god)?damn(?:ed|it)?|(?:from|in"
        r"|what the|why the|how the|like|as) hell|crap(?:py)?|wtf|ffs|bastards?|bitch\w*|idiots?"
        r"|idiotic|stupid\w*|assholes?|scum|sucks?|piss(?:ed|es|ing)?",
        "(?:for the|not that|maybe a|may be a|might be a|probably a)",
        r"questions?|mistakes?|proof|it simple",
        False,
    ),
    (
        "awful|terribl|horribl|worst|ridiculous|unacceptable|useless|pathetic|joke|toxic|hate"
        "|disgrace|scary|sad|loss|worse|ugh|yikes|gross|creepy|nasty|vile|filthy|tragic|disappoint"
        "|selfish|cruel",
        r"awful(?:ly)?|terribl[ey]|horribl[ey]|(?:the )?worst|ridiculous(?:ly)?|unacceptable"
        r"|useless|pathetic|(?:is|are|such|what) a joke|toxic|hate[ds]?|disgrace\w*|scary"
        r"|sad(?:ly)?|(?:for|about) your loss|(?:get|getting|gets|even) worse|ugh+|yikes|gross"
        r"|creepy|nasty|vile|filthy|tragic|disappoint(?:ed|ing|ment)|selfish|cruel",
        "(?:not|n't|at)",
        r"-?case|scenario|speech|margins?|incomes?|profit|amount|weight|pay|waste|paths?",
        False,
    ),
)  # fmt: skip

WEAK_FEELINGS: tuple[Row, ...] = (
    # a plea
    (
        "please|plz|pls|help|beg",
        r"please please|pl[sz]z?|please help|help me|i beg|begging",
        "",
        "",
        False,
    ),
    # haste
    (
        "urgent|asap|emergency|right now|immediately|hurry",
        r"urgent(?:ly)?|asap|emergency|right now|immediately|hurry",
        "",
        "number|contact",
        False,
    ),
    # loss
    (
        "everything|down|gone|broken|lost|hacked|wiped",
        r"everything (?:is|has|was|i)|(?:is|are|all|been) (?:down|gone|broken|lost|hacked|wiped)",
        "",
        "",
        False,
    ),
    # waiting
    (
        "nobody|no one|for |still|all ",
        r"(?:nobody|no one) (?:(?!not |never |no )\w+ )?(?:helps|answers|cares|replies)|for (?:days"
        r"|weeks|hours|months)|still (?:nothing|no)|all (?:day|night|week)",
        "",
        "",
        False,
    ),
)
