"""A plan: what is to be run, as TOML. `plan.template.toml` shows every key with its default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.methods.guarded import Then
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.prices import Price, price_of
from whoknew.agents.parts import REASKS
from whoknew.engine import registry
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.eventlog.knowledge import SURE
from whoknew.worlds.errors import Mistake
from whoknew.worlds.setting import Order, Part, Setting

EVERYONE = "everyone"


class Episodes(Part, frozen=True):
    """Which scenarios are played, and how. None leaves it to the scenario."""

    play: tuple[str, ...] | None = None
    repeat: Annotated[int, Meta(ge=1)] = 1
    shuffle: bool = False
    order: Order | None = None
    turns: Annotated[int, Meta(ge=1)] | None = None
    stale: Annotated[int, Meta(ge=1)] | None = None
    when_bad: Literal["skip", "suspend"] = "skip"


class Guarding(Part, frozen=True):
    """How lines are guarded that give away what their character cannot know, at least so `sure`: each is
    asked for again so many `tries` at most; `then` it is dropped, kept, or the chain stops."""

    tries: Annotated[int, Meta(ge=1, le=9)] = 2
    then: Then = "drop"
    sure: Annotated[float, Meta(ge=0, le=1)] = SURE


class MemoryModels(Struct, frozen=True):
    """The models that a memory asks: `small` to look something over, `embedder` for vectors."""

    model: str
    small: str
    embedder: str


class Seat(Part, frozen=True):
    """What decides for a character. What comes to its mind takes `budget` tokens at most; a person in
    a browser is waited for `patience` seconds. `settings` are those of parts, by the part's name."""

    further_keys: ClassVar[str] = (
        "a table of settings for each part that it names, such as 'summary'"
    )

    agent: str = "mind"
    model: str = OFFLINE
    memory: str = "summary"
    method: str = "plain"
    reasks: Annotated[int, Meta(ge=0)] = REASKS
    budget: Annotated[int, Meta(ge=1)] | None = None
    temperature: Annotated[float, Meta(ge=0)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    seed: int | None = None
    guard: bool | Guarding = False
    patience: float | None = None
    lines: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    settings: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)

    @property
    def thinks(self) -> bool:
        """Whether its model is asked."""
        return bool(registry.AGENTS.entry(self.agent).thinks)

    @property
    def guarding(self) -> Guarding | None:
        """How what its model says is guarded, where it is."""
        return Guarding() if self.guard is True else self.guard or None

    @property
    def askings(self) -> int:
        """How many times at most its method is gone through for one answer."""
        return 1 + (self.guarding.tries if self.guarding else 0)

    @property
    def own_model(self) -> str:
        """The model that its memory has for itself."""
        return self._of_memory("model")

    def _of_memory(self, setting: str) -> str:
        """What its memory says; not told of one that does not load."""
        try:
            memories = registry.for_mind(self.memory)
            made = memories.made(self.memory, self.settings.get(self.memory, {}))
            return str(getattr(made, setting))
        except (NoSuchPart, BrokenPart):
            return ""

    @property
    def memory_model(self) -> str:
        """The model that its memory asks."""
        return self.own_model or self.model

    @property
    def small_model(self) -> str:
        """The model that looks things over for its memory."""
        return self._of_memory("small") or self.memory_model

    @property
    def embedder(self) -> str:
        """The model that gives vectors to its memory."""
        return self._of_memory("embedder") or self.memory_model

    @property
    def memory_models(self) -> MemoryModels:
        """Those that its memory asks."""
        return MemoryModels(self.memory_model, self.small_model, self.embedder)

    @property
    def models(self) -> tuple[str, ...]:
        """Those that are asked, where it thinks."""
        memory = self.memory_models
        return tuple(dict.fromkeys([self.model, memory.model, memory.small, memory.embedder]))

    def offline(self) -> Self:
        """The same with models that need no key and cost nothing."""
        ours = {key: OFFLINE for key in ("model", "small", "embedder") if self._of_memory(key)}
        settings = self.settings
        if ours:
            settings = {**settings, self.memory: {**settings.get(self.memory, {}), **ours}}
        return replace(self, model=OFFLINE, settings=settings)

    @property
    def by_person(self) -> bool:
        return bool(registry.AGENTS.entry(self.agent).by_person)


class Judging(Part, frozen=True):
    """Who looks at each episode when it is over, with the settings of that judge."""

    by: str
    model: str = OFFLINE
    reasks: Annotated[int, Meta(ge=0)] = REASKS
    temperature: Annotated[float, Meta(ge=0)] | None = 0.0
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    settings: dict[str, Any] = msgspec.field(default_factory=dict)

    def offline(self) -> Self:
        """The same with a model that needs no key and costs nothing."""
        return replace(self, model=OFFLINE)

    @property
    def asks(self) -> bool:
        """Whether it asks a model."""
        return bool(registry.JUDGES.entry(self.by).asks)


class ModelSettings(Part, frozen=True):
    """How a model may be called. Prices are dollars for a million tokens."""

    requests_per_minute: Annotated[int, Meta(ge=1)] | None = None
    tokens_per_minute: Annotated[int, Meta(ge=1)] | None = None
    at_once: Annotated[int, Meta(ge=1)] | None = None
    timeout: Annotated[float, Meta(gt=0)] = 120.0
    attempts: Annotated[int, Meta(ge=1)] = 6
    price_in: Annotated[float, Meta(ge=0)] | None = None
    price_out: Annotated[float, Meta(ge=0)] | None = None

    def price(self, address: str) -> Price | None:
        """What the model costs: as is said here, else as is listed."""
        return price_of(address, self.price_in, self.price_out)


MAY_FAIL = 0.5
"""The share of turns or reviews beyond which a run rather stops than goes on."""

SCANNED = 0.02
"""The share of prompts that are looked at for what their character cannot know."""

Scope = Literal["run", "chain", "episode", "character"]


class Limit(Part, frozen=True):
    """What may be used up."""

    money: Annotated[float, Meta(gt=0)] | None = None
    tokens: Annotated[int, Meta(ge=1)] | None = None
    calls: Annotated[int, Meta(ge=1)] | None = None
    minutes: Annotated[float, Meta(gt=0)] | None = None

    @property
    def counts_calls(self) -> bool:
        """Whether it matters what calls took."""
        return (self.money, self.tokens, self.calls) != (None, None, None)


NO_LIMIT = Limit()


class Plan(Part, frozen=True):
    """`agents` are the seats by name; that of `everyone` is anybody's who has none. Of the turns of a
    run, and of the reviews of each judge, the share `may_fail` may fail."""

    world: str
    name: str | None = None
    log: str | None = None
    seed: int | None = None
    chains: Annotated[int, Meta(ge=1)] = 1
    at_once: Annotated[int, Meta(ge=1)] = 64
    keep_prompts: bool = False
    scan_prompts: Annotated[float, Meta(ge=0, le=1)] = SCANNED
    tellings: bool = False
    may_fail: Annotated[float, Meta(ge=0, le=1)] = MAY_FAIL
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
