"""The guard of an arm: an answer that gives away what whoever is asked could not know is refused, by the
rule by which `whoknew exam audit` finds such answers."""

from __future__ import annotations

import asyncio
from functools import partial

from msgspec.structs import replace

from whoknew.agents.methods.guarded import LineGuard
from whoknew.engine.exams.by_world import ByWorld
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.cells import Unit
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.leaks import NEVER, LeakFinder, SpokenLine
from whoknew.engine.playing.guard import refusal
from whoknew.eventlog import Log
from whoknew.eventlog.story import is_outside_story

Finders = ByWorld[LeakFinder]
"""What finds leaks in worlds, each upon all that happens in its own."""


def finders(material: Log) -> Finders:
    return ByWorld(partial(_finder, material))


async def _finder(material: Log, world: str) -> LeakFinder:
    events = await (await material.director(world)).events()
    knowledge = await material.knowledge(world)

    def read() -> LeakFinder:
        told = {
            who: {seq: known.at or 0 for seq, known in knowledge.told(who).items()}
            for who in knowledge.characters
        }
        finder = LeakFinder((), told)
        for event in giving_way(events):
            if not is_outside_story(event):
                finder.read(event)
        return finder

    return await asyncio.to_thread(read)


def answer_line(unit: Unit, answer: str) -> SpokenLine:
    """An answer as it is looked at: what the words of its question say is no leak."""
    question = unit.asked.question
    asked = " ".join([question.question, *question.choices])
    return SpokenLine(NEVER, question.character, answer, unit.seq, asked)


class AnswerGuard(LineGuard):
    """Refuses answers to one question that are at least so `sure` to be leaks. What it refuses goes onto
    the log with the calls of the cell, once."""

    def __init__(self, finder: LeakFinder, unit: Unit, sure: float, calls: CellCalls) -> None:
        self._finder, self._unit, self._sure, self._calls = finder, unit, sure, calls

    async def refuses(self, text: str, *, kept: bool) -> bool:
        if self._calls.was_refused(text):
            return True
        leak = await asyncio.to_thread(self._finder.look, answer_line(self._unit, text))
        if leak is None or leak.score < self._sure:
            return False
        self._calls.refuse(replace(refusal(leak, kept=kept), text=text))
        return True
