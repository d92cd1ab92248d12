"""What a character may be told of a world: a fold of the raw events, written anew for tests."""

from __future__ import annotations

from typing import Any

Raw = dict[str, Any]

TOLD = {
    "world.character": {"name", "description"},
    "world.described": {"name", "text"},
    "world.relation": {"of", "to", "relation"},
    "world.place": {"name", "description"},
    "episode.opened": {"scenario", "cast", "pool"},
    "episode.goal": {"owner", "goal", "worth"},
    "episode.entered": {"hidden", "how"},
    "episode.left": {"how"},
    "episode.acted": {"text", "act", "to", "offer", "agrees", "also"},
    "episode.narrated": {"text"},
    "episode.closed": {"reason"},
    "mind.remembered": {"owner", "strategy", "text", "sources"},
}


class Allowed:
    """All that one character may be told of a world."""

    def __init__(self, events: list[Raw], who: str) -> None:
        self.who = who
        self.seen = [one for one in events if who in one.get("witnesses", ())]
        self.numbers = {one["seq"]: n for n, one in enumerate(self.seen, start=1)}
        self.visible = dict(self._visible(events))
        self.lived: list[tuple[int, int]] = []
        """The own episode and turn of each event."""
        episode = turn = world_episode = world_turn = 0
        for one in self.seen:
            if one.get("episode", 0) and one["episode"] != world_episode:
                episode, world_episode = episode + 1, one["episode"]
                world_turn, turn = one.get("turn", 0), min(1, one.get("turn", 0))
            elif one.get("episode", 0) and one.get("turn", 0) > world_turn:
                world_turn, turn = one["turn"], turn + 1
            self.lived.append((episode, turn) if one.get("episode", 0) else (0, 0))
        self.episodes = episode

    def _visible(self, events: list[Raw]) -> Any:
        """Who stands openly on stage at each event."""
        there: set[str] = set()
        for one in events:
            body, actor = one["body"], str(one.get("actor"))
            match body["kind"]:
                case "episode.opened":
                    there = set(body.get("cast", ()))
                case "episode.entered":
                    (there.discard if body.get("hidden") else there.add)(actor)
            yield one["seq"], set(there)
            match body["kind"]:
                case "episode.left":
                    there = there - {actor}
                case "episode.closed":
                    there = set()

    def check(self, told: Raw) -> None:
        """One event as it was sent."""
        raw = self.seen[told["number"] - 1]
        wanted = {"number", "at", "body", "episode", "turn", "actor", "place", "present", "about"}
        assert set(told) <= wanted
        for field in ("at", "actor", "place"):
            assert told.get(field) == raw.get(field)
        assert (told.get("episode", 0), told.get("turn", 0)) == self.lived[told["number"] - 1]
        about = [self.numbers[seq] for seq in raw.get("about", ()) if seq in self.numbers]
        assert told.get("about", []) == about
        present = set(told.get("present", ()))
        assert present <= set(raw["witnesses"]) & self.visible[raw["seq"]] - {self.who}
        body = told["body"]
        assert set(body) <= TOLD[body["kind"]] | {"kind"}
        assert body["kind"] == raw["body"]["kind"]
        for field, value in body.items():
            if field == "cast":
                assert set(value) <= self.visible[raw["seq"]]
            elif field == "reason":
                assert value == ""
            elif field == "sources":
                assert value == [self.numbers[seq] for seq in raw["body"]["sources"]]
            else:
                assert value == raw["body"][field]
