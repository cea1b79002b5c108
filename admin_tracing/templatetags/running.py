"""How the sections on running write numbers, sums of money and shares that may be tiny."""

from __future__ import annotations

from django import template

from admin_tracing.summaries import cents, fine_percent

register = template.Library()

register.filter("fine_percent", fine_percent)


@register.filter
def number(n: float) -> str:
    """`1,234`."""
    return f"{n:,.0f}"


@register.filter
def dollars(cost: float) -> str:
    """`$12.30`; what is less than ten cents stays in cents."""
    return f"${cost:,.2f}" if abs(cost) >= 0.1 else cents(cost)
