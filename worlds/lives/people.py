"""Who lives a life, and whom it knows: drawn from the five traits, and called as it calls them."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from whoknew.worlds.lives.bank import Parents, PeopleBank, Trait
from whoknew.worlds.lives.life import LifeContact, LifePersona

ROLES: dict[str, tuple[str, str]] = {
    "friend": ("closest friend", "closest friend"),
    "friend2": ("friend from school", "friend from school"),
    "sibling": ("sister", "brother"),
    "mother": ("mother", "mother"),
    "father": ("father", "father"),
    "colleague": ("colleague", "colleague"),
    "boss": ("superior at work", "superior at work"),
    "neighbour": ("neighbour", "neighbour"),
    "date": ("somebody from the café", "somebody from the café"),
}
"""Each part in a life, as it is called where a woman has it, and where a man has."""

KNOWN_LATER = frozenset(("date",))
"""Who comes into a life in the course of it, if its arcs have such a one."""

Names = dict[str, str]


class LifeCast(Struct, frozen=True, kw_only=True):
    """The people, and what they are called: by the persona itself (`own`), where something is told of it
    (`claim`), where it is asked (`asked`). `roles` leads from a role to a name."""

    persona: LifePersona
    contacts: tuple[LifeContact, ...]
    own: Names
    claim: Names
    asked: Names
    roles: Names


def cast_of(draw: Random, bank: PeopleBank) -> LifeCast:
    """A persona with its contacts."""
    women, men = list(bank.women), list(bank.men)
    draw.shuffle(women)
    draw.shuffle(men)
    families = draw.sample(bank.families, 9)
    persona = _persona(draw, bank, (women if (woman := draw.random() < 0.5) else men).pop(), woman)
    habits = draw.sample(bank.contacts, len(ROLES))
    contacts: list[LifeContact] = []
    for place, (role, (of_woman, of_man)) in enumerate(ROLES.items()):
        is_woman = role == "mother" or (role != "father" and draw.random() < 0.5)
        first = (women if is_woman else men).pop()
        family = families[0] if role in ("sibling", "mother", "father") else families[place % 9]
        relation = of_woman if is_woman else of_man
        contacts.append(
            LifeContact(
                role=role,
                name=f"{first} {family}",
                woman=is_woman,
                relation=relation,
                text=f"{first} {habits[place]}.",
            )
        )
    named = _with_family(persona, families[0])
    return _named(named, tuple(contacts), draw.choice(bank.parents))


def _persona(draw: Random, bank: PeopleBank, first: str, woman: bool) -> LifePersona:
    traits = {one.name: draw.randint(1, 5) for one in bank.traits}
    age, town, job = draw.randint(24, 52), draw.choice(bank.towns), draw.choice(bank.jobs)
    he = "she" if woman else "he"
    nature = [_shown(one, traits[one.name]) for one in bank.traits if traits[one.name] != 3]
    first_worry, second_worry = draw.sample(bank.worries, 2)
    lines = [
        f"{first}, {age}, lives in {town} and is {a(job)}.",
        f"Learnt: {draw.choice(bank.studies)}.",
        f"Before these years {he} {draw.choice(bank.before)}.",
        *([f"{he.capitalize()} {_listed(nature)}."] if nature else []),
        f"Fears {first_worry}, and {second_worry}.",
    ]
    return LifePersona(
        name=first,
        age=age,
        woman=woman,
        town=town,
        job=job,
        traits=traits,
        profile=" ".join(lines),
        public=lines[0],
    )


def _with_family(persona: LifePersona, family: str) -> LifePersona:
    """With its whole name."""
    return LifePersona(
        name=f"{persona.name} {family}",
        age=persona.age,
        woman=persona.woman,
        town=persona.town,
        job=persona.job,
        traits=persona.traits,
        profile=persona.profile,
        public=persona.public,
    )


def _named(persona: LifePersona, contacts: tuple[LifeContact, ...], parents: Parents) -> LifeCast:
    first = persona.name.split()[0]
    their = "her" if persona.woman else "his"
    shared: Names = {"age": str(persona.age), "town": persona.town}
    for one in contacts:
        he, his = ("she", "her") if one.woman else ("he", "his")
        shared |= {
            one.role: one.name.split()[0],
            f"they_{one.role}": he,
            f"They_{one.role}": he.capitalize(),
            f"their_{one.role}": his,
        }
    own = shared | {"me": "I", "me_too": "me", "my": "my"}
    own |= {"mother": parents.mother, "father": parents.father}
    claim = shared | {"me": first, "me_too": first, "my": f"{first}'s"}
    claim |= {role: f"{their} {role}" for role in ("mother", "father")}
    asked = shared | {"me": "you", "me_too": "you", "my": "your"}
    asked |= {role: f"your {role}" for role in ("mother", "father")}
    roles = {one.role: one.name for one in contacts}
    return LifeCast(
        persona=persona, contacts=contacts, own=own, claim=claim, asked=asked, roles=roles
    )


def _shown(trait: Trait, value: int) -> str:
    return trait.high if value > 3 else trait.low


def _listed(some: list[str]) -> str:
    *most, last = some
    return f"{', '.join(most)} and {last}" if most else last


def a(job: str) -> str:
    return f"{'an' if job[0] in 'aeiou' else 'a'} {job}"
