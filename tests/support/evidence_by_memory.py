"""LoCoMo: what part of the evidence a memory brings to mind, of talks that are all over."""

from __future__ import annotations

from collections import defaultdict
from itertools import count, groupby, islice
from pathlib import Path
from time import perf_counter

from msgspec import Struct
from recall_evidence import Shares, as_said

from whoknew.agents.memories.memory import Memory, MemoryEntry
from whoknew.agents.models.model import EMBED, Model, Reply, Request, tokens_of
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.eventlog import Draft, Log, View, open_log
from whoknew.eventlog.kinds import EpisodeOpened, Remembered
from whoknew.testing.occasion import occasion
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.importers.locomo import worlds_of
from whoknew.worlds.question import Question


class Brought(Struct):
    """What a memory came to: of each question what part of the evidence was found, by kind; calls that
    were made to remember; of all questions the tokens that came to mind, and the seconds it took."""

    shares: Shares
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0

    @property
    def questions(self) -> int:
        return sum(map(len, self.shares.values()))


class Known:
    """Models by their purpose: for vectors one that computes each once, however many memories ask, and
    says each time how long that took."""

    name = "known:"

    def __init__(self, embedding: Model) -> None:
        self._embedding, self._offline = embedding, Offline()
        self._replies: dict[str, Reply] = {}
        self.calls, self.seconds = 0, 0.0

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        if request.purpose != EMBED:
            return await self._offline.complete(request)
        begun = perf_counter()
        if request.digest not in self._replies:
            self._replies[request.digest] = await self._embedding.complete(request)
        reply = self._replies[request.digest]
        self.seconds += reply.seconds - (perf_counter() - begun)
        return reply


async def brought(
    data: Path, entry: MemoryEntry, model: Known, every: int = 1, talks: int | None = None
) -> Brought:
    """Every so many of the questions, of so many talks, asked when the last session is over, too."""
    found, numbers = Brought(defaultdict(list)), count()
    for world in islice(worlds_of(data / "locomo.json"), talks):
        async with open_log(":memory:") as log:
            who = world.questions[0].character
            before = model.calls
            await _lived(log, world, who, entry, model)
            found.calls += model.calls - before
            view, memory = await log.view(world.name, who), entry.make(Owner(who=who))
            events = enumerate(await view.events(), start=1)
            places = {str(event.source): place for place, event in events}
            await memory.recollect(await occasion(view, "Hello", model=model))  # it is built once
            for question in world.questions:
                evidence = {places[str(one)] for some in question.evidence for one in some}
                if evidence and next(numbers) % every == 0:
                    await _ask(view, memory, question, evidence, model, found)
    return found


async def _lived(
    log: Log, world: ImportedWorld, who: str, entry: MemoryEntry, model: Model
) -> None:
    """The talks as they were, what the memory keeps after each, and that another begins."""
    memory = entry.make(Owner(who=who))
    drafts = [one for one in map(as_said, world.drafts) if one]
    for episode, some in groupby(drafts, key=lambda draft: draft.episode):
        last = list(some)
        await log.append(world.name, last)
        if episode:
            view = await log.view(world.name, who)
            notes = await memory.remember(await occasion(view, model=model))
            upto = view.cursor.seq
            for note in notes:
                seqs = tuple(view.seq(place) for place in note.sources)
                kept = Remembered(who, note.strategy, note.text, seqs, upto, note.packed)
                draft = Draft(kept, episode=episode, actor=who, witnesses=(who,))
                await log.append(world.name, [draft])
    later = EpisodeOpened("Later.", (who,))
    await log.append(world.name, [Draft(later, episode=drafts[-1].episode + 1, witnesses=(who,))])


async def _ask(
    view: View,
    memory: Memory,
    question: Question,
    evidence: set[int],
    model: Known,
    found: Brought,
) -> None:
    now = await occasion(view, question.question, model=model)
    begun, model.seconds = perf_counter(), 0.0
    recollection = await memory.recollect(now)
    found.seconds += perf_counter() - begun + model.seconds
    found.tokens += tokens_of(recollection.text)
    there = set(recollection.places)
    for event in await view.pick(recollection.places):
        if isinstance(event.body, Remembered):
            there |= {place for seq in event.body.sources if (place := view.place(seq))}
    found.shares[question.kind].append(len(there & evidence) / len(evidence))
