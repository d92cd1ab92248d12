"""How it is inside, moved by what happens: carried from event to event, never begun anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from whoknew.worlds.lives.life import LifeSnapshot

FEELINGS: Mapping[str, tuple[float, float]] = {
    "curious": (0.06, -0.02),
    "excited": (0.12, 0.03),
    "proud": (0.1, -0.08),
    "ashamed": (-0.1, 0.12),
    "calm": (0.05, -0.15),
    "amused": (0.06, -0.06),
    "determined": (0.06, 0.06),
    "frustrated": (-0.08, 0.14),
    "content": (0.06, -0.12),
    "restless": (-0.02, 0.08),
    "hopeful": (0.08, -0.04),
    "lonely": (-0.1, 0.08),
    "happy": (0.12, -0.12),
    "cheerful": (0.1, -0.08),
    "nervous": (-0.04, 0.14),
    "exhausted": (-0.16, 0.14),
    "warm": (0.06, -0.08),
    "hurt": (-0.1, 0.12),
    "angry": (0.02, 0.18),
    "sad": (-0.12, 0.08),
    "relieved": (0.08, -0.18),
    "bitter": (-0.06, 0.1),
    "afraid": (-0.08, 0.2),
    "grateful": (0.08, -0.12),
    "uneasy": (-0.06, 0.12),
    "confident": (0.08, -0.06),
    "thoughtful": (0.0, -0.02),
    "irritated": (-0.04, 0.1),
    "even": (0.0, 0.0),
    "worn": (-0.14, 0.22),
}
"""What each does to energy and to stress."""

USUAL_ENERGY, USUAL_STRESS = 0.6, 0.35
"""To which both go back, a little with every event."""

BACK = 0.06

TURN = 1.6
"""So much more a turn of an arc does than what only reminds of it."""

Mood = Literal["good", "bad", "even"]


def beginning(calm: int) -> LifeSnapshot:
    """Before anything has happened; `calm` is 1 to 5."""
    return LifeSnapshot(
        energy=USUAL_ENERGY,
        stress=round(USUAL_STRESS + (3 - calm) * 0.05, 3),
        emotion="even",
        focus="everyday life",
        arcs={},
    )


def moved(
    now: LifeSnapshot, feeling: str, focus: str, arcs: Mapping[str, str], *, weight: float = 1.0
) -> LifeSnapshot:
    """What it is after an event that feels so. Where an event has no feeling, the one before goes on."""
    energy, stress = FEELINGS[feeling or "even"]
    return LifeSnapshot(
        energy=_near(now.energy, USUAL_ENERGY, energy * weight),
        stress=_near(now.stress, USUAL_STRESS, stress * weight),
        emotion=feeling or now.emotion,
        focus=focus or now.focus,
        arcs={**now.arcs, **arcs},
    )


def mood(now: LifeSnapshot) -> Mood:
    if now.stress > 0.58 or now.energy < 0.4:
        return "bad"
    return "good" if now.energy > 0.62 and now.stress < 0.42 else "even"


def _near(value: float, usual: float, by: float) -> float:
    return round(min(1.0, max(0.0, value + (usual - value) * BACK + by)), 3)
