"""What people said of turns, as figures: how right the agent and each of its controls is.

Read-only. Everything is read from the side of the labels, which are few; turns that were drawn
stand for those that were not, by their weights; what was picked by hand is never in an estimate.
"""
