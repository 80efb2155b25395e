"""The numbers of a teaching: their bounds, their default values and the words about their options."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.policies.correction.features import MAX_UNITS
from wallsim.policies.kinds import MAX_TABLES, MAX_WIDTH
from wallsim.runs.keys import MAX_SEED, Key, decimal_key, number_key

TEACHING_KEYS: Mapping[str, Key] = {
    "games": number_key(
        1,
        10_000_000,
        48_000,
        metavar="N",
        help="Games of each number of players, in chunks of 400; six lessons per game.",
    ),
    "plans": number_key(4, MAX_WIDTH, 40, metavar="N", help="Plans that a lesson tries."),
    "tables": number_key(1, MAX_TABLES, 4, metavar="N", help="Tables on which it tries all of them."),
    "seed": number_key(0, MAX_SEED, 1, metavar="N", help="Seed of the games and of the fits."),
    "units": number_key(0, MAX_UNITS, MAX_UNITS, metavar="N", help="Units of the network; 0 for a linear model."),
    "passes": number_key(1, 1000, 15, metavar="N", help="Passes through the lessons in training."),
}
SHRINK = decimal_key(0.0, 1.0, 0.7)
