"""The arms of an exam and its judges: each with all that decides what it gives, and the digest of
that, by which its answers are known on the log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.prompts.text import prompt
from whoknew.engine import registry
from whoknew.engine.exams.control import UNSAFE, is_unsafe
from whoknew.engine.exams.plan import ExamPlan, ExamSeat
from whoknew.engine.exams.steps import STEPS, STEPS_BEFORE_TURNS
from whoknew.engine.exams.story_bookmarks import StoryBookmarksEntry
from whoknew.engine.plan.document import seat_over
from whoknew.engine.plan.plan import Judging, Seat
from whoknew.engine.playing.judge import JudgeEntry
from whoknew.engine.registry import AGENTS, JUDGES, MEMORIES, METHODS, Parts, for_mind
from whoknew.worlds.document import given
from whoknew.worlds.question import Question

ASKING_AGAIN = ("again", "reword")
"""The prompts of what is asked for again."""

ANSWERING = ("answer", *ASKING_AGAIN)
"""The prompts of every answer."""

ACTING = ("act", "exits", "offers", *ASKING_AGAIN)
"""The prompts of who plays in a scene."""

_encode = msgspec.json.Encoder(order="deterministic").encode


class ExamMemory(Struct, frozen=True):
    """A memory that is written, and so is derived where a world holds none: by a seat that has nothing
    but what decides what it keeps. Arms that agree in that share it. `keeps` is the strategy of its
    notes, where it says so; `before_turns` tells when they are kept. One `of_story` is a control, and
    kept once for all who are in a world."""

    seat: Seat
    keeps: str
    settings: dict[str, Any]
    digest: str
    before_turns: bool = False
    of_story: bool = False


class ExamArm(Struct, frozen=True):
    """One way to answer, or to play. `settings` is all that decides what comes of it, `digest` that of
    them: two arms with the same are one. In scenes it has a seat for each of its `sides`."""

    name: str
    seat: ExamSeat
    settings: dict[str, Any]
    digest: str
    memory: ExamMemory | None = None
    sides: dict[str, Seat] = {}

    @property
    def seats(self) -> list[Seat]:
        return list(self.sides.values()) or [self.seat]

    @property
    def models(self) -> list[str]:
        """Those that it asks, or has asked for what its memory keeps."""
        asking = [
            model for seat in self.seats if seat.thinks or not self.sides for model in seat.models
        ]
        writing = self.memory.seat.models if self.memory else ()
        return list(dict.fromkeys([*asking, *writing]))

    def told(self, key: str) -> str:
        """What its seats have under a key, in words."""
        return " against ".join(dict.fromkeys(str(getattr(seat, key)) for seat in self.seats))


class ExamJudge(Struct, frozen=True):
    """One who judges answers, likewise."""

    name: str
    judging: Judging
    settings: dict[str, Any]
    digest: str
    entry: JudgeEntry

    def takes(self, score: float) -> bool:
        """Whether a score is half of its scale, or more."""
        least, most = self.entry.marks()
        return bool(score >= (least + most) / 2)

    def can_judge(self, question: Question) -> bool:
        """Whether the question has what it needs."""
        if self.entry.own_words and question.choices:
            return False
        return all(getattr(question, need) for need in self.entry.needed())


def arms_of(plan: ExamPlan, data: Mapping[str, Any]) -> list[ExamArm]:
    """The arms of an exam of questions."""
    return [arm_of(name, seat) for name, seat in seats_of(plan, data)]


def seats_of(plan: ExamPlan, data: Mapping[str, Any]) -> list[tuple[str, ExamSeat]]:
    """Each of the grid's models with each of its memories and methods; then those that are named.
    `data` is the document of the plan: what an arm does not say is as everyone's, or else as the
    first of the grid."""
    grid, usual = plan.grid, plan.usual
    models = grid.models or (usual.model,)
    memories = grid.memories or (usual.memory,)
    methods = grid.methods or (usual.method,)
    first = replace(usual, model=models[0], memory=memories[0], method=methods[0])
    seats: list[tuple[str, ExamSeat]] = []
    if grid.models or grid.memories or grid.methods:
        seats += [
            (
                _named(model, memory, method, plan),
                replace(usual, model=model, memory=memory, method=method),
            )
            for model in models
            for memory in memories
            for method in methods
        ]
    for name, seat in plan.arms.items():
        said = given(data, "arms", name)
        own = seat_over(first, seat, said)
        seats.append((name, replace(own, writer=seat.writer) if "writer" in said else own))
    return seats


def arm_of(name: str, seat: ExamSeat) -> ExamArm:
    settings = {
        **_thinking(seat),
        "prompts": _prompts(*ANSWERING, *METHODS.entry(seat.method).prompts),
    }
    if memory := memory_of(seat):
        keys = ("prompts", "steps", *(["model"] if memory.seat.model != seat.model else []))
        settings["remembering"] = {key: memory.settings[key] for key in keys}
    return ExamArm(name, seat, settings, digest_of(settings), memory)


def memory_of(seat: ExamSeat) -> ExamMemory | None:
    """The memory of a seat, if it is one that is written: known by the model that writes it, whoever
    answers by it."""
    entry = for_mind(seat.memory).made(seat.memory, seat.settings.get(seat.memory, {}))
    if not (entry.keeps or entry.calls_an_episode):
        return None
    ours = {seat.memory: seat.settings[seat.memory]} if seat.memory in seat.settings else {}
    writer = seat.own_model or seat.writer or seat.model
    embeds_only = 0 < entry.vectors_an_episode == entry.calls_an_episode
    writing = Seat(
        model=seat.embedder if embeds_only else writer,
        memory=seat.memory,
        reasks=seat.reasks,
        settings=ours,
    )
    part = _part(for_mind(seat.memory), seat.memory, seat.settings.get(seat.memory, {}))
    keeping = {key: value for key, value in part.items() if key not in entry.recalls}
    settings = {
        "model": known_model(writing.model),
        "memory": {**keeping, "name": entry.keeper or seat.memory},
        "prompts": _prompts(*ASKING_AGAIN, *entry.prompts),
        "reasks": seat.reasks,
        "steps": STEPS_BEFORE_TURNS if entry.before_turns else STEPS,
    }
    return ExamMemory(
        writing,
        entry.keeps,
        settings,
        digest_of(settings),
        entry.before_turns,
        of_story=isinstance(entry, StoryBookmarksEntry),
    )


def memories_of(arms: Iterable[ExamArm]) -> list[ExamMemory]:
    """Those of the arms, each once."""
    return list({arm.memory.digest: arm.memory for arm in arms if arm.memory}.values())


def sharing(memory: ExamMemory, arms: Iterable[ExamArm]) -> tuple[str, ...]:
    """The names of the arms that have this memory."""
    return tuple(arm.name for arm in arms if arm.memory and arm.memory.digest == memory.digest)


def acting(seat: Seat) -> dict[str, Any]:
    """All that decides what a seat does in a scene: as much of it as its agent makes use of."""
    found: dict[str, Any] = {"agent": _seated(AGENTS, seat)}
    if seat.lines:
        found["lines"] = seat.lines
    if not seat.thinks:
        return found
    memory = MEMORIES.made(seat.memory, seat.settings.get(seat.memory, {}))
    prompts = _prompts(*ACTING, *memory.prompts, *METHODS.entry(seat.method).prompts)
    return {**found, **_thinking(seat), "prompts": prompts}


def _thinking(seat: Seat) -> dict[str, Any]:
    """What decides how a mind thinks, but for what it is told."""
    keys = ("reasks", "budget", "temperature", "top_p", "max_tokens", "seed")
    return {
        "model": known_model(seat.model),
        "memory": _part(for_mind(seat.memory), seat.memory, seat.settings.get(seat.memory, {})),
        "method": _seated(METHODS, seat),
        **{key: getattr(seat, key) for key in keys},
        **({"guard": msgspec.to_builtins(seat.guarding)} if seat.guarding else {}),
    }


def judges_of(plan: ExamPlan, usual: Mapping[str, Judging] = {}) -> list[ExamJudge]:
    """Those of a plan, or else the usual ones."""
    return [judge_of(name, judging) for name, judging in (plan.judges or usual).items()]


def judge_of(name: str, judging: Judging) -> ExamJudge:
    settings: dict[str, Any] = {"by": _part(JUDGES, judging.by, judging.settings)}
    made: JudgeEntry = JUDGES.made(judging.by, judging.settings)
    if judging.asks:
        asking = _prompts(*ASKING_AGAIN, *made.prompts())
        settings |= {"model": known_model(judging.model), "prompts": asking}
        settings |= {key: getattr(judging, key) for key in ("reasks", "temperature", "max_tokens")}
    return ExamJudge(name, judging, settings, digest_of(settings), made)


def digest_of(settings: Mapping[str, Any]) -> str:
    """Short enough to be read, long enough for the arms of one exam."""
    return hashlib.sha256(_encode(settings)).hexdigest()[:16]


def differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What of these settings is not the same, in words; whether or not they were written and read."""
    was, is_ = (dict(_leaves("", msgspec.json.decode(_encode(one)))) for one in (before, now))
    for key in dict.fromkeys([*was, *is_]):
        if was.get(key) != is_.get(key):
            yield f"{key} was {_shown(was.get(key))} and is {_shown(is_.get(key))}"


def _named(model: str, memory: str, method: str, plan: ExamPlan) -> str:
    """A name of what differs in the grid."""
    grid = plan.grid
    called = registry.model(model).name if model != OFFLINE else "offline"
    parts = [
        name
        for name, several in (
            (called, grid.models),
            (memory, grid.memories),
            (method, grid.methods),
        )
        if len(several) > 1
    ]
    name = "-".join(parts) or memory
    return f"{UNSAFE}{name.replace(UNSAFE, '')}" if is_unsafe(memory) else name


def known_model(address: str) -> dict[str, Any]:
    """A model is known by its name, wherever it is reached."""
    entry = registry.model(address)
    return {"name": entry.name, "version": entry.version}


def _seated(parts: Parts, seat: Seat) -> dict[str, Any]:
    name = getattr(seat, parts.what)
    return _part(parts, name, seat.settings.get(name, {}))


def _part(parts: Parts, name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "version": parts.entry(name).version,
        **parts.settings(name, settings),
    }


def _prompts(*names: str) -> str:
    """The digest of what all prompts of a purpose say, and of how they are put together."""
    return digest_of({"layout": briefing.VERSION, **{name: prompt(name) for name in names}})


def _leaves(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield key, value
        return
    for name, inner in value.items():
        yield from _leaves(f"{key}.{name}" if key else name, inner)


def _shown(value: object) -> str:
    return "not set" if value is None else repr(value)
