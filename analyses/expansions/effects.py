"""What expansions change: the eight subsets of the study `expansions`, their factorial, and what is claimed of it.

Every subset has games of its own. Block k of one subset and block k of another share nothing, so the contrasts of eight
such blocks are independent and identically distributed, and their mean has
an exact Student's t with blocks - 1 degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import EXPANSIONS, SEASON_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.scenarios.file import own_seed
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.factorials import Effect, factorial_effects, factorial_weights
from wallsim.studies.cache import Cache
from wallsim.studies.games import Games, block_size, counted_in
from wallsim.studies.outcomes import LEADER as LEADER_CHANGE
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import Blocks, Scope, plays_for, scope_for
from wallsim.studies.study import Choices

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=225, quick=170, quick_others=120)
FAVOR_GAMES, QUICK_FAVOR_GAMES = 5, 2  # games with favors given and denied, by games of a subset in the cell
QUICK_BOARDS, QUICK_TOURNAMENTS = 60, 6  # blocks on each board and of each tournament in a quick look
PLAYERS = 4
COURT, LANDSKNECHTE, LEADERS = EXPANSIONS
Subset = tuple[str, ...]
# In the standard order of a factorial: the first expansion changes fastest.
SUBSETS: tuple[Subset, ...] = tuple(
    tuple(name for place, name in enumerate(EXPANSIONS) if number >> place & 1)
    for number in range(2 ** len(EXPANSIONS))
)
EFFECTS: tuple[Effect, ...] = tuple(factorial_weights(EXPANSIONS))  # main effects first
MAIN = EFFECTS[: len(EXPANSIONS)]
WITHOUT = ("tuned without", "taught without")  # plays of strong lines that met no expansion

LEADER = "wins of year one's leader, %"  # itself, not its change, which is in percentage points
LEADS = "changes of the lead"
ATTACKS, ON_PLAYERS, REVOLTS = "attacks of a seat", "attacks on players", "revolts of a seat"
OUTCOMES = (POINTS, SPREAD, MARGIN, LEADER, LEADS, ATTACKS, ON_PLAYERS, REVOLTS)
SEATS = tuple(map(wins_of, range(PLAYERS)))
DRAWN = (POINTS, SPREAD)  # outcomes in the picture
Subsets = Mapping[Subset, Mapping[str, Estimate]]  # the means over blocks by outcome
Effects = dict[str, dict[Effect, Estimate]]  # by outcome

# In words, and the effect of which expansion on which outcome has which sign.
_CLAIMED = (
    ("The military leaders raise the spread of VP.", LEADERS, SPREAD, 1),
    ("The Landsknechte raise the number of attacks.", LANDSKNECHTE, ATTACKS, 1),
    ("The Emperor's Court lowers the number of attacks.", COURT, ATTACKS, -1),
    ("The Emperor's Court raises a seat's VP.", COURT, POINTS, 1),
    ("The Landsknechte raise a seat's VP.", LANDSKNECHTE, POINTS, 1),
)
CLAIMS = tuple(
    Claim(words, f"{name}: {'fall of ' if sign < 0 else ''}{outcome}", 0) for words, name, outcome, sign in _CLAIMED
)
UNITS = {claim.outcome: "attacks" if "attacks" in claim.outcome else "VP" for claim in CLAIMS}


def count(games: Games) -> dict[str, np.ndarray]:
    """The outcomes of each game, float64 [games]."""
    whole = outcomes_of(games)
    return {
        **{LEADER if name == LEADER_CHANGE else name: values for name, values in whole.items()},
        LEADS: changes_of_lead(games),
        ATTACKS: games.seats("attacks").mean(axis=1),
        ON_PLAYERS: games.seats("attacks_on_players").mean(axis=1),
        REVOLTS: games.seats("revolts").mean(axis=1),
    }


def changes_of_lead(games: Games) -> np.ndarray:
    """How often none of the seats that led after a season leads after the next, float64 [games], 0 to 7.

    The leader has the most points, those that the board would bring next winter included; after the last, points alone.
    """
    changes = np.zeros(len(games.numbers))
    before = np.ones((len(games.numbers), games.players), bool)
    last = len(SEASON_NAMES) - 1
    for season in range(len(SEASON_NAMES)):
        column = "vp" if season == last else "vp_with_board"
        points = games.in_seasons(column, np.full(len(games.numbers), season))
        leads = points == points.max(axis=1, keepdims=True)
        changes += ~(leads & before).any(axis=1)
        before = leads
    return changes


def play(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """The outcomes of an experiment by block of 6 × players games, from game 0 on, float64 [blocks]."""

    def counted(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        by_game = counted_in(experiment.arena(), design["blocks"], count, True, workers)
        size = block_size(experiment.players)
        return {name: values.reshape(-1, size).mean(axis=1) for name, values in by_game.items()}

    return cache.get("games", {"experiment": experiment, "blocks": blocks}, counted)


def name_of(subset: Subset) -> str:
    """A subset in words."""
    return "all three" if len(subset) == len(EXPANSIONS) else " + ".join(subset) or "none"


def name_of_effect(effect: Effect) -> str:
    """An effect in words, such as `court × leaders`."""
    return " × ".join(effect)


def plays() -> tuple[Play, ...]:
    """The plays. Strong play is that tuned with all three expansions; lines made without any are not called strong."""
    *usual, first, second = plays_for(4)
    without = [
        Play(name, MIDDLING, play.policy, play.line) for name, play in zip(WITHOUT, (first, second), strict=True)
    ]
    return *usual, first._replace(policy="strong-4p-bigbox", line="tuned weights, with expansions"), *without


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each subset in the baseline cell."""
    quick, scope = choices.quick, scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick)
    chosen = {play.name for play in scope.plays} if quick else {play.name for play in plays()}
    return scope._replace(plays=tuple(play for play in plays() if play.name in chosen))


def experiment_of(cell: Cell) -> Experiment:
    """The experiment of a cell without expansions."""
    policy = next(play.policy for play in plays() if play.name == cell.play)
    return load_experiment(
        EXPERIMENT, {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": [], "seasons": True}
    )


def seed_of(seed: int, subset: Subset) -> int:
    """The seed of a subset's own games: made of the experiment's and the names."""
    return int(own_seed(seed, "+".join(subset) or "none"))


def with_subset(experiment: Experiment, subset: Subset) -> Experiment:
    """The experiment with these expansions, on games of its own."""
    return experiment.changed(expansions=subset, seed=seed_of(experiment.seed, subset))


def play_subsets(
    experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None
) -> dict[Subset, dict[str, Estimate]]:
    """The outcomes of all eight subsets, each on games of its own, as means over blocks."""
    return {
        subset: {
            outcome: block_mean(values)
            for outcome, values in play(with_subset(experiment, subset), blocks, cache, workers).items()
        }
        for subset in SUBSETS
    }


def effects_of(subsets: Subsets) -> Effects:
    """The main effects and interactions of every outcome."""
    return {
        outcome: factorial_effects(EXPANSIONS, [subsets[subset][outcome] for subset in SUBSETS])
        for outcome in subsets[()]
    }


def claimed(effects: Effects) -> dict[str, Estimate]:
    """The outcomes that are claimed, by their names."""
    return {
        claim.outcome: effects[outcome][name,] * sign
        for claim, (_, name, outcome, sign) in zip(CLAIMS, _CLAIMED, strict=True)
    }


def outcomes_by_game(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, whose own expansions are not used: all subsets are played.

    The game is the unit of errors, since the study's blocks would be too few.
    """
    subsets = {}
    for subset in SUBSETS:
        by_game = counted_in(with_subset(experiment, subset).arena(), blocks, count, True, workers)
        subsets[subset] = {name: block_mean(values) for name, values in by_game.items()}
    return claimed(effects_of(subsets))


def plays_with_expansions(players: int) -> tuple[Play, ...]:
    """The plays with expansions: strong is that tuned with all three; the second line, taught without, is not."""
    return tuple(play for play in plays() if play.name != WITHOUT[0])  # that line is tuned with expansions there


def values_of(
    scope: Scope, subsets: Mapping[Cell, Subsets], effects: Mapping[Cell, Effects]
) -> Iterator[tuple[Key, Value]]:
    """What is published of the factorial: the baseline, all plays, wins by seat, and every cell."""
    home = scope.baseline_cell()

    def of_subset(quantity: str, subset: Subset, outcome: str, cell: Cell) -> tuple[Key, Value]:
        return Key(quantity, f"{name_of(subset)} {outcome}", PLAYERS, cell), subsets[cell][subset][outcome]

    def of_effect(quantity: str, effect: Effect, outcome: str, cell: Cell) -> tuple[Key, Value]:
        return Key(quantity, f"{name_of_effect(effect)} {outcome}", PLAYERS, cell), effects[cell][outcome][effect]

    yield from (of_subset("subset", subset, outcome, home) for subset in SUBSETS for outcome in OUTCOMES)
    yield from (of_effect("effect", effect, outcome, home) for outcome in OUTCOMES for effect in EFFECTS)
    for cell in plays_cells(scope):
        yield from (of_effect("effect-by-play", effect, outcome, cell) for effect in MAIN for outcome in OUTCOMES)
        yield from (of_effect("picture", effect, outcome, cell) for outcome in DRAWN for effect in EFFECTS)
    for cell in seat_cells(scope):
        for wins in SEATS:
            yield from (of_subset("seat-wins", subset, wins, cell) for subset in SUBSETS)
            yield from (of_effect("effect-on-seat-wins", effect, wins, cell) for effect in MAIN)
    for cell in scope.cells():
        for subset in SUBSETS:
            yield from (of_subset("subset-by-cell", subset, outcome, cell) for outcome in (*OUTCOMES, *SEATS))
    for cell in scope.cells():
        yield from (of_effect("effect-by-cell", effect, outcome, cell) for outcome in OUTCOMES for effect in EFFECTS)
        yield from (of_effect("effect-by-cell", effect, wins, cell) for wins in SEATS for effect in MAIN)


def plays_cells(scope: Scope) -> list[Cell]:
    """The cells of all plays with the tower and the set-up of the baseline."""
    return [scope.baseline_cell()._replace(play=play.name) for play in scope.plays]


def seat_cells(scope: Scope) -> list[Cell]:
    """The cells whose wins by seat are shown: the baseline's line-ups, and its draft if it is played."""
    home = scope.baseline_cell()
    return [cell for cell in (home, home._replace(setup="draft")) if cell in scope.cells()]


def card_cells(scope: Scope) -> list[Cell]:
    """The cells in which cards are given and denied and favors varied: line-ups, one tower, no play made without."""
    home = scope.baseline_cell()
    return [cell for cell in scope.cells() if (cell.tower, cell.setup) == home[1:] and cell.play not in WITHOUT]


def favor_games(scope: Scope) -> int:
    """How many times the games of a subset are played with favors given and denied."""
    return QUICK_FAVOR_GAMES if scope.quick else FAVOR_GAMES


def board_blocks(scope: Scope, cell: Cell) -> int:
    """The blocks that are played on each board in a cell."""
    return min(scope.blocks(cell), QUICK_BOARDS) if scope.quick else scope.blocks(cell)


def most_blocks(scope: Scope) -> int:
    """The blocks of a tournament at most; a few games of each subset are a few of each tournament."""
    return min(QUICK_TOURNAMENTS, scope.baseline) if scope.quick else scope.baseline
