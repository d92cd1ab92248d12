"""The curves of a report, drawn: scores over episodes, arms beside one another, secrets kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whoknew.engine.exams.lifelong.report import Curve, ExamReport
from whoknew.engine.exams.lifelong.tally import Metric
from whoknew.engine.exams.page import link
from whoknew.engine.exams.plots import check_plots, set_up

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#3b6fb6", "#d1762b", "#3f8f5a", "#a5459b", "#7a6a4f", "#c23b3b", "#4f9aa8", "#8a8a2f")
DASHES = ("-", "--", "-.", ":")
"""Arms that come to the same are seen all the same."""

RANGES: dict[Metric, tuple[float, float]] = {
    "believability": (0, 10),
    "goal": (0, 10),
    "points": (0, 1),
    "recall": (0, 1),
}
TITLES: dict[Metric, str] = {
    "believability": "BEL: believability, less 5 for each failed check",
    "goal": "GOAL: how far each reached what it wanted",
    "points": "points: part of the most that one could have",
    "recall": "recall: part of the evidence that came to mind",
}
HARD = "#00000012"


class Drawing:
    """The figures of one report. A point links to `viewer`, at the end of its episode in the first
    of the lives behind it."""

    def __init__(self, report: ExamReport, viewer: str) -> None:
        self._report, self._viewer = report, viewer
        check_plots()
        set_up()
        arms = [row.arm for row in report.rows]
        self._colours = {arm: COLOURS[place % len(COLOURS)] for place, arm in enumerate(arms)}
        self._dashes = {arm: DASHES[place % len(DASHES)] for place, arm in enumerate(arms)}

    def curves(self) -> Figure | None:
        """BEL and GOAL over episodes, with a band of one standard error over lives."""
        return self._over_episodes(("believability", "goal"))

    def exact(self) -> Figure | None:
        """What needs no judge: points and recall of evidence, by episode."""
        return self._over_episodes(("points", "recall"))

    def hard(self) -> Figure:
        """The arms beside one another on the hard episodes: the ablations."""
        metrics: tuple[Metric, ...] = ("believability", "goal", "points", "recall")
        figure, axes = _figure(len(metrics), 1, height=2.6)
        for metric, axis in zip(metrics, axes, strict=True):
            self._bars(axis, metric)
            axis.set_title({"believability": "BEL", "goal": "GOAL"}.get(metric, metric))
        figure.suptitle("Hard episodes: mean and standard error over lives", fontsize=10)
        return figure

    def secrets(self) -> Figure | None:
        """What part of the characters' secrets nobody else knows, after each episode."""
        if not any(self._report.kept.values()):
            return None
        figure, (axis,) = _figure(1, 1, height=2.4)
        for arm, kept in self._report.kept.items():
            at, dashes = range(1, len(kept) + 1), self._dashes[arm]
            axis.plot(at, kept, dashes, label=arm, color=self._colours[arm])
        axis.set_ylim(0, 1.05)
        axis.set_title("Secrets kept", loc="left")
        axis.set_xlabel("episode")
        axis.legend(frameon=False, ncols=4, loc="lower left")
        return figure

    def _over_episodes(self, wanted: Sequence[Metric]) -> Figure | None:
        some: set[Metric] = {one.metric for one in self._report.curves}
        metrics: list[Metric] = [one for one in wanted if one in some]
        if not metrics:
            return None
        figure, axes = _figure(1, len(metrics))
        for metric, axis in zip(metrics, axes, strict=True):
            for curve in self._report.curves:
                if curve.metric == metric:
                    self._curve(axis, curve)
            axis.set_title(TITLES[metric], loc="left")
            least, most = RANGES[metric]
            axis.set_ylim(least - 0.02 * most, most * 1.04)
            axis.set_xlim(0, self._report.episodes + self._report.hard + 1)
            self._mark_hard(axis)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, frameon=False, ncols=4, loc="outside lower center")
        axes[-1].set_xlabel("episode (the hard ones shaded)")
        return figure

    def _curve(self, axis: Axes, curve: Curve) -> None:
        colour = self._colours[curve.arm]
        known = [(one, one.figure.mean) for one in curve.points if one.figure.mean is not None]
        numbers = [one.episode for one, _ in known]
        means = [mean for _, mean in known]
        sure = [(one.episode, mean, one.figure.error) for one, mean in known if one.figure.error]
        lower = [mean - error for _, mean, error in sure]
        upper = [mean + error for _, mean, error in sure]
        at = [episode for episode, _, _ in sure]
        axis.fill_between(at, lower, upper, color=colour, alpha=0.12, linewidth=0)
        dashes = self._dashes[curve.arm]
        axis.plot(numbers, means, dashes, color=colour, linewidth=1.2, label=curve.arm)
        dots = axis.scatter(numbers, means, s=9, color=colour)
        dots.set_urls([self._link(*one.behind[0]) for one, _ in known])

    def _bars(self, axis: Axes, metric: Metric) -> None:
        rows = [one for one in self._report.rows if one.figures["hard"][metric].mean is not None]
        figures = [one.figures["hard"][metric] for one in rows]
        axis.bar(
            [one.arm for one in rows],
            [one.mean or 0.0 for one in figures],
            yerr=[float("nan") if one.error is None else one.error for one in figures],
            color=[self._colours[one.arm] for one in rows],
            capsize=2,
        )
        axis.set_ylim(*RANGES[metric])
        axis.tick_params(axis="x", rotation=45)

    def _mark_hard(self, axis: Axes) -> None:
        if self._report.hard:
            first = self._report.episodes + 0.5
            axis.axvspan(first, first + self._report.hard, color=HARD, linewidth=0)

    def _link(self, world: str, cursor: int) -> str:
        return link(self._viewer, world, cursor)


def _figure(columns: int, rows: int, height: float = 2.3) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [axis for row in axes for axis in row]
