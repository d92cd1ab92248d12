"""What could be asked of where an arc stood: what changed, how it went, by what, and what it showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from whoknew.engine.exams.clonemem.asked_life import AskedLife, LifeItem, LifeKind, Month
from whoknew.worlds.lives.life import ArcState, LifeArc


def of_states(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """All kinds, each as often as there is evidence for it."""
    yield from _comparative(asked, arc)
    yield from _trajectory(asked, arc)
    yield from _causal(asked, arc)
    yield from _counterfactual(asked, arc)
    yield from _inferential(asked, arc)
    yield from _yet_to_come(asked, arc)


def standing(arc: LifeArc) -> str:
    """How one asks of it where it stands; it goes on "... with the cello"."""
    title = arc.title.asked
    return (
        f"What did you think of {title}"
        if arc.dimension == "opinion"
        else f"How did things stand with {title}"
    )


def written_day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _comparative(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    states = asked.reached(arc)
    for second in range(1, len(states)):
        for first in range(second):
            months = asked.months(arc, first)[-1:], asked.months(arc, second)[:1]
            if not months[0] or not months[1]:
                continue
            (then,), (later,) = months

            def told(one: int, other: int, then: Month = then, later: Month = later) -> str:
                return (
                    f"In {then} {states[one].state.asked}; in {later} {states[other].state.asked}"
                )

            rest = [place for place in range(len(arc.states)) if place not in (first, second)]
            known = [place for place in rest if place < len(states)]
            wrong = [told(second, first)]
            wrong += [told(first, place) for place in known[:2]]
            wrong += [told(place, second) for place in known[:2]]
            yield _item(
                "comparative",
                arc,
                question=f"{standing(arc)} in {later}, compared with {then}?",
                answer=told(first, second),
                wrong=wrong,
                states=(states[first], states[second]),
                scope=(then.first, later.last),
                outline=f"{arc.id}: from state {first + 1} to state {second + 1}",
            )


def _trajectory(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    states = asked.reached(arc)
    for place in range(len(states) - 2):
        some = states[place : place + 3]
        begins, ends = written_day(some[0].begins), written_day(some[2].begins)

        def told(*order: int, some: Sequence[ArcState] = some) -> str:
            first, then, last = (some[number].state.asked for number in order)
            return f"First {first}, then {then}, in the end {last}"

        yield _item(
            "trajectory",
            arc,
            question=f"How did it go with {arc.title.asked} from {begins} to {ends}?",
            answer=told(0, 1, 2),
            wrong=[told(1, 0, 2), told(0, 2, 1), told(2, 1, 0), told(1, 2, 0)],
            states=some,
            scope=(some[0].begins, some[2].begins),
            outline=f"{arc.id}: the way through states {place + 1} to {place + 3}",
        )


def _causal(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """What brought a state about. It is asked for by its month, in which no other began: by what it was
    one could guess what it came of."""
    begun = Counter(Month.of(one.begins) for one in arc.states)
    for place, state in enumerate(asked.reached(arc)):
        month = Month.of(state.begins)
        if begun[month] > 1:
            continue
        others = [one for other, one in enumerate(arc.states) if other != place]
        elsewhere = [
            one for other in asked.life.arcs if other.id != arc.id for one in asked.reached(other)
        ]
        wrong = [one.trigger.asked for one in (*others, *elsewhere[:4])]
        yield _item(
            "causal",
            arc,
            question=f"In {month} there was a turn, as to {arc.title.asked}. What had just happened to "
            "bring it about?",
            answer=sentence(state.trigger.asked),
            wrong=[sentence(one) for one in wrong],
            evidence=(state.cause, state.evidence),
            scope=(state.begins, state.begins),
            outline=f"{arc.id}: the cause of state {place + 1}",
        )


def _counterfactual(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """What would have gone on; not where something was settled, as the day of a move: that might have ended
    by itself."""
    states = asked.reached(arc)
    for place in range(1, len(states)):
        state, before = states[place], states[place - 1]
        if before.now or before.passes:
            continue
        wrong = [one.state.asked for one in arc.states if one is not before]
        yield _item(
            "counterfactual",
            arc,
            question=f"Suppose it had not happened that {state.trigger.asked}. What would you most "
            f"likely have gone on being, as to {arc.title.asked}?",
            answer=sentence(before.state.asked),
            wrong=[sentence(one) for one in wrong],
            evidence=(before.evidence, state.cause, state.evidence),
            scope=(before.begins, state.begins),
            outline=f"{arc.id}: without the cause of state {place + 1}",
        )


def _inferential(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """What could be seen, and what it said of how things stood then. It is asked for by its day: what was
    seen is for whoever answers to know."""
    for place, state in enumerate(asked.reached(arc)):
        seen = [
            one
            for one in asked.of(arc.id, "shown")
            if state.begins <= one.at.date() and _state_at(arc, one.at.date()) == place
        ]
        if not seen:
            continue
        day, how = seen[0].at.date(), standing(arc)
        wrong = [one.state.asked for one in arc.states if one is not state]
        yield _item(
            "inferential",
            arc,
            question=f"To judge by what you did on {written_day(day)}, {how[0].lower()}{how[1:]}?",
            answer=sentence(state.state.asked),
            wrong=[sentence(one) for one in wrong],
            evidence=(seen[0].evidence[0], state.evidence),
            scope=(day, day),
            outline=f"{arc.id}: what shows state {place + 1}",
        )


def _yet_to_come(asked: AskedLife, arc: LifeArc) -> Iterator[LifeItem]:
    """Where an arc will stand nobody can tell, unless something is settled that is ahead."""
    states = asked.reached(arc)
    if not states or len(states) == len(arc.states) or states[-1].now:
        return
    month = Month.of(arc.states[len(states)].begins).after
    ahead, behind = arc.states[len(states) - 1 :], arc.states[: len(states) - 1]
    guesses = [sentence(one.state.asked) for one in (*ahead, *reversed(behind))]
    yield _item(
        "unanswerable",
        arc,
        question=f"How will things stand with {arc.title.asked} in {month}?",
        answer="",
        wrong=guesses,
        states=(),
        scope=(month.first, month.last),
        outline=f"{arc.id}: what is yet to come",
        known=False,
    )


def _state_at(arc: LifeArc, day: date) -> int:
    return max(place for place, one in enumerate(arc.states) if one.begins <= day)


def _item(
    kind: LifeKind,
    arc: LifeArc,
    *,
    question: str,
    answer: str,
    wrong: Sequence[str],
    scope: tuple[date, date],
    outline: str,
    states: Sequence[ArcState] = (),
    evidence: tuple[str, ...] = (),
    known: bool = True,
) -> LifeItem:
    return LifeItem(
        kind=kind,
        dimension=arc.dimension,
        question=question,
        answer=answer,
        wrong=tuple(wrong),
        evidence=evidence or tuple(one.evidence for one in states),
        outline=outline,
        scope=scope,
        topic=arc.id,
        known=known,
    )
