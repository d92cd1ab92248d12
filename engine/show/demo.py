"""`whoknew demo`: a world as it stood, and then what each of its people can know of it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.demo import Demo, Perceived
from whoknew.engine.show.console import safe
from whoknew.engine.show.matrix import chain, over_time
from whoknew.engine.show.transcript import initials, line, transcript
from whoknew.engine.show.upkeep import verified


def shown(demo: Demo) -> Group:
    return Group(*_parts(demo))


def _parts(demo: Demo) -> Iterator[RenderableType]:
    letters = initials(demo.characters)
    names = "  ".join(f"{letter} {safe(name)}" for name, letter in letters.items())
    yield Text(f"{demo.title}.  Witnesses:  {names}", style="bold")
    yield transcript(demo.events, demo.characters)
    yield from _perceived(demo, demo.perceived)
    yield _title(f"Who knows of #{demo.secret}, at five cursors")
    yield over_time(demo.moments, demo.matrix)
    yield chain(demo.chain)
    yield from _asked(demo)
    yield from _otherwise(demo)
    yield Text()
    yield verified(demo.verified)
    yield from _next(demo)


def _perceived(demo: Demo, one: Perceived) -> Iterator[Text]:
    yield _title(f"What {one.character} can know at the end")
    absent = one.events - one.witnessed - len(one.told)
    told = ", ".join(f"#{known.event}" for known in one.told)
    yield Text(
        f"Of {one.events} events {one.character} witnessed {one.witnessed}, was told of "
        f"{len(one.told)} ({told}), absent from {absent}."
    )


def _asked(demo: Demo) -> Iterator[Text]:
    asked = demo.asked
    yield _title(f"{asked.character} is asked: {asked.words}")
    for at, found in ((f"at {asked.early}", asked.then), ("at the end", asked.later)):
        for one in found:
            yield Text(f"{at:<12}{safe(one.text)}")
    if asked.then == asked.again:
        when = (
            f"Asked at {asked.early} before E3 happened, and again after: the same words"
            if demo.fresh
            else f"Asked at {asked.early} twice: the same words"
        )
        yield Text(f"{when}.", style="green")
    else:
        yield Text(f"{asked.early} answers otherwise now: the past has changed!", style="bold red")


def _otherwise(demo: Demo) -> Iterator[Text]:
    one = demo.otherwise
    yield _title(f"What if? {one.world} is forked from {demo.world} at #{one.forked_at}")
    for event in one.events:
        if words := line(event):
            yield Text.assemble((f"{event.at:%H:%M}  #{event.seq}  ", "dim"), words)
    yield Text(
        f"There {one.known.character} ends {one.known.answer} from #{demo.secret}: "
        "the same words, and this time no lie."
    )


def _next(demo: Demo) -> Iterator[Text]:
    log = demo.log or "lantern.db"
    yield _title("Try next")
    if not demo.log:
        yield Text(f"  whoknew demo --log {log}", style="cyan")
    elif not demo.fresh:
        yield Text(f"  ({demo.world} was in {safe(log)} already: nothing was played again)")
    for command in (
        f"whoknew log info {log}",
        f"whoknew log head {log}",
        f"whoknew log export {log} {demo.world}.jsonl.gz",
    ):
        yield Text(f"  {safe(command)}", style="cyan")


def _title(words: str) -> Text:
    return Text(f"\n{safe(words)}", style="bold cyan")
