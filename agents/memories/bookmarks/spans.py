"""Spans: stretches of lines around those that were hit. They are a fold of the hits, so that a new one is a
few steps, however many there are."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

AROUND = 8
"""So many lines before a hit, and as many behind it, belong to it."""

BEST = 8
"""So many spans are read at most."""

LONGEST = 64
"""Lines. Where hits lie so close that their spans run into one another, one is cut there, from its beginning
on: so what is read for an answer does not grow with the story."""

LineSpan = range
"""Positions, the last one behind it, as ranges have it."""


class HitSpan(Struct, frozen=True, order=True):
    """A span: of several the greatest is that with most hits, of equal ones the latest."""

    hits: int
    start: int
    stop: int


NO_SPAN = HitSpan(0, 0, 0)


class Spans(Struct, frozen=True):
    """What lies around the hits so far, which rise: the best of the spans that no later hit can change,
    and the last one, which is open: it goes on to what lies behind the hit `last`."""

    closed: tuple[HitSpan, ...] = ()
    open: HitSpan = NO_SPAN
    last: int = 0

    def further(self, hits: Iterable[int]) -> Spans:
        """With hits behind those before. Spans that touch are one."""
        closed, now, last = list(self.closed), self.open, self.last
        for hit in hits:
            first = max(1, hit - AROUND)
            touches = bool(now.hits) and first <= last + AROUND + 1
            if touches and hit < now.start + LONGEST:
                now = HitSpan(now.hits + 1, now.start, 0)
            else:
                if now.hits:
                    stop = now.start + LONGEST
                    closed.append(_cut(now, stop if touches else last + AROUND + 1))
                now = HitSpan(1, now.start + LONGEST if touches else first, 0)
            last = hit
        return Spans(tuple(sorted(closed)[-BEST:]), now, last)

    def best(self, upto: int) -> tuple[LineSpan, ...]:
        """Those with most hits, of equal ones the later, in lines up to a position: in the order in which
        it happened."""
        some = [*self.closed]
        if self.open.hits:
            some.append(_cut(self.open, min(upto, self.last + AROUND) + 1))
        best = sorted(some)[-BEST:]
        return tuple(range(one.start, one.stop) for one in sorted(best, key=lambda one: one.start))


NO_SPANS = Spans()


def _cut(span: HitSpan, stop: int) -> HitSpan:
    return HitSpan(span.hits, span.start, min(stop, span.start + LONGEST))


def lines_of(some: Iterable[LineSpan]) -> list[int]:
    """The positions in spans."""
    return [position for span in some for position in span]
