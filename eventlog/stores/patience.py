"""How long a database that cannot be reached is tried again: half a minute by a command that asks it
something; much longer by a run that others share, which loses what is under way by giving up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

GoesOn = Callable[[], bool]
"""Whether whoever waits is still to wait."""

LONG = 3600.0
"""Seconds that a shared run waits: longer than a server is moved, or its disk made larger."""

QUIET = 60.0
"""Seconds in which no connection was lost, after which the next one is news."""

_GOES_ON: ContextVar[GoesOn | None] = ContextVar("whoknew.patient", default=None)


@contextmanager
def patient(goes_on: GoesOn) -> Iterator[None]:
    """Whatever is opened or read in here waits for `LONG`, as long as this holds."""
    token = _GOES_ON.set(goes_on)
    try:
        yield
    finally:
        _GOES_ON.reset(token)


def is_patient() -> bool:
    goes_on = _GOES_ON.get()
    return goes_on is not None and goes_on()


class Patience:
    """Of one store: so many seconds for each of its users, and longer for those who share a run."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lost_at = -inf
        self._runs: list[GoesOn] = []

    @contextmanager
    def shared(self, goes_on: GoesOn) -> Iterator[None]:
        """Whatever is read in here, and all that is written meanwhile, waits long: what is written
        goes in groups, with what others write."""
        self._runs.append(goes_on)
        try:
            with patient(goes_on):
                yield
        finally:
            self._runs.remove(goes_on)

    def is_over(self, waited: float, *, writing: bool) -> bool:
        """Whether who has waited so many seconds gives up."""
        return waited >= (LONG if self._is_long(writing) else self.seconds)

    def is_news(self) -> bool:
        """That a connection was lost: once for each time that the server is away, however many wait for
        it, and whatever is found broken when it is back."""
        before, self._lost_at = self._lost_at, monotonic()
        return self._lost_at - before > QUIET

    def told(self, *, writing: bool) -> str:
        if self._is_long(writing):
            return f"{LONG / 60:g} minutes, or until it is to stop"
        return f"{self.seconds:g} s"

    def _is_long(self, writing: bool) -> bool:
        return any(goes_on() for goes_on in self._runs) if writing else is_patient()
