"""What a run shows while it plays, and what it says at its end."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from whoknew.engine.playing.control import Flight
from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.state import ChainState
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import ChainResult, RunReport, State
from whoknew.engine.running.run_report import ended as chain_ended
from whoknew.engine.terminal.progress import (
    figures,
    found,
    held_up,
    on_a_line,
    outlook,
    stopping,
)
from whoknew.engine.terminal.run import shown as shown_report
from whoknew.eventlog.kinds import (
    Called,
)

AGES = (("Ann", 1), ("Ben", 9), ("Cid", 70))


def test_figures_of_a_run_stay_where_they_are() -> None:
    early = Progress(chains=12, episodes=120)
    late = Progress(
        chains=12, over=2, finished=3, episodes=120, tally=Tally(closed=44, turns=9_000)
    )
    late.spent.calls, late.spent.tokens = 12_345, 8_000_000
    for name in ("episodes", "turns", "calls", "tokens", "$"):
        assert figures(early).index(name) == figures(late).index(name)
    assert len(figures(late)) <= 80


def test_figures_that_no_line_holds_go_on_in_the_next() -> None:
    progress = Progress(chains=12, episodes=120)
    progress.spent.money, progress.spent.unpriced = 1.25, 1
    told = figures(progress)
    assert len(told) > 80
    line, *rest = on_a_line(told, 80)
    assert (line, rest) == (told.removesuffix("  $1.25 + unknown"), ["$1.25 + unknown"])
    assert on_a_line(told, 100) == [told]


def test_how_long_it_takes_is_told_once_an_episode_was_played() -> None:
    progress = Progress(
        episodes=10, tally=Tally(closed=4, failed=Counter(turn=1)), before=Tally(closed=2)
    )
    assert outlook(progress, 1) == "failed 1"
    assert outlook(progress, 60) == "3 min 00 s left  failed 1"


def test_one_call_is_one_call() -> None:
    before = Tally(spent=Spent(calls=1))
    assert "(before: 1 call, $" in found(Progress(chains=1, new=1, before=before)).plain


def ended(state: State, reason: str | None = None) -> ChainResult:
    return ChainResult(
        world="w",
        state=state,
        episodes=6,
        turns=179,
        calls=239,
        tokens=300_711,
        money=None,
        priced_money=0.0,
        reason=reason,
    )


def test_a_report_says_what_to_look_at_or_how_to_go_on() -> None:
    done = str(shown_report(RunReport("my log.db", (ended("finished"),)), "whoknew run p"))
    assert "w  6 episodes, 179 turns, 239 calls, 301k tokens, unknown\n" in done
    assert done.endswith("To see it: whoknew show w --log 'my log.db'")
    report = RunReport("l.db", (ended("suspended", "Ctrl-C"), ended("failed", "a fault")), "Ctrl-C")
    text = str(shown_report(report, "whoknew run p"))
    assert text.endswith("To go on: whoknew run p")
    assert text.count("Ctrl-C") == 1
    assert "unknown: a fault" in text


def test_a_report_of_very_many_chains_is_short() -> None:
    report = RunReport("l.db", (ended("finished"),) * 1000)
    assert "... and 980 more: whoknew ls --log l.db" in str(shown_report(report, ""))


def test_a_report_of_a_screen_of_chains_names_each_and_adds_them_up() -> None:
    priced = replace(ended("finished"), money=0.25, priced_money=0.25, failed={"turn": 2})
    report = RunReport("l.db", (priced,) * 19 + (ended("finished"),))
    told = str(shown_report(report, ""))
    assert told.count("\n  w  ") == 20
    assert "more: whoknew ls" not in told
    total = "in all: 20 chains, 120 episodes, 3,580 turns, 4,780 calls, 6,014k tokens, "
    assert f"\n{total}$4.75 + unknown, failed: 38 turns\n" in told


def test_a_report_tells_what_is_known_of_money_as_the_run_did() -> None:
    stand = ChainState()
    stand.spent.add(Called("act", "m", "d", reply="{}", money=0.75))
    whole = chain_ended("v", "finished", None, stand)
    stand.spent.add(Called("act", "m", "d", error="dropped"))
    dropped = chain_ended("w", "finished", None, stand)
    assert (whole.money, dropped.money) == (0.75, None)
    told = str(shown_report(RunReport("l.db", (whole, dropped)), ""))
    assert "  w  0 episodes, 0 turns, 2 calls, 0 tokens, $0.75 + unknown\n" in told
    assert "in all: 2 chains, 0 episodes, 0 turns, 3 calls, 0 tokens, $1.50 + unknown\n" in told


def test_a_password_does_not_stand_in_a_report() -> None:
    report = RunReport("postgresql://me:secret@host/db", (ended("finished"),))
    assert "secret" not in str(shown_report(report, ""))


def test_money_that_is_not_known_is_not_shown_as_nothing() -> None:
    progress = Progress()
    progress.spent.add(Called("act", "m", "d", reply="{}"))
    assert "unknown" in figures(progress)


def test_a_run_that_waits_for_a_server_says_so() -> None:
    now = datetime.now(UTC)
    flights = [Flight("w", who, "http://h/v1#m", now - timedelta(seconds=s)) for who, s in AGES]
    assert held_up(flights) == "waits for 2 calls, the longest 1 min 10 s for http://h/v1#m"
    assert held_up(flights[:1]) == ""


def test_a_chain_that_cannot_go_on_by_its_plan_is_no_reason_to_give_it_again() -> None:
    report = RunReport("l.db", (ended("refused", "'w' played 'a' as episode 1"),))
    text = str(shown_report(report, "whoknew run p"))
    assert "1 chain refused" in text
    assert "played 'a' as episode 1" in text
    assert "To go on" not in text
    assert report.code == 1


def test_only_who_gave_ctrl_c_is_told_to_give_it_again() -> None:
    assert (stopping("stopped by Ctrl-C") or "").count("Ctrl-C again stops at once")
    for who in ("SIGTERM", "`whoknew stop`"):
        assert (stopping(f"stopped by {who}") or "").count("; Ctrl-C stops at once")
    assert stopping(None) is None
