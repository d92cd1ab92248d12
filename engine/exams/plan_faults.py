"""What can be wrong with the plan of an exam whose keys are right each by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from whoknew.agents.models.address import RECORDED
from whoknew.engine import registry
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.exams.arms import ExamArm, arms_of
from whoknew.engine.exams.control import UNSAFE, is_unsafe
from whoknew.engine.exams.kind import ExamKind, SceneKind
from whoknew.engine.exams.plan import ExamPlan, Grid
from whoknew.engine.exams.scenes.side_faults import side_faults
from whoknew.engine.exams.scenes.sides import SWAPPED, sided_arms
from whoknew.engine.plan.faults import (
    address_fault,
    entry_in_weights,
    judge_fault,
    name_fault,
    of_models,
    settings_fault,
)
from whoknew.engine.plan.plan import EVERYONE, Judging, Seat
from whoknew.engine.plan.settings import entry_of
from whoknew.engine.registry import (
    CONTROLS,
    EXAMS,
    JUDGES,
    MEMORIES,
    METHODS,
    MODELS,
    Parts,
    for_mind,
    model_part,
)
from whoknew.eventlog.nearest import closest, nearest
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.document import Fault, given, joined, shown

NO_PLAY = ("agent", "lines", "patience", "first", "second", "swapped")
"""Keys of a seat that say nothing of an answer: nobody acts."""

NO_MODEL = (
    "is missing: {!r} asks a model, and none of those that are examined is taken for that. Give one, "
    'or "offline:" to see how it goes'
)


NO_NAME = "is {}: use 1 to 200 printable characters, no space at either end"

NOT_RECORDED = (
    "is {!r}, which gives the answers of a world that is played again. An exam has its answers on its "
    "own log: `whoknew exam report` reads them, and `whoknew exam judge` judges them anew"
)


def plan_faults(plan: ExamPlan, data: Mapping[str, Any], beside: Path) -> Iterator[Fault]:
    """All of it but what stands in files that it names."""
    yield from _kind(plan, beside)
    if not is_name(plan.name):
        yield "name", NO_NAME.format(shown(plan.name))
    elif plan.log is None and _is_path(plan.name):
        what = f"is {plan.name!r}, and the exam would be kept in {plan.address}, which is elsewhere"
        yield "name", f"{what}: leave out what leads there, or say where it is kept (log = ...)"
    for table, named in (("arms", plan.arms), ("judges", plan.judges)):
        for name in named:
            if not is_name(name):
                yield joined(table, name[:40]), NO_NAME.format(shown(name))
    sided = _is_sided(plan)
    faulty = [
        *_grid(plan, data),
        *(side_faults(plan, data) if sided else _seats(plan, data)),
        *_judges(plan, data),
    ]
    yield from faulty
    yield from _models(plan)
    if (sound := _sound(plan, [key for key, _ in faulty])) is not None:
        yield from _twice(sound, data)
        yield from _writers(sound, data)
        yield from _unsafe(sound, data)
        yield from _in_weights(sound, data)


def _in_weights(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Memories that stand in weights, where the model that answers takes none, or is not the one that is
    trained."""
    if _is_sided(plan):
        return
    for arm in all_arms(plan, data):
        for seat in arm.seats:
            if not entry_in_weights(seat):
                continue
            key = joined("arms", arm.name) if arm.name in plan.arms else "grid"
            if not registry.model(seat.model).takes_adapters:
                what = 'give a model in this process (model = "local:PATH")'
                yield (
                    key,
                    f"has the memory {seat.memory!r}, which {seat.model!r} cannot have: {what}",
                )
            elif arm.memory and arm.memory.seat.model != seat.model:
                what = f"{arm.memory.seat.model!r} would be trained, and {seat.model!r} answer"
                yield key, f"has the memory {seat.memory!r}: {what}. Leave out `writer`"


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
    controls = not _is_sided(plan)
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
                yield from _part(_found_in(parts, name, controls), name, usual, where)
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
            if seat.writer is not None and "writer" in said:
                yield from _address(seat.writer, f"{key}.writer")
            if seat.own_model and seat.memory in seat.settings:
                yield from _address(seat.own_model, f"{joined(key, seat.memory)}.model")
            if seat.small_model != seat.memory_model and seat.memory in seat.settings:
                yield from _address(seat.small_model, f"{joined(key, seat.memory)}.small")
            if seat.embedder != seat.memory_model and seat.memory in seat.settings:
                yield from _address(seat.embedder, f"{joined(key, seat.memory)}.embedder")
            for parts in (MEMORIES, METHODS):
                if parts.what in said or parts.what in seat.settings:
                    named = getattr(seat, parts.what)
                    where = _found_in(parts, named, controls=True)
                    yield from _part(where, named, seat, f"{key}.{parts.what}")


def _found_in(parts: Parts, name: str, controls: bool) -> Parts:
    """Where a part is found, or where one is found whose name is close: in exams that play nothing, a
    control stands in the place of a memory."""
    if parts is not MEMORIES or not controls:
        return parts
    meant = closest(name, (*MEMORIES.names(), *CONTROLS.names()))
    return for_mind(meant if meant in CONTROLS.names() else name)


def _unsafe(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Arms that leak are called so, and no others: it is seen by their names, in tables and in files."""
    for arm in all_arms(plan, data):
        if arm.name in plan.arms and is_unsafe(arm.name) != is_unsafe(arm.seat.memory):
            leaks = f"has the memory {arm.seat.memory!r}: call it {UNSAFE + arm.name!r}"
            fair = f"is no name for an arm that does not leak: leave out {UNSAFE!r}"
            yield joined("arms", arm.name), fair if is_unsafe(arm.name) else leaks


def _writers(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Models that are to write what no memory keeps."""
    if _is_sided(plan):
        return
    arms = all_arms(plan, data)
    where = [("agents", EVERYONE, arms), *(("arms", arm.name, [arm]) for arm in arms)]
    for table, name, some in where:
        if "writer" in given(data, table, name) and not any(arm.memory for arm in some):
            what = "writes what a memory keeps, and none is here that keeps anything: leave it out"
            yield f"{joined(table, name)}.writer", what


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
        if name == "arm":
            yield (
                key,
                "would have one column in a report with the arms (arm digest): give another name",
            )
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
    used = models_of(plan) | set(_writing(plan))
    for address, ours in plan.models.items():
        key = f'models."{address}"'
        if address not in used:
            yield key, f"no arm and no judge uses it: {of_models(address, used)}"
        if (ours.price_in is None) != (ours.price_out is None):
            yield key, "has one price: give both price_in and price_out"


def models_of(plan: ExamPlan) -> set[str]:
    """The addresses that a plan names."""
    seats: list[Seat] = [*plan.agents.values(), *plan.arms.values()] or [Seat()]
    seats += [side for arm in plan.arms.values() for side in (arm.first, arm.second) if side]
    judging = [one.model for one in plan.judges.values() if _asks(one)]
    seats += [replace(plan.usual, memory=one) for one in plan.grid.memories]
    writing = [seat.writer for seat in (*plan.agents.values(), *plan.arms.values()) if seat.writer]
    return {
        *plan.grid.models,
        *(model for seat in seats for model in seat.models),
        *writing,
        *judging,
    }


def _writing(plan: ExamPlan) -> Iterator[str]:
    """Those that write questions of it."""
    table = plan.settings.get("writer")
    if isinstance(table, dict):
        some = [table.get("model"), table.get("checked_by")]
        yield from (address for address in some if isinstance(address, str))


def _asks(judging: Judging) -> bool:
    try:
        return judging.asks
    except (NoSuchPart, BrokenPart):
        return True


def _is_sided(plan: ExamPlan) -> bool:
    """Whether each side has a seat: in exams of scenes."""
    entry = entry_of(EXAMS, plan.exam)
    return entry is not None and issubclass(entry, SceneKind)


def all_arms(plan: ExamPlan, data: Mapping[str, Any]) -> list[ExamArm]:
    return sided_arms(plan, data) if _is_sided(plan) else arms_of(plan, data)


def _twice(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Arms that cannot be told apart: by their names, or in what they are."""
    names: set[str] = set()
    digests: dict[str, str] = {}
    for arm in all_arms(plan, data):
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


def _sound(plan: ExamPlan, faulty: Sequence[str]) -> ExamPlan | None:
    """The plan without the arms at which something is wrong; none where that is all of them, or where
    it cannot be told what the others come to."""
    grid = {
        name: [
            (place, one)
            for place, one in enumerate(getattr(plan.grid, name))
            if f"grid.{name}[{place}]" not in faulty
        ]
        for name in ("models", "memories", "methods")
    }
    first = all(
        not getattr(plan.grid, name) or (some and some[0][0] == 0) for name, some in grid.items()
    )
    if not first or any(stands_under(key, "agents") for key in faulty):
        return None
    arms = {
        name: arm
        for name, arm in plan.arms.items()
        if not any(stands_under(key, joined("arms", name)) for key in faulty)
    }
    listed = {name: tuple(one for _, one in some) for name, some in grid.items()}
    return replace(plan, grid=Grid(**listed), arms=arms)


def stands_under(key: str, table: str) -> bool:
    """Whether a key is this one, or one in it."""
    return key == table or key.startswith((f"{table}.", f"{table}["))
