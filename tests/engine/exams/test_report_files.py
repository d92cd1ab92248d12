"""A table as files: whole or not at all, the same figures in each, and harmless whatever names hold."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from whoknew.engine.exams import report_files
from whoknew.engine.exams.beside import earlier, moved
from whoknew.engine.exams.cell_rows import CellRow, DifferingCells, differing_cells
from whoknew.engine.exams.comparing import compared
from whoknew.engine.exams.figures import ScoredCell, ScoreTable
from whoknew.engine.exams.files import csv_of, write_files
from whoknew.engine.exams.judge_card import JudgeCard, PlantedFigures
from whoknew.engine.exams.report_files import write_report
from whoknew.engine.exams.table import ExamRow, ExamTable, MemoryRow, TablePart, WriterRow
from whoknew.eventlog.errors import LogError

VIEWER = "http://127.0.0.1:8420"
HOSTILE = "=1+1 <script>alert(1)</script> \"x\" 'y' ../../etc/passwd\n--> ]]> & é"


def made(arms: tuple[str, ...] = ("none", "recall"), **changed: Any) -> list[CellRow]:
    """Four questions of two kinds, two worlds and one tag, in each arm; one answer failed."""
    rows = []
    for place, arm in enumerate(arms):
        for number in range(4):
            failed = place == 1 and number == 3
            row = CellRow(
                key=f"{arm}{number}",
                unit=f"unit{number}",
                arm=arm,
                repeat=1,
                kind=("fact", "self")[number % 2],
                tags=("money",) if number == 0 else (),
                cluster=f"world{number}",
                world=f"world{number}",
                character="WREN",
                seq=number + 10,
                hash="ab",
                question="Who?",
                answer=None if failed else "Nobody.",
                failure="the server said no" if failed else None,
                scores={} if failed else {"words.overlap": number / 4 + place / 8},
                calls=1,
                tokens=10,
            )
            rows.append(msgspec.structs.replace(row, **changed))
    return rows


def table_of(cells: list[CellRow], **changed: Any) -> ExamTable:
    arms = list(dict.fromkeys(one.arm for one in cells))
    scored = [
        ScoredCell(
            unit=one.unit,
            cluster=one.cluster,
            kind=one.kind,
            arm=one.arm,
            tags=one.tags,
            score=one.scores.get("words.overlap"),
        )
        for one in cells
    ]
    scores = ScoreTable.of(scored)
    table = ExamTable(
        name="lamps",
        log="lamps.db",
        material="plays.db",
        unit="question",
        units=4,
        repeats=1,
        version="0.1.0",
        seed=7,
        kinds={one.kind: 2 for one in cells},
        rows=tuple(
            ExamRow(
                arm=arm,
                digest=f"digest-{place}",
                cells=4,
                answered=4,
                failed=0,
                unreviewed=0,
                calls=4,
                tokens=40,
                money=None,
                judging=0.0,
            )
            for place, arm in enumerate(arms)
        ),
        figures={"words.overlap": scores.figures()},
        comparisons={"words.overlap": compared([scores], 7, draws=100)[0]},
        arms=tuple(TablePart(arm, f"digest-{place}", {}) for place, arm in enumerate(arms)),
        judges=(TablePart("words", "digest-j", {"by": "reference"}),),
    )
    return msgspec.structs.replace(table, **changed)


def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(file.read_text("utf-8"), newline="")))


def test_each_file_has_the_figures_of_the_table(tmp_path: Path) -> None:
    cells = made()
    table = table_of(cells)
    written = write_report(table, cells, tmp_path / "out", VIEWER)
    assert {Path(one).name for one in written.files} >= {
        *("report.html", "report.json", "cells.csv", "cells.jsonl", "figures.csv"),
        *("comparisons.csv", "arms.csv", "figures.svg"),
    }
    assert earlier(tmp_path / "out") == table
    rows = rows_of(tmp_path / "out" / "cells.csv")
    assert [row["words.overlap"] for row in rows][:4] == ["0.0", "0.25", "0.5", "0.75"]
    assert rows[7]["failure"] == "the server said no" and rows[7]["words.overlap"] == ""
    figures = {(row["arm"], row["over"]): row for row in rows_of(tmp_path / "out/figures.csv")}
    micro = table.figures["words.overlap"][0].micro
    assert figures["none", "micro"]["mean"] == str(micro.mean)
    assert micro.interval is not None
    assert figures["none", "micro"]["low"] == str(micro.interval[0])
    assert {over for _, over in figures} == {
        *("micro", "macro", "kind fact", "kind self", "tag money")
    }
    lines = (tmp_path / "out" / "cells.jsonl").read_bytes().splitlines()
    assert [msgspec.json.decode(line, type=CellRow) for line in lines] == cells


def test_every_table_says_its_version_its_seed_and_the_digests_of_arms_and_judges(
    tmp_path: Path,
) -> None:
    cells = made()
    write_report(table_of(cells), cells, tmp_path, VIEWER)
    for name in ("cells", "figures", "comparisons", "arms"):
        row = rows_of(tmp_path / f"{name}.csv")[0]
        assert (row["version"], row["seed"], row["exam"]) == ("0.1.0", "7", "lamps")
    assert rows_of(tmp_path / "cells.csv")[0]["words digest"] == "digest-j"
    assert rows_of(tmp_path / "figures.csv")[0]["arm digest"] == "digest-0"
    page = (tmp_path / "report.html").read_text("utf-8")
    for part in ("Seed 7", "whoknew 0.1.0", "digest-0", "digest-1", "digest-j"):
        assert part in page


def test_the_page_and_the_json_hold_what_judges_let_pass_and_what_was_remembered(
    tmp_path: Path,
) -> None:
    taken = PlantedFigures(number=20, taken=13, mean=0.6, failed=3)
    card = JudgeCard(
        judge="words",
        digest="digest-j",
        score="overlap",
        kinds={"vague": taken},
        calls=0,
        tokens=0,
        money=0.0,
    )
    memory = MemoryRow(
        memory="summary",
        model="offline:",
        digest="digest-m",
        arms=("none",),
        steps=12,
        failed=0,
        calls=12,
        tokens=3_400,
        money=0.0,
    )
    writer = WriterRow(
        model="offline:",
        digest="digest-w",
        places=18,
        failed=0,
        kept=21,
        refused=4,
        calls=18,
        tokens=9_000,
        money=0.0,
    )
    table = table_of(made(), cards=(card,), remembering=(memory,), writing=(writer,))
    write_report(table, made(), tmp_path, VIEWER)
    assert earlier(tmp_path) == table
    page = (tmp_path / "report.html").read_text("utf-8")
    for part in (
        "What judges take of planted answers",
        "13 of 20, 3 failed",
        "remembering (summary, 12 steps)",
        "writing questions (offline:, 21 kept, 4 refused)",
    ):
        assert part in page


def test_a_run_in_which_much_failed_says_so_first_in_each_file(tmp_path: Path) -> None:
    cells, warning = made(), "5 of 8 cells failed: the figures are of the others alone"
    write_report(table_of(cells, warning=warning), cells, tmp_path, VIEWER)
    assert (tmp_path / "report.json").read_text("utf-8").splitlines()[1].strip() == (
        f'"warning": "{warning}",'
    )
    for name in ("cells", "figures", "comparisons", "arms"):
        head, row = (tmp_path / f"{name}.csv").read_text("utf-8").splitlines()[:2]
        assert head.startswith("warning,") and row.startswith(warning)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.index(warning) < page.index("<h1>")
    drawn = ElementTree.parse(tmp_path / "figures.svg").getroot()
    words = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert words[0] == warning


class Links(HTMLParser):
    """Where the links of a page lead, what it can be led to, and its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.ids, self.tags = list[str](), list[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        if tag == "a":
            self.links.append(given["href"] or "")
        if "id" in given:
            self.ids.append(given["id"] or "")
        assert not [name for name in given if name.startswith("on")]


def test_each_figure_leads_to_its_cells_and_each_cell_to_its_world_at_its_cursor(
    tmp_path: Path,
) -> None:
    cells = made()
    write_report(table_of(cells), cells, tmp_path, VIEWER)
    page = Links((tmp_path / "report.html").read_text("utf-8"))
    inner = {one[1:] for one in page.links if one.startswith("#")}
    assert inner == {
        *("arm0", "arm1", "arm0-kind0", "arm0-kind1", "arm1-kind0", "arm1-kind1"),
        *("arm0-tag0", "arm1-tag0"),
    }
    assert len(page.ids) == len(set(page.ids)) and inner <= set(page.ids)
    assert f"{VIEWER}/?world=world2&at=%2312&as=WREN" in page.links


def test_names_that_would_do_harm_do_none_in_any_file(tmp_path: Path) -> None:
    cells = made(
        arms=(HOSTILE, "other"),
        world=HOSTILE,
        character=HOSTILE,
        question=HOSTILE,
        answer=HOSTILE,
        kind=HOSTILE,
        tags=(HOSTILE,),
    )
    table = table_of(cells, name=HOSTILE, remarks=(HOSTILE,), material=HOSTILE)
    written = write_report(table, cells, tmp_path / "out", VIEWER, table)
    assert {Path(one).parent for one in written.files} == {tmp_path / "out"}
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    page = Links((tmp_path / "out/report.html").read_text("utf-8"))
    assert "script" not in page.tags
    assert all(one.startswith(("#arm", f"{VIEWER}/?world=")) for one in page.links)
    ElementTree.parse(tmp_path / "out/figures.svg")
    for name in ("cells", "figures", "comparisons", "arms"):
        for row in rows_of(tmp_path / f"out/{name}.csv"):
            for value in row.values():
                assert not value.startswith(("=", "+", "@")), value
                assert re.fullmatch(r"-[\d.e-]+", value) or not value.startswith("-"), value
    assert rows_of(tmp_path / "out/cells.csv")[0]["question"] == f"'{HOSTILE}"


def test_a_page_that_cannot_hold_all_cells_says_how_many_it_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whoknew.engine.exams.report_page.CELLS", 0)
    cells = [
        msgspec.structs.replace(one, unit=f"{one.unit}-{times}", tags=())
        for one in made()
        for times in range(10)
    ]
    write_report(table_of(cells), cells, tmp_path, VIEWER)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "kind fact: 5 cells, and 15 more in cells.csv" in page
    assert len(rows_of(tmp_path / "cells.csv")) == 80


def test_for_two_arms_of_many_only_their_own_cells_are_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def noted(rows: list[CellRow], first: str, second: str) -> DifferingCells:
        looked.append(len(rows))
        return differing_cells(rows, first, second)

    monkeypatch.setattr("whoknew.engine.exams.report_page.differing_cells", noted)
    cells = made(tuple(f"arm{number}" for number in range(6)))
    write_report(table_of(cells), cells, tmp_path, VIEWER)
    assert looked == [8] * 15


def test_what_goes_wrong_leaves_what_was_there_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"a": b"old", "b": b"old"})

    def full(path: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(LogError, match="no space left"):
        write_files(tmp_path, {"a": b"new", "b": b"new"})
    assert sorted((one.name, one.read_bytes()) for one in tmp_path.iterdir()) == [
        ("a", b"old"),
        ("b", b"old"),
    ]


def test_a_file_of_an_earlier_report_goes_where_this_one_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = made()
    for name in report_files.NAMES:
        (tmp_path / name).write_bytes(b"of another report")
    monkeypatch.setattr(report_files, "find_spec", lambda _: None)
    written = write_report(table_of(cells), cells, tmp_path, VIEWER)
    assert not {one.name for one in tmp_path.iterdir()} & set(report_files.NAMES)
    assert [one.split()[0] for one in written.missing] == ["figures.png", "Parquet"]


def test_parquet_has_the_cells_and_the_figures_with_their_types(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    cells = made()
    write_report(table_of(cells), cells, tmp_path, VIEWER)
    rows = pyarrow.read_table(tmp_path / "cells.parquet").to_pylist()
    assert [row["words.overlap"] for row in rows][-2:] == [0.625, None]
    assert rows[0]["seq"] == 10 and rows[0]["warning"] == ""
    assert len(pyarrow.read_table(tmp_path / "figures.parquet").to_pylist()) == 10


def test_two_arms_differ_where_one_alone_failed_and_then_where_the_scores_lie_far_apart() -> None:
    cells = made()
    cells[5] = msgspec.structs.replace(cells[5], scores={"words.overlap": 1.0})
    cells[6] = msgspec.structs.replace(cells[6], scores=cells[2].scores)
    found = differing_cells(cells, "none", "recall")
    assert [pair.first.unit for pair in found.cells] == ["unit3", "unit1", "unit0"]
    assert found.alike == 1


def test_what_a_kind_of_exam_counts_itself_stands_in_the_figures_and_on_the_page(
    tmp_path: Path,
) -> None:
    cells = made()
    write_report(table_of(cells, own={"words": {"none": 3.5}}), cells, tmp_path, VIEWER)
    row = rows_of(tmp_path / "figures.csv")[-1]
    assert (row["score"], row["arm"], row["over"], row["mean"]) == ("words", "none", "own", "3.5")
    assert "Figures of its own" in (tmp_path / "report.html").read_text("utf-8")


def test_a_table_beside_an_earlier_one_says_what_moved_and_what_is_not_the_same() -> None:
    now, before = made(), made(scores={"words.overlap": 0.5}, failure=None, answer="So.")
    arms = (TablePart("none", "digest-0", {"memory": {"k": 3}}), TablePart("recall", "x", {}))
    (first, _) = moved(table_of(now, arms=arms), table_of(before))
    assert first.difference.startswith("-0.125 (")
    assert first.otherwise == ("none: memory.k was not set and is 3",)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "\nx"])
def test_a_text_that_a_spreadsheet_would_reckon_stands_behind_a_quote(text: str) -> None:
    (row,) = csv.DictReader(StringIO(csv_of(["a"], [[text]]).decode(), newline=""))
    assert row["a"] == f"'{text}".replace("\r", "\n")


def test_control_signs_of_an_answer_stand_spelt_out_in_every_file(tmp_path: Path) -> None:
    cells = made(answer="a\x00b\x1b[31mc\u202ed\ne", arms=("one", "other"))
    table = table_of(cells)
    write_report(table, cells, tmp_path / "out", VIEWER, table)
    for file in (tmp_path / "out" / name for name in ("cells.csv", "report.html")):
        text = file.read_text("utf-8")
        assert not {sign for sign in text if not sign.isprintable()} - {"\n", "\t"}, file
    assert rows_of(tmp_path / "out/cells.csv")[0]["answer"] == "a\\x00b\\x1b[31mc\\u202ed\ne"
