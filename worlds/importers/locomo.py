"""LoCoMo's conversations: two people, many sessions, each a chat that both witness."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import CharacterAdded, Imported, WorldOpened
from whoknew.worlds.document import shown, sifted
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, Remark
from whoknew.worlds.importers.records import decoded, files_of
from whoknew.worlds.importers.talk import TalkLine, session
from whoknew.worlds.question import Question

FORMAT = "locomo"
TURN_ID = r"D\d+:\d+"
WHEN, EXAMPLE = "%I:%M %p on %d %B, %Y", "1:56 pm on 8 May, 2023"
SPEAKERS = ("speaker_a", "speaker_b")

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""What LoCoMo's numbers of categories stand for."""


class LocomoTurn(msgspec.Struct):
    speaker: str
    dia_id: str
    text: str = ""
    blip_caption: str | None = None
    img_url: Any = None

    @property
    def words(self) -> str:
        """What is said, and what a photo that is sent along shows."""
        photo = f"[sends a photo: {self.blip_caption}]" if self.blip_caption else ""
        return " ".join(part for part in (self.text.strip(), photo) if part)


class LocomoQuestion(msgspec.Struct):
    """An adversarial one has no answer, but one that somebody might fall for."""

    question: str
    category: int
    answer: str | int | float | None = None
    adversarial_answer: str | int | float | None = None
    evidence: list[str] = []

    @property
    def named(self) -> list[str]:
        """The turns that the answer rests on: some entries name two. One that names none stands as it
        is, and is no turn."""
        every = [named for one in self.evidence for named in re.findall(TURN_ID, one) or [one]]
        return list(dict.fromkeys(every))


class Sample(msgspec.Struct):
    sample_id: str
    conversation: dict[str, Any]
    qa: list[Any] = []
    event_summary: Any = None
    observation: Any = None
    session_summary: Any = None


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """A world for each conversation of a file, or of the files in a folder."""
    for file in files_of(path, "locomo*.json"):
        for sample in decoded(file, list[Sample], "list of LoCoMo's conversations"):
            try:
                yield _world(sample, file.name)
            except BadSource as error:
                raise BadSource(f"{file}: {sample.sample_id}: {error}") from None


def _world(sample: Sample, source: str) -> ImportedWorld:
    talk = sample.conversation
    people = _people(talk)
    keys = _sessions(talk)
    sessions = [(number, _turns(key, talk[key], people)) for number, key in keys]
    times = [_time(f"{key}_date_time", talk) for _, key in keys]
    if not times:
        raise BadSource("holds no session: give its turns as session_1")
    drafts = [Draft(WorldOpened(f"LoCoMo {sample.sample_id}", planned=len(sessions)), times[0])]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in people]
    now = times[0]
    for (number, turns), at in zip(sessions, times, strict=True):
        now = max(now, at)
        lines = [TalkLine(one.speaker, one.words, one.dia_id) for one in turns]
        drafts += session(number, lines, now, people, f"D{number}")
        now = drafts[-1].at or now
    drafts.append(Draft(Imported(FORMAT, sample.sample_id)))
    remarks = _remarks(sample, source, [turn for _, turns in sessions for turn in turns])
    world, sources = f"locomo-{sample.sample_id}", {one.source for one in drafts if one.source}
    questions, odd = _questions(sample, source, world, people[0], f"E{sessions[-1][0]}", sources)
    return ImportedWorld(world, tuple(drafts), (*remarks, *odd), questions)


def _sessions(talk: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The keys of the sessions, each with its number, in their order."""
    found: dict[int, str] = {}
    for key in talk:
        if not (match := re.fullmatch(r"session_(\d+)", key)):
            continue
        if not re.fullmatch(r"0*[1-9]\d{0,5}", match[1]):
            raise BadSource(f"{shown(key)} is no session: they are numbered from 1 to 999999")
        if other := found.get(number := int(match[1])):
            raise BadSource(f"{other} and {key} are both session {number}: leave one out")
        found[number] = key
    return sorted(found.items())


def _people(talk: Mapping[str, Any]) -> tuple[str, str]:
    first, second = (_given(key, talk, "give the name of one who speaks") for key in SPEAKERS)
    if first == second:
        raise BadSource(f"speaker_a and speaker_b are both {first!r}: give each another name")
    return first, second


def _given(key: str, talk: Mapping[str, Any], need: str) -> str:
    if key not in talk:
        raise BadSource(f"has no {key}: {need}")
    if not isinstance(text := talk[key], str) or not text.strip():
        raise BadSource(f"its {key} is {shown(text)}: {need}")
    return text


def _turns(key: str, turns: object, people: Sequence[str]) -> list[LocomoTurn]:
    if not isinstance(turns, list):
        raise BadSource(f"its {key} is {shown(turns)}, but should be a list of turns")
    return [_turn(f"{key}, turn {place}", one, people) for place, one in enumerate(turns, start=1)]


def _turn(where: str, data: object, people: Sequence[str]) -> LocomoTurn:
    if not isinstance(data, dict):
        raise BadSource(f"{where}: is {shown(data)}, but should be an object")
    known = {key: data[key] for key in LocomoTurn.__struct_fields__ if key in data}
    where = f"{where} ({data.get('dia_id', 'without dia_id')})"
    try:
        turn = msgspec.convert(known, LocomoTurn)
    except msgspec.ValidationError:
        _, [(key, what), *_] = sifted(known, LocomoTurn)
        raise BadSource(f"{where}: its {key} {what}") from None
    if turn.speaker not in people:
        raise BadSource(
            f"{where}: {turn.speaker!r} speaks, who is neither speaker_a ({people[0]!r}) nor speaker_b "
            f"({people[1]!r}): correct the name, or leave the turn out"
        )
    return turn


def _remarks(sample: Sample, source: str, turns: Sequence[LocomoTurn]) -> Iterator[Remark]:
    """What of a conversation is no part of the story, and what is strange about it."""
    for what, there in (
        ("summaries", sample.event_summary or sample.observation or sample.session_summary),
        ("pictures", any(turn.img_url for turn in turns)),
    ):
        if there:
            left = f"{what} are no part of the story: left out"
            yield Remark(source, sample.sample_id, left)
    for turn in turns:
        if not turn.words:
            record = f"{sample.sample_id} {turn.dia_id}"
            yield Remark(source, record, "has no text: nothing is said in this turn")


def _questions(
    sample: Sample, source: str, world: str, who: str, at: str, turns: Collection[str]
) -> tuple[tuple[Question, ...], list[Remark]]:
    """What is asked after the last session of one of the two, who have both heard all of it."""
    found: list[Question] = []
    odd: list[Remark] = []
    for number, one in enumerate(sample.qa, start=1):
        record = f"{sample.sample_id} question {number}"
        try:
            asked = msgspec.convert(one, LocomoQuestion)
            kind = KINDS[asked.category]
        except (msgspec.ValidationError, KeyError):
            odd.append(Remark(source, record, "is no question as LoCoMo writes it: left out"))
            continue
        named = [one for one in asked.named if one in turns]
        if named != asked.named:
            odd.append(Remark(source, record, "names evidence that is no turn: that is left out"))
        wrong = asked.adversarial_answer
        found.append(
            Question(
                world=world,
                character=who,
                at=at,
                question=asked.question.strip(),
                kind=kind,
                reference=None if asked.answer is None else str(asked.answer),
                evidence=tuple((one,) for one in named),
                labels={} if wrong is None else {"adversarial_answer": str(wrong)},
            )
        )
    return tuple(found), odd


def _time(key: str, talk: Mapping[str, Any]) -> datetime:
    need = f"give when it was, as {EXAMPLE!r}"
    text = _given(key, talk, need)
    try:
        return datetime.strptime(text.strip(), WHEN)
    except ValueError:
        raise BadSource(f"its {key} is {shown(text)}: {need}") from None


class LocomoEntry(ImporterEntry, frozen=True):
    """LoCoMo's conversations"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)
