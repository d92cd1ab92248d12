"""The codebook of GRACE: keys, values and radii, and which of them answers a key.

An edit is a key (what a layer says of a prompt), a label (what is to follow) and a value (what the layer
is to say instead). A key that lies within the radius of the nearest entry is answered by its value.
Where an edit comes in:

- no entry is near: it is added, with the usual radius
- the nearest entry that it touches has the same label: that one is widened, so that it holds the key
- it has another label: it is added, and both radii are split so that they no longer touch
- it has another label, and the very same key: it is replaced, as what was said last holds

An edit that an entry held and holds no longer, because its radius was split or another entry is nearer
now, gets an entry of its own with the same value: so every edit holds, whatever comes after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.weights.key_matrix import KeyMatrix, Vector

Decision = Literal["add", "widen", "split", "replace"]

APART = 1e-5
"""Between two radii that were split, as a share of the distance: what lies there is nobody's."""


class Edit(Struct, frozen=True, eq=False):
    """A key that is to be followed by a label. `number` is the edit's own: several keys may have it."""

    number: int
    label: int
    key: Vector


class CodebookEntry(Struct, frozen=True, kw_only=True, eq=False):
    """A key with its value, and the edits that it holds: its own first."""

    key: Vector
    value: Vector
    radius: float
    edits: tuple[Edit, ...]

    @property
    def label(self) -> int:
        return self.edits[0].label


class CodebookChange(Struct, frozen=True):
    """What one edit did to a codebook, and which entry holds it now."""

    decision: Decision
    at: int


class Codebook:
    """Entries in the order in which they came in."""

    def __init__(self, radius: float, entries: Sequence[CodebookEntry] = ()) -> None:
        if radius <= 0:
            raise ValueError(f"a radius is more than 0, and this is {radius}")
        self.radius, self._entries = radius, list(entries)
        self._keys = KeyMatrix(one.key for one in entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[CodebookEntry]:
        return iter(self._entries)

    def __getitem__(self, at: int) -> CodebookEntry:
        return self._entries[at]

    @property
    def edits(self) -> list[Edit]:
        return [edit for entry in self._entries for edit in entry.edits]

    def nearest(self, key: Vector) -> tuple[int, float] | None:
        """The entry that is nearest to a key, the older one of two, and how far it is."""
        return self._keys.nearest(key)

    def holding(self, key: Vector) -> int | None:
        """The entry that answers a key: the nearest one, where the key lies within its radius."""
        found = self.nearest(key)
        if found is None or found[1] > self._entries[found[0]].radius:
            return None
        return found[0]

    def edit(self, edit: Edit, value: Vector) -> CodebookChange:
        """Take an edit in. The value of an entry that is widened stays as it is."""
        change = self._taken(edit, value)
        self._hold_again()
        return change

    def learn(self, at: int, value: Vector) -> None:
        """Give an entry another value."""
        self._entries[at] = replace(self._entries[at], value=value)

    def part(self, edit: Edit, value: Vector) -> int:
        """An entry for an edit alone that another held: where that one's value does not do for it."""
        at = self.holding(edit.key)
        assert at is not None, "it is held"
        held = self._entries[at]
        kept = tuple(one for one in held.edits if one is not edit)
        away = float(numpy.linalg.norm(held.key - edit.key))
        self._entries[at] = replace(held, edits=kept, radius=_half(held.radius, away))
        self._add(edit, value, _half(self.radius, away))
        self._hold_again()
        return len(self._entries) - 1

    def take_back(self, number: int) -> bool:
        """Undo an edit: its entries go, and what else they held gets entries of its own. Whether there
        was such an edit."""
        mine = [one for one in self._entries if any(edit.number == number for edit in one.edits)]
        self._entries = [one for one in self._entries if one not in mine]
        self._keys = KeyMatrix(one.key for one in self._entries)
        for entry in mine:
            gone = [edit.key for edit in entry.edits if edit.number == number]
            for edit in entry.edits:
                if edit.number != number:
                    away = min(float(numpy.linalg.norm(edit.key - key)) for key in gone)
                    self._add(edit, entry.value, _half(self.radius, away))
        self._hold_again()
        return bool(mine)

    def merged(self, other: Codebook, beyond: int = 0) -> Codebook:
        """This one, and then the edits of another, whose numbers go on from `beyond`, one after another:
        none of them answers in the place of another, and each keeps the value that it had."""
        both = Codebook(self.radius, self._entries)
        for entry in other:
            for one in entry.edits:
                edit = replace(one, number=one.number + beyond)
                at = both.edit(edit, entry.value).at
                if not numpy.array_equal(both[at].value, entry.value) and not numpy.array_equal(
                    both[at].key, edit.key
                ):
                    both.part(edit, entry.value)
        return both

    def _taken(self, edit: Edit, value: Vector) -> CodebookChange:
        found = self.nearest(edit.key)
        if found is None or found[1] > self._entries[found[0]].radius + self.radius:
            return CodebookChange("add", self._add(edit, value, self.radius))
        at, away = found
        near = self._entries[at]
        if near.label == edit.label:
            radius = max(near.radius, away)
            self._entries[at] = replace(near, radius=radius, edits=(*near.edits, edit))
            return CodebookChange("widen", at)
        if away == 0:
            self._entries[at] = replace(near, value=value, edits=(edit,))
            for other in near.edits:
                if not numpy.array_equal(other.key, edit.key):
                    self._add(other, near.value, self.radius)
            return CodebookChange("replace", at)
        self._entries[at] = replace(near, radius=_half(near.radius, away))
        return CodebookChange("split", self._add(edit, value, _half(self.radius, away)))

    def _add(self, edit: Edit, value: Vector, radius: float) -> int:
        self._entries.append(CodebookEntry(key=edit.key, value=value, radius=radius, edits=(edit,)))
        self._keys.append(edit.key)
        return len(self._entries) - 1

    def _hold_again(self) -> None:
        """Give those edits entries of their own that lie in their entry no longer. Each of these may be the
        nearest one of others, and not hold them: so until nothing is left to be done."""
        before = 0
        while before != len(self):
            before = len(self)
            for at in range(before):
                for edit in self._entries[at].edits[1:]:
                    self._hold(edit, at)

    def _hold(self, edit: Edit, at: int) -> None:
        found, held = self.nearest(edit.key), self._entries[at]
        assert found is not None, "its entry is there"
        if found[0] != at or found[1] > held.radius:
            kept = tuple(one for one in held.edits if one is not edit)
            self._entries[at] = replace(held, edits=kept)
            self._add(edit, held.value, _half(self.radius, found[1]))


def _half(radius: float, away: float) -> float:
    """A radius that stays short of the middle."""
    return min(radius, away / 2 * (1 - APART))
