"""What can be wrong with a world that is to be played.

WorldError
├── OffStage    something that cannot happen as people stand: one who is not there speaks
└── BadScript   a script that cannot be played; it names the file and the place in it
"""

from __future__ import annotations


class WorldError(Exception):
    """Whatever keeps a world from being played."""


class OffStage(WorldError):
    """Something that cannot happen as people stand just now."""


class BadScript(WorldError):
    """A script that cannot be played."""
