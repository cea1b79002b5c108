"""Which turns people are asked to label, and with which chance.

`strata` and `chances` are pure, `drawing` looks at each ended turn once, `shadow` searches again
for turns that were turned away. docs/labelling.md explains it.
"""
