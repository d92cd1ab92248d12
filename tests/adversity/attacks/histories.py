"""Histories of any length, read by bookmarks in any steps: what is brought up to date is what reads all anew."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from adversity.attack import Attack, Ground, Strike
from bookmark_stories import ASKED, PEOPLE, WORDS, HangingOperators, check_reuse_is_fresh

from whoknew.agents.memories.bookmarks.rules import RuleOperators


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    def strike(chance: Random) -> None:
        words = chance.sample(WORDS, chance.randint(1, len(WORDS)))
        story = [
            (chance.choice(PEOPLE), " ".join(chance.choices(words, k=chance.randint(1, 3))))
            for _ in range(chance.choice((10, 70, 200, 400)))
        ]
        some = chance.sample(range(1, len(story) + 1), chance.randint(1, 10))
        for kind in ASKED:
            for operators in (HangingOperators, RuleOperators):
                asyncio.run(check_reuse_is_fresh(story, sorted(some), kind, operators))

    yield strike


ATTACK = Attack(setup=setup, short=8)
