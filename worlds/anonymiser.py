"""Names taken out of texts, and put back: every byte, wherever they stand.

A name is found in any case, with its possessive and inside other words; so are the parts of it
that say who is meant. Each spelling has an alias of its own, which stands nowhere else: so an
alias can be turned back into exactly what stood there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

PREFIXES = ("Person", "Figure", "Somebody", "Character", "Quidam")
"""New names begin with one of these, the first that stands in no text and holds no name: Person1."""

SEAMS = ("_", "~", "·", "¦", "‿")
"""One of these, the first that stands in no text, parts a new name from the number of its spelling."""

LEAST = 4
"""Letters of a part of a name that is taken out by itself: shorter ones stand in too many words."""

COMMON = {
    "first", "second", "third", "fourth", "fifth", "lord", "lady", "king", "queen", "prince",
    "princess", "duke", "young", "captain", "doctor", "master", "mistress", "miss", "friar",
}  # fmt: skip
"""Parts of names that name nobody."""


class Key(Struct, frozen=True):
    """What turns aliases back: each alias, with what it stands for. To be kept apart."""

    aliases: dict[str, str]

    @property
    def people(self) -> int:
        return len({re.split(r"(?<=\d)\D", alias)[0] for alias in self.aliases})


class Anonymiser:
    """Made of all the texts that it is to be used on, so that no alias is in any of them."""

    def __init__(self, names: Sequence[str], texts: Iterable[str]) -> None:
        forms = _forms(names)
        self._names = _pattern(forms, re.IGNORECASE)
        surfaces: dict[str, None] = {}
        used: set[str] = set()
        taken: set[str] = set()
        for text in texts:
            surfaces.update(dict.fromkeys(match.group() for match in self._names.finditer(text)))
            used.update(seam for seam in SEAMS if seam in text)
            taken.update(one for one in PREFIXES if one.casefold() in text.casefold())
        clean = [one for one in PREFIXES if not self._names.search(one)]
        prefix = _free(clean or PREFIXES, taken)
        seam = _free(SEAMS, used)
        self.key = Key(dict(_aliases(names, forms, surfaces, prefix, seam)))
        self._aliases = {surface: alias for alias, surface in self.key.aliases.items()}

    def hide(self, text: str) -> str:
        return self._names.sub(lambda match: self._aliases[match.group()], text)

    def residue(self, text: str) -> list[str]:
        """The names that a text holds beside the aliases."""
        return self._names.findall(restorer(self.key).sub("\n", text))


def restore(text: str, key: Key) -> str:
    """The text as it was."""
    return restorer(key).sub(lambda match: key.aliases[match.group()], text)


def hider(key: Key) -> Callable[[str], str]:
    """What puts aliases into a text whose names stand in those that the key was made of."""
    aliases = {surface: alias for alias, surface in key.aliases.items()}
    names = _pattern(aliases)
    return lambda text: names.sub(lambda match: aliases[match.group()], text)


def restorer(key: Key) -> re.Pattern[str]:
    return _pattern(key.aliases)


def _forms(names: Sequence[str]) -> dict[str, int]:
    """All that is looked for, with whose it is: whole names first."""
    forms = {name: number for number, name in enumerate(names)}
    for number, name in enumerate(names):
        for part in re.findall(r"[^\W\d_]+", name):
            if len(part) >= LEAST and part.casefold() not in COMMON:
                forms.setdefault(part, number)
    return forms


def _aliases(
    names: Sequence[str], forms: Mapping[str, int], surfaces: Iterable[str], prefix: str, seam: str
) -> Iterable[tuple[str, str]]:
    """An alias for each spelling: the plain one for a name as it is given, numbered ones for the
    rest. All numbers have as many digits, so that one which follows a name is no part of it."""
    width = len(str(len(names)))
    spellings: dict[int, int] = {}
    for surface in surfaces:
        number = _whose(surface, forms)
        alias = f"{prefix}{number + 1:0{width}}"
        if surface != names[number]:
            spellings[number] = spellings.get(number, 0) + 1
            alias = f"{alias}{seam}{spellings[number]:03}"
        yield alias, surface


def _whose(surface: str, forms: Mapping[str, int]) -> int:
    if surface in forms:
        return forms[surface]
    return next(
        number
        for form, number in forms.items()
        if re.fullmatch(re.escape(form), surface, re.IGNORECASE)
    )


def _pattern(words: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    """Any of these words, the longest first."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, ordered)) or r"(?!)", flags)


def _free(candidates: Sequence[str], taken: set[str]) -> str:
    free = [one for one in candidates if one not in taken]
    if not free:
        raise ValueError(f"every one of {', '.join(candidates)} stands in the texts already")
    return free[0]
