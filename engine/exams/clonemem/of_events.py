"""What could be asked of single events, of what is done again and again, and of what nothing tells."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from datetime import date
from typing import TypedDict

from whoknew.engine.exams.clonemem.asked_life import UPDATED, AskedLife, LifeItem, Month
from whoknew.engine.exams.clonemem.of_states import sentence, written_day
from whoknew.eventlog.words import terms
from whoknew.worlds.lives.bank import Dimension
from whoknew.worlds.lives.life import LifeArc, LifeDetail, LifeMatter


class _Beside(TypedDict):
    """What stands beside the right answer of such a question."""

    wrong: tuple[str, ...]
    older: tuple[str, ...]
    tags: tuple[str, ...]


OFTEN = 3
"""What was done so many times is a pattern."""


def of_events(asked: AskedLife, since: date) -> Iterator[LifeItem]:
    """Of single events only what has happened since then."""
    yield from _details(asked, since)
    for arc in asked.life.arcs:
        yield from _standings(asked, arc)
        yield from _shown(asked, arc)
        yield from _hushed(asked, arc)
    for matter in asked.life.matters:
        yield from _settled(asked, matter)
    yield from _habits(asked)
    yield from _wishes(asked)


def _details(asked: AskedLife, since: date) -> Iterator[LifeItem]:
    """One detail of one event, where the month tells it from others like it."""
    dimensions: Mapping[str, Dimension] = {one.id: one.dimension for one in asked.life.arcs}
    for event, detail in asked.details(since):
        month = Month.of(event.at.date())
        alike = asked.alike(detail)
        if sum(Month.of(one.at.date()) == month for one in alike) > 1:
            continue
        values = [one.detail.answer for one in alike if one.detail]
        yield LifeItem(
            kind="single-point",
            dimension=dimensions.get(event.of, "experience"),
            question=f"{detail.ask.rstrip('?')}, in {month}?",
            answer=sentence(detail.answer),
            wrong=tuple(sentence(one) for one in _others(detail, values, asked.told)),
            evidence=event.evidence[:1],
            outline=f"{event.of or 'everyday life'}: a detail of {event.id}",
            scope=(event.at.date(), event.at.date()),
            topic=event.of or event.id,
        )


def _others(detail: LifeDetail, values: Collection[str], written: Container[str]) -> list[str]:
    """Those first that were so at another time, then those of which something was written."""
    known = [one for one in detail.others if all(term in written for term in terms(one))]
    some = dict.fromkeys((*values, *known, *detail.others))
    return [one for one in some if one.casefold() != detail.answer.casefold()]


def _standings(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """What holds now; where it was otherwise before, that is the first to be taken for it."""
    held = [one for one in asked.reached(arc) if one.now]
    if not held or asked.reached(arc)[-1] is not held[-1]:
        return
    state, now = held[-1], held[-1].now
    assert now is not None
    old = [one.now.value for one in held[:-1] if one.now and one.now.topic == now.topic]
    yield LifeItem(
        kind="single-point",
        dimension=arc.dimension,
        question=f"{now.ask}, by what was last said of it?",
        answer=sentence(now.value),
        **_beside(now.value, old, now.others),
        evidence=(state.now_evidence,),
        outline=f"{arc.id}: {now.topic}",
        scope=(state.begins, asked.until),
        topic=arc.id,
    )


def _settled(asked: AskedLife, matter: LifeMatter) -> Iterator[LifeItem]:
    """The same of what was settled anew."""
    held = [one for one in matter.settled if one.begins < asked.until]
    if len(held) < 2:
        return
    now = held[-1]
    yield LifeItem(
        kind="single-point",
        dimension=matter.dimension,
        question=f"{matter.ask}, by what was last said of it?",
        answer=sentence(now.value),
        **_beside(now.value, [one.value for one in held[:-1]], matter.others),
        evidence=(now.evidence,),
        outline=f"{matter.id}: what holds since {now.begins}",
        scope=(now.begins, asked.until),
        topic=matter.id,
    )


def _beside(now: str, old: Sequence[str], others: Sequence[str]) -> _Beside:
    """The wrong answers beside what holds now: what held before, the newest first, then what never did."""
    older = tuple(sentence(one) for one in dict.fromkeys(reversed(old)) if one != now)
    some = dict.fromkeys((*older, *(sentence(one) for one in others if one != now)))
    return _Beside(wrong=tuple(some), older=older, tags=(UPDATED,) if older else ())


def _shown(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """What it did again and again while an arc stood somewhere. That is asked for by its days: by where it
    stood one could guess what goes with it. The others are what goes with its other states, so what was
    done at another time, or never was; those that were reached first."""
    states = asked.reached(arc)
    for place, state in enumerate(states):
        ends = states[place + 1].begins if place + 1 < len(states) else asked.until
        seen = [one for one in asked.of(arc.id, "shown") if state.begins <= one.at.date() < ends]
        first, last = (seen[0].at.date(), seen[-1].at.date()) if seen else (ends, ends)
        if first == last:
            continue
        yield LifeItem(
            kind="pattern",
            dimension=arc.dimension,
            question=f"What did you do more than once from {written_day(first)} to {written_day(last)}, "
            f"as to {arc.title.asked}?",
            answer=sentence(state.shown.asked),
            wrong=tuple(sentence(one.shown.asked) for one in arc.states if one is not state),
            evidence=tuple(one.evidence[0] for one in seen),
            outline=f"{arc.id}: what is done again in state {place + 1}",
            scope=(first, last),
            topic=arc.id,
        )


def _habits(asked: AskedLife) -> Iterator[LifeItem]:
    for habit in asked.life.habits:
        done = asked.of(habit.id)
        if len(done) < OFTEN:
            continue
        elsewhere = [one.does for one in asked.life.habits if one.id != habit.id]
        yield LifeItem(
            kind="pattern",
            dimension=habit.dimension,
            question=f"What did you do, again and again, when {habit.when}?",
            answer=sentence(habit.does),
            wrong=tuple(sentence(one) for one in (*habit.others, *elsewhere)),
            evidence=tuple(one.evidence[0] for one in done),
            outline=f"{habit.id}: what is done whenever there is reason to",
            scope=(done[0].at.date(), done[-1].at.date()),
            topic=habit.id,
        )


def _wishes(asked: AskedLife) -> Iterator[LifeItem]:
    """Looking is not doing."""
    for wish in asked.life.wishes:
        looked = asked.of(wish.id)
        if len(looked) < 2:
            continue
        first = Month.of(looked[0].at.date())
        yield LifeItem(
            kind="inferential",
            dimension="experience",
            question=f"From {first} on you looked into {wish.title} more than once. How far had you come "
            "with it, the last time you wrote of it?",
            answer="I only looked, and had not decided for it",
            wrong=(
                f"I had made up my mind to {wish.deed} and was saving for it",
                f"I had begun to {wish.deed} and broken it off",
                "It was done, and I was glad of it",
            ),
            evidence=tuple(one.evidence[0] for one in looked),
            outline=f"{wish.id}: state is not activity",
            scope=(looked[0].at.date(), looked[-1].at.date()),
            topic=wish.id,
        )
        yield LifeItem(
            kind="unanswerable",
            dimension="experience",
            question=wish.hush,
            answer="",
            wrong=wish.guesses,
            evidence=(),
            outline=f"{wish.id}: of what was never done",
            scope=(looked[0].at.date(), asked.until),
            topic=wish.id,
            known=False,
        )


def _hushed(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """Of what happened, but was never written down."""
    for place, state in enumerate(asked.reached(arc)):
        yield LifeItem(
            kind="unanswerable",
            dimension=arc.dimension,
            question=state.hush,
            answer="",
            wrong=state.guesses,
            evidence=(),
            outline=f"{arc.id}: what is not told of state {place + 1}",
            scope=(state.begins, state.begins),
            topic=arc.id,
            known=False,
        )
