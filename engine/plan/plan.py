"""A plan: what is to be run, as TOML. `plan.template.toml` shows every key with its default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from whoknew.agents.models.address import OFFLINE
from whoknew.worlds.errors import Mistake
from whoknew.worlds.setting import Order, Part, Setting

EVERYONE = "everyone"

THINKING = ("mind", "bargainer")
"""The agents that think by a model."""


class Episodes(Part, frozen=True):
    """Which scenarios are played, and how. None leaves it to the scenario."""

    play: tuple[str, ...] | None = None
    repeat: int = 1
    shuffle: bool = False
    order: Order | None = None
    turns: int | None = None
    stale: int | None = None
    when_bad: Literal["skip", "suspend"] = "skip"


Aspect = Literal["overview", "negotiation", "knowledge"]


class SummarySettings(Part, frozen=True):
    """How a character sums up an episode: in so many words at most, and what of it."""

    words: int = 300
    aspects: tuple[Aspect, ...] = ("overview", "negotiation", "knowledge")


class RecallSettings(Part, frozen=True):
    """How many events come to mind at once."""

    k: int = 10


class Seat(Part, frozen=True):
    """What decides for a character. A person in a browser is waited for `patience` seconds."""

    agent: Literal["mind", "human", "scripted", "bargainer"] = "mind"
    model: str = OFFLINE
    memory: str = "summary"
    method: str = "plain"
    reasks: int = 2
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    patience: float | None = None
    summary: SummarySettings = SummarySettings()
    recall: RecallSettings = RecallSettings()
    lines: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Judging(Part, frozen=True):
    """Who looks at each episode when it is over: a model that scores seven dimensions, or goes
    through eight checks; rules; or what came to mind of the evidence."""

    by: str
    model: str = OFFLINE
    reasks: int = 2
    temperature: float | None = 0.0
    max_tokens: int | None = None

    @property
    def asks(self) -> bool:
        """Whether it asks a model."""
        return self.by in ("dimensions", "checklist")


class ModelSettings(Part, frozen=True):
    """How a model may be called. Prices are dollars for a million tokens."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    at_once: int | None = None
    timeout: float = 120.0
    attempts: int = 6
    price_in: float | None = None
    price_out: float | None = None


MAY_FAIL = 0.5
"""The share of turns or reviews beyond which a run rather stops than goes on."""

Scope = Literal["run", "chain", "episode", "character"]


class Limit(Part, frozen=True):
    """What may be used up."""

    money: float | None = None
    tokens: int | None = None
    calls: int | None = None
    minutes: float | None = None


NO_LIMIT = Limit()


class Plan(Part, frozen=True):
    """`agents` are the seats by name; that of `everyone` is anybody's who has none. Of the turns of a
    run, and of the reviews of each judge, the share `may_fail` may fail."""

    world: str
    name: str | None = None
    log: str | None = None
    seed: int | None = None
    chains: int = 1
    at_once: int = 64
    keep_prompts: bool = False
    may_fail: float = MAY_FAIL
    episodes: Episodes = Episodes()
    agents: dict[str, Seat] = msgspec.field(default_factory=dict)
    judges: dict[str, Judging] = msgspec.field(default_factory=dict)
    models: dict[str, ModelSettings] = msgspec.field(default_factory=dict)
    limits: dict[Scope, Limit] = msgspec.field(default_factory=dict)

    def seat(self, character: str) -> Seat:
        return self.agents.get(character) or self.agents.get(EVERYONE) or Seat()


class Loaded(Struct, frozen=True):
    """A plan that is sound as a whole, with the setting that it plays."""

    plan: Plan
    setting: Setting
    source: str


Found = tuple[Setting | None, Sequence[Mistake]]
Look = Callable[[Plan, Path | None], Found]
"""Finds the setting that a plan plays, or what is wrong with it."""
