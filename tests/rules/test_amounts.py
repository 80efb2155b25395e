"""The amounts: where kernels read them, their bounds, their part of an identity, and files that set them (N)."""

from pathlib import Path

import numpy as np
import pytest

from tests.naive.making import BOARD, USUAL
from tests.refusals import refused
from wallsim.api.trace import record_game
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.play.scenarios.file import load_experiments
from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset

DERIVED = {"deploy_scale", "levy_loss"}  # what policies make of the amounts of deploying


def numbers(rules):
    """All numbers of a RULES record by field, but for what follows from others."""
    return {name: np.array(rules[name]).tolist() for name in rules.dtype.names if name not in DERIVED}


@pytest.mark.parametrize("amount", AMOUNTS, ids=lambda amount: amount.name)
def test_each_amount_moves_one_number_that_kernels_read(amount):
    players = int(amount.name[14]) if amount.name.startswith("start_thalers") else 4
    printed = numbers(pack_rules(BOARD, Ruleset(players=players), USUAL)[0])
    turned = amount.low if amount.printed != amount.low else amount.high
    result = numbers(pack_rules(BOARD, Ruleset(players=players, amounts=((amount.name, turned),)), USUAL)[0])
    [field] = [name for name in printed if printed[name] != result[name]]
    if field == "starting_thalers":
        assert result[field] == [turned] * players + [0] * (5 - players)
    elif amount.place is None:
        assert (field, printed[field], result[field]) == (amount.name, amount.printed, turned)
    else:
        assert printed[field][amount.place] == amount.printed
        assert result[field] == [*printed[field][: amount.place], turned, *printed[field][amount.place + 1 :]]


@pytest.mark.parametrize("amount", AMOUNTS, ids=lambda amount: amount.name)
def test_bounds_are_allowed_and_nothing_beyond_them(amount):
    for number in (amount.low, amount.high):
        assert Ruleset(amounts=((amount.name, number),)).errors() == []
    for number in (amount.low - 1, amount.high + 1, True, 1.0, "1"):
        [(place, value, allowed)] = Ruleset(amounts=((amount.name, number),)).errors()
        assert (place, value) == (f"amounts.{amount.name}", number)
        assert f"from {amount.low} to {amount.high}" in allowed


def test_what_policies_make_of_deploying_is_one_at_the_printed_numbers():
    printed = pack_rules(BOARD, Ruleset(), USUAL)[0]
    assert printed.deploy_scale.tolist() == printed.levy_loss.tolist() == [1.0, 1.0]
    amounts = (("deploy1_armies", 3), ("deploy5_armies", 10), ("event_small_levies_deploy3_armies", 3))
    turned = pack_rules(BOARD, Ruleset(amounts=amounts), USUAL)[0]
    assert turned.deploy_scale.tolist() == pytest.approx([2.0, 3.0])
    assert turned.levy_loss.tolist() == pytest.approx([0.7 / 0.4, 0.0])


def test_printed_numbers_are_no_part_of_an_identity():
    plain = Experiment()
    assert Experiment(amounts=PRINTED).hash() == plain.hash()
    assert Experiment(amounts=PRINTED).ruleset() == plain.ruleset()
    other = Experiment(amounts={"palace_price": 4})
    assert other.hash() != plain.hash()
    assert other.hash() == Experiment(amounts={"palace_price": 4, "church_price": 2}).hash()


def test_start_thalers_are_what_thalers_by_seat_go_over():  # B1.1
    experiment = Experiment(amounts={"start_thalers_4_players": 20}, thalers={"0": 15, "1": 20})
    assert experiment.ruleset().starting_thalers() == (15, 20, 20, 20)
    assert Experiment(players=3, amounts={"start_thalers_4_players": 20}).ruleset().starting_thalers() == (18, 18, 18)


@pytest.mark.parametrize(("players", "printed", "supplement"), [(4, 15, 12), (5, 12, 18)])
def test_the_thalers_of_the_supplement_can_be_played_and_are_not_the_default(players, printed, supplement):  # B1.1
    assert Experiment(players=players).ruleset().starting_thalers() == (printed,) * players
    by_size = Experiment(players=players, amounts={f"start_thalers_{players}_players": supplement})
    by_line_up = Experiment(players=players, thalers=dict.fromkeys("ABCDE"[:players], supplement))
    for experiment in (by_size, by_line_up):
        assert experiment.ruleset().starting_thalers() == (supplement,) * players
    of_each = [list(record_game(each, 3)) for each in (by_size, by_line_up)]
    assert len(of_each[0]) > 100
    assert of_each[0][1:] == of_each[1][1:]  # but for the header, which names what was set


def test_the_example_compares_the_thalers_of_rulebooks_and_supplement():  # B1.1
    path = Path(__file__).parents[2] / "docs" / "examples" / "supplement_2011.toml"
    thalers = {name: set(one.ruleset().starting_thalers()) for name, one in load_experiments(path).experiments.items()}
    assert thalers == {"rulebooks": {12}, "supplement": {18}}


def test_scenarios_and_factors_turn_one_amount_each(tmp_path):
    path = tmp_path / "several.toml"
    base = "[amounts]\npalace_price = 4\n[scenario.plain]\n[scenario.cheap.amounts]\nchurch_price = 0\n"
    path.write_text(f"{base}[factor]\namounts.palace_points = [1, 2]\n", "utf-8")
    result = {name: dict(one.ruleset().amounts) for name, one in load_experiments(path).experiments.items()}
    assert list(result) == [f"{name}+palace_points-{points}" for name in ("plain", "cheap") for points in (1, 2)]
    assert result["plain+palace_points-1"] == {"palace_price": 4}
    assert result["cheap+palace_points-2"] == {"palace_price": 4, "church_price": 0, "palace_points": 2}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[amounts]\npalace_prise = 4\n", ["amounts.palace_prise", "mean palace_price"]),
        ("[amounts]\npalace_price = 10\n", ["amounts.palace_price: 10", "0 to 9"]),
        ("amounts = 3\n", ["amounts: 3", "table"]),
        ("[rules]\nbank = 100\n[amounts]\nstart_thalers_4_players = 60\n", ["60", "more in all", "100 Thalers"]),
        ("[amounts]\nfirst_fill_armies = 20\n[lineup.A]\nAltmark = 50\n", ["lineup.A: 50", "most 42", "20"]),
    ],
)
def test_a_wrong_amount_is_refused_by_file_name_value_and_what_is_allowed(tmp_path, text, names):
    path = tmp_path / "wrong.toml"
    path.write_text(text, "utf-8")
    with refused(f"{path}: ", *names):
        load_experiment(path)
