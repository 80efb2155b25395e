"""Intervals by the bootstrap hold together as often as they say, where lines move together and where they do not."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run, wins_of
from tests.refusals import refused
from wallsim.analysis.contrasts import comparison, contrast
from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.contrast import TABLE
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.stats.blocks import block_mean

PLAYERS, COLUMNS = 3, ("counties", "taxes", "grain", "palaces", "churches")
STUDIES, GAMES, RESAMPLES, EFFECT = 300, 120, 400, 0.5


def study(rng, together, games=GAMES):
    """Two runs whose columns differ by EFFECT on average; changes of one game correlate by `together` in all lines."""
    first = rng.normal(10, 3, (len(COLUMNS), games, PLAYERS))
    luck = sqrt(together) * rng.normal(0, 1, (1, games, 1)) + sqrt(1 - together) * rng.normal(0, 1, first.shape)
    return paired_runs(
        planted_run("a", dict(zip(COLUMNS, first, strict=True))),
        planted_run("b", dict(zip(COLUMNS, first + luck + EFFECT, strict=True))),
    )


def holds(result, confidence):
    intervals = [each.interval(confidence) for each in result.contrasts]
    return all(low <= EFFECT <= high for low, high in intervals)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("together", [0.9, 0.0])
def test_all_intervals_of_correlated_lines_hold_together_as_often_as_claimed(together, monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", RESAMPLES)
    rng, held, by_bonferroni, reach = np.random.default_rng(71), 0, 0, []
    for number in range(STUDIES):
        monkeypatch.setattr(comparison, "SEED", number)
        result = compare(study(rng, together), columns=COLUMNS, intervals="bootstrap")
        bonferroni = replace(result.confidence, miss=None)
        held += holds(result, result.confidence)
        by_bonferroni += holds(result, bonferroni)
        reach.append(result.confidence.t(GAMES) / bonferroni.t(GAMES))
    assert abs(held / STUDIES - 0.95) < 3 * sqrt(0.05 * 0.95 / STUDIES)
    if together:
        assert np.mean(reach) < 0.85  # the dependence is used
        assert by_bonferroni > held
    else:  # of a table and its seats, each line is half dependent
        assert 0.9 < np.mean(reach) < 1.01


def everything(result):
    """All numbers of a comparison as text-free tuples."""
    return [
        (each.first.value, each.second.value, each.change.value, each.error, each.counted, each.pairing_gain,
         *(each.interval(result.confidence) or (0.0, 0.0)), p_value)
        for each, p_value in zip(result.contrasts, result.p_values(), strict=True)
    ]  # fmt: skip


def runs_with_wins(games=300):
    rng = np.random.default_rng(73)
    vp = rng.integers(20, 60, (games, 4)).astype(float)
    after = vp + rng.integers(0, 5, vp.shape)
    numbers = np.flatnonzero(rng.random(3 * games) < 0.5)[:games]  # with gaps
    return paired_runs(
        planted_run("a", {"vp": vp, "win": wins_of(vp)}, games=numbers),
        planted_run("b", {"vp": after, "win": wins_of(after)}, games=numbers),
    )


@pytest.mark.parametrize(
    "arguments",
    [{}, {"seat": "turn"}, {"seat": "turn", "by": "seat"}, {"seat": "turn", "by": "round", "moment": "turn"}],
)
def test_the_size_of_batches_changes_no_contrast(arguments, monkeypatch):
    pairing = runs_with_wins()
    whole = compare(pairing, columns=("win", "vp"), **arguments)
    monkeypatch.setattr(contrast, "_GAMES", 17)
    assert whole.lines.batch == 17
    batched = compare(pairing, columns=("win", "vp"), **arguments)
    assert [(each.column, each.who, each.group) for each in batched.contrasts] == [
        (each.column, each.who, each.group) for each in whole.contrasts
    ]
    assert np.array(everything(batched)) == pytest.approx(np.array(everything(whole)), rel=1e-9, abs=1e-9, nan_ok=True)


def test_batches_of_resampled_games_find_about_the_same_reach(monkeypatch):
    pairing = runs_with_wins()
    arguments = {"seat": "turn", "columns": ("win", "vp"), "intervals": "bootstrap"}
    monkeypatch.setattr(comparison, "RESAMPLES", 4000)
    whole = compare(pairing, **arguments)
    monkeypatch.setattr(contrast, "_GAMES", 17)
    assert compare(pairing, **arguments).confidence.z == pytest.approx(whole.confidence.z, rel=0.03)


def test_equal_runs_have_equal_intervals_and_another_seed_others(monkeypatch):
    pairing = runs_with_wins()
    one, again = (compare(pairing, columns=("win", "vp"), intervals="bootstrap") for _ in range(2))
    monkeypatch.setattr(comparison, "SEED", 2)
    other = compare(pairing, columns=("win", "vp"), intervals="bootstrap")
    assert everything(one) == everything(again)
    assert one.resampling == again.resampling
    assert one.confidence.miss != other.confidence.miss
    default = compare(pairing, columns=("win", "vp"))
    assert (default.method, default.resampling, one.method) == ("bonferroni", None, "bootstrap")
    assert default.p_values() == one.p_values()
    assert default.confidence.min_blocks == one.confidence.min_blocks


def test_where_nothing_varies_nothing_is_resampled_and_that_is_reported():
    vp = np.random.default_rng(74).integers(20, 60, (300, 4)).astype(float)
    same = paired_runs(planted_run("a", {"vp": vp}), planted_run("b", {"vp": vp}))
    result = compare(same, columns=("vp",), intervals="bootstrap")
    assert (result.method, result.resampling) == ("bonferroni", None)
    assert any("nothing was resampled" in note for note in result.notes)


def test_a_line_can_be_read_again_game_by_game():
    pairing = runs_with_wins()
    result = compare(pairing, "turn", columns=("win", "vp"))
    for line in result.contrasts:
        estimate = result.change_by_game(line)
        assert estimate.blocks == len(pairing.games)
        assert (estimate.value, estimate.error) == pytest.approx((line.change.value, line.change.error))
    table = next(line for line in result.contrasts if (line.who, line.column) == (TABLE, "vp"))
    one, other = (
        run.frames["seats"].sort("game", "seat")["vp"].to_numpy().reshape(-1, 4).mean(axis=1) for run in pairing.runs
    )
    assert result.change_by_game(table).influence == pytest.approx(block_mean(other - one).influence)
    with refused("contrasts", by=ValueError):
        result.change_by_game(replace(table, group="elsewhere"))


def test_unknown_methods_are_refused():
    with refused('intervals: "normal"', "bonferroni, bootstrap"):
        compare(runs_with_wins(), columns=("vp",), intervals="normal")
