"""What a line-up is worth beside its wins: its land and borders, and line-up A against C in skill."""

import csv
from dataclasses import replace
from itertools import combinations, islice

import numpy as np
import pytest

from tests.analyses.test_lineups import BOARD, HOME, RNG, experiment
from wallsim.analyses.lineups import finding, worth
from wallsim.analyses.lineups.games import exchanges, experiment_of, ways_of
from wallsim.analyses.lineups.measure import Lineups, design_of
from wallsim.analyses.lineups.study import STUDY
from wallsim.analysis.claims.plays import MIDDLING, STRONG
from wallsim.policies.catalogue import load_policy
from wallsim.rules.files import data_folder
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.figure import Rows
from wallsim.studies.games import Games
from wallsim.studies.quantities import Key
from wallsim.studies.study import Choices

ERRORS = np.array(worth.ERRORS)


def test_borders_are_those_of_the_board():
    with (data_folder("board") / "borders.csv").open(encoding="utf-8") as file:
        pairs = {frozenset((row["county_a"], row["county_b"])) for row in csv.DictReader(file)}
    lineup = {letter: [BOARD.counties[county] for county, *_ in BOARD.lineups[4, letter]] for letter in "ABCD"}
    in_play = {name for name, least in zip(BOARD.counties, BOARD.min_players, strict=True) if least <= 4}
    free = in_play.difference(*lineup.values())
    for letter, land in worth.lands(BOARD, 4).items():
        own, _, with_free, *_ = worth.FEATURES
        assert land[own] == sum(frozenset(pair) in pairs for pair in combinations(lineup[letter], 2))
        assert land[with_free] == sum(frozenset((one, two)) in pairs for one in lineup[letter] for two in free)
        for other in set("ABCD") - {letter}:
            borders = [frozenset((one, two)) in pairs for one in lineup[letter] for two in lineup[other]]
            assert land[f"borders with {other}"] == sum(borders)


def test_what_land_brings_is_recovered(monkeypatch):
    """Points that are made of a line-up's land, and of chance: the regression finds what one more of each brings."""
    truth = dict(zip(worth.FEATURES, (0.5, -0.4, 0.1, 0.2, 0.15, 0.25, -0.3), strict=True))

    def made(experiment, setups, games, workers):
        result = []
        for setup in setups:
            edited = {letter: [name for name, _ in groups] for letter, groups in setup.lineup_edits}
            land = worth.lands(BOARD, 4, edited)
            level = [sum(each * land[letter][name] for name, each in truth.items()) for letter in "ABCD"]
            result.append(np.array(level) + RNG.normal(0, 6, (200, 4)))
        return result

    monkeypatch.setattr(worth, "_played", made)
    result = dict(worth.worth_of_land({HOME: experiment()}, 25, Cache(None), 1))
    for feature, each in truth.items():
        found = result[Key("worth-of-land", feature, 4, HOME)]
        assert abs(found.value - each) < 4 * found.error < 0.2


def test_other_exchanges_are_played_again(monkeypatch):
    """The cached worth of land is that of the exchanges that were played."""
    keys = []
    monkeypatch.setattr(
        Cache, "get", lambda self, *part: keys.append(self.key(*part[:2])) or {"worth": np.zeros((9, 7))}
    )
    for number in (None, 5):
        monkeypatch.setattr(worth, "exchanges", lambda *what, number=number: exchanges(*what)[:number])
        list(worth.worth_of_land({HOME: experiment()}, 1, Cache(None), 1))
    assert len(set(keys)) == 2


def test_errors_are_added_as_independent_ones_and_change_nothing_else():
    balanced, amateur = load_policy("balanced"), load_policy("amateur")
    assert worth.erring(balanced, 0.8).weights == load_policy("balanced-noise-08").weights
    assert worth.erring(amateur, 0.0) is amateur
    worse = worth.erring(amateur, 1.2)
    assert worse.weights["noise"] == pytest.approx(1.3)  # 0.5 and 1.2
    assert {**worse.weights, "noise": 0.5} == amateur.weights


def test_a_gap_is_that_of_both_line_ups_at_one_table_with_a_played_by_the_worse_player():
    played, player = experiment_of(4, HOME), load_policy("balanced-noise-32")
    found = worth.gap_of(played, player, 1, Cache(None), workers=1)["points"]
    points = []
    for way in ways_of(4):
        parts = played.changed(lineups=way).components()
        policies = tuple(player if letter == "A" else each for letter, each in zip(way, parts.policies, strict=True))
        vp = Games(0, 4, replace(parts, policies=policies).arena(played.seed).play(0, 24)).seats("vp")
        points.append(vp[:, way.index("A")] - vp[:, way.index("C")])
    assert found.value == pytest.approx(np.mean(points))
    assert found.blocks == 24
    assert found.value < -5  # who errs so much loses with any line-up


def falling(level, spread=0.5, blocks=400):
    """Gaps that fall by 2 VP for each VP of errors and are 0 at `level`."""
    noise = np.random.default_rng(4).normal(0, spread, blocks)
    return [block_mean(2 * (level - error) + noise) for error in ERRORS]


@pytest.mark.parametrize("level", [0.3, 1.0, 2.5])
def test_the_errors_that_make_both_level_are_found(level):
    value, (low, high), *_ = worth.level_errors(falling(level), Confidence())
    assert value == pytest.approx(level, abs=0.05)
    assert low < level < high
    half = 1.966 * 0.5 / np.sqrt(400) / 2  # of the gap, brought to errors
    assert (high - low) / 2 == pytest.approx(half, abs=0.015)


def test_errors_that_are_not_enough_have_no_value_and_no_upper_end():
    value, (low, high), *_ = worth.level_errors(falling(4.0), Confidence())
    assert np.isnan([value, low, high]).all()
    value, (low, high), *_ = worth.level_errors(falling(3.19), Confidence())
    assert low < value
    assert np.isnan(high)
    assert worth.level_errors(falling(1.0, blocks=10), Confidence()).interval is None


def test_the_table_names_the_errors_and_the_weaker_play(monkeypatch):
    design, levels, rows = design_of(Choices(quick=True)), {MIDDLING: 0.6, STRONG: 4.0}, Rows("lineups", 1, "0" * 12)

    def gaps():  # of the errors of each table one after the other, and of its weaker player
        for level in levels.values():
            yield from (*falling(level), falling(level)[-1])

    made = gaps()
    monkeypatch.setattr(worth, "gap_of", lambda *_: dict.fromkeys(worth.OUTCOMES, next(made)))
    values = dict(worth.gaps(dict(islice(design.skill().items(), 2)), 1, Cache(None), 1))
    STUDY.figures(Lineups(design, values, {}), rows)
    figures, tower = rows.done(), design.towers[0]
    level = figures.of("errors-that-level-A-and-C-in-points", players=4, play=MIDDLING, tower=tower)
    assert level.value == pytest.approx(0.6, abs=0.05)
    assert level.family == 2 * 2 * (len(ERRORS) + 2)
    assert finding.level_in_words(figures, tower, "points", MIDDLING).startswith("0.6")
    assert finding.level_in_words(figures, tower, "wins", STRONG) == "over 3.2 VP"
    text = finding.in_skill(figures, tower, [MIDDLING, STRONG])
    assert "more than the gap from `balanced` to `balanced-noise-04`, and less than that to `balanced-noise-08`" in text
    assert "less than the gap to the next weaker play in middling play" in text
    assert "more than the gap to the next weaker play in strong play" in text
