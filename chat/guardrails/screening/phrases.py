"""Phrases of people in danger and of those who speak of them, as data for `crisis`.

A row is a family: words of which one must stand in the text at all, the phrase, what turns it
into something else when it stands before or after, and whether a machine as the subject does
so too ("the worker is going to die"). All are regular expressions over lower-case text with
single blanks, and none repeats a repeat.
"""

from __future__ import annotations

Row = tuple[str, str, str, str, bool]

# What else can die, be killed, or be under attack in the questions of a support chat.
MACHINES: tuple[str, ...] = (
    "process", "thread", "worker", "container", "job", "pod", "service", "task", "script",
    "instance", "server", "app", "program", "daemon", "node", "session", "connection", "query",
    "battery", "phone", "laptop", "computer", "pc", "drive", "disk", "site", "website", "domain",
    "plugin", "feature", "bug", "code", "host", "machine", "router", "message",
    "timer",
)  # fmt: skip

# A person closer to the phrase than the machine is its subject.
PEOPLE: tuple[str, ...] = (
    "i", "i'm", "i've", "i'd", "i'll", "im", "he", "he's", "she", "she's", "we", "they", "who",
    "someone", "somebody", "friend", "brother", "sister", "son", "daughter", "husband", "wife",
    "mother", "father", "mum", "mom", "dad", "partner", "colleague", "kid", "child", "teenager",
)  # fmt: skip

_SELF = r"(?:my|him|her|them|your|our|one)sel(?:f|ves)"
_WHOSE = r"(?:my|his|her|their|your|our|one's)"
_RELATIVE = r"my (?:husband|wife|boyfriend|girlfriend|partner|ex|dad|father|mum|mom|mother"
_RELATIVE += r"|stepdad|stepfather|brother|uncle|son|parents)"
_WHO = rf"(?:he|she|they|someone|somebody|{_RELATIVE})"
_SUBSTANCE = r"(?:pills?|tablets?|mg|milligrams?|paracetamol|tylenol|ibuprofen|aspirin|insulin"
_SUBSTANCE += r"|painkillers?|medication|meds|xanax|bleach|alcohol|blood|sleeping pills?)"

CRISIS_FAMILIES: tuple[Row, ...] = (
    # suicide and self-harm by name
    (
        "suicid|unaliv|kys|kms",
        r"suicid(?:e|es|al|ally|ality|ing)|unaliv(?:e|ed|ing)|kys|(?:wanna|want to|gonna|going to"
        r"|'ll) kms",
        r"(?:career|political|social|financial|commercial|business|professional|economic|brand"
        r"|legal|academic|reputational|electoral)",
        r"squad|doors?|burn|lane|king|pool|mission|gene|substrate",
        False,
    ),
    (
        "self-|self harm|self injur|self mutil|self destructi|self inflict|selfharm",
        r"self[- ]?(?:harm\w*|injur\w*|mutilat\w*|inflict\w*)|self-(?:bruis|cut|burn|starv"
        r"|poison)\w*|self[- ]destructi(?:on|ve|vely)",
        "",
        r"timer|messages?|sequence|buttons?|e-?mails?|notes?",
        True,
    ),
    (
        "self|selves",
        rf"(?:kill|hang|shoot|drown|stab|poison|starv|harm|strangl|chok|suffocat|electrocut|mutilat"
        rf"|murder|asphyxiat)\w{{0,4}} (?:\w+ )?{_SELF}",
        "",
        r"(?:while |with |to death )?laughing|in the foot|too thin|out of|up as|a (?:drink|coffee)",
        True,
    ),
    (
        "self|selves",
        rf"(?:cut|burn|hurt|injur|bleed)\w{{0,4}} (?:\w+ )?{_SELF}",
        "",
        r"off|short|some|a|out|shaving|on (?:a|an|the|my|one)|while|at the gym|playing|running"
        r"|lifting|at work|moving",
        True,
    ),
    # wanting to die, or not to live
    (
        "die|dying|dead",
        r"(?:want(?:s|ed|ing)?|wanna|wish(?:es|ed|ing)?|longs?|longing|ready|plan(?:s|ned|ning)?"
        r"|deserves?|try|trying|hoping|decided|going|gonna|feel(?:s|ing)? like|think(?:s|ing)? "
        r"(?:of|about)|thoughts? (?:of|about))(?: \w+)?(?: to)? (?:die|dying|be dead)",
        "",
        r"of|from|laughing|on (?:me|us)|out|down|my|the|his|her|hair|in the game",
        True,
    ),
    (
        "wish|better off",
        r"wish(?:e[sd])? (?:that )?(?:i|he|she|they) (?:(?:was|were) (?:dead|never born|not alive)"
        r"|(?:wasn't|weren't) (?:alive|born)|had never been born|could (?:just )?die)|better off "
        r"(?:dead|without me)",
        "",
        "",
        True,
    ),
    (
        "live|living|alive|exist|going on|go on|wake up",
        r"(?:no|any|is the|what's the|the) (?:reason|point|purpose) (?:to|in|of|for) (?:keep "
        r")?(?:living|live|going on|go on|being alive|exist|existing)|nothing (?:left )?to live for"
        r"|(?:\w+n't|not|never|no longer) want(?:s|ed|ing)? to (?:live|be alive|exist|wake up|go "
        r"on living|keep living|be here any ?more|go on any ?more)|(?:tired|sick|weary|done) (?:of"
        r"|with) (?:living|life|being alive|existing)|(?:can't|cannot|can not) go on (?:living|any "
        r"?more)|(?:not|isn't|no longer) worth living|(?:fall asleep|sleep) and (?:never|not) wake "
        r"up",
        "",
        r"in|with|at|near|there|here|under|out of|on the|on a|insurance|support|agent|chat|to (?:a"
        r"|an|the|find|see)",
        True,
    ),
    # ending a life
    (
        "life|lives|it all|pain|suffering|misery",
        rf"(?:end|ending|ended|take|taking|took|taken) {_WHOSE} (?:own )?(?:life|lives)"
        rf"|end(?:ing)? it all|end(?:ing)? (?:my|his|her|their|this|all this) (?:pain|suffering"
        rf"|misery|torment)",
        "",
        r"'s|to the|back|seriously|into|insurance|cycle|for granted|in (?:my|your|his|her|their)",
        True,
    ),
    (
        "die|dying|death|kill",
        r"(?:pain-?less|pain-?free|painful|easy|easiest|quick|quickest|fastest|best|peaceful"
        r"|effective|surest)(?:ly)?(?: and \w+)? (?:ways?|methods?|time|place|means) (?:to|of|for) "
        r"(?:die|dying|death|suicide)|(?:ways?|how) to die|die (?:painlessly|peacefully|without "
        r"pain)",
        "",
        r"of|hard|laughing",
        True,
    ),
    # methods
    (
        "wrist|throat|veins|my arm|my skin|my thigh|her arm|his arm",
        rf"(?:slit|slash|slic|cut)\w{{0,4}} (?:open )?{_WHOSE} (?:\w+ )?"
        r"(?:wrists?|throats?|veins?|arms?|skin|thighs?)",
        "",
        r"on|while|shaving",
        False,
    ),
    (
        "bridge|building|roof|cliff|balcony|window|ledge|train|truck|traffic|bus|subway|metro",
        r"(?:jump|leap|throw)\w{0,3}(?: \w+self)? (?:off|from|out of)(?: of)?(?: [\w-]+){1,2} "
        r"(?:bridge|building|roof|rooftop|cliff|balcony|window|ledge)|(?:jump|leap|throw|step|walk"
        r"|run|lie|lying)\w{0,4}(?: \w+self)? (?:in front of|under|into)(?: \w+){0,2} (?:trains?"
        r"|trucks?|bus|subway|metro|traffic|oncoming traffic)",
        "",
        "",
        False,
    ),
    (
        "overdos|lethal|fatal|deadly|pills|tablets|paracetamol|painkillers|bleach|antifreeze|drain "
        "cleaner|poison|noose",
        rf"overdos(?:e|ed|es|ing)|(?:lethal|fatal|deadly) (?:dose|amount|quantity)|(?:tak|took"
        rf"|swallow|swallowed|down|pop)\w{{0,4}} (?:all|a bottle|a whole|the whole|too many|a lot"
        rf"|a handful|enough)(?: \w+){{0,3}} {_SUBSTANCE}|how (?:many|much) (?:\w+ "
        rf"){{0,3}}{_SUBSTANCE}(?: \w+){{0,5}} (?:kill|die|lethal|fatal)"
        r"|(?:drink|drank|drinking|swallow|swallowed|swallowing|inject) (?:\w+ )?(?:bleach"
        r"|antifreeze|drain cleaner|poison)|noose",
        r"(?:data|information|notification|caffeine|sugar)",
        r"of (?:cuteness|information|data|e-?mails?)|on (?:cuteness|information|data)|attacks? on",
        True,
    ),
    (
        "brains|head|mouth|temple|bleed|skull",
        r"(?:blow|shoot)(?:ing)? (?:my|his|her|their|your) (?:\w+ )?(?:brains?|head|skull)"
        r"|(?:bullet|gun) (?:in|to|into|through|against) (?:my|his|her) (?:head|mouth|temple)"
        r"|bleed(?:ing)? (?:out|to death)",
        "",
        r"with questions|off",
        True,
    ),
    (
        "cutting|cutter|scars|cuts|razor|burn|skin|death wish|sleep forever|asphyxia",
        r"(?:urge|urges|want|wanna|started|stop|addicted)(?: to| \w+)? cut(?:ting)?(?: deeper| "
        r"again)?"
        rf"|(?:hide|hiding|cover|covering)(?: up)? {_WHOSE} (?:scars|cuts|burns|bruises)|(?:burn"
        rf"|carv|scratch)\w{{0,3}} {_WHOSE} (?:own )?(?:skin|arms?|flesh|wrists?)"
        r"|razor ?blades?|death wish|sleep forever|(?:auto)?asphyxiat\w+",
        "",
        r"costs?|the|down|back|off|prices?|into|my (?:hair|plan|bill|subscription|costs?|spending)"
        r"|ties|refill|subscription|corners|a|some|this|that|out|through|and paste|short|it|on"
        r"|hours",
        True,
    ),
    (
        "self|selves|my head|my own|my hand|my arm|my hair|breath|dangerous|deadly",
        rf"(?:giv\w{{1,3}}|mak\w{{1,3}}) {_SELF} (?:[\w-]+ )?(?:burns?|cuts?|scars?|bruises?"
        r"|wounds?|sick|vomit|throw up|bleed|faint|pass out)|(?:bang|hit|smash|slam)\w{0,4} my "
        r"(?:own )?head(?: "
        r"\w+){0,4} (?:until|till|so hard)|(?:break|broke|breaking) my own (?:\w+ )?(?:arms?|legs?"
        r"|bones?|fingers?|hands?|wrists?|nose)|my (?:hands?|arms?|fingers?|skin) (?:over|in|into"
        r"|on|against)(?: \w+){0,2} (?:flames?|fire|stove|candle|hot plate)|pull(?:ing)? out my "
        r"(?:own )?(?:hair|teeth|nails)|hold(?:ing)? my breath (?:until|till)|(?:dangerous|deadly"
        r"|life-threatening) (?:\w+ )?(?:challenges?|dares?|stunts?)|(?:choking|blackout"
        r"|pass-?out) (?:game|challenge)",
        "",
        r"of|for (?:our|the|your)|with (?:the|this|that)|laughing|against deadlines",
        True,
    ),
    # harm by eating or not eating
    (
        "anore|bulimi|thinspo|pro-ana|proana|eating disorder|vomit|throw|puk|purg|binge|eat|starv"
        "|laxative|weight|calories",
        r"anorexi[ac]\w*|bulimi[ac]\w*|thinspo\w*|pro-?ana|eating disorders?|binge(?: eat)? and "
        r"purge|(?:vomit|puk|throw|purg)\w{0,4}(?: \w+){0,4} (?:my food|meals?|what i ate|food (?:i"
        r"|he|she|they) \w+|after (?:i )?eat\w*)|(?:stop|stopped|avoid|without|quit|not)(?: "
        r"\w+){0,3} eat(?:ing)?(?: \w+)? for (?:a|\w+) (?:days?|weeks?)|binge eat(?:ing)? and "
        r"(?:then )?\w+|starving (?:to|for)|starve to|laxatives?|(?:extreme|dangerous|rapid"
        r"|extremely fast) weight loss",
        r"(?:dog|cat|puppy|kitten|baby)(?: is| was| keeps| has been)?",
        r"allowance|delivery|delivered|away|resources|cpu|threads?",
        True,
    ),
    # danger, now
    (
        "danger|safe|ambulance|abus|my life|for help",
        r"(?:am|i'm|is|she's|he's|they're|are|we're) in (?:\w+ )?danger|life is in danger|(?:not"
        r"|n't|un)(?: feel)? ?safe (?:at home|with (?:him|her|them)|in my (?:own )?(?:home|house))"
        r"|(?:need|send) (?:me )?an? ambulance|(?:please|you) call an ambulance|(?:fear|afraid"
        r"|scared|fearing) for my life|being (?:\w+ )?abused|(?:abuses|abusing) (?:me|us|her|him)"
        r"|domestic (?:violence|abuse)",
        "",
        r"of (?:losing|missing|being (?:locked|suspended|deleted|charged)|expiring|exceeding"
        r"|running|overspending)|zone",
        True,
    ),
    (
        "me|us|raped|stabbed|assaulted|broke|threaten",
        rf"{_WHO}(?:'s|'re| is| are| has| have| keeps?| will| wants? to| threaten\w* to"
        r"| is going to| said (?:he|she|they)(?:'ll| will))? (?:been )?(?:going to )?(?:hit|hits"
        r"|hitting|beat|beats|beating|kill|kills|killing|hurt|hurts|hurting"
        r"|strangl\w+|chok\w+|stab\w*|rap(?:e|ed|ing)|threaten(?:s|ing|ed)?) (?:me|us)"
        rf"|(?:he|she|{_RELATIVE})(?:'s| is| keeps)? attack(?:s|ing|ed) me|threaten(?:s|ed|ing)? "
        rf"to "
        r"(?:kill|hurt|shoot|stab|beat) (?:me|us|him|her|them)|(?:been|was|got|am being|i'm being) "
        r"(?:raped|stabbed|sexually assaulted|strangled)|(?:breaking|broke) into my (?:house|home"
        r"|flat) (?:right )?now|follow(?:s|ing|ed) me (?:home|down the street|in (?:a|his|her) "
        r"car)",
        r"(?:if|that)",
        r"with (?:a |the |an |their |these |those |this |another )?(?:\w+ )?(?:fees?|charges?"
        r"|bills?|invoices?|ads"
        r"|prices?|pric(?:e|ing) \w+|costs?|taxes|emails?|e-mails?|notices?|lawsuit|suspension)"
        r"|up|at|to (?:it|the)|for (?:being|this) "
        r"late|when (?:i|she|he) (?:find|see)|about|if i (?:miss|lose|don't)",
        False,
    ),
    # the plainest words of other languages
    (
        "mor|vida|matar|suizid|selbstmord|sterben|umbringen|leben|mourir|tuer|finir|uccid|死|杀|殺"
        "|умереть|убить себя|покончить|самоуб",
        r"(?:quiero|quisiera|quero|voglio) (?:morir(?:me)?|morrer|morire)|quitarme la vida"
        r"|(?:quiero|voy a|quero|vou) (?:matarme|me matar)|(?:voglio )?uccidermi|je veux (?:mourir"
        r"|me tuer)|en finir avec (?:la|ma) vie|(?:will|möchte) (?:nur noch |einfach )?sterben"
        r"|mich umbringen|(?:selbstmord|suizid)\w*|(?:will|möchte|mag) nicht mehr leben"
        r"|\w*(?:想死|自杀|自殺|死にたい)\w*|хочу умереть|убить себя|покончить с собой|самоуб\w*",
        "",
        "",
        True,
    ),
)  # fmt: skip
