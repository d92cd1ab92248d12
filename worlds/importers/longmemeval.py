"""LongMemEval: a question about the sessions that somebody had with an assistant, each a world of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import CharacterAdded, Imported, WorldOpened
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, Remark, world_named
from whoknew.worlds.importers.records import decoded, files_of
from whoknew.worlds.importers.talk import TalkLine, session
from whoknew.worlds.question import Question

FORMAT = "longmemeval"
USER, ASSISTANT = "User", "Assistant"
UNTOLD = "_abs"
"""What the id of a question ends with to which nothing that was said is the answer."""

_WHEN = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?:\s*\([^)]*\))?(?:\s+(\d\d?):(\d\d))?")


class SessionTurn(Struct, frozen=True):
    role: str
    content: str
    has_answer: bool = False


class AskedSessions(Struct, frozen=True, kw_only=True):
    """A question, and the sessions that it is about: ids, dates and turns stand in the same order."""

    question_id: str
    question_type: str
    question: str
    answer: str | int | float
    question_date: str
    haystack_session_ids: tuple[str, ...]
    haystack_dates: tuple[str, ...]
    haystack_sessions: tuple[tuple[SessionTurn, ...], ...]
    answer_session_ids: tuple[str, ...] = ()


class _Session(Struct, frozen=True):
    name: str
    at: datetime
    turns: tuple[SessionTurn, ...]

    def id_of(self, place: int) -> str:
        return f"{self.name}:{place}"


class LongmemevalEntry(ImporterEntry, frozen=True):
    """LongMemEval's sessions, a world for each question"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """A world for each question of a file, or of the files in a folder."""
    for file in files_of(path, "longmemeval*.json"):
        for one in decoded(file, list[AskedSessions], "list of LongMemEval's questions"):
            try:
                yield _world(one, file.name)
            except (ValueError, BadSource) as error:
                raise BadSource(f"{file}: {one.question_id}: {error}") from None


def _world(one: AskedSessions, source: str) -> ImportedWorld:
    sessions, world = _sessions(one), world_named(FORMAT, one.question_id)
    people = (USER, ASSISTANT)
    opened = WorldOpened(f"LongMemEval {one.question_id}", planned=len(sessions))
    drafts = [Draft(opened, sessions[0].at)]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in people]
    now, asked_at = sessions[0].at, _time(one.question_date)
    over = asked_at
    for number, some in enumerate(sessions, start=1):
        now = max(now, some.at)
        lines = [
            TalkLine(_speaker(turn), turn.content, some.id_of(place))
            for place, turn in enumerate(some.turns, start=1)
        ]
        drafts += session(number, lines, now, people, some.name)
        now = drafts[-1].at or now
        if some.at <= asked_at:
            over = max(over, now)
    drafts.append(Draft(Imported(FORMAT, one.question_id)))
    asked, remarks = _question(one, world, over, sessions, source)
    return ImportedWorld(world, tuple(drafts), tuple(remarks), (asked,))


def _sessions(one: AskedSessions) -> Sequence[_Session]:
    """In the order of their dates; a name that stands twice gets a number behind it."""
    names, dates, turns = one.haystack_session_ids, one.haystack_dates, one.haystack_sessions
    if not len(names) == len(dates) == len(turns):
        raise ValueError(f"has {len(names)} session ids, {len(dates)} dates, {len(turns)} sessions")
    if not names:
        raise ValueError("has no session")
    times: Counter[str] = Counter()
    found: list[_Session] = []
    for name, date, some in zip(names, dates, turns, strict=True):
        times[name] += 1
        called = name if times[name] == 1 else f"{name}#{times[name]}"
        found.append(_Session(called, _time(date), some))
    return sorted(found, key=lambda some: some.at)


def _speaker(turn: SessionTurn) -> str:
    try:
        return {"user": USER, "assistant": ASSISTANT}[turn.role]
    except KeyError:
        raise ValueError(f"a turn is by {turn.role!r}: neither user nor assistant") from None


def _question(
    one: AskedSessions, world: str, over: datetime, sessions: Sequence[_Session], source: str
) -> tuple[Question, list[Remark]]:
    """It is put to the assistant on its date, or once the sessions are `over` that began by then: how
    long a turn takes no file says. Each turn that holds the answer is a set of evidence; of a
    session of the answer that marks none, all its turns together."""
    there = {some.name: some for some in sessions}
    lost = [name for name in one.answer_session_ids if name not in there]
    remarks: list[Remark] = []
    if lost:
        what = f"names sessions that are not there: {', '.join(lost[:5])}: left out"
        remarks.append(Remark(source, one.question_id, what))
    untold = one.question_id.endswith(UNTOLD)
    asked = Question(
        world=world,
        character=ASSISTANT,
        at=f"@{over.isoformat()}",
        question=one.question.strip(),
        kind=one.question_type,
        reference=str(one.answer),
        evidence=tuple(_evidence(one, there)),
        labels={"id": one.question_id},
        asked_by=USER,
        tags=("unanswerable",) if untold else (),
    )
    return asked, remarks


def _evidence(one: AskedSessions, there: Mapping[str, _Session]) -> Iterator[tuple[str, ...]]:
    for name in dict.fromkeys(one.answer_session_ids):
        some = there.get(name)
        if some is None or not some.turns:
            continue
        marked = [place for place, turn in enumerate(some.turns, start=1) if turn.has_answer]
        if marked:
            yield from ((some.id_of(place),) for place in marked)
        else:
            yield tuple(some.id_of(place) for place, _ in enumerate(some.turns, start=1))


def _time(text: str) -> datetime:
    found = _WHEN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no date such as 2023/05/20 (Sat) 02:21")
    year, month, day, hour, minute = (int(one or 0) for one in found.groups())
    return datetime(year, month, day, hour, minute)
