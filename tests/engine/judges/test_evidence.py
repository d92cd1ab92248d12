"""How much came to mind, where a judge can tell."""

from __future__ import annotations

from planted_failures import BEGINS, BOTH, SETTING, Played, drafts
from store_places import VolatilePlace, log_at

from whoknew.agents.memories.memory import Memory, Occasion, Recollection
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Message, Request
from whoknew.engine.judges.evidence import Evidence
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing.case import Ending, EpisodeCase
from whoknew.engine.running.models import Silent
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.worlds.setting import Need, Scenario


class AsksItself(Memory):
    """Has a model say what comes to mind."""

    async def recollect(self, now: Occasion) -> Recollection:
        await now.model.complete(Request("recollect", (Message("user", "What do you recall?"),)))
        return Recollection()


async def test_of_a_memory_that_asks_to_recollect_there_is_no_score_and_the_reason_why() -> None:
    oda, bram = BOTH
    need = Need("s1", oda, "swans")
    scenarios = (Scenario("s1", "A pond.", BOTH), Scenario("s2", "A pub.", BOTH, needs=(need,)))
    setting = SETTING.__class__(
        name="s",
        title="S",
        begins=BEGINS,
        characters=SETTING.characters,
        scenarios=scenarios,
    )
    async with log_at(VolatilePlace()) as log:
        opened = [Draft(WorldOpened("S"), BEGINS), *(Draft(CharacterAdded(n)) for n in BOTH)]
        await log.append("w", opened)
        for number, scenario in enumerate(scenarios, 1):
            turns = [(who, Acted("Ducks, geese, swans.")) for who in BOTH * 2]
            put = await log.append("w", drafts(Played(scenario, turns), number))
        end = Ending("turn limit")
        case = await EpisodeCase.of(log, "w", Plan("s"), setting, put.first, put.last - 1, end)
        judge = Evidence(lambda who: Mind(who, Silent(), AsksItself(), Plain()))
        (verdict,) = await judge.review(case)
    assert (verdict.character, verdict.scores) == (bram, None)
    assert verdict.reason == "Bram's memory asks a model for what comes to mind"
