"""The words that the reading of a follow-up goes by, as data. Lower case."""

from __future__ import annotations

from chat.adapters.offline.text import stem

DETERMINERS = frozenset(
    "a an the this that these those my your our his her its their some any no every each".split()
)
PREPOSITIONS = frozenset(
    "of in on at to for from with by about into over under between against during after before "
    "without within through via than as like per near around versus vs regarding besides aside "
    "except including".split()
)
AUXILIARIES = frozenset(
    "is are was were am be been do does did can could will would shall should may might must has "
    "have had isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't "
    "shouldn't haven't hasn't hadn't what's who's where's how's".split()
)
PERSONS = frozenset("i you we he she they it one there".split())
VERBS = frozenset(
    map(
        stem,
        """
        accept achieve act add affect agree aim allow announce appear apply arrive ask
        attend avoid ban beat become began begin behave believe belong block book break
        bring broke brought build built buy call came cancel carry cause celebrate charge
        check choose close come compare compete complete configure connect consider
        contact contain continue contribute convert cost cover create cut deal decide
        define delete deploy describe design detect determine develop die differ discover
        discuss do download draw drive earn eat enable encounter end enter establish
        evolve exist expand expect expire explain explore export extend face fail fall
        feel fight file find finish fit fix follow form found gain gave get give go
        graduate grow handle happen hear heard help hire hold hurt impact import improve include
        increase inspire install invest involve join keep kill know last launch lead learn
        leave left live look lose lost love made maintain make manage marry mean meet
        mention merge met migrate move name need occur offer open operate originate own
        pay perform pick plan play prefer prevent produce protect prove provide publish
        purchase put raise shift ran reach react read receive recommend record recover
        reduce reduced refer refund register reject relate release rely remain remember
        remove renew replace report request require reset resize respond restart restore
        result retire return rise rotate run save say see seem sell send serve set share
        show sign sing solve sound speak spend spread stand start stay stop store study
        succeed suffer suggest support suspend take talk taught teach tell terminate think took
        track train transfer travel treat try turn understand update upgrade upload use vary
        verify visit wait walk want was watch wear weigh went win won wonder work write
        wrote
        """.split(),
    )
)
# Nouns that name a side of a thing: of "the symptoms of flu" the thing is flu.
SIDES = frozenset(
    """
    type kind form example symptom cause effect advantage disadvantage benefit drawback pro
    con cost price history origin purpose use feature difference part component characteristic
    member role importance impact result side sign stage treatment risk requirement rule limit
    step cast theme goal aim name date definition meaning function reason basis founder
    capital population size ingredient model version option alternative winner adaptation
    creation discovery objective class category way method property aspect fact detail
    information overview summary lifecycle life cycle amount number pros cons uses causes
    """.split()
)
# Words that say how a thing is, and name none.
STATES = frozenset(
    """
    born known famous different distinct unique successful good great best better bad worst
    worse efficient popular available able likely important interesting interested involved
    related similar expensive cheap free safe legal true wrong right healthy healthiest
    dangerous traditional nice cool wow okay ok sure oh hm hmm well special common main
    typical average real married alive dead old young new big small long short high low hard
    easy possible necessary compatible included required done made caught going
    gone easier harder cheaper faster slower bigger smaller easiest biggest largest fastest
    serious addition first second third next last two three four five
    """.split()
)
NAME_GLUE = frozenset("of the and de von van du la le & for".split())
TIMES = frozenset(
    "day days week weeks month months year years time times today tomorrow yesterday".split()
)
PLURALS = frozenset("people men women children mice feet police staff".split())
NOT_BEFORE_A_PERSON = frozenset("in at on the a an from during near".split())
