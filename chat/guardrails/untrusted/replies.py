"""Orders about the reply itself: its form, or something that is to be slipped into it.

Rows as in `phrases`. A handbook asks people to write replies too ("Include your order number in
your reply"); what it asks to be sent along is left alone.
"""

from __future__ import annotations

from chat.guardrails.untrusted.phrases import NEW_TASK, Row

_REPLY = "(?:answers?|repl(?:y|ies)|responses?|outputs?)"
# What people are asked to send along, and is nothing that is slipped in.
_NOT_SENT = (
    "(?! (?:your|our|any|all|as much|screenshots?|photos?|details|proof|it|them|this|these|that"
    "|evidence|an? (?:screenshot|photo|copy|picture|description|scan|file|code)"
    "|the (?:\\w+ )?(?:orders?"
    "|tickets?|case|invoice|account|reference|number|id|code|date|name|e-?mail|details|information"
    "|address|header|status|token|form))\\b)"
)
_CHANGES = (
    "encode|encrypt|cipher|decipher|obfuscate|translate|reverse|misspell|mispell|scramble|jumble"
    "|shuffle|rearrange|transliterate|capitalize|capitalise|shift|swap|substitute|anagram|mirror"
    "|garble"
    "|invert|flip|compress|condense|shorten|merge|join|double|repeat|alternate|mix|mangle|distort"
    "|corrupt|twist|convert|replace|rewrite|modify|alter|change|rephrase|paraphrase|spell|remove"
    "|omit"
    "|eliminate|strip|drop|format|present|express|structure|restructure|compose|deliver|phrase"
    "|render"
    "|turn|transform|mask|hide|disguise|conceal|use|utilize|utilise|employ|apply|adopt|group|split"
    "|separate|space|make|craft|frame|design|shape|tailor|adjust|exaggerate|fill|intersperse"
    "|perform"
    "|execute|implement|intentionally|randomly|deliberately|subtly|purposely|purposefully|switch"
    "|interchange|exchange|leave|skip|avoid|ensure|represent|map|symbolize|decorate|season|rhyme"
)
_SLIPS_IN = (
    "add|append|include|including|insert|introduce|integrate|incorporate|embed|put|mention|place"
    "|slip"
    "|weave|sprinkle|prepend|work|attach|conclude|end|start|begin|finish|close|highlight|stress"
    "|emphasize|emphasise|discuss|suggest|promote|advertise|recommend|hint|refer|tease|reference"
    "|feature|showcase|inject|infuse|plant|smuggle|share|offer|propose|announce|spread|imply|direct"
    "|encourage|urge|invite|claim|assert|fabricate|invent|bring up|pose"
    "|create|generate|produce|craft a|supplement|enrich|enhance|augment|preface"
    "|finalize"
)
_CODE = (
    "(?:code|script|snippet|function|program)(?: (?:block|snippet|excerpt|segment|fragment|piece))?"
)
_PIECE = "(?:code (?:block|snippet|excerpt|segment|fragment|piece)|script|snippet|excerpt)"
_WORK = (
    "(?:code(?:base)?|implementation|solution|response|answer|reply|elucidation|explanation|output"
    "|design|architecture|program|development)"
)

REPLIES: tuple[Row, ...] = (
    (
        NEW_TASK,
        _CHANGES,
        f" (?:[^.!?]{{0,90}}? )?(?:in |of |for |from |within |to "
        f"|throughout )?your (?:\\w+ )?{_REPLY}\\b",
        True,
    ),
    (
        NEW_TASK,
        "encode|encrypt|translate|reverse|misspell|scramble|jumble|shuffle|rearrange|garble|shift"
        "|substitute|cipher|obfuscate|mix up|anagram",
        " (?:(?:[^.!?]{0,60}? )?(?:of|in|for|from|within) your message\\b|your message (?:to|into"
        "|in"
        "|using|by)\\b)",
        True,
    ),
    (
        NEW_TASK,
        _SLIPS_IN,
        f"{_NOT_SENT} (?:[^.!?]|\\.(?=\\w)){{1,160}}? (?:in|into|to|within|throughout|of|on|with"
        f"|inside|as part"
        f" of|at the (?:end|start|beginning|top|bottom|close) of) your (?:\\w+ )?{_REPLY}\\b",
        True,
    ),
    (
        NEW_TASK,
        _SLIPS_IN,
        f' ["\'][^"]{{1,160}}["\'] (?:in|into|to|within|at the \\w+ of) your (?:\\w+ )?{_REPLY}\\b',
        True,
    ),
    (
        NEW_TASK,
        "in your|within your|throughout your|at the end of your|as part of your|to your|for your",
        f" (?:\\w+ )?{_REPLY} (?:\\w+ly )?(?:{_SLIPS_IN}|{_CHANGES})\\b{_NOT_SENT}",
        True,
    ),
    (
        NEW_TASK,
        "reply|respond|answer|write|speak|talk|communicate|type",
        " (?:(?:back|only|always|entirely|everything) )?(?:in|using|with|like|as) (?:(?:a|an"
        "|the) )?"
        "(?:(?:reversed?|base ?64|binary|morse|pig ?latin|leet ?speak|rot ?13|code|emojis?|rhymes?"
        "|all"
        " caps|capitals|capital letters|lower ?case|caesar|hexadecimal|backwards?|cipher|riddles?"
        "|haiku"
        "|poems?|verse|slang|pirate\\w*|shakespeare\\w*|style of|voice of|tone of)"
        "|(?:foreign|secret|different|strange) language)",
        True,
    ),
    (
        NEW_TASK,
        "following|subsequent|below|ensuing|provided|given|succeeding",
        f" {_CODE} [^.!?]{{0,60}}?\\b(?:in|into|within|to|of|for|throughout"
        f"|across) (?:\\w+ ){{0,8}}?"
        f"(?:your (?:\\w+ )?{_WORK}\\b|the {_WORK} (?:that )?you\\b)",
        False,
    ),
    (
        NEW_TASK,
        "your",
        f" (?:\\w+ )?{_WORK} [^.!?]{{0,80}}?(?:following|subsequent|below|ensuing) {_PIECE}\\b",
        False,
    ),
)
