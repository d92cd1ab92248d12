"""How long ago it was that what an answer rests on was written: for tables."""

from __future__ import annotations

from datetime import date

AGES = ((4, "up to 4 weeks"), (13, "up to a quarter"), (52, "up to a year"))

AGE_TAGS = ("age none", *(f"age {name}" for _, name in AGES), "age more than a year")


def age_tag(asked: date, newest: date | None) -> str:
    """By the newest of its evidence."""
    if newest is None:
        return "age none"
    weeks = (asked - newest).days / 7
    return "age " + next((name for most, name in AGES if weeks <= most), "more than a year")
