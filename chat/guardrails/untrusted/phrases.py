"""Orders to an assistant in English that undo what it was told or who it is, for `orders`.

A row is a kind, the words that such an order begins with, what must follow them, and whether it
has to begin a sentence or stand after a word that gives an order ("and", "must", "please").
Beginnings are plain text and are looked for first; only there is the expression tried, so that a
long document costs little. A blank stands for blanks and light punctuation. Nothing repeats a
repeat without a bound.
"""

from __future__ import annotations

Row = tuple[str, str, str, bool]

OVERRIDE, ROLE_PLAY, SYSTEM_PROMPT = "override", "role_play", "system_prompt"
NEW_TASK, EXFILTRATION, FAKE_TURN = "new_task", "exfiltration", "fake_turn"

_ANY = (
    "(?:(?:all|any|every|each|of|the|your|these|those|this|that|my|our|its|other|both|everything"
    "|anything|whatever|such|and|to|about|other|absolutely|completely|entirely|just) ){0,5}"
)
_BEFORE = (
    "(?:previous(?:ly)?|prior|above|preceding|earlier|foregoing|former|past|existing|original"
    "|initial|old|current|last|aforementioned|given|stated|system|developer|built-in|safety)"
)
_RULES = (
    "(?:instructions?|prompts?|rules|guidelines?|guidance|directives?|commands?|orders|constraints"
    "|restrictions|directions|programming|training|policies|context|text|tasks?)"
)
AI = (
    "(?:ai|a\\.i\\.|assistants?|llms?|chat ?bots?|bots?|language models?|\\w*gpt[-\\w]*"
    "|gemini|ai (?:models?|systems?|agents?|assistants?)|virtual assistants?)"
)
_SOURCE = (
    "(?:web ?page|web ?site|page|resume|cv|document|article|table|text|paper|e-?mail|passages?"
    "|context|question|review|file|content|rest|rest of (?:the|this) \\w+|user(?:'s)?"
    "(?: (?:question|request|query|message|input))?|above|following)"
)
_SAY = (
    "(?:say|states?|write|reply|respond|output|print|answer|tell|claim|report|return|conclude"
    "|summari[sz]e|mention|recommend|declare|instead)"
)
_SECRET_TEXT = (
    "(?:(?:full|entire|whole|exact|complete|original|initial|hidden|secret|internal|current|above"
    "|previous|verbatim|first|raw|own) ){0,3}(?:(?:system|developer|hidden|secret|internal|initial"
    "|original|pre-?|starting|base) ?(?:prompts?|messages?|instructions?|directives?|rules)"
    "|prompts?)"
)
_YOUR_TEXT = (
    f"(?:{_SECRET_TEXT}|(?:(?:full|entire|whole|exact|complete|original|initial|hidden|secret"
    "|internal|current|above|previous|system|given|confidential|safety) ){1,3}"
    "(?:instructions?|rules|guidelines|directives|configuration))"
)

COUNTERMANDS: tuple[Row, ...] = (
    # what was said before is to count for nothing
    (
        OVERRIDE,
        "ignore|ignoring|disregard|disregarding|forget|forgetting|override|overrule|bypass|discard"
        "|neglect|overlook|abandon|pay no attention to|do not follow|don't follow|stop following"
        "|do not obey|don't obey|stop obeying|take no notice of|erase|dismiss|put aside|set aside"
        "|do not listen to|don't listen to|never mind|delete",
        f" {_ANY}(?:{_BEFORE} (?:[\\w-]+ )?{_RULES}|your (?:[\\w-]+ )?(?:instructions?|prompts?"
        "|programming|training|guidelines?|directives?|system \\w+)|(?:system|developer) "
        "(?:prompts?|messages?|instructions?))",
        False,
    ),
    (
        OVERRIDE,
        "ignore|disregard|forget|pay no attention to|stop following|do not follow",
        f" {_ANY}(?:instructions?|prompts?|rules|directives?|orders|text|words|content) "
        "(?:above|before|so far|you (?:have|were|had|got)|given|that (?:came|were|was)|prior"
        "|preceding|from (?:the )?(?:system|developer|above))",
        False,
    ),
    (
        OVERRIDE,
        "ignore|disregard|forget",
        " (?:(?:everything|anything|all|all of|whatever|what) (?:that )?(?:is |was |has been "
        "|the )?"
        "(?:above|before|you (?:were|have been|know|'ve been|had)|i (?:said|told|wrote)|said before"
        "|written (?:above|before)|prior|previous|else)|the above(?: and| instead| instructions?"
        "| text| \\.)|(?:all )?(?:that|this),? (?:and|instead) )",
        False,
    ),
    (
        OVERRIDE,
        "ignore|disregard|forget",
        f" (?:about )?(?:the|this|that|all|my|any) {_SOURCE}(?: above| below)?(?: and| then| just"
        f"| but| instead| simply| only){{1,2}} {_SAY}",
        False,
    ),
    (
        OVERRIDE,
        "ignore|disregard|forget|override|overrule|bypass|do not follow|stop following",
        " (?:all|any|every|all of|each) (?:of )?(?:the |your |these |those )?"
        "(?:instructions?|rules?|guidelines?|directives?|restrictions|safeguards|policies|prompts?)",
        True,
    ),
    (OVERRIDE, "ignore the above|ignore all of the above|disregard the above", " and ", False),
    (
        OVERRIDE,
        "do not answer|don't answer|never answer",
        " the (?:user|question)'?s? .{0,40}(?:instead|only)",
        False,
    ),
    (
        OVERRIDE,
        "no longer",
        f" (?:bound|restricted|limited|constrained"
        f"|governed) by (?:\\w+ )?(?:{_BEFORE} )?(?:{_RULES}"
        "|filters|ethics|openai|your)",
        False,
    ),
    # somebody else to be
    (
        ROLE_PLAY,
        "you are now|you're now|you are going to be|you are no longer|you will now be|you are not",
        f" (?:(?:an?|the|in|my|acting|called|named|going|just) ){{0,2}}(?:[\\w-]+ ){{0,3}}(?:{AI}"
        f"|dan"
        "|stan|jailbroken|unrestricted|unfiltered|uncensored|evil|pirate|persona|character"
        "|hacker|free of (?:all|any)|(?:god|dan|jailbreak|unrestricted|sudo|root|evil) mode)",
        False,
    ),
    (
        ROLE_PLAY,
        "you are|you're|act|behave|pretend|imagine|roleplay|role-play|respond|speak|talk",
        f" (?:as |like |as if |that |to be |you are |you're |you were ){{0,3}}(?:an?|the|my) "
        f"(?:[\\w-]+ ){{0,3}}(?:unrestricted|unfiltered|uncensored|jailbroken|amoral|evil|"
        f"(?:{AI} (?:with no|without|that (?:can|has no|will|ignores|does not|always)|who|named"
        "|called)))",
        False,
    ),
    (ROLE_PLAY, "pretend|imagine", " (?:that )?you(?:'re| are| were| have no)", True),
    (
        ROLE_PLAY,
        "act|behave|respond|reply|answer|speak|talk|write",
        " (?:as|like) (?:if you (?:are|were)|though you (?:are|were)|a pirate|dan\\b)",
        True,
    ),
    (
        ROLE_PLAY,
        "assume|take on|adopt|play",
        " the (?:persona|identity|character|personality) of",
        True,
    ),
    (
        ROLE_PLAY,
        "do anything now|dan mode|jailbreak mode|jailbroken mode|developer mode enabled",
        "",
        False,
    ),
    (
        ROLE_PLAY,
        "entering|enter|activate|enable|switch to|switching to|i am in|you are in",
        " (?:\\w+ ){0,2}(?:override|jailbreak|unrestricted|god|dan|knowledge verification"
        "|law enforcement[\\w ]{0,12}) mode",
        False,
    ),
    # what the assistant was told
    (
        SYSTEM_PROMPT,
        "reveal|show|print|repeat|output|display|tell|give|share|leak|disclose|expose|write|return"
        "|provide|recite|list|summarize|summarise|translate|send|paste|dump|copy|spell|encode"
        "|describe|quote|include|append|what is|what are|what were|what was|what's",
        f" (?:me |us |out |back |to me |verbatim |word for word |the user ){{0,2}}(?:"
        f"(?:all of |all )?(?:your|its) (?:{_YOUR_TEXT}|instructions)"
        "|(?:all of |all )?the (?:[\\w-]+ )?(?:system|developer|hidden) (?:prompts?|instructions?)"
        "|the (?:instructions|prompt|rules) (?:you (?:were|have|got)|above|given to you))",
        False,
    ),
    (
        SYSTEM_PROMPT,
        "repeat|print|output|copy|recite|write out|echo",
        " (?:back )?(?:everything|all|the (?:words|text|content|lines?|above)) (?:\\w+ ){0,2}"
        "(?:above|before|from the (?:beginning|start|top)|starting with|verbatim)",
        False,
    ),
)
