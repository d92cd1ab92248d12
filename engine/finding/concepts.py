"""Synonyms: words that speak of the same thing without sharing a stem, as who reports seldom repeats."""

from __future__ import annotations

from collections.abc import Iterable

from whoknew.eventlog.words import terms

CONCEPTS = {
    "death": "die dead death slay slain slew kill murder corpse corse body grave stab poison slaughter"
    " slaughtered bleed blood drown butcher dagger funeral breathless",
    "marriage": "marry married marriage wed wedding husband wife bride bridegroom nuptial betroth",
    "flight": "flee fled fly flew flown flight escape scape vanish stole stolen leave left depart"
    " run ran gone away",
    "exile": "banish exile banishment",
    "fight": "fight fought duel sword rapier drew drawn draw strike struck quarrel brawl fray wound"
    " blow beat",
    "love": "love lover woo suitor affection enamoured dote kiss",
    "letter": "letter read write writ wrote written paper message messenger scroll telegram",
    "rule": "crown king queen throne thane prince duke",
    "speech": "say said speak spoke spoken told tell report confess swear swore sworn vow promise",
    "ghost": "ghost spirit apparition spectre shade figure",
    "meeting": "meet met encounter",
    "sleep": "sleep slept asleep wake waked dream bed",
    "poison": "poison venom potion drug vial medicine fever",
    "capture": "prison prisoner arrest caught seize bound chain",
    "order": "bid bade command order charge desire request send sent",
    "trade": "money gold ducat pay paid buy bought sell sold price purse coin lease sign",
    "grief": "weep wept tear mourn cry grief",
    "refusal": "refuse deny reject spurn scorn",
    "going": "come came go went enter return follow bring brought",
    "giving": "give gave given take took taken get got",
    "sight": "see saw seen look watch find found hear heard",
}
"""What plays, harbours and kitchens speak of: found by reading what is retold, and how."""

DEADLY = "#death"

_concepts = {term: f"#{concept}" for concept, words in CONCEPTS.items() for term in terms(words)}


def concepts(stems: Iterable[str]) -> frozenset[str]:
    """What these words speak of: each with a `#` before it, for it stands among stems."""
    return frozenset(_concepts[stem] for stem in stems if stem in _concepts)
