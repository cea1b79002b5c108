"""Words that `ugly` goes by, as data, in lower case."""

from __future__ import annotations

SAYING: frozenset[str] = frozenset(
    # What is asked, and the words that hold a sentence together.
    "what when where why how who which whose whats hows am is isn't are aren't was were be been "
    "do does did don't doesn't didn't have has had can can't could will won't would should may "
    "might must shall "
    # What people ask a support desk to do, or tell it that they did.
    "accept activate add allow apply ask attach authorise authorize ban become block book bounce "
    "bring buy call cancel cancelled change charge charged check choose claim close compare "
    "confirm connect contact convert copy create deactivate decline declined delete deliver deploy "
    "disable disappear downgrade download edit email enable end enter exchange expire explain "
    "export extend fail failed fails find fix forgot forget get give go got hacked help import "
    "increase install invite join keep know leave let link list locate lock log login look lost "
    "lower make manage merge migrate mount move need open order pause pay paid place play process "
    "purchase raise reach read receive received recommend recover redeem reduce refer refund "
    "register reject rejected remove rename renew replace report request reset resize restore "
    "return revert review revoke run save say scan schedule search see select sell send set setup "
    "share show sign speak start stop store submit subscribe suggest switch take talk tell test "
    "track transfer try turn understand unlock unsubscribe update upgrade upload use verify view "
    "wait want withdraw work works working"
    # Politeness that stands alone.
    " hello hey hi hiya howdy thanks thank thx bye goodbye ok okay yes no cheers sorry please "
    "welcome great nice cool morning evening".split()
)
"""A text of one or two words that has none of these is a fragment: it names a thing, if that."""

SHORTHAND: frozenset[str] = frozenset(
    "u ur r n pls plz plss plzz wat wut coz cuz bcoz bcz thx thnx tnx btw msg msgs pwd pw acc acct "
    "cust frm hw hv hav wid dis dat dem gud gr8 b4 2day 2moro tmrw tmr idk dunno wanna gonna gimme "
    "lemme kinda abt smth sth ppl".split()
)
"""Typed short. Each counts as a slip."""

ENDINGS = ("s", "d", "ed", "r", "er", "ing", "ion", "y")
OPENINGS = tuple("un re pre dis mis non in over under out up down auto".split())
"""What a known word may have lost or gained and still be one."""

SMALL = tuple("the and for how why what where when can you your not does".split())
"""Words that nothing is made with, so that one stuck to another is a missing space."""

LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|PANIC|EMERG"
"""What a line of a log says of how grave it is."""
