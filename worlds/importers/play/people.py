"""Who is in a play, and whom a stage direction means.

Directions name people loosely: POLONIUS for LORD POLONIUS, "the Murderers" for the first and the
second, "their Wives". What they name is looked up among those who speak.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from whoknew.worlds.importers.play.markup import Direction, Persona, PlayText, Speech

EVERYBODY = {"all", "both", "omnes"}
"""Speakers that are no persons of their own."""

_ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
        ],
        start=1,
    )
}
_NUMBERS = {
    word: n
    for n, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight"], start=2)
}
_TITLES = {
    "lord", "lady", "old", "young", "sir", "captain", "doctor", "dr", "mr", "mrs", "miss",
    "master", "mistress", "madam", "player", "the", "of", "a", "an", "and", "another",
}  # fmt: skip
"""Words of a name that mean nobody by themselves."""

_WORD = re.compile(r"[\w&'-]+")
_LONGEST = 20
"""Letters of a name that is looked at for a slip of the pen."""
_CAPITALS = re.compile(rf"\b[A-Z]{{5,{_LONGEST}}}\b")
_STEM = 4
"""Letters that are alike in words that can mean the same."""
_RARE, _FREQUENT = 2, 10


class Mention(NamedTuple):
    """Whom some words of a direction can mean: all of them, or one of them. The words stand
    from `start` to `end`."""

    names: tuple[str, ...]
    plural: bool
    start: int
    end: int

    @property
    def certain(self) -> bool:
        return self.plural or len(self.names) == 1


class PlayPeople:
    """The characters of a play. `renamed` are spellings that were taken for another's."""

    def __init__(self, play: PlayText) -> None:
        spoken = Counter(
            " ".join(speaker.split())
            for scene in play.scenes
            for item in scene.items
            if isinstance(item, Speech)
            for speaker in item.speakers
        )
        self.renamed: dict[str, str] = {}
        self.listed = tuple(one.name for one in play.people)
        self._canonical = self._merged(spoken, play.people)
        self._aliases: dict[tuple[str, ...], list[str]] = {}
        self.names = tuple(dict.fromkeys(self._canonical.values()))
        self._learn()
        if silent := [one.name for one in play.people if self._is_new(one.name)]:
            self.names += tuple(dict.fromkeys(silent))
            self._learn()
        self._learn_wives(play.people)
        self._learn_spellings(play)
        self._companies = _companies(play.people, self.names)
        self.descriptions = self._described(play.people)

    def speakers(self, named: Iterable[str]) -> tuple[str, ...] | None:
        """Those who speak; None where it says "all" or "both"."""
        found: dict[str, None] = {}
        for one in named:
            name = " ".join(one.split())
            if name.casefold() in EVERYBODY:
                return None
            found.update(dict.fromkeys(self._group(name) or (self._canonical[name.casefold()],)))
        return tuple(found)

    def mentions(self, text: str, *, players: bool = False) -> list[Mention]:
        """Whom a text names, in order: but not those who only own something, or of whom something
        is said to be ("the Page of PARIS"). With `players`, also those who only play another."""
        words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
        found: list[Mention] = []
        at = 0
        while at < len(words):
            mention, used = self._mention(words, at)
            if mention and not _belongs(words, at):
                if found and not players and _plays(text[found[-1].end : mention.start]):
                    found.pop()
                found.append(mention)
            at += used
        return found

    def companies(self, text: str) -> list[Mention]:
        """Those whom the list of persons has under one word, such as its fairies or courtiers."""
        found: dict[str, Mention] = {}
        for match in re.finditer(r"\w+", text) if self._companies else ():
            if names := self._companies.get(word := match.group().casefold()):
                found.setdefault(word, Mention(names, True, match.start(), match.end()))
        return list(found.values())

    def fellows(self, name: str) -> tuple[str, ...]:
        """Those who are numbered alike: of the First Witch, or of a Witch, all witches with a number."""
        kind = _numbered_kind(name) or name.casefold()
        return tuple(one for one in self.names if kind and _numbered_kind(one) == kind)

    def _mention(
        self, words: Sequence[tuple[str, int, int]], at: int
    ) -> tuple[Mention | None, int]:
        for length in range(min(4, len(words) - at), 0, -1):
            piece = words[at : at + length]
            key = tuple(word.casefold() for word, _, _ in piece)
            if names := self._aliases.get(key):
                if self._owns(key, words[at + length : at + length + 1]):
                    return None, length + 1
                plural = key[-1] not in {name.casefold().split()[-1] for name in names}
                counted = _NUMBERS.get(words[at - 1][0].casefold()) if at else None
                wanted = names[:counted] if plural else names
                return Mention(tuple(wanted), plural, piece[0][1], piece[-1][2]), length
        return None, 1

    def _owns(self, key: tuple[str, ...], after: Sequence[tuple[str, int, int]]) -> bool:
        """Whether the next word ends the name, and says that something belongs to it."""
        return any(
            (*key, re.sub(r"'s?$", "", word.casefold())) in self._aliases
            for word, _, _ in after
            if "'" in word
        )

    def _merged(self, spoken: Counter[str], people: Sequence[Persona]) -> dict[str, str]:
        """Each spelling, folded, with the name that it stands for: the usual spelling of the same
        name, or, for a slip of the pen, the name that it is nearest to."""
        usual: dict[str, str] = {}
        for name, _ in spoken.most_common():
            if name.casefold() not in EVERYBODY:
                usual.setdefault(name.casefold(), name)
        listed = " ".join(one.name for one in people).casefold()
        frequent = [name for name, count in spoken.items() if count >= _FREQUENT]
        for folded, name in list(usual.items()):
            if spoken[name] <= _RARE and folded not in listed:
                near = [one for one in frequent if _alike(one.casefold(), folded)]
                if len(near) == 1:
                    self.renamed[name], usual[folded] = near[0], near[0]
        return usual

    def _is_new(self, name: str) -> bool:
        """Whether a person of the list is somebody by name who never speaks."""
        return name.isupper() and not self.mentions(name)

    def _learn(self) -> None:
        """The words by which each can be meant: in full; alone, where no other has that word; and
        for those who are numbered, by what they are."""
        kinds: dict[str, list[str]] = {}
        words: Counter[str] = Counter()
        for name in self.names:
            first, *rest = name.casefold().split()
            if first in _ORDINALS and rest:
                kinds.setdefault(" ".join(rest), []).append(name)
            else:
                words.update({first, *rest})
        for kind, ones in kinds.items():
            ones.sort(key=lambda name: _ORDINALS[name.casefold().split()[0]])
            single = [name for name in self.names if name.casefold() == kind]
            self._know(kind, [*single, *ones])
            for plural in _plurals(kind):
                self._know(plural, ones)
        for name in self.names:
            parts = name.casefold().split()
            if " ".join(parts[1:]) not in kinds and " ".join(parts) not in kinds:
                for part in parts:
                    if words[part] == 1 and part not in _TITLES and part not in _ORDINALS:
                        self._know(part, [name])
                        for man in (f"{part}man", f"{part}sman"):
                            self._aliases.setdefault((man,), [name])
                for plural in _plurals(name.casefold()):
                    self._aliases.setdefault(tuple(plural.split()), [name])
        several = {plural: ones for kind, ones in kinds.items() for plural in _plurals(kind)}
        for name in self.names:
            if name.casefold() in several:
                self._know(name.casefold(), [*several[name.casefold()], name])
            elif name.casefold() not in kinds:
                self._know(name.casefold(), [name])

    def _learn_wives(self, people: Sequence[Persona]) -> None:
        wives = [
            name
            for one in people
            if re.match(r"wife to\b", one.description)
            for name in self.names
            if name.casefold() == one.name.casefold()
        ]
        for word in ("wives", "wife"):
            if wives:
                self._aliases.setdefault((word,), wives)

    def _learn_spellings(self, play: PlayText) -> None:
        """What is spelt in capitals in directions, and is nearly the name of one: AEMILIA for AEMELIA."""
        near: dict[str, set[str]] = {}
        for key, names in self._aliases.items():
            if len(key) == len(names) == 1:
                for part in _without_a_letter(key[0]):
                    near.setdefault(part, set()).add(key[0])
        for word in sorted({one for text in _directions(play) for one in _CAPITALS.findall(text)}):
            folded = word.casefold()
            if (folded,) not in self._aliases:
                keys = {key for part in _without_a_letter(folded) for key in near.get(part, ())}
                meant = {self._aliases[(key,)][0] for key in keys if _alike(key, folded)}
                if len(meant) == 1:
                    self.renamed[word] = meant.pop()
                    self._know(folded, [self.renamed[word]])

    def _know(self, words: str, names: list[str]) -> None:
        self._aliases[tuple(words.split())] = names

    def _group(self, name: str) -> tuple[str, ...]:
        """Those whom a speaker such as "Both Murderers" stands for."""
        first, *rest = name.casefold().split()
        if rest and (first in _NUMBERS or first in EVERYBODY):
            names = self._aliases.get(tuple(rest), [])
            return tuple(names[: _NUMBERS.get(first, len(names))])
        return ()

    def _described(self, people: Sequence[Persona]) -> dict[str, str]:
        """What the list says of each; of a name that several of it end with ("An English Doctor", "A
        Scotch Doctor"), that it is all of them."""
        told: dict[str, str] = {}
        sharing: dict[str, list[str]] = {}
        for one in people:
            names = {name for mention in self.mentions(one.name) for name in mention.names}
            if len(names) != 1:
                continue
            [name] = names
            if one.description:
                told.setdefault(name, one.description.rstrip(". "))
            elif one.name.casefold().endswith(f" {name.casefold()}"):
                sharing.setdefault(name, []).append(one.name)
        several = {name: "; ".join(ones) for name, ones in sharing.items() if len(ones) > 1}
        return several | told


def _without_a_letter(word: str) -> Iterator[str]:
    """A word, and what is left of it without each of its letters: two that share one of these are nearly
    the same, and are found without comparing all with all."""
    word = word[:_LONGEST]
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


def _directions(play: PlayText) -> Iterator[str]:
    for scene in play.scenes:
        for item in scene.items:
            parts = (item,) if isinstance(item, Direction) else item.parts
            yield from (part.text for part in parts if isinstance(part, Direction))


def _numbered_kind(name: str) -> str:
    first, _, kind = name.casefold().partition(" ")
    return kind if first in _ORDINALS else ""


def _companies(people: Sequence[Persona], names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    spelt = {name.casefold(): name for name in names}
    found: dict[str, tuple[str, ...]] = {}
    for one in people:
        word = one.description.strip(". ").casefold()
        if re.fullmatch(r"\w+s", word) and (name := spelt.get(one.name.casefold())):
            found[word] = (*found.get(word, ()), name)
    return {word: ones for word, ones in found.items() if len(ones) > 1}


def _belongs(words: Sequence[tuple[str, int, int]], at: int) -> bool:
    return at > 0 and words[at - 1][0].casefold() == "of"


def _plays(between: str) -> bool:
    """Whether one appears as the other: "Enter QUINCE for the Prologue"."""
    return between.split() in (["for"], ["for", "the"], ["as"], ["as", "the"])


def _plurals(kind: str) -> Iterator[str]:
    yield f"{kind}s"
    yield f"{kind}es"
    if kind.endswith("man"):
        yield f"{kind[:-2]}en"
    if kind.endswith("y"):
        yield f"{kind[:-1]}ies"


def _alike(one: str, other: str) -> bool:
    """Whether they may be one word: they differ by little, and not as one from many."""
    if abs(len(one) - len(other)) > 1 or one in (f"{other}s", other[:-1] * other.endswith("s")):
        return False
    return SequenceMatcher(None, one, other).ratio() >= (0.8 if len(one) != len(other) else 0.81)


def stems(name: str) -> list[str]:
    """How words begin that can mean the same as a name: Watch a watchman, Servingmen a servant."""
    words = name.casefold().split()[1:] or name.casefold().split()
    return [re.escape(word[:_STEM]) for word in words if len(word) >= _STEM]


def beginnings(text: str) -> set[str]:
    """How the words of a text begin, to be held against `stems`."""
    return {word[:_STEM] for word in re.findall(r"\w+", text.casefold())}
