"""Peers from PyPI, each in an environment of its own, its version pinned."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from figure import Missing
from session import RESULTS, Session

PATIENCE = 600
"""Seconds that a peer may take to be installed, and for one run."""


class Stumbled(Exception):
    """A program of the peer's ended with an error."""


def installed(session: Session, *packages: str) -> Path:
    """The interpreter of an environment with these packages, made where there is none."""
    home = RESULTS / packages[0].replace("==", "-")
    python, ready = home / "bin" / "python", home / "ready"
    if ready.exists() and ready.read_text("utf-8") == " ".join(packages):
        return python
    if session.quick:
        raise Missing("not installed: a run without --quick does that")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        run([sys.executable, "-m", "venv", "--clear", home])
        run([*pip, *packages])
    except (OSError, subprocess.SubprocessError, Stumbled) as error:
        raise Missing(f"could not be installed: {error}") from None
    ready.write_text(" ".join(packages), "utf-8")
    return python


def run(
    command: Sequence[object],
    environment: dict[str, str] | None = None,
    patience: float = PATIENCE,
) -> str:
    """What a program printed. One that fails tells why."""
    words = [str(one) for one in command]
    done = subprocess.run(
        words, check=False, capture_output=True, text=True, timeout=patience, env=environment
    )
    if done.returncode:
        told = done.stderr.strip().splitlines() or ["no word of why"]
        raise Stumbled(f"{' '.join(words[:4])}: {told[-1]}")
    return done.stdout
