"""The commands by name, each with the line that help shows of it.

What is behind a name is the file of that name, loaded when it is asked for and not before: so that
`whoknew --help` answers at once, and a command loads nothing of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

SETTINGS = {"help_option_names": ["-h", "--help"]}


class Group(NamedTuple):
    """Commands that stand together, in a folder."""

    help: str
    folder: str
    lines: Mapping[str, str]


COMMANDS: Mapping[str, str | Group] = {
    "demo": "Play ten nights in a diner; show who knew what, when.",
    "run": "Play a plan, or go on with it.",
    "ls": "List the worlds of a log: how each stands, what it cost.",
    "stop": "Stop a run on this machine in order; it can go on later.",
    "show": "Tell what happened in a world, and who witnessed it.",
    "worlds": "List the worlds that come with Whoknew.",
    "new": "Write a commented plan to start from.",
    "doctor": "Look at what this machine has and lacks.",
    "serve": "Serve a log: a page to watch its worlds, and an API for programs.",
    "replay": "Show a world as it stood at any moment.",
    "knows": "Show who knows of what at any moment: present, told, absent.",
    "ask": "Ask a character something at any moment of its life.",
    "recall": "Search what a character knows at any moment.",
    "prompt": "Show what a model was given at a turn, and what it answered.",
    "fork": "Begin a what-if: a world that is another's up to a cursor.",
    "diff": "Compare two characters, two cursors, or a fork with its parent.",
    "rerun": "Play a world again, and say whether the same story comes of it.",
    "mark": "Give a moment a name, which is a cursor from then on.",
    "lifelong": "Put pairs through a life of episodes; judge, compare, plot.",
    "import": Group(
        "Bring worlds from elsewhere into a log.",
        "importing",
        {
            "sotopia": "Bring Sotopia's episodes and games into a log.",
            "play": "Bring stage plays in Jon Bosak's markup into a log.",
            "storyline": "Bring storylines, as Bookmarks reads them, into a log.",
            "locomo": "Bring LoCoMo's conversations into a log.",
            "bigtom": "Bring BigToM's stories into a log, four worlds a row.",
        },
    ),
    "export": Group(
        "Write worlds as others read them.",
        "export",
        {
            "sotopia": "Write a world's episodes as Sotopia's episode logs.",
        },
    ),
    "bank": Group(
        "Banks of scenarios, from which lives are drawn.",
        "bank",
        {
            "ls": "List the banks that come with Whoknew.",
            "check": "Say whether a bank is sound, and no scenario in it nearly a copy of another.",
            "grow": "Have a model write more scenarios in the manner of BANK, into FILE.",
        },
    ),
    "token": Group(
        "View tokens: each lets its holder be one character of one world.",
        "token",
        {
            "give": "Give a token for CHARACTER in WORLD: it shows what that one perceives, and plays it.",
            "ls": "List the tokens that stand: for whom each is, and until when.",
            "revoke": "Take a token back, by its ID as `whoknew token ls` tells it.",
        },
    ),
    "log": Group(
        "Look after a log. LOG is a file, or postgresql://...",
        "log",
        {
            "info": "Say what kind of log it is, and which worlds it holds.",
            "head": "Print each world's newest seq and hash, to keep elsewhere.",
            "verify": "Check that every event is what was written.",
            "export": "Write a log as JSON lines, hash for hash.",
            "import": "Read an export into a log.",
            "backup": "Copy a log into a new SQLite file.",
            "anonymise": "Write a log as JSON lines without a name in it.",
            "restore": "Put the names back into what `log anonymise` wrote.",
        },
    ),
}


class CommandFiles(Mapping[str, Any]):
    """Commands, made when they are asked for."""

    def __init__(self, package: str, lines: Mapping[str, str | Group]) -> None:
        self._package, self.lines = package, lines

    def __getitem__(self, name: str) -> Any:
        line = self.lines[name]
        if isinstance(line, Group):
            return _group(name, line, f"{self._package}.{line.folder}")
        module = import_module(f"{self._package}.{FILES.get(name, name)}")
        command = typer.main.get_command(module.app)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


class CommandGroup(TyperGroup):
    """A group whose help is told by its table, and loads none of its commands."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        files: Any = self.commands
        rows = [
            (name, line if isinstance(line, str) else line.help)
            for name, line in files.lines.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def every_command() -> CommandFiles:
    return CommandFiles(__package__ or "", COMMANDS)


FILES = {"import": "importing"}
"""The names that cannot be those of a file."""


def _group(name: str, group: Group, package: str) -> CommandGroup:
    commands: Any = CommandFiles(package, group.lines)
    return CommandGroup(
        name=name,
        help=group.help,
        commands=commands,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=SETTINGS,
    )
