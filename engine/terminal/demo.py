"""`whoknew demo`: one night as it was lived, and then who came to know of it, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.logs.verify import Checked
from whoknew.engine.running.demo import Demo
from whoknew.engine.running.demo import demo as play
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe, suggested, unicode_is_safe
from whoknew.engine.terminal.log.verify import checked
from whoknew.engine.terminal.matrix import chain, over_time
from whoknew.engine.terminal.options import alone, option
from whoknew.engine.terminal.transcript import transcript
from whoknew.engine.terminal.witnesses import Witnesses
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew demo --log diner.db")
def command(
    log: Annotated[str | None, option("--log", "LOG", "Keep what is played in this log.")] = None,
) -> None:
    """Play ten nights in a diner; show who knew what, when.

    It needs no key and no network.
    """
    answer(play(log), shown)


def shown(demo: Demo) -> Group:
    return Group(*_parts(demo))


def _parts(demo: Demo) -> Iterator[RenderableType]:
    (played,) = demo.report.chains
    witnesses = Witnesses(demo.characters)
    yield Text(f"{demo.title}: {counted(played.episodes, 'night')} in a diner", style="bold")
    yield Text(
        f"{counted(demo.events, 'event')}, {counted(played.turns, 'turn')}, "
        f"{counted(played.calls, 'call')} to the offline model, which repeats what it is told."
    )
    if demo.log and not demo.fresh:
        yield Text(f"They were in {safe(demo.log)} already: nothing was played again.")
    yield Text(
        "The first night, a line an event: when, its number, who witnessed it, what happened. "
        f"(#1-#{demo.first[0].seq - 1}: the world, its places and characters; numbers between "
        "are calls to the model.)"
    )
    yield Text(witnesses.legend(), style="dim")
    yield from transcript(demo.first, witnesses)
    yield _title(f"Who knows of #{demo.secret.seq}, after night 1, 2, 5, 8 and the last")
    yield over_time(demo.moments, demo.matrix)
    yield chain(demo.chain)
    yield from _asked(demo)
    yield Text()
    found = demo.verified
    yield checked(Checked(events=found.events, heads=found.heads, faults=found.faults))
    yield from _next(demo)


def _asked(demo: Demo) -> Iterator[RenderableType]:
    asked = demo.asked
    yield _title(f"{asked.words} What {asked.character} recalls first")
    dash = "—" if unicode_is_safe() else "-"
    table = Table.grid(padding=(0, 2, 0, 0))
    for at, found in ((f"at {asked.early}", asked.then), ("at the end", asked.later)):
        table.add_row(at, safe(found[0].text) if found else dash)
    yield table


def _next(demo: Demo) -> Iterator[Text]:
    yield _title("Try next")
    log = demo.log or "diner.db"
    if not demo.log:
        yield suggested(command_text("demo", log=log))
    for command in (
        command_text("show", demo.world, log=log),
        command_text("ls", log=log),
        command_text("new", "my-plan.toml"),
        command_text("worlds"),
    ):
        yield Text(f"  {safe(command)}", style="cyan", no_wrap=True, overflow="ignore")


def _title(words: str) -> Text:
    return Text(f"\n{safe(words)}", style="bold cyan")
