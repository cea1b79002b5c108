"""The site's settings for a test run: nothing of the developer's own environment gets in.

Only `DATABASE_URL` and `EVAL_DATA` are taken over. Without the first, the run has an embedded
PostgreSQL of its own in the temporary folder, and leaves `var/` alone.
"""

import os
import sys
import tempfile
from pathlib import Path

from config.variables import variables

TAKEN_OVER = {"DATABASE_URL", "EVAL_DATA"}

for _name in {name for variable in variables() for name in variable.names} - TAKEN_OVER:
    os.environ.pop(_name, None)

# A suite that keeps no compiled files spends minutes on compiling: each process that a test starts
# would begin with it, and pytest rewrites the assertions of every file.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ["ENV_FILE"] = ""
os.environ["VAR_DIR"] = str(Path(tempfile.gettempdir()) / f"plumbline-tests-{os.getpid()}")
os.environ["DJANGO_SECRET_KEY"] = "tests-only"
os.environ["LABEL_DOUBLE_SHARE"] = "0"  # which turns want a second label goes by their random ids

from config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Tests make and empty tables, so they are the owner; who serves is tried out where it matters.
DATABASES["default"] |= DATABASE_OWNER  # noqa: F405
