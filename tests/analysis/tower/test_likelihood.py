"""The likelihood of a cast is a distribution, and the same as trying every coin and every order."""

from itertools import product
from math import log

import numpy as np
import pytest

from tests.naive.planting import cast_probability, prepared
from tests.naive.tower import game_log, independent_cast
from tests.naive.tower_distribution import independent_chances, outcomes, release, urn_chances
from tests.refusals import refused
from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.rules.tower import Independent, Layered, Urn

INDEPENDENT = Independent(2 / 3, 0.3)
URNS = {
    "plain": Urn(0.457, 24, 0.0507, 1.0),
    "small": Urn(0.95, 5, 0.2, 0.85),
    "overfull": Urn(0.9, 2, 0.3, 0.5),  # more cubes inside than it keeps
    "curved": Urn(0.7, 6, 0.1, -0.5, alpha=2.0),
    "everything stays": Urn(1.0, 9, 0.0, 1.0),
    "nothing stays": Urn(0.0, 9, 0.4, 1.0),
    "uneven": Urn(0.5, 8, 0.25, 1.0, phi=0.25),
    "very uneven": Urn(0.5, 8, 0.25, 1.0, phi=1.0),
    "a little uneven": Urn(0.31, 120, 0.017, 0.85, phi=0.1),
}
MODELS = {"independent": INDEPENDENT, **URNS}
SMALL_CASTS = [((1,), (0,)), ((1,), (3,)), ((3,), (2,)), ((2, 1), (0, 2)), ((0, 2), (3, 0)), ((1, 1, 1), (1, 1, 1))]
LARGER_CASTS = [((38,), (0,)), ((9, 4), (6, 3)), ((3, 0, 5), (4, 4, 2)), ((2, 2, 2, 2), (3, 1, 0, 2))]


@pytest.mark.parametrize("parameters", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize(("thrown", "held"), LARGER_CASTS)
def test_something_falls_out_in_some_way(parameters, thrown, held):
    total = sum(cast_probability(parameters, thrown, held, fallen) for fallen in outcomes(thrown, held))
    # Over a Gamma distribution the terms are sums at finitely many nodes, the coarser the more uneven the casts.
    assert total == pytest.approx(1, abs=5e-6 if isinstance(parameters, Urn) and parameters.phi > 0.5 else 1e-10)


@pytest.mark.parametrize("parameters", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize(("thrown", "held"), SMALL_CASTS)
def test_the_likelihood_is_the_chance_found_by_trying_everything(parameters, thrown, held):
    chances = independent_chances if isinstance(parameters, Independent) else urn_chances
    exact = chances(parameters, thrown, held)
    assert sum(exact.values()) == pytest.approx(1, abs=1e-15)
    for fallen in outcomes(thrown, held):
        result = cast_probability(parameters, thrown, held, fallen)
        assert result == pytest.approx(float(exact.get(fallen, 0)), rel=1e-9, abs=1e-13), fallen


@pytest.mark.parametrize(("phi", "error"), [(1.0, 1e-5), (0.5, 1e-7), (0.2, 1e-8), (0.1, 1e-9), (0.02, 1e-9)])
def test_the_gamma_law_is_mixed_exactly_enough(phi, error):
    # All of many cubes held come loose, and the one thrown falls too: the hardest integrals there are.
    for kappa, held in product((0.01, 0.1, 0.5, 1.0, 2.0), (1, 5, 12, 25)):
        parameters = Urn(0.0, 10, kappa, 1.0, phi=phi)
        exact = float(release(parameters, 1, held, 0))
        assert cast_probability(parameters, (1,), (held,), (held + 1,)) == pytest.approx(exact, rel=error)


@pytest.mark.parametrize("parameters", MODELS.values(), ids=MODELS)
def test_a_log_is_as_likely_as_all_its_casts_together(parameters):
    rng = np.random.default_rng(5)
    log_of_casts = game_log(rng, lambda n, s: independent_cast(rng, INDEPENDENT, n, s), battles=12)
    apart = [
        cast_probability(parameters, *cast)
        for cast in zip(log_of_casts.thrown, log_of_casts.held, log_of_casts.fallen, strict=True)
    ]
    together = log_likelihood(parameters, log_of_casts)
    assert together == log_likelihood(parameters, PreparedLog(log_of_casts))
    assert together == pytest.approx(sum(map(log, apart))) if all(apart) else together == -np.inf


def test_accidents_and_inventories_are_no_casts():
    events = ["fill", "bump", "battle", "empty", "battle"]
    thrown = [[4, 3], [0, 0], [2, 0], [0, 0], [0, 0]]
    fallen = [[2, 2], [1, 0], [2, 1], [1, 0], [0, 0]]
    log_of_casts = CastLog.of(("red", "blue"), ["g"] * 5, events, thrown, fallen)
    casts = PreparedLog(log_of_casts)
    assert casts.casts == 2
    assert casts.cubes.tolist() == [[7, 0, 4], [2, 2, 3]]
    expected = cast_probability(INDEPENDENT, (4, 3), (0, 0), (2, 2)) * cast_probability(
        INDEPENDENT, (2, 0), (1, 1), (2, 1)
    )
    assert log_likelihood(INDEPENDENT, log_of_casts) == pytest.approx(log(expected))


@pytest.mark.parametrize("fallen", [(4, 0), (1, -1)])
def test_more_than_was_there_cannot_fall_out(fallen):
    with refused("more cubes", by=ValueError):
        prepared([[2, 1]], [[1, 0]], [fallen])


@pytest.mark.parametrize(
    ("parameters", "names"),
    [(Urn(0.5, 20, 0.1, 1.0, clump=1.5), ("urn", "clump 1.5")), (Layered((5,), (0.5,), (0.5,)), ("layered", "floor"))],
)
def test_laws_without_an_exact_likelihood_say_so(parameters, names):
    with refused(*names, by=ValueError):
        cast_probability(parameters, (1,), (0,), (1,))


def test_equal_casts_count_once_with_their_number_whatever_the_order_of_their_colours():
    cast, turned, other = [[4, 3, 2], [0, 2, 1]], [[0, 2, 1], [4, 3, 2]], [[3, 1, 2], [1, 4, 1]]
    one, two = (np.array([cast, other]), np.array([cast, other, turned, other, cast]))
    single, grouped = (prepared(*np.moveaxis(casts, -1, 0)) for casts in (one, two))
    assert grouped.casts == 5
    assert sorted(grouped.cast_times.tolist()) == [2, 3]
    assert len(grouped.first) == len(single.first) == 3
    for parameters in (Independent(0.6, 0.3), Urn(0.4, 20, 0.05, 1.0), Urn(0.4, 20, 0.05, 1.0, phi=0.2)):
        first, second = (
            log_likelihood(parameters, prepared(*np.moveaxis(one[row : row + 1], -1, 0))) for row in (0, 1)
        )
        assert log_likelihood(parameters, grouped) == pytest.approx(3 * first + 2 * second, rel=1e-12)
