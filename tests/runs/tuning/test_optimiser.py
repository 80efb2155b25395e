"""The search finds what is best, keeps the bounds, and depends on its seed and scores alone."""

import numpy as np

from tests.runs.tuning.stand_ins import BEST, START, distance, settings, weights
from wallsim.policies.weights import WEIGHTS
from wallsim.runs.tuning.optimiser import Search


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
    assert distance(START) > 0.5
    assert {name: round(found, 2) for name, found in one.mean().items()} == BEST
    assert one.step < 0.05


def test_it_finds_an_optimum_on_a_bound_and_never_leaves_the_bounds():
    one = search(names=("hold", "site"))
    asked = maximise(one, 60, lambda values: values["hold"] - values["site"])
    everything = [values for generation in asked for values in generation]
    assert all(0 <= values["hold"] <= 1 and 0 <= values["site"] <= 3 for values in everything)
    assert one.mean()["hold"] > 0.99
    assert one.mean()["site"] < 0.01


def test_a_weight_that_starts_on_its_bound_is_moved_all_the_same():
    asked = search(names=("site",), start={"site": 0.0}).ask()
    assert max(values["site"] for values in asked) > 0.01


def test_it_begins_at_the_starting_weights():
    names = [weight.name for weight in WEIGHTS]
    found = search(names=names).mean()
    assert all(abs(found[name] - START.weights[name]) < 1e-12 for name in names)


def test_the_first_steps_have_the_size_of_the_weights():
    asked = search(names=("income", "spending"), population=200).ask()
    deviations = {name: np.std([values[name] for values in asked]) for name in asked[0]}
    assert 0.25 < deviations["spending"] / START.weights["spending"] < 0.35
    assert 0.2 < deviations["income"] / 0.05 < 0.35  # a twentieth of its range: it starts close to its lower bound


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


def test_the_digest_tells_candidates_apart():
    digests = set()
    for one in (search(1), search(2)):
        for _ in range(2):
            asked = one.ask()
            digests.add(one.digest())
            one.tell([value(values) for values in asked])
    assert len(digests) == 4
