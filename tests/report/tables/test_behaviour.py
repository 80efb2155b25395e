"""Policies side by side: every number stands under its policy, and no line is wider than the page."""

import re

import numpy as np
import pytest

from wallsim.analysis.behaviour.measures import WINS, measures_of
from wallsim.analysis.behaviour.profiles import Behaviour
from wallsim.analysis.behaviour.tables import BehaviourMeasurement, policy_profiles
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy
from wallsim.report.tables.behaviour import side_by_side
from wallsim.report.tables.estimates import in_words, of_measure
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence, wilson

BLOCKS = 250  # 650 differences need 249
NAMES = ["random", "balanced", "builder", "conqueror", "heedless"]


@pytest.fixture(scope="module")
def taken():
    observatory = BehaviourMeasurement(Setting(Experiment()), BLOCKS, 1)
    return policy_profiles(observatory, [load_policy(name) for name in NAMES], load_policy("balanced"))


def numbers(text):
    """The cells of every table with measures: a list of (policy, measure, cell)."""
    result = []
    for block in re.split(r"\n\n", text):
        lines = [re.split(r" {2,}", line) for line in block.splitlines()]
        if lines[0][:2] == ["measure", "unit"]:
            result += [
                (name, line[0], cell) for line in lines[1:] for name, cell in zip(lines[0][2:], line[2:], strict=True)
            ]
    return result


def test_all_numbers_stand_under_their_policy(taken):
    confidence = Confidence(0.95, 2 * len(taken) * len(taken[0].measures))
    expected = []
    for one in taken:
        for table in (one.copies, one.guest):
            for measure in one.measures:
                name, estimate = measure.name, table.estimates[measure.name]
                top = 100.0 if measure.scale == 100 else None
                words = in_words(estimate.value, table.interval(name, confidence), measure.decimals, top=top)
                if (name, estimate.value) == ("wins", 0):
                    words = f"0.0 (≤ {table.interval(name, confidence)[1]:.1f})"
                expected.append((one.policy.name, name, words))
        won = (one.policy.name, "wins", in_words(one.copies.estimates["wins"].value, None, 1))
        expected.remove(won)  # among its like they are the fair share by definition
    assert sorted(numbers(side_by_side(taken))) == sorted(expected)


def test_wins_of_no_game_or_of_all_have_wilsons_other_end():
    wins = next(measure for measure in measures_of() if measure.name == WINS)
    four = Confidence(n_comparisons=4)
    low, high = wilson(0.0, 70, four.z)

    def text_of(value, blocks=70):
        flat = block_mean(np.full(blocks, value))
        return of_measure(Behaviour("x", {WINS: flat}, {WINS: flat}, blocks, 4 * blocks), wins, four)

    assert low == 0
    assert text_of(0.0) == f"0.0 (≤ {100 * high:.1f})"
    assert text_of(100.0) == f"100.0 (≥ {100 * (1 - high):.1f})"
    assert text_of(50.0) == "50.0"
    assert text_of(0.0, 62) == "0.0"


def test_wide_tables_go_on_below(taken):
    text = side_by_side(taken * 2)
    assert max(map(len, text.splitlines())) <= 116
    assert text.count("measure  ") == 2 * 2
    assert max(map(len, side_by_side(taken[:1]).splitlines())) <= 116


def test_every_pair_has_its_distance(taken):
    text = side_by_side(taken)
    pairs = re.findall(r"^(\w+) minus (\w+) +\S.*\S +[+−]\d+\.\d\d ± \d\.\d\d(  plain)?$", text, re.MULTILINE)
    assert [pair[:2] for pair in pairs] == [(one, two) for k, one in enumerate(NAMES) for two in NAMES[k + 1 :]]
    assert all(pair[2] for pair in pairs if "random" in pair)
    assert "minus" not in side_by_side(taken[:1])
