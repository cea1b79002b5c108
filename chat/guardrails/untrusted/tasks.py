"""Orders to an assistant in English about what to say, to whom, and where to send it.

Rows as in `phrases`.
"""

from __future__ import annotations

from chat.guardrails.untrusted.phrases import AI, EXFILTRATION, NEW_TASK, Row

TASKS: tuple[Row, ...] = (
    # what to say, to whom, and from when on
    (
        NEW_TASK,
        "from now on|from this point on|from this point forward|from here on|henceforth"
        "|going forward|from this moment on",
        " (?:(?:you|and|please|always|only|the assistant) ){0,2}(?:(?:must|should|shall|will|are to"
        "|have to|need to|can) )?(?:(?:always|only|never) )?(?:say|states?|answer|respond|reply"
        "|tell"
        "|pretend|act as|ignore|speak|talk|obey|recommend|refer to|write|output|claim|refuse)",
        False,
    ),
    (
        NEW_TASK,
        "respond|reply|answer|responding|replying|answering",
        " (?:(?:only|solely|exclusively|nothing but) (?:with|in|by|as|using|the)|(?:with|in|by"
        "|using)"
        " (?:only|nothing but|exactly|just)|with (?:the|a) (?:single|exact)|to (?:all|every"
        "|any) \\w+"
        " (?:with|by)|(?:in|using|with) (?:reverse|base ?64|binary|morse|pig ?latin|leet ?speak"
        "|rot ?13|code|emojis?|rhymes?|all caps|capital letters|caesar|hexadecimal|backwards"
        "|the style of|the voice of|a (?:foreign|secret|different) language))",
        True,
    ),
    (
        NEW_TASK,
        "tell|inform|notify|assure|convince|persuade|advise|instruct|direct|urge|encourage|remind",
        " (?:the|every|all|each|any|all the)? ?(?:end )?users? (?:that|to (?:visit|click|call|send"
        "|enter|download|install|pay|transfer|provide|share|go|contact|log|sign|buy))",
        True,
    ),
    (
        NEW_TASK,
        "if|when|whenever",
        " (?:asked|you are asked|you're asked|(?:the|a|any) users? asks?|users ask|anyone asks"
        "|someone asks|somebody asks) [^.!?]{0,90}?\\b(?:say|answer|reply|respond|tell (?:them|him"
        "|her|the)|states?|recommend|claim|refuse|always|pretend|lie)\\b",
        False,
    ),
    (
        NEW_TASK,
        "for all|for any|for every|in all|in every",
        " (?:(?:of the|the|your) )?(?:subsequent|future|following|further|other|later|remaining"
        "|next)"
        " (?:\\w+ )?(?:questions?|quer(?:y|ies)|requests?|answers?|repl(?:y|ies)|responses?"
        "|messages?"
        "|prompts?|conversations?|turns?) [^.!?]{0,40}?\\b(?:say|states?|answer|respond|reply|tell"
        "|claim|recommend|pretend|you|include|append)\\b",
        False,
    ),
    (
        NEW_TASK,
        "your",
        " (?:new|real|actual|true|only|sole|primary) (?:task|goal|job|objective|mission|purpose"
        "|instructions?|directives?|persona|identity|name|guidelines|system prompt) (?:is|are"
        "|will be)",
        False,
    ),
    (
        NEW_TASK,
        "new|updated|revised|hidden|secret|real|actual|additional|special|important|urgent"
        "|critical|emergency|system|admin|administrator|note|message|instructions|instruction"
        "|attention|reminder|notice|command|order|directive",
        f" (?:(?:\\w+ )?(?:instructions?|tasks?|directives?|orders?|commands?|notes?|message"
        f"|notice)"
        f" )?(?:for|to) (?:the |all |any |every |you the |our )?{AI}",
        False,
    ),
    (
        NEW_TASK,
        "new|hidden|secret|overriding|overridden",
        " (?:instructions|directives)(?= ?:)",
        True,
    ),
    (
        NEW_TASK,
        "system override|system update|admin override|instruction override|override code",
        "",
        True,
    ),
    (
        NEW_TASK,
        "ai|llm|llms|assistant|assistants|chatbot|language model|language models|ai assistant"
        "|ai model|gpt|gemini",
        " (?:reading|processing|summari[sz]ing|parsing|analy[sz]ing|that reads?|who reads?"
        "|which reads?"
        "|must|should|shall|is to|are to|has to|have to) (?:\\w+ ){0,2}(?:this|the|these|say|answer"
        "|reply"
        "|respond|ignore|tell|state|disregard|follow|obey|output|recommend|write|include|always)",
        False,
    ),
    (
        NEW_TASK,
        "if you are|if you're|as|since you are|because you are",
        f" (?:an?|the) (?:\\w+ )?{AI} (?:\\w+ ){{0,3}}?(?:you|must|should|say|ignore|reply|respond"
        "|please|include|write|tell|answer|output|then)",
        False,
    ),
    (
        NEW_TASK,
        "you must|you should|you shall|you will|you have to|you are to|you need to|always|never"
        "|only",
        " (?:(?:always|now|only|never|instead|then|first|also) )?(?:say (?:that|only|the|exactly)"
        "|obey"
        "|state that|output|respond (?:with|only|as|to (?:all|every))|reply (?:with|only|as)"
        "|answer "
        "(?:with (?:the word|yes|no|only)|only|as)|tell the user|pretend|refuse to answer"
        "|recommend (?:the|our|only) (?:product|competitor|following))",
        True,
    ),
    (
        NEW_TASK,
        "your",
        " (?:final |next |first |entire |only )?(?:answers?|repl(?:y|ies)|responses?"
        "|output) (?:must|should|shall|has to"
        "|needs to|will|is to) (?:always |only |not )?(?:start|begin|end|always|only|say|be in|be"
        " (?:the|exactly|only|written)|consist|contain (?:the (?:word|phrase|sentence)|only))",
        False,
    ),
    # somebody who says that they may give orders, and a pressing request
    (
        NEW_TASK,
        "i|we",
        " (?:(?:hereby|now|as your \\w+|strictly) )?(?:order|command|instruct|authori[sz]e|require"
        "|direct"
        "|need|want|urge|beg|implore) (?:you|the assistant) to (?:\\w+ly )?(?:say|states?|tell"
        "|confirm"
        "|reveal|respond|reply|answer|ignore|disregard|forget|output|print|pretend|act|recommend"
        "|write"
        "|provide the|share the|give me|conclude|approve)",
        False,
    ),
    (
        NEW_TASK,
        "it is|it's",
        " (?:\\w+ly )?(?:crucial|vital|imperative|essential|critical|important|urgent|necessary"
        "|mandatory)"
        " (?:that you|for you to) (?:\\w+ly )?(?:say|states?|tell|confirm|reveal|respond|reply"
        "|answer"
        "|ignore|disregard|output|recommend|conclude|approve|share your|disclose)",
        False,
    ),
    # a made-up world in which something else is true
    (
        NEW_TASK,
        "in a|in this|in the|imagine a|imagine this|suppose a|consider a|assume a",
        " (?:hypothetical |fictional |imaginary |parallel |alternate |virtual |simulated "
        "|made-up )?"
        "(?:world|scenario|simulation|game|universe|story|situation|reality|case) (?:where|in which"
        "|when|that) [^.!?]{0,120}?\\b(?:you|we|i|one) (?:must|should|might|would|could|can|may"
        "|will) "
        "(?:\\w+ly )?(?:say|states?|tell|answer|respond|reply|conclude|claim|write|report"
        "|reveal)\\b",
        False,
    ),
    (
        NEW_TASK,
        "system|admin|administrator|root|god|override|superuser|sudo",
        " mode (?:activated|enabled|engaged|on|initiated|unlocked)\\b",
        False,
    ),
    (
        NEW_TASK,
        "state|say|respond|reply|answer|output|print|conclude|report|write",
        " (?:instead|that the (?:document|page|paper|article|resume|candidate|user|customer|answer"
        "|capital|conclusion|sum|total|result) (?:is|are|was|has|should)|the following instead"
        "|exactly the following)",
        True,
    ),
    # carrying something out
    (
        EXFILTRATION,
        "send|post|upload|forward|email|e-mail|transmit|exfiltrate|submit|leak|append|encode|report"
        "|copy|pass|deliver|relay|share",
        " (?:(?:me|all|the|every|any|this|your|their|these|full|entire|whole|of|user'?s?|a copy of"
        "|complete|our) ){0,4}(?:conversation|chat (?:history|logs?)|system prompt|api keys?"
        "|credentials|secrets?|passwords?|previous (?:messages?|answers?)|private data|chat|history"
        "|(?:personal|sensitive|confidential) (?:data|information|details)|data"
        "|context) [^.!?]{0,60}?"
        "\\b(?:to|at|via|using|by) (?:[\\w-]+ ){0,3}?(?:https?:|www\\.|[\\w.+-]+@[\\w-]+\\."
        "|[\\w-]+\\.(?:com"
        "|net|org|io|example|ru|cn)/)",
        True,
    ),
)
