"""A log of a play, with a mark, a secret and a fork of it: the same for all that travel in it."""

from __future__ import annotations

from pathlib import Path

from command_runner import run

PLAY = "the-lamp-room"


def lamp_room(folder: Path) -> Path:
    file = folder / "play.db"
    run("import", "play", PLAY, "--log", file)
    run("mark", PLAY, "the fright", "--at", "E5", "--log", file)
    run("mark", PLAY, "stones", "--at", "33", "--secret", "--log", file)
    tell = ("--tell", "TOBIAS PELL", "There are stones in her.")
    run("fork", PLAY, "--at", "E4.T3", "--name", "told", *tell, "--log", file)
    return file
