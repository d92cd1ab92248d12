"""What a person offers, looked at before it is done: what is void would cost it its turn."""

from __future__ import annotations

from whoknew.agents.agent import Action, Moment
from whoknew.agents.errors import BadAction
from whoknew.agents.lines import things
from whoknew.eventlog.dealing import why_void
from whoknew.eventlog.kinds import Acted, EpisodeOpened


async def check_dealing(action: Action, moment: Moment) -> None:
    """Refuse an offer that is void, and to agree to none; as far as the character knows what there is
    (BadAction)."""
    if not action.offer and not action.agrees:
        return
    bodies = [event.body for event in await moment.view.events(moment.begins)]
    if action.agrees and not any(isinstance(one, Acted) and one.offer for one in bodies):
        raise BadAction("there is no offer to agree to: make one")
    opened = next((one for one in bodies if isinstance(one, EpisodeOpened)), None)
    people = (moment.who, *moment.present)
    if opened is not None and (why := why_void(action.offer, opened.pool, people)):
        there = f" (to be divided: {things(opened.pool)})" if opened.pool else ""
        raise BadAction(f"{why}{there}")
