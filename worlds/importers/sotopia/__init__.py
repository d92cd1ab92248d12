"""Sotopia in and out: characters, scenarios, relationships, episodes, games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, Remark
from whoknew.worlds.importers.sotopia import config, episode, game, light, profiles
from whoknew.worlds.importers.sotopia.export import Form, episodes_of
from whoknew.worlds.importers.sotopia.records import SotopiaRecord, SotopiaRecords, as_written, read
from whoknew.worlds.setting import Setting

__all__ = [
    "Form",
    "SotopiaEntry",
    "SotopiaRecord",
    "SotopiaRecords",
    "episodes_of",
    "read",
    "settings_of",
    "worlds_of",
]


def worlds_of(found: SotopiaRecords) -> Iterator[ImportedWorld]:
    """A world for each episode and each game that was played."""
    makers = {
        "episode": episode.world_of,
        "light episode": light.world_of,
        "game log": game.world_of,
    }
    for record in found.records:
        if record.kind in makers:
            with as_written(record):
                world = makers[record.kind](record)
            yield world


def settings_of(found: SotopiaRecords, name: str) -> Iterator[tuple[Setting, list[Remark]]]:
    """What there is to play: the profiles as one setting, and each game as one of its own."""
    if found.of("character"):
        yield profiles.setting_of(found, name)
    for record in found.of("game config"):
        with as_written(record):
            game_setting = config.setting_of(record)
        yield game_setting


class SotopiaEntry(ImporterEntry, frozen=True):
    """Sotopia's episodes and games"""

    def read(self, path: Path) -> Iterator[ImportedWorld | Remark]:
        found = read(path)
        yield from found.remarks
        yield from worlds_of(found)
