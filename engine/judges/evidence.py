"""How much of what decides in an episode came to mind, or of what an answer should rest on it does:
recall of evidence, from the log alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from whoknew.agents.errors import NotRecorded
from whoknew.agents.mind import Mind
from whoknew.engine.plan.planned import ranking_of, version_of
from whoknew.engine.playing.case import AnswerCase, Case, EpisodeCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict
from whoknew.eventlog import Event
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Failed, Remembered


class Evidence(Judge[Case]):
    """Of each character in an episode: of the needed events of others that it witnessed, what part its
    memory brought to mind in the course of it, whole or in a note that rests on it. Of an answer: of the
    evidence that its character witnessed, what part it rests on."""

    def __init__(self, mind: Callable[[str], Mind]) -> None:
        self._mind = mind

    async def review(self, case: Case) -> list[Verdict]:
        return _answer(case) if isinstance(case, AnswerCase) else await self._episode(case)

    async def _episode(self, case: EpisodeCase) -> list[Verdict]:
        evidence = await case.evidence()
        found: list[Verdict] = []
        for who in case.people:
            needed = {one.seq for one in evidence if one.actor != who and who in one.witnesses}
            if needed and case.plan.seat(who).thinks:
                found.append(await self._of(case, who, needed))
        return found

    async def _of(self, case: EpisodeCase, who: str, needed: set[int]) -> Verdict:
        cursors = _cursors(case.events, who)
        if not cursors:
            return Verdict(who, None, f"{who} had no turn in which anything could come to mind")
        try:
            known = needed & await _recollected(case, self._mind(who), cursors)
        except NotRecorded:
            return Verdict(who, None, f"{who}'s memory asks a model for what comes to mind")
        scores = {"recall": len(known) / len(needed), "needed": float(len(needed))}
        return Verdict(who, scores, f"{len(known)} of {len(needed)} came to mind")


async def _recollected(case: EpisodeCase, mind: Mind, cursors: Sequence[int]) -> set[int]:
    """The seqs of all that came to mind whenever somebody acted. An event has the same place in each of
    its views, and is looked at once."""
    known, looked = set[int](), set[int]()
    world = case.events[0].world
    ranking = ranking_of(await version_of(case.log, world, case.events[0].seq))
    for cursor in cursors:
        view = (await case.log.view(world, mind.who, AtSeq(cursor))).ranked(ranking)
        new = {*(await mind.recollect(view)).places} - looked
        looked |= new
        for event in await view.pick(sorted(new)):
            known |= _behind(event)
    return known


def _behind(event: Event) -> set[int]:
    """The event itself, and those that a note rests on."""
    return {event.seq, *(event.body.sources if isinstance(event.body, Remembered) else ())}


def _answer(case: AnswerCase) -> list[Verdict]:
    """What of the evidence an answer rests on, `recall` by event; by set, which are `covered` whole,
    and of which one event at least is `met`. Nothing is said of one who witnessed none of it."""
    who = case.character
    if not any(case.evidence):
        return [Verdict(who, None, "there is no evidence to look for")]
    witnessed = [{seq for seq in some if seq in case.view} for some in case.evidence]
    sets = [some for some in witnessed if some]
    if not sets:
        return []
    known = set().union(*map(_behind, case.rests_on))
    needed = set().union(*sets)
    scores = {
        "recall": len(known & needed) / len(needed),
        "covered": sum(some <= known for some in sets) / len(sets),
        "met": sum(not some.isdisjoint(known) for some in sets) / len(sets),
    }
    return [Verdict(who, scores, f"rests on {len(known & needed)} of {len(needed)}")]


def _cursors(events: Sequence[Event], who: str) -> list[int]:
    """Upon what somebody decided, turn by turn: what had happened before anybody acted in it."""
    begun: dict[int, int] = {}
    before = 0
    for event in events:
        if isinstance(event.body, Acted) or (
            isinstance(event.body, Failed) and event.body.what == "turn"
        ):
            begun.setdefault(event.turn, before)
        before = event.seq
    mine = {event.turn for event in events if event.actor == who and isinstance(event.body, Acted)}
    return [begun[turn] for turn in sorted(mine)]


class EvidenceEntry(JudgeEntry, frozen=True):
    """whether what decides came to mind"""

    judges: ClassVar[tuple[Judged, ...]] = ("episode", "answer")
    needs: ClassVar[tuple[Needed, ...]] = ("evidence",)

    def make(self, bench: Bench) -> Evidence:
        return Evidence(bench.mind)
