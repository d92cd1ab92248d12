"""How numbers are formatted for people to read: counts, sizes, money, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from whoknew.engine.playing.spent import dollars as precise
from whoknew.eventlog.counted import counted


class Paged(Protocol):
    """A page of what was asked for."""

    @property
    def total(self) -> int: ...
    @property
    def skipped(self) -> int: ...
    @property
    def rows(self) -> Sequence[object]: ...


def paged(what: str, page: Paged) -> str:
    """Which of `what` there is are shown, and how to go on."""
    shown = len(page.rows)
    if shown == page.total:
        return what
    if not shown:
        return f"{what}: none past the first {page.skipped:,}"
    last = page.skipped + shown
    more = f": go on with --skip {last}" if last < page.total else ""
    return f"{page.skipped + 1:,}-{last:,} of {what}{more}"


def failed(counts: Mapping[str, int]) -> str:
    """How often what could not be had: nothing where nothing failed."""
    some = {what: count for what, count in counts.items() if count}
    told = [counted(count, what) for what, count in some.items()]
    return f"failed: {', '.join(told)}" if told else ""


def sized(size: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def short(count: float) -> str:
    """A count that fits into a column: exact as long as it is small."""
    for unit in ("", "k", "M", "G"):
        if count < 10_000:
            return f"{count:,.0f}{unit}"
        count /= 1000
    return f"{count:,.0f}T"


def money(dollars: float | None) -> str:
    """What something cost; what is not known is never shown as nothing."""
    if dollars is None:
        return "unknown"
    return precise(dollars)


def spent(dollars: float | None, *, unknown: bool) -> str:
    """What much cost together, where the price of some of it may not be known."""
    return (
        f"{money(dollars)} + unknown"
        if unknown and dollars
        else money(None if unknown else dollars)
    )


def lasting(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"


def voted(share: float | None) -> str:
    """How much of a vote an answer had, to stand behind it."""
    return "" if share is None else f"  ({share:.0%} of the votes)"
