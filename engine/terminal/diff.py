"""`whoknew diff`: what only the one side holds, and what only the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    World,
    alone,
    argument,
    on,
    option,
)
from whoknew.engine.terminal.transcript import Transcript, line
from whoknew.engine.terminal.witnesses import Witnesses, among
from whoknew.engine.travel import diff as comparing
from whoknew.engine.travel.diff import Comparison, Gain
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted
from whoknew.eventlog.kinds import EpisodeOpened

app = alone()


@app.command(
    epilog="Example: whoknew diff midnight-diner --who Rufus,Dorte --log midnight-diner.db"
)
def command(
    world: World,
    other: Annotated[str | None, argument("OTHER")] = None,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    after: Annotated[
        str | None, option("--from", "CURSOR", "The other moment to compare with.")
    ] = None,
    who: Annotated[
        str,
        option("--who", "NAMES", "Two characters; or one, of whom cursors or worlds are compared."),
    ] = "",
    json: Json = False,
) -> None:
    """Compare two characters, two cursors, or a fork with its parent.

    OTHER is another world of the same origin; without it, a fork's parent.
    """
    names = tuple(name.strip() for name in who.split(",") if name.strip())
    work = on(log, lambda opened: comparing.compare(opened, world, other, at, after, names))
    answer(work, shown, json)


MOST = 40
"""Events of a side that are shown; --json holds them all."""


def shown(found: Comparison) -> Group:
    return Group(*_parts(found))


def _parts(found: Comparison) -> Iterator[RenderableType]:
    left, right = safe(found.left), safe(found.right)
    match found.kind:
        case "characters":
            yield Text(f"{left} and {right} both perceived {counted(found.both, 'event')}", "bold")
            yield from _side(f"Only {left}", found.only_left, found)
            yield from _gains(f"{right} was told of", found.gains)
            yield from _side(f"Only {right}", found.only_right, found)
            yield from _gains(f"{left} was told of", found.losses)
        case "cursors":
            yield Text(f"From {left} to {right}", "bold")
            yield from _side("What happened", found.only_right, found)
            yield from _gains("Who was told of earlier events", found.gains)
        case "worlds":
            yield Text(f"{left} and {right} are the same up to #{found.shared}", "bold")
            yield Text(f"Since then {counted(found.both, 'event')} happened alike in both.")
            yield from _side(f"Only in {left}", found.only_left, found)
            yield from _side(f"Only in {right}", found.only_right, found)
            yield from _gains(f"Told of their shared past only in {left}", found.losses)
            yield from _gains(f"Told of their shared past only in {right}", found.gains)


def _side(title: str, events: Sequence[Event], found: Comparison) -> Iterator[RenderableType]:
    yield Text(f"\n{title}: {counted(len(events), 'event') if events else 'nothing'}", "bold cyan")
    if not events:
        return
    witnesses = None
    if found.kind != "characters":
        witnesses = Witnesses(among(found.characters, events), found.characters)
        yield Text(witnesses.legend())
    lines = Transcript(witnesses, events[-1].seq, memories="brief")
    episode, silent = 0, 0
    for event in events[:MOST]:
        told = list(lines.lines(event))
        silent += not told
        if told and event.episode != episode:
            episode = event.episode
            if not isinstance(event.body, EpisodeOpened):  # which says so itself
                yield Text(f"E{episode}", "bold")
        yield from told
    if silent:
        silently = counted(silent, "event")
        yield Text(f"... and {silently} that no line tells of: --json holds them all", "dim")
    if len(events) > MOST:
        yield Text(f"... and {len(events) - MOST:,} more: --json holds them all", "dim")


def _gains(title: str, gains: Sequence[Gain]) -> Iterator[RenderableType]:
    if not gains:
        return
    yield Text(f"\n{title}", "bold cyan")
    for one in gains[:MOST]:
        words = line(one.event) or Text(safe(one.event.text))
        known = one.known
        by = f"{safe(known.character)} by {safe(known.by or 'a page')} at #{known.at}"
        yield Text.assemble((f"#{one.event.seq} ", "dim"), words, (f"  ({by})", "yellow"))
    if len(gains) > MOST:
        yield Text(f"... and {len(gains) - MOST:,} more: --json holds them all", "dim")
