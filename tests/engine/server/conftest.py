"""What the tests of the server stand on: a log of ten nights in a diner, and a server of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from browser import chromium, page_of
from diner_world import nights
from playwright.async_api import Browser, Page
from pytest_asyncio import is_async_test
from whoknew_server import Served, served

from whoknew.eventlog import Log, open_log

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They share one loop: so one browser, begun once, serves all that look at the page."""
    for item in items:
        if HERE in item.path.parents and is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        yield log


@pytest_asyncio.fixture(loop_scope="session")
async def server(log: Log) -> AsyncIterator[Served]:
    async with served(log) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    async with page_of(browser) as page:
        yield page
