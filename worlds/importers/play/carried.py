"""Who is carried out in what they hid in: "Gets into the basket"; "Exeunt SERVANTS with the basket"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from whoknew.worlds.importers.play.direction import Move
from whoknew.worlds.importers.play.people import Mention
from whoknew.worlds.importers.play.steps import Directed, Step, moves_that, names_in
from whoknew.worlds.importers.play.verbs import CHEST

_INTO = re.compile(rf"\b(?:into|in) (?:the|a|an|his|her) ({CHEST})\b", re.IGNORECASE)
_WITH = re.compile(
    r"\b(?:with|carry(?:ing)?|carries|bear(?:s|ing)?|tak(?:es?|ing)|lift(?:s|ing)?|drag(?:s|ging)?)"
    rf" (?:(?:up|out|off|away) )?(?:the|a|an) ({CHEST})\b",
    re.IGNORECASE,
)


def carried_out(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps of a scene, with those going who are in what somebody goes with."""
    inside: dict[str, tuple[str, ...]] = {}
    for step in steps:
        if isinstance(step, Directed):
            for match in _INTO.finditer(step.text):
                for move in moves_that(step, "hide"):
                    inside[match[1].casefold()] = names_in(move.who) or step.speakers[-1:]
            for move in moves_that(step, "show"):
                out = {*names_in(move.who), *(() if move.who else step.speakers)}
                inside = {one: names for one, names in inside.items() if out.isdisjoint(names)}
            if moves_that(step, "exit") and (carried := _WITH.search(step.text)):
                names = inside.pop(carried[1].casefold(), ())
                going = tuple(Mention((name,), False, 0, 0) for name in names)
                if going:
                    step = replace(step, moves=(*step.moves, Move("exit", going)))
        yield step
