"""The calls of a world in figures, by character, purpose and model; and which of them failed. What was
counted of a world is kept: asked again, it goes on where it was."""

from __future__ import annotations

import asyncio

from msgspec import Struct, field

from whoknew.engine.playing.spent import Spent
from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Called, Failed

Key = tuple[str, str, str]
"""Who, for what, and which model."""


class CallRow(Struct, frozen=True, kw_only=True):
    """What one character asked one model for one purpose came to. `money` is null where the price of a
    call is not known."""

    character: str
    purpose: str
    model: str
    calls: int
    failed: int
    repeated: int
    tokens: int
    money: float | None
    seconds: float


class FailedRow(Struct, frozen=True, kw_only=True):
    """A call that was not answered; or a turn, a memory, a review that could not be had."""

    seq: int
    episode: int
    turn: int
    character: str
    what: str
    model: str
    error: str


class CallTable(Struct, frozen=True, kw_only=True):
    """The dearest rows first, their `sum`; and a page of the `total_failed` failures, the newest first."""

    rows: tuple[CallRow, ...]
    sum: CallRow
    failed: tuple[FailedRow, ...]
    total_failed: int
    skipped: int
    head: int


class Counted(Struct):
    """What calls of one key came to so far; those beyond the first attempt were made again."""

    spent: Spent = field(default_factory=Spent)
    failed: int = 0
    repeated: int = 0

    def add(self, called: Called) -> None:
        self.spent.add(called)
        self.failed += called.reply is None
        self.repeated += called.attempts - 1

    def join(self, other: Counted) -> None:
        self.spent.join(other.spent)
        self.failed += other.failed
        self.repeated += other.repeated

    def row(self, key: Key) -> CallRow:
        character, purpose, model = key
        return CallRow(
            character=character,
            purpose=purpose,
            model=model,
            calls=self.spent.calls,
            failed=self.failed,
            repeated=self.repeated,
            tokens=self.spent.tokens,
            money=self.spent.dollars,
            seconds=round(self.spent.seconds, 3),
        )


class CallCount(Struct):
    """The fold of one world, up to a seq."""

    upto: int = 0
    by_key: dict[Key, Counted] = field(default_factory=dict)
    failed: list[FailedRow] = field(default_factory=list)

    def take(self, event: Event) -> None:
        self.upto = event.seq
        body = event.body
        if isinstance(body, Called):
            key = event.actor or "", body.purpose, body.model
            self.by_key.setdefault(key, Counted()).add(body)
            if body.reply is None:
                self._note(event, body.purpose, body.model, body.error or "no answer")
        elif isinstance(body, Failed):
            self._note(event, body.what, "", body.error)

    def _note(self, event: Event, what: str, model: str, error: str) -> None:
        self.failed.append(
            FailedRow(
                seq=event.seq,
                episode=event.episode,
                turn=event.turn,
                character=event.actor or "",
                what=what,
                model=model,
                error=error,
            )
        )

    def table(self, skip: int, limit: int) -> CallTable:
        whole = Counted()
        for counted in self.by_key.values():
            whole.join(counted)
        rows = [counted.row(key) for key, counted in self.by_key.items()]
        rows.sort(key=lambda row: (-(row.money or 0.0), -row.tokens, row.character))
        return CallTable(
            rows=tuple(rows),
            sum=whole.row(("", "", "")),
            failed=tuple(self.failed[::-1][skip : skip + limit]),
            total_failed=len(self.failed),
            skipped=skip,
            head=self.upto,
        )


class CallTables:
    """The counts of a server's worlds, each gone on with as it is asked for."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._counts: dict[str, CallCount] = {}
        self._one_at_a_time = asyncio.Lock()

    async def of(self, world: str, skip: int, limit: int) -> CallTable:
        head = (await self._log.lineage.find(world)).head
        async with self._one_at_a_time:
            count = self._counts.setdefault(world, CallCount())
            if count.upto < head:
                async for event in self._log.read(world, AtSeq(count.upto), AtSeq(head)):
                    count.take(event)
            return count.table(skip, limit)
