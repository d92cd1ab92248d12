"""Questions one after another on the terminal, to be accepted or struck."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from whoknew.engine.exams.deciding import ACCEPTED, STRUCK, Verdict, put_down
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.question_list import QuestionList, QuestionRow
from whoknew.engine.terminal.console import lined, out, safe
from whoknew.engine.terminal.transcript import line
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted

KEYS = "a accept, s strike, Enter skip, b back, q quit"


def review(exam: LoadedExam, found: QuestionList, by: str) -> None:
    """Each of them in turn. What is said of one is on the log before the next is shown: whoever leaves
    loses nothing, and the same command goes on with what is open."""
    console, place = out(), 0
    said: dict[str, Verdict] = {}
    if not found.rows:
        console.print(Text("There is nothing to be looked at.", "dim"))
    while place < len(found.rows):
        row = found.rows[place]
        console.print(
            Text(f"\n{place + 1:,} of {counted(len(found.rows), 'question')}", "bold cyan")
        )
        for text in question_shown(row):
            console.print(text, soft_wrap=True)
        if row.id in said:
            console.print(Text(f"  {said[row.id]} just now", "cyan"))
        key = _key()
        if key == "q":
            break
        if key == "b":
            place = max(0, place - 1)
            continue
        if key in VERDICTS:
            verdict = VERDICTS[key]
            why = (_line("why (Enter: no word): ") or "") if verdict == STRUCK else ""
            asyncio.run(put_down(exam, {row.id: verdict}, why=why, by=by))
            said[row.id] = verdict
        place += 1
    counts = Counter(said.values())
    told = ", ".join(f"{count:,} {one}" for one, count in counts.items()) or "nothing decided"
    console.print(Text(f"\n{told}", "bold"))


VERDICTS: dict[str, Verdict] = {"a": ACCEPTED, "s": STRUCK}


def _key() -> str:
    """What is wanted, in one letter: nothing to skip; to quit where nobody is there any more."""
    while True:
        said = _line(f"{KEYS}: ")
        if said is None:
            return "q"
        if (key := said.strip().lower()[:1]) in ("", "b", "q", *VERDICTS):
            return key


def _line(prompt: str) -> str | None:
    """What was typed; None at the end of it."""
    print(prompt, end="", flush=True)
    read = sys.stdin.readline() if sys.stdin else ""
    return read.strip() if read else None


def question_shown(row: QuestionRow) -> Iterator[Text]:
    """A question with all that is known of it."""
    asked = row.question
    where = f"{safe(asked.character)} in {safe(asked.world)} at {safe(asked.at)}"
    yield Text(f"{row.id}  {where}  {safe(asked.kind)}, {safe(row.origin)}", "dim")
    yield Text(lined(asked.question), "bold")
    for choice in asked.choices:
        yield Text(f"  - {safe(choice)}{'  (right)' if choice == asked.correct else ''}")
    if asked.reference is not None:
        yield Text(f"  {lined(asked.reference)}", "green")
    for name, label in asked.labels.items():
        yield Text(f"  {safe(name)}: {lined(str(label))}", "dim")
    for some in row.evidence:
        for event in some:
            yield Text.assemble("  ", _event(event))
    if decision := row.decision:
        why = f": {safe(decision.why)}" if decision.why else ""
        when = f"{decision.at:%Y-%m-%d %H:%M}"
        style = "red" if decision.verdict == "struck" else "cyan"
        yield Text(f"  {decision.verdict} by {safe(decision.by)}, {when}{why}", style)


def _event(event: Event) -> Text:
    words = line(event) or Text(safe(event.text))
    when = f"#{event.seq}  E{event.episode}  " if event.episode else f"#{event.seq}  "
    return Text.assemble((when, "dim"), words)
