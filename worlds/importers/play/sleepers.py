"""Who fell asleep, though no direction says so: whoever is called awake later, or said to sleep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from whoknew.worlds.importers.play.direction import Move
from whoknew.worlds.importers.play.people import Mention
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step, coming

_AWAKE = re.compile(
    r"(?:^|(?<=[,.;:!?-])|(?<=[,.;:!?-] ))(?:awake|wake up)(?=\W*$|[,.;:!?-])"
    r"|\bfast asleep\b|\ball this while asleep\b",
    re.IGNORECASE | re.MULTILINE,
)
_LULLED = re.compile(r"\b(?:music|song|sings?|lullaby)\b", re.IGNORECASE)
_LIES = re.compile(r"\b(?:lie|lies|lying) down\b", re.IGNORECASE)
_CLOSE = 60
"""Letters around a word of sleep, in which a sleeper is named."""


def fallen_asleep(steps: Sequence[Step]) -> Iterator[Step]:
    """Whoever is called awake by name slept: since he lay down, or there was music, after his last
    word; else from then on. Who is told that he slept all the while did so since his last word."""
    inserted: dict[int, list[str]] = {}
    names = {
        name.casefold().split()[-1]: name
        for step in steps
        for name in (step.speakers if isinstance(step, Spoken) else coming(step))
    }
    for at, step in enumerate(steps):
        if isinstance(step, Spoken):
            for name, all_along in _sleepers(step, names):
                if (since := _since(steps, at, name)) is not None:
                    place = since if all_along else _lay_down(steps, since, at, name)
                    inserted.setdefault(place, []).append(name)
    for at, step in enumerate(steps):
        if at in inserted:
            who = tuple(Mention((name,), False, 0, 0) for name in dict.fromkeys(inserted[at]))
            yield Directed(step.number, "", (Move("sleep", who),), ())
        yield step


def _sleepers(step: Spoken, names: Mapping[str, str]) -> set[tuple[str, bool]]:
    """Who is called awake, or said to sleep; and whether they did so all the while."""
    found: set[tuple[str, bool]] = set()
    for match in _AWAKE.finditer(step.text):
        told = "asleep" in match[0].casefold()
        ends = match.start() if told else match.end() + _CLOSE
        near = step.text[max(0, match.start() - _CLOSE) : ends].casefold()
        called = [names[word] for word in re.findall(r"\w+(?=\s*[,.!?;:-])", near) if word in names]
        found.update((name, "all" in match[0]) for name in (called[-1:] if told else called))
    return {one for one in found if one[0] not in step.speakers}


def _since(steps: Sequence[Step], at: int, name: str) -> int | None:
    """Behind which step somebody has neither spoken nor come."""
    for place in range(at - 1, -1, -1):
        step = steps[place]
        if isinstance(step, Spoken) and name in step.speakers:
            return place + 1
        if name in coming(step):
            return place + 1
    return None


def _lay_down(steps: Sequence[Step], since: int, at: int, name: str) -> int:
    """Behind which direction somebody sleeps who is called awake."""
    directed = [place for place in range(since, at) if isinstance(steps[place], Directed)]
    last = name.split()[-1].casefold()
    for place in directed:
        step = steps[place]
        assert isinstance(step, Directed)
        if _LIES.search(step.text) and last in step.text.casefold():
            return place + 1
    for place in reversed(directed):
        step = steps[place]
        assert isinstance(step, Directed)
        if _LULLED.search(step.text):
            return place + 1
    return at
