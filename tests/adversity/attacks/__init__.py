"""All attacks, by name."""

from __future__ import annotations

from adversity.attack import Attack
from adversity.attacks import (
    clients,
    connections,
    cuts,
    disks,
    models,
    replies,
    runs,
    writers,
)

ATTACKS: dict[str, Attack] = {
    "writers": writers.ATTACK,
    "runs": runs.ATTACK,
    "disks": disks.ATTACK,
    "connections": connections.ATTACK,
    "cuts": cuts.ATTACK,
    "replies": replies.ATTACK,
    "models": models.ATTACK,
    "clients": clients.ATTACK,
}
