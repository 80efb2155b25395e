"""A learning: its seatings, and the games behind it."""

from collections import Counter

import numpy as np
import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy
from wallsim.policies.value.features import FEATURES, MOMENTS
from wallsim.searches.learning import learning as played
from wallsim.searches.learning.learning import Games, Settings, with_noise


def settings(**fields):
    known = {
        "cells": (Experiment(players=3), Experiment(players=3, setup="draft"), Experiment(players=4)),
        "policies": (load_policy("random"), load_policy("balanced")),
        "noise": (0.0, 2.0),
        "games": 100,
        "seed": 4,
        "units": 2,
        "passes": 1,
    }
    return Settings(**{**known, **fields})


@pytest.fixture
def few_games(monkeypatch):
    monkeypatch.setattr(played, "BLOCK", 3)
    monkeypatch.setattr(played, "CHUNK", 2)


def test_seatings_are_drawn_from_all_policies_and_levels_of_noise():
    drawn = Counter(
        (policy.kind, policy.weights.get("noise")) for block in range(60) for policy in settings().seating(4, block)
    )
    assert set(drawn) == {("random", None), ("balanced", 0.0), ("balanced", 2.0)}
    assert settings().seating(4, 7) == settings().seating(4, 7)
    assert [p.weights for p in settings(seed=5).seating(4, 7)] != [p.weights for p in settings().seating(4, 7)]


def test_noise_is_added_in_every_phase_and_never_taken_away():
    policy = load_policy("balanced-noise-16")
    assert with_noise(policy, 0.5) == policy
    assert with_noise(policy, 3.0).weights["noise"] == 3.0
    assert all(with_noise(policy, 3.0).weights_in(place)["noise"] == 3.0 for place in range(6))
    assert with_noise(load_policy("random"), 3.0) == load_policy("random")


@pytest.mark.slow
def test_games_of_a_chunk_are_those_of_their_arenas(few_games):
    some = settings()
    result = Games(some).play(3, 1)
    assert result.features.shape[:3] == (6, len(MOMENTS), 3)
    assert result.ends.shape == (6, 3, 2)
    for block in (2, 3):
        table = Setting(some.cells[block % 2])
        arena = table.arena(some.seating(3, block), some.seed_for("games", 3), block // 2)
        seats = arena.play(3 * block, 3).seats.reshape(3, 3, -1)
        ends = result.ends[3 * (block - 2) : 3 * (block - 1)].astype(float)
        assert (ends[..., 0] == seats[..., 6]).all()
        assert (ends[..., 1] > 0).tolist() == (seats[..., 4] > 0).tolist()
        assert ends[..., 1].sum(axis=1) == pytest.approx(1.0, abs=1e-2)


@pytest.mark.slow
@pytest.mark.nightly
def test_what_stands_after_the_last_fall_is_near_the_end(few_games):
    result = Games(settings()).play(4, 0)
    names = [feature.name for feature in FEATURES]
    points = result.features[..., names.index("points")]
    projection = result.features[:, -1, :, names.index("projection")].astype(float)
    assert (np.diff(points.astype(float), axis=1) >= 0).all()
    assert (points[:, :3] == 0).all()  # nobody scores before the first winter (B7.4)
    assert np.abs(projection - result.ends[..., 0]).mean() < 6


def test_other_units_and_more_games_are_the_same_learning():
    assert settings(units=0, games=10**6, passes=9).identity() == settings().identity()
