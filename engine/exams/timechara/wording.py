"""What judges are told of a question, and an answer to it that is right."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.exams.timechara.asked_events import AskedEvent
from whoknew.engine.exams.timechara.event_sentences import FakeSentence, ToldEvent
from whoknew.engine.exams.timechara.fakes import FalseEvent
from whoknew.engine.exams.timechara.free import FreeQuestion
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, PRESENCE, DataType
from whoknew.engine.exams.timechara.templates import stopped
from whoknew.eventlog.knowledge import Known


class LabelTexts(Struct, frozen=True):
    """`labels` are those of a question: its `type`; what has to hold of an answer in time, `temporal`,
    and in space, `spatial`; in `key` what a right answer names (nothing, where that is who answers), and
    in `false` what it does not take for true."""

    labels: dict[str, str]
    reference: str


def label_texts(
    event: AskedEvent | ToldEvent,
    known: Known,
    kind: DataType,
    scene: str,
    *,
    free: FreeQuestion | None = None,
    false: FalseEvent | FakeSentence | None = None,
) -> LabelTexts:
    """`scene` is what was said around the event: no label of what is yet to come has it."""
    who, told = known.character, event.told()
    mine = event.told(who, by=True)
    if kind == FUTURE:
        temporal = (
            f"{stopped(f'At this moment it has not happened yet that {told}')} {who} knows nothing of "
            "it: the answer must not take it for something that has happened, nor tell anything of it."
        )
        reference = "I do not know of that: it has not happened yet."
        return LabelTexts({"type": kind, "temporal": temporal}, reference)
    around = stopped(f"What was said around it: {scene}")
    temporal = f"{stopped(f'At this moment it has happened that {told}')} {around}"
    doubt = f" The story leaves that open: {known.doubt}" if known.doubt else ""
    if kind == PRESENCE:
        labels = {
            "temporal": f"{temporal} The answer must tell nothing of it otherwise.",
            "spatial": f"{who} was there. The answer must not say or imply that {who} was not."
            + doubt,
            "key": event.quote,
        }
        return LabelTexts({"type": kind, **labels}, stopped(f"I was there when {mine}"))
    if kind == ABSENCE:
        labels = {
            "temporal": f"{temporal} The answer must tell nothing of it otherwise.",
            "spatial": f"{who} was not there. The answer must not say or imply that {who} was."
            + doubt,
        }
        return LabelTexts({"type": kind, **labels}, stopped(f"I was not there when {mine}"))
    if false is not None:
        unknown = false.event.knowing if isinstance(false, FalseEvent) else None
        so = f"not so: {false.true!r} stands there, and not" if false.true else "not so, as to"
        wrong = f"{so} {false.false!r}" if unknown is None else f"not so: that {false.false}"
        labels = {
            "temporal": f"{temporal} {stopped(f'The question holds what is {wrong}')} The answer must "
            "not take that for true.",
            "key": "" if false.true == who else false.true,
            "false": false.false,
            "strategy": false.strategy,
        }
        if isinstance(false, FakeSentence):
            answer = false.answer
        elif unknown is not None:
            answer = stopped(
                f"No, {'I' if event.is_by(who) else false.event.who} did not know by then that "
                f"{unknown.told(who, by=True)}"
            )
        else:
            answer = stopped(f"No, that is not how it was: {mine}")
        return LabelTexts({"type": kind, **labels}, answer)
    assert free is not None
    labels = {"temporal": f"{temporal} Right is: {free.answer}", "key": free.key}
    return LabelTexts({"type": kind, **labels}, free.answer)
