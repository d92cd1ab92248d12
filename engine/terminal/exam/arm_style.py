"""How the line of an arm stands in a table: that of one which leaks in red."""

from __future__ import annotations

from whoknew.engine.exams.control import is_unsafe


def arm_style(name: str) -> str:
    return "red" if is_unsafe(name) else ""
