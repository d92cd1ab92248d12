"""A program of ours collects garbage seldom; whoever only imports us is left alone."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("does", "told"), [("import whoknew.cli", "700"), ("whoknew.cli.main()", "50000")]
)
def test_only_the_command_line_changes_how_often(does: str, told: str) -> None:
    program = (
        "import gc, sys, whoknew.cli; sys.argv = ['whoknew', '--version']\n"
        f"try: {does}\n"
        "finally: print(gc.get_threshold()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.split()[-1] == told
