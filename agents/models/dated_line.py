"""Days that stand in texts, as `offline:` reads them: "Friday, 10 May 2019, 22:45. ..." is of a day, and
"May 2019" a month."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from whoknew.eventlog.words import MONTHS

_NUMBERS = {name: number for number, name in enumerate(MONTHS, start=1)}
_DAY = re.compile(rf"^(?:\w+, )?([0-9]{{1,2}}) ({'|'.join(MONTHS)}) ([0-9]{{4}})\b")

_HEAD = re.compile(rf"{_DAY.pattern}(?:, [0-9]{{1,2}}:[0-9]{{2}})?\.?\s*")


def begun_on(text: str) -> int | None:
    """The day that a text begins with, as a number that grows by one a day; None, where there is none."""
    if not (found := _DAY.match(text)):
        return None
    day, month, year = found.groups()
    try:
        return date(int(year), _NUMBERS[month], int(day)).toordinal()
    except ValueError:
        return None


def undated(text: str) -> str:
    """A text without the day, and the time, that it begins with."""
    return text[found.end() :] if (found := _HEAD.match(text)) else text


def month_end(text: str) -> int | None:
    """The last day of a month with its year, likewise."""
    name, _, year = text.partition(" ")
    month = _NUMBERS.get(name)
    if month is None or not 1 <= int(year) <= 9999:
        return None
    return date(int(year), month, monthrange(int(year), month)[1]).toordinal()
