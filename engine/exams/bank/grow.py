"""More scenarios for a bank, written by a model: checked, told from copies, and kept with where they
come from."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadAnswer, BadReply, ModelError
from whoknew.agents.lines import quoted
from whoknew.agents.methods.method import insist
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.model import Message, Model, Reply, Request, Sampling
from whoknew.agents.parts import REASKS
from whoknew.agents.prompts.text import filled, prompt
from whoknew.agents.understand import understand
from whoknew.engine.errors import CannotGrow
from whoknew.engine.exams.files import write_files
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.running.models import model_at
from whoknew.worlds import shelf
from whoknew.worlds.bank import Bank, Origin, Sketch, near_copy, sketch_faults
from whoknew.worlds.toml_text import toml_of

SHOWN = 5
"""So many sketches of the bank a model is shown."""

TRIES = 3
"""A sketch that cannot be had is tried so many times, each with others shown."""

INSPIRATIONS = tuple(prompt("inspirations").splitlines())


class Invented(Struct, frozen=True):
    """What a model answers."""

    name: str
    text: str
    over: str
    goals: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...] = ()


class GrowResult(Struct, frozen=True, kw_only=True):
    """What came of it: the sketches that are new, and why others were not taken."""

    file: str
    bank: str
    sketches: tuple[Sketch, ...]
    refused: tuple[str, ...]
    calls: int
    error: str | None = None
    """Why the model could not be asked any more."""


async def grow(
    name: str,
    out: Path,
    model: str,
    count: int,
    inspiration: str | None = None,
    seed: int = 1,
    reasks: int = REASKS,
) -> GrowResult:
    """Have a model write so many more; together they stand in a file of their own, which is gone on
    with where it is there."""
    if model == OFFLINE:
        raise CannotGrow(
            "offline: only repeats what it was told: name a model that can write (--model)"
        )
    bank = shelf.find_bank(name)
    there = _there(out, bank)
    known = [*bank.sketches, *there.sketches]
    made: list[Sketch] = []
    refused: list[str] = []
    error: str | None = None
    async with AsyncExitStack() as opened:
        counting = Counting(await model_at(model, ModelSettings(), opened))
        for number in range(count):
            for again in range(TRIES):
                chance = Random(f"{seed}/{len(there.sketches)}/{number}/{again}")
                try:
                    one = await _invented(counting, bank, known, chance, inspiration, reasks)
                except (BadAnswer, BadReply) as wrong:
                    refused.append(str(wrong))
                    continue
                except ModelError as gone:
                    error = str(gone)
                    break
                made.append(one)
                known.append(one)
                text = toml_of(replace(there, sketches=(*there.sketches, *made)))
                write_files(out.parent, {out.name: text.encode()})
                break
            if error:
                break
    return GrowResult(
        file=str(out),
        bank=bank.name,
        sketches=tuple(made),
        refused=tuple(refused),
        calls=counting.calls,
        error=error,
    )


def _there(out: Path, bank: Bank) -> Bank:
    """What the file holds already; what cannot be gone on with is told before anybody is asked."""
    if not out.absolute().parent.is_dir():
        raise CannotGrow(f"{out}: there is no folder {out.parent}: make it, or name another file")
    if not out.exists():
        return Bank(out.stem, bank.relationship, (), bank.about)
    there = shelf.find_bank(str(out.absolute()))
    if there.relationship != bank.relationship:
        raise CannotGrow(
            f"{out} holds scenarios for {there.relationship!r}, but {bank.name!r} is for "
            f"{bank.relationship!r}: name another file"
        )
    return there


class Counting:
    """A model whose calls are counted."""

    def __init__(self, model: Model) -> None:
        self.name, self._model, self.calls = model.name, model, 0

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        return await self._model.complete(request)


async def _invented(
    model: Counting,
    bank: Bank,
    known: list[Sketch],
    chance: Random,
    inspiration: str | None,
    reasks: int,
) -> Sketch:
    """One sketch that is sound and no copy; BadAnswer where none can be had."""
    plain = [one for one in bank.sketches if not one.pool and not one.hard]
    shown = chance.sample(plain, min(SHOWN, len(plain)))
    moved = inspiration or chance.choice(INSPIRATIONS)
    messages = (
        Message("system", filled("invent", relationship=_called(bank.relationship))),
        Message("user", _asked(shown, moved)),
    )
    request = Request("invent", messages, Invented, Sampling(temperature=1.0))
    origin = Origin(model.name, tuple(one.name for one in shown), moved, request.digest)

    def read(text: str) -> Sketch:
        said = understand(text, Invented)
        one = Sketch(said.name, said.text, said.over, said.goals, said.lines, origin=origin)
        if wrong := next(sketch_faults(one, "it"), None):
            raise BadAnswer(": ".join(wrong) + ".")
        if one.name in [other.name for other in known]:
            raise BadAnswer(f'"name" is {one.name!r}, as another one is: give another name.')
        if copied := near_copy(one, known):
            raise BadAnswer(f"it is nearly a copy of {copied!r}: tell another story.")
        return one

    return await insist(model, request, read, reasks)


def _asked(shown: list[Sketch], inspiration: str) -> str:
    examples = [
        quoted(Invented(one.name, one.text, one.over, one.goals, one.lines)) for one in shown
    ]
    return "\n\n".join(
        [
            "# Examples",
            *examples,
            f"# Let this inspire you\n{quoted(inspiration)}",
            "Write one scenario that is like none of these.",
        ]
    )


def _called(relationship: str) -> str:
    return {
        "stranger": "strangers",
        "known by name": "known by name",
        "acquaintance": "acquaintances",
        "friend": "friends",
        "romantic": "a couple",
        "family": "relatives",
    }[relationship]
