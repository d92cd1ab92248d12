"""What tests stand on: every kind of store, a clock that ticks by itself, a throwaway server."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from browser import NO_CHROMIUM
from fast_folder import fast_folder
from hypothesis import HealthCheck, settings
from postgres_server import NO_POSTGRES, Cluster, NoPostgres

pytest.register_assert_rewrite("contracts", "small_worlds")

from store_places import KINDS, SHARED, Place, log_at, place_for

from whoknew.engine.registry import KINDS as PARTS
from whoknew.eventlog import Log

os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", fast_folder())

settings.register_profile(
    "whoknew",
    deadline=None,
    print_blob=True,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("whoknew")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As behind `&` in a script: what a test starts would pass over an interrupt, and be waited for for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)


INSTALLED_BY = {
    NO_POSTGRES: "sudo apt-get install postgresql",
    NO_CHROMIUM: "sudo apt-get install chromium",
}
"""What this machine may lack, and the command that brings it (on Debian; elsewhere alike)."""


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say at the very end what was not tested for want of a program, a line each."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    assert terminal is not None
    skipped = terminal.stats.get("skipped", [])
    for what, command in INSTALLED_BY.items():
        if count := sum(what in str(report.longrepr) for report in skipped):
            terminal.write_line(f"{count} tests were not run: {what}. To have it: {command}")


@pytest.fixture(autouse=True)
def parts_of_whoknew() -> Iterator[None]:
    """What plans of a test loaded beside them is known to this test alone."""
    before = [dict(kind.outside) for kind in PARTS]
    yield
    for kind, outside in zip(PARTS, before, strict=True):
        kind.outside.clear()
        kind.outside.update(outside)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server of this run's own."""
    try:
        cluster = Cluster()
    except NoPostgres as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    with cluster:
        yield cluster


@pytest.fixture
def database(postgres: Cluster) -> Iterator[str]:
    """The URL of an empty database of the test's own."""
    with postgres.database() as url:
        yield url


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """A kind of store: the test runs once for each."""
    return str(request.param)


@pytest.fixture
def place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Where a log of this kind can be kept."""
    with place_for(kind, tmp_path, request) as place:
        yield place


@pytest.fixture(params=SHARED)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Where two logs can write at a time, as two processes would."""
    with place_for(request.param, tmp_path, request) as place:
        yield place


@pytest.fixture
async def log(place: Place) -> AsyncIterator[Log]:
    """An open, empty log on each kind of store."""
    async with log_at(place) as log:
        yield log
