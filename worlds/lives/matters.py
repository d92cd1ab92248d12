"""What there is to write of a matter: as it is settled, and as what holds of it is come back to."""

from __future__ import annotations

from collections.abc import Mapping

from whoknew.worlds.lives.bank import LifeSituation, MatterSketch
from whoknew.worlds.lives.plan import PlannedMatter
from whoknew.worlds.lives.wording import Wording


def values(matter: PlannedMatter, place: int) -> Mapping[str, str]:
    """What holds of it, and what held until then."""
    old = matter.values[place - 1] if place else ""
    return {"value": matter.values[place], "old": old}


def settling(sketch: MatterSketch, place: int, wording: Wording) -> LifeSituation:
    """In a message, in the diary and in a memo."""
    said = sketch.changed if place else sketch.first
    texts = [wording.one_of(said, f"{sketch.id}/settled") for _ in range(2)]
    return LifeSituation(
        fact=sketch.claim, diary=(texts[0],), msg=(texts[1],), to=sketch.to, memo=sketch.memo
    )


def keeping(sketch: MatterSketch) -> LifeSituation:
    """In the diary alone."""
    return LifeSituation(fact=sketch.claim, diary=("|".join(sketch.kept).join("[]"),))
