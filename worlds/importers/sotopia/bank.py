"""Sotopia's scenarios as a bank, and its characters as the people who can play it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from whoknew.eventlog.nearest import nearest
from whoknew.worlds.bank import Bank, Sketch
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.importers.sotopia.division import division
from whoknew.worlds.importers.sotopia.profiles import BEGINS, setting_of, untagged
from whoknew.worlds.importers.sotopia.records import SotopiaRecords, read
from whoknew.worlds.pairing import PairedScene
from whoknew.worlds.people import People
from whoknew.worlds.relationship import RELATIONSHIPS, Relationship

_RANGE = re.compile(r"\((\d{1,9}),\s*(\d{1,9})\)")
_INNER = re.compile(r"\[([^\[\]]*)\]")
_TRADE = re.compile(r"[^\[\],'\"]+")
_ANY = ("nan", "any", "none", "None")


def sotopia_bank(folder: Path, relationship: str) -> tuple[People, Bank]:
    """The people of a folder of Sotopia's JSONL files, and those of its scenarios that are for two
    who stand so to each other."""
    if relationship not in RELATIONSHIPS:
        what = f"{relationship!r} is no relationship: {nearest(relationship, RELATIONSHIPS)}"
        raise BadDocument([Mistake(str(folder), None, "bank", what)])
    found = _found(folder)
    setting, _ = setting_of(found, "sotopia")
    people = People("sotopia", BEGINS, setting.characters, setting.relations)
    return people, bank_of(found, relationship)


def sotopia_scenes(folder: Path) -> tuple[People, list[PairedScene]]:
    """The people of a folder of Sotopia's JSONL files, and its combinations: each scenario with each
    pair that is to play it."""
    found = _found(folder)
    setting, _ = setting_of(found, "sotopia")
    people = {one.key: one for one in setting.characters}
    fields = {one.id: one.fields for one in found.of("scenario")}
    sketches = {id_: _sketch(id_, one) for id_, one in fields.items()}
    scenes: dict[tuple[str, ...], PairedScene] = {}
    for record in found.of("combination"):
        id_, (first, second) = record.fields["env_id"], record.fields["agent_ids"]
        if id_ in sketches and first in people and second in people:
            relationship = RELATIONSHIPS[int(fields[id_]["relationship"])]
            pair = (people[first], people[second])
            scenes.setdefault((id_, first, second), PairedScene(sketches[id_], pair, relationship))
    whole = People("sotopia", BEGINS, setting.characters, setting.relations)
    return whole, list(scenes.values())


def bank_of(found: SotopiaRecords, relationship: Relationship) -> Bank:
    number = str(RELATIONSHIPS.index(relationship))
    fields = {one.id: one.fields for one in found.of("scenario")}
    sketches = [
        _sketch(id_, one) for id_, one in fields.items() if str(one.get("relationship")) == number
    ]
    return Bank(f"sotopia {relationship}", relationship, tuple(sketches))


def _found(folder: Path) -> SotopiaRecords:
    parts = [read(path) for path in sorted(folder.glob("*.jsonl"))]
    return SotopiaRecords(
        tuple(record for part in parts for record in part.records),
        tuple(remark for part in parts for remark in part.remarks),
    )


def _sketch(id_: str, fields: dict[str, Any]) -> Sketch:
    ages = [(int(least), int(most)) for least, most in _RANGE.findall(_given(fields, "age"))]
    trades = _trades(_given(fields, "occupation"))
    divided = division(fields["scenario"], fields["agent_goals"])
    return Sketch(
        f"{fields.get('codename') or 'scenario'} {id_}",
        untagged(fields["scenario"]),
        "",
        tuple(map(untagged, fields["agent_goals"])),
        pool=divided.pool,
        worth=divided.worth,
        ages=tuple(ages) if len(ages) == 2 else (),
        occupations=trades if len(trades) == 2 else (),
        key=id_,
    )


def _trades(text: str) -> tuple[tuple[str, ...], ...]:
    """What each side may be: one trade each, `[actor, actor]`, or several, `[[a, b], [c]]`."""
    inner = _INNER.findall(text)
    if len(inner) == 2:
        return tuple(tuple(one for one in _listed(each) if one not in _ANY) for each in inner)
    return tuple(() if one in _ANY else (one,) for one in _listed(text))


def _listed(text: str) -> list[str]:
    return [one.strip() for one in _TRADE.findall(text) if one.strip()]


def _given(fields: dict[str, Any], what: str) -> str:
    text = str(fields.get(f"{what}_constraint") or "")
    return "" if text in _ANY else text
