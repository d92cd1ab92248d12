"""Which of the paper's four types of data a question is, from who knows what at a moment."""

from __future__ import annotations

from typing import Literal, get_args

from whoknew.eventlog.knowledge import Known

DataType = Literal["future", "past-absence", "past-presence", "past-only"]
Form = Literal["structured", "free"]
Mode = Literal["witness", "paper"]

FUTURE: DataType = "future"
ABSENCE: DataType = "past-absence"
PRESENCE: DataType = "past-presence"
ONLY: DataType = "past-only"

TYPES: tuple[DataType, ...] = get_args(DataType)

UNSURE = "unsure"
"""A kind apart, whatever the type: it is open whether its character witnessed the event, or was told."""


def data_type(known: Known, form: Form, mode: Mode) -> DataType | None:
    """What a question on an event is to a character, of what it knows of that. A structured one asks
    about being there. One in free form asks about what happened: in `witness` mode of those alone who
    were there, or were told; as in the `paper`, of anybody."""
    if known.answer == "future":
        return FUTURE
    if form == "structured":
        return PRESENCE if known.answer == "present" else ABSENCE
    return ONLY if mode == "paper" or known.answer in ("present", "told") else None
