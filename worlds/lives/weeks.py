"""Weeks of a life, and how a trace says its date."""

from __future__ import annotations

from datetime import date, datetime, timedelta

WEEK = timedelta(days=7)


def monday(day: date) -> date:
    """On which its week begins."""
    return day - timedelta(days=day.weekday())


def named(first: date) -> str:
    """What an episode of a week is called, by its first day."""
    return f"The week of Monday, {first.day} {first:%B %Y}."


def dated(at: datetime, text: str) -> str:
    """A trace with its date, as diaries, letters and telephones have it."""
    return f"{_date(at)}{text}"


def undated(at: datetime, text: str) -> str:
    """A trace as it was before it got its date."""
    return text.removeprefix(_date(at))


def _date(at: datetime) -> str:
    return f"{at:%A}, {at.day} {at:%B %Y, %H:%M}. "
