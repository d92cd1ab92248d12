"""What each step of a scene changes of who is on stage."""

from __future__ import annotations

from msgspec import Struct

from whoknew.worlds.importers.play.steps import Step


class Change(Struct, frozen=True):
    """What a direction came to: one character comes or goes, and how."""

    who: str
    how: str
    """enter, hidden, show, wake; exit, die, sleep, hide."""


class Staged(Struct, frozen=True):
    """A step of a scene, with what it changed."""

    step: Step
    changes: tuple[Change, ...] = ()


class Span(Struct, frozen=True):
    """Steps at which no direction says whether somebody is there."""

    who: str
    begins: int
    ends: int
