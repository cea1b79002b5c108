"""Golden questions run through the real graph on the running site, for the tests of re-runs.

Run as a program it runs them in the site's database and prints each question's turn as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from functools import cache

from tests.browser.site import ROOT, Site

BOUND = 2  # rewrites allowed


@cache
def run_in_lab(site: Site, *questions: str) -> dict[str, str]:
    """Runs the questions once a site, from a process that attaches to the site's database."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.golden_rows", *questions],
        cwd=ROOT,
        env={**os.environ, "ENV_FILE": "", "VAR_DIR": str(site.gate.parent / "var")}
        | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


async def _run(names: list[str]) -> dict[str, str]:
    from chat import lab, wiring
    from chat.sample.loader import golden_five

    chosen = [golden for golden in golden_five() if golden.id in names]
    try:
        outcomes = await lab.run(lab.Variant(BOUND), chosen)
    finally:
        await wiring.runner().close()
    return {outcome.question: str(outcome.turn) for outcome in outcomes}


def _main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from config import embedded

    with embedded.start(settings.EMBEDDED):
        sys.stdout.write(json.dumps(asyncio.run(_run(sys.argv[1:]))) + "\n")


if __name__ == "__main__":
    _main()
