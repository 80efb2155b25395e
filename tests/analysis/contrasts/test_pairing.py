"""Runs are paired by game number, only where that makes sense, and what one changes is said as a player would."""

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run
from tests.refusals import assert_names, refused
from wallsim.analysis.contrasts.pairing import edits_in_words, paired_runs
from wallsim.folder.results import printed_lineup
from wallsim.rules.board import load_board

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


# ------------------------------------------------------------------------------------- changes in words

B = printed_lineup(load_board(), 4, "B")
FIRST, SECOND, *_, LAST = B


def words(one, other):
    """The changes from a run with some facts to one with others."""
    return paired_runs(planted_run("a", SEATS, **one), planted_run("b", SEATS, **other)).changes_in_words()


def lineup(*pairs):
    """The line-up B as the facts of a run have it."""
    return {"lineup": {"B": [list(pair) for pair in pairs]}}


def edited(changes, gone=(), more=()):
    """The line-up B with counties in place of others, without some, and with others at its end."""
    return lineup(*((changes.get(county, county), armies) for county, armies in B.items() if county not in gone), *more)


BREMEN = edited({FIRST: "Bremen"})
RAISED = {"amounts": {"start_thalers_4_players": 20}}
EXPERTS = [{"name": "expert", "weights": {"tile": 2.0}} for _ in range(4)]
MIXED = [{"name": "balanced", "weights": {"tile": 2.0}}, *EXPERTS[:3]]


@pytest.mark.parametrize(
    ("one", "other", "sentences"),
    [
        ({}, {}, []),
        ({}, BREMEN, [f"B: Bremen in place of {FIRST}"]),
        (BREMEN, edited({SECOND: "Burgund"}), [f"B: {FIRST} in place of Bremen, Burgund in place of {SECOND}"]),
        ({}, edited({}, gone=[LAST]), [f"B: without {LAST}"]),
        ({}, edited({}, more=[("Bremen", 1)]), ["B: also Bremen with 1 army"]),
        ({}, edited({}, [FIRST], [("Bremen", 1)]), [f"B: Bremen with 1 army in place of {FIRST} with {B[FIRST]}"]),
        ({}, lineup((FIRST, B[FIRST] + 1), *list(B.items())[1:]),
         [f"B: {FIRST} with {B[FIRST] + 1} armies in place of {B[FIRST]}"]),
        ({}, lineup(*reversed(B.items())), ["B: its counties in another order"]),
        ({}, {"thalers": {"A": 11, "1": 20}},
         ["seat 1: 20 starting Thalers in place of 15", "A: 11 starting Thalers in place of 15"]),
        (RAISED, {**RAISED, "thalers": {"C": 18}}, ["C: 18 starting Thalers in place of 20"]),
        ({}, {"amounts": {"palace_price": 4}}, ["palace_price: 3 → 4"]),
        ({}, {"policies": EXPERTS}, ["bots: balanced → expert"]),
        ({}, {"policies": MIXED}, ["bot of seat 0: another version of balanced",
                                   *(f"bot of seat {seat}: balanced → expert" for seat in (1, 2, 3))]),
        ({}, {"combat": "may", "without": ["Tirol"]}, ["Tirol out of play", "combat: must → may"]),
    ],
)  # fmt: skip
def test_what_differs_is_named_with_what_was_in_its_place(one, other, sentences):
    assert words(one, other) == sentences


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ({"do": "hand", "vp": 2, "seat": "B", "round": ["start"]}, "B: +2 VP at the start"),
        ({"do": "hand", "thalers": -1, "armies": 1, "seat": 0, "round": ["turn"]},
         "seat 0: −1 Thaler, +1 army in one round, by turn"),
        ({"do": "event", "to": "cancelled", "round": ["fall 1"]}, "no event in fall 1"),
        ({"do": "event", "to": "absent", "card": "tax_max_5", "round": ["fall 1"]}, "event tax_max_5 absent in fall 1"),
        ({"do": "tile", "to": "attack", "seat": "turn", "round": ["fall 1", "fall 2"]},
         "each seat in turn: tile attack in fall 1, fall 2"),
        ({"do": "plan", "box": "taxes", "card": "Tirol", "seat": 1, "round": ["fall 1"]},
         "seat 1: card Tirol on box taxes in fall 1"),
        ({"do": "trade", "counties": ["Tirol", "Baden"], "round": ["start"]},
         "Tirol and Baden change owners at the start"),
    ],
)  # fmt: skip
def test_interventions_are_sentences_and_may_end(step, text):
    assert words({}, {"interventions": [step]}) == [text]
    assert words({"interventions": [step]}, {}) == [f"no longer: {text}"]


def test_edits_are_those_of_the_printed_game():
    run = planted_run("a", SEATS, thalers={"A": 11}, **BREMEN)
    assert edits_in_words(run) == [f"B: Bremen in place of {FIRST}", "A: 11 starting Thalers in place of 15"]
    assert edits_in_words(planted_run("a", SEATS)) == []
