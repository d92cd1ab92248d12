"""All attacks, by name."""

from __future__ import annotations

from adversity.attack import Attack
from adversity.attacks import (
    archives,
    clients,
    connections,
    cuts,
    disks,
    flips,
    models,
    replies,
    runs,
    sittings,
    writers,
)

ATTACKS: dict[str, Attack] = {
    "writers": writers.ATTACK,
    "runs": runs.ATTACK,
    "sittings": sittings.ATTACK,
    "disks": disks.ATTACK,
    "connections": connections.ATTACK,
    "flips": flips.ATTACK,
    "cuts": cuts.ATTACK,
    "archives": archives.ATTACK,
    "replies": replies.ATTACK,
    "models": models.ATTACK,
    "clients": clients.ATTACK,
}
