"""Who knows what on the page, in a real browser."""

from __future__ import annotations

import re

from browser import page_of
from diner_world import WORLD
from playwright.async_api import Browser, Page, expect
from whoknew_server import Served, begun, page_of_story, says, served

from whoknew.eventlog import Draft, Knowledge, Log
from whoknew.eventlog.kinds import Acted, Doubted, EpisodeOpened, TellingFound, TellingsSought

SECRET = "I cannot taste."


async def test_a_lens_dims_what_is_unseen_and_marks_what_was_told(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, at="E2"))
    secret = page.locator(".event", has_text=SECRET).first
    await expect(secret).not_to_have_class("unseen")
    await page.get_by_label("Lens").select_option("Vera")
    await expect(secret).to_contain_text("Vera was told of it by Yusuf at #126")
    assert "as=Vera" in page.url
    await page.get_by_label("Lens").select_option("Rufus")
    await expect(page.locator(".event.unseen", has_text=SECRET).first).to_be_visible()
    await page.get_by_role("button", name="Hide what is unseen").click()
    await expect(page.locator(".event", has_text=SECRET)).to_have_count(0)


async def test_the_matrix_moves_with_the_cursor_and_a_click_tells_the_way(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, at="E5", about="cannot taste"))
    cell = page.get_by_role("button", name="Anselm: told by Vera")
    await cell.first.click()
    chain = page.locator("tr:has(button[aria-expanded=true]) + tr .card")
    await expect(chain).to_contain_text("Anselm ← told by Vera at #290 ← told by Yusuf at #126")
    await expect(chain).to_be_in_viewport(ratio=1)
    await cell.last.click()
    await expect(chain).to_have_count(1)
    await cell.last.click()
    await expect(chain).to_have_count(0)
    await page.locator(".story").focus()
    await page.keyboard.press("Shift+ArrowLeft")
    await page.keyboard.press("Shift+ArrowLeft")
    await expect(page.get_by_role("button", name="Anselm: absent").first).to_be_visible()


async def test_the_matrix_says_of_how_much_each_knows_and_all_of_it_in_words(
    server: Served, page: Page, log: Log
) -> None:
    knowledge = await log.knowledge(WORLD)
    opened = next(
        event.seq
        for event in await log.landmarks(WORLD, (await log.head(WORLD)).seq)
        if isinstance(event.body, EpisodeOpened)
    )
    meant = range(opened - 19, opened + 41)
    await page.goto(page_of_story(server, about=f"{meant[0]}-{meant[-1]}"))
    table = page.locator("table.matrix")
    await expect(table.locator("tbody tr")).to_have_count(20)
    await expect(table.locator("tfoot th")).to_have_text("know of, of all 60 events")
    await expect(table.locator("tfoot td")).to_have_text(
        [
            str(sum(knowledge.of(seq, name).answer in ("present", "told") for seq in meant))
            for name in knowledge.characters
        ]
    )
    await expect(table).to_contain_text("The episode begins: ")
    words = await table.inner_text()
    assert not re.search(r"(world|episode|machinery|life|mind)\.[a-z]", words)


async def test_it_says_how_it_is_known_and_does_not_say_nobody_where_nobody_looked(
    log: Log, server: Served, page: Page
) -> None:
    fact, speech, who = await unheard(log, await log.knowledge(WORLD))
    await page.goto(page_of_story(server, about=str(fact)))
    panel = page.locator(".panel")
    await expect(panel).to_contain_text("Tellings were not looked for")
    head = (await log.head(WORLD)).seq
    teller = (await log.lineage.pick(WORLD, [speech]))[0].actor
    found = TellingFound(fact, teller, (who,), score=0.62)
    sought = TellingsSought(head, "rule 1")
    await log.append(WORLD, [Draft(found, cause=speech), Draft(sought)])
    await page.goto(page_of_story(server, about=str(fact)))
    cell = page.get_by_role("button", name=f"{who}: told by {teller} (rule .62)")
    await expect(cell).to_be_visible()
    await panel.locator("select[name=sure]").select_option("0.8")
    await panel.get_by_role("button", name="Show").click()
    await expect(page.get_by_role("button", name=f"{who}: absent")).to_be_visible()


async def unheard(log: Log, knowledge: Knowledge) -> tuple[int, int, str]:
    """An event that nobody told of, a later speech, and who heard that one and knows nothing of it."""
    reached = knowledge.reached()
    events = await (await log.director(WORLD)).events()
    speeches = [event for event in events if isinstance(event.body, Acted) and event.actor]
    return next(
        (fact.seq, speech.seq, name)
        for fact in speeches
        for speech in speeches
        for name in speech.witnesses
        if speech.seq > fact.seq
        and not reached.get(fact.seq)
        and name != speech.actor
        and speech.actor in fact.witnesses
        and knowledge.of(fact.seq, name).answer == "absent"
    )


async def test_the_way_of_one_event_is_drawn_and_told(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, about="cannot taste"))
    await page.get_by_role("button", name="Graph of #89").click()
    card = page.get_by_label("How #89 came to be known")
    await expect(card.get_by_role("img")).to_have_attribute("alt", re.compile("Yusuf tells Vera"))
    assert await card.get_by_role("img").evaluate("image => image.decode().then(() => image.width)")
    await expect(card.get_by_role("listitem").first).to_have_text("#126 Yusuf tells Vera ")
    await expect(card.get_by_role("link", name="Save the picture")).to_have_attribute(
        "download", f"{WORLD}-89.svg"
    )
    await card.get_by_role("button", name="#126").click()
    await expect(page.locator(".stand")).to_contain_text("#126 of")


async def test_events_are_picked_by_who_knows_of_them_and_the_address_keeps_that(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server))
    panel = page.locator(".panel")
    await panel.locator("select[name=which]").select_option("not")
    await panel.locator("select[name=who]").select_option("Emil")
    await panel.get_by_role("button", name="Show").click()
    await expect(panel).to_contain_text("1-20 of 116 events")
    await panel.locator("select[name=which]").select_option("new")
    await panel.locator("select[name=who]").select_option("Anselm")
    await panel.locator("input[name=span]").fill("E5")
    await panel.get_by_role("button", name="Show").click()
    await expect(panel).to_contain_text("Told of 4, witnessed 15.")
    await expect(panel.locator("ul.known").first).to_contain_text("so knows of #89")
    await page.reload()
    await expect(panel).to_contain_text("Told of 4, witnessed 15.")


async def test_what_is_left_open_has_a_sign_of_its_own(
    server: Served, page: Page, log: Log
) -> None:
    knowledge = await log.knowledge(WORLD)
    who = next(name for name in knowledge.characters if knowledge.of(89, name).answer == "absent")
    await log.append(WORLD, [Draft(Doubted(who, "the door was open"), cause=89)])
    await page.goto(page_of_story(server, about="cannot taste"))
    cell = page.get_by_role("button", name=f"{who}: absent, left open: the door was open")
    await expect(cell.first).to_have_text("?")


async def test_what_is_chosen_is_shown_at_once_and_what_is_asked_is_gone_to(
    server: Served, page: Page
) -> None:
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if not answer.ok else None)
    await page.set_viewport_size({"width": 1366, "height": 700})
    await page.goto(page_of_story(server))
    panel = page.locator(".panel")
    await expect(panel).to_contain_text("Search for some words")
    await panel.locator("select[name=which]").select_option("only")
    await panel.locator("select[name=who]").select_option("Yusuf")
    await expect(panel).to_contain_text("I came for onions.")
    await panel.locator("select[name=which]").select_option("")
    await panel.locator("input[name=about]").fill("cannot taste")
    await page.keyboard.press("Enter")
    await expect(panel.locator("table.matrix thead")).to_be_in_viewport()
    assert not refused


async def test_on_a_phone_an_answer_about_long_names_is_read_without_scrolling_aside(
    browser: Browser, log: Log
) -> None:
    people = (
        "Ann",
        "Maximiliane-Wilhelmine-" + "Hohenlohe" * 12,
        *(f"Guest {n}" for n in range(9)),
    )
    await begun(log, people=people)
    await log.append("w", [says("It was I. " * 9, people[1], people)])
    async with served(log) as server, page_of(browser, width=390) as page:
        await page.goto(f"{server.url}/?world=w&about=was")
        table = page.locator("table.matrix")
        await expect(table).to_be_visible()
        rows = await table.get_by_role("rowheader").all()
        wide = [await row.evaluate("row => row.clientWidth") for row in rows]
        assert min(wide) > 100, "words are not broken letter by letter"
        heads = await table.locator("th[scope=col]").all()
        assert max([await head.evaluate("head => head.clientWidth") for head in heads]) < 60
        for name, said in ((f"{people[1]}: present", "present"), ("Graph of #", "Nobody is known")):
            await table.get_by_role("button", name=name).click()
            answer = table.get_by_role("status")
            await expect(answer).to_contain_text(said)
            assert await answer.evaluate(
                "one => one.clientWidth <= one.closest('.wide').clientWidth"
            )


async def test_a_text_that_is_cut_says_so_and_no_sign_is_cut_in_two(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [says("a" * 239 + "\N{OWL} and more")])
    await page.goto(f"{server.url}/?world=w&about=more")
    await expect(page.locator("table.matrix bdi")).to_have_text("a" * 239 + "…")
