"""CloneMem in and out: who sees which trace, which evidence stands for a statement, what is strange."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest
from clonemem_files import ITEMS, LIFE, life_files

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import EvidenceNoted, Traced
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.clonemem.reading import kind_of, worlds_of
from whoknew.worlds.importers.clonemem.writing import form_of
from whoknew.worlds.importers.imported import ImportedWorld


def read(folder: Path, items: object = ITEMS, life: object = LIFE) -> ImportedWorld:
    (world,) = worlds_of(life_files(folder, items, life))
    return world


async def test_traces_are_seen_by_their_writers_and_readers_and_evidence_by_nobody(
    tmp_path: Path,
) -> None:
    world = read(tmp_path)
    async with open_log(":memory:") as log:
        await log.append(world.name, world.drafts)
        seen = {}
        for who in ("Ruth Aster", "Imre Vale", "Bea Aster"):
            events = await (await log.view(world.name, who)).events()
            assert not [one for one in events if isinstance(one.body, EvidenceNoted)]
            seen[who] = [one.source for one in events if isinstance(one.body, Traced)]
        assert seen["Ruth Aster"] == ["t1", "t2", "t3", "t4"]
        assert seen["Imre Vale"] == ["t3", "t4"]
        assert seen["Bea Aster"] == ["t2", "t3"]
        whole = await (await log.director(world.name)).events()
        sources = {one.seq: one.source for one in whole}
        noted = {
            one.body.claim: [sources[seq] for seq in one.about]
            for one in whole
            if isinstance(one.body, EvidenceNoted)
        }
        assert noted == {
            "Ruth only looked at cellos.": ["t1"],
            "Ruth rented a cello.": ["t2", "t3"],
        }
        form = form_of(world.name, whole, world.questions)
    assert json.loads(Path(tmp_path / "ruth.json").read_text("utf-8")) == ITEMS
    assert [one.id for one in form.items] == ["q1", "q2"] and form.remarks == ()


def test_an_item_is_a_question_with_a_set_of_traces_for_each_statement(tmp_path: Path) -> None:
    items = deepcopy(ITEMS)
    items[0]["evidence"].append(
        {"statement": "Ruth rented a cello.", "digital_trace_ids": ["t4", "t2", "t9"]}
    )
    world = read(tmp_path, items)
    first, second = world.questions
    assert first.evidence == (("t1",), ("t2", "t3", "t4"))
    assert first.labels["points"] == ["Ruth only looked at cellos.", "Ruth rented a cello."]
    assert (first.at, first.correct) == ("@2021-05-01", "Looked, rented, played.")
    assert first.tags == ("experience", "age up to 4 weeks")
    assert (second.at, second.evidence, len(second.choices)) == ("@2021-04-12T12:00:00", (), 4)
    (strange,) = world.remarks
    assert (strange.record, strange.what) == (
        "item q1",
        "names what is no trace: t9: that is left out",
    )


def test_an_item_without_statements_rests_on_all_its_traces(tmp_path: Path) -> None:
    items = [
        {**ITEMS[0], "evidence": [], "correct_choice_id": "Z"},
        {**ITEMS[1], "question_time": "May"},
    ]
    world = read(tmp_path, items)
    (only,) = world.questions
    assert only.evidence == (("t1", "t2", "t3"),) and only.correct is None
    assert [one.what.partition(":")[0] for one in world.remarks] == [
        "its right choice, 'Z', is none of its choices",
        "left out",
    ]


@pytest.mark.parametrize(
    "written",
    ["Single-Point Factual", "single_point_factual", "single-point", "Single point question"],
)
def test_kinds_are_known_however_they_are_written(written: str) -> None:
    assert kind_of(written) == "single-point"


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    file = life_files(tmp_path)
    beside = tmp_path / "ruth.traces.json"
    for life, why in (
        ({**LIFE, "traces": []}, "it holds no trace"),
        ({**LIFE, "traces": [LIFE["traces"][0]] * 2}, "two of its traces have the same id"),
        ({"traces": []}, "persona"),
        (
            {**LIFE, "traces": [{**LIFE["traces"][0], "time": "9999-12-31T21:00:00"}]},
            "the last year",
        ),
    ):
        beside.write_text(json.dumps(life), "utf-8")
        with pytest.raises(BadSource, match=why):
            list(worlds_of(file))
    beside.unlink()
    with pytest.raises(BadSource, match=r"beside it in ruth\.traces\.json"):
        list(worlds_of(file))
    file.rename(beside)
    with pytest.raises(BadSource, match="traces alone"):
        list(worlds_of(tmp_path))


def test_times_with_and_without_a_zone_stand_together(tmp_path: Path) -> None:
    life = deepcopy(LIFE)
    life["traces"][1]["time"] = "2021-03-02T23:59:59.5Z"
    drafts = read(tmp_path, life=life).drafts
    times = [one.at for one in drafts if one.at is not None]
    assert times == sorted(times)


def test_what_is_strange_about_an_item_is_told(tmp_path: Path) -> None:
    """Of two choices with one id the first was lost, and the second right in its place."""
    item, choices = ITEMS[0], ITEMS[0]["choices"]
    unshown = {"statement": "Ruth can swim.", "digital_trace_ids": []}
    items = [
        {**item, "choices": [choices[0], {**choices[1], "id": "A"}]},
        {**item, "evidence": [*item["evidence"], unshown]},
        {**item, "question_time": "2021-03-02T22:00"},
    ]
    world = read(tmp_path, items)
    assert [one.what for one in world.remarks] == [
        "left out: two of its choices have the same id",
        "no trace shows 'Ruth can swim.': that is left out",
        "rests on what is written only after it: t2, t3",
    ]
    assert len(world.questions) == 2
