"""Recognisers of personal data: where in a text stand e-mails, accounts, cards and phones.

They only point; what becomes of a find is decided in `chat.guardrails.input`.
"""
