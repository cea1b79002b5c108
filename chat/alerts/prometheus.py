"""The rules as the file that Prometheus reads: docs/prometheus/plumbline.rules.yml."""

from __future__ import annotations

import json
from collections.abc import Iterable

from chat.alerts.rules import RULES, AlertRule, word

HEAD = """\
# Generated from chat/alerts/rules.py; `make docs` writes it anew.
# In prometheus.yml:  rule_files: [plumbline.rules.yml]
groups:
  - name: plumbline
    rules:
"""


def as_yaml(rules: Iterable[AlertRule] = RULES) -> str:
    """The file's text. Strings stand in JSON's quotes, which are YAML's too."""
    return HEAD + "".join(map(_rule, rules))


def _rule(rule: AlertRule) -> str:
    summary = rule.summary.replace("{control}", "{{ $labels.control }}")
    lines = [
        f"      - alert: {rule.name}",
        f"        expr: {json.dumps(rule.expr)}",
        *([f"        for: {word(rule.lasting)}"] if rule.lasting else []),
        "        labels:",
        f"          severity: {rule.severity}",
        "        annotations:",
        f"          summary: {json.dumps(summary, ensure_ascii=False)}",
    ]
    return "\n".join(lines) + "\n"
