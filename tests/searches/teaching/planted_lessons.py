"""Lessons whose results come from a known correction, with noise."""

from __future__ import annotations

import numpy as np

from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.policies.correction import attack_features
from wallsim.policies.correction.features import COUNTY_FEATURES, TABLE_FEATURES, WORTH_ON_BOX
from wallsim.policies.value.value_file import load_value
from wallsim.rules.terms import AUCTION, BASE_BOXES, MONEY_CARDS
from wallsim.searches.teaching.lessons import Lessons, Settings

NAMES = [feature.name for feature in COUNTY_FEATURES]
OF_TABLE = [feature.name for feature in TABLE_FEATURES]
PLANS, COUNTIES = 8, 9


def lesson_settings(**fields):
    """The settings of a small teaching, some of them other ones."""
    known = {
        "cells": (Experiment(players=3), Experiment(players=3, setup="draft"), Experiment(players=4)),
        "pupil": load_policy("balanced"),
        "rivals": (load_policy("banker"), load_policy("strong-4p")),
        "value": load_value("season-ends"),
        "attacks": False,
        "years": (1, 2),
        "depth": "round",
        "games": 800,
        "plans": 6,
        "tables": 1,
        "seed": 4,
        "units": 2,
        "passes": 1,
        "shrink": 0.7,
    }
    return Settings(**{**known, **fields})


def nothing(box, fact, table):
    """No correction."""
    return 0.0


def lessons_of(true, number=2000, noise=1.0, seed=3, block=20):
    """Lessons of one round: a plan's result, in 0.01 wins, is half its worth, `true` of its cards, and noise.

    `true(box, fact, table)` is what counties' cards are worth more on boxes, of arrays. Cards are laid at random.
    """
    rng = np.random.default_rng(seed)
    fact = rng.normal(0.0, 1.0, (number, COUNTIES, len(NAMES))).astype(np.float32)
    fact[..., NAMES.index("armies")] = rng.integers(1, 6, (number, COUNTIES))
    fact[..., [NAMES.index(f"money_{value}") for value in range(MONEY_CARDS)]] = 0.0
    table = rng.normal(0.0, 1.0, (number, len(OF_TABLE))).astype(np.float32)
    columns = np.full((number, PLANS, BASE_BOXES), -1, np.int8)
    laid, boxes = (
        rng.permuted(np.tile(np.arange(count, dtype=np.int8), (number, PLANS, 1)), axis=2)[..., :6]
        for count in (COUNTIES, AUCTION)
    )
    np.put_along_axis(columns, boxes.astype(np.int64), laid, axis=2)
    columns[..., AUCTION] = COUNTIES + rng.integers(MONEY_CARDS, size=(number, PLANS))
    row = fact[np.arange(number)[:, None, None], laid]
    own = np.take_along_axis(row, np.asarray(WORTH_ON_BOX)[boxes][..., None], axis=3)[..., 0]
    result = (0.5 * own + true(boxes, row, table[:, None, None])).sum(axis=2)
    result += rng.normal(0.0, noise, result.shape)
    return Lessons(
        np.arange(number, dtype=np.int32) // block, np.zeros(number, np.int8), np.full(number, COUNTIES, np.int8),
        table, fact.reshape(-1, len(NAMES)), columns, result.astype(np.float32) / 100.0,
    )  # fmt: skip


OF_CHOICE = [feature.name for feature in attack_features.CHOICE_FEATURES]
CHOICES = 12  # at most


def attack_lessons_of(true, number=2000, noise=1.0, seed=3, block=20):
    """Lessons of choices in combat: a result, in 0.01 wins, is half the choice's worth, `true` of it, and noise.

    `true(fact, table)` is what choices are worth more, of arrays. Lessons have four choices or more.
    """
    rng = np.random.default_rng(seed)
    counts = rng.integers(4, CHOICES + 1, number).astype(np.int8)
    fact = rng.normal(0.0, 1.0, (number, CHOICES, len(OF_CHOICE))).astype(np.float32)
    table = rng.normal(0.0, 1.0, (number, len(attack_features.SITUATION_FEATURES))).astype(np.float32)
    place = np.arange(CHOICES, dtype=np.int8)
    there = place < counts[:, None]
    result = 0.5 * fact[..., attack_features.WORTH] + true(fact, table[:, None])
    result = np.where(there, result + rng.normal(0.0, noise, result.shape), np.nan)
    columns = np.where(there, place, np.int8(-1))[..., None]
    return Lessons(
        np.arange(number, dtype=np.int32) // block, np.zeros(number, np.int8), counts, table, fact[there], columns,
        result.astype(np.float32) / 100.0,
    )  # fmt: skip
