"""Places and their rules: data in, drafts of events out."""

from whoknew.worlds.errors import BadDocument, OffStage, WorldError
from whoknew.worlds.setting import Character, Place, Relation, Scenario, Setting
from whoknew.worlds.shelf import bundled, find
from whoknew.worlds.stage import Stage

__all__ = [
    "BadDocument",
    "Character",
    "OffStage",
    "Place",
    "Relation",
    "Scenario",
    "Setting",
    "Stage",
    "WorldError",
    "bundled",
    "find",
]
