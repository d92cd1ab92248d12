"""The first stage, its first half: who lives the life, by a model, from what its seed says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.model import Request
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife
from whoknew.engine.exams.clonemem.stages.plain_text import short, text_fault
from whoknew.engine.exams.clonemem.stages.requests import life_request
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.worlds.lives.life import LifeContact, LifePersona
from whoknew.worlds.lives.people import a

PERSONA = "life.persona"


class DraftedContact(Struct, frozen=True):
    name: str
    text: str


class DraftedPersona(Struct, frozen=True):
    job: str
    family: str
    education: str
    personality: str
    concerns: tuple[str, ...]
    before: str
    contacts: tuple[DraftedContact, ...]


class MadePersona(Struct, frozen=True):
    """Who lives it, and whom it knows."""

    persona: LifePersona
    contacts: tuple[LifeContact, ...]


def persona_request(fixed: FixedLife) -> Request:
    one = fixed.persona
    who = {"name": one.name, "age": one.age, "woman": one.woman, "town": one.town}
    around = [{"name": it.name, "is": it.relation, "woman": it.woman} for it in fixed.contacts]
    return life_request(
        PERSONA,
        {"The person": [{**who, "traits": one.traits}], "Those around it": around},
        DraftedPersona,
    )


def persona_fault(one: DraftedPersona, fixed: FixedLife) -> CheckFailed | None:
    """The first thing that is wrong with it."""
    return next(_faults(one, fixed), None)


def _faults(one: DraftedPersona, fixed: FixedLife) -> Iterator[CheckFailed]:
    texts = {"job": 8, "family": 40, "education": 40, "personality": 80, "before": 80}
    for name, most in texts.items():
        if wrong := text_fault(f'"{name}"', getattr(one, name), most):
            yield wrong
    if any(sign.isdigit() for sign in one.personality):
        yield CheckFailed("persona", "a number stands in its personality.")
    if not 2 <= len(one.concerns) <= 3:
        yield CheckFailed("persona", f"{len(one.concerns)} concerns are given: give two or three.")
    for concern in one.concerns:
        if wrong := text_fault("a concern", concern, 20):
            yield wrong
    named = Counter(it.name for it in one.contacts)
    for contact in fixed.contacts:
        if named.pop(contact.name, 0) != 1:
            yield CheckFailed("people", f"{contact.name} has to stand among the contacts once.")
    if named:
        yield CheckFailed("people", f"nobody is called {short(next(iter(named)))}.")
    for it in one.contacts:
        if wrong := text_fault(f"what is told of {it.name}", it.text, 40):
            yield wrong


def made_persona(one: DraftedPersona, fixed: FixedLife) -> MadePersona:
    persona = fixed.persona
    public = (
        f"{persona.name.split()[0]}, {persona.age}, lives in {persona.town} and is {a(one.job)}."
    )
    lines = (public, one.family, f"Learnt: {one.education}", one.before, one.personality)
    worries = f"Worries about {', '.join(one.concerns)}."
    texts = {it.name: it.text for it in one.contacts}
    return MadePersona(
        persona=replace(
            persona,
            job=one.job,
            public=public,
            profile=" ".join((*map(_whole, lines), worries)),
        ),
        contacts=tuple(replace(it, text=_whole(texts[it.name])) for it in fixed.contacts),
    )


def _whole(sentence: str) -> str:
    text = " ".join(sentence.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
