"""GRACE: single facts put into one layer of a model, whose weights stay as they are."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.agents.memories.trained import Count, Rate, TrainedEntry


class GraceEntry(TrainedEntry, frozen=True, kw_only=True):
    """edits of one layer, one for each statement, made when an episode ends; needs a local: model"""

    keeps: ClassVar[str] = "grace"

    layer: Annotated[int, Meta(ge=0)] | None = None
    """Which one, from 0 on; the last but one, if you do not say."""
    radius: Rate = 0.003
    """How near an activation has to be, as a share of its own length."""
    steps: Count = 100
    """So many at most to learn a value."""
    rate: Rate = 0.5
