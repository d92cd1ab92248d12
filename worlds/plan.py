"""A plan: what is to be run, as TOML."""

from __future__ import annotations

from typing import Literal

from whoknew.worlds.setting import Order, Part


class Episodes(Part, frozen=True):
    play: tuple[str, ...] | None = None
    repeat: int = 1
    shuffle: bool = False
    order: Order | None = None
    turns: int | None = None
    stale: int | None = None
    when_bad: Literal["skip", "suspend"] = "skip"


class Seat(Part, frozen=True):
    agent: Literal["mind", "human", "scripted", "bargainer"] = "mind"
    model: str = "offline:"
    memory: Literal["none", "entire", "summary", "recall"] = "summary"
    method: Literal["plain", "stepwise"] = "plain"
    reasks: int = 2
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    lines: dict[str, tuple[str, ...]] = {}


class ModelSettings(Part, frozen=True):
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    at_once: int | None = None
    timeout: float = 120.0
    attempts: int = 6
    price_in: float | None = None
    price_out: float | None = None


Scope = Literal["run", "chain", "episode", "character"]


class Limit(Part, frozen=True):
    money: float | None = None
    tokens: int | None = None
    calls: int | None = None
    minutes: float | None = None


class Plan(Part, frozen=True):
    world: str
    name: str | None = None
    log: str | None = None
    seed: int | None = None
    chains: int = 1
    at_once: int = 64
    keep_prompts: bool = False
    episodes: Episodes = Episodes()
    agents: dict[str, Seat] = {}
    models: dict[str, ModelSettings] = {}
    limits: dict[Scope, Limit] = {}

    def seat(self, character: str) -> Seat:
        return self.agents.get(character) or self.agents.get("everyone") or Seat()
