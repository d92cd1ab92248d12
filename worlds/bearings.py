"""How a character finds itself placed in a scene, and whom it perceives from there."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import filterfalse
from typing import Self

from msgspec import Struct

from whoknew.eventlog.frozen_dict import NONE, frozen
from whoknew.worlds.stage import Stage


class Bearings(Struct, frozen=True, kw_only=True):
    """`present` are those whom it perceives besides itself, `asleep` those of them who sleep;
    `in_sight` are those whom it sees in other places, by place; `conditions` are its own."""

    place: str | None
    present: tuple[str, ...]
    in_sight: Mapping[str, tuple[str, ...]]
    asleep: tuple[str, ...]
    conditions: tuple[str, ...]
    hidden: bool

    @classmethod
    def of(cls, stage: Stage, who: str) -> Self:
        """Those of somebody who is there, or is not."""
        here, conditions = who in stage.present, stage.conditions
        own = conditions.of(who)
        present = stage.perceived(who) if here else ()
        return cls(
            place=stage.place_of(who) if here else None,
            present=present,
            in_sight=frozen(stage.in_sight(who)) if here else NONE,
            asleep=tuple(filterfalse(conditions.awake, present)),
            conditions=tuple(sorted(own - {"asleep"})) if own else (),
            hidden=stage.is_hidden(who),
        )
