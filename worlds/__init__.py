"""Places and their rules: data in, drafts of events out."""

from whoknew.worlds.errors import BadScript, WorldError
from whoknew.worlds.performance import Played, play, play_what_if
from whoknew.worlds.script import Script, bundled, load
from whoknew.worlds.setting import Character, Place, Relation, Scenario, Setting
from whoknew.worlds.stage import Stage

__all__ = [
    "BadScript",
    "Character",
    "Place",
    "Played",
    "Relation",
    "Scenario",
    "Script",
    "Setting",
    "Stage",
    "WorldError",
    "bundled",
    "load",
    "play",
    "play_what_if",
]
