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


WIDTH = 74
UNFILLED = "\b\n"
"""What a text begins with whose lines are shown as they are."""


class Group(NamedTuple):
    """Commands that stand together, in a folder; and those that packages bring, if there is a module
    `others` in it which knows their `lines`, and makes the `app` of one."""

    help: str
    folder: str
    lines: Mapping[str, str]
    others: str = ""


COMMANDS: Mapping[str, str | Group] = {
    "demo": "Play ten nights in a diner; show who knew what, when.",
    "run": "Play a plan, or go on with it.",
    "ls": "List the worlds of a log: how each stands, what it cost.",
    "stop": "Stop a run; it can go on later.",
    "pause": "Let all who play a plan together wait between two turns.",
    "resume": "Let all who were paused go on.",
    "workers": "Show the processes that play one log together: how fast, and what it costs.",
    "show": "Tell what happened in a world, and who witnessed it.",
    "worlds": "List the worlds that come with Whoknew.",
    "new": "Write a commented plan to start from.",
    "parts": "List the memories, methods, agents, judges, models, importers and exams.",
    "doctor": "Check whether this machine has what Whoknew needs.",
    "bundle": "Write a world as files to send: a page that opens without a server.",
    "serve": "Serve a log: a page to watch its worlds, and an API for programs.",
    "replay": "Show a world as it stood at any moment.",
    "knows": "Show who knows of what at any moment: present, told, absent.",
    "draw": "Draw who is together with whom, and who comes to know of an event.",
    "tellings": "Find who told whom of what in a world that is there.",
    "ask": "Ask a character something at any moment of its life.",
    "audit": "Find lines that hold what their speaker could not know.",
    "recall": "Search what a character knows at any moment.",
    "bookmarks": "Show the bookmarks of a character: its questions, and how it answers them at any moment.",
    "prompt": "Show what a model was given at a turn, and what it answered.",
    "fork": "Begin a what-if: a new world with another's past up to a cursor.",
    "diff": "Compare two characters, two cursors, or a fork with its parent.",
    "rerun": "Play a world again, and say whether the same story comes of it.",
    "mark": "Give a moment a name, which is a cursor from then on.",
    "exam": Group(
        "Put questions to characters under many arms; judge the answers; compare.",
        "exam",
        {
            "ls": "List the exams of a log: their arms, how far each is, when.",
            "new": "Write a commented plan of an exam to start from.",
            "check": "Check the plan of an exam, its questions, and its worlds.",
            "questions": "List the questions of an exam; accept or strike them.",
            "lives": "Make lives by rule, and hold each against all checks.",
            "run": "Sit an exam, or go on with it; show its table.",
            "judge": "Judge old answers anew, by new judges or changed ones.",
            "report": "Show the table of an exam, as far as it has come.",
            "show": "Show one cell: question, prompt, answer, verdicts.",
            "audit": "Find answers that give away what could not be known.",
        },
    ),
    "train": "Train what an exam keeps in weights, ahead of its questions.",
    "edits": "List the edits of a model in words; merge them, or take one back.",
    "import": Group(
        "Bring worlds from elsewhere into a log.",
        "importing",
        {
            "sotopia": "Bring Sotopia's episodes and games into a log.",
            "play": "Bring stage plays in Jon Bosak's markup into a log.",
            "storyline": "Bring storylines, as Bookmarks reads them, into a log.",
            "locomo": "Bring LoCoMo's conversations into a log.",
            "longmemeval": "Bring LongMemEval's sessions into a log: a world for each question.",
            "clonemem": "Bring the traces of lives into a log, with CloneMem's items on them.",
            "bigtom": "Bring BigToM's stories into a log: each becomes four worlds.",
            "lifestate": "Bring the episodes of LIFESTATE-BENCH into a log, as one world.",
            "timechara": "Bring TimeChara's instances into a log: each series becomes a world.",
        },
        "installed",
    ),
    "export": Group(
        "Write worlds in the formats of other programs.",
        "export",
        {
            "sotopia": "Write a world's episodes as Sotopia's episode logs.",
            "csv": "Write a world's events as a table in CSV.",
            "rows": "Write what a character lived through as rows to train a model on.",
            "prompts": "Write the prompts of a world, or of an exam, and what was answered to them.",
            "storyline": "Write a world as a storyline, as Bookmarks reads it, into a folder.",
            "lifestate": "Write the questions of an exam in the form of LIFESTATE-BENCH.",
            "timechara": "Write what an arm answered in the form of TimeChara's own answers.",
            "clonemem": "Write the questions of an exam, and its traces, in the form of CloneMem.",
        },
    ),
    "bank": Group(
        "Look after banks: scenarios for exams of scenes and lives to draw from.",
        "bank",
        {
            "ls": "List the banks that come with Whoknew.",
            "check": "Check a bank for mistakes, and for scenarios that are nearly copies.",
            "grow": "Have a model write more scenarios like those of BANK, into FILE.",
        },
    ),
    "token": Group(
        "View tokens: each lets its holder be one character of one world.",
        "token",
        {
            "give": "Give a token with which somebody sees and plays CHARACTER in WORLD.",
            "ls": "List the valid tokens: for whom each is, and until when.",
            "revoke": "Take a token back. `whoknew token ls` shows its ID.",
        },
    ),
    "log": Group(
        "Look after a log. LOG is a file, or postgresql://...",
        "log",
        {
            "info": "Say what kind of log it is, and which worlds it holds.",
            "head": "Print each world's newest seq and hash, to keep elsewhere.",
            "verify": "Check that every event is what was written.",
            "rows": "Show the events of a log as rows of a table.",
            "export": "Write a log as JSON lines, with its hashes.",
            "import": "Read an export into a log.",
            "backup": "Copy a log into a new SQLite file.",
            "anonymise": "Write a log as JSON lines without a name in it.",
            "restore": "Put the names back into what `log anonymise` wrote.",
        },
    ),
}


class CommandFiles(Mapping[str, Any]):
    """Commands, made when they are asked for."""

    def __init__(self, package: str, ours: Mapping[str, str | Group], others: str = "") -> None:
        self._package, self._ours, self._others = package, ours, others

    @property
    def lines(self) -> Mapping[str, str | Group]:
        """All names, ours first."""
        brought = self._file(self._others).lines() if self._others else {}
        return {**self._ours, **brought}

    def __getitem__(self, name: str) -> Any:
        line = self._ours.get(name) or self.lines[name]
        if isinstance(line, Group):
            return _group(name, line, f"{self._package}.{line.folder}")
        app = self._file(name).app if name in self._ours else self._file(self._others).app(name)
        command: Any = typer.main.get_command(app)
        command.name = name
        command.epilog = _folded(command.epilog or "")
        return command

    def _file(self, name: str) -> Any:
        return import_module(f"{self._package}.{FILES.get(name, name)}")

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


def _folded(example: str) -> str:
    """An example in lines that fit, each but the last ended so that a shell takes them as one."""
    first, *options = example.split(" --")
    lines = [first]
    for option in options:
        if len(lines[-1]) + len(option) + 3 > WIDTH:
            lines.append("   ")
        lines[-1] += f" --{option}"
    return UNFILLED + " \\\n".join(lines)


def _group(name: str, group: Group, package: str) -> CommandGroup:
    commands: Any = CommandFiles(package, group.lines, group.others)
    return CommandGroup(
        name=name,
        help=group.help,
        commands=commands,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=SETTINGS,
    )
