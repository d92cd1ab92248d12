"""How one event came to be known: who was there, and who told whom of it, one telling after another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.knows import secrets
from whoknew.engine.travel.replay import WorldFacts, facts_of
from whoknew.eventlog import Event, Known, Log
from whoknew.eventlog.cursor import When
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.tellings import FalseReport


class Told(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A speech by which some came to know of the event. `by` knew of it then, or `unknowing` spoke of
    what it could not know. With `otherwise` it told them what is not so, namely that."""

    speech: Event
    by: str | None
    to: tuple[Known, ...]
    unknowing: bool = False
    otherwise: str = ""


class Spread(Struct, frozen=True, kw_only=True):
    """The event, who was `present` (with the doubts about that), and all tellings that reached
    somebody who did not know of it, in order. To those who are `absent` it never came, as far as tellings
    are declared or, up to the seq `sought`, were looked for."""

    facts: WorldFacts
    cursor: int
    event: Event
    mark: str
    present: tuple[Known, ...]
    tellings: tuple[Told, ...]
    absent: tuple[str, ...]
    sought: int


async def spread(
    log: Log,
    world: str,
    seq: int,
    at: When = "end",
    *,
    sure: float = SURE,
    recorded_at: When | None = None,
) -> Spread:
    """How an event came to be known up to a cursor; `sure` and `recorded_at` as in `Log.knowledge`."""
    cursor = await log.cursor(world, at)
    if not 0 < seq <= cursor.seq:
        raise BadQuestion(f"#{seq} is not among the events of {world!r} up to #{cursor.seq}")
    knowledge = await log.knowledge(world, cursor, sure=sure, recorded_at=recorded_at)
    cells = await asyncio.to_thread(knowledge.row, seq, knowledge.characters)
    told = sorted((cell for cell in cells if cell.answer == "told"), key=lambda cell: cell.at or 0)
    false = {cell.otherwise.at for cell in cells if cell.otherwise}
    seqs = sorted({seq, *false, *(cell.at for cell in told if cell.at is not None)})
    events = {event.seq: event for event in await log.lineage.pick(world, seqs)}
    return Spread(
        facts=await facts_of(log, world, cursor.seq),
        cursor=cursor.seq,
        event=events[seq],
        mark=(await secrets(log, world)).get(seq, ""),
        present=tuple(cell for cell in cells if cell.answer == "present"),
        tellings=tuple(
            sorted(
                [*_tellings(cells, told, events), *_false_reports(cells, events)],
                key=lambda one: one.speech.seq,
            )
        ),
        absent=tuple(cell.character for cell in cells if cell.answer == "absent"),
        sought=knowledge.sought,
    )


def _tellings(
    cells: Sequence[Known], told: Sequence[Known], events: dict[int, Event]
) -> list[Told]:
    since = {cell.character: cell.at or 0 for cell in cells if cell.answer in ("present", "told")}
    by_speech: dict[int, list[Known]] = {}
    for cell in told:
        by_speech.setdefault(cell.at or 0, []).append(cell)
    return [
        Told(
            speech=events[seq],
            by=heard[0].by,
            to=tuple(heard),
            unknowing=heard[0].by is not None and since.get(heard[0].by, seq) >= seq,
        )
        for seq, heard in by_speech.items()
    ]


def _false_reports(cells: Sequence[Known], events: dict[int, Event]) -> list[Told]:
    """What was told of it that is not so, to those who know of it no better."""
    heard: dict[FalseReport, list[Known]] = {}
    for cell in cells:
        if cell.otherwise and cell.answer == "absent":
            heard.setdefault(cell.otherwise, []).append(cell)
    return [
        Told(speech=events[one.at], by=one.by, to=tuple(to), otherwise=one.text)
        for one, to in heard.items()
    ]


def was_found(cell: Known) -> bool:
    """Whether it was found that they were told, and not declared by the speech itself."""
    return cell.origin not in (None, "declared")
