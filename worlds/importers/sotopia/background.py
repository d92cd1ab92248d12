"""The message with which Sotopia opens an episode for each of its agents: what it shows of whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

_OPENS = "\nHere is the context of this interaction:\n"
_CLOSES = "\nConversation Starts:\n"
UNKNOWN = "Unknown"


class Background(Struct, frozen=True):
    """What one agent is told: the scenario, and of each the background and the goal it may know."""

    scenario: str
    names: tuple[str, ...]
    known: dict[str, str]
    goals: dict[str, str]


def parse(text: str, names: Sequence[str]) -> Background | None:
    """The parts of an opening message; nothing where it is in no form that Sotopia writes."""
    marks = [
        f"{_OPENS}Scenario: ",
        f"\nParticipants: {participants(names)}",
        *(f"\n{name}'s background: " for name in names),
        *(f"\n{name}'s goal: " for name in names),
        _CLOSES,
    ]
    parts: list[str] = []
    at = 0
    for number, mark in enumerate(marks):
        found = text.find(mark, at)
        if found < 0 or (number == 0 and found != 0):
            return None
        if number:
            parts.append(text[at:found])
        at = found + len(mark)
    if at != len(text) or parts[1]:
        return None
    count = len(names)
    return Background(
        parts[0],
        tuple(names),
        dict(zip(names, parts[2 : 2 + count], strict=True)),
        dict(zip(names, parts[2 + count :], strict=True)),
    )


def write(
    scenario: str, names: Sequence[str], known: Mapping[str, str], goals: Mapping[str, str]
) -> str:
    lines = [f"Scenario: {scenario}", f"Participants: {participants(names)}"]
    lines += [f"{name}'s background: {known.get(name, UNKNOWN)}" for name in names]
    lines += [f"{name}'s goal: {goals.get(name, UNKNOWN)}" for name in names]
    return _OPENS + "\n".join(lines) + _CLOSES


def participants(names: Sequence[str]) -> str:
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + f", and {names[-1]}"
