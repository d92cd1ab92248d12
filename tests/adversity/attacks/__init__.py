"""All attacks, by name."""

from __future__ import annotations

from adversity.attack import Attack
from adversity.attacks import (
    archives,
    banks,
    clients,
    clusters,
    connections,
    cuts,
    disks,
    exam_shares,
    flips,
    histories,
    lives,
    machines,
    minds,
    models,
    replies,
    runs,
    shares,
    sittings,
    trainings,
    writers,
)

ATTACKS: dict[str, Attack] = {
    "writers": writers.ATTACK,
    "runs": runs.ATTACK,
    "guards": runs.GUARDED,
    "shares": shares.ATTACK,
    "exam_shares": exam_shares.ATTACK,
    "machines": machines.ATTACK,
    "clusters": clusters.ATTACK,
    "minds": minds.ATTACK,
    "sittings": sittings.ATTACK,
    "trainings": trainings.ATTACK,
    "banks": banks.ATTACK,
    "disks": disks.ATTACK,
    "connections": connections.ATTACK,
    "flips": flips.ATTACK,
    "cuts": cuts.ATTACK,
    "archives": archives.ATTACK,
    "replies": replies.ATTACK,
    "models": models.ATTACK,
    "clients": clients.ATTACK,
    "histories": histories.ATTACK,
    "lives": lives.ATTACK,
}
