"""A world as episode logs of Sotopia: messages, rewards and reasoning, from its events.

An episode that came from Sotopia goes back as it was, to the byte; one that Whoknew played goes as
Sotopia would have written it. Each agent's messages hold what that character witnessed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    CharacterAdded,
    Described,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    GoalGiven,
    Imported,
    Reviewed,
)
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.sotopia import actiontext, background
from whoknew.worlds.importers.sotopia.reasoning import join

FORMAT = "sotopia-episode"
"""What the importer keeps of an episode log, beside its events, so that it can go back as it was."""

Happened = Event | Draft
Form = Literal["database", "jsonl"]


def episodes_of(
    world: str, events: Sequence[Event], form: Form = "jsonl"
) -> tuple[list[dict[str, Any]], list[Remark]]:
    """The episode logs of a world, and what Sotopia has no place for."""
    remarks: list[Remark] = []
    logs = []
    for number, own in _by_episode(events):
        names = _people(own)
        if not any(isinstance(one.body, EpisodeClosed) for one in own):
            remarks.append(Remark(world, f"E{number}", "is not over: exported as far as it goes"))
        logs.append(_log(f"{world}-E{number}", own, names, form, remarks))
    return logs, remarks


def _by_episode(events: Sequence[Event]) -> Iterator[tuple[int, list[Event]]]:
    """Each episode with its events, those of the whole world, and what people were told of one another
    before."""
    parts: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(events):
        parts[one.episode].append(place)
    known = parts.pop(0, [])
    for number, own in sorted(parts.items()):
        yield number, [events[place] for place in sorted([*known, *own])]
        known += (place for place in own if isinstance(events[place].body, Described))


def derived(events: Sequence[Happened], names: Sequence[str], *, newer: bool) -> dict[str, Any]:
    """What the events of one episode give of a record."""
    return {
        "messages": _messages(events, names, newer=newer),
        "rewards": [_reward(events, name) for name in names],
        "reasoning": _reasoning(events, names),
    }


def as_bytes(value: Any) -> bytes:
    """A value as Sotopia's own files have it."""
    return json.dumps(value).encode()


def _log(
    name: str, events: Sequence[Event], names: Sequence[str], form: Form, remarks: list[Remark]
) -> dict[str, Any]:
    imported = (one.body for one in events if isinstance(one.body, Imported))
    kept = next((one for one in imported if one.format == FORMAT), None)
    if kept is not None:
        return _as_it_was(kept, events, names)
    parts = derived(events, names, newer=False)
    opened = next(one.body for one in events if isinstance(one.body, EpisodeOpened))
    if missing := [
        who for who, reward in zip(names, parts["rewards"], strict=True) if reward is None
    ]:
        remarks.append(Remark(name, ", ".join(missing), "has no review by `sotopia`: reward null"))
    ids = {"pk": name} if form == "database" else {"episode_id": name}
    keys = {one.body.name: one.body.key for one in events if isinstance(one.body, CharacterAdded)}
    models = _models(events, names)
    record = {
        **ids,
        ("environment" if form == "database" else "environment_id"): opened.key or opened.name,
        ("agents" if form == "database" else "agent_ids"): [keys.get(who) or who for who in names],
        ("models" if form == "database" else "experiment_model_name_pairs"): models,
        ("messages" if form == "database" else "raw_messages"): parts["messages"],
        "reasoning": parts["reasoning"],
        ("rewards" if form == "database" else "raw_rewards"): parts["rewards"],
    }
    return record if form == "database" else {**record, "scenario": opened.scenario}


def _models(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """The models of the judges and of each agent, as Sotopia orders them; `none` where there was
    none, as with a person at the page."""
    used: dict[str | None, dict[str, None]] = {}
    for one in events:
        if isinstance(one.body, Called) and one.episode:
            used.setdefault(one.actor, {})[one.body.model] = None
    return [", ".join(used.get(who, ())) or "none" for who in (None, *names)]


def _as_it_was(kept: Imported, events: Sequence[Event], names: Sequence[str]) -> dict[str, Any]:
    rest = kept.rest
    parts = derived(events, names, newer=rest.get("newer", False)) | rest.get("verbatim", {})
    values = dict(rest["fields"])
    for key in rest["keys"]:
        match key:
            case "messages" | "raw_messages":
                values[key] = parts["messages"]
            case "raw_rewards":
                values[key] = parts["rewards"]
            case "rewards" if key not in values:
                values[key] = parts["rewards"]
            case "reasoning":
                values[key] = parts["reasoning"]
    return {key: values[key] for key in rest["keys"]}


def _people(events: Sequence[Happened]) -> tuple[str, ...]:
    """Those who take part, in the order of their seats."""
    opened = next(one.body for one in events if isinstance(one.body, EpisodeOpened))
    actors = (one.actor for one in events if one.actor and one.episode and type(one.body) is Acted)
    return tuple(dict.fromkeys([*opened.cast, *actors]))


def _messages(
    events: Sequence[Happened], names: Sequence[str], *, newer: bool
) -> list[list[list[str]]]:
    """A list of turns: what each was shown of the turn before, then what each did."""
    acts: dict[int, dict[str, Happened]] = {}
    for one in events:
        if isinstance(one.body, Acted) and one.actor:
            acts.setdefault(one.turn, {})[one.actor] = one
    turns = [acts[number] for number in sorted(acts)]
    messages = [[["Environment", who, _opening(events, names, who)] for who in names]]
    nothing = actiontext.write(Acted(act="none"), newer=newer)
    for number, turn in enumerate(turns):
        messages[-1] += [
            [who, "Environment", _text(turn.get(who), nothing, newer)] for who in names
        ]
        messages.append(
            [["Environment", who, _observed(number, turn, names, who, newer)] for who in names]
        )
    return messages


def _observed(
    number: int, turn: Mapping[str, Happened], names: Sequence[str], viewer: str, newer: bool
) -> str:
    seen = [
        f"{who} {actiontext.write(one.body, newer=newer)}"
        for who in names
        if (one := turn.get(who)) is not None
        and isinstance(one.body, Acted)
        and one.body.act != "none"
        and viewer in one.witnesses
    ]
    lines = "\n".join(seen)
    return f"Turn #{number}: {lines}\n"


def _text(one: Happened | None, nothing: str, newer: bool) -> str:
    if one is None or not isinstance(one.body, Acted):
        return nothing
    return actiontext.write(one.body, newer=newer)


def _opening(events: Sequence[Happened], names: Sequence[str], viewer: str) -> str:
    scenario, known, goals = "", dict[str, str](), dict[str, str]()
    for one in events:
        match one.body:
            case EpisodeOpened():
                scenario = one.body.scenario
            case CharacterAdded(name, description) if name == viewer:
                known[name] = description
            case Described(name, text) if viewer in one.witnesses:
                known[name] = text
            case GoalGiven(owner, goal) if owner == viewer:
                goals[owner] = goal
    return background.write(scenario, names, known, goals)


def _reward(events: Sequence[Happened], name: str) -> Any:
    """The pair of the overall score and all of them; a bare one where only that is known; 0.0
    where Sotopia had none; null where there was no review at all."""
    for one in events:
        if one.actor != name:
            continue
        if isinstance(one.body, Reviewed) and one.body.judge == "sotopia":
            scores = dict(one.body.scores)
            if list(scores) == ["overall_score"]:
                return scores["overall_score"]
            overall = scores.get("overall_score", sum(scores.values()) / len(scores))
            return [overall, {**scores, "overall_score": overall}]
        if isinstance(one.body, Failed) and one.body.what == "review":
            return 0.0
    return None


def _reasoning(events: Sequence[Happened], names: Sequence[str]) -> str:
    closed = next((one.body.reason for one in events if isinstance(one.body, EpisodeClosed)), "")
    reviews = {
        one.actor: one.body.reason
        for one in events
        if isinstance(one.body, Reviewed) and one.body.judge == "sotopia"
    }
    return join(closed, [reviews.get(name, "") for name in names])
