"""The plan of an exam as a document: read as a whole, with every mistake at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as shape
from msgspec.structs import replace

from whoknew.engine.exams.arms import ExamArm, ExamJudge, arm_of, judge_of, judges_of
from whoknew.engine.exams.judge_files import missing, with_files
from whoknew.engine.exams.kind import ExamKind, QuestionKind
from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.exams.plan_faults import all_arms, plan_faults, stands_under
from whoknew.engine.exams.scenes.sides import offline_sides
from whoknew.engine.plan.other_files import check_is
from whoknew.engine.plan.settings import (
    Announce,
    admit,
    entry_of,
    fields_of,
    more,
    optional,
    quietly,
    trusting,
)
from whoknew.engine.registry import EXAMS, MEMORIES, METHODS, MODELS, Parts, model_part
from whoknew.engine.running.workers import DIGITS
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import shelf
from whoknew.worlds.document import Fault, More, given, joined, placed, sift
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.toml_data import toml_data


class LoadedExam(Struct, frozen=True):
    """A plan that is sound as a whole, with its kind, its arms and its judges. `beside` is the folder
    of its file; `same` says which arms were left out because they come to the same as others;
    `unread` of judges that are left out, because something is wrong with them, what that is."""

    plan: ExamPlan
    kind: ExamKind
    arms: tuple[ExamArm, ...]
    judges: tuple[ExamJudge, ...]
    beside: Path
    source: str
    same: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def known_as(self) -> str:
        """Which exam it is, in a few signs: the same wherever it is sat."""
        said = msgspec.json.encode(replace(self.plan, log=None), order="sorted")
        return f"{self.plan.name} {hashlib.sha256(said).hexdigest()[:DIGITS]}"

    @property
    def material(self) -> str:
        """The log in which the worlds are that it is about: scenes are played in its own."""
        return self.kind.material if isinstance(self.kind, QuestionKind) else self.plan.address


class SiftedExam(Struct, frozen=True):
    """A plan with all that is wrong with it. The `exam` is what is left of it without the parts that
    something is wrong with; there is none where it cannot be told what would be asked. Of `judges`
    alone there are so many mistakes."""

    exam: LoadedExam | None
    mistakes: tuple[Mistake, ...]
    judges: int = 0


def load(path: Path, announce: Announce = quietly) -> LoadedExam:
    """The exam of a file that was given on the command line; or by the name of a kind the one that it
    comes with, where that needs nothing beside it."""
    return sound(sifted(path, announce))


def load_to_read(path: Path, announce: Announce = quietly) -> LoadedExam:
    """The same, for who looks at what is there: judges that cannot be read are left out of it."""
    found = sifted(path, announce)
    if found.exam is not None and len(found.mistakes) == found.judges:
        return found.exam
    raise BadDocument(found.mistakes)


def sifted(path: Path, announce: Announce = quietly) -> SiftedExam:
    """The same with all that is wrong with it."""
    if (kind := str(path)) in EXAMS.ours and not path.exists():
        entry = EXAMS.entry(kind)
        if entry.template and not entry.template_files and not entry.source:
            return _sifted(entry.template.replace("NAME", kind), kind)
    found = _sifted(shelf.text_of(path), str(path), path.parent, announce)
    if found.mistakes:
        check_is("exam", path)
    return found


def parse(
    text: str, source: str, beside: Path | None = None, announce: Announce | None = None
) -> LoadedExam:
    """The exam in a text; all that is wrong with it in one BadDocument. What `announce` is told of is
    loaded: nothing is without it."""
    return sound(_sifted(text, source, beside, announce))


def sound(found: SiftedExam) -> LoadedExam:
    """The exam, if nothing is wrong with it: else a BadDocument."""
    if found.mistakes or found.exam is None:
        raise BadDocument(found.mistakes)
    return found.exam


def _sifted(
    text: str, source: str, beside: Path | None = None, announce: Announce | None = None
) -> SiftedExam:
    beside = beside or Path()
    if announce:
        for parts, name in _listed(text):
            admit(parts, name, beside, announce)

    def wrong(plan: ExamPlan) -> Iterator[Fault]:
        yield from plan_faults(plan, toml_data(text), beside)
        if announce:
            yield from missing(plan, beside)

    further = trusting(beside, announce) if announce else more
    plan, mistakes = sift(text, source, ExamPlan, wrong, _keyed(further))
    mistakes = [_moved(mistake) for mistake in mistakes]
    if plan is None:
        return SiftedExam(None, tuple(mistakes))
    data, unread = toml_data(text), dict[str, list[Mistake]]()
    if announce:
        plan, unread = with_files(plan, beside)
    for mistake in mistakes:
        for name in plan.judges:
            if stands_under(mistake.key, joined("judges", name)):
                unread.setdefault(name, []).append(mistake)
    unread |= _same_judges(plan, text, source, unread)
    found = [*mistakes, *(one for some in unread.values() for one in some if one not in mistakes)]
    found.sort(key=lambda one: (one.source != source, one.source, one.line or 0))
    exam = _left(plan, data, mistakes, unread, beside, source)
    return SiftedExam(exam, tuple(found), sum(map(len, unread.values())))


def _left(
    plan: ExamPlan,
    data: Mapping[str, Any],
    mistakes: Sequence[Mistake],
    unread: Mapping[str, Sequence[Mistake]],
    beside: Path,
    source: str,
) -> LoadedExam | None:
    """What is left of an exam without what is wrong: its sound judges; its arms, if nothing else is
    wrong. None where a key of its kind is."""
    others = [
        one.key
        for one in mistakes
        if not any(stands_under(one.key, joined("judges", name)) for name in unread)
    ]
    entry = entry_of(EXAMS, plan.exam)
    own = ("exam", "name", "log", *(fields_of(entry) if entry else ()))
    if entry is None or any(stands_under(key, name) for key in others for name in own):
        return None
    kind = EXAMS.made(plan.exam, plan.settings)
    sound = {name: one for name, one in plan.judges.items() if name not in unread}
    plan = replace(plan, judges=sound)
    return LoadedExam(
        plan=plan,
        kind=kind,
        arms=() if others else tuple(all_arms(plan, data)),
        judges=tuple(judges_of(plan, kind.usual if "judges" not in data else {})),
        beside=beside,
        source=source,
        unread=tuple(
            f"judge {name} cannot be read, and what it gave is not shown: {'; '.join(map(str, some))}"
            for name, some in unread.items()
        ),
    )


MOVED = {
    **{
        key: f"stands under [grid]: grid.{key} = [...]" for key in ("memories", "methods", "models")
    },
    "calling": 'is called models: [models."ADDRESS"]',
}
"""Keys that stand elsewhere: plans of lives had them at the top."""


def _moved(mistake: Mistake) -> Mistake:
    if mistake.key == "exam" and mistake.what.startswith("is missing"):
        return replace(
            mistake, what=f"is missing: say of which kind it is: {nearest('', EXAMS.names())}"
        )
    return replace(mistake, what=MOVED.get(mistake.key, mistake.what))


def offline(exam: LoadedExam) -> LoadedExam:
    """The same exam with the model that needs no key and costs nothing in each of its roles. Arms,
    and judges, that differed in nothing but their model are one then."""
    arms: dict[str, ExamArm] = {}
    same: list[str] = []
    for arm in exam.arms:
        seat = replace(arm.seat.offline(), writer=None)
        one = offline_sides(arm) if arm.sides else arm_of(arm.name, seat)
        if one.digest in arms:
            same.append(f"{arm.name} is the same as {arms[one.digest].name}")
        arms.setdefault(one.digest, one)
    judges: dict[str, ExamJudge] = {}
    for judge in exam.judges:
        heard = judge_of(judge.name, judge.judging.offline())
        if heard.digest in judges:
            same.append(f"judge {judge.name} is the same as {judges[heard.digest].name}")
        judges.setdefault(heard.digest, heard)
    return replace(exam, arms=tuple(arms.values()), judges=tuple(judges.values()), same=tuple(same))


def _listed(text: str) -> Iterator[tuple[Parts, str]]:
    """The kind of exam and the parts of the grid that a text names: they are loaded before anything
    is looked at."""
    try:
        data = toml_data(text)
    except ValueError:
        return
    if isinstance(name := data.get("exam"), str):
        yield EXAMS, name
    grid = given(data, "grid")
    for key, parts in (("memories", MEMORIES), ("methods", METHODS), ("models", MODELS)):
        listed = grid.get(key)
        for name in listed if isinstance(listed, list) else ():
            if isinstance(name, str):
                yield parts, model_part(name) if parts is MODELS else name


def _keyed(further: More) -> More:
    """The further keys of a plan: those of its kind. Of a kind that does not load that is told, and
    not that its keys are unknown."""

    def keys(kind: type, data: Mapping[str, Any]) -> Mapping[str, shape.Field]:
        if kind is not ExamPlan:
            return further(kind, data)
        if entry := entry_of(EXAMS, data.get("exam")):
            return fields_of(entry)
        return {name: optional(name, shape.AnyType()) for name in data}

    return keys


def _same_judges(
    plan: ExamPlan, text: str, source: str, unread: Mapping[str, object]
) -> dict[str, list[Mistake]]:
    """Judges whose verdicts could not be told from those of others: their rubrics have been read by
    now."""
    names: dict[str, str] = {}
    found: dict[str, list[Mistake]] = {}
    for name, judging in plan.judges.items():
        if name in unread:
            continue
        digest = judge_of(name, judging).digest
        if digest in names:
            what = f"is the same as {names[digest]!r} in all that decides a verdict: leave one out"
            found[name] = placed(text, source, [(joined("judges", name), what)])
        names.setdefault(digest, name)
    return found
