"""The words that the recogniser of names goes by, as data. Lower case unless a line says so.

A cue is a phrase after which a person's name stands. How it is read:
`said` a name in any case follows; `loud` only one with a capital; `closing` one with a capital
that ends its line; `field` the rest of the line, with capitals; `call` as `said`, for "call me";
`speaking` a name and then a word of who speaks.
"""

from __future__ import annotations

CUES: dict[str, str] = {
    "my name is": "said",
    "my name's": "said",
    "my names": "loud",
    "my full name is": "said",
    "my first name is": "said",
    "my last name is": "said",
    "my real name is": "said",
    "my legal name is": "said",
    "my surname is": "said",
    "his name is": "said",
    "her name is": "said",
    "her name's": "said",
    "his name's": "said",
    "husband's name is": "said",
    "wife's name is": "said",
    "partner's name is": "said",
    "son's name is": "said",
    "daughter's name is": "said",
    "maiden name is": "said",
    "customer's name is": "loud",
    "customer name is": "loud",
    "holder's name is": "loud",
    "holder is": "loud",
    "name on the card is": "said",
    "name on the account is": "said",
    "name on my account is": "said",
    "name on my card is": "said",
    "the name is": "loud",
    "name:": "field",
    "name -": "field",
    "name =": "field",
    "surname:": "field",
    "account holder:": "field",
    "cardholder:": "field",
    "customer:": "field",
    "contact:": "field",
    "patient:": "field",
    "attn:": "field",
    "beneficiary:": "field",
    "passenger:": "field",
    "tenant:": "field",
    "signed by": "loud",
    "i am called": "said",
    "i'm called": "said",
    "they call me": "call",
    "people call me": "call",
    "everyone calls me": "call",
    "friends call me": "call",
    "you can call me": "call",
    "please call me": "call",
    "just call me": "call",
    "call me": "loud",
    "this is": "speaking",
    "i am": "speaking",
    "i'm": "speaking",
    "im": "speaking",
    "you're speaking with": "loud",
    "you are speaking with": "loud",
    "speaking to": "loud",
    "signed": "closing",
    "regards": "closing",
    "sincerely": "closing",
    "faithfully": "closing",
    "yours truly": "closing",
    "respectfully": "closing",
    "best wishes": "closing",
    "all the best": "closing",
    "cheers": "closing",
    "thanks": "closing",
    "thank you": "closing",
    "many thanks": "closing",
    "grüße": "closing",
    "grüßen": "closing",
    "cordialement": "closing",
    "saludos": "closing",
    "groeten": "closing",
    # other languages
    "mein name ist": "said",
    "ich heiße": "said",
    "ich heisse": "said",
    "je m'appelle": "said",
    "mon nom est": "said",
    "me llamo": "said",
    "mi nombre es": "said",
    "mi chiamo": "said",
    "il mio nome è": "said",
    "meu nome é": "said",
    "me chamo": "said",
    "mijn naam is": "said",
    "ik heet": "said",
    "jag heter": "said",
    "mitt namn är": "said",
    "mit navn er": "said",
    "jeg heter": "said",
    "nazywam się": "said",
    "mam na imię": "said",
    "меня зовут": "said",
    "мене звати": "said",
    "我叫": "said",
    "我的名字是": "said",
    "我的名字叫": "said",
    "私の名前は": "said",
}

# Before a name in a question's answer: "What's your name? Jane Doe".
ASKED = r"name\b[^?\n]{0,30}\?\s{1,3}(?:[a-z]{2,10}:\s{1,2})?"

# With a capital, before a capital: "Mrs Doe", "Dr. Doe".
TITLES: tuple[str, ...] = (
    "Mr", "Mrs", "Ms", "Mx", "Miss", "Messrs", "Dr", "Prof", "Professor", "Herr", "Frau", "Herrn",
    "Mme", "Mlle", "Monsieur", "Madame", "Señor", "Señora", "Sra", "Signor", "Signora", "Dhr",
    "Mevr",
)  # fmt: skip

# Between the parts of a name, without a capital of their own.
PARTICLES: frozenset[str] = frozenset(
    "van von der den de del della di da dos das do du la le al el bin ibn bint ter ten zu y af av "
    "abu mac st".split()
)

# The words of a labelled field before "name" that make it a person's.
PERSONAL: frozenset[str] = frozenset(
    "full first last given family middle legal maiden real customer client contact cardholder "
    "holder account patient beneficiary guest passenger traveller traveler recipient sender owner "
    "employee applicant tenant payee payer your my his her nick preferred christian".split()
)

# Words of one who speaks, after "this is NAME".
SPEAKERS: frozenset[str] = frozenset("speaking here calling writing from again".split())

# What is no name though it stands where one would: "my name is missing", "this is urgent".
NOT_NAMES: frozenset[str] = frozenset(
    """a about above absent added admin after again all almost already also always am an and another
    any anyone appearing appears are as asked at attached available back bad because been before
    being below best better between blank both broken bugged but by called can cannot changed
    changing clearly common complete completely correct correctly could cut deleted did different
    differently difficult displayed displaying do does doing done down due duplicate duplicated
    each either else empty english entered entirely even ever every everybody everyone everything
    exactly exists fake false fine first flagged foreign for from full fully garbled getting given
    gone good got great greyed had half happy has have having he hello help her here hers hey hi
    hidden him his how however i if illegible impossible in inaccurate incomplete incorrect
    incorrectly indeed instead into invalid invisible irrelevant is it its itself just known last
    later left let like linked listed locked long longer lost made masked maybe me mine misprinted
    missing misspelled misspelt mistyped mixed mostly my near never new next no nobody none nonsense
    not nothing now nowhere of off ok okay old on once one only or other our out outdated over part
    partially partly please possible possibly printed private probably public put quite rare rather
    ready really recorded registered removed repeated replaced required right same saved secret
    set she short should showing shown similar simply since so some somebody someone something
    sometimes somewhere soon sorry spelled spelt still stored stuck such supposed sure taken team
    that the their them then there these they this those though three through thus to today
    together tomorrow too true truncated twice two typed under undefined unfortunately unique
    unknown unusual up updated upside urgent used using usually valid very visible was we were what
    whatever when where whether which while who whom why will with within without wrong wrongly
    written yes yet you your yours
    asap later tonight monday tuesday wednesday thursday friday saturday sunday january february
    march april may june july august september october november december dear kind sir madam
    support sales service customer account billing order invoice refund server domain site website
    email mail phone number question problem issue error message ticket request plan backup
    password login payment card bank bill data file page thank thanks regards advance
    hope love want need think know would works working worked fails failing failed
    see look looking try trying tried call calling contact ask asking tell telling
    spam test testing null none null
    crazy stupid mad names liar cheap impressed surprised disappointed confused
    nicht falsch fehlt pas mal no está sbagliato niet verkeerd""".split()
)

# After "I am" or "this is" with a capital, but no name.
PROUD: frozenset[str] = frozenset(
    """american australian british canadian chinese danish dutch english european finnish french
    german greek indian irish italian japanese korean mexican muslim norwegian polish portuguese
    russian scottish spanish swedish swiss turkish ukrainian welsh christian jewish hindu catholic
    premium pro gold silver platinum basic enterprise business windows mac linux android google
    chrome facebook amazon paypal aws azure github wordpress url api dns ssl vps ip id http https
    root admin ceo cto cfo manager director god jesus christmas easter covid internet""".split()
)
