"""What-ifs: forks with something told, wanted or said otherwise; compared, and played again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from diner_world import WORLD, events_of, nights

from whoknew.agents.prompts import text
from whoknew.engine.asking.ask import ask
from whoknew.engine.errors import BadQuestion, NoPlan
from whoknew.engine.plan.loading import Options, load, program_of
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.diff import compare
from whoknew.engine.travel.fork import SOURCE, Changes, fork
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter, TooLarge
from whoknew.eventlog.kinds import Acted, EpisodeClosed, GoalGiven, Narrated, WorldForked
from whoknew.eventlog.stamp import LARGEST
from whoknew.eventlog.story import told

TELL = Changes(tell=(("Vera", "Yusuf is hiding something."), ("Magda", "It is late.")))


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        yield log


async def go_on(file: Path, world: str) -> None:
    """As `whoknew run --world` does."""
    import asyncio

    loaded = await asyncio.to_thread(load, None, world, Options(log=str(file)))
    program = program_of(loaded)
    async with open_run(program) as run:
        await run.survey()
        assert (await run.play()).finished


async def test_one_is_told_and_nobody_else(log: Log) -> None:
    forked = await fork(log, WORLD, "E2.T1", changes=TELL)
    events = await events_of(log, forked.world)
    assert events[: forked.shared] == (await events_of(log))[: forked.shared]
    given = events[forked.shared + 1 :]
    assert [(one.body, one.witnesses) for one in given] == [
        (Narrated("Yusuf is hiding something."), ("Vera",)),
        (Narrated("It is late."), ("Magda",)),
    ]
    assert {one.source for one in given} == {SOURCE}
    answer = await ask(log, forked.world, "Vera", "Who is hiding something?")
    assert answer.answer == "Yusuf is hiding something."
    assert (
        await ask(log, forked.world, "Dorte", "Who is hiding something?")
    ).answer != answer.answer


async def test_a_goal_is_wanted_from_then_on(log: Log) -> None:
    forked = await fork(log, WORLD, "E2.T1", changes=Changes(goal=(("Vera", "Sing."),)))
    assert (await events_of(log, forked.world))[-1].body == GoalGiven("Vera", "Sing.")


async def test_an_event_is_replaced_and_what_came_after_stays(log: Log) -> None:
    events = await events_of(log)
    seq = next(one.seq for one in events if "I cannot taste" in one.text and one.actor == "Dorte")
    at = await log.cursor(WORLD, "E1")
    change = Changes(replace=(seq, "I can taste it all."))
    forked = await fork(log, WORLD, at, changes=change)
    new = await events_of(log, forked.world)
    assert new[seq].text == "Dorte: I can taste it all."
    old = [one.body for one in told(events[: at.seq])]
    differing = [one.body for one, other in zip(told(new), old, strict=True) if one.body != other]
    assert differing == [new[seq].body]
    assert (await fork(log, WORLD, changes=change)).shared == seq - 1


async def test_new_words_tell_what_they_say_they_are_about_and_nothing_else(log: Log) -> None:
    events = await events_of(log)
    telling = next(
        one
        for one in events
        if one.about and set(one.witnesses) - set(events[one.about[0] - 1].witnesses)
    )
    (fact,) = telling.about
    who = next(name for name in telling.witnesses if name not in events[fact - 1].witnesses)

    async def answer(**change: Any) -> str:
        changes = Changes(replace=(telling.seq, "It rains."), **change)
        forked = await fork(log, WORLD, changes=changes)
        return (await log.knowledge(forked.world)).of(fact, who).answer

    assert (await log.knowledge(WORLD, f"#{telling.seq}")).of(fact, who).answer == "told"
    assert await answer() == "absent"
    assert await answer(about=(fact,)) == "told"
    for about, what in (((telling.seq,), "cannot tell of"), ((0,), "cannot tell of")):
        with pytest.raises(BadQuestion, match=what):
            await answer(about=about)
    with pytest.raises(BadQuestion, match=r"say which \(`replace`\)"):
        await fork(log, WORLD, changes=Changes(about=(3,)))


async def test_what_came_after_a_replaced_event_refers_to_what_it_referred_to(log: Log) -> None:
    events = await events_of(log)
    seq = next(one.seq for one in events if isinstance(one.body, Acted))
    forked = await fork(log, WORLD, "E5", changes=Changes(replace=(seq, "It rains.")))
    new = await events_of(log, forked.world)
    later = [(old, new[old.seq]) for old in events[seq : forked.given + seq - 1]]
    assert sum(bool(old.about) for old, _ in later) > 1
    for old, one in later:
        texts = [events[other - 1].body for other in old.about if other != seq]
        assert [new[other - 1].body for other in one.about if other != seq + 1] == texts


async def test_forks_find_names_of_their_own(log: Log) -> None:
    names = [(await fork(log, WORLD, "E1")).world for _ in range(3)]
    assert names == [f"{WORLD}-what-if", f"{WORLD}-what-if-2", f"{WORLD}-what-if-3"]


async def test_changes_that_cannot_be_made_leave_no_fork_behind(log: Log) -> None:
    closed = next(one.seq for one in await events_of(log) if isinstance(one.body, EpisodeClosed))
    for at, changes, error, what in (
        ("E2", Changes(goal=(("Vera", "Sing."),)), BadQuestion, "no episode is going on"),
        ("#5", Changes(tell=(("Vera", "Hm."),)), BadQuestion, "no episode is going on"),
        (
            "recorded:2001-01-01",
            Changes(tell=(("Vera", "Hm."),)),
            BadQuestion,
            "no episode is going on",
        ),
        ("E2.T1", Changes(tell=(("Verra", "Hm."),)), NoSuchCharacter, "did you mean"),
        ("E3", Changes(replace=(closed, "No.")), BadQuestion, "no words to replace"),
        ("E1", Changes(replace=(400, "No.")), BadQuestion, "cannot be replaced"),
        ("E1", Changes(replace=(1, "No.")), BadQuestion, "cannot be replaced"),
    ):
        with pytest.raises(error, match=what):
            await fork(log, WORLD, at, changes=changes)
    assert [one.name for one in await log.worlds()] == [WORLD]


async def test_a_fork_is_changed_from_before_it_parted_from_its_parent(log: Log) -> None:
    speech = next(
        one for one in await events_of(log) if isinstance(one.body, Acted) and one.seq > 90
    )
    await fork(log, WORLD, f"#{speech.seq + 9}", name="a", changes=TELL)
    own = [one.text for one in (await events_of(log, "a"))[speech.seq :] if one.text]
    for name, changes in (
        ("said", Changes(replace=(speech.seq, "I say nothing."))),
        ("heard", Changes(heard=((speech.seq, await unaware_of(log, speech)),))),
    ):
        forked = await fork(log, "a", f"#{speech.seq}", name=name, changes=changes)
        assert (forked.parent, forked.shared) == ("a", speech.seq - 1)
    forked = await fork(log, "a", "end", name="b", changes=Changes(replace=(speech.seq, "No.")))
    said, *later = (await events_of(log, "b"))[forked.shared + 1 :]
    assert said.text == f"{speech.actor}: No." and [one.text for one in later if one.text] == own
    assert not any(isinstance(one.body, WorldForked) for one in later)


async def unaware_of(log: Log, event: Event) -> str:
    people = (await log.knowledge(WORLD)).characters
    return next(name for name in people if name not in event.witnesses)


async def test_a_fork_whose_changes_are_refused_is_not_begun(log: Log) -> None:
    for name in ("long", "long", None):
        with pytest.raises(TooLarge):
            words = "x" * LARGEST
            await fork(log, WORLD, "E2", name=name, changes=Changes(replace=(89, words)))
    assert [one.name for one in await log.worlds()] == [WORLD]
    assert (await fork(log, WORLD, "E2", name="long")).given == 0


async def test_a_fork_is_gone_on_with_compared_and_played_again(tmp_path: Path) -> None:
    file = nights(tmp_path)
    async with open_log(file) as log:
        forked = await fork(log, WORLD, "E2.T1", name="told", changes=TELL)
        before = await events_of(log)
        (unplayed,) = [pytest.raises(NoPlan, match="whoknew run")]
        with unplayed:
            await rerun(log, "told")
    await go_on(file, "told")
    async with open_log(file) as log:
        assert await events_of(log) == before
        found = await compare(log, "told")
        assert (found.left, found.right, found.shared) == (WORLD, "told", forked.shared)
        assert found.both > 200
        assert "Yusuf is hiding something." in [one.text for one in found.only_right]
        assert all(one.seq > forked.shared for one in (*found.only_left, *found.only_right))
        again = await rerun(log, "told")
        assert again.agrees
        assert again.given == forked.shared + 3


async def test_played_again_the_same_story_comes_out(log: Log) -> None:
    found = await rerun(log, WORLD)
    assert found.agrees
    assert found.difference is None
    assert found.events == (await log.lineage.find(WORLD)).head


async def test_a_story_cut_off_anywhere_agrees_as_far_as_it_goes(log: Log) -> None:
    events = await events_of(log)
    for cut in (60, 61, 88, 97, 120, 121, 250, 333):
        async with open_log(":memory:") as part:
            await part.append(WORLD, [one.draft for one in events[:cut]])
            if cut > 78:
                assert (await rerun(part, WORLD)).agrees, cut


async def test_a_changed_prompt_is_where_the_story_first_differs(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = text.prompt
    changed = lambda name: usual(name).replace("in few and", "in many")
    monkeypatch.setattr("whoknew.agents.prompts.text.prompt", changed)
    found = await rerun(log, WORLD)
    assert not found.agrees
    assert found.difference is not None
    assert (found.difference.was.episode, found.difference.was.turn) == (1, 1)
    assert found.reason is not None and "no call of" in found.reason


async def test_a_changed_event_is_where_the_story_first_differs(log: Log) -> None:
    events = await events_of(log)
    changed = next(one for one in events if isinstance(one.body, Acted) and one.episode == 3)
    drafts = [
        Draft(Acted("Something else."), at=one.at, episode=one.episode, turn=one.turn, actor=one.actor, place=one.place,
              witnesses=one.witnesses, about=one.about, cause=one.cause)
        if one is changed
        else one.draft
        for one in events
    ]  # fmt: skip
    async with open_log(":memory:") as other:
        await other.append(WORLD, drafts)
        found = await rerun(other, WORLD)
    assert not found.agrees
    assert found.difference is not None
    assert found.difference.was.seq == changed.seq
    assert found.difference.now is not None
    assert found.difference.now.text == changed.text


async def test_two_characters_are_compared_by_what_they_perceived(log: Log) -> None:
    found = await compare(log, WORLD, at="E2", who=("Dorte", "Vera"))
    views = [await log.view(WORLD, name, "E2") for name in ("Dorte", "Vera")]
    left, right = (set(view.seqs()) for view in views)
    assert found.both == len(left & right)
    assert {one.seq for one in found.only_left} <= left - right
    assert {one.seq for one in found.only_right} <= right - left
    assert any(gain.known.by == "Yusuf" for gain in found.gains)


async def test_two_cursors_are_compared_by_what_happened_between(log: Log) -> None:
    found = await compare(log, WORLD, at="E2", after="E1")
    assert {one.episode for one in found.only_right if one.episode} == {2}
    assert any(
        gain.known.character == "Vera" and "I cannot taste" in gain.event.text
        for gain in found.gains
    )
    backwards = await compare(log, WORLD, at="E1", after="E2")
    assert backwards.only_right == found.only_right
    hers = await compare(log, WORLD, at="E2", after="E1", who=("Vera",))
    assert all("Vera" in one.witnesses for one in hers.only_right)


async def test_what_cannot_be_compared_is_told(log: Log) -> None:
    await log.append("other", [(await events_of(log))[0].draft])
    for words in (
        {},
        {"other": "other"},
        {"who": ("Vera",)},
        {"after": "E1", "who": ("Vera", "Dorte")},
        {"other": "other", "after": "E1"},
    ):
        with pytest.raises(BadQuestion):
            await compare(log, WORLD, **words)  # type: ignore[arg-type]
    with pytest.raises(NoPlan, match="not played by a plan"):
        await rerun(log, "other")
