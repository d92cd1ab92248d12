"""TimeChara's instances: questions to characters of novels at moments of their story, in the form of the
builder's files and in that of the hub.

Each series becomes a world: a chapter is an episode, the summary of a scene an event of its chapter,
witnessed by those who took part. Where a character's moment stands in the story is taken from the
instances themselves: behind the last chapter that they call past at it. Of chapters whose text one owns,
its passages stand before what is told of them, witnessed by nobody: who was there no file says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import (
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Imported,
    Narrated,
    Printed,
    WorldOpened,
)
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.chapters import Chapter, listed, named, owned, passages
from whoknew.worlds.importers.few_shot import FewShotFile, ShownExamples
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, Remark
from whoknew.worlds.importers.own_names import OwnNames
from whoknew.worlds.importers.records import json_of, lines_of, text_of
from whoknew.worlds.question import Question

FORMAT = "timechara"
BEGINS = datetime(2000, 1, 1, 12)
STEP = timedelta(minutes=1)

PRINTED, ASKED = "printed", "asked"
"""What an imported world says of itself: of how many chapters the text is there, and how many are asked
about."""

NONE = "-"
"""What stands where there is nothing."""

_QUOTED = re.compile(r"""(['"])((?:\\.?|(?!\1).)*)(\1?)""", re.DOTALL)
"""A text in quotes. One that is left open takes all that follows, so that nothing is read twice."""

_ESCAPES = re.compile(
    r"(?:\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})+"
)
"""Signs as they are escaped: a half of one is none, and stays as it is."""


class TimecharaInstance(Struct, frozen=True, kw_only=True):
    """One question, as it stands in a file."""

    series: str
    data_type: Literal["future", "past-absence", "past-presence", "past-only"]
    character: str
    character_period: str
    question: str
    question_period: str
    question_generation: str
    participants: list[str] | str
    temporal_label: str
    spatial_label: str = NONE
    event_summary: str = ""
    event: str = ""
    fake_method: str | int = NONE

    @property
    def summary(self) -> str:
        """One sentence on what it is about: false ones of the builder have it under another key."""
        return plain(self.event_summary or self.event)

    @property
    def chapter(self) -> Chapter:
        return chapter_of(self.question_period)

    @property
    def people(self) -> list[str]:
        """Who took part: the main character by its own name, however it is called there."""
        given = self.participants
        names = printed_list(given) if isinstance(given, str) else given
        return list(dict.fromkeys(name for one in names if (name := plain(one).strip())))

    @property
    def sort(self) -> str:
        """Structured, fact or fake."""
        generated = self.question_generation.replace("_", "-")
        if generated.startswith("fake"):
            return "fake"
        return "structured" if generated.endswith("structured") else "fact"


def chapter_of(position: str) -> Chapter:
    """The numbers of a place in a series, in their order: "Book1-chapter10", "1-2-3"."""
    found = tuple(int(one) for one in re.findall(r"\d{1,6}", position))
    if len(found) not in (2, 3):
        raise BadSource(f"{position!r} is no book and chapter, and no volume, book and chapter")
    return found


def plain(text: str) -> str:
    """A text in which signs were written as escapes."""
    text = _ESCAPES.sub(lambda found: json.loads(f'"{found[0]}"'), text)
    return text.replace("\\n", "\n").replace('\\"', '"')


def printed_list(text: str) -> list[str]:
    """A list of Python as it is printed."""
    found = _QUOTED.findall(text)
    return [re.sub(r"\\(['\"\\])", r"\1", inside) for _, inside, closed in found if closed]


class ToldScene(Struct):
    """What a summary tells of, and who took part, whatever instance says so."""

    text: str
    people: dict[str, None] = field(default_factory=dict)


class NovelSeries:
    """All instances of a series, by chapters."""

    def __init__(
        self,
        name: str,
        some: Sequence[tuple[int, TimecharaInstance]],
        texts: Mapping[Chapter, str] | None = None,
    ) -> None:
        """Each with its number in the file; and the texts of chapters, where one owns any."""
        self.name, self.instances = name, some
        self.texts = texts or {}
        self.main = list(dict.fromkeys(one.character for _, one in some))
        self._own = OwnNames(self.main)
        chapters: dict[Chapter, dict[str, ToldScene]] = {}
        for _, one in some:
            scene = chapters.setdefault(one.chapter, {}).setdefault(
                one.summary, ToldScene(one.summary)
            )
            scene.people.update(dict.fromkeys(map(self._own.of, one.people)))
        self.asked = sorted(chapters)
        chapters |= {chapter: {} for chapter in self.texts if chapter not in chapters}
        self.chapters = dict(sorted(chapters.items()))
        self._numbers = {chapter: number for number, chapter in enumerate(self.chapters, 1)}
        self.points = self._points()
        everybody = [dict.fromkeys(self.main)]
        everybody += [scene.people for some in self.chapters.values() for scene in some.values()]
        self.people = list(dict.fromkeys(name for some in everybody for name in some))
        self._first = 1 + len(self.people)
        """The seq behind which the first chapter opens."""

    def _points(self) -> dict[tuple[str, str], int]:
        """Of each moment of a character how many chapters lie behind it: up to the last that is called
        past there, or else up to the first that is called future."""
        past: dict[tuple[str, str], int] = {}
        ahead: dict[tuple[str, str], int] = {}
        for _, one in self.instances:
            key, number = (one.character, one.character_period), self._numbers[one.chapter]
            if one.data_type == "future":
                ahead[key] = min(ahead.get(key, number), number)
            else:
                past[key] = max(past.get(key, 0), number)
        return {key: past[key] if key in past else ahead[key] - 1 for key in past | ahead}

    def contrary(self) -> Iterator[tuple[int, TimecharaInstance]]:
        """Those that are called future, and lie no later than what is called past at the same moment."""
        for number, one in self.instances:
            behind = self.points[one.character, one.character_period]
            if one.data_type == "future" and self._numbers[one.chapter] <= behind:
                yield number, one

    def world(
        self, remarks: tuple[Remark, ...], examples: FewShotFile | None = None
    ) -> ImportedWorld:
        drafts = [Draft(WorldOpened(self.name), BEGINS)]
        drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in self.people]
        sources: dict[tuple[Chapter, str], str] = {}
        for chapter, scenes in self.chapters.items():
            drafts += self._episode(chapter, list(scenes.values()), len(drafts), sources)
        drafts.append(Draft(Imported(FORMAT, self.name, self._known())))
        asked = [self._question(number, one, sources) for number, one in self.instances]
        if examples is not None:
            shown = ShownExamples(examples, self.main, self.summaries(), self.known)
            asked = [shown.before(one) for one in asked]
            remarks += tuple(Remark(self.name, "examples", what) for what in shown.remarks())
        return ImportedWorld(self.name, tuple(drafts), remarks, tuple(asked))

    def summaries(self) -> list[str]:
        """Of all scenes, in their order."""
        return [scene.text for some in self.chapters.values() for scene in some.values()]

    def known(self, character: str, moment: str) -> set[int]:
        """Of all scenes, in their order, the numbers of those that somebody took part in by then."""
        behind = self.points[character, moment]
        scenes = (
            (self._numbers[chapter], one.people)
            for chapter, some in self.chapters.items()
            for one in some.values()
        )
        return {
            place
            for place, (number, people) in enumerate(scenes)
            if number <= behind and character in people
        }

    def _known(self) -> dict[str, Any]:
        printed = sum(chapter in self.texts for chapter in self.asked)
        return {PRINTED: printed, ASKED: len(self.asked)} if self.texts else {}

    def unprinted(self) -> list[Chapter]:
        """The chapters that are asked about, and whose text is not there."""
        return [chapter for chapter in self.asked if chapter not in self.texts]

    def _episode(
        self,
        chapter: Chapter,
        scenes: Sequence[ToldScene],
        before: int,
        sources: dict[tuple[Chapter, str], str],
    ) -> Iterator[Draft]:
        number, place = self._numbers[chapter], named(chapter)
        cast = tuple(dict.fromkeys(name for scene in scenes for name in scene.people))
        at = BEGINS + before * STEP
        opened = EpisodeOpened("", cast, "as-written", name=f"chapter {place}")
        yield Draft(opened, at=at, episode=number, witnesses=cast)
        for part, passage in enumerate(passages(self.texts.get(chapter, "")), 1):
            source = f"{place}, passage {part}"
            yield Draft(Printed(passage), at=at, episode=number, source=source)
        for turn, scene in enumerate(scenes, 1):
            sources[chapter, scene.text] = f"{place}, scene {turn}"
            yield Draft(
                Narrated(scene.text),
                at=at,
                episode=number,
                turn=turn,
                witnesses=tuple(scene.people),
                source=sources[chapter, scene.text],
            )
        yield Draft(EpisodeClosed("the chapter ends"), at=at, episode=number)

    def _question(
        self, number: int, one: TimecharaInstance, sources: Mapping[tuple[Chapter, str], str]
    ) -> Question:
        temporal = plain(one.temporal_label)
        _, _, answer = temporal.rpartition("\nAnswer:")
        known = answer.strip() if "\nAnswer:" in temporal else ""
        there = one.character in map(self._own.of, one.people)
        labels: dict[str, Any] = {
            "type": one.data_type,
            "temporal": temporal,
            "point": one.character_period,
            "number": number,
        }
        if one.spatial_label != NONE:
            labels["spatial"] = plain(one.spatial_label)
        if key := one.summary if one.data_type == "past-presence" else known:
            labels["key"] = key
        behind = self.points[one.character, one.character_period]
        is_past = one.data_type in ("past-presence", "past-only")
        return Question(
            world=self.name,
            character=one.character,
            at=f"E{behind}" if behind else f"#{self._first}",
            question=plain(one.question),
            kind=one.data_type,
            reference=known or None,
            evidence=((sources[one.chapter, one.summary],),) if is_past and there else (),
            labels=labels,
            cluster=f"{self.name}, {sources[one.chapter, one.summary]}",
            tags=(one.sort, *([f"strategy {one.fake_method}"] if one.sort == "fake" else [])),
        )


def worlds_of(
    path: Path, text: Path | None = None, examples: FewShotFile | None = None
) -> Iterator[ImportedWorld]:
    """A world for each series of a file, with the chapters that stand in the folder `text`, and with
    examples before its questions."""
    series: dict[str, list[tuple[int, TimecharaInstance]]] = {}
    for number, one in enumerate(_instances(path)):
        if not one.summary.strip() or not one.people:
            raise BadSource(f"{path}, instance {number}: has no event_summary, or no participants")
        series.setdefault(one.series, []).append((number, one))
    if not series:
        raise BadSource(f"{path} holds no instance of TimeChara")
    brought = [_series(name, some, text, alone=len(series) == 1) for name, some in series.items()]
    if text and not any(one.texts for one, _ in brought):
        example = f"{next(iter(series))}/{named(brought[0][0].asked[0])}.txt"
        raise BadSource(f"{text} holds no chapter: call their files such as {example}")
    for found, strange in brought:
        contrary = tuple(
            Remark(
                str(path),
                f"instance {number}",
                f"is called future, but {one.character_period!r} lies behind it by other instances",
            )
            for number, one in found.contrary()
        )
        yield found.world((*strange, *contrary), examples)


def _series(
    name: str, some: Sequence[tuple[int, TimecharaInstance]], text: Path | None, *, alone: bool
) -> tuple[NovelSeries, tuple[Remark, ...]]:
    """A series, and what is strange about the files of its chapters."""
    if text is None:
        return NovelSeries(name, some), ()
    parts = max(len(one.chapter) for _, one in some)
    chapters = owned(text, name, parts, alone=alone)
    found = NovelSeries(name, some, chapters.texts)
    missing = found.unprinted()
    of = f"{len(missing)} of {len(found.asked)} chapters that are asked about"
    what = f"{of} have no text: {listed(missing)}"
    return found, (*chapters.remarks, *([Remark(str(text), name, what)] if missing else []))


def _instances(path: Path) -> list[TimecharaInstance]:
    """Those of a JSON list, or one a line; all that is wrong with them is told at once."""
    text = text_of(path)
    try:
        is_list = text.lstrip().startswith("[")
        rows = json_of(text) if is_list else [json_of(row) for _, row in lines_of(text)]
    except ValueError as error:
        what = f"no list of objects, and not one on each line: {error}"
        raise BadSource(f"{path} holds no instances of TimeChara: {what}") from None
    found: list[TimecharaInstance] = []
    faults: list[str] = []
    for number, row in enumerate(rows):
        try:
            found.append(msgspec.convert(row, TimecharaInstance))
        except msgspec.ValidationError as error:
            faults.append(f"instance {number}: {_lacking(row) or error}")
    if faults:
        more = f"; and {len(faults) - SOME:,} more" if len(faults) > SOME else ""
        what = "; ".join(faults[:SOME])
        raise BadSource(f"{path} holds no instances of TimeChara: {what}{more}")
    return found


SOME = 5
"""So many instances that cannot be read are told of."""


def _lacking(row: object) -> str:
    """The keys that an instance has to have, and has not."""
    every = msgspec.structs.fields(TimecharaInstance)
    there = row if isinstance(row, Mapping) else {}
    lacking = [repr(one.encode_name) for one in every if one.required and one.name not in there]
    return f"lacks {', '.join(lacking)}" if lacking and there is row else ""


class TimecharaEntry(ImporterEntry, frozen=True):
    """TimeChara's instances: each series becomes a world"""

    text: str = ""
    """A folder with the chapters of the novels."""
    examples: str = ""
    """The authors' file of examples, or a folder of such files."""

    def read(self, path: Path) -> Iterable[ImportedWorld]:
        text, examples = (Path(one) if one else None for one in (self.text, self.examples))
        return worlds_of(path, text, FewShotFile(examples) if examples else None)
