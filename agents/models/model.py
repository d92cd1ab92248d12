"""The port to a language model: a request in, a reply out.

A model is anything with a `name` (its address) and `complete`. Extend one by wrapping it: retries,
limits, budgets and the journal each take a model and are one. A `ModelEntry` says which addresses
lead to it, and opens it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from whoknew.agents.errors import NoKey
from whoknew.agents.parts import Entry, awaited, given
from whoknew.agents.sections import Sections

_encode = msgspec.json.Encoder(order="deterministic").encode


class Message(Struct, frozen=True, gc=False, rename={"text": "content"}):
    """One message of a prompt, and who says it."""

    role: Literal["system", "user", "assistant"]
    text: str


class Sampling(Struct, frozen=True, omit_defaults=True):
    """How a model is to choose its words; None leaves it to the server."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


DEFAULT = Sampling()

EMBED = "embed"
"""The purpose of a request for vectors, one of each message; the reply's text holds them (`vectors.py`)."""

LOOK = "look"
"""The purpose of a request that only has something looked over: a smaller model may do, where a seat has one."""

PIECE = 2047
"""Bytes; from one more on hashlib lets other threads go first."""


class Request(Struct, frozen=True):
    """`answer` is the Struct that the reply is to decode into; None asks for plain text. `sections` are
    what the messages say, as data, where they were made from it: no part of what is sent."""

    purpose: str
    messages: tuple[Message, ...]
    answer: type[Struct] | None = None
    sampling: Sampling = DEFAULT
    sections: Sections | None = None
    encoded: msgspec.Raw = msgspec.Raw()
    """The messages as JSON: made once, for the digest and for whoever sends them."""
    digest: str = ""
    """SHA-256 of the prompt."""
    shared: bool = False
    """Whether one answer will do for all who ask the very same: in an exam only the first of them asks."""
    adapter: str = ""
    """The digest of weights by which alone it is to be answered; none for those of the model itself."""
    warning: str = ""
    """What stands behind its rules, for a method that has rules of its own."""

    def __post_init__(self) -> None:
        force_setattr(self, "encoded", msgspec.Raw(_encode(self.messages)))
        force_setattr(self, "digest", _digest(self.prompt))

    @property
    def prompt(self) -> bytes:
        """All that decides the reply, as bytes that are the same on any machine."""
        asked = (self.encoded, schema_of(self.answer), self.sampling)
        return _encode((*asked, self.adapter) if self.adapter else asked)


def _digest(prompt: bytes) -> str:
    """In pieces for which hashlib does not let go of the interpreter, which costs more than the
    hashing while another thread is at work."""
    whole = hashlib.sha256()
    for start in range(0, len(prompt), PIECE):
        whole.update(prompt[start : start + PIECE])
    return whole.hexdigest()


class Reply(Struct, frozen=True, gc=False, kw_only=True):
    """What came back. Tokens are None where the server does not count them, `counted` where they
    are our own count; `model` is the name of what answered, where it is not the model that was
    asked."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0
    attempts: int = 1
    ended: Literal["stop", "length", "refused"] = "stop"
    model: str | None = None
    counted: bool = False


MOST_TOKENS = 10**8
"""No call has more: what a server says beyond it is no count."""


def tokens_of(text: str) -> int:
    """How many tokens a text may have, estimated: one for four bytes of it."""
    return -(-len(text.encode(errors="replace")) // 4)


def prompt_tokens(request: Request) -> int:
    return sum(tokens_of(message.text) for message in request.messages)


def with_tokens(request: Request, reply: Reply) -> Reply:
    """A reply with its tokens: as the server counts them where that can be, else as we do."""
    tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
    words = "" if request.purpose == EMBED else reply.text  # vectors are not made of tokens
    is_counted = _can_be(tokens_in, 1)
    if is_counted and _can_be(tokens_out, 1 if words else 0):
        return reply
    return replace(
        reply,
        tokens_in=tokens_in if is_counted else prompt_tokens(request),
        tokens_out=tokens_out if _can_be(tokens_out, 1) else tokens_of(words),
        counted=True,
    )


def _can_be(tokens: object, least: int) -> bool:
    return type(tokens) is int and least <= tokens <= MOST_TOKENS


class Model(Protocol):
    """`complete` gives the reply, or raises a `ModelError` that says whether to try again."""

    @property
    def name(self) -> str: ...

    async def complete(self, request: Request) -> Reply: ...


class CheckedModel:
    """A model from outside: whatever it gives that is no reply is told as its fault (BadPart)."""

    def __init__(self, model: Model) -> None:
        self.name, self._model = model.name, model

    async def complete(self, request: Request) -> Reply:
        reply = await awaited(self._model.complete, request)
        return given(self._model, "complete", reply, Reply)


class Routed:
    """A model in whose place others answer requests of some purposes."""

    def __init__(self, model: Model, others: Mapping[str, Model]) -> None:
        self.name, self._model, self._others = model.name, model, others

    async def complete(self, request: Request) -> Reply:
        return await self._others.get(request.purpose, self._model).complete(request)


class ModelEntry(Entry, frozen=True):
    """An address of a model. It begins with the name of the entry, as `myscheme:` or, beside a plan,
    `module:Name#`; `rest` is what follows. A rest that leads nowhere is refused in `__post_init__` by
    a ValueError that goes on from the address ("names no model"): nothing is opened or loaded there.
    """

    form: ClassVar[str] = ""
    """What such an address looks like, where that is not `myscheme:NAME`."""
    keys: ClassVar[tuple[str, ...]] = ()
    """The variables of the environment that may hold its key: an address holds none."""
    other_server: ClassVar[str] = ""
    """The variable of the environment that names another server than the usual one, if one does."""

    takes_adapters: ClassVar[bool] = False
    """Whether it answers by weights that were trained for a character, and trains them."""

    address: str
    rest: str

    def __post_init__(self) -> None:
        if not self.rest:
            raise ValueError(f"names no model: give {self.form or f'{self.address}NAME'}")

    @property
    def name(self) -> str:
        """What the model is called, wherever it is reached."""
        return self.rest or self.address

    def key(self) -> str:
        """The key, which has to be there."""
        if key := self.given_key():
            return key
        raise NoKey(f"{self.address} needs a key: set {' or '.join(self.keys)}")

    def given_key(self) -> str | None:
        """The key, where there is one."""
        return next((key for name in self.keys if (key := os.environ.get(name))), None)

    def keeping_in(self, folder: Path) -> ModelEntry:
        """The same, with a folder for what it trains; only who trains has use for one."""
        return self

    def open(self, patience: float) -> AbstractAsyncContextManager[Model]:
        """The model, for as long as it is needed. It waits for an answer for so many seconds."""
        raise NotImplementedError


_schemas: dict[type[Struct] | None, msgspec.Raw | None] = {None: None}


def schema_of(answer: type[Struct] | None) -> msgspec.Raw | None:
    """The JSON schema of an answer, as it is sent: one flat object where it can be."""
    if answer not in _schemas:
        (top,), parts = msgspec.json.schema_components([answer])
        name = str(top["$ref"]).rsplit("/", 1)[-1]
        schema: dict[str, Any] = dict(parts.pop(name))
        if parts:
            schema["$defs"] = parts
        _schemas[answer] = msgspec.Raw(_encode(schema))
    return _schemas[answer]
