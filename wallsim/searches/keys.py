"""The numbers of tuning, exploiting, learning and teaching: bounds, default values and what their options say."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.experiment.keys import MAX_SEED, Key, decimal_key, number_key
from wallsim.policies.correction import features as correction
from wallsim.policies.kinds import MAX_TABLES, MAX_WIDTH
from wallsim.policies.value import features as value

MAX_GENERATIONS, MAX_GAMES = 100_000, 10_000_000
MINUTES = 10.0  # to search, if neither minutes nor generations are given

SEARCH_KEYS: Mapping[str, Key] = {
    "games": number_key(1, MAX_GAMES, 2000, metavar="N", help="Games per candidate and generation."),
    "population": number_key(2, 1000, 24, metavar="N", help="Candidates per generation."),
    "seed": number_key(0, MAX_SEED, 1, metavar="N", help="Seed of the games and of the search."),
    "step": decimal_key(
        0.001, 2.0, 0.15, metavar="X", help="Initial step: standard deviation in units of a weight's size."
    ),
    "lead_weight": decimal_key(
        0.0, 1.0, 0.02, metavar="X", help="Score per VP ahead of the best opponent, added to the share of wins."
    ),
    "ridge": decimal_key(
        0.0, 1000.0, 0.0, metavar="X",
        help="Percentage points of wins that the search takes off for a weight a whole range away from that of "
        "--towards; grows with the square.",
    ),
    "held_out": number_key(
        1, MAX_GAMES, 24_000, metavar="N", help="Held-out games at the end, against each opponent; a quarter in checks."
    ),
    "check_every": number_key(1, MAX_GENERATIONS, 10, metavar="N", help="Number of generations between checks."),
    "generations": number_key(
        1, MAX_GENERATIONS, 100, metavar="N",
        help="Total number of generations; a larger number continues a finished tuning.",
    ),
}  # fmt: skip
RESPONSE_KEYS: Mapping[str, Key] = {
    **{name: SEARCH_KEYS[name] for name in ("population", "seed", "step", "lead_weight", "held_out")},
    "games": number_key(1, MAX_GAMES, 1000, metavar="N", help=SEARCH_KEYS["games"].help),
    "minutes": decimal_key(
        0.001, 100_000.0, None, metavar="X",
        help=f"CPU minutes to search, of all cores together.  [default: {MINUTES:g}]",
    ),
    "generations": number_key(
        0, MAX_GENERATIONS, None, metavar="N",
        help="Generations to search, instead of minutes: a result that repeats exactly. 0: no search for weights.",
    ),
    "search_games": number_key(
        0, MAX_GAMES, 0, metavar="N", help="Games of a search (slow) in place of the response; see --search-rivals."
    ),
}  # fmt: skip


LEARNING_KEYS: Mapping[str, Key] = {
    "games": number_key(
        1, 10_000_000, 200_000, metavar="N", help="Games of each number of players, in chunks of 2,000."
    ),
    "seed": number_key(0, MAX_SEED, 1, metavar="N", help="Seed of the games and of the fits."),
    "units": number_key(0, value.MAX_UNITS, 8, metavar="N", help="Units of the network; 0 for a linear model."),
    "passes": number_key(1, 1000, 8, metavar="N", help="Passes through the games in training the network."),
}
NOISE = decimal_key(0.0, 20.0, None)


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
    "units": number_key(
        0, correction.MAX_UNITS, correction.MAX_UNITS, metavar="N", help="Units of the network; 0 for a linear model."
    ),
    "passes": number_key(1, 1000, 15, metavar="N", help="Passes through the lessons in training."),
}
SHRINK = decimal_key(0.0, 1.0, 0.7)
