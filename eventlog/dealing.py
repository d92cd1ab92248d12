"""When an offer is void: the one rule, for whoever offers and for the scene in which it is done."""

from __future__ import annotations

from collections.abc import Collection, Mapping

Shares = Mapping[str, Mapping[str, int]]
"""Who is to get how many of what."""


def why_void(
    offer: Shares, pool: Mapping[str, int], seats: Collection[str] | None = None
) -> str | None:
    """Why an offer is void, if it is: all of the `pool` is to be given away, once, to those in the
    `seats`, where it is known who they are."""
    if not offer:
        return None
    if not pool:
        return "there is nothing to divide here: make no offer"
    if seats is not None and (strangers := sorted(set(offer) - set(seats))):
        return f"{strangers[0]} is not here to be given anything"
    if any(count < 0 for share in offer.values() for count in share.values()):
        return "the offer gives somebody fewer than none of a thing"
    given = total(offer)
    for item in sorted({*pool, *given}):
        if given.get(item, 0) != pool.get(item, 0):
            return (
                f"the offer gives away {given.get(item, 0)} of {item}, but there are "
                f"{pool.get(item, 0)}: give away exactly what there is"
            )
    return None


def total(offer: Shares) -> dict[str, int]:
    """How many of each thing an offer gives away in all."""
    given: dict[str, int] = {}
    for share in offer.values():
        for item, count in share.items():
            given[item] = given.get(item, 0) + count
    return given
