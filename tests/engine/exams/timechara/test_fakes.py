"""False sentences, made of true ones by rule."""

from __future__ import annotations

from collections import Counter
from random import Random

from whoknew.engine.exams.timechara.asked_events import AskedEvent
from whoknew.engine.exams.timechara.fakes import CHARACTER, KNOWING, OBJECT, FalseWorld
from whoknew.engine.exams.timechara.scene_draft import WAYS, fake_request
from whoknew.eventlog import Knowledge
from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.knowledge import Known
from whoknew.eventlog.live import LiveWorld


def test_another_thing_stands_where_the_true_one_stood_as_a_word_of_its_own() -> None:
    quote = "the heartless rogue broke the heart of all"
    told = AskedEvent(world="w", seq=1, episode=1, who="Ann", quote=quote)
    other = AskedEvent(
        world="w", seq=2, episode=1, who="Bob", quote="we sold the boat and the anchor"
    )
    world = FalseWorld([told, other], ["Ann", "Bob"], frozenset())
    nothing = Knowledge(LiveWorld("w"), Cursor("w", 0))
    expected = {f"the heartless rogue broke the {noun} of all" for noun in ("boat", "anchor")}
    for seed in range(40):
        one = world.told_by(OBJECT, told, Random(seed), nothing)
        assert one and one.event.quote in expected


def test_what_somebody_did_not_know_is_looked_for_once_for_all_that_it_says() -> None:
    """Not for each event: of a long story that would take as long as all pairs of events."""
    looked = Counter[str]()

    class Counting(Knowledge):
        def of(self, event: int, character: str) -> Known:
            looked[character] += 1
            return Known(event, character, "absent" if event % 2 else "present")

    events = [
        AskedEvent(world="w", seq=seq, episode=1, who="AB"[seq % 2], quote=f"word {seq}")
        for seq in range(1, 201)
    ]
    world = FalseWorld(events, ["A", "B"], frozenset())
    then = Counting(LiveWorld("w"), Cursor("w", 200))
    for event in events:
        draw = Random(event.seq)
        earlier = [one for one in events if one.seq < event.seq and one.seq % 2]
        found = world.told_by(KNOWING, event, Random(event.seq), then)
        known = found.event.knowing if found else None
        assert known == (draw.choice(earlier) if earlier else None)
    assert looked == {"A": 200, "B": 200}


def test_whom_else_a_false_sentence_may_name_is_told_where_another_person_is_wanted() -> None:
    for strategy in WAYS:
        rules = fake_request("Ann left.", (), strategy, ("Ann", "Bob")).messages[0].text
        assert ("(Ann, Bob)" in rules) == (strategy == CHARACTER)
