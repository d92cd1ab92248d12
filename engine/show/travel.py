"""What travelling in a world brings back: answers, recollections, forks, marks, a world replayed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from whoknew.engine.asking.ask import Asked
from whoknew.engine.show.console import TextLines, laid_out, safe
from whoknew.engine.show.figures import counted, money
from whoknew.engine.show.transcript import line
from whoknew.engine.travel.fork import Forked
from whoknew.engine.travel.mark import Marked
from whoknew.engine.travel.recall import RecallResult
from whoknew.engine.travel.rerun import Rerun
from whoknew.eventlog import Event


def asked(found: Asked) -> Group:
    return Group(*_asked(found))


def _asked(found: Asked) -> Iterator[RenderableType]:
    yield Text(f"{safe(found.character)} at #{found.cursor} of {safe(found.world)}", "bold")
    if found.answer is None:
        yield Text(f"gave no answer: {safe(found.error or '')}", "red")
    else:
        yield Text(_lined(found.answer))
    yield Text()
    if found.rests_on:
        yield Text("It rests on", "bold cyan")
        yield from map(_rests_on, found.rests_on)
    elif found.answer is not None:
        yield Text("It rests on nothing that it names.", "dim")
    yield Text(
        f"Read: {counted(found.read, 'event')}. Not allowed to see: {found.unseen:,} that others "
        f"witnessed, {found.later:,} that come later.",
        "dim",
    )
    tokens = sum((one.tokens_in or 0) + (one.tokens_out or 0) for one in found.calls)
    prices = [one.money for one in found.calls]
    cost = None if None in prices else sum(one for one in prices if one is not None)
    yield Text(
        f"{safe(found.model)}, memory {found.memory}, method {found.method}: "
        f"{counted(len(found.calls), 'call')}, {tokens:,} tokens, {money(cost)}",
        "dim",
    )
    if found.probe is not None:
        yield Text(f"Kept as #{found.probe}, witnessed by nobody.", "dim")
    if found.unkept:
        yield Text(f"Not kept: {safe(found.unkept)}", "yellow")


def _rests_on(event: Event) -> RenderableType:
    words = line(event) or Text(safe(event.text))
    return Text.assemble((f"#{event.seq}  ", "dim"), words)


def recalled(found: RecallResult) -> Group | Text:
    if not found.found:
        events = counted(found.events, "event")
        return Text(
            f"nothing that {safe(found.character)} knows at #{found.cursor} ({events}) matches "
            f"{safe(found.words)!r}"
        )
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(justify="right", style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for one in found.found:
        table.add_row(f"#{one.seq}", f"{one.score:.2f}", _lined(one.text))
    head = f"{safe(found.character)} at #{found.cursor}, of {counted(found.events, 'event')}"
    return Group(Text(head, "bold"), table)


def forked(found: Forked, log: str) -> TextLines:
    told = Text.assemble(
        (safe(found.world), "bold"),
        f" begins as {safe(found.parent)} up to #{found.shared}",
        f", with {counted(found.given, 'event')} of its own" if found.given else "",
    )
    return TextLines(
        (
            *laid_out(told),
            Text("Go on in it, or see what is otherwise:", "dim"),
            _command("whoknew", "run", "--world", found.world, "--log", log),
            _command("whoknew", "diff", found.world, "--log", log),
        )
    )


def marked(found: Marked, log: str) -> TextLines:
    what = "secret" if found.secret else "moment"
    told = Text(f'"{safe(found.name)}" is the {what} at #{found.cursor} of {safe(found.world)}')
    follow = (
        _command("whoknew", "knows", found.world, "--log", log)
        if found.secret
        else _command("whoknew", "replay", found.world, "--at", found.name, "--log", log)
    )
    return TextLines((*laid_out(told), follow))


def rerun(found: Rerun) -> Group:
    return Group(*_rerun(found))


def _rerun(found: Rerun) -> Iterator[RenderableType]:
    played = f"{counted(found.events, 'event')} with {counted(found.calls, 'recorded call')}"
    given = f" after {counted(found.given, 'event')} that nobody played" if found.given else ""
    if found.agrees:
        yield Text(f"{safe(found.world)}: the same story, to the byte: {played}{given}", "green")
        return
    assert found.difference is not None
    was, now = found.difference.was, found.difference.now
    where = f"E{was.episode}.T{was.turn}" if was.episode else f"#{was.seq}"
    yield Text(f"{safe(found.world)}: another story from #{was.seq} ({where}) on: {played}", "red")
    yield Text("As it was", "bold cyan")
    yield Padding(_told(was), (0, 0, 0, 2))
    yield Text("As it comes out now", "bold cyan")
    yield Padding(_told(now) if now else Text("nothing"), (0, 0, 0, 2))
    if found.reason:
        yield Text(f"It went no further: {safe(found.reason)}", "yellow")


def _told(event: Event) -> Text:
    return line(event) or Text(f"{event.body.__struct_config__.tag}  {safe(event.text)}")


def _command(*words: str) -> Text:
    text = shlex.join(safe(word) for word in words)
    return Text(f"  {text}", style="cyan")


def _lined(text: str) -> str:
    return "\n".join(map(safe, text.splitlines()))
