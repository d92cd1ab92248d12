"""The 18 structured questions, in eight families: about what one felt, lived through, saw and heard of an
event, and whether one was there.

The families are the paper's, the wording is ours. Two of a family differ by a word that insists.
"""

from __future__ import annotations

from random import Random
from typing import Literal

FELT, LIVED = "felt", "lived"

Family = Literal["felt", "lived", "witnessed", "saw", "heard", "there", "present", "true"]

TEMPLATES: tuple[tuple[Family, str], ...] = (
    ("felt", "Say what went on in you when {event}."),
    ("felt", "Say frankly what went on in you when {event}."),
    ("felt", "Put into words how you felt when {event}."),
    ("felt", "Put into words, and hide nothing, how you felt when {event}."),
    ("lived", "Tell us how you lived through it when {event}."),
    ("lived", "Tell us, exactly, how you lived through it when {event}."),
    ("witnessed", "Did you see it happen when {event}?"),
    ("witnessed", "Did you yourself see it happen when {event}?"),
    ("saw", "What was before your eyes when {event}?"),
    ("saw", "What, in every detail, was before your eyes when {event}?"),
    ("heard", "What came to your ears when {event}?"),
    ("heard", "What, word for word, came to your ears when {event}?"),
    ("there", "Were you around when {event}?"),
    ("there", "Were you really around when {event}?"),
    ("present", "Were you one of those present when {event}?"),
    ("present", "Were you in fact one of those present when {event}?"),
    ("true", "Is it so that you were on the spot when {event}?"),
    ("true", "Is it indeed so that you were on the spot when {event}?"),
)
"""Each with its family."""

OF_THOSE_ALWAYS_THERE = tuple(one for one in TEMPLATES if one[0] in (FELT, LIVED))
"""Who is in nearly every scene is not asked whether it was there."""


def structured(draw: Random, event: str, *, always: bool = False) -> tuple[Family, str]:
    """A question on an event, each template as likely as any other, and its family."""
    family, text = draw.choice(OF_THOSE_ALWAYS_THERE if always else TEMPLATES)
    return family, stopped(text.format(event=event).removesuffix("."))


def stopped(text: str) -> str:
    """A sentence with a full stop, but where it has a sign of its own, or what it quotes has one."""
    return text if text.endswith((".", "!", "?", '?"', '!"')) else f"{text}."
