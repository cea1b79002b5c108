"""What goes on in the background of a serving process: each job, how often, and for how long."""

from __future__ import annotations

from admin_tracing.running.rollup import roll_up
from admin_tracing.sampling.drawing import draw
from admin_tracing.sampling.shadow import shadow_due
from admin_tracing.worker import Job, Worker
from chat import lab_runs, prompting, reruns
from chat.db import in_db

DAY = 24 * 3600.0


async def keep_prompts() -> None:
    """What this version ships, so that its turns can be read when it is gone."""
    await in_db(prompting.remember_shipped)


JOBS = (
    Job("reruns", reruns.work, every=1.0, limit=reruns.LIMIT_SECONDS),
    Job("lab_runs", lab_runs.work, every=1.0, limit=600.0),
    Job("samples", draw, every=30.0, limit=600.0),
    Job("shadow_searches", shadow_due, every=30.0, limit=600.0),
    Job("day_figures", roll_up, every=300.0, limit=1800.0),
    Job("prompts", keep_prompts, every=DAY, limit=60.0),
)

WORKER = Worker(JOBS)
"""The jobs of this process. A page that makes work wakes the job, so that nobody waits for it."""
