"""TimeChara's instances, in both forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shared_data import data
from timechara_files import PEOPLE, SERIES, instances, written

from whoknew.eventlog.kinds import EpisodeOpened, Narrated
from whoknew.worlds import question
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.importers.timechara import chapter_of, plain, printed_list, worlds_of


def only(path: Path) -> ImportedWorld:
    (world,) = worlds_of(path)
    return world


def test_both_forms_are_the_same(tmp_path: Path) -> None:
    assert only(written(tmp_path / "a.json")) == only(written(tmp_path / "b.jsonl", hub=True))


def test_a_series_is_a_world_of_chapters_in_order(tmp_path: Path) -> None:
    some = list(instances())
    path = tmp_path / "mixed.json"
    path.write_text(json.dumps(some[::-1]), "utf-8")
    world = only(path)
    opened = [one.body.name for one in world.drafts if isinstance(one.body, EpisodeOpened)]
    assert (world.name, opened[:2], opened[-1]) == (
        SERIES,
        ["chapter 1-1", "chapter 1-2"],
        "chapter 2-4",
    )
    assert not world.remarks


def test_a_summary_is_witnessed_by_those_who_took_part(tmp_path: Path) -> None:
    """By a main character under its own name, however it is called there."""
    scenes = [
        one for one in only(written(tmp_path / "a.json")).drafts if isinstance(one.body, Narrated)
    ]
    assert len(scenes) == 8
    assert set(scenes[0].witnesses) == {*PEOPLE, "the harbour cat"}
    assert set(scenes[1].witnesses) == {PEOPLE[0], "the harbour cat"}


def test_each_question_is_asked_where_the_file_has_it(tmp_path: Path) -> None:
    """What it calls past lies behind that moment, what it calls future ahead of it."""
    world = only(written(tmp_path / "a.json"))
    numbers = {one.source: one.episode for one in world.drafts if one.source}
    for one, found in zip(instances(), world.questions, strict=True):
        assert not list(question.faults(found))
        book, chapter = chapter_of(one["question_period"])
        episode = numbers[f"{book}-{chapter}, scene 1"]
        behind = int(found.at.removeprefix("E"))
        assert (found.kind == "future") == (episode > behind) == (one["data_type"] == "future")
        assert found.labels["type"] == one["data_type"]
        assert found.labels["temporal"] == one["temporal_label"]


def test_answers_and_sorts_are_kept(tmp_path: Path) -> None:
    asked = only(written(tmp_path / "a.json")).questions
    assert {one.tags for one in asked} == {("structured",), ("fact",), ("fake", "strategy 3")}
    assert {one.reference for one in asked if one.kind == "past-only"} == {"Mara lit it."}
    assert [one.labels["number"] for one in asked] == list(range(len(asked)))


def test_what_a_file_says_to_the_contrary_is_told(tmp_path: Path) -> None:
    some = list(instances())
    late = next(one for one in some if one["data_type"] == "future")
    contrary = {**late, "question_period": "Book1-chapter1", "question": "And then?"}
    path = tmp_path / "a.json"
    path.write_text(json.dumps([*some, contrary]), "utf-8")
    (remark,) = only(path).remarks
    assert f"instance {len(some)}" in str(remark) and "future" in str(remark)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no instance"),
        ("[]", "holds no instance"),
        ("[1]", "no instances of TimeChara"),
        ('{"series": "a"}', "no instances of TimeChara"),
        ("[" * 5000, "no instances of TimeChara"),
    ],
)
def test_what_is_no_such_file_is_refused(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BadSource, match=why):
        list(worlds_of(path))


@pytest.mark.parametrize("position", ["", "Book one", "7", "1-2-3-4"])
def test_a_place_that_is_none_is_refused(position: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{**next(instances()), "question_period": position}]), "utf-8")
    with pytest.raises(BadSource, match="no book and chapter"):
        list(worlds_of(path))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("['Mara Quill', 'Odo']", ["Mara Quill", "Odo"]),
        ("[\"Mara's cat\", 'Odo']", ["Mara's cat", "Odo"]),
        (r"['Mara\'s \"cat\"']", ['Mara\'s "cat"']),
        ("['Odo', 'Mara", ["Odo"]),
        ("[]", []),
        (r"\'" * 100_000, []),
        ("\\'" * 100_001 + "\\", []),
        ("'" + r"\"" * 100_000, []),
    ],
    ids=lambda given: str(given)[:20],
)
def test_a_printed_list_is_read(text: str, names: list[str]) -> None:
    assert printed_list(text) == names


def test_escapes_are_signs() -> None:
    assert (
        plain(r"Past.\nMoment: \u201cLight\u201d \"it\"") == 'Past.\nMoment: \u201cLight\u201d "it"'
    )
    assert plain(r"\ud83d\ude00 lit") == "\U0001f600 lit"
    assert plain(r"\ud83d lit\u0021 \ude00") == r"\ud83d lit! \ude00"


def test_a_line_ends_with_a_line_feed_and_with_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    one = {**next(instances()), "event_summary": "Mara lit\u2028a lantern."}
    path.write_text(json.dumps(one, ensure_ascii=False), "utf-8")
    assert "Mara lit\u2028a lantern." in [draft.body.words for draft in only(path).drafts]


def test_the_papers_219_points_are_in_the_order_of_their_story() -> None:
    """One of its lists is not."""
    series = json.loads(data("timechara-timepoints", "timepoints.json").read_text("utf-8"))
    lists = {
        who: [chapter_of(one["at"]) for one in some]
        for x in series.values()
        for who, some in x.items()
    }
    assert (len(lists), sum(map(len, lists.values()))) == (14, 219)
    jacob = lists["Jacob Black"]
    assert jacob != sorted(jacob) and sorted(jacob).index((3, 7)) < sorted(jacob).index((3, 16))
    assert chapter_of("1-9") < chapter_of("1-10") < chapter_of("2-1")


def test_all_that_is_wrong_with_instances_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_text('[{"series": "s", "question": "q"}, 7]', "utf-8")
    with pytest.raises(BadSource) as refused:
        list(worlds_of(path))
    told = str(refused.value)
    assert "instance 0: lacks 'data_type', 'character', 'character_period'" in told
    assert "instance 1: Expected `object`, got `int`" in told


def test_one_object_that_is_no_list_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_text('{\n "a": [1,\n 2]\n}', "utf-8")
    with pytest.raises(BadSource, match="no list of objects, and not one on each line"):
        list(worlds_of(path))
