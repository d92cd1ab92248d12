"""An answer to be judged, of somebody in a small world."""

from __future__ import annotations

from typing import Any

from small_worlds import elsinore
from store_places import VolatilePlace, log_at

from whoknew.engine.playing.case import AnswerCase


async def answered(answer: str, **given: Any) -> AnswerCase:
    """What Horatio answers at the end of his world, in which he witnessed 8, 12 and 13."""
    async with log_at(VolatilePlace()) as log:
        await elsinore(log)
        view = await log.view("elsinore", "Horatio")
        rests = given.pop("rests_on", ())
        return AnswerCase(
            **{
                "character": "Horatio",
                "question": "Who?",
                "answer": answer,
                "rests_on": tuple([event for event in await view.events() if event.seq in rests]),
                "view": view,
                **given,
            }
        )
