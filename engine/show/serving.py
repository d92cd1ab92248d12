"""`whoknew serve`: where it listens."""

from __future__ import annotations

import typer

from whoknew.engine.server.serve import Serving
from whoknew.engine.show.console import safe


def ready(serving: Serving) -> None:
    typer.echo(f"{safe(serving.log)} at {serving.url}")
    if not serving.writable:
        typer.echo("Another process writes this log: here it can only be looked at.")
    typer.echo("Ctrl-C stops it.")
