"""Events to bytes and back. The only place that knows the encoding."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from whoknew.eventlog.errors import Damaged, Refused, UnknownKind, unfit
from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import Kind

Upcasters = Mapping[type[Kind], Callable[[Kind], Kind]]

UPCASTERS: Upcasters = {
    kind: getattr(kind, "upcast")  # noqa: B009  (only kinds that are read but not written have it)
    for kind in Kind.__subclasses__()
    if hasattr(kind, "upcast")
}
"""Kinds that are only read: each with what turns it into its successor."""


class Codec:
    """JSON, since people will open the file. Old kinds leave it as their successors."""

    def __init__(self, upcasters: Upcasters = UPCASTERS) -> None:
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Event).decode
        self._upcasters = dict(upcasters)

    def encode(self, event: Event) -> bytes:
        """Its bytes, which are decoded once to see that the same event comes of them: nobody has checked the
        types of its fields before, and what is written stays."""
        try:
            encoded = self._encode(event)
            again = self._decode(encoded)
            # Of what else there is, `admit` and the types have seen what it is: to compare all takes twice as long.
            if (
                again.body != event.body
                or again.place != event.place
                or again.source != event.source
            ):
                _check_alike(event, again)
        except UnicodeEncodeError as error:
            raise _half_a_pair(event, error) from None
        except (msgspec.MsgspecError, RecursionError, TypeError, ValueError) as error:
            raise unfit(event.world, event.seq, event.body, error) from error
        return encoded

    def decode(self, body: bytes) -> Event:
        try:
            event = self._decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _explained(body, error) from None
        return self._upcast(event) if type(event.body) in self._upcasters else event

    def decode_all(self, bodies: Iterable[bytes]) -> list[Event]:
        decode = self._decode if not self._upcasters else self.decode
        try:
            return [decode(body) for body in bodies]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return [self.decode(body) for body in bodies]

    def _upcast(self, event: Event) -> Event:
        body = event.body
        while upcast := self._upcasters.get(type(body)):
            body = upcast(body)
        return msgspec.structs.replace(event, body=body)


def _check_alike(given: Any, again: Any) -> None:
    """That a value comes back as it was given, or as a tuple for a list. What JSON has no form for is
    written as text or as null: bytes, a time, a number that is none."""
    match given, again:
        case _ if given == again:
            return
        case (Struct(), Struct()) if type(given) is type(again):
            pairs = zip(astuple(given), astuple(again), strict=True)
        case (dict(), dict()) if given.keys() == again.keys():
            pairs = zip(given.values(), map(again.get, given), strict=True)
        case (list() | tuple(), list() | tuple()):
            pairs = zip(given, again, strict=True)
        case _:
            raise TypeError(f"{reprlib.repr(given)} would come back as {reprlib.repr(again)}")
    for one, other in pairs:
        _check_alike(one, other)


class _Outline(Struct):
    """The least that can still be read of an event that does not decode."""

    world: str = "?"
    seq: int = 0
    body: dict[str, msgspec.Raw] = {}


def _explained(body: bytes, error: Exception) -> Damaged | UnknownKind:
    try:
        outline = msgspec.json.decode(body, type=_Outline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Damaged(f"an event is not JSON any more ({error}): {body[:80]!r}")
    where = f"{outline.world!r} #{outline.seq}"
    if "kind" not in outline.body:
        return Damaged(f"{where} does not decode: {error}")
    kind = bytes(outline.body["kind"]).decode(errors="replace")
    known = {f'"{one.__struct_config__.tag}"' for one in Kind.__subclasses__()}
    if kind not in known:
        return UnknownKind(outline.world, outline.seq, kind, body)
    return Damaged(f"{where} does not decode: {error}")


def _half_a_pair(event: Event, error: UnicodeEncodeError) -> Refused:
    return Refused(
        f"{event.world!r} #{event.seq} holds half of a surrogate pair "
        f"({error.object[error.start : error.end]!r}), which is no text: leave it out"
    )
