"""A search finds what is best by its seed and scores alone, and its history goes on from any cut of its journal."""

import itertools

import numpy as np
import pytest

from tests.refusals import assert_names, refused
from tests.searches.tuning.stand_ins import BEST, START, QuadraticEvaluator, distance, settings, weights
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.checks import differences_of
from wallsim.folder.layout import JOURNAL
from wallsim.folder.search_kinds import TUNINGS
from wallsim.folder.work_folder import WorkFolder
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import ROUND_NAMES, ROUNDS
from wallsim.searches.tuning.coordinates import InPhase, coordinates_of, starting_values, with_values
from wallsim.searches.tuning.history import MAX_CORRELATED, History, Search
from wallsim.searches.tuning.samples import seed_for


def play(folder, generations, plan=None, evaluator=None):
    """The history after some generations, with checks that record the distance of the mean from the best policy."""
    plan = plan or settings()
    history = History(plan, evaluator or QuadraticEvaluator())
    with WorkFolder(folder, TUNINGS, plan.identity()) as store:
        for part in history.parts(
            store.facts, 0, lambda history: len(history.generations) >= generations,
            lambda mean, turn: [{"far": distance(plan.policy("mean", mean)), "turn": turn}],
        ):  # fmt: skip
            store.record(*part)
    return history


def test_it_finds_the_known_best_policy_through_noise(tmp_path):
    history = play(tmp_path, 60, settings(population=12, check_every=20))
    result = [findings[0]["far"] for findings in history.checks.values()]
    assert result[-1] < 0.03 < 0.1 < distance(history.settings.start)
    assert len(result) == 3


def test_cut_at_any_line_or_within_one_the_journal_is_written_again_to_the_byte(tmp_path):
    play(tmp_path / "whole", 6)
    whole = (tmp_path / "whole" / JOURNAL).read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 1 + 6 + 3
    for stored in range(1, len(lines)):
        for torn in (b"", lines[stored][:25]):
            folder = tmp_path / f"{stored}-{len(torn)}"
            folder.mkdir()
            (folder / JOURNAL).write_bytes(b"".join(lines[:stored]) + torn)
            evaluator = QuadraticEvaluator()
            play(folder, 6, evaluator=evaluator)
            assert (folder / JOURNAL).read_bytes() == whole
            # A finished generation is never played again.
            assert len(evaluator.calls) == sum(b'"generation"' in line for line in lines[stored:])


def test_with_phases_and_settings_it_goes_on_as_if_nothing_had_happened(tmp_path):
    coordinates = coordinates_of(START, weights(*BEST), ("year one", "year two"), tuple(BEST))
    plan = settings(weights=coordinates, further=(Experiment(players=3, setup="draft"),))
    evaluator = QuadraticEvaluator()
    history = play(tmp_path / "whole", 5, plan, evaluator)
    assert set(history.means()[0]) == {f"{name} in {year}" for name in BEST for year in ("year one", "year two")}
    assert {table.setting for _, tables, _ in evaluator.calls for table in tables} == {0, 1}
    play(tmp_path / "parts", 2, plan)
    play(tmp_path / "parts", 5, plan)
    assert (tmp_path / "whole" / JOURNAL).read_bytes() == (tmp_path / "parts" / JOURNAL).read_bytes()


def test_a_journal_of_other_candidates_is_refused(tmp_path):
    known = dict(parts(3))
    known["generation", 1] = {**known["generation", 1], "asked": "0" * 16}
    with refused("other candidates", "generation 1", by=RunError):
        parts(3, known)
    del known["generation", 0]  # what is played again does not lead to it, so it is not handed out
    history, new = History(settings(), QuadraticEvaluator()), []
    with refused("generation 1", by=RunError):
        new += history.parts(known, 3, lambda history: True, lambda mean, turn: [])
    assert new == []


def parts(generations, known=()):
    """What is played of so many generations, of which some are known."""
    history = History(settings(), QuadraticEvaluator())
    return list(history.parts(dict(known), generations, lambda history: True, lambda mean, turn: []))


def test_a_generation_that_is_missing_is_played_again_alone():
    whole = parts(5)
    assert [key for key, _ in whole] == list(TUNINGS.keys({"check_every": 2}, 5))
    for lost in whole:
        assert parts(5, [one for one in whole if one is not lost]) == [lost]


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"seed": 6}, ["seed is 5", "6 here"]),
        ({"experiment": Experiment(players=3, tower="mid")}, ["tower is "]),
        ({"pool": (load_policy("builder"),)}, ["pool is [] there, "]),
        ({"further": (Experiment(players=3, setup="draft"),)}, ["further is "]),
        ({"weights": (InPhase(*weights("hold"), "fall 2"),)}, ['["hold in fall 2"] here']),
        ({"step": 0.31}, ["step is 0.3 there", "0.31 here"]),
    ],
)
def test_other_settings_are_another_tuning(change, names):
    assert_names(differences_of(settings().identity(), settings(**change).identity()), *names)


def test_all_candidates_and_the_mean_meet_the_same_companies_in_new_games_each_generation(tmp_path):
    evaluator = QuadraticEvaluator()
    history = play(tmp_path, 4, evaluator=evaluator)
    numbers = []
    for policies, tables, seed in evaluator.calls:
        assert len(policies) == history.settings.population + 1
        assert seed == seed_for(5, "search")
        numbers += [number for c in tables for number in range(c.first, c.first + c.count)]
    assert sorted(numbers) == list(range(4 * 20))


def test_the_pool_grows_by_past_means_with_their_weights(tmp_path):
    history = play(tmp_path, 12)
    joined = {number: line for number, line in enumerate(history.generations) if line["joined"]}
    assert joined
    assert len(history.pool.members) == 1 + len(joined)
    for (number, line), member in zip(joined.items(), history.pool.members[1:], strict=True):
        assert member.name == f"generation {number}"
        assert {name: member.weights[name] for name in line["mean"]} == line["mean"]
        assert member.weights["thaler"] == history.settings.start.weights["thaler"]


def test_the_means_are_those_before_each_generation_and_the_last(tmp_path):
    history, longer = play(tmp_path, 3), play(tmp_path, 4)
    assert history.means()[:3] == [line["mean"] for line in history.generations]
    assert longer.means()[3] == history.means()[3] == longer.generations[3]["mean"]


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
    hold, site = weights("hold", "site")
    for values in itertools.chain(*asked):
        assert hold.low <= values["hold"] <= hold.high
        assert site.low <= values["site"] <= site.high
    assert one.mean()["hold"] > hold.high - 0.01
    assert one.mean()["site"] < site.low + 0.01


def test_it_begins_at_the_starting_weights_with_steps_of_the_size_of_the_weights():
    result = search(names=[weight.name for weight in WEIGHTS]).mean()
    assert result == pytest.approx(START.weights, abs=1e-12)
    asked = search(names=("income", "spending"), population=200).ask()
    deviations = {name: np.std([values[name] for values in asked]) for name in asked[0]}
    assert 0.25 < deviations["spending"] / START.weights["spending"] < 0.35
    assert 0.2 < deviations["income"] / 0.075 < 0.35  # a twentieth of its range: it starts near 0
    on_its_bound = search(names=("site",), start={"site": 0.0}).ask()
    assert max(values["site"] for values in on_its_bound) > 0.01


def test_candidates_depend_on_the_seed_and_not_on_numpys_global_state_which_they_leave_alone():
    np.random.seed(3)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one, other = search(), search(2)
    asked = maximise(one, 5, value)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.random.seed(4)  # noqa: NPY002
    again = search()
    assert maximise(again, 5, value) == asked != maximise(other, 5, value)
    assert one.digest() == again.digest() != other.digest()


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
