"""A program of ours collects garbage seldom; whoever only imports us is left alone."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from whoknew.engine.terminal.garbage import YOUNG


@pytest.mark.parametrize(
    ("does", "told"),
    [("import whoknew.cli", gc.get_threshold()[0]), ("whoknew.cli.main()", YOUNG)],
)
def test_only_the_command_line_changes_how_often(does: str, told: int) -> None:
    program = (
        "import gc, sys, whoknew.cli; sys.argv = ['whoknew', '--version']\n"
        f"try: {does}\n"
        "finally: print(gc.get_threshold()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.split()[-1] == str(told)
