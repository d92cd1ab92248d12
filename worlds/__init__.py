"""Places and their rules: data in, drafts of events out."""

from whoknew.worlds.errors import BadScript, WorldError
from whoknew.worlds.performance import Played, play, play_what_if
from whoknew.worlds.script import Script, bundled, load
from whoknew.worlds.stage import Stage

__all__ = [
    "BadScript",
    "Played",
    "Script",
    "Stage",
    "WorldError",
    "bundled",
    "load",
    "play",
    "play_what_if",
]
