"""The zoo does what its names say: each style differs from `balanced` in its own way; noise is a dial of strength."""

from itertools import combinations, pairwise

import pytest

from wallsim.analysis.behaviour.measures import VP, WINS, measures_of
from wallsim.analysis.behaviour.profiles import distances, standardised
from wallsim.analysis.behaviour.tables import BehaviourMeasurement
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy
from wallsim.stats.intervals import Confidence

BASELINE, SEED = "balanced", 4711
STYLES = ("builder", "conqueror", "farmer", "banker", "turtle", "raider", "opportunist")
GRADES = tuple(f"balanced-noise-{tenths:02d}" for tenths in (2, 4, 8, 16, 32))
KINDS = (BASELINE, *STYLES)
# What a style is for: measures in which it lies above (1) or below (-1) `balanced`, by CLEARLY standard deviations of
# a seat's game at least.
NAMED_FOR = {
    "builder": {"buildings": 1, "attacks on neutrals": -1},
    "conqueror": {"attacks on players": 1},
    "farmer": {"shortages": -1, "revolts": -1, "grain before winter": 1},
    "banker": {"built in year two": 1},
    "turtle": {"attacks on players": -1, "attacks on neutrals": -1, "armies": 1, "times attacked": -1},
    "raider": {"attacks on neutrals": 1, "attacks on players": -1},
    "opportunist": {"Thalers bid": 1, "place": -1},
}
CLEARLY = 0.5
CONFIDENCE = Confidence(n_comparisons=18)  # 150 game numbers are enough for it
Z = CONFIDENCE.z  # some three standard errors


@pytest.fixture(scope="module")
def among_baseline():
    """What each policy does alone among three of `balanced`, in each seat once."""
    observatory = BehaviourMeasurement(Setting(Experiment(seasons=True)), 150, SEED)
    host = load_policy(BASELINE)
    result = {BASELINE: observatory.measure(host)}
    for name in (*STYLES, *GRADES):
        result[name] = observatory.measure(load_policy(name), host)
    return result


@pytest.fixture(scope="module")
def among_random():
    """What each policy does alone among three of `random`, in each seat once."""
    observatory = BehaviourMeasurement(Setting(Experiment(seasons=True)), 75, SEED)
    host = load_policy("random")
    return {name: observatory.measure(load_policy(name), host) for name in (*KINDS, *GRADES)}


@pytest.mark.parametrize("name", STYLES)
def test_a_style_does_what_its_name_says_and_is_not_too_weak_to_be_believed(among_baseline, name):
    won = among_baseline[name].estimates[WINS]
    assert won.value - Z * won.error > 10
    for measure, sign in NAMED_FOR[name].items():
        gap = standardised(among_baseline[name], among_baseline[BASELINE], measure) * sign
        assert gap.value - Z * gap.error > CLEARLY, (measure, gap.value, gap.error)


def test_every_two_styles_are_plainly_different_in_something_they_do(among_baseline):
    observed = [among_baseline[name] for name in KINDS]
    measures = [measure for measure in measures_of() if not measure.name.startswith("tile")]  # what falls to a seat
    result = distances(observed, measures, CONFIDENCE)
    assert set(result) == set(combinations(KINDS, 2))
    for pair, gap in result.items():
        assert gap.plain, (pair, gap.measure, gap.estimate.value)


@pytest.mark.parametrize("name", KINDS)
def test_a_style_beats_uniform_play_nearly_always(among_random, name):
    assert among_random[name].estimates[WINS].value > 97


def test_strength_falls_with_every_grade_of_noise(among_baseline):
    for better, worse in pairwise((BASELINE, *GRADES)):
        gap = standardised(among_baseline[better], among_baseline[worse], VP)
        assert gap.value - Z * gap.error > 0.05, (better, worse, gap.value)
    won = [among_baseline[name].estimates[WINS].value for name in (BASELINE, *GRADES)]
    assert all(more > less for more, less in pairwise(won))


def test_play_with_the_most_noise_is_still_better_than_uniform_play(among_random):
    won = [among_random[name].estimates[WINS].value for name in (BASELINE, *GRADES)]
    assert all(more >= less for more, less in pairwise(won))
    assert 50 < won[-1] < 95


def test_grades_differ_from_the_baseline_in_noise_alone():
    baseline = load_policy(BASELINE).weights
    noises = [load_policy(name).weights["noise"] for name in GRADES]
    assert noises == sorted(noises)
    for name, noise in zip(GRADES, noises, strict=True):
        assert load_policy(name).weights == {**baseline, "noise": noise}
        assert name.endswith(f"{round(10 * noise):02d}")
