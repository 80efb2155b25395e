"""The numbers of a layered tower come back from a log of its casts, as well as a log tells them."""

from math import sqrt

import numpy as np
import pytest

from tests.naive.planting import layered_from_the_prior
from tests.refusals import assert_names, refused
from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.floors import CHECKS, fit_layered
from wallsim.analysis.tower.protocols import bench_design, simulate_log
from wallsim.rules.tower import Layered, TowerModel, load_tower


def combinations(parameters):
    """What a log tells of a layered tower with equal floors: cells, loosening, settling."""
    loose = parameters.knock[0] / (1 - parameters.cascade) / parameters.cells[0]
    return {
        "cells": parameters.cells[0],
        "loosening": loose,
        "settling": parameters.stick[0] / parameters.cells[0] + loose,
    }


def estimates_of(fit):
    """The estimates of the same."""
    return {estimate.name: estimate for estimate in (*fit.estimates, *fit.combined)}


def test_a_planted_layered_tower_is_found():
    tower, calls = load_tower("spielbyweb-layered"), []
    log = simulate_log(tower, bench_design(200), seed=11)
    fit = fit_layered(log, simulations=5000, watch=lambda done, total: calls.append((done, total)))
    estimates = estimates_of(fit)
    for name, value in combinations(tower.parameters).items():
        assert estimates[name].low <= value <= estimates[name].high, name
        assert estimates[name].error < 0.3 * value
    assert 0.25 < fit.parameters.stick[0] < 0.45
    assert 0.35 < fit.parameters.knock[0] < 0.65
    assert estimates["cascade"].low == 0  # as it is: an interval that all but reaches 0 does
    assert fit.parameters.cells[0] == estimates["cells"].value
    assert (fit.parameters.swap, fit.parameters.clump, len(fit.parameters.cells)) == (0.0, 1.0, 2)
    assert fit.casts == 200
    assert 0.02 < fit.p_value <= 1
    assert fit.misfit < 2 * fit.statistics
    assert calls[-1] == (fit.simulations, 5000 + CHECKS)
    assert [total for _, total in calls] == [6000] * len(calls)
    assert calls == sorted(set(calls))
    assert len(calls) > 30


@pytest.mark.slow
def test_the_same_seed_fits_the_same_and_another_nearly_the_same():
    log = simulate_log(load_tower("spielbyweb-layered"), bench_design(120), seed=12)
    one, same, other = (fit_layered(log, simulations=5000, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    for name, estimate in estimates_of(one).items():
        assert abs(estimate.value - estimates_of(other)[name].value) < estimate.error, name


@pytest.mark.slow
def test_a_log_that_no_layered_tower_makes_is_called_unusual():
    # In an independent tower one cube knocks as much loose as fourteen do.
    log = simulate_log(load_tower("spielbyweb"), bench_design(200), seed=13)
    fit = fit_layered(log, simulations=5000)
    assert fit.p_value < 0.01
    assert fit.misfit > 2 * fit.statistics


@pytest.mark.slow
def test_totals_without_colours_are_fitted_too():
    parameters = Layered((20, 20), (0.4, 0.4), (0.3, 0.3))
    log = simulate_log(TowerModel("own", parameters), bench_design(200), seed=14).totals()
    fit = fit_layered(log, simulations=5000)
    settling = estimates_of(fit)["settling"]
    assert settling.low <= combinations(parameters)["settling"] <= settling.high


@pytest.mark.slow
def test_floors_are_as_many_as_asked():
    log = simulate_log(load_tower("spielbyweb-layered"), bench_design(60), seed=15)
    for floors in (1, 3):
        fit = fit_layered(log, floors, simulations=5000)
        assert len(fit.parameters.cells) == floors
        assert [estimate.name for estimate in fit.estimates] == ["cells", "stick", "knock", "cascade"]


@pytest.mark.parametrize(
    ("fallen", "rough"),
    [([[5, 4], [2, 1], [1, 3]], False), ([[5, 4], [5, 4], [5, 4]], True)],  # three cubes knock seven loose
)
def test_notes_say_what_the_log_hardly_tells_what_a_game_distorts_and_if_few_simulated_logs_were_like_it(fallen, rough):
    log = CastLog.of(("red", "blue"), "1" * 3, ("fill", "battle", "battle"), [[9, 9], [3, 0], [0, 4]], fallen)
    notes = " ".join(fit_layered(log, simulations=5000).notes)
    assert ("rough" in notes) == rough
    if not rough:
        assert_names(notes, "hardly determines cascade", "hardly determines knock", "a game threw again")


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"floors": 0}, ["0 floors"]),
        ({"floors": 5}, ["5 floors"]),
        ({"simulations": 4999}, ["4999 simulations"]),
        ({"log": CastLog.of("abcdefg", "1", ("fill",), np.full((1, 7), 5), np.full((1, 7), 2))}, ["7 colours"]),
        ({"log": CastLog.of("ab", "11", ("bench",) * 2, [[40, 0], [40, 0]], [[10, 0], [40, 0]])}, ["line 3"]),
    ],
)
def test_what_cannot_be_fitted_is_refused(wrong, names):
    log = simulate_log(load_tower("spielbyweb-layered"), bench_design(50))
    with refused(*names, by=ValueError):
        fit_layered(**{"log": log, **wrong})


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_intervals_hold_the_planted_numbers_as_often_as_they_say():
    logs, rng = 40, np.random.default_rng(16)
    covered = {"cells": 0, "loosening": 0, "settling": 0, "stick": 0, "knock": 0}
    errors = {name: [] for name in covered}
    done = 0
    while done < logs:
        parameters = layered_from_the_prior(rng)
        try:
            log = simulate_log(TowerModel("planted", parameters), bench_design(230, seed=done), seed=100 + done)
        except ValueError:
            continue  # it holds more cubes than a box
        done += 1
        estimates = estimates_of(fit_layered(log, simulations=8000))
        for name, value in (
            {"stick": parameters.stick[0], "knock": parameters.knock[0]} | combinations(parameters)
        ).items():
            covered[name] += estimates[name].low <= value <= estimates[name].high
            errors[name].append(estimates[name].error / value)
    least = 0.95 * logs - 3 * sqrt(0.95 * 0.05 * logs)  # three standard errors of the count
    assert all(count >= least for count in covered.values()), covered
    # And not because they are wide.
    limits = {"cells": 0.25, "loosening": 0.2, "settling": 0.2, "stick": 0.2, "knock": 0.35}
    medians = {name: float(np.median(values)) for name, values in errors.items()}
    assert all(medians[name] < limit for name, limit in limits.items()), medians
