"""Did you mean …? What may have been meant by a name that is not there: in every message, one wording
and one limit of how close a name has to come."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CLOSE = 0.6
"""How much of two names must be alike, from 0 to 1, for one to be meant by the other: what difflib
takes to be a close match."""

LISTED = 12
"""So many of the names that there are, are listed where none is close."""


def nearest(name: str, known: Iterable[str]) -> str:
    """What may have been meant, or else what there is: the end of an error message."""
    names = list(dict.fromkeys(known))
    if meant := guess(closest(name, names)):
        return meant
    if not names:
        return "there are none"
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"there are: {', '.join(map(repr, names[:LISTED]))}{more}"


def guess(close: str | None) -> str:
    """The question whether this was meant; nothing where no name is close."""
    return f"did you mean {close!r}?" if close else ""


def closest(name: str, known: Iterable[str]) -> str | None:
    """The name that may have been meant, whatever its case, and be it no text; None where none is close."""
    spelled = {one.casefold(): one for one in known}
    close = get_close_matches(str(name).casefold(), spelled, 1, CLOSE)
    return spelled[close[0]] if close else None
