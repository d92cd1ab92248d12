"""Those who judge an answer, each under its name, with the calls that they make."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Self

from whoknew.agents.errors import AgentError
from whoknew.agents.mind import Mind
from whoknew.engine.errors import BadQuestion
from whoknew.engine.part_code import told
from whoknew.engine.plan.faults import judge_fault
from whoknew.engine.plan.plan import Judging, ModelSettings, Seat
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.engine.playing.ledger import DROPPED
from whoknew.engine.playing.panel import reviewed
from whoknew.engine.registry import JUDGES
from whoknew.engine.running.journal import Journal
from whoknew.engine.running.models import Silent, judge_of, mind, model_at
from whoknew.eventlog.kinds import Called

Judges = Mapping[str, Judging]

USUAL = "reference"
"""Who judges where there is a reference, and nobody is named."""


class AnswerPanel:
    def __init__(self, judges: Mapping[str, Judge[AnswerCase]], calls: list[Called]) -> None:
        self._judges, self.calls = judges, calls
        self.verdicts: dict[str, Verdict] = {}

    @classmethod
    async def of(
        cls, judges: Judges, seat: Seat, settings: ModelSettings, opening: AsyncExitStack
    ) -> Self:
        """The panel with its models, open as long as the stack."""
        calls: list[Called] = []
        addresses = dict.fromkeys(one.model for one in judges.values() if one.asks)
        models = {
            address: Journal(await model_at(address, settings, opening), calls, settings)
            for address in addresses
        }

        def remembering(who: str) -> Mind:
            return mind(who, seat, Silent())

        made = {
            name: judge_of(one, models.__getitem__, remembering) for name, one in judges.items()
        }
        return cls(made, calls)

    async def review(self, case: AnswerCase) -> None:
        """Where a judge fails, that is its verdict, and the others are heard all the same."""
        for name, judge in self._judges.items():
            try:
                self.verdicts |= dict(await reviewed({name: judge}, case))
            except AgentError as error:
                self.verdicts[name] = Verdict(case.character, None, str(error))
            except Exception as error:  # noqa: BLE001  (code from elsewhere: the answer is kept)
                self.verdicts[name] = Verdict(case.character, None, told(error))
            except asyncio.CancelledError:
                self.verdicts[name] = Verdict(case.character, None, DROPPED)
                raise


def named(names: Sequence[str], model: str) -> Judges | None:
    """Judges by their names, all of one model; None where nobody is named."""
    return {name: Judging(name, model) for name in names} or None


def chosen(judges: Judges | None, reference: str | None) -> Judges:
    """Those who judge: BadQuestion where one cannot judge this."""
    if reference is not None and not reference.strip():
        raise BadQuestion("the reference is empty: give an answer that is known to be right")
    if judges is None:
        return {} if reference is None else {USUAL: Judging(USUAL)}
    given = {"reference": reference}
    for name, one in judges.items():
        for _, wrong in judge_fault(one.by, "answer", name):
            raise BadQuestion(wrong)
        for need in JUDGES.made(one.by, one.settings).needed():
            if not given.get(need):
                lacking = (
                    "a reference: give one"
                    if need == "reference"
                    else f"{need}, which only questions of an examination have"
                )
                raise BadQuestion(f"the judge {name!r} needs {lacking}")
    return judges
