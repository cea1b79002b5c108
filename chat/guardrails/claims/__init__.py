"""What code can tell of one claim: its figures, times, names and words, held against the sources.

`generation` alone puts these together into a verdict. Nothing here knows a draft.
"""
