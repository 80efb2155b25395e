"""All models fitted to one log, and the tower that comes of it."""

from math import inf, sqrt

import numpy as np
import pytest

from tests.naive.planting import planted_games
from tests.refusals import assert_names, refused
from wallsim.analysis.tower.casts import TOTAL, CastLog
from wallsim.analysis.tower.fitted_models import fit_all, fitted_tower, for_simulation, nearest_preset
from wallsim.analysis.tower.likelihood import log_likelihood
from wallsim.analysis.tower.protocols import bench_design, simulate_log
from wallsim.report.tables.fits import conclusion_lines, estimate_rows
from wallsim.rules.tower import Independent, Layered, TowerModel, Urn, load_tower, tower_presets


@pytest.fixture(scope="module")
def bench():
    return simulate_log(load_tower("spielbyweb-urn"), bench_design(200))


@pytest.fixture(scope="module")
def fits(bench):
    return fit_all(bench, floors=None)


def test_the_test_decides_between_independent_and_urn(fits):
    assert fits.best() == "urn"  # the log is an urn's, of 200 casts
    casts = simulate_log(load_tower("mid"), bench_design(200))
    assert fit_all(casts, floors=None).best() == "independent"


def test_a_model_that_was_not_fitted_cannot_be_had(fits, bench):
    with pytest.raises(KeyError):
        fitted_tower("own", "layered", bench, fits, "log.csv")


def test_the_tower_tells_log_intervals_and_test(fits, bench):
    tower = fitted_tower("own", "urn", bench, fits, "log.csv")
    assert isinstance(tower.parameters, Urn)
    assert "log.csv" in tower.source
    assert_names("\n".join(tower.evidence), "200 casts", "1 session", "retention 0.", "95 % interval",
                 "urn against independent")  # fmt: skip
    assert isinstance(fitted_tower("own", "independent", bench, fits, "log.csv").parameters, Independent)


def test_what_is_printed_has_a_row_a_number_and_the_model_that_fits_better(fits):
    names = ["retention", "capacity", "kappa", "beta", "h8", "phi"]
    assert [row[:2] for row in estimate_rows("urn", fits.urn)] == list(zip(["urn", *[""] * 5], names, strict=True))
    assert_names(conclusion_lines(fits)[0], "urn", "significantly better")


def test_only_a_log_of_more_colours_than_a_box_has_loses_them():
    def log(colours):
        counts = np.ones((4, colours), int)
        return CastLog.of([f"c{n}" for n in range(colours)], ["1"] * 4, ["bench"] * 4, counts, counts)

    assert for_simulation(log(6)).colours == tuple(f"c{n}" for n in range(6))
    assert for_simulation(log(7)).colours == (TOTAL,)
    assert for_simulation(log(7)).thrown.tolist() == [[7]] * 4


PRESETS = [load_tower(name) for name in tower_presets()]


@pytest.mark.parametrize("name", ["mid", "rulebook-urn", "spielbyweb-layered"])
def test_a_planted_preset_is_found_in_a_bench_session(name):
    log = simulate_log(load_tower(name), bench_design(200), seed=21)
    result = nearest_preset(log, PRESETS, logs=80)
    assert result[0].name == name
    assert result[0].misfit == 0
    assert result[0].p_value > 0.02
    assert [row.misfit for row in result] == sorted(row.misfit for row in result)
    assert result[1].misfit > 5
    assert {row.name for row in result} == set(tower_presets())
    for row in result:
        parameters = load_tower(row.name).parameters
        exact = None if isinstance(parameters, Layered) else log_likelihood(parameters, log)
        assert row.log_likelihood == exact


def test_the_same_seed_ranks_the_same_and_the_watch_counts_all_simulations():
    log, calls = simulate_log(PRESETS[0], bench_design(50)), []
    one = nearest_preset(log, PRESETS[:3], logs=120, watch=lambda done, total: calls.append((done, total)))
    assert one == nearest_preset(log, PRESETS[:3], logs=120)
    assert one != nearest_preset(log, PRESETS[:3], logs=120, seed=2)
    assert calls == [(done, 360) for done in (100, 120, 220, 240, 340, 360)]


def test_the_nearest_may_be_far_and_its_p_value_says_so():
    between = TowerModel("own", Independent(0.5, 0.6))
    log = simulate_log(between, bench_design(200), seed=22)
    result = nearest_preset(log, [*PRESETS, between], logs=80)
    assert result[0].name == "own"
    assert result[0].p_value > 0.02
    assert result[1].p_value < 0.05


def test_a_tower_that_overflows_is_infinitely_far():
    sealed = TowerModel("sealed", Independent(1e-9, 1e-9))
    log = CastLog.of(("red", "blue"), "1" * 9, ("bench",) * 9, [[8, 1]] * 9, [[8, 1]] * 9)
    result = nearest_preset(log, [sealed, load_tower("spielbyweb")], logs=40)
    assert (result[1].name, result[1].misfit, result[1].p_value) == ("sealed", inf, 0.0)


def test_an_urn_with_clumps_has_no_exact_likelihood_and_is_ranked_all_the_same():
    clumps = TowerModel("clumps", Urn(0.457, 24, 0.0507, 1.0, clump=1.5))
    rows = nearest_preset(simulate_log(clumps, bench_design(50)), [clumps], logs=40)
    assert (rows[0].log_likelihood, rows[0].misfit) == (None, 0)


@pytest.mark.parametrize(("towers", "logs", "wrong"), [([], 200, "no towers"), (PRESETS, 39, "39 logs")])
def test_no_towers_and_too_few_logs_are_refused(towers, logs, wrong):
    with refused(wrong, by=ValueError):
        nearest_preset(simulate_log(PRESETS[0], bench_design(50)), towers, logs=logs)


def calibration(name):
    return name.split("-")[0]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("games", "rate"), [(0, 0.99), (1, 0.85), (5, 0.96)])
def test_planted_presets_are_found_at_the_stated_rate(games, rate):
    # Bench sessions tell all nine apart. One game of 46 casts tells the calibration, and mostly the model.
    tries, right = 10, {}
    wrong_calibration = 0
    for tower in PRESETS:
        for number in range(tries):
            if games:
                log = planted_games(tower.parameters, games, seed=1000 + number)
            else:
                log = simulate_log(tower, bench_design(200, seed=number), seed=1000 + number)
            result = nearest_preset(log, PRESETS, logs=200)[0].name
            right[tower.name, number] = result == tower.name
            wrong_calibration += calibration(result) != calibration(tower.name)
    assert wrong_calibration <= 1
    assert np.mean([*right.values()]) >= rate - 2 * sqrt(rate * (1 - rate) / len(right))
