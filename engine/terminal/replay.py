"""`whoknew replay`: the transcript as it stood, by itself or as it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG, reading
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, out, safe
from whoknew.engine.terminal.figures import counted
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    World,
    alone,
    flag,
    option,
)
from whoknew.engine.terminal.transcript import Transcript
from whoknew.engine.terminal.witnesses import Witnesses, among
from whoknew.engine.travel import replay as replaying
from whoknew.engine.travel.replay import Replayed
from whoknew.eventlog import Event, Log

app = alone()


@app.command(
    epilog="Example: whoknew replay midnight-diner --at E4 --as Rufus --log midnight-diner.db"
)
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    who: Annotated[str | None, option("--as", "NAME", "Only what NAME perceived.")] = None,
    after: Annotated[
        str | None, option("--from", "CURSOR", "Only what came after this moment.")
    ] = None,
    follow: Annotated[bool, flag("--follow", "Stay, and show what happens next.")] = False,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed", min=0.001, metavar="X", help="Play it back X times as fast as it happened."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show a world as it stood at any moment.

    With --as, what one character had perceived by then; what it was told is marked.
    """
    watched = follow or speed is not None
    if json and watched:
        raise typer.BadParameter("--json is one answer: leave out --follow and --speed")

    async def found() -> Any:
        async with reading(log) as opened:
            window = None if json else replaying.WINDOW
            seen = await replaying.replay(
                opened, world, at, character=who, after=after, window=window
            )
            if watched:
                await watch(opened, seen, speed=speed, follow=follow)
                return None
            return seen

    answer(found(), lambda seen: shown(seen) if seen else "", json)


LONGEST = 3.0
"""Seconds; nobody waits longer for what happens next, however long it took."""


def shown(replayed: Replayed) -> TextLines:
    lines = _transcript(replayed)
    told = (one for event in replayed.events for one in lines.lines(event))
    return TextLines((*_head(replayed), *told, *_foot(replayed)))


async def watch(log: Log, replayed: Replayed, *, speed: float | None, follow: bool) -> None:
    """Show it event by event: at a speed, and then whatever happens next."""
    lines, console = _transcript(replayed), out()
    for part in _head(replayed):
        console.print(part)
    before: datetime | None = None
    async for event in _coming(log, replayed, follow=follow):
        if speed is not None and before is not None:
            await asyncio.sleep(min(LONGEST, (event.at - before).total_seconds() / speed))
        before = event.at
        for one in lines.lines(event):
            console.print(one, soft_wrap=True)


async def _coming(log: Log, replayed: Replayed, *, follow: bool) -> AsyncIterator[Event]:
    for event in replayed.events:
        yield event
    if follow:
        world, who = replayed.facts.world, replayed.character
        async for event in log.follow(world, f"#{replayed.cursor}", witness=who):
            yield event


def _transcript(replayed: Replayed) -> Transcript:
    witnesses = None if replayed.character else _witnesses(replayed)
    return Transcript(witnesses, replayed.head, memories="brief", told=replayed.told)


def _witnesses(replayed: Replayed) -> Witnesses:
    return Witnesses(among(replayed.facts.characters, replayed.events), replayed.facts.characters)


def _head(replayed: Replayed) -> Iterator[Text]:
    facts = replayed.facts
    who = f"as {safe(replayed.character)} " if replayed.character else ""
    place = f"{safe(facts.world)} {who}at #{replayed.cursor} of {replayed.head}"
    yield from laid_out(Text(f"{safe(facts.title)}  ({place})", "bold"))
    if replayed.character is None and replayed.events:
        yield from laid_out(Text(_witnesses(replayed).legend()))
    if replayed.earlier:
        yield Text(
            f"{counted(replayed.earlier, 'earlier event')} not shown: --from #0 shows all", "dim"
        )
    if not replayed.events:
        # All that a world was at a seq has happened: only what --from leaves out can be missing.
        between = replayed.character is None and replayed.cursor > 0
        what = "Nothing happened after --from and up to --at." if between else None
        yield Text(what or "Nothing had happened yet.", "dim")


def _foot(replayed: Replayed) -> Sequence[Text]:
    if replayed.character is None or not replayed.unperceived:
        return ()
    unseen = counted(replayed.unperceived, "event")
    return (Text(f"\n{safe(replayed.character)} did not perceive {unseen}.", "dim"),)
