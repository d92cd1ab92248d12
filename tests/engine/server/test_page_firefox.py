"""The page in a real Firefox."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from firefox import Firefox, firefox
from wcag import AXE, checked
from whoknew_server import Served, begun, page_of_story, says

from whoknew.eventlog import Log

TAB, RIGHT = "\ue004", "\ue014"
"""As WebDriver has them."""


@pytest_asyncio.fixture(loop_scope="session")
async def fox(tmp_path: Path) -> AsyncIterator[Firefox]:
    async with firefox(tmp_path / "profile") as fox:
        yield fox
    assert fox.complaints == []


async def test_a_world_is_looked_at_gone_through_and_followed_in_firefox(
    server: Served, fox: Firefox, log: Log
) -> None:
    await fox.goto(page_of_story(server, at="E2.T3", about="cannot taste"))
    await fox.sees("document.querySelector('.plot img[src]')")
    await fox.sees("document.querySelector('table.matrix')")
    before = await fox.evaluate("Number(document.querySelector('.plot').ariaValueNow)")
    await fox.evaluate("document.querySelector('[role=tab][aria-selected=true]').focus()")
    await fox.press(RIGHT)
    await fox.sees("document.activeElement.textContent === 'Why'")
    await fox.evaluate("document.querySelector('.story').focus()")
    await fox.press(RIGHT)
    await fox.sees(f"document.querySelector('.plot').ariaValueNow > {before}")
    await begun(log)
    await fox.goto(f"{server.url}/?world=w")
    await fox.sees("document.querySelector('#link').textContent === 'live'")
    await log.append("w", [says("A word.")])
    await fox.sees("document.querySelector('.event.current')?.textContent.includes('A word.')")


async def test_its_views_keep_the_rules_of_wcag_in_firefox(server: Served, fox: Firefox) -> None:
    for view in (
        server.url,
        page_of_story(server, at="E5", about="cannot taste", fact="89", **{"as": "Rufus"}),
        page_of_story(server, at="E1.T3", panel="prompt"),
    ):
        await fox.goto(view)
        await fox.sees("document.querySelector('main h1, main h2, main [role=heading]')")
        await fox.sees("!document.querySelector('.panel[role=tabpanel]:empty')")
        await fox.run(AXE)
        found = await fox.evaluate(checked())
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
