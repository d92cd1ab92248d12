"""`whoknew recall`: what one finds in what a character knows."""

from __future__ import annotations

from shared_data import data

from whoknew.engine.travel.recall import recall
from whoknew.eventlog import open_log
from whoknew.eventlog.words import terms
from whoknew.worlds.importers.play import world_of


async def test_what_holds_none_of_the_words_is_no_hit() -> None:
    async with open_log(":memory:") as log:
        await log.append("hamlet", world_of(data("shakespeare", "hamlet.xml")).drafts)
        for who in ("HAMLET", "HORATIO"):
            for words in ("poison garden", "to sleep perchance to dream", "ghost"):
                found = await recall(log, "hamlet", who, words, k=100)
                assert found.found
                for one in found.found:
                    assert one.own and set(terms(words)) & set(terms(one.text)), one
