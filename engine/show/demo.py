"""`whoknew demo`: one night as it was lived, and then who came to know of it, and how."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.demo import Demo
from whoknew.engine.show.console import safe, unicode_is_safe
from whoknew.engine.show.figures import counted
from whoknew.engine.show.matrix import chain, over_time
from whoknew.engine.show.transcript import initials, transcript
from whoknew.engine.show.upkeep import verified


def shown(demo: Demo) -> Group:
    return Group(*_parts(demo))


def _parts(demo: Demo) -> Iterator[RenderableType]:
    (played,) = demo.report.chains
    letters = initials(demo.characters)
    names = "  ".join(f"{letter} {safe(name)}" for name, letter in letters.items())
    yield Text(f"{demo.title}: {counted(played.episodes, 'night')} in a diner", style="bold")
    yield Text(
        f"{counted(demo.events, 'event')}, {counted(played.turns, 'turn')}, "
        f"{counted(played.calls, 'call')} to the offline model, which repeats what it is told. "
        "The first night:"
    )
    yield transcript(demo.first, demo.characters)
    yield Text(f"\nWitnesses: {names}", style="dim")
    yield _title(f"Who knows of #{demo.secret.seq}, after night 1, 2, 5, 8 and the last")
    yield over_time(demo.moments, demo.matrix)
    yield chain(demo.chain)
    yield from _asked(demo)
    yield Text()
    yield verified(demo.verified)
    yield from _next(demo)


def _asked(demo: Demo) -> Iterator[Text]:
    asked = demo.asked
    yield _title(f"{asked.character} is asked, as of that moment: {asked.words}")
    dash = "—" if unicode_is_safe() else "-"
    for at, found in ((f"at {asked.early}", asked.then), ("at the end", asked.later)):
        text = safe(found[0].text) if found else dash
        yield Text(f"{at:<12}{text}")


def _next(demo: Demo) -> Iterator[Text]:
    log = shlex.quote(safe(demo.log or "diner.db"))
    yield _title("Try next")
    if demo.log and not demo.fresh:
        yield Text(f"  {demo.world} was in {log} already: its calls were not made again.")
    if not demo.log:
        yield Text(f"  whoknew demo --log {log}", style="cyan")
    for command in (
        f"whoknew show {demo.world} --log {log}",
        f"whoknew ls --log {log}",
        "whoknew new my-plan.toml",
        "whoknew worlds",
    ):
        yield Text(f"  {command}", style="cyan")


def _title(words: str) -> Text:
    return Text(f"\n{safe(words)}", style="bold cyan")
