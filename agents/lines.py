"""What happened, a line an event, as a character reads it in a prompt.

The number in brackets is the event's place in the character's own view. What somebody said is
quoted as JSON, so that it stays one line and cannot pass for an instruction or for another's line;
a name, which stands without quotes, is brought to one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Self

import msgspec

from whoknew.eventlog import Event
from whoknew.eventlog.frozen_dict import NONE
from whoknew.eventlog.kinds import (
    Act,
    Acted,
    Became,
    Entered,
    Felt,
    Left,
    Narrated,
    Printed,
    Seen,
    Traced,
)

_json = msgspec.json.encode

_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""What ends a line for some, and is not written otherwise in JSON."""

_DELETE = "\x7f"
"""The only one of them in ASCII."""


Share = Mapping[str, Mapping[str, int]]
"""Who is to get how many of what."""


class Line(str):
    """A line as it stands in a prompt, with what it says as data.

    `text` is what `who` said, did, wrote or felt; or what the story tells, where `who` is empty. It is
    empty where somebody only came, went or waited. `act` is set where somebody had its turn, `written`
    where `who` wrote this down itself, to remember it.
    """

    __slots__ = ("act", "agrees", "offer", "place", "text", "who", "written")

    place: int
    who: str
    text: str
    act: Act | None
    offer: Share
    agrees: bool
    written: bool

    def __new__(
        cls,
        told: str,
        place: int = 0,
        who: str = "",
        text: str = "",
        *,
        act: Act | None = None,
        offer: Share | None = None,
        agrees: bool = False,
        written: bool = False,
    ) -> Self:
        line = str.__new__(cls, told)
        line.place, line.who, line.text, line.act = place, who, text, act
        line.offer, line.agrees, line.written = offer or NONE, agrees, written
        return line

    @classmethod
    def of_act(cls, told: str, place: int, who: str, acted: Acted) -> Self:
        """What most lines tell of: built directly, in a third of the time that its class would take."""
        line = str.__new__(cls, told)
        line.place, line.who, line.text, line.act = place, who, acted.text, acted.act
        line.offer, line.agrees, line.written = acted.offer, acted.agrees, False
        return line

    @property
    def unnumbered(self) -> str:
        return self.removeprefix(f"[{self.place}] ")

    def marked(self, mark: str) -> Line:
        """The same with a remark behind it."""
        return self.worded(f"{self} {mark}")

    def worded(self, told: str) -> Line:
        """The same in other words."""
        return Line(
            told,
            self.place,
            self.who,
            self.text,
            act=self.act,
            offer=self.offer,
            agrees=self.agrees,
            written=self.written,
        )


NOTHING = Line("")

TOLD = frozenset((Narrated, Printed, Entered, Left, Seen, Became, Traced, Felt))
"""What is told in a line, besides what is done. The rest is told elsewhere; evidence nowhere, whoever is
said to have witnessed it."""


def line(place: int, event: Event) -> Line:
    """The event in one line; empty where it is told elsewhere (a goal, who somebody is)."""
    who, body = event.actor or "Somebody", event.body
    if type(body) is Acted:  # as most are: in a match it would take twice as long
        told = _acted(who, body.text, body.act, tuple(body.to), tuple(body.also), event.witnesses)
        if body.offer or body.agrees:
            told += _dealt(who, body)
        return Line.of_act(f"[{place}] {told}", place, who, body)
    if type(body) not in TOLD:
        return NOTHING
    match body:
        case Narrated(text) | Printed(text):
            told, who = quoted(text), ""
        case Entered(hidden, how):
            told, text = f"{who} {how or ('hides here, unseen' if hidden else 'comes in')}.", ""
        case Left(how):
            told, text = f"{who} {how or 'goes'}.", ""
        case Seen():
            told, text = f"{who} {body.words}, unheard.", ""
        case Became():
            told, text = f"{who} {body.words}.", ""
        case Traced(medium, text):
            told, text = f"{who} ({quoted(medium)[1:-1]}): {quoted(text)}", body.words
        case Felt():
            told, text = f"{who} feels: {quoted(body.words)}", body.words
        case _:
            return NOTHING
    return Line(one_line(f"[{place}] {told}"), place, who, text)


def quoted(text: object) -> str:
    """As JSON, in one line whatever it holds."""
    written = _json(text).decode()
    plain = written.isascii() and _DELETE not in written  # told at once, however long it is
    return written if plain or written.isprintable() else _ENDS.sub(_escaped, written)


def _escaped(end: re.Match[str]) -> str:
    return f"\\u{ord(end[0]):04x}"


def one_line(text: str) -> str:
    return " ".join(text.splitlines())  # which is the text itself, where it is one line


@lru_cache(256)
def _acted(
    who: str,
    text: str,
    act: Act,
    to: tuple[str, ...],
    also: tuple[str, ...],
    witnesses: tuple[str, ...],
) -> str:
    """What somebody did, put into words once for all who witnessed it."""
    said, others = quoted(text), ", ".join(to)
    match act:
        case "speak" if to == (who,):
            told = f"{who} says aside: {said}"
        case "speak" if others:
            private = {who, *also, *to}.issuperset(witnesses)
            told = f"{who} {'whispers' if private else 'says'} to {others}: {said}"
        case "speak":
            told = f"{' and '.join((who, *also))} {'say' if also else 'says'}: {said}"
        case "none":
            told = f"{who} thinks: {said}" if text else f"{who} does nothing."
        case "leave":
            told = f"{who} makes to leave: {said}" if text else f"{who} makes to leave."
        case _:
            told = f"{who} does this: {said}"
    return one_line(told)


def _dealt(who: str, body: Acted) -> str:
    offers = f" {who} offers: {shares(body.offer)}." if body.offer else ""
    return one_line(f"{offers} {who} agrees to the offer." if body.agrees else offers)


def shares(offer: Share) -> str:
    """An offer in words: who gets how many of what."""
    return "; ".join(f"{who} gets {things(share)}" for who, share in offer.items())


def things(share: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {item}" for item, count in share.items() if count) or "nothing"
