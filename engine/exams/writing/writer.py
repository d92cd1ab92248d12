"""Who writes questions of an exam: what a plan says of it, and the digest of all that decides what it
writes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from whoknew.agents.parts import REASKS
from whoknew.agents.prompts.text import prompt
from whoknew.engine.exams.arms import known_model
from whoknew.engine.exams.cells import digest_key
from whoknew.engine.exams.writing.draft import PROMPTS
from whoknew.engine.plan.faults import address_fault
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.document import Fault
from whoknew.worlds.setting import Part

_encode = msgspec.json.Encoder(order="deterministic").encode

VERSION = 1
"""Of what is shown and how it is checked: raise it when any of that changes."""


class WritingSettings(Part, frozen=True):
    """The table [writer] of a plan: a `model` writes `each` questions of each of these `kinds`, or of
    all, wherever a character is asked something. Where a second model is named, each has to be answered
    alike by it from the evidence alone. `source` and `anonymised` say of what the exam was made: who goes
    on with it has to mean the same."""

    model: str
    kinds: tuple[str, ...] = ()
    each: Annotated[int, Meta(ge=1, le=10)] = 1
    checked_by: str | None = None
    reasks: Annotated[int, Meta(ge=0)] = REASKS
    source: str | None = None
    anonymised: bool = False

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, (self.model, self.checked_by))))


class QuestionWriter(Struct, frozen=True):
    """`settings` is all that decides what it writes, `digest` that of them."""

    writing: WritingSettings
    settings: dict[str, Any]
    digest: str


def writer_of(
    writing: WritingSettings,
    askable: Mapping[str, str],
    *,
    prompts: Sequence[str] = PROMPTS,
    also: Mapping[str, Any] | None = None,
) -> QuestionWriter:
    """`askable` are the kinds of questions, each with what is said of it; `also` is what else decides what
    it writes."""
    kinds = {name: askable[name] for name in writing.kinds or askable}
    checked_by = writing.checked_by and known_model(writing.checked_by)
    settings = {
        "version": VERSION,
        "model": known_model(writing.model),
        "kinds": list(kinds),
        "askable": digest_key(_encode(kinds).decode()),
        "each": writing.each,
        "checked_by": checked_by,
        "reasks": writing.reasks,
        "prompts": {name: digest_key(prompt(name)) for name in prompts},
        **(also or {}),
    }
    return QuestionWriter(writing, settings, digest_key(_encode(settings).decode())[:16])


def writer_faults(writing: WritingSettings | None, kinds: Collection[str]) -> Iterator[Fault]:
    """What can be wrong with the table whose every value is of the right type."""
    if writing is None:
        return
    yield from address_fault(writing.model, "writer.model")
    if writing.checked_by is not None:
        yield from address_fault(writing.checked_by, "writer.checked_by")
    for number, name in enumerate(writing.kinds):
        if name not in kinds:
            yield f"writer.kinds[{number}]", f"is {name!r}: {nearest(name, sorted(kinds))}"
        elif name in writing.kinds[:number]:
            yield f"writer.kinds[{number}]", "is there twice: name each once"
