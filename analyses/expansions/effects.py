"""What expansions change: the eight subsets of the study `expansions`, their factorial, and what is claimed of it.

Every subset has games of its own. Block k of one subset and block k of another share nothing, so the contrasts of eight
such blocks are independent and identically distributed, and their mean has an exact Student's t with blocks - 1 degrees
of freedom. Groups play some of the subsets, by number of players and kind of table: who gains, and what the better
player wins. Both lines of strong play take part: the first taught with all three, the second with the weights for
expansions of an earlier policy that was tuned with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import CASUAL_POLICY, MIDDLING, MIDDLING_POLICY, Cell, Play, strong_lines
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.play.scenarios.file import own_seed
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import EXPANSIONS, SEASON_NAMES
from wallsim.stats.blocks import Effect, Estimate, block_mean, factorial_effects, factorial_weights
from wallsim.studies.games import Counted, Games, block_size, counted_in
from wallsim.studies.outcomes import LEADER as LEADER_CHANGE
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import (
    BASELINE,
    CASUAL_TABLE,
    EXPERIENCED_TABLE,
    PLAYERS,
    SECOND_TABLE,
    THREE_TABLES,
    Blocks,
    Scope,
    plays_for,
    scope_for,
    sizes_of,
)
from wallsim.studies.study import Choices, Storage

from ..editions.study import EXPANDED, plays_of

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=225, quick=170, quick_others=120)
FAVOR_GAMES, QUICK_FAVOR_GAMES = 3, 2  # games with favors given and denied, by games of a subset in the cell
QUICK_BOARDS, QUICK_TOURNAMENTS = 60, 6  # blocks on each board and of each tournament in a quick look
COURT, LANDSKNECHTE, LEADERS = EXPANSIONS
Subset = tuple[str, ...]
# In the standard order of a factorial: the first expansion changes fastest.
SUBSETS: tuple[Subset, ...] = tuple(tuple(name for place, name in enumerate(EXPANSIONS) if number >> place & 1)
                                    for number in range(2 ** len(EXPANSIONS)))  # fmt: skip
EFFECTS: tuple[Effect, ...] = tuple(factorial_weights(EXPANSIONS))  # main effects first
MAIN = EFFECTS[: len(EXPANSIONS)]
name_of_effect = " × ".join
WITHOUT = ("strong without", "second without")  # plays of strong lines that met no expansion

LEADER = "wins of year one's leader, %"  # itself, not its change, which is in percentage points
LEADS, REVOLTS = "changes of the lead", "revolts of a seat"
ATTACKS, ON_PLAYERS = "attacks of a seat", "attacks on players"
OUTCOMES = (POINTS, SPREAD, MARGIN, LEADER, LEADS, ATTACKS, ON_PLAYERS, REVOLTS)
SEATS = tuple(map(wins_of, range(PLAYERS)))
SEATED = (BASELINE, BASELINE._replace(setup="draft"))  # the cells whose wins by seat are shown
DRAWN = (POINTS, SPREAD)  # outcomes in the picture
GROUP_BLOCKS, BETTER_BLOCKS, QUICK_GROUPS = 144, 110, 12
IN_GROUPS: tuple[Subset, ...] = ((), *((name,) for name in EXPANSIONS), EXPANSIONS)  # the subsets that groups play
OF_GROUPS = (POINTS, SPREAD, LEADER, ATTACKS)  # their outcomes
GROUPS, BETTER, KNOWS = "groups", "better", "knows"  # a table of its own; one better player; one that knows expansions
Values = Iterator[tuple[Key, Value]]
Means = Mapping[tuple[str, ...], Mapping[Any, Estimate]]  # by subset or effect, and by what is measured

# The effect of which expansion on which outcome is claimed to have which sign.
_CLAIMED = {
    Claim(words, f"{name}: {'fall of ' if sign < 0 else ''}{outcome}", 0): (name, outcome, sign)
    for words, name, outcome, sign in (
        ("The military leaders raise the spread of VP.", LEADERS, SPREAD, 1),
        ("The Landsknechte raise the number of attacks.", LANDSKNECHTE, ATTACKS, 1),
        ("The Emperor's Court lowers the number of attacks.", COURT, ATTACKS, -1),
        ("The Emperor's Court raises a seat's VP.", COURT, POINTS, 1),
        ("The Landsknechte raise a seat's VP.", LANDSKNECHTE, POINTS, 1),
    )
}
CLAIMS = tuple(_CLAIMED)
UNITS = {claim.outcome: "attacks" if "attacks" in claim.outcome else "VP" for claim in CLAIMS}


def count(games: Games) -> dict[str, np.ndarray]:
    """The outcomes of each game, float64 [games]."""
    seats = {ATTACKS: "attacks", ON_PLAYERS: "attacks_on_players", REVOLTS: "revolts"}
    return {
        **{LEADER if name == LEADER_CHANGE else name: values for name, values in outcomes_of(games).items()},
        LEADS: changes_of_lead(games),
        **{name: games.seats(column).mean(axis=1) for name, column in seats.items()},
    }


def changes_of_lead(games: Games) -> np.ndarray:
    """How often none of the seats that led after a season leads after the next, float64 [games], 0 to 7.

    The leader has the most points, those that the board would bring next winter included; after the last, points alone.
    """
    columns = ["vp_with_board"] * (len(SEASON_NAMES) - 1) + ["vp"]
    points = [games.in_seasons(name, np.full(len(games.numbers), each)) for each, name in enumerate(columns)]
    leads = [each == each.max(axis=1, keepdims=True) for each in points]
    changes = [~(now & then).any(axis=1) for now, then in pairwise(leads)]
    return np.asarray(np.sum(changes, axis=0, dtype=np.float64))


def by_block(values: np.ndarray, players: int) -> np.ndarray:
    """The means of blocks of 6 × players games, [blocks] of [games]."""
    return np.asarray(values.reshape(-1, block_size(players)).mean(axis=1))


def play(experiment: Experiment, blocks: int, storage: Storage) -> Counted:
    """The outcomes of an experiment by block, from game 0 on, float64 [blocks]."""

    def counted(_: object) -> Counted:
        by_game = counted_in(experiment.arena(), blocks, count, True, storage.workers)
        return {name: by_block(values, experiment.players) for name, values in by_game.items()}

    return storage.cache.get("games", {"experiment": experiment, "blocks": blocks}, counted)


def name_of(subset: Subset) -> str:
    """A subset in words."""
    return "all three" if len(subset) == len(EXPANSIONS) else " + ".join(subset) or "none"


def plays() -> tuple[Play, ...]:
    """The plays. Strong play is that taught with all three expansions; lines made without any are not called strong."""
    lines = zip(WITHOUT, plays_for(PLAYERS)[-2:], strict=True)
    return *plays_of(EXPANDED), *(Play(name, MIDDLING, play.policy, play.line) for name, play in lines)


def plays_with_expansions(_: int) -> tuple[Play, ...]:
    """The plays with expansions: strong is that taught with all three; the second line, made without, is not."""
    return tuple(play for play in plays() if play.name != WITHOUT[0])  # that line is taught with expansions there


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each subset in the baseline cell."""
    scope = scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick)
    quick = {play.name for play in scope.plays}
    lines = {SECOND_TABLE.play: WITHOUT}  # the second line knows no expansion; the first is played as it was without
    settings = (cell._replace(play=play) for cell in scope.settings for play in lines.get(cell.play, (cell.play,)))
    return scope._replace(plays=tuple(play for play in plays() if not choices.quick or play.name in quick),
                          settings=tuple(settings))  # fmt: skip


def experiment_of(cell: Cell, policies: str | list[str] = "", players: int = PLAYERS) -> Experiment:
    """The experiment of a cell without expansions, by default with the policy of its play."""
    policies = policies or next(play.policy for play in plays() if play.name == cell.play)
    where = {"players": players, "policies": policies, "tower": cell.tower, "setup": cell.setup}
    return load_experiment(EXPERIMENT, {**where, "lineups": [], "seasons": True})


def with_subset(experiment: Experiment, subset: Subset) -> Experiment:
    """The experiment with these expansions, on games of its own: their seed is made of the experiment's and names."""
    return experiment.changed(expansions=subset, seed=int(own_seed(experiment.seed, "+".join(subset) or "none")))


def all_three(cell: Cell) -> Experiment:
    """The experiment of a cell with all expansions: the games of the factorial."""
    return with_subset(experiment_of(cell), EXPANSIONS)


def subsets_of(experiment: Experiment, counted: Callable[[Experiment], Counted]) -> Means:
    """The outcomes of all eight subsets, each on games of its own: the means of what is counted."""
    return {subset: {name: block_mean(each) for name, each in counted(with_subset(experiment, subset)).items()}
            for subset in SUBSETS}  # fmt: skip


def effects_of(subsets: Means) -> Means:
    """The main effects and interactions of every outcome."""
    effects = {name: factorial_effects(EXPANSIONS, [subsets[subset][name] for subset in SUBSETS])
               for name in subsets[()]}  # fmt: skip
    return {effect: {outcome: each[effect] for outcome, each in effects.items()} for effect in EFFECTS}


def claimed(effects: Means) -> dict[str, Estimate]:
    """The outcomes that are claimed, by their names."""
    return {claim.outcome: effects[name,][outcome] * sign for claim, (name, outcome, sign) in _CLAIMED.items()}


def outcomes_by_game(experiment: Experiment, blocks: int, _: object = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, whose own expansions are not used: all subsets are played.

    The game is the unit of errors, since the study's blocks would be too few.
    """
    subsets = subsets_of(experiment, lambda each: counted_in(each.arena(), blocks, count, True, workers=1))
    return claimed(effects_of(subsets))


def values_of(scope: Scope, subsets: Mapping[Cell, Means], effects: Mapping[Cell, Means]) -> Values:
    """What is published of the factorial: the baseline, all plays, wins by seat, and every cell."""
    home, cells = [BASELINE], scope.cells()
    plays = [BASELINE._replace(play=play.name) for play in scope.plays]
    for quantity, where, every, outcomes in (
        ("subset", home, SUBSETS, OUTCOMES), ("effect", home, EFFECTS, OUTCOMES),
        ("effect-by-play", plays, MAIN, OUTCOMES), ("picture", plays, EFFECTS, DRAWN),
        ("seat-wins", SEATED, SUBSETS, SEATS), ("effect-on-seat-wins", SEATED, MAIN, SEATS),
        ("subset-by-cell", cells, SUBSETS, (*OUTCOMES, *SEATS)),
        ("effect-by-cell", cells, EFFECTS, OUTCOMES), ("effect-by-cell", cells, MAIN, SEATS),
    ):  # fmt: skip
        means, name = (subsets, name_of) if every is SUBSETS else (effects, name_of_effect)
        for cell, each, outcome in product(where, every, outcomes):
            yield Key(quantity, f"{name(each)} {outcome}", PLAYERS, cell), means[cell][each][outcome]


def card_cells(scope: Scope) -> list[Cell]:
    """The cells in which cards are given and denied and favors varied: line-ups, one tower, no play made without."""
    return [cell for cell in scope.cells() if cell[1:] == BASELINE[1:] and cell.play not in WITHOUT]


def favor_games(scope: Scope) -> int:
    """How many times the games of a subset are played with favors given and denied."""
    return QUICK_FAVOR_GAMES if scope.quick else FAVOR_GAMES


def favor_blocks(scope: Scope, cell: Cell) -> int:
    """The blocks of games with favors, whole sevens: seven of 24 games treat each pair of seat and favor twice."""
    return -(-favor_games(scope) * scope.blocks(cell) // 7) * 7


def board_blocks(scope: Scope, cell: Cell) -> int:
    """The blocks that are played on each board in a cell."""
    return min(scope.blocks(cell), QUICK_BOARDS) if scope.quick else scope.blocks(cell)


def most_blocks(scope: Scope) -> int:
    """The blocks of a tournament at most; a few games of each subset are a few of each tournament."""
    return min(QUICK_TOURNAMENTS, scope.baseline) if scope.quick else scope.baseline


def line_of(table: Cell, players: int) -> str:
    """The policy of a table with expansions: casual, taught with them, or the file of the second line."""
    name = f"{plain_line(table, players)}-bigbox"
    second = str(Path(__file__).with_name("lines") / f"{name}.toml")
    return {CASUAL_TABLE: CASUAL_POLICY, EXPERIENCED_TABLE: name}.get(table, second)


def plain_line(table: Cell, players: int) -> str:
    """The policy of a line of strong play that knows no expansion."""
    return strong_lines(players)[table != EXPERIENCED_TABLE]


def one_among(table: Cell, players: int, one: str, others: str) -> list[Experiment]:
    """The experiments in which one seat, each in turn, plays one policy and all others another."""
    seats = range(players)
    return [experiment_of(table, [one if each == seat else others for each in seats], players) for seat in seats]


def group_blocks(scope: Scope, most: int) -> int:
    """How many blocks are played, at most so many."""
    return min(scope.baseline, QUICK_GROUPS if scope.quick else most)


def groups(scope: Scope) -> Iterator[tuple[str, int, Cell, list[Experiment]]]:
    """What is played, by kind, number of players and table: an experiment, or one for each seat of one among others."""
    for players, table in product(sizes_of(scope), THREE_TABLES):
        yield GROUPS, players, table, [experiment_of(table, line_of(table, players), players)]
    for players, table in product(sizes_of(scope), (CASUAL_TABLE, EXPERIENCED_TABLE)):
        others = CASUAL_POLICY if table == CASUAL_TABLE else MIDDLING_POLICY
        yield BETTER, players, table, one_among(table, players, line_of(EXPERIENCED_TABLE, players), others)
    for table in THREE_TABLES[1:]:
        yield KNOWS, PLAYERS, table, one_among(table, PLAYERS, line_of(table, PLAYERS), plain_line(table, PLAYERS))


def group_identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments: dict[str, dict[str, Experiment]] = {GROUPS: {}, BETTER: {}, KNOWS: {}}
    for kind, players, table, (first, *_) in groups(scope):
        experiments[kind]["/".join((str(players), *table))] = first
    blocks = [group_blocks(scope, most) for most in (GROUP_BLOCKS, BETTER_BLOCKS)]
    return {**experiments, "subsets": IN_GROUPS, "blocks": blocks}


def group_values(scope: Scope, storage: Storage) -> Values:
    """Play every table with every subset and number of players.

    Published are what each subset changes against none; at the casual table the wins of each seat, which has the same
    line-up in every game; the wins of one better player among others; and those of one seat that knows all three
    expansions among three of the same line that do not.
    """
    for kind, players, table, experiments in groups(scope):
        blocks = group_blocks(scope, GROUP_BLOCKS if kind == GROUPS else BETTER_BLOCKS)
        none: dict[str, Estimate] = {}
        for subset in (EXPANSIONS,) if kind == KNOWS else IN_GROUPS:
            played = [play(with_subset(each, subset), blocks, storage) for each in experiments]
            wins = np.mean([played[seat][wins_of(seat)] for seat in range(len(played))], axis=0)
            shown = {  # its quantity and that of its change, by item
                GROUPS: [("", "group-change", each, played[0][each]) for each in OF_GROUPS],
                BETTER: [("better-player", "change-of-better-player", "", wins)],
                KNOWS: [("line-with-expansions", "", "", wins)],
            }[kind]
            if (kind, table) == (GROUPS, CASUAL_TABLE):
                shown += [("group-lineup", "group-change-of-lineup", letter, played[0][wins_of(seat)])
                          for seat, letter in enumerate(LETTERS[:players])]  # fmt: skip
            for level, change, item, values in shown:
                now = block_mean(values)
                named = "" if kind == KNOWS else f"{name_of(subset)} {item}".strip()
                if level:
                    yield Key(level, named, players, table), now
                if change and subset:  # played on games of their own: any pairs of blocks are as good
                    yield Key(change, named, players, table), now - none[item]
                none.setdefault(item, now)
