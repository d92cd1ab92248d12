"""How much of what decides in an episode came to mind: recall of evidence, from the log alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whoknew.agents.mind import Mind
from whoknew.engine.judges.case import Case
from whoknew.engine.judges.judge import Verdict
from whoknew.eventlog import Event
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Remembered


class Evidence:
    """Of each character: of the needed events of others that it witnessed, what part its memory
    brought to mind in the course of the episode, whole or in a note that rests on it."""

    def __init__(self, mind: Callable[[str], Mind]) -> None:
        self._mind = mind

    async def review(self, case: Case) -> list[Verdict]:
        evidence = await case.evidence()
        found: list[Verdict] = []
        for who in case.people:
            needed = {one.seq for one in evidence if one.actor != who and who in one.witnesses}
            if needed and case.plan.seat(who).agent in ("mind", "bargainer"):
                known = needed & await _recollected(case, self._mind(who))
                scores = {"recall": len(known) / len(needed), "needed": float(len(needed))}
                found.append(Verdict(who, scores, f"{len(known)} of {len(needed)} came to mind"))
        return found


async def _recollected(case: Case, mind: Mind) -> set[int]:
    """The seqs of all that came to mind whenever somebody acted."""
    known: set[int] = set()
    for event in _turns(case.events, mind.who):
        view = await case.log.view(event.world, mind.who, AtSeq(event.seq - 1))
        for place in (await mind.recollect(view)).places:
            (one,) = await view.events(place - 1, place)
            known.add(one.seq)
            if isinstance(one.body, Remembered):
                known.update(one.body.sources)
    return known


def _turns(events: Sequence[Event], who: str) -> list[Event]:
    return [event for event in events if event.actor == who and isinstance(event.body, Acted)]
