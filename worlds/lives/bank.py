"""What lives are made of: situations, arcs, words and voices, read from the files in `bank/`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

Dimension = Literal["experience", "emotion", "opinion"]

DIMENSIONS: tuple[Dimension, ...] = ("experience", "emotion", "opinion")

Texts = tuple[str, ...]


class LifeSituation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something small that can happen: the `fact`, and what is written of it in each medium; a message
    goes `to` somebody, who may reply. What it draws has the same value in all of that; `ask` asks for
    the one that is the `key`. It does not happen again within `gap` days, and only in these `months`, if it
    names some. After it nothing `active` happens for as many days as it `rests`."""

    fact: str
    diary: Texts = ()
    msg: Texts = ()
    mail: Texts = ()
    post: Texts = ()
    memo: Texts = ()
    search: Texts = ()
    cal: Texts = ()
    photo: Texts = ()
    reply: Texts = ()
    to: str = ""
    draw: dict[str, str] = {}
    ask: str = ""
    key: str = ""
    gap: int = 21
    months: tuple[int, ...] = ()
    rests: int = 0
    active: bool = False


class Standing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A detail that holds as long as its anchor does; a later anchor may give the same another value."""

    topic: str
    ask: str
    list: str
    claim: str
    told: str


class Anchor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A state of an arc: what brought it about, how it feels, what is said of it, and what shows it.
    `hush` is a question about it to which nothing tells the answer, and `guesses` are what one might guess;
    who is `away` is not chatted with."""

    state: str
    feeling: str
    trigger: str
    shown: str
    told: Texts
    hush: str
    guesses: Texts
    situations: tuple[LifeSituation, ...]
    now: Standing | None = None
    away: Texts = ()
    passes: bool = False
    """It ends by itself, as an injury does."""
    draw: dict[str, str] = {}


class ArcSketch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way through states. It may need a `person` of its own, who is in no other, and be in no life
    with those that it `clashes` with. From the state `changes_at` on others stand where people stood
    whom the life has left behind."""

    id: str
    dimension: Dimension
    title: str
    anchors: tuple[Anchor, ...]
    person: str = ""
    clashes: tuple[str, ...] = ()
    changes: dict[str, str] = {}
    changes_at: int = 0
    draw: dict[str, str] = {}


class Habit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done again and again, whenever there is reason to: in these `months`, if it names some."""

    dimension: Dimension
    when: str
    does: str
    diary: Texts
    months: tuple[int, ...] = ()


class Season(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What some words can be in these months: of each, one a day."""

    months: tuple[int, ...]
    words: dict[str, Texts]


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for again and again, and not done."""

    title: str
    deed: str
    search: Texts
    diary: Texts
    hush: str
    guesses: Texts
    draw: dict[str, str] = {}


class MatterSketch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is settled, and settled anew later: a number, a day, a plan, a liking. `{value}` is what holds,
    one of a `list`, `{old}` what held until then. It is said for the `first` time, then that it has
    `changed`; what is only `kept` comes back to it. A message goes `to` somebody."""

    id: str
    dimension: Dimension
    list: str
    ask: str
    claim: str
    to: str
    first: Texts
    changed: Texts
    kept: Texts
    memo: Texts


class ChatSketch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Small talk: something that one writes, and what may come back."""

    ask: Texts
    back: Texts


class Trait(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the five, as it shows in somebody who has much of it, or little."""

    name: str
    high: str
    low: str


class Parents(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody calls them."""

    mother: str
    father: str


class PeopleBank(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of what persons are made."""

    women: Texts
    men: Texts
    families: Texts
    towns: Texts
    studies: Texts
    jobs: Texts
    worries: Texts
    before: Texts
    contacts: Texts
    traits: tuple[Trait, ...]
    parents: tuple[Parents, ...]


class LifeBank(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it."""

    arcs: tuple[ArcSketch, ...]
    everyday: tuple[LifeSituation, ...]
    habits: tuple[Habit, ...]
    wishes: tuple[Wish, ...]
    matters: tuple[MatterSketch, ...]
    chats: tuple[ChatSketch, ...]
    lists: dict[str, Texts]
    seasons: tuple[Season, ...]
    voices: dict[str, Texts]
    people: PeopleBank


@cache
def life_bank() -> LifeBank:
    """The bank that comes with Whoknew."""
    whole: dict[str, Any] = {"arcs": []}
    folder = files("whoknew.worlds.lives").joinpath("bank")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        data = msgspec.toml.decode(file.read_text("utf-8"))
        whole["arcs"] += data.pop("arcs", [])
        whole |= data
    return msgspec.convert(whole, LifeBank)
