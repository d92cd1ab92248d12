"""A bundled world played into a log, and questions put to it: `whoknew demo`.

Everything that is shown is read back from the log.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from msgspec import Struct

from whoknew.engine.opening import writing
from whoknew.eventlog import ABSENT, Draft, Event, Known, Log, Recalled, exactly, verify
from whoknew.eventlog.verify import Verified
from whoknew.worlds import Script, bundled, play, play_what_if

KEY = "whoknew demo"
"""Under it the batches are appended: played into the same log again, they are there already."""


class Perceived(Struct, frozen=True):
    """What a character can know of a world at its end: witnessed, or told of without witnessing."""

    character: str
    witnessed: int
    told: tuple[Known, ...]
    events: int


class Asked(Struct, frozen=True):
    """What a character recalls, at an early cursor and at the end."""

    character: str
    words: str
    early: str
    then: tuple[Recalled, ...]
    again: tuple[Recalled, ...]
    later: tuple[Recalled, ...]


class Otherwise(Struct, frozen=True):
    """A fork: its own events, and what came of the secret there."""

    world: str
    forked_at: int
    events: tuple[Event, ...]
    known: Known


class Demo(Struct, frozen=True):
    """All that the demo shows."""

    log: str | None
    fresh: bool
    world: str
    title: str
    characters: tuple[str, ...]
    events: tuple[Event, ...]
    secret: int
    moments: tuple[str, ...]
    matrix: tuple[tuple[Known, ...], ...]
    perceived: Perceived
    chain: tuple[Known, ...]
    asked: Asked
    otherwise: Otherwise
    verified: Verified


async def demo(address: str | None = None) -> Demo:
    """Play the bundled world into a log, one that is gone afterwards where none is named."""
    with nullcontext() if address else tempfile.TemporaryDirectory() as folder:
        async with writing(address or str(Path(folder or "") / "demo.db")) as log:
            return await _demo(log, bundled("lantern"), address)


async def _demo(log: Log, script: Script, address: str | None) -> Demo:
    world, who, words = script.world, "Ines", "Who paid for the Heron?"
    played = play(script)
    fresh = world not in {one.name for one in await log.worlds()}
    *before, last = _by_episode(played.drafts)
    await _append(log, world, before)
    early = f"E{len(before)}"
    then = await _recall(log, world, who, early, words)
    await _append(log, world, [last], after=sum(map(len, before)))
    end = f"#{len(played.drafts)}"
    events = await (await log.director(world, end)).events()
    secret = played.labels["secret"]
    moments = ("E1.T5", "E1", "E2", "E3.T1", end)
    return Demo(
        log=address,
        fresh=fresh,
        world=world,
        title=script.title,
        characters=tuple(person.name for person in script.characters),
        events=tuple(events),
        secret=secret,
        moments=(*moments[:-1], "end"),
        matrix=await _matrix(log, world, secret, moments),
        perceived=await _perceived(log, world, who, end),
        chain=tuple((await log.knowledge(world, end)).trace(secret, who)),
        asked=Asked(
            who,
            words,
            early,
            then,
            await _recall(log, world, who, early, words),
            await _recall(log, world, who, end, words),
        ),
        otherwise=await _otherwise(log, script, secret, who),
        verified=await verify(log),
    )


def _by_episode(drafts: Sequence[Draft]) -> list[list[Draft]]:
    """The drafts in batches, what comes before the first episode together with it."""
    batches: dict[int, list[Draft]] = {}
    for draft in drafts:
        batches.setdefault(max(draft.episode, 1), []).append(draft)
    return list(batches.values())


async def _append(log: Log, world: str, batches: Sequence[Sequence[Draft]], after: int = 0) -> None:
    for batch in batches:
        expect = exactly(after) if after else ABSENT
        await log.append(world, batch, expect=expect, key=f"{KEY} #{after + 1}")
        after += len(batch)


async def _matrix(
    log: Log, world: str, event: int, moments: Sequence[str]
) -> tuple[tuple[Known, ...], ...]:
    """A row for each moment, a cell for each character."""
    knowledge = [await log.knowledge(world, moment) for moment in moments]
    return tuple(tuple(one.matrix([event])[0]) for one in knowledge)


async def _perceived(log: Log, world: str, who: str, at: str) -> Perceived:
    view = await log.view(world, who, at)
    knowledge = await log.knowledge(world, at)
    cells = [knowledge.of(seq, who) for seq in range(1, view.cursor.seq + 1)]
    told = tuple(cell for cell in cells if cell.answer == "told")
    return Perceived(who, len(view), told, view.cursor.seq)


async def _recall(log: Log, world: str, who: str, at: str, words: str) -> tuple[Recalled, ...]:
    return tuple(await (await log.view(world, who, at)).recall(words, 1))


async def _otherwise(log: Log, script: Script, secret: int, who: str) -> Otherwise:
    played = play_what_if(script)
    assert script.what_if is not None
    fork, after = script.what_if.world, played.after
    if fork not in {one.name for one in await log.worlds()}:
        await log.fork(script.world, fork, f"#{after}")
    appended = await log.append(fork, played.drafts, expect=exactly(after + 1), key=KEY)
    own = await (await log.director(fork, f"#{appended.last}")).events(appended.first - 1)
    knowledge = await log.knowledge(fork, f"#{appended.last}")
    return Otherwise(fork, after, tuple(own), knowledge.of(secret, who))
