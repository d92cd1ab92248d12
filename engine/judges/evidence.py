"""How much of what decides in an episode came to mind: recall of evidence, from the log alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whoknew.agents.errors import NotRecorded
from whoknew.agents.mind import Mind
from whoknew.engine.plan.planned import ranking_of, version_of
from whoknew.engine.playing.case import EpisodeCase
from whoknew.engine.playing.judge import Bench, Judge, JudgeEntry, Verdict
from whoknew.eventlog import Event
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Failed, Remembered


class Evidence(Judge[EpisodeCase]):
    """Of each character: of the needed events of others that it witnessed, what part its memory
    brought to mind in the course of the episode, whole or in a note that rests on it."""

    def __init__(self, mind: Callable[[str], Mind]) -> None:
        self._mind = mind

    async def review(self, case: EpisodeCase) -> list[Verdict]:
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
    """The seqs of all that came to mind whenever somebody acted."""
    known: set[int] = set()
    world = case.events[0].world
    ranking = ranking_of(await version_of(case.log, world, case.events[0].seq))
    for cursor in cursors:
        view = (await case.log.view(world, mind.who, AtSeq(cursor))).ranked(ranking)
        for place in (await mind.recollect(view)).places:
            (one,) = await view.events(place - 1, place)
            known.add(one.seq)
            if isinstance(one.body, Remembered):
                known.update(one.body.sources)
    return known


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
    """whether what decides it came to mind"""

    def make(self, bench: Bench) -> Evidence:
        return Evidence(bench.mind)
