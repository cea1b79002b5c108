"""The words by which a question is taken into its parts, as data. Words are lower case."""

from __future__ import annotations

# "And" joins nothing that could be asked for by itself here; each is a regular expression.
FIXED_PHRASES: tuple[str, ...] = (
    r"terms (?:and|n) conditions", r"back-?ups? and restores?", r"reads? and writes?",
    r"pros and (?:the )?cons", r"back and forth", r"command and control", r"up and running",
    r"drag and drop", r"(?:copy|cut) and paste", r"(?:search|find) and replace", r"trial and error",
    r"research and development", r"black and white", r"supply and demand", r"profit and loss",
    r"rock and roll", r"bed and breakfast", r"(?:questions?|q) and (?:answers?|a)", r"ins and outs",
    r"do'?s and don'?ts", r"wear and tear", r"health and safety", r"law and order",
    r"arts and crafts", r"first and foremost", r"now and (?:then|again)", r"once and for all",
    r"each and every", r"null and void", r"safe and sound", r"plug and play", r"pick and choose",
    r"(?:start|stop) and (?:start|stop)s?", r"on and off", r"in and out", r"up and down",
    r"to and fro", r"here and there", r"nuts and bolts", r"mix and match", r"hit and miss",
    r"hide and seek", r"dead and gone", r"by and large", r"bits and pieces", r"peace and quiet",
    r"food and drinks?", r"bread and butter", r"(?:user ?name|user|login|email|e-mail|id)s? and"
    r" (?:passwords?|pin)", r"names? and address(?:es)?", r"names? and (?:surname|password)s?",
    r"(?:check|drop|pay|park|walk|sign|log) in and out", r"lost and found", r"loud and clear",
    r"(?:monthly|daily|weekly|yearly) and (?:monthly|daily|weekly|yearly)", r"day and night",
    r"night and day", r"pay and display", r"track and trace", r"hardware and software",
    r"front and back(?: end)?", r"and so on", r"and so forth", r"and the like", r"and\/or",
    r"and such", r"and stuff", r"and vice versa", r"more and more", r"less and less",
    r"bring and buy", r"lock and key", r"input and output", r"push and pull", r"sum and substance",
    r"(?:one|two|three|four|five) and a half", r"hundred and \w+", r"thousand and \w+",
    r"trinidad and tobago", r"antigua and barbuda", r"bosnia and herzegovina",
    r"saint kitts and nevis", r"são tomé and príncipe", r"marks and spencer",
    r"procter and gamble", r"standard and poor'?s?", r"barnes and noble", r"ben and jerry'?s?",
    r"smith and wesson", r"black and decker", r"rolls and royce", r"romeo and juliet",
    r"adam and eve", r"tom and jerry", r"war and peace", r"crime and punishment",
    r"pride and prejudice", r"tyne and wear", r"lords? and ladies", r"ladies and gentlemen",
)  # fmt: skip

# After these a list of names is the name of one firm.
NAMES_END: frozenset[str] = frozenset(
    "partners sons daughters brothers co company associates family ltd inc group".split()
)

# What a thing can be asked about; the last word of an aspect.
ASPECTS: frozenset[str] = frozenset(
    """
    price prices pricing cost costs fee fees rate rates charge charges deposit discount tax
    size sizes memory ram storage disk traffic bandwidth speed speeds capacity limit limits quota
    weight height length width duration deadline date dates time times term terms
    address email phone number fax website hours location name owner contact
    availability uptime latency performance security support features quality colour color
    warranty guarantee eligibility requirements conditions benefits advantages disadvantages
    version versions backups regions cores processors population area capital currency
    """.split()
)

# What one thing has more of, and what that is a question of.
BETTER: dict[str, str] = {
    "cheaper": "price", "cheapest": "price", "dearer": "price", "expensive": "price",
    "faster": "speed", "fastest": "speed", "quicker": "speed", "slower": "speed",
    "bigger": "size", "biggest": "size", "larger": "size", "largest": "size", "smaller": "size",
    "safer": "security", "older": "age", "newer": "age", "heavier": "weight", "longer": "length",
}  # fmt: skip

# Verbs that begin a step.
STEPS: frozenset[str] = frozenset(
    """
    activate add attach book borrow buy cancel change check choose claim close complete configure
    connect contact convert copy create deactivate delete deploy detach disable download edit
    enable end export extend file find get give import increase install invite keep log lose make
    mark merge migrate modify mount move open order pause pay print prove publish read rebuild
    recover redeem reduce register remove rename renew repair replace report request reset resize
    resolve restart restore resume return review revoke run scale schedule see sell send set share
    show sign split start stop submit switch test track transfer turn unlock unsubscribe update
    upgrade upload use verify view
    """.split()
)

# A second step with one of these tells how the first is to go.
GOES_WITH: frozenset[str] = frozenset("keep lose make avoid stay".split())
# The same after "can I", which asks for both at once.
COMES_OF: frozenset[str] = frozenset("get see use find start run give prove".split())

PARTICLES: frozenset[str] = frozenset("up in out on off down back over away again".split())

# Words that name nothing to look up.
SMALL_WORDS: frozenset[str] = frozenset(
    """
    a about all also am an and any anything are as at be been but by can could did do does doing
    done each either else ever for from had has have he hello her here hey hi his how i i'd i'll
    i'm i've if in instead into is it it's its just kind let like many may me might mine more most
    much must my need no not now of off ok okay on one or other our out over please same she should
    so some something still such tell than thank thanks that that's the their them then there these
    they thing this those through to too up us very want was we well were what what's when where
    which while who whose why will with without would yes yet you your yours happen happens going
    show explain know else again ask question questions answer sure right maybe find think get
    gets take takes took need needs
    """.split()
)
