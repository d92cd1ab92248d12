"""What a server counts, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from whoknew.engine.server.runs import RunLine

METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
"""Those that there are routes for; others that somebody makes up are counted together."""


class Metrics:
    def __init__(self) -> None:
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds = 0.0

    def answered(self, method: str, status: int, seconds: float) -> None:
        known = method if method in METHODS else "other"
        self._answers[known, status] += 1
        self._seconds += seconds

    def text(self, viewers: int, runs: Sequence[RunLine]) -> str:
        return "\n".join(self._lines(viewers, runs)) + "\n"

    def _lines(self, viewers: int, runs: Sequence[RunLine]) -> Iterator[str]:
        yield "# HELP whoknew_requests_total Requests answered."
        yield "# TYPE whoknew_requests_total counter"
        for (method, status), count in sorted(self._answers.items()):
            yield f'whoknew_requests_total{{method="{method}",status="{status}"}} {count}'
        yield "# HELP whoknew_request_seconds_total Seconds spent answering."
        yield "# TYPE whoknew_request_seconds_total counter"
        yield f"whoknew_request_seconds_total {self._seconds:.6f}"
        yield "# HELP whoknew_viewers Viewers of streams, now."
        yield "# TYPE whoknew_viewers gauge"
        yield f"whoknew_viewers {viewers}"
        yield "# HELP whoknew_runs Runs, by state."
        yield "# TYPE whoknew_runs gauge"
        for state, count in sorted(Counter(one.state for one in runs).items()):
            yield f'whoknew_runs{{state="{state}"}} {count}'
        for name, what, value in (
            ("turns", "Turns played by runs.", sum(one.turns or 0 for one in runs)),
            ("calls", "Calls made by runs.", sum(one.calls or 0 for one in runs)),
            ("tokens", "Tokens used by runs.", sum(one.tokens or 0 for one in runs)),
        ):
            yield f"# HELP whoknew_{name}_total {what}"
            yield f"# TYPE whoknew_{name}_total counter"
            yield f"whoknew_{name}_total {value}"
