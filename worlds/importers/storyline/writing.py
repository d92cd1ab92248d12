"""A world as a storyline: as it came in, where it came from one; of any other world what the form has a
place for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    EpisodeResumed,
    Imported,
    Narrated,
    WorldOpened,
)
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.storyline.form import Cast, Happened, Step, Story, step_of
from whoknew.worlds.importers.storyline.world import source_of

MAJOR = 10
"""Who does so much is a major character, where nobody says who is one."""


class WrittenStory(Struct, frozen=True):
    """A world in the form, what it is called there, its cast, and what the form has no place for."""

    work: str
    story: Story
    cast: Cast
    remarks: tuple[Remark, ...]


class _Told(Struct):
    """One title, as far as it was read: what is done, and who witnessed each."""

    title: str
    steps: list[Step] = field(default_factory=list)
    heard: list[set[str]] = field(default_factory=list)

    def otherwise(self) -> int:
        """How much of it was not witnessed by just those who act in it."""
        acting = {name for step in self.steps for name in step.people}
        return sum(some != acting for some in self.heard)


def story_of(world: str, events: Sequence[Happened]) -> WrittenStory:
    """The storyline of all that happened in a world."""
    source = source_of(events)
    untold = source.untold if source else {}
    told: dict[int, _Told] = {}
    homeless = Counter[str]()
    for event in events:
        body, episode = event.body, told.get(event.episode)
        if isinstance(body, EpisodeOpened):
            title = body.name if source else body.name or f"Episode {event.episode}"
            told[event.episode] = _Told(title)
        elif episode and (step := _kept(event, untold) or step_of(event)):
            episode.steps.append(step)
            episode.heard.append({*event.witnesses})
        else:
            homeless.update(_without_place(event))
    done = Counter(name for one in told.values() for step in one.steps for name in step.people)
    remarks = [
        Remark(world, tag, f"has no place in the form: {count:,} left out")
        for tag, count in sorted(homeless.items())
    ]
    if count := sum(one.otherwise() for one in told.values()):
        what = f"{count:,} actions were not witnessed by all who act under their title, and nobody else"
        remarks.append(Remark(world, "witnesses", f"{what}: the form does not say who is there"))
    story: dict[str, list[Step]] = {}
    for one in told.values():
        story[_new(one.title, story)] = one.steps
    return WrittenStory(
        work=source.work if source else world,
        story=story,
        cast=(source and source.cast) or _by_count(done),
        remarks=tuple(remarks),
    )


def _kept(event: Happened, untold: Mapping[str, Step]) -> Step | None:
    """An action as it was written, where its event does not tell that."""
    return untold.get(event.source or "") if isinstance(event.body, Acted | Narrated) else None


def _by_count(done: Counter[str]) -> Cast:
    return Cast(
        tuple(name for name, count in done.most_common() if count >= MAJOR),
        tuple(name for name, count in done.items() if count < MAJOR),
    )


def _without_place(event: Happened) -> Iterable[str]:
    """What of a story is left out, by its tag: what is told in another way is none."""
    told = CharacterAdded | EpisodeClosed | EpisodeOpened | EpisodeResumed | Imported | WorldOpened
    if isinstance(event.body, told) or event.body.outside_story:
        return ()
    if isinstance(event.body, Acted) and not event.body.text:
        return ()
    return (str(type(event.body).__struct_config__.tag),)


def _new(title: str, story: Story) -> str:
    number, name = 1, title
    while name in story:
        number += 1
        name = f"{title} ({number})"
    return name
