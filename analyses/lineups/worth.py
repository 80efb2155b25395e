"""What a line-up is worth beside its wins: in what it has on the map, and in skill, of line-up A against C.

Who sits left or right of a line-up is no neighbour of it on the map, and the study tests that it does not matter. What
is counted here are borders between counties: of a line-up's own, with the other line-ups, and with counties that are
nobody's at the start. What they bring is estimated from all exchanges of two counties between two line-ups.

Skill is said by how badly A must play for C to be level with it. At a table of equal players the one with line-up A
plays worse, by errors of judgement or as a weaker kind of play, and its points and wins less those of line-up C are
counted at the same table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import hypot, isnan, nan
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import CASUAL, MIDDLING, MIDDLING_POLICY, STRONG, WEAK, Cell
from wallsim.engine.arena import Arena
from wallsim.experiment.experiment import Experiment
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.report.tables.estimates import number
from wallsim.rules.board import Board, load_board
from wallsim.rules.ruleset import Ruleset
from wallsim.searches.learning.learning import with_noise
from wallsim.stats.blocks import Estimate, block_mean, combined
from wallsim.stats.intervals import Confidence, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import listed
from wallsim.studies.games import Games, block_size, in_batches
from wallsim.studies.grids import Grid, Line, estimate, held_together
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import PRINTED_TABLES, SECOND_TABLE, plays_for
from wallsim.studies.study import Storage

from .games import HEAD_SIZE, Design, arenas_of, exchanges, experiment_of, letters_of, ways_of

OTHERS = "borders with other line-ups"
FEATURES = (
    "borders between own counties", OTHERS, "borders with free counties", "pairs of own counties in one region",
    "Thalers printed", "grain printed", "building sites",
)  # fmt: skip

BETTER, WORSE = "A", "C"
ERRORS = (0.0, 0.2, 0.4, 0.8, 1.6, 3.2)  # VP, standard deviations of the errors with which each option is judged
BLOCKS = 16  # of 6 numbers a player, at most; a number is a unit
SEEDS = 2  # from the seed of the study; the seed between is that of the search
WEAKER = {CASUAL: WEAK, MIDDLING: CASUAL, STRONG: MIDDLING, SECOND_TABLE.play: MIDDLING}  # the next weaker play
WEAKER_PLAYER = "by the next weaker play"
OUTCOMES = ("points", "wins")
_STEP = 0.01  # VP, to which the errors that make both level are found


def lands(board: Board, players: int, edited: Mapping[str, Iterable[str]] | None = None) -> dict[str, dict[str, int]]:
    """What each line-up has on the map: its FEATURES, and its borders with each other line-up.

    The line-ups are the printed ones but for `edited`, which are names of counties by letter.
    """
    printed = {letter: [county for county, *_ in board.lineups[players, letter]] for letter in letters_of(players)}
    held = printed | {letter: [*map(board.counties.index, names)] for letter, names in (edited or {}).items()}
    taken = {county for counties in held.values() for county in counties}
    free = [c for c in range(len(board.counties)) if c not in taken and board.min_players[c] <= players]
    result = {}
    for letter, counties in held.items():
        borders = {f"borders with {other}": _borders(board, counties, theirs)
                   for other, theirs in held.items() if other != letter}  # fmt: skip
        own = _borders(board, counties, counties) // 2  # each is seen from both sides
        pairs = sum(int(board.region[one] == board.region[other]) for one, other in combinations(counties, 2))
        numbers = (int(each[counties].sum()) for each in (board.tax, board.grain, board.sites))
        features = (own, sum(borders.values()), _borders(board, counties, free), pairs, *numbers)
        result[letter] = dict(zip(FEATURES, features, strict=True)) | borders
    return result


def _borders(board: Board, mine: Sequence[int], theirs: Sequence[int]) -> int:
    return sum(int(board.neighbours[one]) >> other & 1 for one in mine for other in theirs)


def land_cells(design: Design) -> list[Cell]:
    """The cells in which land is valued: those of casual and of strong bots under the first tower."""
    return [cell for cell in design.cells if cell in PRINTED_TABLES]


def worth_of_land(design: Design, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """What one more of each feature brings a line-up of four players in victory points, at the printed tables.

    Every exchange of two counties is played on the same numbers, and the points of the two line-ups above their table's
    mean are regressed on what their counties have, with a level of its own for each line-up. A block is a number: the
    coefficients are linear in its points.
    """
    board, letters = load_board(), letters_of(HEAD_SIZE)
    every = exchanges(board, HEAD_SIZE, CASUAL, of_groups=False)
    features, rows = [], []  # of each line-up of each exchange, and which these are
    for at, exchange in enumerate(every):
        edited = exchange.edited(board)
        land = lands(board, HEAD_SIZE, edited)
        for letter in edited:
            features.append([*(land[letter][name] for name in FEATURES), *(letter == other for other in letters)])
            rows.append((at, letters.index(letter)))
    project = np.linalg.pinv(np.array(features, float))[: len(FEATURES)]
    for cell in land_cells(design):
        experiment = experiment_of(HEAD_SIZE, cell)

        def play(facts: Mapping[str, Any], experiment: Experiment = experiment) -> dict[str, np.ndarray]:
            parts = experiment.components()
            setups = [(experiment.changed(**exchange.changes(board)).ruleset(),) for exchange in every]
            above = partial(_points_above, parts.arena(experiment.seed), parts.board, facts["games"])
            points = list(in_parallel(above, setups, checked_workers(storage.workers)))
            return {"worth": np.array([points[at][:, place] for at, place in rows]).T @ project.T}

        facts = {"experiment": experiment, "exchanges": [each.counties for each in every], "games": design.land_games}
        worth = storage.cache.get("exchanges of counties", facts, play)["worth"]
        yield from ((Key("worth-of-land", name, HEAD_SIZE, cell), block_mean(each))
                    for name, each in zip(FEATURES, worth.T, strict=True))  # fmt: skip


def _points_above(base: Arena, board: Board, games: int, setup: Ruleset) -> np.ndarray:
    # The table's mean, of a set-up, [numbers, line-ups]; each arrangement has numbers of its own.
    size, result = base.seats, []
    for at, (way, arena) in enumerate(arenas_of(base, board, setup).items()):
        vp = Games(at * games, size, arena.play(at * games, games)).seats("vp")
        result.append((vp - vp.mean(axis=1, keepdims=True))[:, [way.index(letter) for letter in letters_of(size)]])
    return np.concatenate(result)


def with_errors(error: float) -> str:
    """The item of the errors of line-up A's player."""
    return f"with errors of {error:g} VP"


def tables_of(design: Design) -> dict[Cell, Experiment]:
    """The tables of four players under the first tower at which the player of line-up A is worse, by cell."""
    home = {cell: each for cell, each in design.home().items() if cell.play in WEAKER}
    return {cell: each.changed(seed=each.seed + SEEDS) for cell, each in home.items()}


def blocks_of(design: Design) -> int:
    """The blocks of numbers at those tables."""
    return min(design.blocks[HEAD_SIZE], BLOCKS)


def gaps(design: Design, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """What line-up A has more than C, by the player of line-up A, and the errors at which both are level, by cell."""
    for cell, table in tables_of(design).items():
        own = table.components().policies[0]
        weaker = next(each.policy for each in plays_for(HEAD_SIZE) if each.name == WEAKER[cell.play])
        each = {with_errors(error): erring(own, error) for error in ERRORS} | {WEAKER_PLAYER: load_policy(weaker)}
        found = {name: gap_of(table, player, blocks_of(design), storage) for name, player in each.items()}
        for outcome in OUTCOMES:
            for name, gap in found.items():
                yield Key(f"A-less-C-in-{outcome}", name, HEAD_SIZE, cell), gap[outcome]
            errors = [found[with_errors(error)][outcome] for error in ERRORS]
            yield Key(f"errors-that-level-A-and-C-in-{outcome}", "", HEAD_SIZE, cell), partial(level_errors, errors)


def erring(policy: Policy, error: float) -> Policy:
    """The policy with independent errors of so many VP on top of its own."""
    return with_noise(policy, hypot(policy.weights["noise"], error)) if error else policy


def gap_of(experiment: Experiment, player: Policy, blocks: int, storage: Storage) -> dict[str, Estimate]:
    """What line-up A, played by `player`, has more than C at the same table, over all arrangements, by outcome.

    Points are VP, wins percentage points; the unit is a game number in all arrangements.
    """

    def play(facts: Mapping[str, Any]) -> dict[str, np.ndarray]:
        parts = []
        for way in ways_of(experiment.players):
            setting = experiment.changed(lineups=way).components()
            better, policies = way.index(BETTER), list(setting.policies)
            policies[better] = player
            arena = replace(setting, policies=tuple(policies)).arena(experiment.seed)
            gap = partial(_gap, better=better, worse=way.index(WORSE))
            batches = in_batches(arena, range(facts["blocks"]), gap, workers=storage.workers)
            parts.append(np.concatenate(batches, axis=1))
        return dict(zip(OUTCOMES, np.mean(parts, axis=0), strict=True))

    facts = {"experiment": experiment, "player": player.identity(), "blocks": blocks}
    played = storage.cache.get("line-up by a worse player", facts, play)
    return {name: block_mean(each) for name, each in played.items()}


def _gap(games: Games, better: int, worse: int) -> np.ndarray:
    # Points and wins in per cent of one seat less those of another, float64 [2, games].
    values = np.stack([games.seats("vp"), 100 * games.seats("win")])
    return np.asarray(values[..., better] - values[..., worse])


def level_errors(errors: Sequence[Estimate], sure: Confidence) -> Number:
    """The errors in VP that make both line-ups level, by linear interpolation between ERRORS, with their interval.

    The interval has the errors at which it is not known who has more. Where the largest errors are not enough, the
    value is nan; an end that is not reached is nan, too. No interval for fewer blocks than that needs.
    """
    grid, gaps = np.arange(0.0, ERRORS[-1] + _STEP / 2, _STEP), []
    for error in grid:
        after = min(int(np.searchsorted(ERRORS, error, side="right")), len(ERRORS) - 1)
        share = float(error - ERRORS[after - 1]) / (ERRORS[after] - ERRORS[after - 1])
        gaps.append(combined((1 - share, share), errors[after - 1 : after + 1]))
    value = _first(grid, [each.value <= 0 for each in gaps])
    ends = [each.interval(sure) for each in gaps]
    if any(each is None for each in ends):
        return Number(value, None, errors[0].blocks, sure)
    sides = [side_of(each) for each in ends]
    low, high = _first(grid, [side <= 0 for side in sides]), _first(grid, [side < 0 for side in sides])
    return Number(value, (low, high), errors[0].blocks, sure)


def _first(grid: np.ndarray, holds: Sequence[bool]) -> float:
    return float(grid[holds.index(True)]) if True in holds else nan


def level_in_words(figure: Figure) -> str:
    """The errors in VP that make line-ups A and C level, with their interval, one of whose ends may not be reached."""
    if isnan(figure.low):  # too few blocks, or the largest errors are known not to be enough
        return f"over {ERRORS[-1]:g} VP" if isnan(figure.value) else f"{number(figure.value, 2)} VP"
    if isnan(figure.value):
        return f"at least {number(figure.low, 2)} VP"
    top = f"over {ERRORS[-1]:g}" if isnan(figure.high) else number(figure.high, 2)
    return f"{number(figure.value, 2)} VP ({number(figure.low, 2)} to {top})"


def in_skill(figures: Figures, design: Design) -> Grid:
    """What line-up A has more than C at its table, by the player of line-up A; and which errors make both level."""
    plays, tower, words = [cell.play for cell in tables_of(design)], design.towers[0], []
    of = partial(figures.of, players=HEAD_SIZE, tower=tower)
    level = {(what, play): level_in_words(of(f"errors-that-level-A-and-C-in-{what}", play=play))
             for what in OUTCOMES for play in plays}  # fmt: skip
    known = {error: side_of(of("A-less-C-in-points", with_errors(error), play=MIDDLING).ends)
             for error in ERRORS if MIDDLING in plays}  # fmt: skip
    enough = [error for error, side in known.items() if side > 0 and error > 0]
    if enough and (too_much := [error for error, side in known.items() if side < 0]):
        more, less = (f"`{MIDDLING_POLICY}-noise-{round(10 * error):02}`" for error in (max(enough), min(too_much)))
        words.append(f"In middling play that is more than the gap from `{MIDDLING_POLICY}` to {more}, and less than "
                     f"that to {less}.")  # fmt: skip
    weaker = {play: of("A-less-C-in-wins", WEAKER_PLAYER, play=play) for play in plays}
    for sign, told in ((-1, "less than"), (0, "not distinguishable from"), (1, "more than")):
        if there := [play for play, gap in weaker.items() if side_of(gap.ends) == sign]:
            words.append(f"In wins it is {told} the gap to the next weaker play in {listed(there, 'and')} play.")
    rows = [Line(f"{error:g} VP" if error else "none", {"item": with_errors(error)}) for error in ERRORS]
    rows += [Line("the next weaker play", {"item": WEAKER_PLAYER}),
             Line(f"{BETTER} and {WORSE} are level at", texts=list(level.values()))]  # fmt: skip
    columns = [Line(f"{head}, {play}", {"quantity": f"A-less-C-in-{what}", "play": play}, estimate(decimals, "+"))
               for what, head, decimals in (("points", "VP", 2), ("wins", "wins, % points", 1))
               for play in plays]  # fmt: skip
    levels = ", ".join(f"{level['points', play]} in {play} play" for play in plays)
    return Grid(f"added errors of {BETTER}", rows, columns, {"players": HEAD_SIZE, "tower": tower}, under=held_together(
        f"What line-up {BETTER} has more than {WORSE} at the same table, where the player with {BETTER} judges every "
        "option with added random errors of this standard deviation, or is of the next weaker play, and all others "
        f"play as named. In points, {BETTER} instead of {WORSE} makes up for errors of {levels}. {' '.join(words)} The "
        f"next weaker play of each column: {', '.join(f'{WEAKER[play]} ({play})' for play in plays)}. Both line-ups "
        "are level where the gap is 0 by linear interpolation; in brackets the errors at which it is not known who has "
        f"more. {blocks_of(design) * block_size(HEAD_SIZE):,} game numbers in {2 * HEAD_SIZE} arrangements, seed "
        f"{weaker[plays[0]].seed}, tower {tower}; the ± are half-widths of {{family}} simultaneous {{level}} "
        "intervals."))  # fmt: skip
