"""Seqs as a command is given them: 12, #12, 12-20 or #12..#20."""

from __future__ import annotations

import re

from whoknew.engine.errors import BadQuestion

_RANGE = re.compile(r"#?(\d{1,18})(?:\s*(?:-|\.\.)\s*#?(\d{1,18}))?")


def seq_range(text: str) -> tuple[int, int] | None:
    """The first and the last; None where the text is something else."""
    if not (match := _RANGE.fullmatch(text.strip())):
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    if first > last:
        raise BadQuestion(f"{text!r} runs backwards: write it as {last}-{first}")
    return first, last
