"""Stage plays in Jon Bosak's markup: who heard which words follows from the stage directions."""

from whoknew.worlds.importers.play.world import world_of

__all__ = ["world_of"]
