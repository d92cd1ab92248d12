"""What the prompts of an exam of moments give away: of what whoever is asked did not witness, or of what lies
past its moment. By runs of six words that stand in one event alone, and by names. The words of the question
itself do not count, nor do the two hints, nor what a model said itself, nor calls in which experts read the whole story."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import AsyncIterator, Sequence
from functools import cache
from typing import NamedTuple

import msgspec
from leak_scan import runs, telltales

from whoknew.agents.briefing import QUESTION
from whoknew.agents.lines import line
from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.models.model import Message
from whoknew.engine import read_exam
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.kinds import Called, Remembered
from whoknew.eventlog.words import words

EXPERTS = ("when", "where")
"""The calls in which the whole story is read."""

ANSWERS = "assistant"
"""Who says what a model answered before: it may repeat the question."""

_NAME = re.compile(r"\b[A-Z]\w+")


class AskedPrompt(NamedTuple):
    """What somebody was asked in an arm, as of a seq of a world: `told` is all of it."""

    arm: str
    world: str
    who: str
    upto: int
    question: str
    told: str

    @property
    def rest(self) -> str:
        """It without the hints and the question's own words."""
        text = self.told
        for hint in ExpertHint:
            text = text.replace(hint.value, "")
        return text.replace(_quoted(self.question), "").replace(self.question, "")

    @property
    def hint(self) -> str | None:
        """What stands behind the question: a hint in parentheses, byte for byte, or nothing, which is the
        empty string; None where it is anything else."""
        asked = self.told.rpartition(f"{QUESTION}\n")[2].partition("\n")[0]
        rest = asked.removeprefix(f'"{_quoted(self.question)}')
        hints = {f' ({hint.value})"': hint.name for hint in ExpertHint} | {'"': ""}
        return hints.get(rest)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


async def prompts(exam: LoadedExam) -> AsyncIterator[AskedPrompt]:
    """All that its log keeps of what its characters were asked."""
    cells = (await read_exam(exam)).cells
    async with open_log(exam.plan.address, read_only=True) as opened:
        log = await ExamLog.of(opened, exam.plan.name)
        for cell in cells:
            for event in await log.all_of(cell.key):
                match event.body:
                    case Called(purpose=purpose, prompt=bytes(kept)) if purpose not in EXPERTS:
                        yield AskedPrompt(
                            cell.arm,
                            cell.world,
                            cell.character,
                            cell.seq,
                            cell.question,
                            _told(kept),
                        )
                    case _:
                        pass


def _told(kept: bytes) -> str:
    messages, *_ = msgspec.json.decode(zlib.decompress(kept))
    texts = msgspec.convert(messages, tuple[Message, ...])
    return "\n".join(one.text for one in texts if one.role != ANSWERS)


class MomentScan:
    """Of one world, of which all is known."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        # What somebody noted is made of what happened, which is looked for in its own words.
        happened = [one for one in events if not isinstance(one.body, Remembered)]
        self._secrets = {run: {seq} for run, seq in telltales(happened).items()}
        for (
            event
        ) in events:  # "whispers to Vera:" and what she is told stand in one line of a prompt
            for run in runs(line(1, event).replace("\\n", " ")):
                if run in self._secrets:
                    self._secrets[run].add(event.seq)
        self._cast = {word for one in events for name in one.witnesses for word in words(name)}
        self._words_known = cache(self._words)
        self._told = cache(self._given)

    def unseen(self, one: AskedPrompt) -> bool:
        """Whether it gives away what its character did not witness by then."""
        return self._tells(one, one.who)

    def later(self, one: AskedPrompt) -> bool:
        """Whether it gives away what lies past its moment."""
        return self._tells(one, None)

    def _tells(self, one: AskedPrompt, who: str | None) -> bool:
        for told in one.rest.splitlines():
            for some in self._told(told):
                if not any(self._known(seq, who, one.upto) for seq in some):
                    return True
        names = {*words(" ".join(_NAME.findall(one.rest)))}
        return not (self._cast & names) <= self._words_known(who, one.upto)

    def _given(self, told: str) -> set[frozenset[int]]:
        """Of which events a line tells what stands in no other: it may be of one of some. Most lines stand
        in many prompts."""
        found = (self._secrets.get(run) for run in runs(told.replace("\\n", " ")))
        return {frozenset(seqs) for seqs in found if seqs}

    def _known(self, seq: int, who: str | None, upto: int) -> bool:
        return seq <= upto and (who is None or who in self._events[seq - 1].witnesses)

    def _words(self, who: str | None, upto: int) -> frozenset[str]:
        """All words that are heard up to a seq, and the names of those who are met."""
        return frozenset(
            word
            for event in self._events[:upto]
            if self._known(event.seq, who, upto)
            for text in (event.text, event.actor or "", *event.witnesses)
            for word in words(text)
        )


async def scans(material: Log) -> dict[str, MomentScan]:
    """That of each world of a log."""
    return {
        one.name: MomentScan(await (await material.director(one.name)).events())
        for one in await material.worlds()
    }
