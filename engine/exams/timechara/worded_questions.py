"""An event, a character and a moment as a question, with its labels: structured, in free form, false."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.origin import origin_tag
from whoknew.engine.exams.timechara.asked_world import AskedWorld, SomeEvent
from whoknew.engine.exams.timechara.event_sentences import FakeSentence, ToldEvent, addressed
from whoknew.engine.exams.timechara.fakes import FalseEvent
from whoknew.engine.exams.timechara.free import FreeQuestion, false_question, free_questions
from whoknew.engine.exams.timechara.labels import ONLY, UNSURE, Form, data_type
from whoknew.engine.exams.timechara.points import TimePoint, distance, distance_tag
from whoknew.engine.exams.timechara.templates import structured
from whoknew.engine.exams.timechara.wording import label_texts
from whoknew.engine.judges.reference import counted
from whoknew.eventlog.knowledge import Known
from whoknew.worlds.question import Question, cluster_of

STRUCTURED, FACT, FAKE = "structured", "fact", "fake"

WITNESS, TELLING = "open whether witnessed", "open whether told"
"""What is open of a question that is unsure."""


class AskedPerson(Struct, frozen=True):
    """Somebody is asked at a point of an event, of which it has that knowledge."""

    world: AskedWorld
    event: SomeEvent
    point: TimePoint
    known: Known

    @classmethod
    def of(cls, world: AskedWorld, event: SomeEvent, who: str, point: TimePoint) -> AskedPerson:
        return cls(world, event, point, world.known(event, who, point))

    @classmethod
    def unsure(cls, world: AskedWorld, event: SomeEvent, who: str, point: TimePoint) -> AskedPerson:
        """The same by tellings that are as sure as is wanted."""
        return cls(world, event, point, world.open_to(event, who, point))

    @property
    def who(self) -> str:
        return self.known.character

    def open(self, form: Form) -> str | None:
        """What decides a question of this form, and is open: whether it witnessed an event that is past; or
        whether it was told of that, which was merely found."""
        if self.known.answer == "future":
            return None
        if self.who in self.event.unsure:
            return WITNESS
        found = form == "free" and self.known.origin not in (None, "declared")
        return TELLING if found else None

    @property
    def can_be_free(self) -> bool:
        """Whether it can be asked of what happened, when that is past."""
        return data_type(self.known, "free", self.world.wanted.mode) == ONLY

    def heard(self, *texts: str) -> bool:
        """Whether it can know all of these words: who was there, or where everybody knows the past; and
        who was told, where they stand in what it heard."""
        if self.known.answer != "told" or self.world.wanted.mode == "paper":
            return True
        told = counted(self.world.said(self.known.at or 0)).keys()
        return all(counted(text).keys() <= told for text in texts)

    def structured(self, draw: Random) -> Question:
        """Who is nearly always there, or did it itself, is not asked whether it was there."""
        always = self.who in self.world.always or self.event.is_by(self.who)
        family, text = structured(draw, self.event.told(self.who), always=always)
        return self._question(text, (STRUCTURED, family))

    def free(self, draw: Random) -> Iterator[Question]:
        """One of the facts that can be asked for, if there is any."""
        event = self.event
        if isinstance(event, ToldEvent):
            able = [one for one in event.facts if not holds_name(self.who, one.key)]
        else:
            able = list(free_questions(event, self.who))
        able = [one for one in able if self.heard(one.key)]
        if able:
            free = draw.choice(able)
            text = addressed(free.text, self.who) if isinstance(event, ToldEvent) else free.text
            yield self._question(text, (FACT, free.word), free=free)

    def can_deny(self, told: FalseEvent | FakeSentence) -> bool:
        """Whether it can know what is so instead. What was merely added, who was not there cannot."""
        return self.heard(told.true) and bool(told.true or self.heard(told.false))

    def false(self, told: FalseEvent | FakeSentence) -> Question:
        """Of the event as it was not."""
        text = (
            addressed(told.question, self.who)
            if isinstance(told, FakeSentence)
            else false_question(told.event, self.who)
        )
        return self._question(text, (FAKE, told.strategy), false=told)

    def _question(
        self,
        text: str,
        tags: tuple[str, ...],
        *,
        free: FreeQuestion | None = None,
        false: FalseEvent | FakeSentence | None = None,
    ) -> Question:
        world, event = self.world, self.event
        form: Form = "structured" if tags[0] == STRUCTURED else "free"
        kind = data_type(self.known, form, world.wanted.mode)
        assert kind is not None
        texts = label_texts(event, self.known, kind, world.scene(event), free=free, false=false)
        apart = distance(world.points.of(self.who), self.point, event.seq)
        what = self.open(form)
        return Question(
            world=world.name,
            character=self.who,
            at=self.point.at,
            question=text,
            kind=UNSURE if what else kind,
            reference=texts.reference,
            evidence=self._evidence(),
            labels={
                **texts.labels,
                "point": self.point.label,
                **({"sure": world.wanted.unsure} if what else {}),
            },
            cluster=cluster_of(f"episode {event.episode}", world.name),
            tags=(
                *tags,
                *((what,) if what else ()),
                distance_tag(apart),
                origin_tag(event.origin),
            ),
        )

    def _evidence(self) -> tuple[tuple[int, ...], ...]:
        """What somebody witnessed of it: itself, or where it was told."""
        if self.known.answer == "present":
            return (self.event.seqs,)
        return ((self.known.at,),) if self.known.at else ()
