"""The transcript on the page, in a real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page, expect
from whoknew_server import Served, begun, page_of_story, says, served

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import EpisodeOpened, GoalGiven


async def test_lines_are_told_apart_found_folded_and_have_addresses(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, at="E1"))
    story = page.locator(".story")
    await expect(story.locator(".event.thought .manner").first).to_have_text("thought")
    aside = story.locator(".event", has_text="overheard by Yusuf, from the pantry")
    await expect(aside.first).to_be_visible()
    notes = story.locator("details.beside > summary")
    await expect(notes.last).to_contain_text("notes of")
    await expect(story.locator(".event", has_text="Magda remembers")).to_be_hidden()
    await notes.last.click()
    await expect(story.locator(".event", has_text="Magda remembers")).to_be_visible()
    find = page.get_by_label("Find in the story")
    await find.fill("taste nothing salt")
    await find.press("Enter")
    await page.locator(".finds").get_by_role("button").nth(1).click()
    await expect(page.locator(".event.current")).to_contain_text("I cannot taste.")
    address = await page.locator(".event.current time a").get_attribute("href")
    assert address is not None and address.endswith("at=%2389")
    await page.get_by_label("Lens").select_option("Rufus")
    await find.press("Enter")
    await expect(page.locator(".finds")).to_contain_text("0 lines that Rufus knows of")
    await page.goto(server.url + address)
    await expect(page.locator(".event.current")).to_contain_text("I cannot taste.")
    await page.get_by_role("button", name="The lines of E1").click()
    await expect(story.locator(".event")).to_have_count(0)


LEFT_OF = """([first, last]) => {
  const line = document.querySelector(".event.current p");
  const at = (word) => {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const begins = walker.currentNode.data.indexOf(word);
      if (begins < 0) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, begins);
      range.setEnd(walker.currentNode, begins + word.length);
      return range.getBoundingClientRect().left;
    }
  };
  return at(first) < at(last);
}"""


async def test_what_runs_right_to_left_turns_round_nothing_beside_it(
    tmp_path: Path, page: Page
) -> None:
    """Neither a name with a sign that turns round what follows, nor words before their full stop."""
    turning = "\u202eEve"
    async with open_log(tmp_path / "s.db") as log:
        await begun(log, "w", (turning, "Bob"))
        await log.append("w", [says("first and last", turning, (turning, "Bob"))])
        await log.append("w", [says("هل تعرف السر.", "Bob", (turning, "Bob"))])
        async with served(log) as server:
            await page.goto(f"{server.url}/?world=w&at=%235")
            await expect(page.locator(".event.current")).to_contain_text("first and last")
            assert await page.evaluate(LEFT_OF, ["first", "last"])
            await page.goto(f"{server.url}/?world=w")
            await expect(page.locator(".event.current")).to_contain_text("السر.")
            assert await page.evaluate(LEFT_OF, [".", "هل"])


async def test_a_word_longer_than_a_telephone_is_wide_is_cut_off_nowhere(
    tmp_path: Path, page: Page
) -> None:
    """In what is said, told of a scene, and said of a row of goals."""
    long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    people = (long, "Bob")
    async with open_log(tmp_path / "s.db") as log:
        await begun(log, "w", people)
        opened = EpisodeOpened(long, people)
        goals = [
            Draft(GoalGiven(who, long), episode=2, actor=who, witnesses=(who,)) for who in people
        ]
        await log.append("w", [Draft(opened, episode=2, turn=0, witnesses=people), *goals])
        await log.append("w", [says(long, "Bob", people)])
        async with served(log) as server:
            await page.set_viewport_size({"width": 375, "height": 740})
            await page.goto(f"{server.url}/?world=w")
            await expect(page.locator(".story summary")).to_contain_text("2 goals of")
            story = page.locator(".story")
            assert await story.evaluate("story => story.scrollWidth - story.clientWidth") <= 0
