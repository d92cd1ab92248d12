"""A command as it can be copied and given, whatever the names in it: blanks, quotes, a dash in front."""

from __future__ import annotations

import shlex

from whoknew.eventlog.shown_address import without_password


def command_text(command: str, *arguments: str, **options: str | bool | None) -> str:
    """`whoknew COMMAND` with its arguments and options, quoted for a shell. An option that is True is
    a flag, and one that is None is left out. A password in it is not shown."""
    given = [
        word
        for name, value in options.items()
        if value
        for word in (f"--{name}", *([] if value is True else [value]))
    ]
    words = [*arguments, *given]
    if any(argument.startswith("-") for argument in arguments):
        words = [*given, "--", *arguments]  # else they would be taken for options
    return shlex.join(["whoknew", *command.split(), *map(without_password, map(str, words))])
