"""As much comes to mind as there is room for."""

from __future__ import annotations

from whoknew.agents.memories.memory import Piece, recollection


def piece(words: int, rank: float) -> Piece:
    return Piece("word " * words, (), rank)


def kept(*pieces: Piece, budget: int) -> list[int]:
    found = recollection(pieces, budget)
    assert (found.left_out > 0) == (len(found.pieces) < len(pieces))
    return [pieces.index(one) for one in found.pieces]


def test_a_long_piece_that_matches_best_hides_no_short_ones() -> None:
    assert kept(piece(900, 3), piece(5, 2), piece(6, 1), budget=50) == [1, 2]
    assert kept(piece(20, 3), piece(40, 2), piece(6, 1), budget=50) == [0, 2]


def test_of_what_happened_one_after_another_the_newest_comes_to_mind_without_a_gap() -> None:
    assert kept(piece(4, 0), piece(20, 0), piece(6, 0), piece(7, 0), budget=30) == [2, 3]
