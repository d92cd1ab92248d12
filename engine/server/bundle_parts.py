"""What a bundle holds: the parts that the page loads one by one, as it needs them."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import AsyncIterator, Sequence
from importlib.metadata import version
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import EngineError
from whoknew.engine.finding.records import looked_through
from whoknew.engine.server import character_routes
from whoknew.engine.server.call_table import CallTables
from whoknew.engine.server.character_view import Own, Owns
from whoknew.engine.server.payloads import EpisodesQuery, ScoreRow, ScoresQuery
from whoknew.engine.server.worlds import get_world, list_scores
from whoknew.engine.travel.prompt import prompts as prompts_at
from whoknew.eventlog import Event, Knowledge, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Called, Kind
from whoknew.eventlog.tellings import FalseReport

Part = tuple[str, Any]
"""A part by its name, and its value, or that as JSON."""

PAGE = 500
"""Events in one part."""

TURNS = 2000
"""Of so many turns at most there are prompts, the newest: each holds all that a mind was given."""

SIZE = 64_000_000
"""No further prompt once there are so many bytes of them: of a mind that is given all of a long life, each
holds megabytes."""

READ = 50_000_000
"""Nor once so many events were read for them: each is made again from all that lies before it."""

EPISODES = 1000
"""Episodes that are read at once."""

FAILURES = 1000
"""Failed calls that are listed, the newest."""

OUTSIDE = sorted(
    str(kind.__struct_config__.tag)
    for kind in Kind.__subclasses__()
    if kind.outside_story or kind is Called
)
"""Kinds that stand beside the story."""

PACKED = ("prompt", "content", "packed")
"""Fields of events that hold what is compressed."""


class ToldOf(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """By whom a character was told of an event, and when."""

    event: int
    by: str | None
    at: int
    origin: str | None = None
    score: float | None = None


class LeftOpen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is open about a character and an event, or was told of it that is not so."""

    event: int
    doubt: str = ""
    otherwise: FalseReport | None = None


class KnownTo(Struct, frozen=True, kw_only=True):
    """All that a character knows: what it witnessed as steps from one seq to the next."""

    seen: Sequence[int]
    told: Sequence[ToldOf]
    open: Sequence[LeftOpen]


async def own_parts(log: Log, world: str, who: str) -> AsyncIterator[Part]:
    """All that one character perceived of a world, as a server sends it to that one."""
    await log.view(world, who)  # whether there is such a one
    own = await Owns(log).of(world, who)
    for number, begins in enumerate(range(0, own.count, PAGE)):
        yield f"events-{number}", await own.events(begins, min(own.count, begins + PAGE))
    yield "facts", _facts(await _own_world(own), own.count, character=who)


async def _own_world(own: Own) -> Any:
    found = await character_routes.world(own, EpisodesQuery(limit=EPISODES))
    return msgspec.structs.replace(found, episodes=tuple(own.episodes))


async def world_parts(log: Log, world: str, *, prompts: bool) -> AsyncIterator[Part]:
    """All of a world, as a server sends it to whoever sees all."""
    head = (await log.lineage.find(world)).head
    turns: dict[tuple[int, int], None] = {}
    for number, begins in enumerate(range(0, head, PAGE)):
        events = await _events(log, world, begins, min(head, begins + PAGE))
        turns |= {(one.episode, one.turn): None for one in events if _asked(one)}
        yield f"events-{number}", [_sent(one, prompts=prompts) for one in events]
    knowledge = await log.knowledge(world, AtSeq(head))
    known = await asyncio.to_thread(_known, knowledge)
    for number, name in enumerate(knowledge.characters):
        yield f"knows-{number}", known[name]
    yield "calls", await CallTables(log).of(world, 0, FAILURES)
    yield "scores", await _scores(log, world, head)
    made: list[str] = []
    left = list(turns) if prompts else []
    size = read = 0
    while left and len(made) < TURNS and size < SIZE and read < READ:
        episode, turn = left.pop()
        try:
            found = await prompts_at(log, world, f"E{episode}.T{turn}")
        except EngineError:
            continue  # asked beside any turn of an episode
        body = msgspec.json.encode(found)
        size, read = size + len(body), read + found[0].cursor
        made.append(f"E{episode}-T{turn}")
        yield f"prompts-{made[-1]}", msgspec.Raw(body)
    facts = _facts(await _world(log, world), head, turns=made[::-1], prompts=prompts)
    facts |= {"left": len(left)}
    facts |= {"looked": await looked_through(log, world, knowledge.sought, head)}
    yield "facts", facts


def _facts(world: Any, events: int, **more: Any) -> dict[str, Any]:
    return {
        "version": version("whoknew"),
        "world": world,
        "events": events,
        "page": PAGE,
        "turns": [],
        "left": 0,
        "prompts": False,
        "character": None,
        "looked": False,
        "outside": OUTSIDE,
    } | more


async def _world(log: Log, world: str) -> Any:
    """A world with all of its episodes, a page of them after another."""
    found = await get_world(log, world, EpisodesQuery(limit=EPISODES))
    while (first := found.episodes[0] if found.episodes else None) and first.number > 1:
        earlier = await get_world(log, world, EpisodesQuery(before=first.number, limit=EPISODES))
        if not earlier.episodes:
            break
        found = replace(found, episodes=(*earlier.episodes, *found.episodes))
    return found


async def _events(log: Log, world: str, after: int, upto: int) -> list[Event]:
    return [one async for one in log.read(world, AtSeq(after), AtSeq(upto))]


def _asked(event: Event) -> bool:
    return isinstance(event.body, Called) and bool(event.episode and event.turn and event.actor)


def _sent(event: Event, *, prompts: bool) -> Event:
    """An event without what is packed in it, which the page does not show; without prompts also
    without what was answered to one, word for word."""
    body = event.body
    packed: dict[str, bytes | None] = {
        name: b"" for name in PACKED if isinstance(getattr(body, name, None), bytes)
    }
    if isinstance(body, Called) and not prompts:
        packed |= {"reply": None}
    return replace(event, body=replace(body, **packed)) if packed else event


def _known(knowledge: Knowledge) -> dict[str, KnownTo]:
    people = knowledge.characters
    told: dict[str, list[ToldOf]] = {name: [] for name in people}
    left: dict[str, list[LeftOpen]] = {name: [] for name in people}
    for seq in range(1, knowledge.cursor.seq + 1):
        for cell in knowledge.row(seq, people):
            if cell.answer == "told" and cell.at is not None:
                told[cell.character].append(
                    ToldOf(event=seq, by=cell.by, at=cell.at, origin=cell.origin, score=cell.score)
                )
            if cell.doubt or cell.otherwise:
                left[cell.character].append(
                    LeftOpen(event=seq, doubt=cell.doubt, otherwise=cell.otherwise)
                )
    return {
        name: KnownTo(seen=_steps(knowledge.perceived(name)), told=told[name], open=left[name])
        for name in people
    }


def _steps(seqs: Sequence[int]) -> list[int]:
    """From each to the next: small numbers, which take little room."""
    return [seq - before for before, seq in zip(array("Q", (0, *seqs)), seqs, strict=False)]


async def _scores(log: Log, world: str, head: int) -> list[ScoreRow]:
    found: list[ScoreRow] = []
    after = 0
    while after < head:
        page = await list_scores(log, world, ScoresQuery(after=after))
        found += page.scores
        after = page.upto
    return found
