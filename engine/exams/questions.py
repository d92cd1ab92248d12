"""Questions beside the log that they are put to: whether they can be put there, and where exactly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from whoknew.engine.travel.family import firsts
from whoknew.eventlog import Cursor, Log, View
from whoknew.eventlog.chain import GENESIS
from whoknew.eventlog.errors import BadCursor, NotFound, missing
from whoknew.eventlog.knowledge import Knowledge
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.words import words
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.json_lines import TOLD
from whoknew.worlds.question import EventName, Question, QuestionFile

PAUSE = 200
"""After so many questions others have a turn on the loop."""


class CheckedQuestions(Struct, frozen=True):
    """What is wrong with questions beside their log, and what is only worth a look."""

    mistakes: tuple[Mistake, ...]
    remarks: tuple[Mistake, ...]


class ResolvedQuestion(Struct, frozen=True, kw_only=True):
    """A question where it is put: the seq of its cursor, and the hash that vouches for all up to
    there. `evidence` are its sets by seq: of a source that stands on several events, those which the
    character witnessed, where it witnessed some. What it shares with others, which are then no further
    proof, is its `cluster`: the one that it names, or else its world with all forks of it."""

    question: Question
    seq: int
    hash: bytes
    cluster: str
    evidence: tuple[tuple[int, ...], ...] = ()


async def check(log: Log, file: QuestionFile) -> CheckedQuestions:
    """Whether questions can be put to a log, each mistake with its line."""
    material, first = await _Material.of(log), dict[str, int]()
    mistakes: list[Mistake] = []
    remarks: list[Mistake] = []
    for line, one in sorted(_numbered(file), key=lambda pair: pair[1].world):
        await material.pause()
        found = _Findings(file.source, line, mistakes, remarks)
        await _check_place(material, one, found)
        if (twice := first.setdefault(one.id, line)) != line:
            found.wrong("", f"is the question of line {twice}: leave one out")
        if _answers_itself(one):
            found.odd("reference", "stands in the question")
        if len(mistakes) >= TOLD:
            found.wrong("", f"{TOLD} mistakes up to here; what follows was not looked at")
            break
    return CheckedQuestions(_by_line(mistakes), _by_line(remarks))


async def resolved(log: Log, file: QuestionFile) -> tuple[ResolvedQuestion, ...]:
    """Each question of a file with its place, in their order; a BadDocument lists those that have
    none."""
    checked = await check(log, file)
    if checked.mistakes:
        raise BadDocument(checked.mistakes)
    material = await _Material.of(log)
    found: dict[int, ResolvedQuestion] = {}
    for place, one in sorted(enumerate(file.questions), key=lambda pair: pair[1].world):
        await material.pause()
        view = await material.view(one)
        found[place] = ResolvedQuestion(
            question=one,
            seq=view.cursor.seq,
            hash=await material.hash(view.cursor),
            cluster=one.cluster or material.worlds[one.world],
            evidence=tuple([await _seqs(material, some, view) for some in one.evidence]),
        )
    return tuple(found[place] for place in range(len(file.questions)))


async def doubtful(log: Log, questions: Sequence[ResolvedQuestion]) -> frozenset[str]:
    """The ids of those that rest on an event of which it is left open whether their character witnessed
    it."""
    found: set[str] = set()
    knowledge: Knowledge | None = None
    for one in sorted(questions, key=lambda one: one.question.world):
        world, character = one.question.world, one.question.character
        if knowledge is None or knowledge.cursor.world != world:
            knowledge = await log.knowledge(world)
        seqs = {seq for some in one.evidence for seq in some}
        if any(character in knowledge.doubts(seq) for seq in seqs):
            found.add(one.question.id)
    return frozenset(found)


def _numbered(file: QuestionFile) -> Iterator[tuple[int, Question]]:
    return zip(file.lines, file.questions, strict=True)


def _by_line(mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    return tuple(sorted(mistakes, key=lambda mistake: mistake.line or 0))


class _Findings:
    """Where what is found of a line is put."""

    def __init__(
        self, source: str, line: int, mistakes: list[Mistake], remarks: list[Mistake]
    ) -> None:
        self._source, self._line = source, line
        self._mistakes, self._remarks = mistakes, remarks

    def wrong(self, key: str, what: str) -> None:
        self._mistakes.append(Mistake(self._source, self._line, key, what))

    def odd(self, key: str, what: str) -> None:
        self._remarks.append(Mistake(self._source, self._line, key, what))


async def _check_place(material: _Material, one: Question, found: _Findings) -> None:
    if one.world not in material.worlds:
        found.wrong("world", await material.nearest_world(one.world))
        return
    try:
        cursor = await material.cursor(one.world, one.at)
    except (BadCursor, NotFound) as error:
        found.wrong("at", str(error))
        return
    try:
        view = await material.view(one)
    except NotFound as error:
        found.wrong("character", str(error))
        return
    if not len(view):
        found.odd("at", f"{one.character} has witnessed nothing by {cursor}")
    for number, some in enumerate(one.evidence):
        for place, name in enumerate(some):
            await _check_evidence(material, view, name, f"evidence[{number}][{place}]", found)


async def _check_evidence(
    material: _Material, view: View, name: EventName, key: str, found: _Findings
) -> None:
    world, character = view.cursor.world, view.character
    seqs = await material.seqs(world, name)
    if not seqs:
        number = isinstance(name, str) and name.lstrip("#").isdigit()
        hint = ": a seq is a number, without quotes" if number else ""
        found.wrong(key, f"{name!r} is no event of {world!r}{hint}")
    elif min(seqs) > view.cursor.seq:
        found.odd(key, f"{name!r} happens after the cursor")
    elif not any(seq in view for seq in seqs):
        found.odd(key, f"{name!r} was not witnessed by {character}")


async def _seqs(material: _Material, some: Sequence[EventName], view: View) -> tuple[int, ...]:
    every: list[int] = []
    for name in some:
        seqs = await material.seqs(view.cursor.world, name)
        every += [seq for seq in seqs if seq in view] or seqs
    return tuple(dict.fromkeys(every))


def _answers_itself(one: Question) -> bool:
    """Whether a right answer stands in the question, where it is not one to choose from."""
    if one.reference is None or one.choices:
        return False
    asked, right = (f" {' '.join(words(text))} " for text in (one.question, one.reference))
    return right in asked


class _Material:
    """The worlds of a log, as questions look into them: what was found once is kept."""

    def __init__(self, log: Log, worlds: Mapping[str, str]) -> None:
        """`worlds` are all of the log, each with the one that it began as."""
        self.worlds, self._log, self._turns = worlds, log, 0
        self._near: dict[str, str] = {}
        self._cursors: dict[tuple[str, str], Cursor] = {}
        self._hashes: dict[Cursor, bytes] = {}
        self._viewed = ""
        self._views: dict[tuple[str, int], View] = {}
        """Of one world, likewise."""
        self._world = ""
        self._sources: dict[str, list[int]] = {}
        """Of the world that was looked into last: questions come world by world."""

    @classmethod
    async def of(cls, log: Log) -> _Material:
        return cls(log, firsts(await log.worlds()))

    async def pause(self) -> None:
        self._turns += 1
        if self._turns % PAUSE == 0:
            await asyncio.sleep(0)

    async def nearest_world(self, name: str) -> str:
        if name not in self._near:
            near = await asyncio.to_thread(nearest, name, [*self.worlds])
            self._near[name] = f"{name!r} is not in this log: {near}"
        return self._near[name]

    async def cursor(self, world: str, at: str) -> Cursor:
        key = (world, at)
        if key not in self._cursors:
            self._cursors[key] = await self._log.cursor(*key)
        return self._cursors[key]

    async def view(self, one: Question) -> View:
        cursor = await self.cursor(one.world, one.at)
        if one.world != self._viewed:
            self._viewed, self._views = one.world, {}
        key = (one.character, cursor.seq)
        if key not in self._views:
            self._views[key] = await self._log.view(one.world, one.character, cursor)
        return self._views[key]

    async def hash(self, cursor: Cursor) -> bytes:
        if cursor not in self._hashes:
            self._hashes[cursor] = await self._hash(cursor)
        return self._hashes[cursor]

    async def _hash(self, cursor: Cursor) -> bytes:
        if cursor.seq == 0:
            return GENESIS
        record = await self._log.lineage.record(cursor.world, cursor.seq)
        if record is None:
            raise missing(cursor.world, cursor.seq)
        return record.hash

    async def seqs(self, world: str, name: EventName) -> list[int]:
        """The events of a name: none where there are none."""
        if isinstance(name, int):
            return [name] if name <= (await self.cursor(world, "end")).seq else []
        if world != self._world:
            self._world, self._sources = world, {}
            async for event in self._log.read(world):
                if event.source is not None:
                    self._sources.setdefault(event.source, []).append(event.seq)
        return self._sources.get(name, [])
