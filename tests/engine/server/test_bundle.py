"""A bundle in a real browser, from a disk and without a network; and what is in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from allowed_to_character import Allowed
from browser import page_of
from diner_world import WORLD, nights
from perceived_worlds import arras
from playwright.async_api import Browser, expect
from whoknew_server import Served

from whoknew.engine.server import bundle_parts
from whoknew.engine.server.bundle import BundleOptions, bundle
from whoknew.engine.server.bundle_files import read_part, write_part
from whoknew.engine.server.bundle_scan import check_told
from whoknew.engine.server.bundle_stories import told_by
from whoknew.engine.server.errors import NoBundle
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import Acted

ASKED = (
    ("knowledge", {"at": "E5", "about": "100-300", "limit": 300}),
    ("knowledge", {"at": "E9.T2", "about": "290-310", "who": "Vera,Rufus"}),
    ("knowledge", {"at": "end", "only": "Dorte", "limit": 50}),
    ("knowledge", {"at": "E7", "not": "Yusuf"}),
    ("knowledge", {"at": "E5", "about": "100-300", "order": "most"}),
    ("knowledge", {"at": "E7", "about": "90-200", "order": "fewest", "who": "Vera,Rufus"}),
    ("events", {"upto": 300, "limit": 20, "as": "Vera"}),
    ("events", {"after": 490, "limit": 30}),
    ("trace", {"at": "E9", "event": 90, "character": "Rufus"}),
    ("compare", {"who": "Vera,Rufus", "at": "E9", "limit": 40}),
    ("compare", {"who": "Dorte,Emil", "at": "E5", "skip": 3, "limit": 5}),
    ("compare", {"after": "E2.T3", "at": "E7", "limit": 90}),
    ("compare", {"after": "E8", "at": "E3", "who": "Anselm"}),
    ("scores", {}),
    ("prompts", {"at": "E2.T3"}),
    *(("cursor", {"at": at}) for at in ("E3", "E3.T2", "#77", "@2031-02-03T21:00", "end")),
)


async def test_a_bundle_answers_as_its_server_does(
    server: Served, browser: Browser, tmp_path: Path
) -> None:
    await bundle(str(nights(tmp_path)), WORLD, tmp_path / "sent", BundleOptions())
    async with page_of(browser) as page:
        await page.context.set_offline(True)
        await page.goto(f"file://{tmp_path}/sent/index.html?at=E5&as=Rufus&about=cannot%20taste")
        await expect(page.locator(".story")).to_contain_text("unseen by Rufus")
        await expect(page.locator("table.matrix tbody tr").first).to_contain_text("cannot taste")
        await page.locator("table.matrix td button.toldof").first.click()
        await expect(page.locator(".answer")).to_contain_text("told by")
        line = page.get_by_role("slider", name="Cursor in the story")
        await expect(line).to_have_accessible_description(re.compile("as Rufus perceived it"))
        await page.get_by_role("tab", name="Why").click()
        await page.get_by_label("Lens").select_option("")
        await expect(line).to_have_accessible_description(re.compile("Magda"))
        picture = await line.locator("img").get_attribute("src") or ""
        await page.get_by_role("button", name="This episode").click()
        await expect(line.locator("img")).not_to_have_attribute("src", picture)
        await expect(page.get_by_role("link", name="As a poster")).to_be_visible()
        await page.locator(".story").get_by_role("button", name="Why?").last.click()
        await expect(page.locator(".panel")).to_contain_text("To the byte what the model was given")
        await page.go_back()
        await page.get_by_role("tab", name="Compare").click()
        await page.get_by_label("One").select_option("Vera")
        await page.get_by_label("and the other").select_option("Dorte")
        await page.get_by_role("button", name="Compare these two, here").click()
        await expect(page.get_by_role("heading", name="Only Dorte: ")).to_be_visible()
        await page.get_by_label("From a cursor").fill("E3")
        await page.get_by_role("button", name="Compare it with here").click()
        await expect(page.locator(".panel")).to_contain_text("Between #")
        for what, values in ASKED:
            told = await page.evaluate(
                "async ([what, values]) => (await import('whoknew/api.js')).about("
                f"'{WORLD}', what, values)",
                [what, values],
            )
            assert compared(told) == compared(await asked(server, what, values)), (what, values)


async def test_a_bundle_colours_whoever_knows_as_its_server_does(
    server: Served, browser: Browser, tmp_path: Path
) -> None:
    await bundle(str(nights(tmp_path)), WORLD, tmp_path / "sent", BundleOptions(prompts=False))
    async with page_of(browser) as page:
        await page.goto(f"file://{tmp_path}/sent/index.html?about=cannot%20taste")
        await page.get_by_role("button", name="Colour who knows of #89 in the picture").click()
        line = page.get_by_role("slider", name="Cursor in the story")
        await expect(line).to_have_accessible_description(
            re.compile("Vera was told at #126 by Yus")
        )
        await expect(page.get_by_text("who came to know of #89")).to_be_visible()
        for values in ({"about": "#89"}, {"about": "#203", "after": 169}):
            asks = {**values, "width": 1280, "height": 240, "columns": 142}
            told = await page.evaluate(
                f"async (asks) => (await import('whoknew/api.js')).about('{WORLD}', 'story', asks)",
                asks,
            )
            window = {end: told["story"][end] for end in ("after", "upto")}
            theirs = await asked(server, "story", {**asks, **window})
            assert learnt(told) == learnt(theirs) != []
            for drawn in (NODE, ARROW):
                mine = [float(one) for one in sum(drawn.findall(told["picture"]), ())]
                its = [float(one) for one in sum(drawn.findall(theirs["picture"]), ())]
                assert mine == pytest.approx(its, abs=0.11), values
        await page.get_by_label("Lens").select_option("Vera")
        await expect(page.get_by_text("colours as the director sees it")).to_be_visible()
        await expect(line.locator("img")).to_be_visible()


NODE = re.compile(r'<circle class="node \w+" cx="([\d.]+)" cy="([\d.]+)"')
ARROW = re.compile(r'class="arrow[ \w]*" d="M([\d.]+) ([\d.]+)V([\d.]+)"')


def learnt(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Since when who knows, and by whom."""
    ways = found["story"]["fact"]["learnt"]
    return [(one["character"], one["at"], one["how"], one.get("by")) for one in ways]


async def asked(server: Served, what: str, values: dict[str, Any]) -> Any:
    path = f"/api/v1/worlds/{WORLD}/{what}"
    async with server.client.get(path, params=values) as response:
        assert response.status == 200, await response.text()
        return await response.json()


def compared(found: Any) -> Any:
    """Without what a bundle has no use for: the chains that it makes itself, what is packed in events."""
    if isinstance(found, dict):
        left = {name: compared(one) for name, one in found.items() if name not in UNUSED}
        return {name: one for name, one in left.items() if one not in (None, "", [])}
    return [compared(one) for one in found] if isinstance(found, list) else found


UNUSED = {"chains", "facts", "doubtful", "only", "unaware", "sure", "prompt", "packed", "content"}


@pytest.mark.parametrize("name", ["midnight-diner", "arras"])
async def test_the_bundle_of_a_character_holds_what_it_perceived_and_no_more(
    name: str, tmp_path: Path, browser: Browser
) -> None:
    address = tmp_path / f"{name}.db"
    async with open_log(nights(tmp_path).rename(address) if name == WORLD else address) as log:
        if name != WORLD:
            await log.append(name, arras(unseen=True))
        raw = [msgspec.json.decode(msgspec.json.encode(one)) async for one in log.read(name)]
        people = [one["body"]["name"] for one in raw if one["body"]["kind"] == "world.character"]
    for who in people[:3]:
        folder = tmp_path / who
        await bundle(str(address), name, folder, BundleOptions(who=who))
        allowed = Allowed(raw, who)
        parts = {file.stem: read_part(file) for file in (folder / "data").iterdir()}
        sent = [one for stem in parts if stem.startswith("events-") for one in parts[stem]]
        assert {stem.partition("-")[0] for stem in parts} == {"events", "facts", "story"}
        met = {who, *(name for one in sent for name in one.get("present", ()))}
        met |= {one["actor"] for one in sent if one.get("actor")}
        drawn = " ".join(
            text for stem in parts if "story-" in stem for text in told_by(parts[stem])
        )
        drawn += (folder / "story.svg").read_text()
        assert not [name for name in people if name not in met and name in drawn]
        assert len(sent) == parts["facts"]["events"] == len(allowed.seen)
        for one in sent:
            allowed.check(one)
    async with page_of(browser) as page:
        await page.context.set_offline(True)
        await page.goto(f"file://{tmp_path}/{people[0]}/index.html")
        await expect(page.get_by_label("Lens")).to_have_value(people[0])
        await expect(page.locator(".story .event").last).to_be_visible()
        await expect(page.get_by_role("tab")).to_have_count(0)


async def test_what_a_reader_may_not_see_is_found_in_what_was_written(
    log: Log, tmp_path: Path
) -> None:
    director = await log.director(WORLD)
    unseen = [one for one in await director.events() if "Vera" not in one.witnesses]
    secret = next(one for one in unseen if isinstance(one.body, Acted) and len(one.text) > 80)
    part = tmp_path / "events-0.js"
    write_part(tmp_path, "events-0", [{"body": {"text": "Good evening."}}])
    await check_told(log, WORLD, "Vera", [part])
    write_part(tmp_path, "events-0", [{"body": {"text": f"So it was: {secret.text}"}}])
    with pytest.raises(NoBundle, match=r"events-0\.js would tell Vera of #"):
        await check_told(log, WORLD, "Vera", [part])


@pytest.mark.parametrize("limit", ["SIZE", "READ", "TURNS"])
async def test_where_prompts_are_too_many_the_newest_are_there_and_the_others_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    log = nights(tmp_path)
    whole = await bundle(str(log), WORLD, tmp_path / "whole", BundleOptions())
    assert (whole.turns > 100, whole.left) == (True, 0)
    monkeypatch.setattr(bundle_parts, limit, {"SIZE": 50_000, "READ": 3_000, "TURNS": 5}[limit])
    some = await bundle(str(log), WORLD, tmp_path / "some", BundleOptions())
    assert 0 < some.turns < 20
    assert some.turns + some.left == whole.turns
    every, newest = (
        read_part(tmp_path / folder / "data" / "facts.js")["turns"] for folder in ("whole", "some")
    )
    assert newest == every[-some.turns :]
