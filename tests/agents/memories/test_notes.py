"""What linked notes bring back: what was planted, what is linked to it, and each as it reads now."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from planted_lives import CAST, Spoken, idle, lived

from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.note_text import NoteText
from whoknew.agents.memories.notes import NotesEntry
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline

KEY: list[Spoken] = [("Kit", "The spare key of the boathouse hangs behind the barometer.")]
LETTER: list[Spoken] = [("Bram", "A letter came from the harbour office.")]


class Told:
    """The offline model, which says what a test says of the last episodes: how they are linked."""

    name = "told:"

    def __init__(self, **linked: Any) -> None:
        self._linked, self.asked = {"links": [], "changed": [], **linked}, list[Request]()

    async def complete(self, request: Request) -> Reply:
        fields = request.answer.__struct_fields__ if request.answer else ()
        if "links" not in fields:
            return await Offline().complete(request)
        self.asked.append(request)
        return Reply(text=msgspec.json.encode(self._linked).decode())


async def test_each_thing_that_was_said_has_a_note_that_rests_on_it() -> None:
    async with lived(NotesEntry(), [*KEY, *LETTER], *idle(3)) as life:
        notes, view = await life.notes(), await life.view()
        first, second = notes[:2]
        assert first.text.startswith('Note 1:\n[2] Kit says: "The spare key')
        assert second.text.startswith('Note 2:\n[3] Bram says: "A letter')
        for note, (who, said) in zip((first, second), (*KEY, *LETTER), strict=True):
            (event,) = await view.pick([view.place(seq) or 0 for seq in note.sources])
            assert event.text == f"{who}: {said}"


async def test_what_was_planted_is_found_with_its_own_words() -> None:
    async with lived(NotesEntry(k=2), *idle(8), KEY, *idle(8)) as life:
        found = await life.recollect("Where is the key of the boathouse?")
        assert 'Kit says: "The spare key of the boathouse' in found.text


async def test_a_search_brings_what_is_linked_although_it_holds_no_word_of_it() -> None:
    """From either side."""
    model = Told(links=[{"note": 1, "other": 0}])
    other: list[Spoken] = [("Bram", "The key? Ask the harbour office.")]
    for asked, brought in (("boathouse", "Ask the harbour"), ("harbour", "boathouse hangs")):
        async with lived(NotesEntry(), KEY, other, model=model) as life:
            assert brought in (await life.recollect(asked)).text


async def test_a_neighbour_that_changed_is_found_by_what_it_says_now_and_no_more_by_what_it_said() -> (
    None
):
    """At once: not after the next hundred changes."""
    changed = [{"note": 0, "context": "Kit hid it from the smugglers.", "tags": ["smuggling"]}]
    other: list[Spoken] = [("Bram", "The key is gone, Kit.")]
    async with lived(NotesEntry(), KEY, other, model=Told(changed=changed)) as life:
        found = await life.recollect("smugglers")
        assert "boathouse" in found.text and "smuggling" in found.text
        versions = [note for note in await life.notes() if note.text.startswith("Note 1:")]
        assert len(versions) == 2, "the old version stays on the log"
        view = await life.view()
        told = [event.text for event in await view.events() if event.seq in versions[1].sources]
        assert told == [f"Kit: {KEY[0][1]}", f"Bram: {other[0][1]}"]
        assert len((await life.recollect("boathouse")).pieces) == 1


async def test_a_change_keeps_links_and_keywords() -> None:
    model = Told(
        links=[{"note": 1, "other": 0}],
        changed=[{"note": 0, "context": "Found.", "tags": ["new"]}],
    )
    async with lived(NotesEntry(), KEY, KEY, model=model) as life:
        first = [note.text for note in await life.notes() if note.text.startswith("Note 1:")][-1]
        note = NoteText.read(first.partition("\n")[2])
        assert note.links == (2,) and "boathouse" in note.keywords
        assert (note.context, note.tags) == ("Found.", ("new",))


@pytest.mark.parametrize(
    "said",
    [
        {"links": [{"note": 1, "other": 2}]},
        {"links": [{"note": -1, "other": 0}]},
        {"changed": [{"note": 7, "context": "", "tags": []}]},
    ],
)
async def test_what_was_not_shown_cannot_be_named(said: dict[str, Any]) -> None:
    with pytest.raises(BadAnswer):
        async with lived(NotesEntry(), KEY, KEY, model=Told(**said)):
            pass


async def test_of_many_lines_those_that_say_most_are_put_before_the_model_and_all_are_noted() -> (
    None
):
    lines: list[Spoken] = [*idle(6)[0], *KEY, *idle(6)[3]]
    async with lived(NotesEntry(most=1), lines) as life:
        (request,) = life.calls
        assert request.sections and len(request.sections.here or ()) == 1
        texts = [note.text for note in await life.notes()]
        assert len(texts) == len(lines)
        assert sum(not NoteText.read(text.partition("\n")[2]).keywords for text in texts) == 4


async def test_however_much_happened_no_call_shows_more_than_is_put_before_the_model() -> None:
    model = Told(
        links=[{"note": 0, "other": 3}], changed=[{"note": 3, "context": "It.", "tags": []}]
    )
    lines: list[Spoken] = [one for evening in idle(40) for one in evening]
    async with lived(
        NotesEntry(most=2, near=2), *idle(8), [*lines, *KEY, *KEY], model=model
    ) as life:
        for request in model.asked:
            sections = request.sections
            assert sections and len(sections.here or ()) <= 2 and len(sections.memory) <= 4
        notes = [one.text for one in await life.notes()]
        last = [text for text in notes if "Links:" in text]
        assert len({text.partition(":")[0] for text in notes}) == 16 + len(lines) + 2
        assert last
        view = await life.view()
        for note in await life.notes():
            places = [view.place(seq) for seq in note.sources]
            assert NoteText.read(note.text.partition("\n")[2]).place in places


async def test_what_is_only_linked_is_left_out_first() -> None:
    model = Told(links=[{"note": 1, "other": 0}])
    other: list[Spoken] = [("Bram", "The key? Ask the harbour office.")]
    async with lived(NotesEntry(), KEY, other, model=model) as life:
        found = await life.recollect("boathouse", budget=40)
        assert "boathouse" in found.text and "harbour" not in found.text and found.left_out


@pytest.mark.parametrize("who", CAST)
def test_a_note_says_again_what_was_written(who: str) -> None:
    note = NoteText(f"{who} says: x").told(["a", "b\nc"], "It\nis.", ["t"]).linked([3, 1, 3])
    assert NoteText.read(note.text) == note
    assert note.place == 0 and NoteText(f"[12] {who} says: x").place == 12
    assert NoteText.read("") == NoteText("") and NoteText.read("A\nLinks: x, 2").links == (2,)
