"""Runs are paired by game number, and only runs of which that makes sense."""

import numpy as np

from tests.analysis.contrasts.planted_runs import planted_run
from tests.refusals import assert_names, refused
from wallsim.analysis.contrasts.pairing import paired_runs

SEATS = {"vp": np.arange(40).reshape(10, 4)}


def test_runs_of_equal_numbers_are_paired_whole():
    pairing = paired_runs(planted_run("a", SEATS), planted_run("b", SEATS))
    assert pairing.games.tolist() == list(range(10))
    assert (pairing.players, pairing.left_out(), pairing.changes()) == (4, "", [])


def test_of_runs_of_different_length_the_shared_numbers_are_compared_and_that_is_reported():
    longer = planted_run("b", {"vp": np.zeros((25, 4))}, games=range(4, 29))
    pairing = paired_runs(planted_run("a", SEATS), longer)
    assert pairing.games.tolist() == list(range(4, 10))
    assert_names(pairing.left_out(), "6 game numbers", "A has 10", "B 25")


def test_other_seeds_and_players_are_refused_by_folders_field_and_values():
    other = planted_run("b", {"vp": np.zeros((10, 3))}, seed=7)
    with refused("a and b: seed: 1 and 7;", "a and b: players: 4 and 3;") as caught:
        paired_runs(planted_run("a", SEATS), other)
    assert len(caught.value.errors) == 2


def test_runs_without_a_number_in_common_are_refused():
    with refused("a and b: game", "0 to 9", "50 to 59"):
        paired_runs(planted_run("a", SEATS), planted_run("b", SEATS, games=range(50, 60)))


def test_what_differs_is_reported_in_the_words_of_the_experiment():
    policies = [{"name": "balanced", "weights": {"tile": 1.0}} for _ in range(4)]
    policies[2] = {"name": "builder", "weights": {"tile": 2.5}}
    other = planted_run(
        "b", SEATS, combat="may", expansions=["court"], policies=policies, tower={"model": "urn", "p": 0.6}
    )
    assert paired_runs(planted_run("a", SEATS), other).changes() == [
        "combat: must → may",
        "tower model: independent → urn",
        "policy of seat 2: balanced → builder",
        "policy of seat 2 weights tile: 1.0 → 2.5",
        "expansions: none → court",
    ]
    long = planted_run("b", SEATS, interventions=[{"do": "hand", "what": "thalers", "number": k} for k in range(9)])
    (change,) = paired_runs(planted_run("a", SEATS), long).changes()
    assert change.startswith('interventions: none → [{"do": "hand"')
    assert change.endswith(" …")
