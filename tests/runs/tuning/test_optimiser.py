"""The search finds what is best, keeps the bounds, and depends on its seed and scores alone."""

import numpy as np

from tests.runs.tuning.stand_ins import BEST, START, distance, settings, weights
from wallsim.policies.catalogue import Policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import ROUND_NAMES, ROUNDS
from wallsim.runs.tuning.coordinates import coordinates_of, starting_values, with_values
from wallsim.runs.tuning.history import MAX_CORRELATED, Search


def search(seed=1, names=tuple(BEST), start=None, population=12):
    return Search(weights(*names), start or START.weights, step=0.3, population=population, seed=seed)


def maximise(one, generations, score):
    asked = []
    for _ in range(generations):
        asked.append(one.ask())
        one.tell([score(values) for values in asked[-1]])
    return asked


def value(values):
    return -distance(settings().policy("x", values))


def test_it_finds_a_known_optimum():
    one = search()
    maximise(one, 60, value)
    assert distance(START) > 0.3
    assert {name: round(result, 2) for name, result in one.mean().items()} == BEST
    assert one.step < 0.05


def test_it_finds_an_optimum_on_a_bound_and_never_leaves_the_bounds():
    one = search(names=("hold", "site"))
    asked = maximise(one, 60, lambda values: values["hold"] - values["site"])
    everything = [values for generation in asked for values in generation]
    hold, site = weights("hold", "site")
    assert all(hold.low <= values["hold"] <= hold.high for values in everything)
    assert all(site.low <= values["site"] <= site.high for values in everything)
    assert one.mean()["hold"] > hold.high - 0.01
    assert one.mean()["site"] < site.low + 0.01


def test_a_weight_that_starts_on_its_bound_is_moved_all_the_same():
    asked = search(names=("site",), start={"site": 0.0}).ask()
    assert max(values["site"] for values in asked) > 0.01


def test_it_begins_at_the_starting_weights():
    names = [weight.name for weight in WEIGHTS]
    result = search(names=names).mean()
    assert all(abs(result[name] - START.weights[name]) < 1e-12 for name in names)


def test_the_first_steps_have_the_size_of_the_weights():
    asked = search(names=("income", "spending"), population=200).ask()
    deviations = {name: np.std([values[name] for values in asked]) for name in asked[0]}
    assert 0.25 < deviations["spending"] / START.weights["spending"] < 0.35
    assert 0.2 < deviations["income"] / 0.075 < 0.35  # a twentieth of its range: it starts near 0


def test_numpys_global_state_neither_matters_nor_changes():
    np.random.seed(3)  # noqa: NPY002
    one = search()
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    asked = maximise(one, 5, value)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.random.seed(4)  # noqa: NPY002
    assert maximise(search(), 5, value) == asked


def test_another_seed_asks_for_other_candidates():
    assert search(1).ask() != search(2).ask()


def test_many_coordinates_are_searched_by_their_variances():
    """Hundreds of coordinates cannot be correlated in a few generations."""
    many = coordinates_of(START, weights(*BEST), ROUND_NAMES, tuple(BEST))
    many += coordinates_of(START, WEIGHTS[-12:-1], ROUND_NAMES, tuple(weight.name for weight in WEIGHTS))
    assert len(many) == 90 > MAX_CORRELATED
    one = Search(many, starting_values(START, many), step=0.3, population=12, seed=1)

    def rated(values):
        rounds = [with_values("x", START, many, values).weights_in(place) for place in range(ROUNDS)]
        return -sum(distance(Policy("x", "balanced", weights)) for weights in rounds)

    before = rated(one.mean())
    maximise(one, 60, rated)
    assert rated(one.mean()) > before / 2
    assert one.step > 0
    assert one.digest()


def test_the_digest_tells_candidates_apart():
    digests = set()
    for one in (search(1), search(2)):
        for _ in range(2):
            asked = one.ask()
            digests.add(one.digest())
            one.tell([value(values) for values in asked])
    assert len(digests) == 4
