"""What a person offers, looked at before it is done: what is void would cost it its turn."""

from __future__ import annotations

from collections import Counter

from whoknew.agents.agent import Action, Moment
from whoknew.agents.errors import BadAction
from whoknew.agents.lines import things
from whoknew.eventlog.kinds import Acted, EpisodeOpened


async def check_dealing(action: Action, moment: Moment) -> None:
    """Refuse an offer that does not give away all that there is, once, and to agree to none; as far as
    the character knows what there is (BadAction)."""
    if not action.offer and not action.agrees:
        return
    bodies = [event.body for event in await moment.view.events(moment.begins)]
    if action.agrees and not any(isinstance(one, Acted) and one.offer for one in bodies):
        raise BadAction("there is no offer to agree to: make one")
    opened = next((one for one in bodies if isinstance(one, EpisodeOpened)), None)
    if not action.offer or opened is None:
        return
    if not opened.pool:
        raise BadAction("there is nothing to divide here: make no offer")
    given = Counter[str]()
    for share in action.offer.values():
        given.update(share)
    for item in (*opened.pool, *given):
        if given[item] != opened.pool.get(item, 0):
            raise BadAction(
                f"the offer gives away {given[item]} of {item}, but there are "
                f"{opened.pool.get(item, 0)}: give away exactly what there is, {things(opened.pool)}"
            )
