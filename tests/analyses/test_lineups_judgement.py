"""Line-up A against C in skill: who plays A, what both have at one table, and the errors that make them level."""

from dataclasses import replace

import numpy as np
import pytest

from wallsim.analyses.lineups import judgement
from wallsim.analyses.lineups.estimates import Lineups, design_of
from wallsim.analyses.lineups.games import experiment_of, ways_of
from wallsim.analyses.lineups.study import STUDY, in_skill, level_in_words
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG
from wallsim.policies.catalogue import load_policy
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.figure import Rows
from wallsim.studies.games import Games
from wallsim.studies.study import Choices

ERRORS = np.array(judgement.ERRORS)


def test_errors_are_added_as_independent_ones_and_change_nothing_else():
    balanced, amateur = load_policy("balanced"), load_policy("amateur")
    grade = load_policy("balanced-noise-08")
    assert judgement.erring(balanced, 0.8).weights == grade.weights
    assert judgement.erring(amateur, 0.0) is amateur
    worse = judgement.erring(amateur, 1.2)
    assert worse.weights["noise"] == pytest.approx(1.3)  # 0.5 and 1.2
    assert {**worse.weights, "noise": 0.5} == amateur.weights


def test_a_gap_is_that_of_both_line_ups_at_one_table_with_a_played_by_the_worse_player():
    experiment = experiment_of(4, Cell(MIDDLING, "spielbyweb", "lineup"))
    player = load_policy("balanced-noise-32")
    found = judgement.gap_of(experiment, player, 1, Cache(None), workers=1)
    points = []
    for way in ways_of(4):
        parts = experiment.changed(lineups=way).components()
        policies = list(parts.policies)
        policies[way.index("A")] = player
        arena = replace(parts, policies=tuple(policies)).arena(experiment.seed)
        vp = Games(0, 4, arena.play(0, 24)).seats("vp")
        points.append(vp[:, way.index("A")] - vp[:, way.index("C")])
    assert found["points"].value == pytest.approx(np.mean(points))
    assert found["points"].blocks == 24
    assert found["points"].value < -5  # who errs so much loses with any line-up


def planted(level, spread=0.5, blocks=400):
    """Gaps that fall by 2 VP for each VP of errors and are 0 at `level`."""
    noise = np.random.default_rng(4).normal(0, spread, blocks)
    return [block_mean(2 * (level - error) + noise) for error in ERRORS]


@pytest.mark.parametrize("level", [0.3, 1.0, 2.5])
def test_the_errors_that_make_both_level_are_found(level):
    value, (low, high) = judgement.level_errors(planted(level), Confidence())
    assert value == pytest.approx(level, abs=0.05)
    assert low < level < high
    half = 1.966 * 0.5 / np.sqrt(400) / 2  # of the gap, brought to errors
    assert (high - low) / 2 == pytest.approx(half, abs=0.015)


def test_errors_that_are_not_enough_have_no_value_and_no_upper_end():
    value, (low, high) = judgement.level_errors(planted(4.0), Confidence())
    assert np.isnan([value, low, high]).all()
    value, (low, high) = judgement.level_errors(planted(3.19), Confidence())
    assert low < value
    assert np.isnan(high)
    assert judgement.level_errors(planted(1.0, blocks=10), Confidence())[1] is None


def test_the_table_names_the_errors_and_the_weaker_play():
    design = design_of(Choices(quick=True))
    rows, gaps = Rows("lineups", 1, "0" * 12), {}
    for play, level in ((MIDDLING, 0.6), (STRONG, 4.0)):
        errors = planted(level)
        both = dict.fromkeys(judgement.OUTCOMES, errors)
        gaps[play] = judgement.Gaps(both, dict.fromkeys(judgement.OUTCOMES, errors[-1]))
    STUDY.figures(Lineups(design, {}, {}, gaps), rows)
    figures, tower = rows.done(), design.towers[0]
    level = figures.of("errors-that-level-A-and-C-in-points", players=4, play=MIDDLING, tower=tower)
    assert level.value == pytest.approx(0.6, abs=0.05)
    assert level.family == 2 * 2 * (len(ERRORS) + 2)
    assert level_in_words(figures, tower, "points", MIDDLING).startswith("0.6")
    assert level_in_words(figures, tower, "wins", STRONG) == "over 3.2 VP"
    text = in_skill(figures, tower, [MIDDLING, STRONG])
    assert "more than the gap from `balanced` to `balanced-noise-04`, and less than that to `balanced-noise-08`" in text
    assert "less than the gap to the next weaker play in middling play" in text
    assert "more than the gap to the next weaker play in strong play" in text


def test_the_games_have_a_seed_of_their_own():
    tables = design_of(Choices()).skill()
    assert set(tables) == set(judgement.WEAKER)
    assert {table.seed for table in tables.values()} == {STUDY.experiment().seed + 2}
