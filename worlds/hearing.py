"""Who heard what, otherwise than it was written down: the same events with other witnesses, for a world
that is only just written. On a log nothing is changed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import Doubted, Remembered, TellingFound
from whoknew.eventlog.story import renumbered

Heard = Mapping[str, bool]
"""Of some people whether they heard something."""


def reheard(
    drafts: Iterable[tuple[int, Draft]],
    heard: Mapping[int, Heard],
    added: Mapping[int, Sequence[Kind]],
) -> Iterator[tuple[int, Draft]]:
    """Events with these witnesses, each with its seq, and what is `added` beside the story right behind
    them, with the seq of what it is about. Who is said to have heard something or not is in doubt no
    more, nobody was told by what it did not hear, and none of its notes rests on that (law 5)."""
    missed = {
        (name, seq) for seq, said in heard.items() for name, is_so in said.items() if not is_so
    }
    gone = set[int]()
    for seq, draft in drafts:
        said = heard.get(draft.cause or 0, {})
        body = draft.body
        if isinstance(body, Doubted) and said:
            left = [name for name in body.names if name not in said]
            if not left:
                continue
            draft = replace(draft, body=Doubted(left[0], body.reason, tuple(left[1:])))
        if isinstance(body, Remembered) and any(
            (body.owner, one) in missed for one in body.sources
        ):
            missed.add((body.owner, seq))
            gone.add(seq)
            continue
        if gone.intersection(draft.about):
            draft = replace(draft, about=tuple(one for one in draft.about if one not in gone))
        if isinstance(body, TellingFound) and said:
            hearers = tuple(name for name in body.hearers if said.get(name, True))
            if body.hearers and not hearers:
                continue
            draft = replace(draft, body=replace(body, hearers=hearers))
        yield seq, replace(draft, witnesses=_witnesses(draft, heard.get(seq, {})))
        for more in added.get(seq, ()):
            beside = replace(draft, body=more, actor=None, witnesses=(), about=(), cause=seq)
            yield seq, replace(beside, source=None)  # the id is that of the speech alone


def moved(copied: Sequence[tuple[int, Draft]], shared: int, begun: int) -> list[Draft]:
    """Events that stood after the `shared` ones, where they stand in a world which has `begun` up to a
    seq. Of those with one seq the first is the event that had it."""
    seqs = [seq for seq, _ in copied]

    def number(seq: int) -> int:
        if seq <= shared:
            return seq
        return begun + min(bisect_left(seqs, seq) + 1, bisect_right(seqs, seq))

    return [renumbered(draft, number) for _, draft in copied]


def _witnesses(draft: Draft, heard: Heard) -> tuple[str, ...]:
    before = [name for name in draft.witnesses if heard.get(name, True)]
    return tuple(dict.fromkeys([*before, *(name for name, is_so in heard.items() if is_so)]))
