"""Figures of running: how long, how dear, how it ended, what further passes and gaps bring.

Days are counted once from their turns' events and kept (`rollup`); pages read what is kept.
"""
