"""The tower for play: a prior pulls fits of short logs to the presets, and leaves those of long logs alone."""

from dataclasses import fields
from math import log

import numpy as np
import pytest

from tests.analysis.tower.short_logs import SHORT
from tests.refusals import assert_names
from wallsim.analysis.tower.contents import contents_over_games
from wallsim.analysis.tower.fitted_models import fit_all, fitted_tower
from wallsim.analysis.tower.floors import fit_layered
from wallsim.analysis.tower.for_play import layered_for_play
from wallsim.analysis.tower.presets_prior import (
    CASTS,
    LEAST_DEVIATION,
    NUMBERS,
    TYPICAL_CAST,
    WIDER,
    mean_contents,
    place_of,
    prior_of,
)
from wallsim.analysis.tower.protocols import bench_design, simulate_log
from wallsim.engine.casting import CastingBench
from wallsim.rules.terms import COLOURS
from wallsim.rules.tower import BOUNDS, Layered, TowerModel, load_tower, tower_presets

SESSIONS = 20


def thrown_in_sessions():
    """200 casts of 8 cubes, cube by cube of six colours; after them the next session."""
    cubes = np.arange(CASTS * TYPICAL_CAST).reshape(CASTS, TYPICAL_CAST) % COLOURS
    return np.stack([(cubes == colour).sum(axis=1) for colour in range(COLOURS)], axis=1)


def simulated_contents(parameters):
    """The mean number of cubes inside after so many casts, from the compiled tower itself."""
    bench, thrown = CastingBench(TowerModel("own", parameters)), thrown_in_sessions()
    inside = [thrown.sum() - bench.throw(thrown, seed=3, number=number).sum() for number in range(SESSIONS)]
    return float(np.mean(inside))


def assert_may_be_played(play):
    for field in fields(play.parameters):
        if field.name not in ("cells", "stick", "knock"):
            assert BOUNDS[field.name].allows(getattr(play.parameters, field.name)), field.name
    for pull, place in zip(play.prior, place_of(play.parameters), strict=False):
        assert abs(place - pull.mean) < 4.5 * pull.deviation, pull.name  # far from every edge
    assert play.least <= play.contents <= play.most
    assert simulated_contents(play.parameters) <= play.most


@pytest.mark.parametrize("name", SHORT)
def test_no_tower_of_a_short_log_is_at_an_edge_or_leaves_more_cubes_inside_than_its_log_allows(name):
    fits = fit_all(SHORT[name], floors=None)
    for play in fits.for_play.values():
        assert_may_be_played(play)
    assert fits.for_play["independent"].contents < 45


@pytest.mark.parametrize("name", ["nothing need have come loose", "nothing ever falls", "single cubes"])
def test_layered_towers_of_short_logs_hold_no_more_than_their_logs_allow(name):
    assert_may_be_played(layered_for_play(fit_layered(SHORT[name], simulations=5000)))


def test_the_prior_moves_estimates_of_a_long_log_by_a_small_part_of_their_error():
    tower = load_tower("spielbyweb")
    fits = fit_all(simulate_log(tower, bench_design(200), seed=3), floors=None)
    played = vars(fits.for_play[tower.model].parameters)
    compared = [each for each in fits.of(tower.model).estimates if each.error and each.name in played]
    assert len(compared) >= 2
    for estimate in compared:
        assert abs(played[estimate.name] - estimate.value) < 0.25 * estimate.error, estimate.name


@pytest.mark.slow
def test_the_prior_moves_a_layered_tower_of_a_long_log_by_less_than_half_of_its_error():
    tower = load_tower("spielbyweb-layered")
    fit = fit_layered(simulate_log(tower, bench_design(200), seed=11), simulations=5000)
    played = layered_for_play(fit).parameters
    for estimate, value in zip(fit.estimates, (played.cells[0], played.stick[0], played.knock[0]), strict=False):
        assert abs(value - estimate.value) < 0.5 * estimate.error, estimate.name


def test_the_prior_is_that_of_the_presets():
    for model, numbers in NUMBERS.items():
        presets = [tower.parameters for tower in map(load_tower, tower_presets()) if tower.model == model]
        assert len(presets) == 3
        *pulls, contents = prior_of(model)
        assert [pull.name for pull in pulls] == list(numbers)
        for index, pull in enumerate(pulls):
            places = [place_of(parameters)[index] for parameters in presets]
            assert pull.mean == pytest.approx(np.mean(places))
            assert pull.deviation == pytest.approx(
                max(LEAST_DEVIATION, np.std(places, ddof=1)) * WIDER.get(pull.name, 1)
            )
        assert contents.mean == pytest.approx(np.mean([log(mean_contents(parameters)) for parameters in presets]))
        for preset in presets:
            low, high = contents.range()[1:]
            assert low < mean_contents(preset) < high


@pytest.mark.parametrize(
    "parameters",
    [load_tower("mid").parameters, load_tower("mid-urn").parameters, Layered((20, 15), (0.3, 0.4), (0.3, 0.2), 0.1)],
)
def test_mean_contents_are_those_of_the_simulated_tower(parameters):
    assert mean_contents(parameters) == pytest.approx(simulated_contents(parameters), rel=0.15)


def test_the_tower_of_three_casts_names_its_prior_and_holds_no_more_over_games_than_its_log_allows():
    casts = SHORT["nothing need have come loose"]
    fits = fit_all(casts, floors=None)
    tower, play = fitted_tower("own", "independent", casts, fits, "log.csv"), fits.for_play["independent"]
    assert tower.parameters == play.parameters
    assert fits.independent.parameters.q < 2e-6  # what the log alone says
    assert 0.05 < tower.parameters.q < 0.4
    assert_names("\n".join(tower.evidence), "prior from the presets", "does not determine q", f"{play.most:.3g}")
    assert contents_over_games(tower, policy="random", games=40).tail(1)["mean"].item() < play.most
