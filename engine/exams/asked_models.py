"""The models of an exam: how each may be called, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack

from msgspec import Struct, field

from whoknew.agents.models.model import Model
from whoknew.agents.models.prices import Price
from whoknew.agents.models.shared_limits import SharedLimits
from whoknew.engine.errors import NoPrice
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.playing.control import Control
from whoknew.engine.running.models import begin_sending, check_memories, model_at


class Roles(Struct, frozen=True):
    """The models of an exam, by their addresses, and what each costs. How fast they may be called several
    processes may share."""

    models: Mapping[str, Model]
    prices: Mapping[str, Price | None]
    limits: SharedLimits = field(default_factory=SharedLimits)


async def roles_of(
    exam: LoadedExam,
    opening: AsyncExitStack,
    control: Control | None = None,
    *,
    calls: int,
) -> Roles:
    """All that are asked for answers, memories and verdicts, opened before anything is asked: what is
    missing is said at once. `control` can stop what asks them. By about how many `calls` they are asked,
    also those that are made already, it is decided whether a second process sends them."""
    asked = models_asked(exam)
    prices = prices_of(exam, asked)
    check_memories(seat for arm in exam.arms for seat in arm.seats)
    shared, beside = SharedLimits(), exam.plan.address
    sent = await begin_sending(opening, exam.plan.at_once, calls)
    models = {
        address: await model_at(
            address, one, opening, control, beside=beside, shared=shared, sending=sent
        )
        for address, one in asked.items()
    }
    return Roles(models, prices, shared)


def models_asked(exam: LoadedExam) -> dict[str, ModelSettings]:
    """The addresses of these, and how each may be called."""
    addresses = [model for arm in exam.arms for model in arm.models]
    addresses += [one.judging.model for one in exam.judges if one.judging.asks]
    return settings_of(exam, addresses)


def settings_of(exam: LoadedExam, addresses: Iterable[str]) -> dict[str, ModelSettings]:
    """How each of some models may be called, as the plan says."""
    return {address: exam.plan.models.get(address, ModelSettings()) for address in addresses}


def prices_of(exam: LoadedExam, models: Mapping[str, ModelSettings]) -> dict[str, Price | None]:
    """What each of them costs: NoPrice where a limit in money could not be held."""
    prices = {address: one.price(address) for address, one in models.items()}
    for address, price in prices.items():
        if price is None and exam.plan.limit.money is not None:
            raise NoPrice(
                f"limits.run.money is set, but the price of {address} is not known: "
                f'give price_in and price_out under [models."{address}"]'
            )
    return prices
