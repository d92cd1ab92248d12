"""Questions made by rule of what happened: their keys are right, by an independent look at the log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from play_scripts import markup
from shared_data import data

from whoknew.engine.exams.lifestate.drawing import questions
from whoknew.engine.exams.lifestate.lifestate_exam import LifestateExam
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, Doubted, Left
from whoknew.eventlog.words import words
from whoknew.worlds.importers.play import bundled, world_of
from whoknew.worlds.question import Question, read, write

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j", "the-lamp-room")
OFTEN = 20


class Asked:
    """A play, and all that is asked about it."""

    def __init__(self, path: Path, speeches: int = OFTEN) -> None:
        world = world_of(path)
        self.name, self.events = world.name, _events(world.drafts)
        self.questions = list(questions(world.name, self.events, each=2, speeches=speeches, seed=1))

    def view(self, who: str, at: str) -> list[Event]:
        """What somebody witnessed up to the end of an episode."""
        upto = int(at.removeprefix("E"))
        return [one for one in self.events if who in one.witnesses and one.episode <= upto]

    def event(self, one: Question) -> Event:
        """The first event of its evidence."""
        seq = one.evidence[0][0]
        assert isinstance(seq, int)
        return self.events[seq - 1]

    def sorts(self, sort: str) -> list[Question]:
        return [one for one in self.questions if one.tags[0] == sort]


def _events(drafts: Sequence[Draft]) -> list[Event]:
    now = datetime.now(UTC)
    return [
        Event(
            world="w",
            seq=seq,
            at=now,
            recorded=now,
            body=one.body,
            episode=one.episode,
            turn=one.turn,
            actor=one.actor,
            place=one.place,
            witnesses=one.witnesses,
            about=one.about,
            cause=one.cause,
        )
        for seq, one in enumerate(drafts, 1)
    ]


@pytest.fixture(scope="module", params=PLAYS)
def asked(request: pytest.FixtureRequest) -> Asked:
    ours = bundled()
    if request.param in ours:
        return Asked(ours[request.param], 8)
    return Asked(data("shakespeare", f"{request.param}.xml"))


def test_each_has_its_evidence_in_the_view_of_who_is_asked_at_its_cursor(asked: Asked) -> None:
    assert asked.questions
    for one in asked.questions:
        seen = {event.seq for event in asked.view(one.character, one.at)}
        assert one.evidence and all(seen.issuperset(some) for some in one.evidence), one


def test_none_answers_itself(asked: Asked) -> None:
    for one in asked.questions:
        told = _quoted(one.reference or "") or one.reference or ""
        assert f" {_plain(told)} " not in f" {_plain(one.question)} ", one


def test_of_doubtful_witnesses_nothing_is_asked(asked: Asked) -> None:
    doubts = {
        (name, event.cause)
        for event in asked.events
        if isinstance(event.body, Doubted)
        for name in event.body.names
    }
    for one in asked.questions:
        assert not any((one.character, seq) in doubts for some in one.evidence for seq in some), one


def test_whoever_speaks_often_is_asked_ten_questions_of_all_three_kinds(asked: Asked) -> None:
    spoken: dict[str, set[tuple[int, int]]] = {}
    for event in asked.events:
        if _is_speech(event):
            spoken.setdefault(str(event.actor), set()).add((event.episode, event.turn))
    for who, turns in spoken.items():
        mine = [one for one in asked.questions if one.character == who]
        if len(turns) >= OFTEN:
            assert len(mine) >= 10, (who, len(mine))
            assert {one.kind for one in mine} == {"self", "fact", "relation"}, who


def test_the_same_world_gives_the_same_questions_none_of_them_twice(asked: Asked) -> None:
    again = list(questions(asked.name, asked.events, each=2, speeches=OFTEN, seed=1))
    ids = [one.id for one in asked.questions]
    assert len(set(ids)) == len(ids)
    if asked.name != "the-lamp-room":
        assert again == asked.questions
        other = questions(asked.name, asked.events, each=2, speeches=OFTEN, seed=2)
        assert list(other) != again


def test_who_said_it_is_the_only_one_who_said_so(asked: Asked) -> None:
    for one in asked.sorts("who"):
        said = _plain(_quoted(one.question))
        by = {e.actor for e in asked.view(one.character, one.at) if said in _plain(e.body.words)}
        assert len(by) == 1 and one.reference == f"{by.pop()} said it.", one


def test_who_spoke_next_and_what_was_said_next_are_the_next_words_spoken(asked: Asked) -> None:
    for one in (*asked.sorts("when"), *asked.sorts("what"), *asked.sorts("own words")):
        said = _plain(_quoted(one.question))
        spoken = [event for event in asked.events if _is_speech(event)]
        at = next(n for n, e in enumerate(spoken) if _plain(e.body.words).endswith(said))
        after = spoken[at + 1]
        assert after.episode == spoken[at].episode and one.character in after.witnesses, one
        assert len(_speakers(spoken[at])) == len(_speakers(after)) == 1, "each of one alone"
        told = _quoted(one.reference or "").removesuffix(" ...")
        if one.tags[0] == "when":
            assert str(after.actor) in (one.reference or ""), one
        else:
            assert _plain(after.body.words).startswith(_plain(told)), one
            who = "I" if after.actor == one.character else str(after.actor)
            assert (one.reference or "").startswith(f"{who} said: "), one


def test_the_first_thing_that_was_heard_of_somebody_is_the_first(asked: Asked) -> None:
    for one in asked.sorts("beginning"):
        found = re.fullmatch(r"What is the first thing that you heard (.*) say\?", one.question)
        assert found, one
        view = asked.view(one.character, one.at)
        first = next(e for e in view if _is_speech(e) and found[1] in _speakers(e))
        assert _plain(first.body.words).startswith(_plain(_quoted(one.reference or ""))), one


def test_where_one_was_is_where_all_of_the_episode_was(asked: Asked) -> None:
    for one in asked.sorts("where"):
        said = _plain(_quoted(one.question))
        heard = next(e for e in asked.events if said in _plain(e.body.words))
        assert one.reference == f"I was here: {heard.place}.", one


def test_who_else_was_heard_are_all_who_were(asked: Asked) -> None:
    for one in asked.sorts("who was there"):
        said = _plain(_quoted(one.question))
        heard = next(e for e in asked.events if said in _plain(e.body.words))
        others = {
            name
            for event in asked.view(one.character, one.at)
            if _is_speech(event) and event.episode == heard.episode
            for name in _speakers(event)
        }
        listed = set(re.split(r", | and ", (one.reference or "").removesuffix(" spoke.")))
        known = re.search(r"in which (.*?) said: ", one.question)
        assert known and listed == others - {one.character, known[1]}, one
        assert heard.seq in one.evidence[0], "what tells which episode is meant"


def test_what_one_was_called_was_said_to_nobody_else(asked: Asked) -> None:
    for one in asked.sorts("address"):
        before, after = map(_plain, _quoted(one.question).split("___"))
        called = re.search(r" called me (.*)\.$", one.reference or "")
        assert called
        said = " ".join(filter(None, (before, _plain(called[1]), after)))
        heard = next(e for e in asked.events if said in _plain(e.body.words))
        assert set(heard.witnesses) == {one.character, heard.actor}, one


def test_who_died_before_ones_eyes_did(asked: Asked) -> None:
    for one in asked.sorts("end"):
        died = asked.event(one)
        assert isinstance(died.body, Left) and died.body.how == "dies"
        assert one.reference == f"{died.actor} died."


@pytest.mark.parametrize("sort", ["identity", "to others"])
def test_who_one_is_stands_on_ones_card(asked: Asked, sort: str) -> None:
    for one in asked.sorts(sort):
        card = asked.event(one).body
        assert isinstance(card, CharacterAdded) and card.name == one.character
        what = (one.reference or "").removeprefix("I was ").split(" to ")[0]
        assert _plain(what.split(", one of several: ")[-1].removeprefix(card.name)) in _plain(
            card.description
        )


def test_a_crowd_is_no_card() -> None:
    world = world_of(data("shakespeare", "hamlet.xml"))
    events = _events(world.drafts)
    lords = list(questions("w", events, each=9, speeches=1, seed=1))
    assert not any(one.character == "Lord" and one.tags[0] == "identity" for one in lords)


def _is_speech(event: Event) -> bool:
    return isinstance(event.body, Acted) and event.body.act == "speak" and bool(event.body.text)


def _speakers(event: Event) -> set[str]:
    return {str(event.actor), *(event.body.also if isinstance(event.body, Acted) else ())}


def _quoted(text: str) -> str:
    return text.partition('"')[2].rpartition('"')[0]


def _plain(text: str) -> str:
    return " ".join(words(text))


ODD = "[Enter ANA, BO, and CY]\n" + "\n".join(
    f"{who}. I saw the {number} {what} by the wall{chr(0x9B) * (number % 3 == 0)}."
    for number in range(8)
    for who, what in (("ANA", "lamps"), ("BO", "boats"), ("CY", "stones"))
)


@pytest.mark.parametrize(
    ("odd", "asked_of"),
    [("A\u200bNA", {"BO", "CY"}), ("A" * 300, {"BO", "CY"}), ("A" * 198, {"A" * 198, "BO", "CY"})],
)
def test_what_is_asked_can_be_kept_in_a_file_whatever_the_text_holds(
    tmp_path: Path, odd: str, asked_of: set[str]
) -> None:
    (tmp_path / "odd.xml").write_text(markup(ODD).replace("ANA", odd))
    found = Asked(tmp_path / "odd.xml", 2).questions
    write(tmp_path / "odd.jsonl", found)
    assert read(tmp_path / "odd.jsonl").questions == tuple(found)
    assert {one.character for one in found} == asked_of


def test_what_a_model_asks_is_as_old_as_the_episodes_that_were_heard_since_its_evidence() -> None:
    said = [
        Draft(Acted(f"It is day {day}."), episode=day, actor="Ann", witnesses=("Ann", "Bo"))
        for day in (1, 2, 3)
    ]
    lived, exam = _events(said), LifestateExam(material="w.db")
    assert exam.written_tags(lived, lived[:1]) == ("age 2", "episode 3")
    assert exam.written_tags(lived, lived) == ("age 0", "episode 3")
    assert exam.written_tags(lived, ()) == ("age 3", "episode 3")
