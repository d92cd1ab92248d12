"""What happened in a world, a line an event: when, which seq, who witnessed it, what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.show.console import safe
from whoknew.engine.show.witnesses import Witnesses
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    EvidenceNoted,
    Failed,
    Felt,
    GoalGiven,
    Left,
    Narrated,
    Remembered,
    Reviewed,
    Traced,
)


def transcript(events: Iterable[Event], witnesses: Witnesses, *, memories: bool = False) -> Group:
    """The story: what is not a part of it (casts, marks, machinery, ...) is left out."""
    shown: list[RenderableType] = []
    lines: Table | None = None
    scenario = ""
    for event in events:
        if isinstance(event.body, EpisodeOpened):
            scenario = event.body.scenario
            shown.append(_heading(event, event.body))
            lines = None
        elif isinstance(event.body, Narrated) and event.body.text == scenario:
            continue  # told once more, to one who comes in
        elif isinstance(event.body, Remembered) and not memories:
            continue
        elif words := line(event):
            if lines is None:
                lines = _lines(witnesses.width)
                shown.append(lines)
            lines.add_row(f"{event.at:%H:%M}", f"#{event.seq}", witnesses.of(event), words)
    return Group(*shown)


def line(event: Event) -> Text | None:
    """The event as a sentence; nothing where it is no part of the story."""
    who, body = safe(event.actor or ""), event.body
    match body:
        case Acted(text, act, to, offer, agrees):
            words = _acted(who, text, act, to, event)
            if offer:
                words.append(f"  [{_offered(offer)}]", style="cyan")
            return words.append("  [agrees to the offer]", style="cyan") if agrees else words
        case Narrated(text):
            return Text(_lined(text), style="italic")
        case Entered() | Left():
            return Text(_moved(who, body, event.place), style="italic")
        case GoalGiven(owner, goal):
            return _quoted(f"{safe(owner)}'s goal", _first_line(goal))
        case Failed() | Called():
            return _failed(who, body)
        case EpisodeClosed(reason):
            return Text(f"The episode ends: {safe(reason)}.", style="dim")
        case Reviewed(judge, scores):
            points = ", ".join(f"{safe(name)} {score:g}" for name, score in scores.items())
            return Text(f"{safe(judge)}: {points}", style="bold")
        case Traced(medium, text, audience):
            return _traced(who, medium, text, audience, event)
        case Remembered(owner, strategy, text):
            return _quoted(f"{safe(owner)} remembers ({safe(strategy)})", text)
        case Felt() | EvidenceNoted():
            return _quoted(who, body.words)
        case _:
            return None


def _heading(event: Event, body: EpisodeOpened) -> Text:
    where = f", {safe(event.place)}" if event.place else ""
    text = Text(f"\nE{event.episode}  ", style="bold cyan")
    text.append(f"{event.at:%d %B %Y}{where}. ".lstrip("0"), style="bold")
    return text.append(safe(body.scenario))


def _lines(witnesses: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(style="dim", no_wrap=True, justify="right")
    table.add_column(no_wrap=True, width=witnesses)
    table.add_column(overflow="fold")
    return table


def _first_line(goal: str) -> str:
    """A goal in brief: what stands below its first line are details of how."""
    first, _, more = goal.strip().partition("\n")
    return f"{first} ..." if more else first


def _acted(who: str, text: str, act: str, to: Sequence[str], event: Event) -> Text:
    if act == "none":
        return _quoted(f"{who} thinks", text) if text else Text(f"{who} does nothing", style="dim")
    if act == "leave" and not text:
        return Text(f"{who} makes to leave", style="italic")
    if act != "speak":
        return Text(f"{who} {safe(text)}", style="italic")
    if to:
        private = set(event.witnesses) <= {event.actor, *to}
        return _quoted(f"{who}{' whispers' if private else ''} to {_names(to)}", text)
    return _quoted(who, text)


def _moved(who: str, body: Entered | Left, place: str | None) -> str:
    if isinstance(body, Left):
        return f"{who} leaves {safe(place)}" if place else f"{who} {body.words}"
    into = f"comes into {safe(place)}" if place else "comes in"
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


def _quoted(who: str, text: str) -> Text:
    return Text.assemble((who, "bold"), ": ", _lined(text))


def _lined(text: str) -> str:
    """Lines stay lines: they stand in a column of their own, which they cannot leave."""
    return "\n".join(map(safe, text.splitlines()))


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(safe, names)) or "nobody"
