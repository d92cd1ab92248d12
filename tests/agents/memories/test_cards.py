"""Cards: each under a number, which none that is new takes."""

from __future__ import annotations

from whoknew.agents.life import Life
from whoknew.agents.memories.cards import Cards
from whoknew.agents.memories.facts import FactsEntry
from whoknew.eventlog.kinds import Remembered


def test_a_new_card_has_a_number_that_none_before_it_had_whichever_was_put_last() -> None:
    life, cards = Life("Oda"), Cards(FactsEntry(), "Fact")
    texts = (
        "Fact 1:\nThe lamp burns.",
        "Fact 2:\nKit sleeps.",
        "Fact 1, no longer:\nThe lamp burns.",
    )
    life.notes = [
        (place, Remembered("Oda", "facts", text, (), 0))
        for place, text in enumerate(texts, start=1)
    ]
    assert [card.number for card in cards.catch_up(life)] == [1, 2]
    assert cards.get(1) is None and cards.get(2) is not None
    assert cards.next_number == 3
