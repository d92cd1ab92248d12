"""A model reads what was said in a world, speech by speech, and says what each tells of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

from msgspec import Struct

from whoknew.agents.errors import BadAnswer, BadReply, ModelError
from whoknew.agents.lines import line, one_line
from whoknew.agents.methods.method import insist
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.model import Message, Model, Request, Sampling
from whoknew.agents.prompts.text import prompt
from whoknew.agents.understand import understand
from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.records import Records, is_heard
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.running.journal import Journal
from whoknew.engine.running.models import model_at
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Called, Failed, TellingFound, TellingsSought, Traced
from whoknew.eventlog.logger import logged_with
from whoknew.eventlog.recall import Postings

PURPOSE = "tellings"
REASKS = 2
PAGE = 500
NEAREST, NEWEST = 12, 6
"""So many earlier events are put before the model: those that share most with the speech, and those
right before it."""
SEARCHED = 4 * NEAREST
"""Of so many of the nearest, those are taken that somebody who hears the speech did not witness."""


class Claim(Struct, frozen=True):
    """What a model says that a speech tells of."""

    event: int
    hearers: tuple[str, ...]
    quote: str
    sure: float
    otherwise: str = ""


class Claims(Struct, frozen=True):
    told: tuple[Claim, ...]


class ModelReport(Struct, frozen=True, kw_only=True):
    """What came of a reading: of the `speeches` that were asked about `found` tellings; those `unread` ones
    could not be read, each for a reason. With an `error` it ended early, and the same again goes on from
    there."""

    world: str
    model: str
    speeches: int = 0
    found: int = 0
    unread: dict[int, str] = {}
    calls: int = 0
    error: str | None = None


Watch = Callable[[int, int], None]


async def read_tellings(
    log: Log,
    world: str,
    address: str,
    *,
    settings: ModelSettings | None = None,
    watch: Watch = lambda done, head: None,
) -> ModelReport:
    """Have a model read what was said since it last did, and write what it finds, speech by speech,
    with its calls: ended at any moment, nothing is asked twice."""
    if address == OFFLINE:
        raise BadQuestion(
            f"{OFFLINE} is no reader of speeches: without a model, tellings are found by rule"
        )
    head = (await log.lineage.find(world)).head
    records = Records()
    for event in await log.lineage.all_tellings(world, 0):
        records.take(event)
    settings = settings or ModelSettings()
    async with AsyncExitStack() as opened:
        model, calls = await model_at(address, settings, opened), list[Called]()
        journal = Journal(model, calls, settings)
        reader = _Reader(records, journal, calls)
        error: str | None = None
        sought = records.sought.get(reader.finder, 0)
        async for speech, earlier in _speeches(log, world, sought, head):
            with logged_with(world=world):
                try:
                    drafts, error = await reader.read(speech, earlier)
                except asyncio.CancelledError:  # what was asked may have been paid for (law 6)
                    await log.append(world, reader.asked(speech))
                    raise
            await log.append(world, drafts)
            if error is not None:
                break
            watch(speech.seq, head)
        if error is None and reader.unread and not sought and not journal.answered:
            error = list(reader.unread.values())[-1]
        if error is None and sought < head and reader.speeches:
            await log.append(world, [Draft(TellingsSought(head, reader.finder))])
    return ModelReport(
        world=world,
        model=reader.model.name,
        speeches=reader.speeches,
        found=reader.found,
        unread=reader.unread,
        calls=reader.made,
        error=error,
    )


class _Reader:
    """Reads one speech after another, and counts what comes of them."""

    def __init__(self, records: Records, model: Journal, calls: list[Called]) -> None:
        self._records, self.model, self._calls = records, model, calls
        self.finder = f"model {model.name}"
        self.speeches = self.found = self.made = 0
        self.unread: dict[int, str] = {}

    async def read(self, speech: Event, earlier: Sequence[Event]) -> tuple[list[Draft], str | None]:
        """The calls for a speech and what it tells of, to be written; and why that cannot be had now, if
        it cannot. A speech of which the model says nothing that makes sense was read all the same. One
        that it refuses to read counts as read once it reads a later one."""
        told: list[Draft] = []
        read = [Draft(TellingsSought(speech.seq, self.finder))]
        try:
            claims = await _asked(self.model, speech, earlier)
            drafts = (_draft(speech, earlier, claim) for claim in claims.told)
            told = [draft for draft in drafts if not _is_settled(self._records, draft)]
            self.found += len(told)
        except (BadAnswer, BadReply) as bad:
            self.unread[speech.seq] = str(bad)
            told = [Draft(Failed(PURPOSE, str(bad)), cause=speech.seq)]
        except ModelError as failed:
            why, read = str(failed), []
            told = [Draft(Failed(PURPOSE, why), cause=speech.seq)]
            if not self.model.goes_on_past(failed):
                return [*self.asked(speech), *told], why
            self.unread[speech.seq] = why
        self.speeches += 1
        return [*self.asked(speech), *told, *read], None

    def asked(self, speech: Event) -> list[Draft]:
        """The calls that were made for a speech, each once."""
        self.made += len(self._calls)
        asked = [Draft(call, cause=speech.seq) for call in self._calls]
        self._calls.clear()
        return asked


def request(speech: Event, earlier: Sequence[Event]) -> Request:
    """The speech, who hears it, and what it may tell of, numbered from one."""
    hearers = ", ".join(map(one_line, _hearers(speech)))
    lines = [str(line(number, event)) for number, event in enumerate(earlier, start=1)]
    said = str(line(0, speech)).removeprefix("[0] ")
    text = "\n".join(["The speech", said, "", f"Heard by {hearers}", "", "Earlier events", *lines])
    messages = (Message("system", prompt("tellings")), Message("user", text))
    return Request(PURPOSE, messages, Claims, Sampling(temperature=0.0))


async def _asked(model: Model, speech: Event, earlier: Sequence[Event]) -> Claims:
    def read(text: str) -> Claims:
        claims = understand(text, Claims)
        for claim in claims.told:
            _check(claim, speech, earlier)
        return claims

    return await insist(model, request(speech, earlier), read, REASKS)


def _check(claim: Claim, speech: Event, earlier: Sequence[Event]) -> None:
    """That a claim is of what the model was given; else it is asked anew, told why."""
    if not 1 <= claim.event <= len(earlier):
        raise BadAnswer(f'"event" is {claim.event}, which is none of 1 to {len(earlier)}.')
    if unknown := sorted(set(claim.hearers).difference(_hearers(speech))):
        raise BadAnswer(f"{', '.join(unknown)} did not hear the speech.")
    if not claim.hearers:
        raise BadAnswer(f'"hearers" of event {claim.event} is empty: leave the event out.')
    if not 0 <= claim.sure <= 1:
        raise BadAnswer(f'"sure" is {claim.sure:g}: give a number from 0 to 1.')
    if not claim.quote.strip() or _plain(claim.quote) not in _plain(speech.body.words):
        raise BadAnswer(f"the quote {claim.quote[:100]!r} does not stand in the speech.")


def _draft(speech: Event, earlier: Sequence[Event], claim: Claim) -> Draft:
    body = TellingFound(
        earlier[claim.event - 1].seq,
        speech.teller,
        claim.hearers,
        score=round(claim.sure, 2),
        origin="model",
        why=f"says {claim.quote!r}",
        otherwise=claim.otherwise.strip(),
    )
    return Draft(body, cause=speech.seq)


def _is_settled(records: Records, draft: Draft) -> bool:
    """Whether a person has said how it is."""
    body = draft.body
    assert isinstance(body, TellingFound)
    known = records.standing.get((draft.cause or 0, body.fact))
    return known is not None and known.origin == "person"


async def _speeches(
    log: Log, world: str, sought: int, head: int
) -> AsyncIterator[tuple[Event, list[Event]]]:
    """What was said past a seq to hearers who did not witness all that was before; and as much of
    that as the model is asked about."""
    kept, postings = list[Event](), Postings()
    for after in range(0, head, PAGE):
        upto = AtSeq(min(after + PAGE, head))
        events = [event async for event in log.read(world, AtSeq(after), upto)]
        for event in events:
            if not is_heard(event) or not isinstance(event.body, Acted | Traced):
                continue
            heard = event.seq > sought and event.body.words and _hearers(event)
            if heard and (earlier := await asyncio.to_thread(_earlier, event, kept, postings)):
                yield event, earlier
            kept.append(event)
            postings.extend([event])


def _earlier(speech: Event, kept: Sequence[Event], postings: Postings) -> list[Event]:
    """The nearest and the newest events that not all of the speech's hearers witnessed."""
    hearers = _hearers(speech)
    there = len(kept)
    nearest = postings.search(speech.body.words, there, SEARCHED) if there else []
    chosen = [one.number for one in nearest if _is_new(kept[one.number], hearers)][:NEAREST]
    newest = (n for n in reversed(range(max(0, there - SEARCHED), there)))
    chosen += [n for n in newest if _is_new(kept[n], hearers)][:NEWEST]
    return [kept[number] for number in sorted(set(chosen))]


def _is_new(event: Event, hearers: Sequence[str]) -> bool:
    return bool(event.body.words) and not set(hearers) <= set(event.witnesses)


def _hearers(speech: Event) -> list[str]:
    return [name for name in speech.witnesses if name != speech.teller]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
