"""The unaided method: a control, which is given the question and nothing else.

What a model answers then, it knows from elsewhere: a play that it has read. With `names` it is given the
real names of an anonymised world, too; the difference is what the names alone give away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.methods.method import MethodEntry, insist, ruled
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections

T = TypeVar("T")

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"(?P<key>\s*+:)?)?', re.DOTALL)
"""A string of JSON. One that does not end goes on to the end of the text, so that it is read once."""


class Unaided(Struct, frozen=True):
    """`names`: each alias, with the name that stands for it in what is sent, and in what comes back."""

    names: Mapping[str, str] = {}
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """Asked of anybody but a character, it is asked as it is."""
        if request.sections is None or request.sections.question is None:
            return await insist(model, request, read, self.reasks)
        real = RealNames(self.names)
        aliases = Aliases(self.names)
        sections = Sections(
            who=real.put(request.sections.who),
            question=real.put(request.sections.question),
            choices=tuple(map(real.put, request.sections.choices)),
        )
        rules = filled("unaided", name=sections.who)
        first = ruled(rules, real.put(request.warning))
        messages = (first, Message("user", briefing.told(sections)))
        bare = replace(request, messages=messages, sections=sections)
        return await insist(model, bare, lambda text: read(aliases.put(text)), self.reasks)


class RealNames:
    """RealNames put into texts, in one pass: of those that begin alike, the longest."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        longest = sorted(names, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest)) or r"(?!)")

    def put(self, text: str) -> str:
        return self._pattern.sub(lambda match: self._names[match.group()], text)


class Aliases:
    """Aliases put back for real names into what a JSON answer says, and into none of its keys. A name is
    found as it stands in the world, also inside words; as a word of its own in any case."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._exact = {name: alias for alias, name in names.items()}
        self._folded: dict[str, str] = {}
        for name, alias in self._exact.items():
            self._folded.setdefault(name.casefold(), alias)
        any_of = "|".join(map(re.escape, sorted(self._exact, key=len, reverse=True))) or r"(?!)"
        self._pattern = re.compile(rf"{any_of}|\b(?i:{any_of})\b")

    def put(self, text: str) -> str:
        return _STRING.sub(self._said, text)

    def _said(self, match: re.Match[str]) -> str:
        literal, key = match.group(), match["key"]
        if key is not None:
            return literal
        try:
            said = msgspec.json.decode(literal, type=str)
        except msgspec.DecodeError:
            return literal
        return msgspec.json.encode(self._pattern.sub(self._alias, said)).decode()

    def _alias(self, match: re.Match[str]) -> str:
        name = match.group()
        return self._exact.get(name) or self._folded.get(name.casefold(), name)


class UnaidedEntry(MethodEntry, frozen=True):
    """one call with the question alone: what is known without having been there"""

    prompts: ClassVar[tuple[str, ...]] = ("unaided",)
    tells_the_past: ClassVar[bool] = False

    names: dict[str, str] = msgspec.field(default_factory=dict)
    """Real names, by their aliases in an anonymised world: these are put into the question."""

    def make(self, owner: Owner) -> Unaided:
        return Unaided(self.names, owner.reasks)
