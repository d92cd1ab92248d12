"""A program of ours collects garbage seldom; whoever only imports us is left alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from whoknew.engine.terminal.garbage import YOUNG


@pytest.mark.parametrize(("does", "told"), [("import whoknew.cli", "as it was"), ("main()", YOUNG)])
def test_only_the_command_line_changes_how_often(does: str, told: int | str) -> None:
    program = (
        "import gc, sys; sys.argv = ['whoknew', '--version']; was = gc.get_threshold()[0]\n"
        "from whoknew.cli import main\n"
        f"try: {does}\n"
        "finally: now = gc.get_threshold()[0]; print(now if now != was else 'as it was')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == str(told)
