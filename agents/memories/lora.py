"""LoRA: a small part of a model's weights, trained on what its character lived through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from whoknew.agents.memories.trained import Count, Rate, TrainedEntry


class LoraEntry(TrainedEntry, frozen=True, kw_only=True):
    """low-rank weights, trained on each episode when it ends; needs a local: model"""

    keeps: ClassVar[str] = "lora"
    trial: ClassVar[Mapping[str, Any]] = {"epochs": 2}

    rank: Count = 16
    alpha: Count = 32
    targets: tuple[str, ...] = ()
    """The names of the layers that are changed; all linear ones, if you do not say."""
    epochs: Count = 50
    batch: Count = 4
    rate: Rate = 2e-3
    mode: Literal["chain", "scratch"] = "chain"
    """`chain` goes on from the episode before; `scratch` trains on all episodes anew at each."""

    @property
    def scratch(self) -> bool:
        return self.mode == "scratch"

    def rounds(self, rows: int) -> int:
        return self.epochs * -(-rows // self.batch)

    def kept(self, rows: int, before: int) -> int:
        return 1  # whatever it was trained on
