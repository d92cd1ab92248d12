"""The table of an exam as one page: each figure leads to its cells, each cell to its world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from whoknew.engine.exams.cell_rows import CellRow, DifferingCells, differing_cells
from whoknew.engine.exams.figures import ArmFigures, Estimate, mean_shown
from whoknew.engine.exams.page import (
    Html,
    anchor,
    document,
    heads,
    inline,
    link,
    row,
    shortened,
    tag,
    wide,
)
from whoknew.engine.exams.page_extras import behind, found, people, published, published_alone
from whoknew.engine.exams.page_parts import NOTHING_SHOWN, MaterialShown, evidence_place
from whoknew.engine.exams.page_tables import (
    TEXT,
    arm_cells,
    arm_style,
    beside_earlier,
    comparisons,
    costs,
    in_words,
    judge_cards,
    origin,
    own_figures,
    settings_behind,
)
from whoknew.engine.exams.table import ExamTable
from whoknew.eventlog.counted import counted

CELLS, PAIRS = 4000, 600
"""So many cells are on the page, and so many on which two arms differ: the files have all of them."""

FILE = "cells.csv"


def report_page(
    table: ExamTable,
    cells: Sequence[CellRow],
    viewer: str,
    drawings: Sequence[bytes],
    other: ExamTable | None = None,
    of_material: MaterialShown = NOTHING_SHOWN,
) -> str:
    """All of it; beside an earlier table, where there is one."""
    return document(
        table.name, _ReportPage(table, cells, viewer, of_material).parts(drawings, other)
    )


class _ReportPage:
    def __init__(
        self, table: ExamTable, cells: Sequence[CellRow], viewer: str, of_material: MaterialShown
    ) -> None:
        self._table, self._viewer, self._material = table, viewer, of_material
        self._arms = {one.name: place for place, one in enumerate(table.arms)}
        self._kinds = {kind: place for place, kind in enumerate(table.kinds)}
        tags = {name for one in cells for name in one.tags}
        self._tags = {name: place for place, name in enumerate(sorted(tags))}
        self._groups = self._grouped(cells)
        self._cells = cells

    def parts(self, drawings: Sequence[bytes], other: ExamTable | None) -> Iterator[str]:
        table = self._table
        if table.warning:
            yield tag("p", table.warning, class_="warning", role="alert")
        yield tag("h1", table.name)
        yield from (tag("p", remark, class_="warning") for remark in table.remarks)
        yield tag("p", origin(table), class_="quiet")
        yield self._scores()
        for drawing in drawings if table.figures or table.curves else ():
            yield tag("div", inline(drawing), class_="wide", tabindex="0")
        yield from self._players()
        yield from self._by_kind()
        yield from self._by_tag()
        if table.own:
            yield own_figures(table)
        yield from published_alone(table)
        yield from found(table, self._viewer)
        yield from comparisons(table)
        if table.cards:
            yield judge_cards(table)
        if table.agreements:
            yield people(table)
        yield costs(table)
        if other is not None:
            yield from beside_earlier(table, other)
        yield from self._material.parts
        yield from self._differing()
        yield from self._listed()
        yield from behind(table, self._viewer)
        yield from settings_behind(table)

    # figures

    def _scores(self) -> Html:
        table = self._table
        rows = [heads("arm", "cells", "failed", *table.figures)]
        for one in table.rows:
            means = [
                self._linked(mean_shown(_of(arms, one.arm)), one.arm)
                for arms in table.figures.values()
            ]
            cells = [self._linked(one.arm, one.arm), one.far, f"{one.failed:,}", *means]
            rows.append(row(cells, style=arm_style(one.arm)))
        rows += published(table, table.figures, blank=2)
        return wide(rows, "Mean ± standard error, clustered by what units share")

    def _players(self) -> Iterator[str]:
        """Who plays, over all arms and sides."""
        players = self._table.players
        names = list(dict.fromkeys(one.arm for arms in players.values() for one in arms))
        if names:
            rows = [
                row([name, *(mean_shown(_of(arms, name)) for arms in players.values())])
                for name in names
            ]
            rows.insert(0, heads("who plays", *players))
            yield wide(rows, "Mean ± standard error of who plays, over all arms and sides")

    def _by_kind(self) -> Iterator[str]:
        if len(self._kinds) < 2:
            return
        for score, arms in self._table.figures.items():
            told = self._table.kind_heads(score)
            rows = [heads("arm", *(told.get(name, name) for name in self._kinds), "macro")]
            for one in arms:
                means = [self._mean(one, "kind", name) for name in self._kinds]
                cells = [one.arm, *means, mean_shown(one.macro)]
                rows.append(row(cells, style=arm_style(one.arm)))
            yield wide(rows, f"{score}, by kind")

    def _by_tag(self) -> Iterator[str]:
        """A row a tag: there may be dozens."""
        if not self._tags:
            return
        for score, arms in self._table.figures.items():
            names = [(one.arm, one.arm) for one in arms]
            rows = [tag("tr", tag("th", "tag"), *arm_cells("th", names))]
            for name in self._tags:
                means = [(one.arm, self._mean(one, "tag", name)) for one in arms]
                rows.append(tag("tr", tag("td", name), *arm_cells("td", means)))
            yield wide(rows, f"{score}, by tag")

    def _mean(self, one: ArmFigures, what: str, name: str) -> str:
        found = one.kinds if what == "kind" else one.tags
        return self._linked(mean_shown(found.get(name)), one.arm, what, name)

    def _linked(self, text: str, arm: str, what: str = "", name: str = "") -> str:
        return text if text == "-" else anchor(text, f"#{self._place(arm, what, name)}")

    def _place(self, arm: str, what: str = "", name: str = "") -> str:
        """Where the cells of a figure stand: numbers, since a name may hold anything."""
        names = self._kinds if what == "kind" else self._tags
        return f"arm{self._arms[arm]}" + (f"-{what}{names[name]}" if what else "")

    # cells

    def _grouped(self, cells: Sequence[CellRow]) -> dict[tuple[str, str, str], list[CellRow]]:
        """The cells of each arm by kind, and by tag."""
        found: dict[tuple[str, str, str], list[CellRow]] = {}
        for one in cells:
            found.setdefault((one.arm, "kind", one.kind), []).append(one)
            for name in one.tags:
                found.setdefault((one.arm, "tag", name), []).append(one)
        return found

    def _listed(self) -> Iterator[str]:
        share = max(5, CELLS // max(1, len(self._groups)))
        yield tag("h2", "Cells")
        yield tag("p", f"What failed, and the lowest scores, first. All are in {FILE}.")
        for arm in self._arms:
            style = {"class_": style} if (style := arm_style(arm)) else {}
            yield tag("h3", arm, id=self._place(arm), **style)
            for (whose, what, name), cells in self._groups.items():
                if whose == arm:
                    yield from self._group(self._place(arm, what, name), what, name, cells, share)

    def _group(
        self, place: str, what: str, name: str, cells: Sequence[CellRow], share: int
    ) -> Iterator[str]:
        begun = [one for one in cells if one.answer is not None or one.failure is not None]
        some = sorted(begun, key=_worst)[:share]
        left = len(cells) - len(some)
        more = f", and {left:,} more in {FILE}" if left else ""
        judged = list(self._table.figures)
        rows = [heads("asked", in_words("question"), in_words("answer"), *judged)]
        rows += [row(self._cell(one, judged)) for one in some]
        table = wide(rows, f"{what} {name}: {counted(len(some), 'cell')}{more}")
        yield tag("section", table, id=place)

    def _cell(self, one: CellRow, judged: Sequence[str]) -> list[str]:
        scores = [f"{one.scores[name]:.3g}" if name in one.scores else "-" for name in judged]
        return [self._asked(one), in_words(one.question), _answer(one), *scores]

    def _asked(self, one: CellRow) -> Html:
        """Who is asked when: it leads there, through the eyes of who is asked."""
        where = link(self._viewer, one.world, one.seq, one.character)
        times = f", {one.repeat}" if self._table.repeats > 1 else ""
        asked = anchor(
            f"{one.character or one.world} #{one.seq}",
            where,
            f"{one.world}, unit {one.unit}{times}",
        )
        if one.unit not in self._material.units:
            return asked
        return tag("span", asked, " ", anchor("evidence", f"#{evidence_place(one.unit)}"))

    # two arms

    def _differing(self) -> Iterator[str]:
        pairs = list(combinations(self._arms, 2))
        if not pairs:
            return
        share = max(3, PAIRS // len(pairs))
        mine: dict[str, list[CellRow]] = {arm: [] for arm in self._arms}
        for one in self._cells:
            mine[one.arm].append(one)
        yield tag("h2", "Where two arms differ")
        for first, second in pairs:
            both = [*mine[first], *mine[second]]
            yield self._pair(differing_cells(both, first, second), share)

    def _pair(self, found: DifferingCells, share: int) -> Html:
        some = found.cells[:share]
        rows = [heads("asked", *map(in_words, ("question", found.first, found.second)))]
        for pair in some:
            both = [_verdict(pair.first), _verdict(pair.second)]
            rows.append(row([self._asked(pair.first), in_words(pair.first.question), *both]))
        left = len(found.cells) - len(some)
        more = f"; {left:,} more: exam report --differ" if left else ""
        title = f"{found.first} and {found.second}: {counted(len(found.cells), 'cell')}{more}"
        return tag("details", tag("summary", f"{title}, {found.alike:,} alike"), wide(rows, title))


def _of(arms: Sequence[ArmFigures], name: str) -> Estimate | None:
    return next((one.micro for one in arms if one.arm == name), None)


def _worst(one: CellRow) -> tuple[bool, float]:
    return not one.failed, min(one.scores.values(), default=0.0)


def _answer(one: CellRow) -> Html:
    if one.failure is not None:
        return tag("span", f"failed: {shortened(one.failure, TEXT)}", class_="words warning")
    return in_words(one.answer or "")


def _verdict(one: CellRow) -> Html:
    scores = ", ".join(f"{name} {score:.3g}" for name, score in one.scores.items())
    failed = "; ".join(f"{judge} gave no verdict: {why}" for judge, why in one.unreviewed.items())
    said = [tag("div", part, class_="quiet") for part in (scores, failed) if part]
    return tag("div", _answer(one), *said, class_="words")
