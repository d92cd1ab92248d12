"""Questions in free form on an event, by rule, each with its answer, which does not stand in it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.naming import holds_name, listed
from whoknew.engine.exams.timechara.asked_events import AskedEvent
from whoknew.engine.exams.timechara.templates import stopped
from whoknew.engine.judges.reference import counted
from whoknew.eventlog.words import terms

ASKING = ("who", "what", "when", "where", "why", "how")
"""What a question can ask with. None by rule asks why, or how: that stands nowhere in a log."""


class FreeQuestion(Struct, frozen=True, kw_only=True):
    """`word` is what it asks with: one of `ASKING`. `key` is what a right answer names."""

    word: str
    text: str
    answer: str
    key: str


def free_questions(event: AskedEvent, you: str) -> Iterator[FreeQuestion]:
    """All that can be asked about an event of one who is called `you`, without most of the answer in it."""
    for made in (_who, _whom, _where, _when, _what):
        if (found := made(event, you)) and not _given_away(found):
            yield found


def _given_away(one: FreeQuestion) -> bool:
    """Whether half of what a right answer names stands in the question."""
    wanted, asked = counted(one.key).keys(), counted(one.text).keys()
    return 2 * len(wanted & asked) >= len(wanted)


def false_question(event: AskedEvent, you: str) -> str:
    """A question on a sentence that is not so, as if it were."""
    return f"What do you make of it that {event.told(you)}?"


def _who(event: AskedEvent, you: str) -> FreeQuestion | None:
    if event.who == you or holds_name(event.who, f"{event.quote} {event.place}"):
        return None
    rest = event.told(you).removeprefix(event.who)
    return FreeQuestion(
        word="who", text=f"Who was it that{rest}?", answer=f"It was {event.who}.", key=event.who
    )


def _whom(event: AskedEvent, you: str) -> FreeQuestion | None:
    if not event.to or any(
        name == you or holds_name(name, f"{event.who} {event.quote}") for name in event.to
    ):
        return None
    return FreeQuestion(
        word="who",
        text=f"To whom was it that {replace(event, to=()).told(you)}?",
        answer=f"It was to {listed(event.to)}.",
        key=listed(event.to),
    )


def _where(event: AskedEvent, you: str) -> FreeQuestion | None:
    around = f"{event.who} {listed(event.to) if event.to else ''} {event.quote}"
    if not event.place or set(terms(event.place)) & set(terms(around)):
        return None
    return FreeQuestion(
        word="where",
        text=f"Where was it that {replace(event, place='').told(you)}?",
        answer=f"It was {event.where}.",
        key=event.place,
    )


def _when(event: AskedEvent, you: str) -> FreeQuestion | None:
    if event.last is None:
        return None
    who = "I" if event.last.who == you else event.last.who
    text = f"When was it, right after which words, that {event.told(you)}?"
    return _of_words("when", text, f"It was right after {who} had said", event.last.words)


def _what(event: AskedEvent, you: str) -> FreeQuestion | None:
    if event.next is None:
        return None
    mine = event.next.who == you
    text = f"What did {'you' if mine else event.next.who} say next, after {event.told(you)}?"
    return _of_words("what", text, f"{'I' if mine else event.next.who} said", event.next.words)


def _of_words(word: str, text: str, told: str, quoted: str) -> FreeQuestion | None:
    """One that is answered by what somebody said, if that is enough to be known by."""
    if len(set(terms(quoted))) < 2:
        return None
    return FreeQuestion(word=word, text=text, answer=stopped(f'{told}, "{quoted}"'), key=quoted)
