"""Amendments: what a person says of who heard a speech of an imported world, who did not, and who was
told of what by it, in a file beside its source. They are applied as the world is brought in, and kept
with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, Amended, CharacterAdded, Kind, TellingFound
from whoknew.eventlog.nearest import closest, guess, nearest
from whoknew.worlds.document import Fault, sift
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.hearing import moved, reheard
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.importers.records import text_of
from whoknew.worlds.setting import Part

_NUMBER = re.compile(r"[0-9]+$")


class Amendment(Part, frozen=True):
    """Who heard a speech, who did not, who was `told` by it of the speech `of`, and why. `speech` is its
    id in the source; where it was cut in parts, those are meant that hold the `words`. `world` says
    which, where there are several."""

    speech: str
    why: str
    heard: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    of: str = ""
    words: str = ""
    world: str = ""


class Amendments(Part, frozen=True):
    amendments: tuple[Amendment, ...] = ()


def amended(
    worlds: Sequence[ImportedWorld], path: Path
) -> tuple[list[ImportedWorld], dict[str, list[Remark]]]:
    """The worlds as the amendments in a file say, and of each what was changed. A BadDocument lists
    all mistakes of the file."""
    books = {world.name: SpeechBook(world) for world in worlds}
    found, mistakes = sift(
        text_of(path), str(path), Amendments, lambda found: _faults(found, books)
    )
    if mistakes or found is None:
        raise BadDocument(mistakes)
    changed: dict[str, list[Remark]] = {}
    for one in found.amendments:
        remark = Remark(path.name, one.speech, _said(one))
        changed.setdefault(one.world or worlds[0].name, []).append(remark)
    return [replace(one, drafts=tuple(books[one.name].drafts())) for one in worlds], changed


class SpeechBook:
    """The speeches of one world by their ids, and what is to be otherwise with them."""

    def __init__(self, world: ImportedWorld) -> None:
        self._drafts = world.drafts
        self._speeches: dict[str, list[int]] = {}
        self.people: dict[str, None] = {}
        for seq, draft in enumerate(world.drafts, start=1):
            if isinstance(draft.body, CharacterAdded):
                self.people[draft.body.name] = None
            elif isinstance(draft.body, Acted) and draft.source:
                self._speeches.setdefault(draft.source, []).append(seq)
        self._ends: dict[str, str] = {}
        """The last speech under each beginning of an id."""
        for source in self._speeches:
            self._ends[_NUMBER.sub("", source)] = source
        self._heard: dict[int, dict[str, bool]] = {}
        self._added: dict[int, list[Kind]] = {}
        """What is to stand right behind a speech."""

    def amend(self, one: Amendment) -> None:
        for seq in self.parts(one):
            heard = self._heard.setdefault(seq, {})
            heard |= dict.fromkeys(one.heard, True) | dict.fromkeys(one.unheard, False)
            added = self._added.setdefault(seq, [])
            added.append(Amended(one.why, one.heard, one.unheard))
            if one.told:
                teller = self._drafts[seq - 1].actor
                added += [
                    TellingFound(fact, teller, one.told, origin="person", why=one.why)
                    for fact in self._speeches[one.of]
                ]

    def parts(self, one: Amendment) -> list[int]:
        """The seqs of those parts of a speech that are meant."""
        seqs = self._speeches.get(one.speech, ())
        return [seq for seq in seqs if one.words in self._drafts[seq - 1].body.words]

    def faults(self, one: Amendment, key: str) -> Iterator[Fault]:
        """What is wrong with an amendment to this world."""
        if one.speech not in self._speeches:
            yield f"{key}.speech", self._unknown(one.speech)
        elif not self.parts(one):
            begins = " ".join(
                self._drafts[self._speeches[one.speech][0] - 1].body.words.split()[:6]
            )
            yield f"{key}.words", f"does not stand in it, which begins: {begins}"
        for field in ("heard", "unheard", "told"):
            for number, name in enumerate(getattr(one, field)):
                where = f"{key}.{field}[{number}]"
                if name not in self.people:
                    yield where, f"{name!r} is no character: {nearest(name, self.people)}"
                elif any(self._contradicts(seq, name, field) for seq in self.parts(one)):
                    yield where, f"an amendment above it says the contrary of {name!r}"
        if both := [name for name in one.heard if name in one.unheard]:
            yield f"{key}.unheard", f"{both[0]!r} stands in `heard`, too"
        if speaking := [name for name in one.unheard if name in self._speakers(one)]:
            yield f"{key}.unheard", f"{speaking[0]!r} speaks it, and so hears it"
        if one.told or one.of:
            yield from self._telling_faults(one, key)
        elif not one.heard and not one.unheard:
            yield key, "changes nothing: give names in `heard`, `unheard` or `told`"

    def _telling_faults(self, one: Amendment, key: str) -> Iterator[Fault]:
        if not one.told or not one.of:
            yield key, "who was told of what? Give both: `told` names, and `of` a speech"
        elif one.of not in self._speeches:
            yield f"{key}.of", self._unknown(one.of)
        elif (parts := self.parts(one)) and self._speeches[one.of][-1] >= parts[0]:
            yield f"{key}.of", "does not stand before the speech that is to tell of it"
        else:
            heard = {name for seq in parts for name in self._drafts[seq - 1].witnesses}
            heard = (heard | {*one.heard}) - {*one.unheard}
            if deaf := [name for name in one.told if name not in heard]:
                yield f"{key}.told", f"{deaf[0]!r} does not hear the speech: add it to `heard`"

    def drafts(self) -> list[Draft]:
        """The world as the amendments say."""
        numbered = enumerate(self._drafts, start=1)
        return moved(list(reheard(numbered, self._heard, self._added)), 0, 0)

    def _contradicts(self, seq: int, name: str, field: str) -> bool:
        said = self._heard.get(seq, {}).get(name)
        return said is not None and said == (field == "unheard")

    def _speakers(self, one: Amendment) -> set[str]:
        found: set[str] = set()
        for seq in self.parts(one):
            body = self._drafts[seq - 1].body
            if isinstance(body, Acted):
                found |= {self._drafts[seq - 1].actor or "", *body.also}
        return found

    def _unknown(self, speech: str) -> str:
        beginning = _NUMBER.sub("", speech)
        if (last := self._ends.get(beginning)) is not None:
            return f"there is no speech {speech!r}: the last one there is {last!r}"
        if (close := closest(beginning, self._ends)) is None:
            return f"there is no speech {speech!r}: {nearest('', self._ends.values())}"
        meant = close + speech.removeprefix(beginning)
        meant = meant if meant in self._speeches else self._ends[close]
        return f"there is no speech {speech!r}: {guess(meant)}"


def _faults(found: Amendments, books: dict[str, SpeechBook]) -> Iterator[Fault]:
    if not found.amendments:
        yield "amendments", "holds none: give at least one [[amendments]]"
    for number, one in enumerate(found.amendments):
        key = f"amendments[{number}]"
        if one.world and one.world not in books:
            yield (
                f"{key}.world",
                f"{one.world!r} is not brought in: {nearest(one.world, books)}",
            )
        elif not one.world and len(books) != 1:
            yield key, f"of which world? Give `world`: {nearest('', books)}"
        else:
            book = books[one.world or next(iter(books))]
            wrong = list(book.faults(one, key))
            yield from wrong
            if not wrong:
                book.amend(one)


def _said(one: Amendment) -> str:
    """An amendment in words."""
    heard = f"heard by {', '.join(one.heard)}" if one.heard else ""
    unheard = f"not heard by {', '.join(one.unheard)}" if one.unheard else ""
    told = f"tells {', '.join(one.told)} of {one.of}" if one.told else ""
    return f"{'; '.join(filter(None, (heard, unheard, told)))}: {one.why}"
