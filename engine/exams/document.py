"""The plan of an exam as a document: read as a whole, with every mistake at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec import inspect as shape
from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE, RECORDED
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.exams.arms import ExamArm, ExamJudge, arm_of, arms_of, judge_of, judges_of
from whoknew.engine.exams.kind import ExamKind, QuestionKind, SceneKind
from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.exams.rubric_files import missing, with_rubrics
from whoknew.engine.exams.scenes.side_faults import side_faults
from whoknew.engine.exams.scenes.sides import SWAPPED, offline_sides, sided_arms
from whoknew.engine.plan.faults import address_fault, judge_fault, name_fault, settings_fault
from whoknew.engine.plan.plan import EVERYONE, Judging, Seat
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
from whoknew.engine.registry import EXAMS, JUDGES, MEMORIES, METHODS, MODELS, Parts, model_part
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds import shelf
from whoknew.worlds.document import Fault, More, given, joined, sift
from whoknew.worlds.errors import BadDocument, Mistake


class LoadedExam(Struct, frozen=True):
    """A plan that is sound as a whole, with its kind, its arms and its judges. `beside` is the folder
    of its file; `same` says which arms were left out because they come to the same as others."""

    plan: ExamPlan
    kind: ExamKind
    arms: tuple[ExamArm, ...]
    judges: tuple[ExamJudge, ...]
    beside: Path
    source: str
    same: tuple[str, ...] = ()

    @property
    def material(self) -> str:
        """The log in which the worlds are that it is about: scenes are played in its own."""
        return self.kind.material if isinstance(self.kind, QuestionKind) else self.plan.address


NO_PLAY = ("agent", "lines", "patience", "first", "second", "swapped")
"""Keys of a seat that say nothing of an answer: nobody acts."""

NO_MODEL = (
    "is missing: {!r} asks a model, and none of those that are examined is taken for that. Give one, "
    'or "offline:" to see how it goes'
)


NOT_RECORDED = (
    "is {!r}, which gives the answers of a world that is played again. An exam has its answers on its "
    "own log: `whoknew exam report` reads them, and `whoknew exam judge` judges them anew"
)


def load(path: Path, announce: Announce = quietly) -> LoadedExam:
    """The exam of a file that was given on the command line; or by the name of a kind the one that it
    comes with, where that needs nothing beside it."""
    if (kind := str(path)) in EXAMS.ours and not path.exists():
        entry = EXAMS.entry(kind)
        if entry.template and not entry.template_files and not entry.source:
            return parse(entry.template.replace("NAME", kind), kind)
    return parse(shelf.text_of(path), str(path), path.parent, announce)


def parse(
    text: str, source: str, beside: Path | None = None, announce: Announce | None = None
) -> LoadedExam:
    """The exam in a text; all that is wrong with it in one BadDocument. What `announce` is told of is
    loaded: nothing is without it."""
    beside = beside or Path()
    if announce:
        for parts, name in _listed(text):
            admit(parts, name, beside, announce)

    def wrong(plan: ExamPlan) -> Iterator[Fault]:
        yield from _faults(plan, tomllib.loads(text), beside)
        if announce:
            yield from missing(plan, beside)

    further = trusting(beside, announce) if announce else more
    plan, mistakes = sift(text, source, ExamPlan, wrong, _keyed(further))
    if mistakes or plan is None:
        raise BadDocument([_placed(mistake) for mistake in mistakes])
    if announce:
        plan = with_rubrics(plan, beside)
    data, kind = tomllib.loads(text), EXAMS.made(plan.exam, plan.settings)
    judges = tuple(judges_of(plan, kind.usual if "judges" not in data else {}))
    _check_apart(judges, source)
    return LoadedExam(
        plan=plan,
        kind=kind,
        arms=tuple(_arms(plan, data)),
        judges=judges,
        beside=beside,
        source=source,
    )


MOVED = {
    **{
        key: f"stands under [grid]: grid.{key} = [...]" for key in ("memories", "methods", "models")
    },
    "calling": 'is called models: [models."ADDRESS"]',
}
"""Keys that stand elsewhere: plans of lives had them at the top."""


def _placed(mistake: Mistake) -> Mistake:
    return replace(mistake, what=MOVED.get(mistake.key, mistake.what))


def offline(exam: LoadedExam) -> LoadedExam:
    """The same exam with the model that needs no key and costs nothing in each of its roles. Arms,
    and judges, that differed in nothing but their model are one then."""
    arms: dict[str, ExamArm] = {}
    same: list[str] = []
    for arm in exam.arms:
        seat = replace(arm.seat, model=OFFLINE)
        one = offline_sides(arm) if arm.sides else arm_of(arm.name, seat)
        if one.digest in arms:
            same.append(f"{arm.name} is the same as {arms[one.digest].name}")
        arms.setdefault(one.digest, one)
    judges: dict[str, ExamJudge] = {}
    for judge in exam.judges:
        heard = judge_of(judge.name, replace(judge.judging, model=OFFLINE))
        if heard.digest in judges:
            same.append(f"judge {judge.name} is the same as {judges[heard.digest].name}")
        judges.setdefault(heard.digest, heard)
    return replace(exam, arms=tuple(arms.values()), judges=tuple(judges.values()), same=tuple(same))


def _listed(text: str) -> Iterator[tuple[Parts, str]]:
    """The kind of exam and the parts of the grid that a text names: they are loaded before anything
    is looked at."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
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


def _faults(plan: ExamPlan, data: Mapping[str, Any], beside: Path) -> Iterator[Fault]:
    yield from _kind(plan, beside)
    if not is_name(plan.name):
        yield "name", f"is {plan.name!r}: use 1 to 200 printable characters, no space at either end"
    elif plan.log is None and _is_path(plan.name):
        what = f"is {plan.name!r}, and the exam would be kept in {plan.address}, which is elsewhere"
        yield "name", f"{what}: leave out what leads there, or say where it is kept (log = ...)"
    sided = _is_sided(plan)
    faulty = [
        *_grid(plan, data),
        *(side_faults(plan, data) if sided else _seats(plan, data)),
        *_judges(plan, data),
    ]
    yield from faulty
    yield from _models(plan)
    if not faulty:
        yield from _twice(plan, data)


def _is_path(name: str) -> bool:
    """Whether a name leads to another folder, or is the address of a store."""
    return any(sign in name for sign in "/\\") or name.startswith("..")


def _kind(plan: ExamPlan, beside: Path) -> Iterator[Fault]:
    yield from (unknown := list(name_fault(plan.exam, EXAMS, "exam")))
    if unknown:
        return
    yield from (wrong := list(settings_fault(EXAMS, plan.exam, plan.settings, "exam")))
    if not wrong:
        yield from EXAMS.made(plan.exam, plan.settings).faults(plan, beside)


def _grid(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    grid, usual = plan.grid, plan.usual
    lists = (
        ("models", "model", MODELS),
        ("memories", "memory", MEMORIES),
        ("methods", "method", METHODS),
    )
    for key, one, parts in lists:
        listed: tuple[str, ...] = getattr(grid, key)
        if key in given(data, "grid") and not listed:
            yield f"grid.{key}", "is an empty list: name one, or leave it out"
        if listed and one in given(data, "agents", EVERYONE):
            yield f"agents.{EVERYONE}.{one}", f"is given by grid.{key} already: leave it out"
        for place, name in enumerate(listed):
            where = f"grid.{key}[{place}]"
            if name in listed[:place]:
                yield where, f"names {name!r} twice: name each once"
            elif parts is MODELS:
                yield from _address(name, where)
            else:
                yield from _part(parts, name, usual, where)
    if not any((grid.models, grid.memories, grid.methods, plan.arms)):
        yield "grid", "is missing, and so is [arms.NAME]: give one of them, so that there is an arm"


def _part(parts: Parts, name: str, usual: Seat, key: str) -> Iterator[Fault]:
    yield from (unknown := list(name_fault(name, parts, key)))
    if not unknown:
        yield from settings_fault(parts, name, usual.settings.get(name, {}), key)


def _seats(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    for role in plan.agents:
        if role != EVERYONE:
            yield joined("agents", role), f"is no seat here: {nearest(role, [EVERYONE])}"
    for table, seats in (("agents", plan.agents), ("arms", plan.arms)):
        for name, seat in seats.items():
            key, said = joined(table, name), given(data, table, name)
            for unused in NO_PLAY:
                if unused in said:
                    what = "is for who acts; here questions are answered: leave it out"
                    yield f"{key}.{unused}", what
            if "model" in said:
                yield from _address(seat.model, f"{key}.model")
            for parts in (MEMORIES, METHODS):
                if parts.what in said or parts.what in seat.settings:
                    yield from _part(parts, getattr(seat, parts.what), seat, f"{key}.{parts.what}")


def _judges(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    entry = entry_of(EXAMS, plan.exam)
    kind = entry if entry is not None and issubclass(entry, ExamKind) else ExamKind
    judged, reserved = kind.judged, kind.scored
    for name, judge in plan.judges.items():
        key = joined("judges", name)
        if "." in name:
            yield (
                key,
                "is no name for a judge: leave out the dot, which stands between it and a score",
            )
        if name in reserved:
            yield key, "is a name that exact points have already: give another"
        yield from (unknown := list(judge_fault(judge.by, judged, f"{key}.by")))
        if unknown:
            continue
        yield from settings_fault(JUDGES, judge.by, judge.settings, key)
        if not judge.asks:
            continue
        if "model" not in given(data, "judges", name):
            yield f"{key}.model", NO_MODEL.format(judge.by)
        else:
            yield from _address(judge.model, f"{key}.model")


def _address(address: str, key: str) -> Iterator[Fault]:
    """Whether an address names a model that an exam can ask."""
    yield from (unknown := list(address_fault(address, key)))
    if not unknown and model_part(address) == RECORDED.removesuffix(":"):
        yield key, NOT_RECORDED.format(address)


def _models(plan: ExamPlan) -> Iterator[Fault]:
    used = models_of(plan)
    for address, ours in plan.models.items():
        key = f'models."{address}"'
        if address not in used:
            yield key, f"no arm and no judge uses it: {nearest(address, sorted(used))}"
        if (ours.price_in is None) != (ours.price_out is None):
            yield key, "has one price: give both price_in and price_out"


def models_of(plan: ExamPlan) -> set[str]:
    """The addresses that a plan names."""
    seats = [*plan.agents.values(), *plan.arms.values()] or [Seat()]
    seats += [side for arm in plan.arms.values() for side in (arm.first, arm.second) if side]
    judging = [one.model for one in plan.judges.values() if _asks(one)]
    return {*plan.grid.models, *(seat.model for seat in seats), *judging}


def _asks(judging: Judging) -> bool:
    try:
        return judging.asks
    except (NoSuchPart, BrokenPart):
        return True


def _is_sided(plan: ExamPlan) -> bool:
    """Whether each side has a seat: in exams of scenes."""
    entry = entry_of(EXAMS, plan.exam)
    return entry is not None and issubclass(entry, SceneKind)


def _arms(plan: ExamPlan, data: Mapping[str, Any]) -> list[ExamArm]:
    return sided_arms(plan, data) if _is_sided(plan) else arms_of(plan, data)


def _twice(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Arms that cannot be told apart: by their names, or in what they are."""
    names: set[str] = set()
    digests: dict[str, str] = {}
    for arm in _arms(plan, data):
        named = arm.name.removesuffix(SWAPPED) if arm.sides else arm.name
        key = joined("arms", named) if named in plan.arms else "grid"
        if arm.name in names:
            yield key, f"there are two arms called {arm.name!r}: give one of them another name"
        elif arm.digest in digests:
            what = (
                f"{arm.name!r} is the same as {digests[arm.digest]!r} in all that decides an answer"
            )
            yield key, f"{what}: leave one out"
        names.add(arm.name)
        digests.setdefault(arm.digest, arm.name)


def _check_apart(judges: Sequence[ExamJudge], source: str) -> None:
    """Refuse two judges whose verdicts could not be told apart: their rubrics have been read by now."""
    names: dict[str, str] = {}
    for judge in judges:
        if judge.digest in names:
            what = f"is the same as {names[judge.digest]!r} in all that decides a verdict"
            key = joined("judges", judge.name)
            raise BadDocument([Mistake(source, None, key, f"{what}: leave one out")])
        names[judge.digest] = judge.name
