"""A game's configuration, or that of a scenario with private messages, as a setting to play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.sotopia.profiles import BEGINS
from whoknew.worlds.importers.sotopia.records import SotopiaRecord
from whoknew.worlds.setting import Character, Order, Scenario, Setting

TAKEN = {
    "scenario",
    "description",
    "agents",
    "role_goals",
    "role_secrets",
    "action_order",
    "models",
}


def setting_of(record: SotopiaRecord) -> tuple[Setting, list[Remark]]:
    fields = record.fields
    people = [_person(one, fields.get("role_secrets") or {}) for one in fields["agents"]]
    goals = dict(_goals(fields))
    order: Order | None = fields.get("action_order")
    text = ". ".join(part for part in (fields["scenario"], fields.get("description", "")) if part)
    cast = tuple(one.name for one in people)
    setting = Setting(
        record.id,
        fields["scenario"][:60],
        BEGINS,
        tuple(people),
        (Scenario(record.id, text, cast, goals, order=order),),
    )
    remarks = [
        Remark(record.source, record.id, f"{key!r} has no place in a setting: left out")
        for key in fields
        if key not in TAKEN
    ]
    return setting, remarks


def _person(one: dict[str, Any], secrets: dict[str, str]) -> Character:
    profile = one.get("profile") or {}
    return Character(
        _name(one),
        age=profile.get("age"),
        gender=profile.get("gender", ""),
        pronouns=profile.get("gender_pronoun", ""),
        occupation=profile.get("occupation", ""),
        secret=profile.get("secret", "") or secrets.get(one.get("role", ""), ""),
    )


def _goals(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    of_roles = fields.get("role_goals") or {}
    for one in fields["agents"]:
        if goal := one.get("goal") or of_roles.get(one.get("role", "")):
            yield _name(one), goal


def _name(one: dict[str, Any]) -> str:
    return one.get("name") or f"{one.get('first_name', '')} {one.get('last_name', '')}".strip()
