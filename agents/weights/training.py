"""The port to a trainer: rows and settings in, an artefact out, which is known by its digest.

To train is a call like any other: the order and the rows are its prompt, and what came of it is its
reply. So it is on the log with its digest, is paid for once, and is gone on with after a kill.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.agents.errors import BadAnswer
from whoknew.agents.models.model import Message, Request
from whoknew.agents.weights.rows import Row

TRAIN = "train"
"""The purpose of a request that has a model trained."""

_DIGEST = re.compile(r"\b[0-9a-f]{32}\b")


class RowOrigin(Struct, frozen=True, array_like=True):
    """Where a row comes from: its place in the view of its character, and when that was in the story."""

    place: int
    at: datetime


class TrainingOrder(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be trained: `by` lora or grace, with these settings, to be `who`. It goes on from the
    artefact with the digest `after`, or from the base model. `origins` are those of the rows, one by one."""

    by: str
    who: str
    settings: Mapping[str, Any]
    after: str = ""
    episodes: tuple[int, ...] = ()
    origins: tuple[RowOrigin, ...] = ()


class Trained(Struct, frozen=True, kw_only=True):
    """What came of it: `digest` is that of the artefact, `base` that of the weights under it. `loss` is
    that of the last round; of GRACE the share of edits that do not hold."""

    digest: str
    base: str
    rows: int
    steps: int
    loss: float
    seconds: float


class TrainedEpisode(Struct, frozen=True, kw_only=True):
    """A note: the order, and what came of it."""

    order: TrainingOrder
    trained: Trained


def requested(order: TrainingOrder, rows: Sequence[Row]) -> Request:
    """The order, and each row as what is asked and what is to be answered."""
    return request_of(order, [(row.asked, row.reply) for row in rows])


def request_of(order: TrainingOrder, rows: Sequence[tuple[str, str]]) -> Request:
    chat = [Message("system", msgspec.json.encode(order, order="deterministic").decode())]
    for asked, reply in rows:
        chat += [Message("user", asked), Message("assistant", reply)]
    return Request(TRAIN, tuple(chat), Trained, shared=True)


def order_of(request: Request) -> tuple[TrainingOrder, list[tuple[str, str]]]:
    """The order in a request, and its rows."""
    first, *chat = [message.text for message in request.messages]
    return msgspec.json.decode(first, type=TrainingOrder), list(
        zip(chat[::2], chat[1::2], strict=True)
    )


def trained_by(text: str) -> Trained:
    """What a reply says; BadAnswer where it says something else."""
    try:
        return msgspec.json.decode(text, type=Trained)
    except msgspec.MsgspecError as error:
        raise BadAnswer(f"that is no artefact of a training: {error}.") from None


def note_of(text: str) -> TrainedEpisode | None:
    """What a note says; nothing where it is another's."""
    try:
        return msgspec.json.decode(text, type=TrainedEpisode)
    except msgspec.MsgspecError:
        return None


def digests_in(text: str) -> list[str]:
    """All that may be digests of artefacts in a note, or in what a trainer replied."""
    return _DIGEST.findall(text)
