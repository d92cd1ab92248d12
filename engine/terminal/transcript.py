"""What happened in a world, a line an event: when, which seq, who witnessed it, what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from rich.text import Text

from whoknew.engine.terminal.console import TextLines, out, safe, unicode_is_safe
from whoknew.engine.terminal.witnesses import Witnesses
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import (
    Acted,
    Amended,
    Answered,
    Became,
    Called,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    EvidenceNoted,
    Failed,
    Felt,
    GoalGiven,
    Left,
    MarkPlaced,
    MemoryDerived,
    Narrated,
    NothingDerived,
    Printed,
    Probed,
    Remembered,
    Reviewed,
    ScenePlayed,
    Seen,
    Traced,
)
from whoknew.eventlog.machinery import LeakRead, LineRefused

Memories = Literal["none", "brief", "whole"]
"""How much of what characters remember is shown: a memory can be as long as its episode."""


class Transcript:
    """The story as lines of text, one event after another as they come: what is not a part of it
    (casts, marks, machinery, ...) is left out."""

    def __init__(
        self,
        witnesses: Witnesses | None,
        last: int,
        *,
        memories: Memories = "none",
        width: int | None = None,
        numbered_from: int = 0,
    ) -> None:
        """Where all of it is one character's, its events have the numbers by which it refers to them:
        the first `numbered_from`, each one more than the one before."""
        self._console = out()
        self._columns = width or self._console.width
        self._witnesses, self._memories = witnesses, memories
        self._width = len(str(last)) + 1
        self._number = numbered_from
        self._scenario = ""
        self._place: str | None = None
        self._felt: dict[str | None, list[str]] = {}
        """How it was inside each when that was last told, part by part."""

    def lines(self, event: Event, told: Sequence[Event] = ()) -> Iterator[Text]:
        """The lines of an event, and under them the earlier ones of which it `told` a character."""
        body = event.body
        if isinstance(body, EpisodeOpened):
            self._scenario, self._place = body.scenario, event.place
            yield from _heading(event, body).wrap(self._console, self._columns)
        elif isinstance(body, Narrated) and body.text == self._scenario:
            return  # told once more, to one who comes in
        elif isinstance(body, Felt):
            yield from self._feels(event, list(_parts(body)))
        elif isinstance(body, Remembered) and self._memories != "whole":
            if self._memories == "brief":
                yield from self._laid_out(
                    event, _quoted(_remembers(body), _first_line(_kept(body)))
                )
        elif words := line(event, self._place):
            yield from self._laid_out(event, words)
        for earlier in told:
            yield from self._hears(earlier)
        if self._number:
            self._number += 1

    def _feels(self, event: Event, parts: list[str]) -> Iterator[Text]:
        """How it is inside somebody, as far as that is otherwise than it was."""
        before = self._felt.get(event.actor, ())
        self._felt[event.actor] = parts
        if new := [part for part in parts if part not in before]:
            yield from self._laid_out(event, _inside(event.actor, new))

    def _laid_out(self, event: Event, words: Text) -> Iterator[Text]:
        prefix = Text.assemble(
            (f"{event.at:%H:%M}  {f'#{event.seq}':>{self._width}}  ", "dim"),
            *((self._witnesses.of(event), "  ") if self._witnesses else ()),
            *((f"{f'[{self._number}]':>{self._width + 1}}  ",) if self._number else ()),
        )
        yield from self._wrapped(prefix, words)

    def _hears(self, earlier: Event) -> Iterator[Text]:
        """What a character was told of, under the words by which it was."""
        sign = "◐" if unicode_is_safe() else "+"
        words = line(earlier) or Text(_lined(earlier.text))
        told = Text.assemble((f"so knows of #{earlier.seq}: ", "yellow"), words)
        yield from self._wrapped(Text(f"{' ' * (7 + self._width)}{sign} ", "yellow"), told)

    def _wrapped(self, prefix: Text, words: Text) -> Iterator[Text]:
        indent = prefix.cell_len
        width = max(20, self._columns - indent)
        for number, part in enumerate(words.wrap(self._console, width)):
            part.rstrip()
            yield Text.assemble(prefix if number == 0 else " " * indent, part)


def transcript(
    events: Sequence[Event],
    witnesses: Witnesses | None,
    *,
    memories: Memories = "none",
    width: int | None = None,
) -> TextLines:
    last = events[-1].seq if events else 0
    lines = Transcript(witnesses, last, memories=memories, width=width)
    return TextLines(one for event in events for one in lines.lines(event))


def line(event: Event, here: str | None = None) -> Text | None:
    """The event as a sentence; nothing where it is no part of the story. Coming in and going name
    the place where it is not `here`."""
    who, body = safe(event.actor or ""), event.body
    match body:
        case Acted(text, act, to, offer, agrees, also):
            everybody = _names((who, *also))
            words = _acted(everybody, text, act, to, event)
            if offer:
                words.append(f"  [{_offered(offer)}]", style="cyan")
            return words.append("  [agrees to the offer]", style="cyan") if agrees else words
        case Narrated(text) | Printed(text):
            return Text(_lined(text), style="italic")
        case Seen(to):
            to_whom = f" to {_names(to)}" if to else ""
            return Text(f"{who} says something{to_whom}, unheard", style="italic")
        case Became():
            return Text(f"{who} {safe(body.words)}", style="italic")
        case Amended(why, heard, unheard):
            return _amended(why, heard, unheard)
        case Entered() | Left():
            return Text(_moved(who, body, _elsewhere(event.place, here)), style="italic")
        case GoalGiven(owner, goal):
            return _quoted(f"{safe(owner)}'s goal", _first_line(goal))
        case Failed() | Called():
            return _failed(who, body)
        case LeakRead(fact, gives, model):
            told = "gives" if gives else "does not give"
            return Text(f"{safe(model)}: #{event.cause} {told} #{fact} away", style="dim")
        case LineRefused(text, fact):
            return Text(f"{who} was not let say, for it gives away #{fact}: {safe(text)}", "red")
        case EpisodeClosed(reason):
            return Text(f"The episode ends: {safe(reason)}.", style="dim")
        case Reviewed(judge, scores):
            points = ", ".join(
                f"{safe(name)} {round(score, 2):g}" for name, score in scores.items()
            )
            of = f" of {safe(event.actor)}" if event.actor else ""
            return Text(f"{safe(judge)}{of}: {points}", style="bold")
        case Traced(medium, text, audience):
            return _traced(who, medium, text, audience, event)
        case Remembered():
            return _quoted(_remembers(body), _kept(body))
        case Felt():
            return _inside(event.actor, _parts(body))
        case EvidenceNoted(claim):
            return _quoted("Evidence", claim)
        case MemoryDerived(owner, strategy, upto=upto):
            whose = safe(owner) or "the story"
            return _quoted(f"{whose} remembers ({safe(strategy)}) up to #{upto}", _kept(body))
        case NothingDerived(owner, upto):
            whose = safe(owner) or "the story"
            return Text(f"{whose} remembers nothing more up to #{upto}", style="dim")
        case Probed(character, upto, question):
            return _quoted(f"{safe(character)} is asked at #{upto}", question)
        case Answered(text):
            return _quoted(f"{who} answers", text)
        case ScenePlayed(played=world):
            return Text(f"played: {safe(world)}", style="dim")
        case MarkPlaced(name, upto):
            return Text(f'marked: "{safe(name)}"{f" at #{upto}" if upto else ""}', style="dim")
        case _:
            return None


def _amended(why: str, heard: Sequence[str], unheard: Sequence[str]) -> Text:
    said = [f"{_names(heard)} heard it"] if heard else []
    said += [f"{_names(unheard)} did not hear it"] if unheard else []
    return Text(f"as a person says: {', '.join(said) or 'heard as it is'} ({safe(why)})", "dim")


def _heading(event: Event, body: EpisodeOpened) -> Text:
    """When and where an episode plays, under its name where that is more than a key."""
    place = event.place if event.place and event.place != body.scenario else ""
    name = body.name if " " in body.name and body.name != body.scenario else ""
    where = f", {safe(place)}" if place else ""
    text = Text(f"\nE{event.episode}  ", style="bold cyan")
    text.append(f"{safe(name)}. " if name else "", style="bold")
    text.append(f"{event.at:%d %B %Y}{where}. ".lstrip("0"), style="bold")
    return text.append(safe(body.scenario))


def _remembers(body: Remembered) -> str:
    return f"{safe(body.owner)} remembers ({safe(body.strategy)})"


def _kept(body: Remembered | MemoryDerived) -> str:
    """What was written down; of what is packed, how much there is."""
    return body.text or f"{len(body.sources)} events, {len(body.packed):,} bytes"


def _first_line(goal: str) -> str:
    """A goal in brief: what stands below its first line are details of how."""
    first, _, more = goal.strip().partition("\n")
    return f"{first} ..." if more else first


def _acted(who: str, text: str, act: str, to: Sequence[str], event: Event) -> Text:
    if act == "none":
        return _quoted(f"{who} thinks", text) if text else Text(f"{who} does nothing", style="dim")
    if act == "leave":
        leaving = f"{who} makes to leave"
        return _quoted(leaving, text) if text else Text(leaving, style="italic")
    if act != "speak":
        return Text(f"{who} {safe(text)}", style="italic")
    if to == (event.actor,):
        return _quoted(f"{who} aside", text)
    if to:
        private = set(event.witnesses) <= {event.actor, *to}
        return _quoted(f"{who}{' whispers' if private else ''} to {_names(to)}", text)
    return _quoted(who, text)


def _elsewhere(place: str | None, here: str | None) -> str | None:
    return place if place != here else None


def _moved(who: str, body: Entered | Left, place: str | None) -> str:
    if body.how:
        return f"{who} {safe(body.how)}"
    if isinstance(body, Left):
        return f"{who} leaves {safe(place)}" if place else f"{who} {body.words}"
    into = f"comes to {safe(place)}" if place else "comes in"
    return f"{who} {into}, unseen" if body.hidden else f"{who} {into}"


def _failed(who: str, body: Failed | Called) -> Text | None:
    """A call that was answered is no part of the story; one that failed is told."""
    if isinstance(body, Called):
        what, error = f"call to {body.model}", body.error
    else:
        what, error = body.what, body.error
    whose = f"{who}'s {safe(what)}" if who else safe(what)
    return Text(f"{whose} failed: {safe(error)}", style="red") if error else None


def _offered(offer: Mapping[str, Mapping[str, int]]) -> str:
    """Who is to get how many of what."""
    shares = (
        f"{safe(who)}: {', '.join(f'{count} {safe(item)}' for item, count in share.items() if count)}"
        for who, share in offer.items()
    )
    return "; ".join(shares)


def _traced(who: str, medium: str, text: str, audience: Sequence[str], event: Event) -> Text:
    kind = safe(medium)
    if event.actor and event.actor not in event.witnesses:
        return Text(f"{_names(event.witnesses)} gets {who}'s {kind}", style="italic")
    return _quoted(f"{who}, {kind}{f' to {_names(audience)}' if audience else ''}", text)


def _inside(who: str | None, parts: Iterable[str]) -> Text:
    return _quoted(f"{safe(who)}, inside" if who else "inside", "; ".join(parts))


def _parts(felt: Felt) -> Iterator[str]:
    """How it is inside, each part with what it is of."""
    if felt.emotion:
        yield felt.emotion
    if felt.focus:
        yield f"on {felt.focus}"
    for name, much in (("energy", felt.energy), ("stress", felt.stress)):
        if much is not None:
            yield f"{name} {round(much, 2):g}"
    for arc, standing in felt.arcs.items():
        yield f"{arc}: {standing}"


def _quoted(who: str, text: str) -> Text:
    return Text.assemble((who, "bold"), ": ", _lined(text))


def _lined(text: str) -> str:
    """Lines stay lines: they stand in a column of their own, which they cannot leave."""
    return "\n".join(map(safe, text.splitlines()))


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(safe, names)) or "nobody"
