"""Did you mean …? What may have been meant by a name that is not there: in every message, one wording
and one limit of how close a name has to come."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

CLOSE = 0.6
"""How much of two names must be alike, from 0 to 1, for one to be meant by the other: what difflib
takes to be a close match."""

COMPARED = 250
"""With more names than that, only those are compared that begin most like it: to compare each of 100,000
worlds takes seconds, for which a server answers nobody."""

LISTED = 12
"""So many of the names that there are, are listed where none is close."""


def nearest(name: str, known: Iterable[str]) -> str:
    """What may have been meant, or else what there is: the end of an error message."""
    names = list(dict.fromkeys(known))
    if meant := guess(closest(name, names)):
        return meant
    if not names:
        return "there are none"
    return f"there are: {listed([repr(one) for one in names])}"


def listed(names: Sequence[str]) -> str:
    """The first of so many, and how many more there are."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{', '.join(names[:LISTED])}{more}"


def guess(close: str | None) -> str:
    """The question whether this was meant; nothing where no name is close."""
    return f"did you mean {close!r}?" if close else ""


def closest(name: str, known: Iterable[str], alike: float = CLOSE) -> str | None:
    """The name that may have been meant, whatever its case, and be it no text; None where none is so
    close. Where it may as well be right as it is, more of it must be `alike`."""
    word, spelled = str(name).casefold(), {one.casefold(): one for one in known}
    # What is much longer than all of them is a text, and not walked through sign by sign.
    near = sorted(one for one in spelled if _may_be_close(len(one), len(word)))
    if len(near) > COMPARED:
        middle = bisect_left(near, word)
        near = near[max(0, middle - COMPARED // 2) : middle + COMPARED // 2]
    close = get_close_matches(word, near, 1, alike) if near else []
    return spelled[close[0]] if close else None


def _may_be_close(one: int, other: int) -> bool:
    """Whether names of these lengths can have so much in common."""
    return 2 * min(one, other) / max(1, one + other) >= CLOSE or one == other
