"""Labelled turns on the running site, for the lab's own set.

Run as a program it writes them to the site's database.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

from tests.browser.site import ROOT, Site

LABELLED = 3


@cache
def labelled_on(site: Site) -> None:
    """Writes the turns once a site, from a process that attaches to the site's database."""
    subprocess.run(
        [sys.executable, "-m", "tests.browser.lab_rows"],
        cwd=ROOT,
        env={**os.environ, "ENV_FILE": "", "VAR_DIR": str(site.gate.parent / "var")}
        | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": ""},
        capture_output=True,
        check=True,
    )


def _main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from config import embedded
    from tests.lab_pages import labelled

    with embedded.start(settings.EMBEDDED):
        for _ in range(LABELLED):
            labelled()


if __name__ == "__main__":
    _main()
