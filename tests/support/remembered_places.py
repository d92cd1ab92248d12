"""How many places of lives give another prompt, or another memory, for what came later."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from remembered_lives import lives, seen
from small_worlds import WATCH

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import CharacterAdded


async def differing(folder: Path, places: int, plays: Sequence[Sequence[Draft]]) -> int:
    """Of so many places, half of them in worlds at random and half in plays: at how many some
    memory of ours has another byte in its prompt, or in what it keeps, on the whole world than on one
    that ends there."""
    chance, found = Random(18), 0
    for number in range(places // 8):
        drafts = lives(chance, chance.randint(3, 8), own=chance.random() < 0.3)
        at = [(chance.choice(WATCH), chance.randint(5, len(drafts))) for _ in range(4)]
        found += await _differing(folder / f"life{number}", drafts, WATCH, at)
    left = places - 4 * (places // 8)
    for number, drafts in enumerate(plays):
        count = left // len(plays) + (number < left % len(plays))
        at = [_place(drafts, chance) for _ in range(count)]
        found += await _differing(folder / f"play{number}", drafts, [who for who, _ in at], at)
    return found


def _place(drafts: Sequence[Draft], chance: Random) -> tuple[str, int]:
    """A character that is there, and a moment."""
    seq = chance.randint(len(drafts) // 20, len(drafts))
    cast = [one.body.name for one in drafts[:seq] if isinstance(one.body, CharacterAdded)]
    return chance.choice(cast), seq


async def _differing(
    folder: Path,
    drafts: Sequence[Draft],
    people: Sequence[str],
    places: Sequence[tuple[str, int]],
) -> int:
    """The exam of the whole world is sat first up to its end, so that all is remembered there."""
    whole = await seen(folder / "whole", drafts, [*((who, len(drafts)) for who in people), *places])
    found = 0
    for who, seq in dict.fromkeys(places):
        short = (await seen(folder / f"{who} {seq}", drafts[:seq], [(who, seq)]))[who, seq]
        long = whole[who, seq]
        found += short.asked != long.asked or not set(short.notes) <= set(long.notes)
    return found
