"""The real adapter, set up for a scripted endpoint: no pause between chunks or retries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from chat.adapters.llm_openai import OpenAiModel, OpenAiSettings
from chat.adapters.openai_client import Timing
from chat.adapters.openai_transport import MergingTransport, Pace
from chat.contracts.passages import Passage
from tests.doubles.endpoint import Endpoint

REFUND = Passage(
    chunk="billing-2",
    document="billing",
    version=1,
    title="Billing",
    heading="Refunds",
    text="A refund reaches your card in 5 to 10 business days.",
)
SETTINGS = OpenAiSettings(main="writer", router="sorter", grader="grader", mode="json_schema")


@asynccontextmanager
async def asking(
    endpoint: Endpoint,
    settings: OpenAiSettings = SETTINGS,
    *,
    sleeps: list[float] | None = None,
) -> AsyncIterator[OpenAiModel]:
    """The adapter at this endpoint. Its waits between retries are noted in `sleeps`."""

    async def sleep(seconds: float) -> None:
        if sleeps is not None:
            sleeps.append(seconds)

    model = OpenAiModel(
        replace(settings, base_url=endpoint.base_url, api_key="key"),
        timing=Timing(sleep=sleep, chance=lambda: 1.0),
        transport=MergingTransport(Pace(interval=0)),
    )
    try:
        yield model
    finally:
        await model.aclose()
