from statistics import fmean
from typing import Annotated

from msgspec import Meta

from whoknew.engine import Bench, EpisodeCase, Judge, JudgeEntry, Verdict


class Brevity(Judge):
    def __init__(self, most: int) -> None:
        self._most = most

    async def review(self, case: EpisodeCase) -> list[Verdict]:
        verdicts = []
        for who in case.people:
            said = [len(act.text.split()) for act in case.acts(who) if act.act == "speak"]
            if said:
                brief = sum(words <= self._most for words in said) / len(said)
                scores = {"brief": brief, "words": fmean(said)}
                verdicts.append(Verdict(who, scores, f"{brief:.0%} of its lines are brief"))
        return verdicts


class BrevityEntry(JudgeEntry, frozen=True):
    """how briefly each speaks"""

    most: Annotated[int, Meta(ge=1)] = 12

    def make(self, bench: Bench) -> Brevity:
        return Brevity(self.most)
