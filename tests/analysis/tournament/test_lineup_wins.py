"""Wins by bot and line-up are plain shares of the rows, with intervals over blocks."""

import polars as pl
import pytest

from tests.analysis.planted import planted_rows
from wallsim.analysis.tournament.lineup_wins import lineup_wins
from wallsim.stats.intervals import Confidence


def test_shares_are_those_of_the_rows():
    rows = planted_rows([1.0, 0.0, -1.0, 0.5, 0.2], 60, 3, lineups=True)
    found = lineup_wins(rows)
    assert list(found) == [None, "p0", "p1", "p2", "p3", "p4"]
    for bot, lineups in found.items():
        assert list(lineups) == ["L0", "L1", "L2", "L3"]
        for letter, estimate in lineups.items():
            of_bot = rows if bot is None else rows.filter(pl.col("policy") == bot)
            assert estimate.value == pytest.approx(of_bot.filter(pl.col("lineup") == letter)["win"].mean())
            assert estimate.blocks == 60
    low, high = found["p0"]["L0"].interval(Confidence())
    assert low < found["p0"]["L0"].value < high
    assert sum(each.value for each in found[None].values()) == pytest.approx(1.0)


def test_a_draft_has_none():
    assert lineup_wins(planted_rows([1.0, 0.0, -1.0, 0.5], 4, 3)) == {}
