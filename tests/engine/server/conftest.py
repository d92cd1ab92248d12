"""What the tests of the server stand on: a log of ten nights in a diner, and a server of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from browser import chromium, page_of
from diner_world import nights
from playwright.async_api import Browser, Page
from whoknew_server import Served, served

from whoknew.eventlog import Log, open_log


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        yield log


@pytest.fixture
async def server(log: Log) -> AsyncIterator[Served]:
    async with served(log) as server:
        yield server


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    async with page_of(browser) as page:
        yield page
