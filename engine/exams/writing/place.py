"""Where a model writes questions: at each moment at which a character is asked something, of its view up
to there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from whoknew.agents.lines import Line, line, one_line, quoted
from whoknew.agents.models.direction import DIRECTION
from whoknew.agents.models.model import tokens_of
from whoknew.engine.exams.questions import ResolvedQuestion
from whoknew.engine.exams.writing.checks import (
    RARE,
    LivedLines,
    answer_words,
    line_terms,
    plain,
    question_words,
)
from whoknew.eventlog import Event, View
from whoknew.eventlog.kinds import (
    CharacterAdded,
    Described,
    EpisodeOpened,
    GoalGiven,
    RelationSet,
)
from whoknew.eventlog.knowledge import Knowledge
from whoknew.eventlog.words import terms
from whoknew.worlds.question import Question

ROOM = 24_000
"""Tokens of a view that a model is shown, the newest of it."""

PAGE = 200


class WritingPlace(Struct, frozen=True):
    """A moment at which a character is asked: `first` is the first of the questions there."""

    first: ResolvedQuestion

    @property
    def seq(self) -> int:
        return self.first.seq

    @property
    def question(self) -> Question:
        return self.first.question

    @property
    def whose(self) -> tuple[str, str]:
        return self.question.world, self.question.character


def places(asked: Iterable[ResolvedQuestion]) -> dict[tuple[str, str], list[WritingPlace]]:
    """Those of every character, in the order of its life."""
    found: dict[tuple[str, str], dict[int, WritingPlace]] = {}
    for one in asked:
        place = WritingPlace(one)
        found.setdefault(place.whose, {}).setdefault(one.seq, place)
    return {whose: [some[seq] for seq in sorted(some)] for whose, some in found.items()}


class ShownView(Struct, frozen=True):
    """What a model is shown of a view: the lines, the newest last, and the events that they tell."""

    lines: tuple[Line, ...]
    events: Mapping[int, Event]


async def witnessed(view: View) -> ShownView:
    """As much of a view as there is room for, from its end."""
    lines: list[Line] = []
    events: dict[int, Event] = {}
    room, upto = ROOM, len(view)
    while upto > 0 and room > 0:
        after = max(0, upto - PAGE)
        page = await view.events(after, upto)
        for place, event in reversed(list(enumerate(page, start=after + 1))):
            told = _line(place, event)
            if not told:
                continue
            room -= tokens_of(told)
            if room < 0:
                break
            lines.append(told)
            events[place] = event
        upto = after
    return ShownView(tuple(reversed(lines)), events)


def lived(
    who: str,
    shown: ShownView,
    knowledge: Knowledge,
    kinds: Sequence[str],
    asked: Sequence[Question],
) -> LivedLines:
    """What questions are held against that were written of it."""
    counts = Counter(term for told in shown.lines for term in line_terms(told))
    rare = max(1, round(RARE * len(shown.lines)))
    people = {name for event in shown.events.values() for name in (event.actor, *event.witnesses)}
    return LivedLines(
        who=who,
        kinds=kinds,
        lines={told.place: told for told in shown.lines},
        plain=[plain(told) for told in shown.lines],
        rare=lambda term: counts[term] <= rare,
        names=frozenset(term for name in people if name for term in terms(name)),
        doubtful=frozenset(
            place for place, event in shown.events.items() if who in knowledge.doubts(event.seq)
        ),
        asked=[question_words(one.question) for one in asked],
        answered=[answer_words(one.reference or "") for one in asked],
    )


def _line(place: int, event: Event) -> Line:
    """An event in one line: also what a mind is told otherwise, as who somebody is."""
    body = event.body
    match body:
        case CharacterAdded(name=name, description=text) | Described(name=name, text=text):
            told = f"{name} is, as is known: {quoted(text)}" if text else ""
        case RelationSet(of=of, to=to, relation=text):
            told = f"{of} stands to {to} so: {quoted(text)}"
        case GoalGiven(owner=owner, goal=goal):
            text = " ".join(DIRECTION.sub("", goal).split())
            told = f"{owner} wants this: {quoted(text)}" if text else ""
        case EpisodeOpened(scenario=text):
            where = f" here: {quoted(event.place)}" if event.place else ""
            told = f"A new episode begins{where}. {quoted(text)}"
        case _:
            return line(place, event)
    return Line(one_line(f"[{place}] {told}"), place) if told else Line("")
