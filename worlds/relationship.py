"""How people stand to one another, and so what they know of each other before the story.

The one table of it is KNOWN: which facets of a character each relationship lets the other see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from whoknew.worlds.setting import Character

Relationship = Literal["stranger", "known by name", "acquaintance", "friend", "romantic", "family"]
RELATIONSHIPS: tuple[Relationship, ...] = get_args(Relationship)
"""From the most distant on, as Sotopia counts them from 0 to 5."""

KNOWN: dict[Relationship, tuple[str, ...]] = {
    "stranger": ("looks",),
    "known by name": ("name", "looks"),
    "acquaintance": ("name", "looks", "person", "public"),
    "friend": ("name", "looks", "person", "public", "nature"),
    "romantic": ("name", "looks", "person", "public", "nature"),
    "family": ("name", "looks", "person", "public", "nature", "keeps a secret"),
}
"""Which facets of a character one who stands so to it knows. Only the character knows `secret`."""

OWN = ("name", "looks", "person", "public", "nature", "secret")


def portrait(character: Character, facets: tuple[str, ...]) -> str:
    """The character in words, as far as these facets go."""
    return " ".join(filter(None, [_facet(character, facet) for facet in facets]))


def _facet(character: Character, facet: str) -> str:
    match facet:
        case "name":
            return f"{character.name}."
        case "looks":
            return character.looks
        case "person":
            return _person(character)
        case "public":
            return character.public
        case "nature":
            return character.nature
        case "keeps a secret":
            return f"{character.name} keeps something secret." if character.secret else ""
        case "secret":
            return f"Secret: {character.secret}" if character.secret else ""
        case _:
            raise ValueError(f"{facet!r} is no facet of a character")


def _person(character: Character) -> str:
    """Age, gender, occupation and pronouns, in a sentence."""
    age = f"{character.age}-year-old" if character.age is not None else ""
    words = " ".join(filter(None, (age, character.gender, character.occupation)))
    pronouns = f"({character.pronouns})" if character.pronouns else ""
    return f"{' '.join(filter(None, (words, pronouns)))}." if words or pronouns else ""
