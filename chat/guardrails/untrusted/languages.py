"""The same orders in German, French, Spanish, and the plainest in a few other languages.

Letters are folded before they get here, so no row has an accent; "ß" stays.
"""

from __future__ import annotations

from chat.guardrails.untrusted.phrases import NEW_TASK, OVERRIDE, ROLE_PLAY, SYSTEM_PROMPT, Row

_DE_RULES = (
    "(?:anweisung(?:en)?|instruktion(?:en)?|befehle?|vorgaben?|regeln|anordnungen|prompts?"
    "|systemanweisung(?:en)?|richtlinien|aufgaben?)"
)
_FR_RULES = "(?:instructions?|consignes?|directives?|ordres?|regles?|commandes?|invites?|prompts?)"
_ES_RULES = (
    "(?:instrucci(?:on|ones)|ordenes|indicaciones|reglas|directrices|directivas|comandos|prompts?)"
)
_DE_AI = "(?:assistent(?:in)?|ki\\b|bot\\b|chatbot|sprachmodell|pirat|hacker|modell|dan\\b)"
_FR_AI = "(?:assistante?|ia\\b|robot|chatbot|pirate|modele|hacker|dan\\b)"
_ES_AI = "(?:asistente|ia\\b|robot|chatbot|pirata|modelo|hacker|dan\\b)"

OTHERS: tuple[Row, ...] = (
    # German
    (
        OVERRIDE,
        "ignorier|vergiss|vergiß|vergesse|vergessen sie|missachte|mißachte|verwirf|uberschreibe"
        "|umgehe|beachte|befolge|folge",
        "\\w{0,3} (?:(?:sie|bitte|nicht|keine|alle[sn]?|samtliche|jegliche|die|den|der|das|deine"
        "|ihre|meine|diese|bisher) ){0,5}(?:(?:vorherige|bisherige|fruhere|obige|vorangegangene"
        "|vorige|vorangehende|ursprungliche|vorhergehende|gegebene|letzte)[nrs]? (?:\\w+ )?"
        f"{_DE_RULES}|{_DE_RULES} (?:oben|davor|von oben|zuvor|bisher|vorher)"
        f"|(?:deine|ihre) {_DE_RULES}|alles (?:oben|vorherige|bisherige|davor|zuvor|vorher)"
        "|(?:vorherige|bisherige|obige|zuvor gesagte))",
        False,
    ),
    (
        OVERRIDE,
        "ignorier|vergiss|missachte|beachte nicht",
        "\\w{0,3} (?:sie )?(?:den|die|das|diesen|diese|dieses) (?:[\\w-]+ ){0,2}?und (?:sag|sage"
        "|sagen"
        "|gib|geben|schreib|schreibe|antworte|antworten|nenne|behaupte|erklare)",
        False,
    ),
    (
        ROLE_PLAY,
        "du bist|sie sind",
        f" (?:jetzt|nun|ab jetzt|ab sofort|von nun an|kein|keine) (?:[\\w-]+ ){{0,3}}{_DE_AI}",
        False,
    ),
    (
        ROLE_PLAY,
        "verhalte dich|verhalten sie sich|tu so|tue so|tun sie so|gib vor|spiele die rolle",
        " (?:wie ein|als|,? als|ein|eine[sr]?|zu sein)",
        True,
    ),
    (
        SYSTEM_PROMPT,
        "zeig|nenn|gib|verrat|wiederhol|druck|schreib|sag|was sind|was ist|wie laut",
        "\\w{0,3} (?:(?:mir|uns|sie|bitte|den|die|das|dein|deine|deinen|ihren|ihre|ganzen|alle"
        "|vollstandigen|genauen|geheimen|ursprunglichen|internen) ){0,6}(?:system-?prompts?"
        "|system-?anweisung(?:en)?|system-?nachricht|prompt\\b|(?<=deine )anweisungen"
        "|(?<=internen )anweisungen|(?<=geheimen )anweisungen)",
        False,
    ),
    (
        NEW_TASK,
        "ab jetzt|ab sofort|von nun an|von jetzt an|ab nun|kunftig",
        " (?:(?:nur|noch|immer|bitte|sollst du|musst du|wirst du) ){0,3}(?:antworte|antwortest|sag"
        "|sage|sagst|sprich|sprichst|schreibe|empfiehl|behaupte|bist du|reagiere|gib an|teile)",
        False,
    ),
    (
        NEW_TASK,
        "antworte|antworten sie|erwidere",
        " (?:(?:mir|ausschließlich|ausschliesslich) )?(?:nur|ausschließlich|ausschliesslich"
        "|einzig) (?:noch )?(?:mit|auf|in)",
        True,
    ),
    (
        NEW_TASK,
        "sag|sage|teile|erklare|versichere",
        " (?:dem|der|den|allen) (?:benutzern?|nutzern?|anwendern?|benutzerin"
        "|nutzerin),? (?:mit,? )?dass",
        True,
    ),
    # French
    (
        OVERRIDE,
        "ignor|oubli|neglig|ne tiens pas compte|ne tenez pas compte|ne tiens aucun compte"
        "|ne suis pas|ne suivez pas|fais abstraction|faites abstraction|contourne|outrepasse"
        "|mets de cote|n'ecoute pas",
        "\\w{0,3} (?:(?:pas|de|des|d'|toutes?|tous|tout|les|la|l'|tes|ta|vos|votre|ces|mes) ){0,5}"
        f"(?:{_FR_RULES} (?:\\w+ )?(?:precedentes?|anterieure?s?|ci-dessus|initiales?|donnees"
        f"|recues"
        "|du systeme|d'origine|qui precedent)|(?:precedentes?|anciennes?) "
        f"{_FR_RULES}|(?<=tes ){_FR_RULES}|(?<=vos ){_FR_RULES}|ce qui precede|ce qui a ete dit"
        "|ce que (?:je|on|tu))",
        False,
    ),
    (
        OVERRIDE,
        "ignor|oubli",
        "\\w{0,3} (?:le|la|les|ce|cette|l'|ces) ?(?:[\\w-]+ ){1,2}?et (?:dis|dites|declare|declarez"
        "|affirme|affirmez|reponds|repondez|ecris|ecrivez|indique)",
        False,
    ),
    (
        ROLE_PLAY,
        "tu es|vous etes",
        f" (?:maintenant|desormais|a present) (?:[\\w'-]+ ){{0,4}}{_FR_AI}",
        False,
    ),
    (
        ROLE_PLAY,
        "agis|comporte-toi|comportez-vous|fais semblant|faites semblant|fais comme si",
        " (?:comme (?:si|un|une)|d'etre|que|tu)",
        True,
    ),
    (
        SYSTEM_PROMPT,
        "revel|montr|affich|donn|repet|ecri|imprim|dis-|dites|quell|indique|partage",
        "\\w{0,4}(?:-moi|-nous)? (?:(?:moi|nous|sont|est|le|la|les|l'|ton|ta|tes|votre|vos"
        "|texte|integralite|contenu|de|du) ){0,5}(?:prompt|(?:instructions?|consignes?|message) "
        "(?:du )?(?:systeme|cachees?|secretes?|initiales?|internes?)|(?<=tes )instructions"
        "|(?<=tes )consignes)",
        False,
    ),
    (
        NEW_TASK,
        "a partir de maintenant|desormais|dorenavant|des maintenant",
        " (?:(?:tu|vous|dois|devez|ne|uniquement|toujours) ){0,4}(?:reponds|repondre|repondras"
        "|repondez|repondrez|dis|dites|diras|dire|agis|parle|parles|recommande|affirme|es un"
        "|es une)",
        False,
    ),
    (
        NEW_TASK,
        "reponds|repondez",
        " (?:(?:moi )?(?:uniquement|seulement|exclusivement)) (?:avec|par|en)",
        True,
    ),
    (
        NEW_TASK,
        "dis|dites|informe|informez|indique|indiquez",
        " (?:a |aux )?(?:l'|les |tous les |le )?utilisateurs? (?:que|qu')",
        True,
    ),
    # Spanish
    (
        OVERRIDE,
        "ignor|olvid|descart|omit|desestim|no sigas|no siga|no hagas caso|no haga caso"
        "|haz caso omiso|pasa por alto|anula",
        "\\w{0,3} (?:(?:de|a|por|favor|todas?|todos?|las|los|la|el|tus|sus|mis|esas|estas) ){0,5}"
        f"(?:{_ES_RULES} (?:\\w+ )?(?:anteriores|previas?|precedentes|de arriba|del sistema"
        f"|iniciales"
        f"|originales|dadas|recibidas)|(?:anteriores|previas) {_ES_RULES}|(?<=tus ){_ES_RULES}"
        "|lo (?:anterior|de arriba|que (?:se )?(?:te|dije|dijo))|anterior y)",
        False,
    ),
    (
        OVERRIDE,
        "ignor|olvid",
        "\\w{0,3} (?:el|la|los|las|este|esta|lo) (?:[\\w-]+ ){1,2}?y (?:di|diga|declara|afirma"
        "|responde"
        "|escribe|indica|contesta)",
        False,
    ),
    (
        ROLE_PLAY,
        "ahora eres|ahora usted es|a partir de ahora eres|eres ahora|ya no eres",
        f" (?:[\\w-]+ ){{0,4}}{_ES_AI}",
        False,
    ),
    (
        ROLE_PLAY,
        "actua|comportate|finge|hazte pasar|simula",
        " (?:como (?:si|un|una)|que (?:eres|seas)|ser|por)",
        True,
    ),
    (
        SYSTEM_PROMPT,
        "revela|muestra|imprime|dime|repite|escribe|ensena|dame|comparte|cuales son|cual es|di ",
        "\\w{0,4} ?(?:(?:me|nos|el|la|las|los|tu|tus|su|texto|completo|de|del) ){0,5}(?:prompt"
        "|(?:instrucciones|mensaje) (?:del )?(?:sistema|ocultas?|secretas?|iniciales?|internas?)"
        "|(?<=tus )instrucciones)",
        False,
    ),
    (
        NEW_TASK,
        "a partir de ahora|desde ahora|de ahora en adelante|en adelante",
        " (?:(?:tu|usted|debes|debe|solo|siempre|vas|a) ){0,4}(?:responde|respondes|responder|di"
        "|diras|decir|contesta|contestar|actua|actuar|habla|recomienda|afirma|eres un|eres una)",
        False,
    ),
    (
        NEW_TASK,
        "responde|responda|contesta",
        " (?:me )?(?:solo|unicamente|solamente|exclusivamente) (?:con|en)",
        True,
    ),
    (
        NEW_TASK,
        "di|dile|diga|digale|informa|indica|indicale",
        " (?:le )?(?:al|a los|a todos los|a la) usuari[oa]s? que",
        True,
    ),
    # Italian, Portuguese, Dutch
    (
        OVERRIDE,
        "ignora|ignori|dimentica|trascura|ignore|esqueca|esquece|desconsidere|negeer|vergeet",
        "\\w{0,3} (?:(?:tutte|tutti|le|gli|i|todas?|todos?|as|os|alle|de|het|je|uw|suas|tuas|tue"
        ") ){0,4}(?:istruzioni (?:precedenti|sopra)|precedenti istruzioni|instrucoes (?:anteriores"
        "|acima)|(?:vorige|eerdere|voorgaande|bovenstaande) (?:instructies|opdrachten|regels))",
        False,
    ),
    # Chinese, Japanese
    (
        OVERRIDE,
        "忽略|无视|忘记|忽視|不要理会",
        "(?:你|您|掉|之前|以上|先前|前面|上述|上面|此前|所有|全部|一切|的|任何){1,6}(?:指令|指示|提示|命令|规则|说明|要求|内容)",
        False,
    ),
    (OVERRIDE, "無視して|忘れて", "[、,]", False),
    (
        OVERRIDE,
        "以前の指示|上記の指示|これまでの指示|前の指示|以上の指示",
        "[^。]{0,6}(?:無視|忘れ|従わ)",
        False,
    ),
)
