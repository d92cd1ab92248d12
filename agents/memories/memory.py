"""The port to a memory: how a view becomes a recollection that fits into a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Protocol

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadPart
from whoknew.agents.life import Life
from whoknew.agents.lines import Line
from whoknew.agents.memories.life_extent import LifeExtent
from whoknew.agents.models.model import Model, tokens_of
from whoknew.agents.parts import Entry, Owner, awaited, wrong
from whoknew.eventlog import View


class Piece(Struct, frozen=True):
    """One thing that comes to mind, with the places in the view that it rests on. It may have no words
    of its own; where its text is a Line, a model can read of it who said what. Where not all fits in,
    those of the lowest rank are left out."""

    text: str
    places: Sequence[int]
    rank: float = 0.0


class Recollection(Struct, frozen=True, dict=True):
    """What comes to mind, piece by piece. `left_out` tells how many tokens more there would have been,
    had the budget allowed."""

    pieces: tuple[Piece, ...] = ()
    left_out: int = 0
    adapter: str = ""
    """The digest of an artefact, where what comes to mind stands in weights: only a model that takes one
    can answer by it."""

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple([piece.text for piece in self.pieces if piece.text])

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def places(self) -> tuple[int, ...]:
        return tuple(sorted({place for piece in self.pieces for place in piece.places}))


class Occasion(Struct, frozen=True, kw_only=True):
    """What a memory is given whenever something is to come to mind, or to be kept.

    `about` is what goes on now, in words, or the `question` that is asked, where one is; `budget` how
    many tokens what comes to mind may take (None: as many as it likes). What is asked of `model` is on
    the log as a call of its character.
    """

    view: View
    life: Life
    model: Model
    about: str = ""
    question: str = ""
    budget: int | None = None

    @property
    def before(self) -> int:
        """The place of the last event before the newest episode; the last of all, where there is none."""
        return self.life.now.first - 1 if self.life.now else len(self.view)


class Memory(Protocol):
    """One memory serves one character. What it keeps is a fold of the view: made anew from the
    whole view it says the same (law 5). What it wants to keep beyond that it gives as notes, which
    stand in the view from then on."""

    async def recollect(self, now: Occasion) -> Recollection:
        """What comes to mind of the episodes before this one."""
        ...

    async def before_turn(self, now: Occasion) -> tuple[Note, ...]:
        """What is to be kept before its character acts; nothing, unless a memory says otherwise."""
        return ()

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        """What is to be kept of the episode that is about to close; nothing, unless a memory says
        otherwise."""
        return ()


async def recollected(memory: Memory, now: Occasion) -> Recollection:
    """What a memory brings to mind: a memory that does not keep to its budget is at fault."""
    given: object = await awaited(memory.recollect, now)
    if type(given) is not Recollection:
        raise wrong(memory, "recollect", "Recollection", type(given).__name__)
    if type(given.left_out) is not int or given.left_out < 0:
        raise wrong(memory, "recollect", "what it left out in tokens", repr(given.left_out))
    if not isinstance(given.pieces, (tuple, list)):
        raise wrong(memory, "recollect", "a tuple of Piece", type(given.pieces).__name__)
    for piece in given.pieces:  # of a class of its own one could say less than what is counted
        if type(piece) is not Piece or type(piece.text) not in (str, Line):
            raise wrong(memory, "recollect", "pieces, each a Piece with a text", repr(piece)[:80])
    if type(given.adapter) is not str:
        raise wrong(memory, "recollect", "the digest of an adapter", repr(given.adapter)[:80])
    found = Recollection(tuple(given.pieces), given.left_out, given.adapter)
    if now.budget is not None and (tokens := tokens_of(found.text)) > now.budget:
        raise BadPart(
            f"{type(memory).__name__} brings {tokens:,} tokens to mind where its budget is "
            f"{now.budget:,}: it has to leave something out"
        )
    return found


class MemoryEntry(Entry, frozen=True):
    """How a plan names a memory: its fields are the memory's settings. What hangs on those, such as how
    many calls it makes, can be a property."""

    calls_a_turn: ClassVar[int] = 0
    """The calls that it makes before and while something comes to mind for one turn, or about as many,
    where `most_before_turn` and `most_calls` say more; each answer may be asked for again."""
    looks_a_turn: ClassVar[int] = 0
    """As many of them only look something over."""
    vectors_a_turn: ClassVar[int] = 0
    """As many of them ask its embedder."""
    calls_an_episode: ClassVar[int] = 0
    """The calls that it makes when an episode closes, or as many at most, where `calls_closing` or
    `most_closing` say less."""
    vectors_an_episode: ClassVar[int] = 0
    """As many of them ask its embedder."""
    before_turns: ClassVar[bool] = False
    """Whether it keeps something before each turn of its character, rather than when an episode
    closes."""
    keeps: ClassVar[str] = ""
    """The strategy of the notes that it keeps when an episode closes, by which it knows its own: those of
    others are none of its business. Nothing: whatever its character noted is taken for its own."""
    recalls: ClassVar[tuple[str, ...]] = ()
    """Those of its settings that decide what comes to mind alone, and nothing of what it keeps: arms of
    an exam that differ in no other share what was kept."""
    in_weights: ClassVar[bool] = False
    """Whether it stands in weights, and not in the prompt: its character's model has to take adapters."""
    keeper: ClassVar[str] = ""
    """The name under which exams know what it keeps, where memories of several names keep the same."""
    prompts: ClassVar[tuple[str, ...]] = ()
    """The files of `agents/prompts` that decide what it keeps."""
    model: ClassVar[str] = ""
    """The address of the model that it asks, as a setting of that name, where that is not its
    character's: such a memory finds it in its Occasion."""

    small: ClassVar[str] = ""
    """The address of a model that looks things over for it (requests with the purpose LOOK), as a setting
    of that name, where that is another."""
    embedder: ClassVar[str] = ""
    """The address of a model that gives it vectors (requests with the purpose EMBED), likewise."""

    def most_before_turn(self, life: LifeExtent) -> int:
        """The most calls before one turn in such a life, where each is understood at once."""
        return self.calls_a_turn if self.before_turns else 0

    def most_calls(self, life: LifeExtent) -> int:
        """The most while something comes to mind for one turn, or for one question."""
        return self.calls_a_turn

    def most_closing(self, life: LifeExtent) -> int:
        """The most when an episode closes in such a life."""
        return self.calls_an_episode

    def calls_closing(self, before: float, after: float) -> float:
        """About as many when an episode closes before which its character had so many acts, and now has so
        many."""
        return self.calls_an_episode

    def make(self, owner: Owner) -> Memory:
        raise NotImplementedError


def recollection(pieces: Sequence[Piece], budget: int | None) -> Recollection:
    """As many of the pieces as the budget allows, in their order: the ones of higher rank first, of
    equal rank the later ones, up to the first that has no room. A piece is taken whole or not at all."""
    whole = Recollection(tuple(pieces))
    if budget is None:
        return whole
    kept = _within(pieces, budget)
    if len(kept) == len(pieces):
        return whole
    chosen = Recollection(tuple(pieces[at] for at in kept))
    return replace(chosen, left_out=tokens_of(whole.text) - tokens_of(chosen.text))


def _within(pieces: Sequence[Piece], budget: int) -> list[int]:
    room, kept, full = budget, list[int](), None
    for at in sorted(range(len(pieces)), key=lambda at: (pieces[at].rank, at), reverse=True):
        rank = pieces[at].rank
        if rank == full:
            continue
        cost = tokens_of(f"{pieces[at].text}\n")
        if cost <= room:
            room -= cost
            kept.append(at)
        else:
            full = rank  # what is earlier and as good would stand behind a gap
    return sorted(kept)
