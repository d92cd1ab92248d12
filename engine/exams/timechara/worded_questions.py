"""An event, a character and a moment as a question, with its labels: structured, in free form, false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.origin import origin_tag
from whoknew.engine.exams.timechara.asked_events import AskedEvent, SpokenBeside
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
    def can_be_structured(self) -> bool:
        """Whether it can be asked about being there: not of what it stood by and did not notice; nor, but
        where that is wanted, of what is open."""
        if self.known.answer == "future":
            return True
        if self.open("structured"):
            return self.world.wanted.unsure is not None
        return not self.world.is_bystander(self.event, self.who)

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
            event = replace(event, last=self._known(event.last), next=self._known(event.next))
            able = list(free_questions(event, self.who))
        able = [one for one in able if self.heard(one.key)]
        if able:
            free = draw.choice(able)
            text = addressed(free.text, self.who) if isinstance(event, ToldEvent) else free.text
            yield self._question(text, (FACT, free.word), free=free)

    def _known(self, said: SpokenBeside | None) -> SpokenBeside | None:
        """What was said beside the event, if it can know that where it knows of the event itself: it may
        have come later, or gone before, or be asked in between."""
        if said is None or self.known.answer == "future":
            return said
        there = self.known.answer != "present" or self.who in said.heard
        everybody = self.world.wanted.mode == "paper"
        return said if said.seq <= self.point.seq and (there or everybody) else None

    def falsely(self, strategies: Sequence[str], draw: Random) -> Iterator[Question]:
        """One of the false ones that it can deny, if there is any: by the first of these strategies that
        its event has."""
        event, world = self.event, self.world
        if isinstance(event, ToldEvent):
            if fakes := [one for one in event.fakes if self._can_deny(one)]:
                told = draw.choice(fakes)
                yield self._false(told, addressed(told.question, self.who))
            return
        asked = "" if world.wanted.mode == "paper" else self.who
        for strategy in strategies:
            false = world.false.told_by(strategy, event, draw, world.then(event), asked)
            if false and self._can_deny(false):
                yield self._false(false, false_question(false.event, self.who))
                return

    def _can_deny(self, told: FalseEvent | FakeSentence) -> bool:
        """Whether it can know what is so instead. What was merely added, who was not there cannot."""
        return self.heard(told.true) and bool(told.true or self.heard(told.false))

    def _false(self, told: FalseEvent | FakeSentence, text: str) -> Question:
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
            evidence=self._evidence(free),
            labels={
                **texts.labels,
                "point": self.point.label,
                **({"sure": world.wanted.unsure} if what else {}),
            },
            cluster=cluster_of(f"episode {event.episode}", world.began_as),
            tags=(
                *tags,
                *((what,) if what else ()),
                distance_tag(apart),
                origin_tag(event.origin),
            ),
        )

    def _evidence(self, free: FreeQuestion | None) -> tuple[tuple[int, ...], ...]:
        """What somebody witnessed of it: itself, with what was said beside it where that is the answer; or
        where it was told."""
        if self.known.answer == "present":
            said = self._beside(free.word) if free else None
            return (self.event.seqs, (said.seq,)) if said else (self.event.seqs,)
        return ((self.known.at,),) if self.known.at else ()

    def _beside(self, word: str) -> SpokenBeside | None:
        """What a question that asks with that word wants to hear, where that is no part of the event."""
        if not isinstance(self.event, AskedEvent):
            return None
        said = {"when": self.event.last, "what": self.event.next}.get(word)
        return said if said and self.who in said.heard else None
