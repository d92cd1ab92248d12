"""The exam Bookmarks on planted worlds, by a model that plays by their rules: so predictions are right where
the bank brings to mind what they follow from, and each arm has its figures in a real report."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace
from planted_habits import TOPICS, WHO, Alternating, habit_of, planted, predicted_by, state_of
from watch_exams import came_to, sat

from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.bookmarks.bookmark import UNKNOWN, KeptAnswer
from whoknew.agents.memories.bookmarks.operators import SceneNow
from whoknew.agents.methods.predict import NEXT_ACTION
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.agents.sections import Sections
from whoknew.engine.exams.bookmarks.figures import figures_of
from whoknew.engine.exams.document import parse
from whoknew.engine.exams.findings import Findings
from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore

PLAN = """
exam = "bookmarks"
name = "planted"
material = "planted.worlds.db"
characters = ["Oda"]
[agents.everyone]
method = "predict"
[arms.vanilla]
[arms.bookmarks]
memory = "bookmarks"
[arms.no-reuse]
memory = "bookmarks"
bookmarks = { derives = false, reuses = false }
[arms.no-near]
memory = "bookmarks"
bookmarks = { near = false }
[arms.incremental]
memory = "bookmarks"
bookmarks = { verified = false }
"""


class Planted:
    """Asks, compares and writes as the rules of planted worlds have it, and predicts what follows from what
    came to mind. What it is asked takes as many tokens as of `offline:`."""

    name = "offline:"

    async def complete(self, request: Request) -> Reply:
        reply = await Offline().complete(request)
        said = await self._said(request)
        return reply if said is None else replace(reply, text=msgspec.json.encode(said).decode())

    async def _said(self, request: Request) -> dict[str, object] | None:
        """None where `offline:` says it as well."""
        told, rules = request.sections, Alternating()
        if told is None or request.answer is None:
            return None
        question, here = told.question or "", list(told.here or ())
        answer = told.memory[0].text if told.memory and isinstance(told.memory[0], Line) else ""
        match request.answer.__struct_fields__[0]:
            case "bookmarks":
                asked = await rules.propose(SceneNow(who=WHO, lines=here))
                return {"bookmarks": asked} if asked else None
            case "effect":
                return {"effect": await rules.effect(question, answer, here)}
            case "state":
                return _written("state", await rules.update(question, answer, here))
            case "behavior":
                return _written("behavior", await rules.behavior(question, here, answer))
            case "shows":
                return {"shows": await rules.shows(question, here[-1], here[:-1])}
            case "answer" if question == NEXT_ACTION:
                return {"answer": _follows(told)}
        return None


async def findings(folder: Path, worlds: int, topics: int) -> Findings:
    """What the report says of so many worlds: all its figures by their names and arms, and remarks."""
    exam, kept = parse(PLAN, "planted.toml", folder), VolatileStore()
    async with Log(VolatileStore()) as about:
        for seed in range(worlds):
            await about.append(f"world {seed}", planted(seed, topics)[0])
        await sat(exam, about, kept, Planted())
        found = await came_to(exam, about, kept)
        figures = {**figures_of(found.cells), **found.findings.figures}
        return replace(found.findings, figures=figures)


def _follows(told: Sections) -> str:
    """What follows from the answers that came to mind."""
    asked = list(told.here or ())[-1].text
    topic = next(one for one in TOPICS if one in asked)
    answers = {
        question: line.text
        for line in told.memory
        for question in (state_of(topic), habit_of(topic))
        if isinstance(line, Line) and quoted(question) in line
    }
    found = predicted_by(topic, answers, twice=(twice := not asked.startswith("And")))
    return found if len(found.split()) == 1 + twice else f"{found} somehow"


def _written(field: str, kept: KeptAnswer) -> dict[str, object]:
    return {field: kept.text or UNKNOWN, "lines": kept.rests}
