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
from whoknew.engine.travel.replay import Replayed, facts_of, told_to
from whoknew.eventlog import Event, Log
from whoknew.eventlog.counted import counted
from whoknew.eventlog.cursor import AtSeq

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
    witnesses = _witnesses(replayed)
    lines = _transcript(replayed, witnesses)
    told = (
        one
        for event in replayed.events
        for one in lines.lines(event, replayed.told.get(event.seq, ()))
    )
    return TextLines((*_head(replayed, witnesses), *told, *_foot(replayed)))


async def watch(log: Log, replayed: Replayed, *, speed: float | None, follow: bool) -> None:
    """Show it event by event: at a speed, and then whatever happens next."""
    witnesses = _witnesses(replayed)
    if follow and replayed.character is None:
        everybody = (await facts_of(log, replayed.facts.world, replayed.head)).characters
        witnesses = Witnesses(everybody)  # whoever witnesses what is to come has a place
    lines, console = _transcript(replayed, witnesses), out()
    for part in _head(replayed, witnesses):
        console.print(part)
    before: datetime | None = None
    async for event, told in _coming(log, replayed, follow=follow):
        if speed is not None and before is not None:
            await asyncio.sleep(min(LONGEST, (event.at - before).total_seconds() / speed))
        before = event.at
        for one in lines.lines(event, told):
            console.print(one, soft_wrap=True)


async def _coming(
    log: Log, replayed: Replayed, *, follow: bool
) -> AsyncIterator[tuple[Event, Sequence[Event]]]:
    """Each event, with the earlier ones of which it told the character."""
    for event in replayed.events:
        yield event, replayed.told.get(event.seq, ())
    if follow:
        world, who = replayed.facts.world, replayed.character
        async for event in log.follow(world, f"#{replayed.cursor}", witness=who):
            yield event, await _told_by(log, world, event, who) if who else ()


async def _told_by(log: Log, world: str, event: Event, who: str) -> Sequence[Event]:
    moment = AtSeq(event.seq)  # of a fork's past the event names another world
    view, director = await log.view(world, who, moment), await log.director(world, moment)
    return (await told_to(view, director, [event])).get(event.seq, ())


def _transcript(replayed: Replayed, witnesses: Witnesses | None) -> Transcript:
    numbered_from = replayed.numbered_from
    return Transcript(witnesses, replayed.head, memories="brief", numbered_from=numbered_from)


def _witnesses(replayed: Replayed) -> Witnesses | None:
    """Those of what is shown; none where all of it is one character's, or there is nothing."""
    if replayed.character is not None or not replayed.events:
        return None
    people = replayed.facts.characters
    return Witnesses(among(people, replayed.events), people)


def _head(replayed: Replayed, witnesses: Witnesses | None) -> Iterator[Text]:
    facts = replayed.facts
    who = f"as {safe(replayed.character)} " if replayed.character else ""
    place = f"{safe(facts.world)} {who}at #{replayed.cursor} of {replayed.head}"
    yield from laid_out(Text(f"{safe(facts.title)}  ({place})", "bold"))
    if witnesses is not None:
        yield from laid_out(Text(witnesses.legend()))
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
