"""The words that the guardrails go by, as data: greetings, labels of numbers, softer words.

Nothing here is compiled or run; each list says how it is read. Words are lower case.
"""

from __future__ import annotations

# Each is one whole part of a message; parts are what stands between commas and full stops.
# A text in which every part fits is a greeting. `{name}` is the assistant's address.
GREETING_PATTERNS: tuple[str, ...] = (
    # openings
    r"h+i+(?: (?:again|there|all|everyone|everybody|team|folks|guys|sir|madam|mate|bot|friend))?",
    r"h+e+l+o+w?(?: (?:again|there|all|everyone|everybody|team|folks|sir|madam|world|bot|friend))?",
    r"h+e+y+a?(?: (?:again|there|all|everyone|everybody|team|folks|guys|you|mate|bot|friend))?",
    r"h[ae]llo(?: there)?",
    r"hiya|heya|howdy|yo+|sup|ahoy|aloha|hullo",
    r"greetings(?: (?:all|everyone|to you))?",
    r"welcome(?: back)?",
    r"good (?:morning|afternoon|evening|day)"
    r"(?: (?:to you|there|again|all|everyone|team|sir|madam))?",
    r"(?:to )?(?:all|everyone|everybody|team|folks|guys|sir|madam)",
    r"(?:top of the )?mornin[g']?|evening all|afternoon all",
    r"g'?day(?: mate)?",
    r"hi hi|hey hey|hello hello|knock knock",
    r"(?:long time no see|it'?s me(?: again)?|i'?m back|back again)",
    r"(?:is )?(?:any ?one|any ?body|some ?one) (?:there|here|around|home)|any ?one|any ?body",
    r"(?:are )?you (?:there|here|around|awake|online|up)",
    r"(?:just )?(?:saying|wanted to say) (?:hi|hello|hey)",
    r"(?:nice|good|great|pleased|lovely) to (?:meet|see|e-?meet) you(?: too)?",
    r"dear (?:sir|madam|sir or madam|team|support|support team|all)",
    r"to whom it may concern",
    # how are you
    r"how (?:are|r) (?:you|u|ya)(?: (?:doing|going|today|all|doing today|feeling|this morning))*"
    r"(?: my friend| mate)?",
    r"how(?:'?s| is) (?:it|everything|life|things|your day)(?: going)?(?: today)?",
    r"how (?:do you do|goes it|have you been|you doing|are things|was your day)(?: today)?",
    r"(?:what'?s|what is|whats) (?:up|new|good|happening|going on)",
    r"(?:i'?m|i am) (?:fine|good|well|ok|okay|great)(?: (?:thanks|thank you))?",
    r"(?:hope|i hope) (?:you'?re|you are|all is|this finds you|you'?re doing) well",
    # who and what are you
    r"(?:who|what) (?:are|r) (?:you|u)(?: exactly| really| for)?",
    r"(?:who|what company) (?:made|built|created|trained|runs|owns) you",
    r"who am i (?:talking|speaking|chatting|writing) (?:to|with)",
    r"(?:are|r) (?:you|u) (?:a |an |the )?(?:bot|robot|human|person|machine|real|ai|computer|llm"
    r"|real (?:person|human)|chat ?bot|chat ?gpt|(?:ai |virtual |digital )?assistant"
    r"|language model)",
    r"(?:is this|am i (?:talking|speaking|chatting) (?:to|with)) (?:a |an )?(?:bot|robot|human"
    r"|person|machine|real person|computer|chat ?bot)",
    r"what(?:'?s| is) your (?:name|purpose|job)",
    r"(?:do you have|have you got) a name",
    r"(?:tell me about|introduce) yourself",
    r"what (?:can|could|do|will) (?:you|u|this) (?:do|answer|know|help(?: me)?(?: with)?)"
    r"(?: for me| here)?",
    r"what can (?:i|we) (?:ask|ask you|ask here|do here|ask you about)(?: about)?",
    r"what (?:questions|topics|kind of questions|sort of questions) can (?:i|you) "
    r"(?:ask|answer|ask you)",
    r"how (?:can|could|do|will|would) (?:you|u) help(?: me)?(?: today)?",
    r"how (?:does|do) (?:this|you)(?: chat| bot| thing| assistant)? work",
    r"what is this(?: chat| bot| thing| for| page| about)?",
    r"help(?: me)?(?: please)?",
    r"(?:can|could|would|will) (?:you|u) help(?: me)?(?: please| out)?",
    r"(?:i|i'?ve|i have|i got)(?: have| had)? (?:a )?(?:quick )?question",
    r"(?:let'?s )?(?:start|begin|get started|start over)",
    # thanks and goodbyes
    r"(?:many |no |ok |okay |great |cool |perfect |all good )?thanks?(?: (?:you|u))?"
    r"(?: (?:so much|very much|a lot|a million|again|all|for (?:your|the|all your) help))*",
    r"ty|thx|tnx|cheers(?: mate| all)?|ta|much appreciated|appreciate it"
    r"|i appreciate (?:it|your help)",
    r"(?:that'?s|that is|you'?re|you are) (?:great|very kind|so helpful|very helpful|awesome"
    r"|perfect|all|the best)",
    r"(?:good ?bye|bye|bye bye|cya|see (?:you|ya)(?: later| soon| tomorrow)?|farewell|so long)"
    r"(?: (?:for now|now|then))?",
    r"(?:good ?night|have a (?:good|great|nice|lovely) (?:day|night|evening|one|weekend|time))",
    r"(?:take care|catch you later|talk (?:to you )?(?:later|soon)|until next time|later)",
    r"(?:you'?re|you are) welcome|no problem|my pleasure",
    r"(?:a )?(?:happy|merry) (?:new year|christmas|xmas|holidays|easter|weekend|birthday"
    r"|monday|friday)(?: (?:to you|everyone|all))?",
    # in other languages
    r"hola|buen[oa]s (?:d[ií]as|tardes|noches)|qu[eé] tal|gracias|muchas gracias|adi[oó]s",
    r"bonjour|bonsoir|salut|coucou|merci|merci beaucoup|au revoir",
    r"hallo(?: zusammen)?|guten (?:tag|morgen|abend)|gr[uü](?:ß|ss) gott|moin|servus|danke"
    r"|danke sch[oö]n|tsch[uü]ss|auf wiedersehen",
    r"ciao|buongiorno|buona ?sera|salve|grazie|arrivederci",
    r"ol[aá]|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]",
    r"hoi|goedemorgen|goedemiddag|goedenavond|dag|dank je|dank u|hej|god ?morgon|tack|tak|hei|moi",
    r"kia ora|t[eē]n[aā] koe|namaste|namaskar|salaam|as-?salaa?mu? alaikum|shalom|merhaba|selam",
    r"konnichiwa|ohayo|arigato|ni ?hao|xie ?xie|annyeong(?:haseyo)?|sawasdee|xin chao|habari|jambo",
    r"привет|здравствуйте|добрый день|спасибо|cześć|dzień dobry|ahoj|dobrý den|γεια(?: σου| σας)?",
    r"你好|您好|谢谢|こんにちは|おはようございます|ありがとう",
    r"안녕하세요|안녕|감사합니다|مرحبا|السلام عليكم|नमस्ते|שלום",
)

# Parts that say nothing beside a greeting ("perfect, thank you"); alone they may answer something.
ACKNOWLEDGEMENTS: frozenset[str] = frozenset(
    (
        "ok", "okay", "k", "alright", "all right", "perfect", "great", "got it", "i see", "awesome",
        "nice", "cool", "excellent", "wonderful", "brilliant", "lovely", "amazing", "super", "good",
        "sweet", "all good", "fine", "right", "makes sense", "understood", "that helped",
        "it helped", "that helps", "that worked", "it worked", "that works", "it works",
        "it works now", "that works now", "that was helpful", "very helpful", "that's it",
        "that is all", "that's all",
    )
)  # fmt: skip

# A text that starts like this and is short, but fits no pattern, may be a greeting.
GREETING_OPENERS: frozenset[str] = frozenset(
    "hi hello hey hiya heya howdy greetings hola bonjour hallo ciao morning evening afternoon "
    "good dear thanks thank cheers bye goodbye".split()
)

# Any of these in a text means that something is asked or wanted, so it is no mere greeting.
ASKING_WORDS: frozenset[str] = frozenset(
    "what when where which who whom whose why how can could do does did is are was were will "
    "would should may might have has need want cannot can't won't doesn't isn't my our tell show "
    "explain give get find change cancel refund reset export price cost plan pay bill".split()
)

# Words of good manners, which name nothing that could be looked up.
COURTESIES: frozenset[str] = frozenset(
    "sorry apologies pardon excuse please thanks thank regards sincerely kindly dear".split()
)

# Words shortly before or after a number that make it a telephone number.
PHONE_WORDS: tuple[str, ...] = (
    "phone", "phones", "telephone", "tel", "tel no", "mobile", "mob", "cell", "cellphone",
    "handy", "fax", "landline", "hotline", "call", "calls", "called", "calling", "ring", "dial",
    "text me", "sms", "whatsapp", "wa.me", "viber", "signal", "telegram", "reach me", "reached",
    "reach us", "contact", "contact me", "answering", "my number", "office", "desk", "voicemail",
    "callback", "call back", "direct line", "extension",
)  # fmt: skip

# Words shortly before a number that make it a payment card, even with a digit mistyped.
CARD_WORDS: tuple[str, ...] = (
    "card", "cards", "visa", "mastercard", "amex", "american express", "maestro", "discover",
    "diners", "jcb", "unionpay", "credit card", "debit card", "card number", "card no", "cc", "pan",
)  # fmt: skip

# Words just before a number that say it is something else, and may stay.
NUMBER_LABELS: tuple[str, ...] = (
    "order", "ticket", "case", "invoice", "tracking", "track", "ref", "reference", "booking",
    "reservation", "confirmation", "sku", "serial", "version", "build", "release", "error", "code",
    "id", "uid", "part", "model", "item", "product", "article", "licence", "license", "po", "rma",
    "parcel", "shipment", "package", "delivery", "consignment", "policy", "vat", "isbn", "issn",
    "ean", "upc", "gtin", "barcode", "asin", "zip", "postcode", "port", "pid", "process", "kb",
    "issue", "request", "receipt", "transaction", "purchase", "quote", "batch", "lot", "job",
    "claim", "incident", "commit", "revision", "timestamp", "epoch", "exit", "status", "event",
    "customer", "account", "member", "membership", "subscription", "contract", "server", "instance",
    "volume", "snapshot", "backup", "bestellung", "bestellnummer", "rechnung", "commande",
    "facture", "pedido", "factura", "ordine", "fattura", "pedido no",
)  # fmt: skip

# Mail services that people name aloud: "jane at gmail.com" is an address, "at example.com" is not.
WEBMAIL: tuple[str, ...] = (
    "gmail", "googlemail", "outlook", "hotmail", "live", "msn", "yahoo", "ymail", "icloud", "me",
    "aol", "gmx", "web", "proton", "protonmail", "fastmail", "zoho", "mail", "yandex", "qq", "163",
)  # fmt: skip

# Words that stand before "at" without being anybody's name.
NOT_A_NAME: frozenset[str] = frozenset(
    "in up on me us is are was be it now here there account mail email e-mail inbox address "
    "login log sign signed logged look available found hosted help support mine ours them "
    "everyone someone anyone find click go open user users".split()
)

# Endings by which a spelled-out address ("jane at example dot com") is believed.
SPOKEN_ENDINGS: tuple[str, ...] = (
    "com", "net", "org", "edu", "gov", "info", "biz", "io", "dev", "app", "ai", "co", "me", "uk",
    "nz", "au", "ie", "us", "ca", "de", "fr", "nl", "be", "ch", "at", "es", "it", "pt", "se", "no",
    "dk", "fi", "pl", "cz", "eu", "in", "jp", "cn", "kr", "br", "mx", "za", "example", "test",
)  # fmt: skip


# Words that make a text read like an error message. Each is a regular expression of whole words.
FAULT_WORDS: tuple[str, ...] = (
    "errors?", "errno", "exception", "traceback", "stack ?trace", "fatal", "segfault",
    "segmentation fault", "core dumped", "panic", "denied", "refused", "forbidden",
    "unauthori[sz]ed", "timed? ?out", "not found", "no such", "unable to", "undefined", "failed",
    "failures?", "crash(?:ed|es|ing)?", "corrupt(?:ed)?", "invalid", "unexpected",
    "exit (?:code|status)", "warn(?:ing)?", "abort(?:ed)?", "unreachable",
)  # fmt: skip

# A text of one or two words that holds no other word than these says nothing to look up.
SMALL_TALK_WORDS: frozenset[str] = frozenset(
    "yes no nope yep yeah yup nah ok okay k sure cool great nice good bad fine wow lol haha hehe "
    "perfect awesome amazing excellent brilliant lovely super wonderful right correct wrong true "
    "false maybe perhaps please sorry pardon hm hmm hm um uh oh ah aha well so then done agreed "
    "exactly indeed absolutely definitely certainly likewise same never mind nevermind got it i "
    "see not really of course why very much you that this is all too hello hi hey bye thanks "
    "thank thx ty cheers welcome understood noted enough stop continue go on again repeat more "
    "less shorter longer slower faster interesting funny me and but a the what who really bot "
    "makes sense fair alright wait hold on forget kidding joking obliged welcome either".split()
)

# Words that speak to the assistant or of oneself.
ADDRESSING_WORDS: frozenset[str] = frozenset(
    "you your yours yourself u ur you're you'll you've you'd i i'm i've i'll i'd im ive me my mine "
    "myself we we're our us let's lets".split()
)

# Words that begin a question or a request.
ASKING_FORMS: frozenset[str] = frozenset(
    "what what's whats which who who's whom whose when where where's why how how's is are was were "
    "do does did can could will would should may might has have had tell say show explain repeat "
    "please thanks thank thankyou yes yep no nope ok okay sorry wait compare list find give "
    "describe summarise summarize help check use write stop".split()
)
