"""The ridge of a tuning: it pulls weights that hardly matter, and those that matter win (Hoerl and Kennard 1970)."""

import pytest

from tests.searches.tuning.stand_ins import BEST, START, QuadraticEvaluator, settings, weights
from tests.searches.tuning.test_history import play
from wallsim.policies.policy import Policy
from wallsim.searches.tuning.coordinates import coordinates_of
from wallsim.searches.tuning.session import select

FLAT = "spending"  # the stand-in's share of wins does not depend on it
AIM = Policy("aim", "balanced", {**START.weights, FLAT: 30.0, "hold": 1.5})


def tuned(folder, ridge, generations=40):
    """The weights of a tuning of one weight that matters and one that does not."""
    chosen = settings(weights=weights("hold", FLAT), ridge=ridge, towards=AIM, population=8)
    evaluator = QuadraticEvaluator(noise=0.0)
    return select(play(folder, generations, chosen, evaluator), evaluator)["weights"]


def test_the_penalty_is_the_square_of_the_share_of_the_range():
    hold, spending = weights("hold", FLAT)
    chosen = settings(weights=(hold, spending), ridge=20.0, towards=AIM)
    away = {"hold": 1.5 - 0.1 * (hold.high - hold.low), FLAT: 30.0}
    assert chosen.penalty(away) == pytest.approx(0.002)
    assert chosen.penalty({"hold": 1.5, FLAT: 30.0}) == 0.0


@pytest.mark.parametrize("phases", [("year one", "year two"), ("fall 2",), ("year two", "fall 2")], ids=" and ".join)
def test_a_weight_costs_the_same_in_phases(phases):
    (hold,) = weights("hold")
    whole = settings(weights=(hold,), ridge=20.0, towards=AIM)
    split = coordinates_of(START, (hold,), phases, ("hold",))
    parts = settings(weights=split, ridge=20.0, towards=AIM)
    assert len(split) > 1
    assert parts.penalty({each.name: 0.9 for each in split}) == pytest.approx(whole.penalty({"hold": 0.9}))


def test_without_a_ridge_nothing_is_taken_off_and_the_identity_is_as_before():
    plain = settings(towards=AIM)
    assert plain.penalty(dict.fromkeys(BEST, 0.0)) == 0.0
    assert plain.identity() == settings().identity()
    assert settings(ridge=1.0, towards=AIM).identity()["ridge"] == 1.0
    assert settings(ridge=1.0, towards=AIM).identity() != settings(ridge=1.0, towards=START).identity()


def test_the_ridge_pulls_what_does_not_matter_and_leaves_what_does(tmp_path):
    free, pulled = tuned(tmp_path / "free", 0.0), tuned(tmp_path / "pulled", 2.0)
    assert abs(pulled[FLAT] - 30.0) < min(3.0, abs(free[FLAT] - 30.0))
    assert pulled["hold"] == pytest.approx(free["hold"], abs=0.15)
