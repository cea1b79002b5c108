"""The words that recognisers of addresses, identities and names go by, as data. Lower case."""

from __future__ import annotations

# Between one of these and four numbers with dots may stand "is", "number", "to" or the like:
# the numbers are a version, a section, a rule.
VERSIONED_SINCE: frozenset[str] = frozenset(
    "version versions ver v release releases build builds firmware driver drivers patch patches "
    "revision rev update updated upgrade upgraded upgrading downgrade downgraded hotfix oid "
    "section sections chapter clause paragraph rule step figure table article appendix "
    "requirement exercise".split()
)

# Products that are written with their version right behind the name.
VERSIONED: frozenset[str] = VERSIONED_SINCE | frozenset(
    "postgres postgresql mysql mariadb sqlite redis valkey mongodb nginx apache httpd caddy php "
    "python django node nodejs npm ruby rails java jdk golang rust perl chrome chromium firefox "
    "safari edge opera webkit windows macos ios android linux kernel ubuntu debian fedora openssl "
    "openssh docker kubernetes git gitlab wordpress drupal joomla magento plugin app client agent "
    "sdk api cli library package module".split()
)

# Words that make it an address even in one with a dash: "ip-10.0.0.1".
ADDRESSED: frozenset[str] = frozenset(
    "ip ips ipv4 addr address host hosts node from to src dst source client peer remote".split()
)

# Words between the name of a number and the number: "account number is".
NUMBER_FILLERS: frozenset[str] = frozenset(
    "number numbers no nr num nos nummer numero número numéro is was are mine ist es est è "
    "lautet".split()
)

# Words that may stand between a number and its name: "12345678 is my account number".
NAMED_AFTER: frozenset[str] = frozenset("is was are my our his her their the a this".split())

# Words just before a number that say it is something of the shop's, whatever its shape.
KEPT_LABELS: frozenset[str] = frozenset(
    "order orders ticket tickets case invoice tracking track ref reference booking reservation "
    "confirmation sku serial version build release error code part model item product article "
    "licence license po rma parcel shipment package delivery consignment isbn issn ean upc gtin "
    "barcode asin port pid process kb issue request receipt transaction purchase quote batch lot "
    "job incident commit revision timestamp epoch exit status event server instance volume "
    "snapshot backup bestellung bestellnummer rechnung commande facture pedido factura ordine "
    "fattura".split()
)
