"""Whole plays, at every cursor of every character: no prompt holds what the character did not see.

Every run of six words that stands in one event only is searched in every prompt. A prompt changes
only where a view does, so a cursor after each event that a character witnessed is every cursor: every
other of those is asked for here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from leak_scan import Leaky, scan
from shared_data import data

from whoknew.agents.agent import Moment
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.recall import Recall
from whoknew.agents.memories.summary import Summary
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.offline import Offline
from whoknew.eventlog import Draft, Log, View, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, Imported, Remembered
from whoknew.eventlog.story import story_digest
from whoknew.worlds.importers.play import bundled, world_of

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")
ENOUGH = 10_000


@pytest.fixture(scope="module", params=PLAYS)
def path(request: pytest.FixtureRequest) -> Path:
    return data("shakespeare", f"{request.param}.xml")


@pytest.fixture
async def plays() -> AsyncIterator[tuple[Log, list[str]]]:
    async with open_log(":memory:") as log:
        names = []
        for name in PLAYS:
            world = world_of(data("shakespeare", f"{name}.xml"))
            await log.append(world.name, world.drafts)
            names.append(world.name)
        yield log, names


async def test_no_prompt_of_ten_thousand_holds_what_its_character_did_not_see(
    plays: tuple[Log, list[str]],
) -> None:
    log, names = plays
    found = [await scan(log, name, lambda _: Recall(10), every=2) for name in names]
    whole = [await scan(log, name, lambda _: Entire(), every=13) for name in names]
    assert sum(one.hits for one in (*found, *whole)) == 0
    assert sum(one.prompts for one in (*found, *whole)) >= ENOUGH


async def test_a_leaky_memory_is_found_out(plays: tuple[Log, list[str]]) -> None:
    log, names = plays
    found = await scan(log, names[0], lambda _: Leaky(log), every=20)
    assert found.hits > found.prompts / 10


async def play_of(log: Log, path: Path) -> str:
    world = world_of(path)
    await log.append(world.name, world.drafts)
    return world.name


async def test_views_and_recall_of_a_play_are_the_same_before_and_after_its_future(
    path: Path,
) -> None:
    """Laws 2 and 3, for every character at cursors all over the play."""
    world = world_of(path)
    async with open_log(":memory:") as whole:
        await whole.append(world.name, world.drafts)
        for cut in sorted(Random(path.name).sample(range(40, len(world.drafts)), 6)):
            async with open_log(":memory:") as part:
                await part.append(world.name, world.drafts[:cut])
                for name in (await part.knowledge(world.name)).characters:
                    now = await part.view(world.name, name)
                    then = await whole.view(world.name, name, f"#{cut}")
                    assert list(now.seqs()) == list(then.seqs())
                    assert await now.recall("king love death", 5) == await then.recall(
                        "king love death", 5
                    )
                    assert await prompt(now) == await prompt(then)


async def test_at_every_cursor_a_view_holds_what_was_witnessed_by_then(path: Path) -> None:
    """Law 2."""
    world = world_of(path)
    async with open_log(":memory:") as log:
        await log.append(world.name, world.drafts)
        for name in (await log.knowledge(world.name)).characters:
            seqs = [n for n, one in enumerate(world.drafts, start=1) if name in one.witnesses]
            count = 0
            for cut in range(seqs[0], len(world.drafts) + 1):
                count += name in world.drafts[cut - 1].witnesses
                view = await log.view(world.name, name, f"#{cut}")
                assert len(view) == count
                assert view.seqs(count - 1)[0] == seqs[count - 1]
            assert list(view.seqs()) == seqs


async def test_memories_of_a_play_rest_on_the_view_and_fold_in_steps_as_at_once(path: Path) -> None:
    """Law 5: each character sums up each scene; a mind that went along says what a new one says."""
    world = world_of(path)
    async with open_log(":memory:") as log:
        names = [one.body.name for one in world.drafts if isinstance(one.body, CharacterAdded)][:4]
        for memory in (Summary, Entire, lambda: Recall(10)):
            minds = {name: Mind(name, Offline(), memory(), Plain()) for name in names}
            played = f"{world.name}-{memory.__name__}"
            for number in range(max(one.episode for one in world.drafts) + 1):
                drafts = [one for one in world.drafts if one.episode == number]
                if not number:
                    drafts = [one for one in drafts if not isinstance(one.body, Imported)]
                await log.append(played, drafts)
                for name in names if number else ():
                    view = await log.view(played, name)
                    if not any(event.episode for event in await view.events()):
                        continue
                    now = Moment(who=name, view=view)
                    request = await minds[name].request(now)
                    fresh = await Mind(name, Offline(), memory(), Plain()).request(now)
                    assert request.prompt == fresh.prompt
                    for note in await minds[name].remember(now):
                        sources = tuple(view.seqs()[place - 1] for place in note.sources)
                        assert sources and all(seq in view for seq in sources)
                        body = Remembered(name, note.strategy, note.text, sources, view.cursor.seq)
                        await log.append(played, [Draft(body, None, number, witnesses=(name,))])


async def test_what_others_witness_changes_nothing_for_a_character(path: Path) -> None:
    """Law 4: with everything altered that a character did not witness."""
    world = world_of(path)
    async with open_log(":memory:") as log:
        await log.append(world.name, world.drafts)
        names = (await log.knowledge(world.name)).characters
        for name in Random(path.name).sample(names, 5):
            altered = [
                draft
                if name in draft.witnesses or not isinstance(draft.body, Acted)
                else type(draft)(
                    Acted("Otherwise."),
                    draft.at,
                    draft.episode,
                    draft.turn,
                    draft.actor,
                    draft.place,
                    draft.witnesses,
                )
                for draft in world.drafts
            ]
            async with open_log(":memory:") as other:
                await other.append(world.name, altered)
                mine = await log.view(world.name, name)
                theirs = await other.view(world.name, name)
                assert await prompt(mine) == await prompt(theirs)
                assert await mine.recall("night", 5) == await theirs.recall("night", 5)


async def prompt(view: View) -> bytes:
    if not len(view) or not any(event.episode for event in await view.events()):
        return b""
    mind = Mind(view.character, Offline(), Entire(), Plain())
    return (await mind.request(Moment(who=view.character, view=view))).prompt


async def test_a_play_is_the_same_story_each_time_it_is_imported(path: Path) -> None:
    """Law 9."""
    digests = set()
    for _ in range(2):
        async with open_log(":memory:") as log:
            name = await play_of(log, path)
            digests.add(story_digest(await (await log.director(name)).events()))
    assert len(digests) == 1


async def test_our_own_play_leaks_nothing_either() -> None:
    async with open_log(":memory:") as log:
        name = await play_of(log, bundled()["the-lamp-room"])
        found = await scan(log, name, lambda _: Entire())
    assert found.prompts > 250
    assert found.hits == 0
