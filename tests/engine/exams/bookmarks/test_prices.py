"""What a right prediction costs, in the report of an exam whose model plays by the rules of planted worlds."""

from __future__ import annotations

from pathlib import Path

from planted_exam import findings


async def test_quality_and_its_price_move_with_what_comes_to_mind(tmp_path: Path) -> None:
    kept = await findings(tmp_path, worlds=2, topics=20)
    found = kept.figures
    right, price = found["EM %"], found["EM / 10k tokens"]
    assert right["bookmarks"] > right["incremental"] > right["no-near"] > right["vanilla"] == 0
    assert price["bookmarks"] > 1.2 * price["no-near"] > price["vanilla"] == 0
    assert found["calls saved %"]["bookmarks"] > 40 > found["calls saved %"]["no-reuse"] == 0
    (told,) = [one for one in kept.remarks if "calls saved %" in one]
    assert "of incremental are those of states and concepts" in told
