"""The plan of a world, written into its log: so the log is all that it takes to go on (law 8)."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import NoPlan
from whoknew.engine.plan.plan import Plan
from whoknew.eventlog import Log
from whoknew.eventlog.errors import Damaged
from whoknew.eventlog.kinds import Planned
from whoknew.eventlog.ranking import FIRST, RANKING, Ranking
from whoknew.worlds.setting import Setting

VERSION = 2
"""Of the rules of play that worlds begin with now. A world keeps those that it began with: it goes on,
and can be played again, as it was.

0: strangers are described when they meet; a prompt counts all turns that are left.
1: they are also described to those who are told of them; a prompt counts the turns that its
   character has witnessed (law 4).
2: a search in a view goes by `RANKING`, where before it went by `FIRST`.
"""

LARGEST = 2**26
"""Bytes. No plan comes near that, with the setting that it plays."""

UNREADABLE = (
    zlib.error,
    msgspec.DecodeError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)
"""What comes of reading bytes that are no plan."""


class RecordedPlan(Struct, frozen=True):
    """What a plan comes to: with the setting that it plays, as it was then."""

    plan: Plan
    setting: Setting


def planned(plan: Plan, setting: Setting, chain: int) -> Planned:
    """A plan as an event. Where its log is, the log need not say."""
    written = RecordedPlan(replace(plan, log=None), setting)
    return Planned(_packed(msgspec.json.encode(written)), chain, VERSION)


@lru_cache(8)
def _packed(content: bytes) -> bytes:
    """Once for all chains of a plan."""
    return zlib.compress(content)


def written(planned: Planned, where: str) -> RecordedPlan:
    """The plan that an event is; Damaged, with `where` that stands, if it is none: a log that was
    imported can hold anything."""
    try:
        data = msgspec.json.decode(_unpacked(planned.content))
        for seat in data["plan"].get("agents", {}).values():
            _with_settings(seat)
            _with_embedders(seat)
        return msgspec.convert(data, RecordedPlan)
    except UNREADABLE as error:
        raise Damaged(
            f"{where} holds no plan that can be read ({error}): take this world from a backup, or "
            "from whoever exported it"
        ) from None


def _unpacked(content: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(content, LARGEST)
    if not unpacking.eof:
        raise ValueError(f"it is cut short, or more than {LARGEST:,} bytes")
    return data


def _with_settings(seat: dict[str, Any]) -> None:
    """Earlier logs have the settings of these two memories in the seat itself."""
    settings = {name: seat.pop(name) for name in ("summary", "recall") if name in seat}
    if settings:
        seat.setdefault("settings", settings)


def _with_embedders(seat: dict[str, Any]) -> None:
    """In earlier logs what gives vectors to these memories is called their model."""
    for name in ("recall", "mem0", "langmem"):
        settings = seat.get("settings", {}).get(name, {})
        if "model" in settings:
            settings["embedder"] = settings.pop("model")


def ranking_of(version: int) -> Ranking:
    """How a character of a world that is played by these rules searches its past."""
    return RANKING if version >= 2 else FIRST


async def version_of(log: Log, world: str, upto: int) -> int:
    """By which rules of play a world was being played at a seq: those of its first plan."""
    landmarks = await log.landmarks(world, upto)
    plans = (event.body for event in landmarks if isinstance(event.body, Planned))
    return next((first.version for first in plans), VERSION)


async def plan_of(log: Log, world: str, upto: int) -> tuple[RecordedPlan, int]:
    """By which plan a world was being played at a seq, and as which of its chains."""
    landmarks = await log.landmarks(world, upto)
    for event in reversed(landmarks):
        if isinstance(event.body, Planned):
            return written(event.body, f"{event.world!r} #{event.seq}"), event.body.chain
    raise NoPlan(
        f"{world!r} was not played by a plan (it was imported, or written by a program): there is "
        "nothing to play again"
    )
