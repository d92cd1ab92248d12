"""A step: what is proposed, found again, derived or new, and what of that an action is grounded on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from bookmark_stories import HangingOperators, Spoken, told, upto

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import UNKNOWN, Bookmark, KeptAnswer, Proposal
from whoknew.agents.memories.bookmarks.bookmarks import BookmarksEntry
from whoknew.agents.memories.bookmarks.grid import CHUNK
from whoknew.agents.memories.bookmarks.operators import Effect, Fit, SceneNow
from whoknew.agents.memories.bookmarks.rules import RuleOperators
from whoknew.agents.memories.bookmarks.step import WAYS, Stepping, StepWays
from whoknew.agents.memories.bookmarks.step_taken import StepTaken
from whoknew.agents.memories.life_extent import LifeExtent

KIT = Proposal("Where is Kit now?", "state")
LAMP = Proposal("Where is the lamp now?", "state")
ROPE = Proposal("Where is the rope now?", "state")
TALKS = Proposal("How does Oda talk?", "behavioral", "Oda")
SWEARS = Proposal("How does Oda swear?", "behavioral", "Oda")

STORY = [
    *[("Oda", "I talk."), ("Kit", "Here is the lamp."), ("Bram", "No."), ("Oda", "I swear it.")],
    *[("Kit", "There is Kit."), ("Oda", "So we talk.")],
    *[("Bram", f"Nothing, {number} times.") for number in range(10)],
]


class Scripted(HangingOperators):
    """Proposes what it is told to, and finds what fits as it is told: by the question of a candidate, or
    by that which is proposed, where it is another."""

    def __init__(self, *proposals: Proposal, fits: Mapping[str, Fit] = {}) -> None:
        super().__init__()
        self._proposals, self._fits = proposals, fits
        self.scenes: list[SceneNow] = []

    async def propose(self, scene: SceneNow) -> Sequence[Proposal]:
        self.scenes.append(scene)
        return self._proposals

    async def match(self, asked: Proposal, candidates: Sequence[Bookmark]) -> Sequence[Fit]:
        found: list[Fit] = []
        for one in candidates:
            same: Fit = "reuse" if one.asked.same == asked.same else "none"
            fit = self._fits.get(asked.question) if asked.same != one.asked.same else None
            found.append(self._fits.get(one.question, fit or same))
        return found


async def steps(
    *some: tuple[int, Scripted], ways: StepWays = WAYS, story: Sequence[Spoken] = STORY
) -> tuple[BookmarkBank, list[StepTaken]]:
    """Oda's steps after so many lines each."""
    bank, taken = BookmarkBank(), list[StepTaken]()
    async with told(story) as log:
        for line, operators in some:
            view, happened = await upto(log, line)
            stepping = Stepping(
                bank=bank, happened=happened, view=view, operators=operators, ways=ways
            )
            taken.append(await stepping.step("Oda"))
            assert bank.fits(taken[-1].record)
            bank.take(taken[-1].record)
            assert bank.last(near=ways.near) == taken[-1]
    return bank, taken


def fates(taken: StepTaken) -> list[tuple[str, int]]:
    return [(one.fate, one.number) for one in taken.record.proposed]


async def test_what_was_asked_before_is_taken_up_again_and_reads_only_what_is_new() -> None:
    bank, (first, second) = await steps((2, Scripted(KIT, TALKS)), (6, Scripted(TALKS, LAMP)))
    assert fates(first) == [("new", 1), ("new", 2)]
    assert fates(second) == [("reused", 2), ("new", 3)]
    assert [(one.number, one.unseen) for one in second.record.changes] == [(2, 4), (3, 6)]
    assert (second.record.unseen, second.record.scratch) == (10, 12)
    assert bank.active == (2, 3) and bank[1].synced == 2 and bank[2].synced == 6


async def test_the_same_question_twice_is_one_and_behaviors_are_of_who_acts() -> None:
    other = Proposal("how does ODA talk", "behavioral", "Kit")
    bank, (taken,) = await steps((4, Scripted(TALKS, other, KIT)))
    assert fates(taken) == [("new", 1), ("new", 2)] and bank[1].asked.character == "Oda"


async def test_no_more_is_proposed_than_is_wanted() -> None:
    _, (taken,) = await steps((4, Scripted(KIT, LAMP, ROPE)), ways=StepWays(most=2))
    assert len(taken.record.proposed) == 2


async def test_of_what_fits_the_same_question_goes_before_one_to_derive_from() -> None:
    """The authors' code takes whatever fits first."""
    early = {LAMP.question: "derive", KIT.question: "reuse"}
    asked = (2, Scripted(KIT, LAMP)), (6, Scripted(LAMP, fits=early))  # type: ignore[arg-type]
    _, (_, sound) = await steps(*asked)
    assert fates(sound) == [("reused", 1)]
    _, (_, first) = await steps(*asked, ways=StepWays(first_fits=True))
    assert fates(first) == [("derived", 3)]


async def test_what_is_derived_begins_where_its_parent_is_by_now() -> None:
    """Its parent is brought up to date for that; what is grounded on is the child first."""
    script = Scripted(SWEARS, fits={TALKS.question: "derive"})
    bank, (_, taken) = await steps((4, Scripted(TALKS)), (6, script))
    assert fates(taken) == [("derived", 2)] and bank[2].parent == 1
    assert [(one.number, one.unseen) for one in taken.record.changes] == [(1, 2), (2, 0)]
    assert bank[2].hits == bank[1].hits and bank.active == (2,)
    assert [one.number for one in taken.grounds] == [
        one.number for one in (bank[2], bank[1]) if one.answer.known
    ]


class Worded(Scripted):
    """The keyword of a question is its last word."""

    async def keyword(self, question: str) -> str:
        return question.rstrip("?").rpartition(" ")[2]


async def test_a_concept_that_is_derived_is_looked_up_from_the_start_by_a_keyword_of_its_own() -> (
    None
):
    """It keeps the hits of the other. With the same keyword there is nothing to be looked up again."""
    lamp, rope, other = (
        Proposal(one, "concept")
        for one in ("What burns on the lamp?", "What hangs on the rope?", "Who has the lamp?")
    )
    lines = ["the rope", "the lamp", "nothing", "the rope and the lamp", "nothing", "a rope"]
    fits: dict[str, Fit] = {lamp.question: "derive"}
    script = (2, Worded(lamp)), (6, Worded(rope, other, fits=fits))
    bank, (_, taken) = await steps(*script, story=[("Kit", one) for one in lines])
    assert fates(taken) == [("derived", 2), ("derived", 3)]
    assert bank[1].hits == (2, 4) == bank[3].hits
    assert bank[2].hits == (1, 2, 4, 6)
    fresh = Bookmark(number=9, asked=rope, keyword="rope").hit([1, 2, 4, 6])
    assert bank[2].spans == fresh.spans
    assert [(one.number, one.unseen) for one in taken.record.changes] == [(1, 4), (2, 6), (3, 0)]


@pytest.mark.parametrize(("at", "unseen"), [(40, 40), (64, 0), (70, 6)])
async def test_to_a_state_that_is_derived_all_is_new_behind_the_last_full_chunk(
    at: int, unseen: int
) -> None:
    """Where none is full it reads all, and nothing of it is saved."""
    there = Proposal("Where is Kit's lamp now?", "state")
    script = Scripted(there, fits={KIT.question: "derive"})
    story = [("Kit", f"Line {number}.") for number in range(at)]
    _, (_, taken) = await steps((4, Scripted(KIT)), (at, script), story=story)
    child = taken.record.changes[-1]
    assert (child.begun, child.parent, child.unseen, child.read) == (there, 1, unseen, unseen)


async def test_the_authors_derive_from_where_the_parent_stood_before_the_step() -> None:
    """And behaviors without what showed them."""
    script = Scripted(TALKS, SWEARS, fits={SWEARS.question: "derive"})
    bank, (_, taken) = await steps((4, Scripted(TALKS)), (6, script), ways=StepWays(stale=True))
    assert fates(taken) == [("reused", 1), ("derived", 2)]
    assert [(one.number, one.unseen) for one in taken.record.changes] == [(2, 2), (1, 2)]
    bank, (_, taken) = await steps(
        (4, Scripted(TALKS)), (6, script), ways=StepWays(stale=True, forgets=True)
    )
    assert set(bank[2].hits) <= {6}, "only what is new shows it"


async def test_where_nothing_is_derived_or_reused_all_is_new() -> None:
    script = (2, Scripted(KIT)), (6, Scripted(KIT, LAMP, fits={KIT.question: "derive"}))
    _, (_, taken) = await steps(*script, ways=StepWays(derives=False, reuses=False))
    assert fates(taken) == [("new", 2), ("new", 3)]
    _, (_, taken) = await steps(*script, ways=StepWays(derives=False))
    assert fates(taken) == [("new", 2), ("new", 3)]


async def test_what_is_near_grounds_a_step_unless_it_is_left_out() -> None:
    some = (5, Scripted(KIT, LAMP)), (9, Scripted(ROPE)), (16, Scripted(ROPE))
    bank, taken = await steps(*some)
    near = {one.number for one in (bank[1], bank[2]) if one.answer.known}
    assert near <= {one.number for one in taken[1].grounds}
    assert {one.number for one in taken[2].grounds} <= {3}
    _, taken = await steps(*some, ways=StepWays(near=False))
    assert {one.number for one in taken[1].grounds} <= {3}


async def test_who_proposes_is_told_of_the_last_ten_lines_what_is_near_and_what_was_fruitless() -> (
    None
):
    last = Scripted(KIT)
    bank, _ = await steps((3, Scripted(KIT, LAMP)), (5, Scripted(ROPE)), (16, last))
    (scene,) = last.scenes
    assert len(scene.lines) == 10 and scene.lines[-1].text == "Nothing, 9 times."
    assert scene.near == () and scene.who == "Oda" and scene.most == 5
    unknown = [one.question for one in bank if not one.answer.known and one.synced < 16]
    assert set(scene.fruitless) >= set(unknown)


async def test_by_rule_five_questions_are_asked_at_each_step_and_found_again() -> None:
    async with told(STORY) as log:
        bank = BookmarkBank()
        for line in (3, 5):
            view, happened = await upto(log, line)
            taken = await Stepping(
                bank=bank, happened=happened, view=view, operators=RuleOperators()
            ).step("Oda")
            bank.take(taken.record)
    assert [one.asked.question for one in taken.record.proposed] == [
        "Where is Oda now?",
        "What does Oda want now?",
        "How does Oda stand to Kit?",
        "How does Oda talk?",
        "Who is Kit?",
    ]
    assert [one.fate for one in taken.record.proposed] == ["reused"] * 2 + ["new", "reused", "new"]
    assert bank[5].answer.text == "No.", "who Bram is: the newest line that names him"


class Ignorant(Scripted):
    """Every stretch changes an answer; of the lamp it comes to know nothing."""

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        self.asked += 1
        return "update"

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        self.asked += 1
        return KeptAnswer(UNKNOWN if question == LAMP.question else "Here.")


async def test_what_is_unknown_is_told_as_fruitless_and_not_as_near() -> None:
    last = Ignorant(KIT)
    await steps((3, Ignorant(KIT, LAMP)), (5, last))
    (scene,) = last.scenes
    assert [one.question for one in scene.near] == [KIT.question]
    assert scene.fruitless == (LAMP.question,)


async def test_a_state_that_is_derived_takes_no_more_calls_than_is_said_beforehand() -> None:
    story = [("Bram", f"Line {number}.") for number in range(2 * CHUNK - 1)]
    derived = Ignorant(ROPE, fits={ROPE.question: "derive"})
    await steps((1, Ignorant(KIT)), (len(story), derived), story=story)
    life = LifeExtent(events=len(story), acts=0)
    proposing_and_comparing = 2
    assert derived.asked + proposing_and_comparing == BookmarksEntry(most=1).most_calls(life)
