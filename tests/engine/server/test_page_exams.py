"""Exams on the page, in a real browser."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import pytest_asyncio
from browser import page_of
from diner_world import WORLD
from exam_served import PLAN as NIGHTS
from exam_served import exam_of_nights
from lamp_exams import PLAN, QUESTIONS
from model_servers import Doing, serving
from msgspec.structs import replace
from playwright.async_api import Browser, Locator, Page, expect
from wcag import violations_in_both
from whoknew_server import Served, served

from whoknew.engine import load_exam, sit_exam
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.worlds.importers.play import bundled, world_of


@pytest_asyncio.fixture(loop_scope="session")
async def server(log: Log, tmp_path: Path) -> AsyncIterator[Served]:
    exam = await exam_of_nights(tmp_path)
    async with served(log, exams=[exam]) as server:
        yield server


@asynccontextmanager
async def lamps_served(folder: Path, memory: str, drafts: Sequence[Draft]) -> AsyncIterator[Served]:
    """An exam on the lamp room, sat with one memory."""
    plan = PLAN.replace('"recall"', f'"{memory}"').replace("plays.db", str(folder / "plays.db"))
    plan = plan.replace('name = "lamps"', f'name = "lamps"\nlog = "{folder / "lamps.db"}"')
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), "utf-8")
    (folder / "exam.toml").write_text(plan, "utf-8")
    async with open_log(folder / "plays.db") as log:
        await log.append("the-lamp-room", drafts)
        exam = load_exam(folder / "exam.toml")
        await sit_exam(exam)
        async with served(log, exams=[exam]) as server:
            yield server


async def opened_cell(server: Served, page: Page, arm: str) -> Locator:
    """The panel of an answer to a question about nine jars."""
    await page.goto(f"{server.url}/?exam=lamps")
    asked = page.get_by_role("region", name="Cells").locator("article", has_text="nine jars")
    await asked.get_by_role("link", name=arm).click()
    return page.locator(".panel")


def at(server: Served, **values: str) -> str:
    return f"{server.url}/?{urlencode({'exam': 'nights', **values})}"


async def test_from_a_glance_to_the_table_to_a_cell_beside_its_world(
    server: Served, page: Page
) -> None:
    await page.goto(server.url)
    card = page.locator("li.card", has_text="nights")
    await expect(card).to_contain_text("3 questions, 2 arms: 6 of 6 cells done")
    await card.get_by_role("link").click()
    table = page.locator("table.figures").first
    await expect(table).to_contain_text("words.overlap")
    await expect(page.locator("main")).to_contain_text("Seed 1, whoknew")
    await expect(page.locator("table.figures").nth(1)).to_contain_text("secret (2)")
    await table.get_by_role("link", name="entire").click()
    cells = page.get_by_role("region", name="Cells")
    await expect(cells).to_contain_text("1 to 3 of 3 cells")
    await cells.locator("article", has_text="Who cannot taste?").last.get_by_role("link").click()
    panel = page.locator(".panel")
    await expect(panel).to_contain_text("Who cannot taste?")
    await expect(panel).to_contain_text("Reference: Dorte")
    await expect(panel).to_contain_text("words: overlap")
    await expect(panel).to_contain_text("To the byte what the model was given")
    await expect(panel).to_contain_text("What came to mind")
    await expect(page.get_by_label("Lens")).to_have_value("Vera")
    assert "at=%23" in page.url
    await panel.get_by_role("link", name="nights").click()
    await expect(page.locator("h1")).to_have_text("nights")


async def test_the_world_of_an_exam_says_what_it_is_and_leads_to_its_table(
    server: Served, page: Page, tmp_path: Path
) -> None:
    async with open_log(tmp_path / "exam.db") as kept, served(kept) as other:
        await page.goto(f"{other.url}/?world=nights")
        await expect(page.get_by_text("is where an exam is kept, and no story")).to_be_visible()
        link = page.get_by_role("link", name="Open the exam")
        address = await link.get_attribute("href")
    assert address is not None
    await page.goto(server.url + address)
    await expect(page.locator("h1")).to_have_text("nights")
    await expect(page.locator("table.figures").first).to_contain_text("words.overlap")


async def test_cells_are_picked_by_arm_kind_state_and_by_where_two_arms_differ(
    server: Served, page: Page
) -> None:
    cells = page.get_by_role("region", name="Cells")
    await page.goto(at(server, kind="self"))
    await expect(cells).to_contain_text("1 to 2 of 2 cells")
    await page.goto(at(server, state="failed"))
    await expect(cells).to_contain_text("There are none.")
    await page.goto(at(server))
    await page.locator("select[name=differ]").select_option("entire")
    await page.get_by_role("button", name="Show these").click()
    await expect(page.get_by_role("alert")).to_contain_text("name an arm as well")
    await page.locator("select[name=arm]").select_option("none")
    await page.get_by_role("button", name="Show these").click()
    await expect(cells.locator("article").first).to_contain_text("entire")
    assert "differ=entire" in page.url


@pytest.mark.parametrize("width", [1280, 400])
async def test_nothing_of_it_is_wider_than_the_screen(
    server: Served, browser: Browser, width: int
) -> None:
    async with page_of(browser, width=width) as page:
        await page.goto(at(server))
        await expect(page.locator("table.figures").first).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_notes_that_were_derived_for_an_exam_stand_in_its_cells(
    page: Page, tmp_path: Path
) -> None:
    world = world_of(bundled()["the-lamp-room"])
    async with lamps_served(tmp_path, "summary", world.drafts) as server:
        panel = await opened_cell(server, page, "summary")
        await expect(panel).to_contain_text("remembered (summary), of all up to #")
        await expect(panel).to_contain_text("written from #")


async def test_a_step_of_bookmarks_stands_in_its_cell_and_what_lines_hold_is_text(
    page: Page, tmp_path: Path
) -> None:
    world = world_of(bundled()["the-lamp-room"])
    evil = "<img src=x onerror=document.title='evil'>"
    drafts = [
        replace(one, body=replace(one.body, text=f"{one.body.text} {evil}"))
        if isinstance(one.body, Acted)
        else one
        for one in world.drafts
    ]
    async with lamps_served(tmp_path, "bookmarks", drafts) as server:
        panel = await opened_cell(server, page, "bookmarks")
        await expect(panel).to_contain_text("Bookmarks of WREN, after")
        await expect(panel).to_contain_text("of reading each from the start was saved")
        await expect(panel).to_contain_text(evil)
        await expect(panel.locator("img")).to_have_count(0)
        assert await page.title() != "evil"


async def test_a_sign_that_turns_text_round_is_spelt_out_and_turns_no_figures(
    page: Page, tmp_path: Path
) -> None:
    world = world_of(bundled()["the-lamp-room"])
    drafts = [
        replace(one, body=replace(one.body, text=f"\u202e{one.body.text}"))
        if isinstance(one.body, Acted)
        else one
        for one in world.drafts
    ]
    async with lamps_served(tmp_path, "entire", drafts) as server:
        await page.goto(server.url)
        await expect(page.locator("p.last")).to_contain_text("\\u202e")
        await page.goto(f"{server.url}/?exam=lamps")
        cells = page.get_by_role("region", name="Cells")
        await expect(cells).to_contain_text("\\u202e")
        assert "\u202e" not in await cells.inner_text()


async def test_how_many_failed_is_said_once_and_why_most_of_them_did(
    page: Page, log: Log, tmp_path: Path
) -> None:
    async with serving("openai", after=Doing("No JSON.")) as models:
        plan = NIGHTS.format(material=tmp_path / "nights.db", log=tmp_path / "failed.db")
        plan = plan.replace("grid.", f'may_fail = 1.0\ngrid.models = ["{models.url}#m"]\ngrid.', 1)
        await exam_of_nights(tmp_path)
        (tmp_path / "failed.toml").write_text(plan, "utf-8")
        exam = load_exam(tmp_path / "failed.toml")
        await sit_exam(exam)
    async with served(log, exams=[exam]) as server:
        await page.goto(at(server))
        await expect(page.get_by_text("cells failed")).to_have_text(
            "all 6 cells failed: there are no figures"
        )
        await expect(page.get_by_text("the commonest failure, 6 of 6: ")).to_be_visible()


async def test_past_the_last_cell_there_are_none(server: Served, page: Page) -> None:
    await page.goto(at(server, skip="500"))
    cells = page.get_by_role("region", name="Cells")
    await expect(cells).to_contain_text("There are none from here on.")
    await cells.get_by_role("link", name="Before these").click()
    await expect(cells).to_contain_text("1 to 6 of 6 cells")


async def test_its_table_and_a_cell_keep_the_rules_of_wcag(server: Served, page: Page) -> None:
    await page.goto(at(server))
    link = page.get_by_role("region", name="Cells").locator("article").first.get_by_role("link")
    await expect(link.first).to_be_visible()
    assert await violations_in_both(page) == []
    await link.first.click()
    await expect(page.locator(".panel")).to_be_visible()
    assert await violations_in_both(page) == []


@pytest.mark.parametrize(
    ("what", "name", "near"),
    [("arm", "entirely", "entire"), ("kind", "secrets", "secret"), ("tag", "late", None)],
)
async def test_an_arm_a_kind_or_a_tag_of_an_address_that_is_none_of_the_table_is_said_to_be_none(
    server: Served, page: Page, what: str, name: str, near: str | None
) -> None:
    await page.goto(at(server, **{what: name}))
    said = page.get_by_role("region", name="Cells").get_by_role("alert")
    meant = f"did you mean {near!r}?" if near else "there are none"
    await expect(said).to_have_text(f"{name!r} is no {what} of this table: {meant}")


async def test_a_cell_of_an_address_is_listed_alone_or_said_to_be_none(
    server: Served, page: Page
) -> None:
    await page.goto(at(server, arm="entire"))
    cells = page.get_by_role("region", name="Cells")
    link = cells.locator("article", has_text="Who are you?").get_by_role("link")
    [key] = parse_qs(urlsplit(await link.get_attribute("href")).query)["cell"]
    await page.goto(at(server, cell=key))
    await expect(cells).to_contain_text("1 to 1 of 1 cell")
    await expect(cells.locator("article")).to_contain_text("Who are you?")
    await page.goto(at(server, cell="nope"))
    await expect(cells.get_by_role("alert")).to_have_text("nights has no cell 'nope'")
    await expect(cells).to_be_in_viewport()


async def test_from_a_cell_that_is_none_a_link_leads_to_the_table(
    server: Served, page: Page
) -> None:
    await page.goto(at(server, world=WORLD, panel="cell", cell="nope"))
    panel = page.locator(".panel")
    await expect(panel.get_by_role("alert")).to_have_text("nights has no cell 'nope'")
    await panel.get_by_role("link", name="nights").click()
    await expect(page.locator("h1")).to_have_text("nights")


async def test_two_arms_that_differ_in_nothing_are_said_to(server: Served, page: Page) -> None:
    await page.goto(at(server, arm="none", differ="entire", state="failed"))
    cells = page.get_by_role("region", name="Cells")
    await expect(cells).to_have_text("none and entire differ in no such cell.")


async def test_names_of_every_length_and_direction_leave_the_figures_readable(
    browser: Browser, log: Log, tmp_path: Path
) -> None:
    """On a phone a long name leaves room for figures, and a table that goes on shows that it does."""
    world, arm = "\u0642\u0635\u0631-\u0627\u0644\u0644\u064a\u0627\u0644\u064a", "memory" * 20
    await log.append(
        world,
        [
            Draft(WorldOpened("A palace"), at=datetime(2000, 1, 1)),
            Draft(CharacterAdded("Ann"), witnesses=("Ann",)),
        ],
    )
    question = {"world": world, "character": "Ann", "question": "Who are you?", "reference": "Ann"}
    (tmp_path / "nights.jsonl").write_text(
        json.dumps(question | {"at": "end", "kind": "self"}), "utf-8"
    )
    plan = NIGHTS.format(material=tmp_path / "nights.db", log=tmp_path / "long.db")
    plan = plan.replace('grid.memories = ["none", "entire"]', f'arms.{arm}.memory = "entire"')
    (tmp_path / "long.toml").write_text(plan, "utf-8")
    exam = load_exam(tmp_path / "long.toml")
    await sit_exam(exam)
    async with served(log, exams=[exam]) as server, page_of(browser, width=400) as page:
        await page.goto(at(server))
        for name in ("Mean ± standard error", "What it took"):
            table = page.get_by_role("region", name=name)
            await expect(table.get_by_role("rowheader", name=arm)).to_be_visible()
            wide = await table.get_by_role("rowheader").evaluate("head => head.clientWidth")
            assert wide <= 200
        seq = page.locator("article small bdi").first
        await expect(seq).to_have_text(world)
        assert await page.get_by_role("region", name="What it took").evaluate(
            "wide => wide.scrollWidth > wide.clientWidth && getComputedStyle(wide).backgroundImage"
        ) not in (False, "none")


async def test_whoever_picks_cells_by_keyboard_goes_on_at_the_first_of_them(
    server: Served, page: Page
) -> None:
    await page.goto(at(server))
    await page.locator("select[name=arm]").select_option("entire")
    await page.get_by_role("button", name="Show these").press("Enter")
    cells = page.get_by_role("region", name="Cells")
    await expect(cells).to_contain_text("1 to 3 of 3 cells")
    await expect(cells).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(cells.get_by_role("link").first).to_be_focused()
