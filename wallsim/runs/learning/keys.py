"""The numbers of a learning: their bounds, their default values and the words about their options."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.policies.value.features import MAX_UNITS
from wallsim.runs.keys import MAX_SEED, Key, decimal_key, number_key

LEARNING_KEYS: Mapping[str, Key] = {
    "games": number_key(
        1, 10_000_000, 200_000, metavar="N", help="Games of each number of players, in chunks of 2,000."
    ),
    "seed": number_key(0, MAX_SEED, 1, metavar="N", help="Seed of the games and of the fits."),
    "units": number_key(0, MAX_UNITS, 8, metavar="N", help="Units of the network; 0 for a linear model."),
    "passes": number_key(1, 1000, 8, metavar="N", help="Passes through the games in training the network."),
}
NOISE = decimal_key(0.0, 20.0, None)
