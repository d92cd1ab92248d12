"""Memory that is derived for an exam: of characters whose worlds hold none, as imported ones do.

It is built once for each character, memory and model, step by step, by folding the character's view
in order; it stands on the exam's own log, for all questions of all cells that need it. At a cursor
only the steps before it count.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

from msgspec import Struct

from whoknew.agents.agent import Note
from whoknew.agents.memories.life_extent import LifeExtent
from whoknew.agents.models.model import Model
from whoknew.engine.asking.putting import past_of
from whoknew.engine.exams.arms import ExamMemory
from whoknew.engine.exams.by_world import ByWorld
from whoknew.engine.exams.cells import Cell, digest_key
from whoknew.engine.exams.noted_life import NotedLife
from whoknew.engine.exams.remembered_life import RememberedLife, StoryLife
from whoknew.engine.exams.whole_story import NOBODY, story_of
from whoknew.eventlog import Log, View
from whoknew.eventlog.machinery import MemoryDerived
from whoknew.worlds.question import Question

LIVES = 64
"""Of so many characters what they remember is kept at hand: questions come world by world."""


class LifeStep(Struct, frozen=True, kw_only=True):
    """A stretch of a life that is over: what its memory keeps of it is known under `key`. `life` ends
    with the last event of it, which is `upto` in its world, and `hash` vouches for all up to there."""

    key: str
    memory: ExamMemory
    who: str
    world: str
    upto: int
    hash: str
    life: NotedLife
    length: LifeExtent
    """How long the life is up to there."""
    remember: Callable[[Model], Awaitable[Sequence[Note]]]
    """What its memory keeps of it, by a model."""


Keeping = Callable[[LifeStep], Awaitable[Sequence[MemoryDerived]]]
"""What a memory keeps of a step: as it stands on the log, or asked for now."""


LifeKey = tuple[str, str, str]
"""A memory, a world, and whose life in it."""


def life_of(memory: ExamMemory, question: Question) -> LifeKey:
    """On which life with a memory an answer rests."""
    who = NOBODY if memory.of_story else question.character
    return memory.digest, question.world, who


def latest(cells: Iterable[Cell]) -> list[Cell]:
    """Of each memory and each character the cell that needs most of it."""
    found: dict[LifeKey, Cell] = {}
    for cell in cells:
        if memory := cell.arm.memory:
            key = life_of(memory, cell.unit.asked.question)
            if key not in found or found[key].unit.seq < cell.unit.seq:
                found[key] = cell
    return list(found.values())


class Remembering:
    """The memories of an exam. `keeping` is asked of a life for one step after another, and never for
    the same one while it is being asked."""

    def __init__(self, material: Log, keeping: Keeping) -> None:
        self._material, self._keeping = material, keeping
        self._lives: dict[LifeKey, RememberedLife] = {}
        self._stories = ByWorld(partial(story_of, material))

    async def upto(self, memory: ExamMemory, view: View) -> NotedLife:
        """The life of a view's character up to its end at least, with what its memory keeps of it."""
        return (await self._upto(memory, view)).noted

    async def story(self, memory: ExamMemory, view: View) -> StoryLife:
        """The whole story up to the end of a view at least, with what a control keeps of it."""
        life = await self._upto(memory, view)
        assert isinstance(life, StoryLife), "its memory is of the story"
        return life

    async def _upto(self, memory: ExamMemory, view: View) -> RememberedLife:
        life = await self._life(memory, view)
        lived = life.story.upto(view.cursor.seq) if isinstance(life, StoryLife) else view
        life.users += 1
        try:
            await life.go_on(lived, self._kept)
        finally:
            life.users -= 1
        return life

    async def _life(self, memory: ExamMemory, view: View) -> RememberedLife:
        world, who = view.cursor.world, NOBODY if memory.of_story else view.character
        key = (memory.digest, world, who)
        story = await self._stories.of(world) if memory.of_story else None
        life = self._lives.pop(key, None)
        if life is None and story:
            life = StoryLife(memory, world, story)
        elif life is None:
            life = RememberedLife(memory, world, who, past_of(who, memory.seat))
        self._lives[key] = life
        if len(self._lives) > LIVES:
            idle = (one for one, other in self._lives.items() if not other.users)
            if (oldest := next(idle, key)) != key:
                del self._lives[oldest]
        return life

    async def _kept(self, life: RememberedLife, who: str) -> Sequence[MemoryDerived]:
        memory, noted = life.memory, life.noted
        record = await self._material.lineage.record(noted.world, life.last)
        assert record is not None, "its event was read"
        vouching = record.hash.hex()
        step = LifeStep(
            key=digest_key("memory", memory.digest, *life.key(who), vouching),
            memory=memory,
            who=who,
            world=noted.world,
            upto=life.last,
            hash=vouching,
            life=noted,
            length=life.length,
            remember=partial(life.remember, who),
        )
        return await self._keeping(step)
