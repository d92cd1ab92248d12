"""No input makes a 500: the server's own description, and whatever can be made of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from diner_world import nights
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from waiting import PATIENCE
from whoknew_server import served

from whoknew.eventlog import open_log


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own: the client here waits for its answers."""
    found: list[str] = []
    ready, stop = threading.Event(), threading.Event()

    async def serve(file: Path) -> None:
        async with open_log(file) as log, served(log) as server:
            found.append(server.url)
            ready.set()
            while not stop.is_set():  # noqa: ASYNC110  (another thread says when)
                await asyncio.sleep(0.05)

    file = nights(tmp_path_factory.mktemp("fuzz"))
    thread = threading.Thread(target=lambda: asyncio.run(serve(file)))
    thread.start()
    assert ready.wait(PATIENCE)
    yield found[0]
    stop.set()
    thread.join()


EXAMPLES = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_no_request_makes_a_500(url: str) -> None:
    """For every route, requests that fit its description and requests that do not."""
    schema = schemathesis.openapi.from_url(f"{url}/api/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 20
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            check(operation, mode)


def check(operation: Any, mode: GenerationMode) -> None:
    try:
        cases = operation.as_strategy(generation_mode=mode)

        @EXAMPLES
        @given(case=cases)
        def answered(case: schemathesis.Case) -> None:
            response = case.call()
            assert response.status_code < 500 or response.status_code in (502, 503), response.text
            if response.status_code != 200 and "Got more than" not in response.text:
                assert response.json()["error"]  # but where aiohttp read no further itself

        answered()
    except Unsatisfiable:
        return  # nothing can be wrong about this one
