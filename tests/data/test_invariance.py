"""Laws 3 and 4 on long real texts: views and recall do not change with what comes later, nor with
what happens where the character is not."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from msgspec.structs import replace
from recall_evidence import caption, session_time, turns_of
from shared_data import DATA, data
from small_worlds import opened

from whoknew.eventlog import Cursor, Draft, Log, View, open_log
from whoknew.eventlog.kinds import Acted, Narrated

Seen = list[tuple[int, float, str]]


async def looked_at(view: View, queries: Sequence[str]) -> tuple[list[str], list[Seen]]:
    """All that a view says, by place and not by seq."""
    texts = [event.text for event in await view.last(50)]
    found = [await view.recall(query, 10) for query in queries]
    return texts, [[(one.place, one.score, one.text) for one in some] for some in found]


def storyline(play: str) -> tuple[list[str], list[Draft]]:
    """A play as drafts: each line is witnessed by those who speak in its scene."""
    path = data("shakespeare-storylines", f"title2action_series.{play}.json")
    scenes = json.loads(path.read_text())
    drafts: list[Draft] = []
    cast: dict[str, None] = {}
    for number, scene in enumerate(scenes.values(), start=1):
        there = dict.fromkeys(
            name for line in scene for name in line["characters"] if name != "Environment"
        )
        cast |= there
        for line in scene:
            body = Narrated(line["action"])
            drafts.append(Draft(body, episode=number, witnesses=tuple(there)))
    return list(cast), drafts


def conversation(number: int) -> tuple[list[str], list[Draft]]:
    """Two who talk; every third session one of them talks with somebody else."""
    said = json.loads(data("locomo", "locomo.json").read_text())[number]["conversation"]
    one, other = said["speaker_a"], said["speaker_b"]
    drafts = []
    for turn in turns_of(said):
        session = int(turn["dia_id"][1:].split(":")[0])
        both = (one, other) if session % 3 else (turn["speaker"],)
        text = " ".join(filter(None, [turn["text"], caption(turn)]))
        at, who = session_time(said, turn), turn["speaker"]
        drafts.append(Draft(Acted(text), at, episode=session, actor=who, witnesses=both))
    return [one, other], drafts


def stories() -> list[tuple[list[str], list[Draft]]]:
    plays = [storyline(play) for play in ("hamlet", "macbeth", "dream", "r_and_j")]
    return plays + [conversation(number) for number in (0, 3)]


def queries(drafts: Sequence[Draft], rng: random.Random) -> list[str]:
    words = [draft.body.words for draft in rng.sample(list(drafts), 5)]
    name = next((draft.actor for draft in drafts if draft.actor), "")
    asked = [" ".join(line.split()[:8]) for line in words]
    return [*asked, f"What did {name} do in May 2023?", f"{name} {asked[0]}"]


async def test_what_comes_later_changes_nothing() -> None:
    rng = random.Random(3)
    checked = 0
    for cast, drafts in stories():
        asked = queries(drafts, rng)
        first = len(cast) + 1
        async with open_log(":memory:") as log:
            await log.append("w", opened(*cast))
            seen = {}
            cuts = sorted(rng.sample(range(1, len(drafts)), 6))
            for start, end in zip([0, *cuts], [*cuts, len(drafts)], strict=True):
                await log.append("w", drafts[start:end])
                for name in rng.sample(cast, 2):
                    view = await log.view("w", name)
                    seen[name, first + end] = await looked_at(view, asked)
            for (name, seq), before in seen.items():
                view = await log.view("w", name, Cursor("w", seq))
                assert await looked_at(view, asked) == before
                checked += 1
    assert checked > 50, DATA


async def test_what_is_not_witnessed_changes_nothing() -> None:
    rng = random.Random(4)
    for cast, drafts in stories():
        asked = queries(drafts, rng)
        async with open_log(":memory:") as log:
            await log.append("whole", [*opened(*cast), *drafts])
            for name in rng.sample(cast, 2):
                whole = await looked_at(await log.view("whole", name), asked)
                assert await without(log, cast, drafts, name, asked, rng) == whole


async def without(
    log: Log,
    cast: list[str],
    drafts: Sequence[Draft],
    name: str,
    asked: list[str],
    rng: random.Random,
) -> tuple[list[str], list[Seen]]:
    """The same world, where what the character did not witness is gone, or is something else."""
    altered = []
    for draft in drafts:
        if name in draft.witnesses:
            altered.append(draft)
        elif rng.random() < 0.5:
            altered.append(replace(draft, body=Narrated("Something else. " + asked[0])))
    await log.append(f"without {name}", [*opened(*cast), *altered])
    return await looked_at(await log.view(f"without {name}", name), asked)
