"""Words of hate, insult and threat, and the people whom they are aimed at, for `toxicity`.

The lists hold words that no answer should hold. They are here so that the check can be read and
corrected by people; nothing of them is ever shown.
"""

from __future__ import annotations

# People as a group: nouns that name one by themselves.
GROUP_NOUNS: tuple[str, ...] = (
    "women", "woman", "females", "muslims?", "islamists", "jews?", "christians?", "hindus?",
    "sikhs?",
    "buddhists?", "atheists?", "catholics?", "immigrants?", "migrants?", "refugees?", "foreigners?",
    "asylum seekers?", "gays", "lesbians?", "homosexuals?", "bisexuals?", "transsexuals?",
    "transgenders", "africans?", "asians?", "arabs?", "mexicans?", "latin[oa]s?", "hispanics?",
    "indians?", "pakistanis?", "turks?", "albanians?", "romanians?", "ukrainians?", "russians?",
    "poles", "romani", "blacks", "the disabled", "the elderly", "autists", "pensioners?",
)  # fmt: skip

# Adjectives that name a group together with a word for people.
GROUP_ADJECTIVES: tuple[str, ...] = (
    "black", "white", "brown", "colou?red", "gay", "trans", "transgender", "queer", "lesbian",
    "bisexual", "homosexual", "disabled", "handicapped", "autistic", "deaf", "blind", "muslim",
    "jewish", "christian", "hindu", "sikh", "catholic", "immigrant", "migrant", "refugee", "asian",
    "african", "arab", "mexican", "chinese", "japanese", "indian", "female", "foreign", "old",
    "elderly", "poor", "homeless", "fat", "indigenous", "native", "roma", "latin[oa]",
)  # fmt: skip

PEOPLE_WORDS: tuple[str, ...] = (
    "people", "persons?", "folks?", "m[ae]n", "wom[ae]n", "lives", "life", "ones", "individuals?",
    "kids?", "child(?:ren)?", "communit(?:y|ies)", "throats?", "necks?", "families",
)  # fmt: skip

# What is said to deny that somebody is a human being of worth.
DEHUMANISING: tuple[str, ...] = (
    "vermin", "filth", "scum", "scumbags?", "trash", "garbage", "cockroach(?:es)?", "parasites?",
    "leech(?:es)?", "maggots?", "sub-?humans?", "lesser beings?", "human waste", "abominations?",
    "degenerates?", "barbarians", "savages?", "freaks",
)  # fmt: skip

# The same, of words that are ordinary elsewhere: they count right after "are" alone.
DEHUMANISING_HERE: tuple[str, ...] = (
    "dirt", "refuse", "pests?", "plague", "cancer", "disease", "animals", "apes?", "monkeys",
    "pigs",
    "dogs", "beasts?", "creatures", "rapists", "terrorists", "criminals", "rats", "rubbish",
)  # fmt: skip

# What is said of somebody in contempt.
CONTEMPT: tuple[str, ...] = (
    "disgusting", "repulsive", "revolting", "repugnant", "sickening", "filthy", "worthless",
    "inferior", "subhuman", "stupid", "stupidest", "dumb", "dumbest", "idiotic", "moronic",
    "ignorant", "brainless", "retarded", "pathetic", "ugly", "vile", "evil", "violent", "useless",
    "barbaric", "uncivili[sz]ed", "savage", "primitive", "despicable", "loathsome", "the worst",
    "absolute worst", "cruel", "cretinous", "shitty", "fucked in the head",
)  # fmt: skip

# Words for a person that insult whoever is called so.
INSULTS: tuple[str, ...] = (
    "idiots?", "morons?", "imbeciles?", "cretins?", "assholes?", "arseholes?", "bastards?",
    "dickheads?", "motherfuckers?", "fuckers?", "pricks?", "cunts?", "twats?", "wankers?",
    "dumbass(?:es)?", "jackass(?:es)?", "scumbags?", "shitheads?", "bitch(?:es)?", "whores?",
    "sluts?",
    "losers?", "dimwits?", "halfwits?", "simpletons?", "dunces?", "pieces? of shit", "bullshit",
    "arschloch", "wichser", "hurensohn", "fotze", "connards?", "connasse", "salopes?", "enculés?",
    "pendejos?", "gilipollas", "cabrón", "hijos? de puta",
)  # fmt: skip

# Words that only swear, at nobody.
SWEARING: tuple[str, ...] = (
    "f+u+c+k(?:s|ed|ing|in|'s sake)?", "for f+u+c+k's sake", "wtf", "damn(?:ed|it)?",
    "god-?damn(?:ed)?", "bloody", "shit(?:ty)?", "crap(?:py)?", "the hell",
)  # fmt: skip

# Slurs, whatever else is said.
SLURS: tuple[str, ...] = (
    "niggers?", "niggas?", "faggots?", "trann(?:y|ies)", "shemales?", "kikes?", "wetbacks?",
    "gooks", "ragheads?", "towelheads?", "camel ?fuckers?", "sand ?niggers?", "rapefugees?",
    "muzz(?:ie|y)s?", "mongoloids", "jigaboos?", "darkies", "shirtlifters?", "poofters?",
    "carpet ?munchers?", "bulldykes?", "heebs", "pikeys?", "kanaken?", "schwuchteln?", "maricón",
    "bougnoules?", "untermensch(?:en)?",
)  # fmt: skip

# Slurs that are ordinary words as well; they count only where somebody is called so.
SLURS_OF_TWO_MEANINGS: tuple[str, ...] = (
    "fags?", "dykes?", "queers?", "hoes?", "coons?", "cripples?", "mongs?", "bitch(?:es)?",
    "sluts?",
    "whores?", "homos?", "negro(?:es)?", "chinks?", "spics?", "gook", "pakis?", "retards?",
    "spastics?", "beaners?", "yids?", "gypp?os?", "shemales?",
)  # fmt: skip

# What is done to people who are killed, hurt or driven out.
VIOLENCE: tuple[str, ...] = (
    "kill", "killed", "murder", "murdered", "shoot", "shot", "stab", "stabbed", "hang", "hanged",
    "strangle", "strangled", "slaughter", "slaughtered", "execute", "executed", "exterminate",
    "exterminated", "eradicate", "eradicated", "annihilate", "gas", "gassed", "lynch", "lynched",
    "behead", "beheaded", "rape", "raped", "beat up", "beaten up", "get rid of", "wipe out",
    "wiped out", "put an end to", "bomb", "torture", "tortured", "burned at the stake",
    "burned alive", "burnt alive", "castrate", "castrated", "punch", "drown", "stone", "whip",
)  # fmt: skip

# Words that say that what is reported is wrong.
DENOUNCING: tuple[str, ...] = (
    "not ok(?:ay)?", "(?:think|makes you think) it'?s ok(?:ay)?", "unacceptable", "horrible",
    "hateful",
    "hatred", "bigot(?:ed|ry|s)?", "racis[tm]", "sexis[tm]", "homophobi[ac]", "transphobi[ac]",
    "ableis[tm]",
    "islamophobi[ac]", "antisemiti[cs]m?", "dehumani[sz]ing", "hurts to", "consequences",
    "get away with",
    "call out", "thrown in jail", "blocked", "banned", "condemn(?:s|ed)?", "denounced?",
    "seriously believe",
    "does not reflect well", "shameful", "disgrace(?:ful)?", "appalling", "wrong",
    "never acceptable",
    "prohibited", "forbidden", "against (?:the|our) (?:rules|policy|policies|law)", "illegal",
    "report(?:ed)?",
    "so sad", "breaks my heart", "stop (?:saying|calling)", "don'?t (?:say|call)", "offensive",
    "abusive", "slurs?",
)  # fmt: skip
