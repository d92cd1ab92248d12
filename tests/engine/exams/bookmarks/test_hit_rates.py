"""How often five fixed questions are in the bank already, and how much reading that saves: equal to an
independent count of the storylines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from shared_data import data
from storyline_count import counted

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import KeptAnswer
from whoknew.agents.memories.bookmarks.operators import Effect
from whoknew.agents.memories.bookmarks.rules import RuleOperators
from whoknew.agents.memories.bookmarks.step import Stepping
from whoknew.agents.memories.bookmarks.tally import StepTally
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.engine.exams.bookmarks.instances import doers
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import CharacterAdded
from whoknew.worlds.importers import storyline

PLAYS = ["hamlet", "macbeth", "dream", "r_and_j"]
EVERYBODY = "everybody"


class Unread(RuleOperators):
    """Its answers say nothing: what is counted is what is asked, and what would be read for it."""

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        return "none"

    async def concept(self, question: str, lines: Sequence[Line]) -> KeptAnswer:
        return KeptAnswer()


async def banked(play: str, *, story: bool) -> StepTally:
    """The same by the banks of all major characters, or by one of the story."""
    file = data("shakespeare-storylines", f"title2action_series.{play}.json")
    world = storyline.world_of(file)
    drafts = seen_by_one(world.drafts) if story else world.drafts
    source = storyline.source_of(world.drafts)
    assert source and source.cast
    whole, major = StepTally(), source.cast.major
    async with open_log(":memory:") as log:
        await log.append(play, drafts)
        owners = [EVERYBODY] if story else major
        for owner in owners:
            whole.join(await line_of(log, play, owner, major if story else (owner,)))
    return whole


def seen_by_one(drafts: Sequence[Draft]) -> list[Draft]:
    """The same in a world in which one witnesses all of it."""
    opened, *others = drafts
    there = Draft(CharacterAdded(EVERYBODY))
    return [opened, there, *(replace(one, witnesses=(EVERYBODY,)) for one in others)]


async def line_of(log: Log, world: str, owner: str, whose: Sequence[str]) -> StepTally:
    """A line: a step before each action of these, in the view of the owner."""
    bank, happened = BookmarkBank(), ToldLines()
    for event in await (await log.director(world)).events():
        for who in (one for one in doers(event) if one in whose):
            view = await log.view(world, owner, AtSeq(event.seq - 1))
            await happened.catch_up(view)
            if not happened:
                continue  # there is nothing to be asked about
            stepping = Stepping(bank=bank, happened=happened, view=view, operators=Unread())
            taken = await stepping.step(who)
            bank.take(taken.record)
    return bank.tally


@pytest.mark.parametrize("play", PLAYS)
@pytest.mark.parametrize("story", [True, False], ids=["of the story", "of each character"])
async def test_hits_and_saving_equal_an_independent_count(play: str, story: bool) -> None:
    found = await banked(play, story=story)
    counts = (found.asked, found.hits, found.unseen, found.scratch)
    assert counts == counted(play, story=story)


@pytest.mark.parametrize(("story", "least"), [(True, 0.90), (False, 0.88)])
def test_nine_of_ten_questions_are_there_already(story: bool, least: float) -> None:
    """And four of five lines need not be read again, on Hamlet more than nine of ten."""
    found = {play: counted(play, story=story) for play in PLAYS}
    hits = {play: known / asked for play, (asked, known, _, _) in found.items()}
    saved = {play: 1 - new / every for play, (_, _, new, every) in found.items()}
    assert hits["hamlet"] >= 0.93 and sum(hits.values()) / len(hits) >= least
    assert saved["hamlet"] >= 0.92 and min(saved.values()) >= 0.80
