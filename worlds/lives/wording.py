"""Sentences of templates: `[one|another]` is one of both, `{name}` a word of a list or a person.

Of several ways to say something that one is taken which was taken least: so a long life says little
twice in the same words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from msgspec import Struct


class Slot(Struct, frozen=True):
    """A place for a word: with an article before it, or with a capital."""

    name: str
    article: bool = False
    capital: bool = False


class OneOf(Struct, frozen=True):
    """One of these is said. `text` tells it from other choices."""

    text: str
    ways: tuple[tuple[str | Slot | OneOf, ...], ...]


Parts = tuple[str | Slot | OneOf, ...]

_TOKEN = re.compile(r"[\[\]|]|\{[^{}]*\}|[^\[\]|{}]+")
_SENTENCE = re.compile(r"(^|[.!?][\"”]?\s+|\n)([\"“(]?)([a-zäöüéø])")
_SPACES = re.compile(r" {2,}")


class Wording:
    """Says things, and keeps in mind what it said how often."""

    def __init__(self, draw: Random, lists: Mapping[str, Sequence[str]]) -> None:
        self._draw, self._lists = draw, lists
        self._said: Counter[tuple[str, str]] = Counter()

    def say(self, template: str, bound: Mapping[str, str]) -> str:
        """The template in words, whole sentences with their capitals."""
        return sentences(self.fill(template, bound))

    def fill(self, template: str, bound: Mapping[str, str]) -> str:
        """The same as part of a sentence."""
        return _SPACES.sub(" ", self._whole(template, bound)).strip()

    def one_of(self, ways: Sequence[str], topic: str = "") -> str:
        """The one that was taken least."""
        least = min(self._said[topic, one] for one in ways)
        found = self._draw.choice([one for one in ways if self._said[topic, one] == least])
        self._said[topic, found] += 1
        return found

    def word(self, name: str, bound: Mapping[str, str]) -> str:
        """A word of a list, which may itself be a template."""
        return self._whole(self.one_of(self._lists[name], name), bound)

    def _whole(self, template: str, bound: Mapping[str, str]) -> str:
        return "".join(self._filled(parsed(template), bound))

    def _filled(self, parts: Parts, bound: Mapping[str, str]) -> Iterator[str]:
        for part in parts:
            match part:
                case str():
                    yield part
                case Slot(name, article, capital):
                    word = self._slot(name, bound)
                    word = f"{article_of(word)} {word}" if article else word
                    yield word[:1].upper() + word[1:] if capital else word
                case OneOf(text, ways):
                    number = self.one_of([str(place) for place in range(len(ways))], text)
                    yield from self._filled(ways[int(number)], bound)

    def _slot(self, name: str, bound: Mapping[str, str]) -> str:
        if name in bound:
            return bound[name]
        kind = name.rstrip("0123456789")
        return self.word(name if name in self._lists else kind, bound)


def article_of(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def sentences(text: str) -> str:
    """With a capital wherever one begins."""
    return _SENTENCE.sub(lambda found: found[1] + found[2] + found[3].upper(), text)


@lru_cache(None)
def slots(template: str) -> tuple[str, ...]:
    """The names that stand in a template, each as often as it does."""
    return tuple(_slots(parsed(template)))


def _slots(parts: Parts) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Slot):
            yield part.name
        elif isinstance(part, OneOf):
            for way in part.ways:
                yield from _slots(way)


@lru_cache(None)
def parsed(template: str) -> Parts:
    """A ValueError says which brackets do not meet."""
    tokens = _TOKEN.findall(template)
    parts, rest = _parts(tokens, 0, inside=False)
    if rest != len(tokens) or "".join(tokens) != template:
        raise ValueError(f"brackets that do not meet: {template!r}")
    return parts


def _parts(tokens: Sequence[str], place: int, *, inside: bool) -> tuple[Parts, int]:
    found: list[str | Slot | OneOf] = []
    while place < len(tokens):
        token = tokens[place]
        if token == "[":
            choice, place = _choice(tokens, place + 1)
            found.append(choice)
            continue
        if token in "|]":
            if inside:
                break
            raise ValueError(f"{token!r} outside of brackets: {''.join(tokens)!r}")
        found.append(_slot_of(token) if token[0] == "{" else token)
        place += 1
    return tuple(found), place


def _choice(tokens: Sequence[str], place: int) -> tuple[OneOf, int]:
    ways: list[Parts] = []
    start = place
    while True:
        way, place = _parts(tokens, place, inside=True)
        ways.append(way)
        if place >= len(tokens):
            raise ValueError(f"a bracket is never shut: {''.join(tokens)!r}")
        place += 1
        if tokens[place - 1] == "]":
            return OneOf("".join(tokens[start : place - 1]), tuple(ways)), place


def _slot_of(token: str) -> Slot:
    name = token[1:-1].removesuffix("_flat")
    capital = name.endswith("_cap")
    name, _, article = name.removesuffix("_cap").partition(":")
    return Slot(name, article == "a", capital)
