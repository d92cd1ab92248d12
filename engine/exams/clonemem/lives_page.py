"""What the page of a report shows of lives: a calendar of each, and what a right answer to each question rests
on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import date

from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.clonemem import calendar_drawing
from whoknew.engine.exams.clonemem.life_calendar import LifeCalendar, calendar_of
from whoknew.engine.exams.page import Html, anchor, inline, link, shortened, tag
from whoknew.engine.exams.page_parts import MaterialShown, evidence_place
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Traced

MOST, TRACES, TEXT = 10, 4, 500
"""So many lives are drawn; of a piece of evidence so many traces are shown, and so many signs of each."""

Seen = dict[int, Event | None]
"""What happened at some seqs, as far as it was read."""


async def lives_shown(material: Log, units: Sequence[Unit], viewer: str) -> MaterialShown:
    """The first lives that are asked about; nothing of worlds in which nothing is written."""
    by_world: dict[str, list[Unit]] = {}
    for unit in units:
        by_world.setdefault(unit.asked.question.world, []).append(unit)
    parts: list[Html] = []
    shown: list[str] = []
    for world, asked in list(by_world.items())[:MOST]:
        seen: Seen = dict.fromkeys(_wanted(asked))
        director = await material.director(world)
        calendar = await calendar_of(world, _kept(director.__aiter__(), seen))
        if not calendar.weeks:
            continue
        questions = _by_question(asked)
        days = _days(questions, seen)
        drawn = inline(calendar_drawing.svg(calendar, days, viewer))
        parts += [tag("div", drawn, class_="wide", tabindex="0"), _standings(calendar)]
        parts.append(_evidence(world, questions, seen, viewer))
        shown += [unit.id for unit in asked]
    if parts:
        left = len(by_world) - MOST
        more = f" The first {MOST} of {len(by_world)} are shown." if left > 0 else ""
        says = (
            "A column is a week, and leads to its end; the stronger its colour, the more was written."
            + more
        )
        parts = [tag("h2", "Lives"), tag("p", says, class_="quiet"), *parts]
    return MaterialShown(tuple(parts), frozenset(shown))


def _wanted(asked: Sequence[Unit]) -> Iterator[int]:
    for unit in asked:
        yield unit.asked.seq
        for some in unit.asked.evidence:
            yield from some[:TRACES]


async def _kept(events: AsyncIterator[Event], seen: Seen) -> AsyncIterator[Event]:
    """All of them; those that are wanted are kept."""
    async for event in events:
        if event.seq in seen:
            seen[event.seq] = event
        yield event


def _by_question(asked: Sequence[Unit]) -> Mapping[tuple[int, str], Sequence[Unit]]:
    """The forms of a question together, in the order in which they are asked."""
    found: dict[tuple[int, str], list[Unit]] = {}
    for unit in sorted(asked, key=lambda one: one.seq):
        found.setdefault((unit.seq, unit.asked.question.question), []).append(unit)
    return found


def _days(
    questions: Mapping[tuple[int, str], Sequence[Unit]], seen: Seen
) -> Mapping[date, tuple[str, int]]:
    """The day behind which each is asked."""
    found: dict[date, tuple[str, int]] = {}
    for (seq, _), units in questions.items():
        if event := seen[seq]:
            where, count = found.get(event.at.date(), (evidence_place(units[0].id), 0))
            found[event.at.date()] = (where, count + 1)
    return found


def _standings(calendar: LifeCalendar) -> Html:
    """Where each arc stood, in words."""
    arcs = [
        tag("li", tag("b", f"{arc}: "), "; then ".join(calendar.states(arc)))
        for arc in calendar.arcs
    ]
    title = f"Where each arc of {calendar.world} stood"
    return tag("details", tag("summary", title), tag("ul", *arcs)) if arcs else Html("")


def _evidence(
    world: str, questions: Mapping[tuple[int, str], Sequence[Unit]], seen: Seen, viewer: str
) -> Html:
    """Question by question what a right answer rests on."""
    parts = []
    for units in questions.values():
        asked, question = units[0].asked, units[0].asked.question
        points = question.labels.get("points")
        claims = list(map(str, points)) if isinstance(points, list) else []
        rows = []
        for number, some in enumerate(asked.evidence):
            claim = claims[number] if number < len(claims) else f"Evidence {number + 1}"
            traces = [_trace(event, viewer) for seq in some[:TRACES] if (event := seen[seq])]
            if left := len(some) - TRACES:
                traces += [tag("li", f"and {left:,} more")] if left > 0 else []
            rows.append(tag("li", claim, tag("ul", *traces)))
        right = question.reference or question.correct or "nothing is said of it"
        told = [tag("p", f"Right: {right}"), tag("ol", *rows)]
        if not rows:
            told = [told[0], tag("p", "It rests on nothing that was written.", class_="quiet")]
        head = f"{question.at.lstrip('@')}, {question.kind}: {question.question}"
        ids = [tag("a", id=evidence_place(unit.id)) for unit in units]
        parts.append(tag("section", *ids, tag("h3", shortened(head, TEXT)), *told))
    title = f"What {len(parts):,} right answers about {world} rest on"
    return tag("details", tag("summary", title), *parts)


def _trace(event: Event, viewer: str) -> Html:
    """Where it stands, and how it begins."""
    body = event.body
    what = body.medium if isinstance(body, Traced) else "event"
    where = link(viewer, event.world, event.seq)
    head = anchor(f"#{event.seq}, {what}", where)
    return tag("li", head, f" {shortened(event.text, TEXT)}")
