"""Characters, scenarios and relationships of Sotopia, as a setting to play; and back as records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.sotopia.division import division
from whoknew.worlds.importers.sotopia.records import SotopiaRecord, SotopiaRecords, as_written
from whoknew.worlds.relationship import RELATIONSHIPS
from whoknew.worlds.setting import Character, Relation, Scenario, Setting

BEGINS = datetime(2000, 1, 1, 12)

_TAG = re.compile(r"</?(?:extra_info|strategy_hint|clarification_hint|p|root)[^<>]*>")

PLACELESS = (
    "big_five",
    "moral_values",
    "schwartz_personal_values",
    "decision_making_style",
    "mbti",
)
"""Fields of a character that a setting has no place for; most of them speak in its nature."""


def setting_of(found: SotopiaRecords, name: str) -> tuple[Setting, list[Remark]]:
    """All that was found as one setting; a scenario with each pair that is to play it."""
    remarks: list[Remark] = []
    people = _people(found, remarks)
    scenarios = list(_scenarios(found, people, remarks))
    relations = list(_relations(found, people, remarks))
    title = f"Sotopia: {len(people)} characters, {len(scenarios)} scenarios"
    setting = Setting(
        name, title, BEGINS, tuple(people.values()), tuple(scenarios), relations=tuple(relations)
    )
    return setting, remarks


def untagged(text: str) -> str:
    """A goal as its owner reads it: hints stay, their marks go, as Sotopia's own episodes show."""
    return "\n".join(line.strip(" ") for line in _TAG.sub("", text).split("\n"))


def background_of(fields: dict[str, Any]) -> str:
    """A character as Sotopia's friends read it: all but the secret."""
    name = f"{fields['first_name']} {fields['last_name']}"
    gender = {"Man": "male", "Woman": "female"}.get(fields["gender"], fields["gender"].lower())
    return (
        f"{name} is a {fields['age']}-year-old {gender} {fields['occupation'].lower()}. "
        f"{fields['gender_pronoun']} pronouns. {fields['public_info']} "
        f"Personality and values description: {fields['personality_and_values']} "
    )


def _people(found: SotopiaRecords, remarks: list[Remark]) -> dict[str, Character]:
    """The characters by their ids; of two of one name, the second is told apart by its id."""
    people: dict[str, Character] = {}
    names: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for record in found.of("character"):
        with as_written(record):
            if record.id in people:
                continue
            fields = record.fields
            name = f"{fields['first_name']} {fields['last_name']}".strip()
            names[name] += 1
            if names[name] > 1:
                remarks.append(
                    _remark(record, f"is a second {name!r}: called {name} ({record.id})")
                )
                name = f"{name} ({record.id})"
            lost.update(field for field in PLACELESS if fields.get(field))
            people[record.id] = Character(
                name,
                age=fields.get("age") or None,
                gender=fields.get("gender", ""),
                pronouns=fields.get("gender_pronoun", ""),
                occupation=fields.get("occupation", ""),
                public=fields.get("public_info", ""),
                nature=fields.get("personality_and_values", ""),
                secret=fields.get("secret", ""),
                key=record.id,
            )
    remarks += [
        Remark("characters", f"{count} of them", f"{field!r} has no place in a setting")
        for field, count in lost.items()
    ]
    return people


def _scenarios(
    found: SotopiaRecords, people: dict[str, Character], remarks: list[Remark]
) -> Iterator[Scenario]:
    pairs: dict[str, list[list[str]]] = {}
    for record in found.of("combination"):
        with as_written(record):
            ids = list(record.fields["agent_ids"])
            if ids not in pairs.setdefault(record.fields["env_id"], []):
                pairs[record.fields["env_id"]].append(ids)
    seen: set[str] = set()
    for record in found.of("scenario"):
        if record.id in seen:
            continue
        seen.add(record.id)
        with as_written(record):
            known = [ids for ids in pairs.get(record.id, []) if all(one in people for one in ids)]
            if not known:
                remarks.append(
                    _remark(record, "has no pair to play it among the combinations: left out")
                )
            fields = record.fields
            divided = division(fields["scenario"], fields["agent_goals"])
            for number, ids in enumerate(known, start=1):
                cast = tuple(people[one].name for one in ids)
                goals = dict(zip(cast, map(untagged, fields["agent_goals"]), strict=False))
                label = fields.get("codename") or "scenario"
                name = f"{label} {record.id} {number}"
                yield Scenario(
                    name,
                    untagged(fields["scenario"]),
                    cast,
                    goals,
                    pool=divided.pool,
                    worth=dict(zip(cast, divided.worth, strict=False)),
                    key=record.id,
                )


def _relations(
    found: SotopiaRecords, people: dict[str, Character], remarks: list[Remark]
) -> Iterator[Relation]:
    seen: set[frozenset[str]] = set()
    stories = 0
    for record in found.of("relationship"):
        with as_written(record):
            fields = record.fields
            ids = [
                fields.get("agent1_id") or fields.get("agent_1_id"),
                fields.get("agent2_id") or fields.get("agent_2_id"),
            ]
            pair = frozenset(str(one) for one in ids)
            if not all(one in people for one in pair) or len(pair) < 2:
                remarks.append(
                    _remark(record, "is of somebody who is not among the characters: left out")
                )
                continue
            if pair in seen:
                continue
            seen.add(pair)
            stories += bool(fields.get("background_story"))
            number = int(fields["relationship"])
            names = tuple(people[str(one)].name for one in ids)
            yield Relation(RELATIONSHIPS[number], between=names)
    if stories:
        what = "'background_story' has no place in a setting"
        remarks.append(Remark("relationships", f"{stories} of them", what))


def _remark(record: SotopiaRecord, what: str) -> Remark:
    return Remark(record.source, record.id, what)
