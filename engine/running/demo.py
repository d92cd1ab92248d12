"""Ten nights in a diner, played by the engine and looked into: `whoknew demo`.

Everything that is shown is read back from the log.
"""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path

from msgspec import Struct

from whoknew.engine.plan.plan import Plan
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import Event, Known, Log, Recalled, verify
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Acted, CharacterAdded
from whoknew.eventlog.verify import Verified
from whoknew.worlds.shelf import find

WORLD = "midnight-diner"

SECRET = "I cannot taste."
"""How the event begins that the demo follows."""

EARLY = "E4"
"""A cursor in the middle of the story, which is asked after its end."""


class DemoQuestion(Struct, frozen=True):
    """What a character recalls at an early cursor, and at the end."""

    character: str
    words: str
    early: str
    then: tuple[Recalled, ...]
    later: tuple[Recalled, ...]


class Demo(Struct, frozen=True):
    """All that the demo shows."""

    log: str | None
    fresh: bool
    world: str
    title: str
    report: RunReport
    characters: tuple[str, ...]
    first: tuple[Event, ...]
    events: int
    secret: Event
    moments: tuple[str, ...]
    matrix: tuple[tuple[Known, ...], ...]
    chain: tuple[Known, ...]
    asked: DemoQuestion
    verified: Verified


async def demo(address: str | None = None) -> Demo:
    """Play the bundled world into a log, one that is gone afterwards where none is named."""
    with nullcontext() if address else tempfile.TemporaryDirectory() as folder:
        log = address or str(Path(folder or "") / "demo.db")
        setting = find(WORLD)
        async with open_run(Program.of(Plan(world=WORLD), setting, log)) as run:
            await run.survey()
            fresh = not run.all_over
            report = await run.play()
            if not report.finished:
                raise LogError(f"the demo was not played to its end: {report.reason or report}")
            return await _seen(run.log, report, setting.title, address, fresh=fresh)


async def _seen(
    log: Log, report: RunReport, title: str, address: str | None, *, fresh: bool
) -> Demo:
    events = await (await log.director(WORLD)).events()
    secret = next(
        event
        for event in events
        if isinstance(event.body, Acted) and event.body.text.startswith(SECRET)
    )
    episodes = max(event.episode for event in events)
    moments = tuple(f"E{number}" for number in (1, 2, 5, 8, episodes))
    knowledge = [await log.knowledge(WORLD, moment) for moment in moments]
    matrix = tuple(tuple(one.matrix([secret.seq])[0]) for one in knowledge)
    last = _last_to_hear(matrix)
    chain = tuple((await log.knowledge(WORLD)).trace(secret.seq, last))
    return Demo(
        log=address,
        fresh=fresh,
        world=WORLD,
        title=title,
        report=report,
        characters=tuple(
            event.body.name for event in events if isinstance(event.body, CharacterAdded)
        ),
        first=tuple(event for event in events if event.episode == 1),
        events=len(events),
        secret=secret,
        moments=moments,
        matrix=matrix,
        chain=chain,
        asked=await _asked(log, last),
        verified=await verify(log),
    )


def _last_to_hear(matrix: tuple[tuple[Known, ...], ...]) -> str:
    """Of those who were told, the one to whom it took longest."""
    told = [known for known in matrix[-1] if known.answer == "told"]
    return max(told, key=lambda known: known.at or 0).character


async def _asked(log: Log, character: str) -> DemoQuestion:
    words = "Who cannot taste the soup?"
    then = await (await log.view(WORLD, character, EARLY)).recall(words, 1)
    later = await (await log.view(WORLD, character)).recall(words, 1)
    return DemoQuestion(character, words, EARLY, tuple(then), tuple(later))
