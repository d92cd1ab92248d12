"""Who was told of what, folded event by event, is what knowledge says of the world as a whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from small_worlds import NIGHT, opened
from store_places import VolatilePlace, log_at

from whoknew.engine.finding.hearsay import Hearsay
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, EpisodeOpened, TellingFound

PEOPLE = ("Ann", "Bob", "Cid", "Dot")

SPEECHES = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sets(st.sampled_from(PEOPLE)),
        st.sets(st.integers(0, 11), max_size=2),
        st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=1),
    ),
    max_size=12,
)


@given(SPEECHES)
async def test_it_says_who_was_told_as_knowledge_does(
    speeches: list[tuple[str, set[str], set[int], set[tuple[int, int]]]],
) -> None:
    drafts: list[Draft] = [
        *opened(*PEOPLE),
        Draft(EpisodeOpened("Rain.", PEOPLE), NIGHT, 1),
    ]
    seqs = list[int]()
    for who, heard, about, found in speeches:
        of = tuple(sorted({seqs[one] for one in about if one < len(seqs)}))
        witnesses = tuple(sorted({who, *heard}))
        drafts.append(
            Draft(Acted("Hm."), episode=1, turn=1, actor=who, witnesses=witnesses, about=of)
        )
        seqs.append(len(drafts))
        for speech, fact in found:
            if fact < speech < len(seqs):
                told = TellingFound(seqs[fact], speeches[speech][0], score=0.9)
                drafts.append(Draft(told, cause=seqs[speech]))
    async with log_at(VolatilePlace()) as log:
        await log.append("w", drafts)
        knowledge = await log.knowledge("w")
        hearsay = Hearsay()
        for event in await (await log.director("w")).events():
            hearsay.hear(event)
        for who in PEOPLE:
            heard = hearsay.told.get(who, {})
            known = knowledge.told(who)
            witnessed = set(knowledge.perceived(who))
            assert {seq for seq in heard if seq not in witnessed} == set(known)
