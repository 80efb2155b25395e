"""What an experiment changes is said as a player would say it."""

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run
from wallsim.analysis.contrasts.pairing import edits_in_words, paired_runs
from wallsim.folder.results import printed_lineup
from wallsim.rules.board import load_board

SEATS = {"vp": np.arange(40).reshape(10, 4)}
B = printed_lineup(load_board(), 4, "B")


def words(one, other):
    """The changes from a run with some facts to one with others."""
    return paired_runs(planted_run("a", SEATS, **one), planted_run("b", SEATS, **other)).changes_in_words()


def edited(changes, gone=(), more=()):
    """The line-up B with counties in place of others, without some, and with others at its end."""
    pairs = [(changes.get(county, county), armies) for county, armies in B.items() if county not in gone]
    return {"lineup": {"B": [list(pair) for pair in [*pairs, *more]]}}


def test_a_county_in_place_of_another_is_named_with_it():
    first, second = list(B)[:2]
    assert words({}, edited({first: "Bremen"})) == [f"B: Bremen in place of {first}"]
    assert words(edited({first: "Bremen"}), {}) == [f"B: {first} in place of Bremen"]
    assert words(edited({first: "Bremen"}), edited({second: "Burgund"})) == [
        f"B: {first} in place of Bremen, Burgund in place of {second}"
    ]


def test_other_armies_more_and_fewer_counties_are_named():
    first, *_, last = B
    assert words({}, edited({}, gone=[last])) == [f"B: without {last}"]
    assert words({}, edited({}, more=[("Bremen", 1)])) == ["B: also Bremen with 1 army"]
    other = edited({}, gone=[first], more=[("Bremen", 1)])
    assert words({}, other) == [f"B: Bremen with 1 army in place of {first} with {B[first]}"]
    armies = {"lineup": {"B": [[county, number + (county == first)] for county, number in B.items()]}}
    assert words({}, armies) == [f"B: {first} with {B[first] + 1} armies in place of {B[first]}"]
    turned = {"lineup": {"B": [list(pair) for pair in reversed(B.items())]}}
    assert words({}, turned) == ["B: its counties in another order"]


def test_thalers_and_amounts_are_compared_with_the_printed_ones():
    assert words({}, {"thalers": {"A": 11, "1": 20}}) == [
        "seat 1: 20 starting Thalers in place of 15", "A: 11 starting Thalers in place of 15"
    ]  # fmt: skip
    assert words({"thalers": {"A": 11}}, {}) == ["A: 15 starting Thalers in place of 11"]
    assert words({}, {"amounts": {"palace_price": 4}}) == ["palace_price: 3 → 4"]
    raised = {"amounts": {"start_thalers_4_players": 20}}
    assert words(raised, {**raised, "thalers": {"C": 18}}) == ["C: 18 starting Thalers in place of 20"]


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


def test_bots_towers_and_switches_are_named_once():
    experts = [{"name": "expert", "weights": {"tile": 2.0}} for _ in range(4)]
    assert words({}, {"policies": experts}) == ["bots: balanced → expert"]
    mixed = [{"name": "balanced", "weights": {"tile": 2.0}}, *experts[:3]]
    assert words({}, {"policies": mixed})[:2] == [
        "bot of seat 0: another version of balanced",
        "bot of seat 1: balanced → expert",
    ]
    assert words({}, {"combat": "may", "without": ["Tirol"]}) == ["Tirol out of play", "combat: must → may"]
    assert words({}, {}) == []


def test_edits_are_those_of_the_printed_game():
    run = planted_run("a", SEATS, thalers={"A": 11}, **edited({next(iter(B)): "Bremen"}))
    assert edits_in_words(run) == [f"B: Bremen in place of {next(iter(B))}", "A: 11 starting Thalers in place of 15"]
    assert edits_in_words(planted_run("a", SEATS)) == []
