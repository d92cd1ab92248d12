"""A scan for leaks: every run of six words that stands in one event only, searched in the prompts of
those who did not see that event."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from whoknew.agents.agent import Moment
from whoknew.agents.memories.memory import Memory, Occasion, Piece, Recollection
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.offline import Offline
from whoknew.eventlog import Event, Log

RUN = 6

_WORD = re.compile(r"[^\W_]+")


class Scan(NamedTuple):
    prompts: int
    hits: int


def runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    for start in range(len(words) - RUN + 1):
        yield tuple(words[start : start + RUN])


def telltales(events: Sequence[Event]) -> dict[tuple[str, ...], int]:
    """The runs that stand in one event only, with its seq."""
    found: dict[tuple[str, ...], int] = {}
    often: set[tuple[str, ...]] = set()
    for event in events:
        for run in set(runs(event.body.words.replace("\\n", " "))):
            if run in found:
                often.add(run)
            found[run] = event.seq
    return {run: seq for run, seq in found.items() if run not in often}


async def scan(log: Log, world: str, memory: Callable[[str], Memory], every: int = 1) -> Scan:
    """Build the prompt of each character after each event that it witnessed, and search it."""
    events = await (await log.director(world)).events()
    secrets = telltales(events)

    @cache
    def given_away(told: str) -> set[int]:
        """The events of which a line of a prompt holds what stands in no other: what happened is one
        line, and most lines stand in many prompts."""
        return {secrets[run] for run in runs(told.replace("\\n", " ")) if run in secrets}

    prompts = hits = 0
    for name in (await log.knowledge(world)).characters:
        mind = Mind(name, Offline(), memory(name), Plain())
        seqs = (await log.view(world, name)).seqs()
        acting = [seq for seq in seqs if events[seq - 1].episode]
        for seq in acting[::every]:
            view = await log.view(world, name, f"#{seq}")
            request = await mind.request(Moment(who=name, view=view))
            text = "\n".join(message.text for message in request.messages)
            prompts += 1
            hits += any(seq not in view for told in text.splitlines() for seq in given_away(told))
    return Scan(prompts, hits)


class Leaky(Memory):
    """A memory as it must not be: it remembers what anybody said last."""

    def __init__(self, log: Log) -> None:
        self._log = log

    async def recollect(self, now: Occasion) -> Recollection:
        view = now.view
        everything = await self._log.director(view.cursor.world, view.cursor)
        return Recollection(tuple(Piece(event.text, ()) for event in await everything.last(20)))
