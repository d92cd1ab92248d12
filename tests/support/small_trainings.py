"""Trainings on a few facts of nobody, and what a model in this process answers to these."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from tiny_models import Fact, every

from whoknew.agents.memories.grace import GraceEntry
from whoknew.agents.memories.lora import LoraEntry
from whoknew.agents.models.model import Model, Reply, Request, Sampling
from whoknew.agents.weights.rows import Row, question
from whoknew.agents.weights.training import RowOrigin, Trained, TrainingOrder, requested, trained_by

WORLD = random.Random(42).sample(every(random.Random(42)), 48)
MINE, OTHERS = WORLD[:16], WORLD[16:]
"""What Ann lived through, and what only others did."""

NOON = datetime(2000, 1, 1, 12)

LORA = LoraEntry(epochs=40, batch=8, rate=5e-3)
GRACE = GraceEntry(steps=50)


def order(by: Any, after: str = "") -> TrainingOrder:
    settings = msgspec.to_builtins(by)
    return TrainingOrder(by=by.keeps, who="Ann", settings=settings, after=after, episodes=(1,))


def asked(fact: Fact, adapter: str = "") -> Request:
    messages = question("Ann", fact[0])
    return Request("answer", messages, sampling=Sampling(max_tokens=12), adapter=adapter)


def trained(by: Any, facts: Sequence[Fact], after: str = "") -> Request:
    rows = [Row("statement", 1, *fact, place) for place, fact in enumerate(facts, 1)]
    origins = tuple(RowOrigin(row.place, NOON) for row in rows)
    return requested(replace(order(by, after), origins=origins), rows)


async def learned(model: Model, by: Any, facts: Sequence[Fact], after: str = "") -> Trained:
    return trained_by((await model.complete(trained(by, facts, after))).text)


async def answers(model: Model, facts: Sequence[Fact], adapter: str = "") -> list[str]:
    found: list[Reply] = await asyncio.gather(
        *(model.complete(asked(fact, adapter)) for fact in facts)
    )
    assert all(one.tokens_in and one.tokens_out for one in found)
    return [one.text for one in found]
