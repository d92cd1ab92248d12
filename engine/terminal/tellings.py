"""`whoknew tellings`: finds who told whom of what, or takes a person's word for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from whoknew.engine.asking.told_by_model import ModelReport, read_tellings
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, LogOption, World, alone, on, option
from whoknew.engine.terminal.transcript import line
from whoknew.engine.travel import tellings as finding
from whoknew.engine.travel.knows import LIMIT
from whoknew.engine.travel.tellings import TellingRow, TellingsReport
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted
from whoknew.eventlog.knowledge import SURE

app = alone()

Pair = tuple[int, int]


@app.command(epilog="Example: whoknew tellings midnight-diner --log midnight-diner.db")
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    sure: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="Show only those at least so sure.")
    ] = SURE,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")] = LIMIT,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    told: Annotated[
        Pair | None,
        option("--told", "SPEECH FACT", "You say that this speech tells of that earlier event."),
    ] = None,
    not_told: Annotated[
        Pair | None,
        option("--not-told", "SPEECH FACT", "You say that it does not: a finding is taken back."),
    ] = None,
    otherwise: Annotated[
        str, option("--otherwise", "TEXT", "With --told: it was told so, which is not true.")
    ] = "",
    model: Annotated[
        str | None, option("--model", "MODEL", "Have this model read it, in place of the rule.")
    ] = None,
    why: Annotated[str, option("--why", "TEXT", "With --told, --not-told: your reason.")] = "",
    json: Json = False,
) -> None:
    """Find who told whom of what in a world that is there.

    By rule, in all that was said and done since it was last looked for. What is found counts for
    `whoknew knows` and changes nothing that anybody sees. Ended early, it goes on from there.
    """
    _check(told, not_told, otherwise, model)
    if pair := told or not_told:
        speech, fact = pair
        said = on(
            log,
            lambda opened: finding.say(
                opened, world, speech, fact, told=bool(told), why=why, otherwise=otherwise
            ),
            write=True,
        )
        answer(said, _said, json)
        return
    seen = Reached("reading" if model else "looking for tellings")
    if model:
        reading = on(
            log, lambda one: read_tellings(one, world, model, watch=seen.go_on), write=True
        )
        if answer(reading, read_by, json, seen.words).error:
            raise typer.Exit(1)
        return
    work = on(
        log,
        lambda opened: finding.tellings(
            opened, world, sure=sure, limit=limit, skip=skip, watch=seen.go_on
        ),
        write=True,
    )
    answer(work, shown, json, seen.words)


def _check(told: Pair | None, not_told: Pair | None, otherwise: str, model: str | None) -> None:
    if told and not_told:
        raise typer.BadParameter("say --told or --not-told, one at a time")
    if model and (told or not_told):
        raise typer.BadParameter("--model reads by itself: leave out --told and --not-told")
    if otherwise and not told:
        raise typer.BadParameter("--otherwise goes with --told SPEECH FACT")


class Reached:
    """How far it has come, for whoever waits."""

    def __init__(self, doing: str) -> None:
        self._doing, self._upto, self._head = doing, 0, 0

    def go_on(self, upto: int, head: int) -> None:
        self._upto, self._head = upto, head

    def words(self) -> str:
        far = f": #{self._upto:,} of {counted(self._head, 'event')}" if self._head else ""
        return f"{self._doing}{far}"


def read_by(found: ModelReport) -> Text:
    read = found.speeches - len(found.unread)
    told = f"{counted(found.found, 'telling')} found"
    text = Text(f"{safe(found.world)}: {safe(found.model)} read {counted(read, 'speech')}, {told}")
    if found.error:
        text.append(f"; then it failed: {safe(found.error)}", "red")
    elif found.unread:
        text.append(f"\n{len(found.unread):,} more it could not read", "yellow")
        some = [f"#{seq}: {safe(why)}" for seq, why in list(found.unread.items())[:SOME]]
        more = ["..."] if len(found.unread) > SOME else []
        text.append("".join(f"\n  {one}" for one in [*some, *more]), "yellow")
        text.append(
            "\nTo have those, too: say yourself what they tell of (--told SPEECH FACT), or give "
            "another --model."
        )
    return text


SOME = 5
"""So many speeches that could not be read are shown."""


def shown(found: TellingsReport) -> Group:
    return Group(*_lines(found))


def _lines(found: TellingsReport) -> Iterator[RenderableType]:
    if found.looked:
        back = f", {found.taken_back} taken back" if found.taken_back else ""
        looked = (
            f"{counted(found.looked, 'event')} looked at, {counted(found.found, 'telling')} found"
        )
        yield Text(f"{safe(found.world)}: {looked}{back}")
    else:
        yield Text(f"{safe(found.world)}: nothing new since tellings were looked for")
    last = found.skipped + len(found.rows)
    if not found.total and not found.less_sure:
        yield Text("No telling is on record.", "dim")
        return
    further = f": go on with --skip {last}" if last < found.total else ""
    first = f"{found.skipped + 1:,}-{last:,} of " if found.rows else ""
    yield Text(f"{first}{counted(found.total, 'telling')}{_how_sure(found)}{further}", "dim")
    if found.less_sure:
        yield Text(f"{found.less_sure:,} more, less sure: --sure 0", "dim")
    for row in found.rows:
        yield Text()
        yield _heading(row)
        yield _event(row.speech)
        yield _event(row.fact)


def _how_sure(found: TellingsReport) -> str:
    return f" at least {found.sure:g} sure" if found.sure else ""


def _said(row: TellingRow) -> Group:
    heading = _heading(row)
    if not row.score:
        heading = Text(f"#{row.speech.seq} does not tell of #{row.fact.seq}", "bold")
    return Group(heading, _event(row.speech), _event(row.fact))


def _heading(row: TellingRow) -> Text:
    how = row.origin if row.score == 1 else f"{row.origin} {row.score:.2f}"
    false = f" otherwise than it was: {safe(row.otherwise)}" if row.otherwise else ""
    news = f"; {safe(row.teller or '')} was not there: it is news" if row.news else ""
    why = f"; {safe(row.why)}" if row.why else ""
    return Text.assemble(
        (f"#{row.speech.seq} tells of #{row.fact.seq}{false}", "bold"),
        (f"  {how}{news}{why}", "dim"),
    )


def _event(event: Event) -> Padding:
    words = Text.assemble((f"#{event.seq}  ", "dim"), line(event) or Text(safe(event.text)))
    return Padding(words, (0, 0, 0, 2))
