"""System checks: settings that do not fit together stop the start, or warn, with a sentence.

A single bad value is refused where it is read; here stand the combinations.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from chat.contracts.verdicts import Control
from chat.guardrails.policy import POLICIES
from chat.site_rules import BadRules, site_rules


@register()
def check_model(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """An endpoint needs a key or an address of its own."""
    site = settings.PLUMBLINE
    uses_endpoint = site.llm_model or site.embedding_model
    if uses_endpoint and not (site.openai_api_key or site.openai_base_url):
        text = "LLM_MODEL or EMBEDDING_MODEL is set, but neither OPENAI_API_KEY nor OPENAI_BASE_URL"
        return [Error(text, hint="Set one of the two, or unset the model.", id="chat.E001")]
    return []


@register()
def check_roles(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Models of single roles count for nothing without the main one."""
    site = settings.PLUMBLINE
    roles = (site.llm_router_model, site.llm_grader_model, site.llm_judge_model)
    if any(roles) and not site.llm_model:
        text = "A model for one role is set, but LLM_MODEL is not: the offline model speaks"
        return [Warning(text, hint="Set LLM_MODEL too.", id="chat.W001")]
    return []


@register()
def check_processes(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Several processes hear of each other's turns only through Redis."""
    site = settings.PLUMBLINE
    if site.database_url and not site.redis_url:
        text = "DATABASE_URL is set without REDIS_URL: other processes follow a turn slowly"
        return [Warning(text, hint="Set REDIS_URL, or run one process.", id="chat.W002")]
    return []


@register()
def check_proxies(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Behind a proxy that is not named, all people have one address, and share its limits."""
    site = settings.PLUMBLINE
    is_behind = any(origin.startswith("https://") for origin in site.csrf_trusted_origins)
    if (
        is_behind
        and not site.trusted_proxies
        and (site.limit_asks_address or site.limit_sockets_address)
    ):
        text = "The site is behind a proxy, but TRUSTED_PROXIES is 0: all people share one address"
        hint = "Set TRUSTED_PROXIES to the number of proxies, or turn the address limits off."
        return [Warning(text, hint=hint, id="chat.W003")]
    return []


@register()
def check_tables(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Every control has its direction, and every route leads to a node that exists."""
    from chat.agent.graph import NODE_OF, ROUTES  # LangGraph takes a second that few commands need

    missing = [control.value for control in Control if control not in POLICIES]
    targets = {target for _, exits in ROUTES.values() for target in exits}
    unknown = sorted((targets | set(ROUTES)) - set(NODE_OF))
    problems: list[CheckMessage] = []
    if missing:
        problems.append(Error(f"Controls without a policy: {', '.join(missing)}", id="chat.E002"))
    if unknown:
        problems.append(Error(f"Routes to no node: {', '.join(unknown)}", id="chat.E003"))
    return problems


@register()
def check_site_rules(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A rule that cannot run, or could run for ever, would be no control at all."""
    try:
        site_rules()
    except BadRules as bad:
        hint = "Mend the file, or unset GUARDRAILS_FILE to go by the sample's."
        lines = [f"{bad.path}: {line}" for line in bad.problems]
        return [Error(line, hint=hint, id="chat.E004") for line in lines]
    return []
