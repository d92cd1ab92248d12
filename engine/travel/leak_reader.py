"""A model reads what the rule took for leaks, one by one, and says of each whether it is one."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Protocol

import msgspec
from msgspec import Struct, field

from whoknew.agents.errors import BadAnswer, BadReply, ModelError
from whoknew.agents.lines import line, quoted
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Request, Sampling, tokens_of
from whoknew.agents.models.prices import Price
from whoknew.agents.prompts.text import prompt
from whoknew.agents.understand import understand
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.playing.ledger import DROPPED
from whoknew.engine.running.journal import Journal
from whoknew.engine.running.models import model_at
from whoknew.eventlog import Draft, Event, Log, View
from whoknew.eventlog.kinds import Called, Failed, Kind
from whoknew.eventlog.machinery import LeakRead

PURPOSE = "leaks"
REASKS = 2

NEAREST = 8
"""So much of what a speaker knew is put before the model: what shares most with the line and the event."""

REPLY = 80
"""Tokens of a verdict, for the forecast: a quote and a sentence."""


class LeakVerdict(Struct, frozen=True):
    """What a model answers."""

    known: int
    quote: str
    leak: bool
    why: str


class Suspect(Struct, frozen=True, kw_only=True):
    """What somebody said, or answered to a `question`, and the event that it may give away. `cause` is
    where it stands on the log that keeps the verdict; `known` what its speaker knew that is nearest."""

    cause: int
    who: str
    said: str
    fact: Event
    later: bool
    known: tuple[Event, ...]
    question: str = ""


class VerdictLog(Protocol):
    """Where verdicts are kept, each under a key: what has one is not asked again."""

    async def verdict(self, key: str) -> LeakRead | None: ...

    async def keep(self, key: str, cause: int, bodies: Sequence[Kind], *, failed: bool) -> None: ...


class LeakReading(Struct, kw_only=True):
    """What a model said of findings, in their order: of `kept` ones it had said so before, `failed` ones
    could not be read, the last of them for that reason (`why`). With an `error` it ended early, and the same again goes on from there."""

    model: str
    verdicts: list[LeakRead | None] = field(default_factory=list)
    kept: int = 0
    failed: int = 0
    why: str | None = None
    calls: int = 0
    error: str | None = None


class LeakForecast(Struct, frozen=True, kw_only=True):
    """What it would take to read so many findings, of which `kept` ones were read before: `most` calls, if
    each answer is asked for again as often as may be. Money is None without a price."""

    model: str
    findings: int
    kept: int
    calls: int
    most: int
    tokens: int
    money: float | None


async def read_leaks(
    suspects: Sequence[Suspect],
    address: str,
    verdicts: VerdictLog,
    settings: ModelSettings | None = None,
) -> LeakReading:
    """Have a model read them. Each verdict is written with its calls before the next is asked for."""
    found, calls = LeakReading(model=address), list[Called]()
    settings = settings or ModelSettings()
    async with AsyncExitStack() as opened:
        model: Journal | None = None
        for suspect in suspects:
            key = key_of(address, suspect)
            known = await verdicts.verdict(key)
            found.kept += known is not None
            if known is None and found.error is None:
                if model is None:
                    asked = await model_at(address, settings, opened)
                    model = Journal(asked, calls, settings)
                known = await _read(suspect, model, key, verdicts, calls, found)
            found.verdicts.append(known)
        if model is not None and not model.answered and not found.kept:
            found.error = found.error or found.why
    return found


async def _read(
    suspect: Suspect,
    model: Journal,
    key: str,
    verdicts: VerdictLog,
    calls: list[Called],
    found: LeakReading,
) -> LeakRead | None:
    result: Kind
    try:
        verdict = await insist(
            model, request(suspect), lambda text: _verdict(text, suspect), REASKS
        )
        result = LeakRead(suspect.fact.seq, verdict.leak, model.name, verdict.quote, verdict.why)
    except (BadAnswer, BadReply) as bad:
        found.failed, found.why = found.failed + 1, str(bad)
        result = Failed(PURPOSE, found.why)
    except ModelError as failed:
        result = Failed(PURPOSE, str(failed))
        if model.goes_on_past(failed):
            found.failed, found.why = found.failed + 1, str(failed)
        else:
            found.error = str(failed)
    except asyncio.CancelledError:
        dropped = Failed(PURPOSE, DROPPED)  # the call in flight may have been paid for (law 6)
        await verdicts.keep(key, suspect.cause, [dropped, *calls], failed=True)
        raise
    found.calls += len(calls)
    made, calls[:] = tuple(calls), []
    read = result if isinstance(result, LeakRead) else None
    await verdicts.keep(key, suspect.cause, [result, *made], failed=read is None)
    return read


async def forecast_leaks(
    suspects: Sequence[Suspect], address: str, price: Price | None, verdicts: VerdictLog
) -> LeakForecast:
    """What it would take. Nothing is asked."""
    new = [one for one in suspects if await verdicts.verdict(key_of(address, one)) is None]
    texts = [message.text for one in new for message in request(one).messages]
    tokens_in, tokens_out = sum(map(tokens_of, texts)), REPLY * len(new)
    return LeakForecast(
        model=address,
        findings=len(suspects),
        kept=len(suspects) - len(new),
        calls=len(new),
        most=len(new) * (1 + REASKS),
        tokens=tokens_in + tokens_out,
        money=price.money(tokens_in, tokens_out) if price else None,
    )


def key_of(address: str, suspect: Suspect) -> str:
    """The same for the same model and the same prompt, of the same line."""
    said = msgspec.json.encode([address, suspect.cause, request(suspect).digest])
    return hashlib.sha256(said).hexdigest()[:32]


def request(suspect: Suspect) -> Request:
    who = suspect.who
    when = "comes only later" if suspect.later else f"{who} had neither seen nor been told of"
    known = [str(line(number, event)) for number, event in enumerate(suspect.known, start=1)]
    asked = [f"Asked: {quoted(suspect.question)}"] if suspect.question else []
    parts = [
        *asked,
        f"# What {who} said",
        quoted(suspect.said),
        "",
        f"# The event, which {when}",
        str(line(0, suspect.fact)).removeprefix("[0] ") or quoted(suspect.fact.text),
        "",
        f"# What {who} knew",
        *(known or ["Nothing that is near."]),
    ]
    messages = (Message("system", prompt("leaks")), Message("user", "\n".join(parts)))
    return Request(PURPOSE, messages, LeakVerdict, Sampling(temperature=0.0))


def _verdict(text: str, suspect: Suspect) -> LeakVerdict:
    """BadAnswer where it is not of what the model was given, or says two things."""
    verdict = understand(text, LeakVerdict)
    if not 0 <= verdict.known <= len(suspect.known):
        raise BadAnswer(f'"known" is {verdict.known}, which is none of 0 to {len(suspect.known)}.')
    if _plain(verdict.quote) not in _plain(suspect.said):
        raise BadAnswer(f"the quote {verdict.quote[:100]!r} does not stand in what was said.")
    if verdict.leak and verdict.known:
        raise BadAnswer(
            f'"leak" is true, but it is known from [{verdict.known}]: it is one or the other.'
        )
    if verdict.leak and not verdict.quote.strip():
        raise BadAnswer('"leak" is true, but "quote" is empty: give the words that give it away.')
    return verdict


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


async def nearest_known(view: View, said: str, fact: Event) -> tuple[Event, ...]:
    """What somebody knew that shares most with what it said, and with an event, in order."""
    found = await view.recall(f"{said} {fact.text}", NEAREST)
    return tuple(await view.pick(sorted(one.place for one in found)))


class WorldVerdicts:
    """The verdicts on lines of a world, on its own log: beside the story, each under its key."""

    def __init__(self, log: Log, world: str, keys: dict[str, int]) -> None:
        self._log, self._world, self._keys = log, world, keys

    @classmethod
    async def of(cls, log: Log, world: str) -> WorldVerdicts:
        return cls(log, world, await log.store.keys(world, f"{PURPOSE} "))

    async def verdict(self, key: str) -> LeakRead | None:
        seq = self._keys.get(f"{PURPOSE} {key}")
        if seq is None:
            return None
        (event,) = await self._log.lineage.pick(self._world, [seq])
        return event.body if isinstance(event.body, LeakRead) else None

    async def keep(self, key: str, cause: int, bodies: Sequence[Kind], *, failed: bool) -> None:
        """What failed is asked for again the next time."""
        drafts = [Draft(body, cause=cause) for body in bodies]
        named = None if failed else f"{PURPOSE} {key}"
        appended = await self._log.append(self._world, drafts, key=named)
        if named:
            self._keys[named] = appended.first
