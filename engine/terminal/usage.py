"""What was typed wrong, in one line that says where help is. Nothing heavy is loaded before."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import chain, islice
from os.path import isfile  # of a name that no file can have it says no; pathlib raises
from typing import Any

import typer

PAIRED = {
    "--tell": "a name and a text",
    "--goal": "a name and a text",
    "--heard": "a seq and a name",
    "--unheard": "a seq and a name",
}
"""The options that take two words, and which."""
LIFELONG = (
    "`whoknew lifelong` is a kind of exam now: `whoknew exam run lifelong`, or with a plan that says "
    '`exam = "lifelong"`, and has its models and memories under [grid], `whoknew exam run PLAN`; '
    "for its report `whoknew exam report PLAN`"
)
"""What is said to who types a command that is gone."""
_SEAM = "\x1f"
_EXTRA = re.compile(r"extra arguments?(?:\(s\))? \((.*)\)")
_ADDRESS = re.compile(r"[\w+.-]+://[^\s)]+")

UsageError: Any = typer.BadParameter.__mro__[1]
"""Whatever the command line finds wrong by itself; typer names only its children."""


def run_command(command: Any, words: Sequence[str]) -> int:
    """Run it, and say how it came out."""
    try:
        _check(words)
        code = command.main(_paired(words), prog_name="whoknew", standalone_mode=False)
    except UsageError as error:
        if words[:1] == ["lifelong"]:
            _say(LIFELONG, "whoknew exam")
            return 2
        at_hand = error.ctx.command_path if error.ctx else _at_hand(words)
        _say(_worded(error), at_hand)
        return 2
    return code if isinstance(code, int) else 0


def pairs(values: Sequence[str] | None) -> tuple[tuple[str, str], ...]:
    """The values of a repeated option that takes two words."""
    found = []
    for value in values or ():
        name, _, text = value.partition(_SEAM)
        found.append((name, text))
    return tuple(found)


def numbered(option: str, values: Sequence[str] | None) -> tuple[tuple[int, str], ...]:
    """The same, where the first word is a seq."""
    found = []
    for seq, name in pairs(values):
        number = seq.removeprefix("#")
        if not number.isdecimal() or not number.isascii() or len(number) > 15:
            raise typer.BadParameter(f"{option} takes {PAIRED[option]}: {seq!r} is no seq")
        found.append((int(number), name))
    return tuple(found)


def _paired(words: Sequence[str]) -> list[str]:
    """Typer has no repeated option of two words: each such pair is handed on as one."""
    joined: list[str] = []
    left = iter(words)
    while (word := next(left, None)) is not None:
        option, joint, name = word.partition("=")
        if joint and option in PAIRED:
            word, left = option, chain([name], left)
        joined.append(word)
        if word in PAIRED:
            pair = [*islice(left, 2)]
            if len(pair) < 2 or pair[1].startswith("--"):
                raise typer.BadParameter(f"{word} takes {PAIRED[word]}", param_hint="")
            joined.append(_SEAM.join(pair))
    return joined


def _at_hand(words: Sequence[str]) -> str:
    """The command that words name, as far as they do."""
    from whoknew.engine.terminal.commands import COMMANDS, Group

    path, lines = ["whoknew"], COMMANDS
    for word in words:
        if word not in lines:
            break
        path.append(word)
        inner = lines[word]
        lines = inner.lines if isinstance(inner, Group) else {}
    return " ".join(path)


def _worded(error: Any) -> str:
    """What is wrong, and what to write where a log, or what is looked for, was given as an argument that is
    one too many."""
    message: str = _ADDRESS.sub(_without_password, error.format_message())
    extra = _EXTRA.search(message)
    if extra is None:
        return message
    options = {name: one.metavar for one in error.ctx.command.params for name in one.opts}
    logs = [one for one in extra[1].split() if "://" in one or isfile(one)]
    if logs and "--log" in options:
        return f"{message}: name a log by --log {shlex.quote(logs[0])}"
    if options.get("--about") == "TEXT":
        return f"{message}: say which events by --about {shlex.quote(extra[1])}"
    return message


def _without_password(address: re.Match[str]) -> str:
    from whoknew.eventlog.shown_address import without_password

    return without_password(address[0])


def _check(words: Sequence[str]) -> None:
    """An empty argument is nearly always a shell's variable that is not set."""
    for before, word in zip(["whoknew", *words], words, strict=False):
        if not word.strip():
            raise typer.BadParameter(f"what follows `{before}` is empty", param_hint="")
        if word.startswith("--") and word.endswith("="):
            raise typer.BadParameter(f"what follows `{word}` is empty", param_hint="")


def _say(message: str, path: str) -> None:
    from whoknew.engine.terminal.errors import say_error

    if message.startswith("Usage:"):  # nothing was asked for: it is the help itself
        typer.echo(message, err=True)
        return
    plain = message.removeprefix("Invalid value for : ").removeprefix("Invalid value: ")
    plain = (plain[:1].lower() + plain[1:]).rstrip(".")
    say_error(f"{plain} (see `{path} --help`)")
