"""Search for fairer line-ups: a handicap in points, other Thalers at the start, and one exchange of counties or armies.

    .ci/maker mends results/search --into analyses/lineups/mends.toml

Method. The course is middling and strong play under two towers. The handicap is read off printed games, and levels the
wins of all cells of the course together. What the other searches seek is the set-up whose shares of wins deviate least
from the fair share, by the mean square over the line-ups and cells. Thalers are found by a stochastic Newton iteration:
each step plays games of its own, the wins that a Thaler brings are fitted to all steps so far, and the next step is
where the fit is level; the whole Thalers around the last step then race. Of exchanges all are played, and the most even
fifth goes on to a stage of thrice as many games, until one is left. The Thalers of all line-ups together stay as
printed. The seed is not that of the study `lineups`. On two idle cores it takes about five minutes.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analyses.lineups import games as it
from wallsim.analyses.lineups.games import (
    PLAYS,
    POINTS,
    READ,
    SEED,
    SIZES,
    TOWERS,
    Adjustment,
    Played,
    cells_of,
    searched,
    unevenness,
)
from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.errors import InputError, WallsimError
from wallsim.escaping import escaped, toml_line
from wallsim.experiment.identity import engine_version, identity_hash
from wallsim.folder.commit import write_whole
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.rules.amounts import PRINTED, start_thalers_name
from wallsim.rules.board import Board, load_board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import MAX_THALERS

_VP_PER_THALER = 0.4  # for the first step only; those that follow rest on the games played
_HEAD = """\
# Mends of the line-ups, as the search found them:
#
#     .ci/maker mends results/search --into analyses/lineups/mends.toml
#
# The study `lineups` confirms them on games of another seed. `halves` are half victory points by line-up.
"""
Report = Callable[[str], None]
# How a race is run: blocks of the first stage, how many times more in each that follows, and the part that goes on.
Stages = tuple[int, int, float]


class Budget(NamedTuple):
    """Blocks of 6 numbers a player: of the games that the handicap is read off, and of each step; and the races."""

    read: int = READ
    step: int = 16
    steps: int = 7
    near: Stages = (4, 4, 0.2)
    exchanges: Stages = (1, 3, 0.2)


FULL, QUICK = Budget(), Budget(4, 2, 3, (1, 2, 0.1), (1, 2, 0.02))


class Course:
    """Cells in which set-ups are played side by side, on the same games: they differ in policies and tower only.

    `done` are the blocks that races and steps have played; each plays numbers of its own.
    """

    def __init__(self, players: int, cells: Sequence[Cell], workers: int | None = None) -> None:
        """The course of some cells."""
        experiments = [searched(players, cell) for cell in cells]
        self.players, self.first, self.workers = players, experiments[0], checked_workers(workers)
        self.cells, self.done = [each.components() for each in experiments], 0

    def played(self, adjustments: Sequence[Adjustment], blocks: range) -> list[list[Played]]:
        """The games of the line-ups with each adjustment in every cell: `blocks` of 6 numbers a player."""
        bases, step = [(cell.arena(SEED), cell.board) for cell in self.cells], len(self.cells)
        setups = [self.first.changed(**each.changes(load_board())).ruleset() for each in adjustments]
        tasks = product(setups, range(step))
        result = list(in_parallel(partial(_played, bases, blocks), tasks, self.workers))
        return [result[at : at + step] for at in range(0, len(result), step)]

    def shares(self, adjustments: Sequence[Adjustment], blocks: int) -> np.ndarray:
        """The shares of wins in the next blocks in per cent, float64 [adjustments, cells, line-ups]."""
        self.done += blocks
        played = self.played(adjustments, range(self.done - blocks, self.done))
        return np.array([[games.shares() for games in cells] for cells in played])


def _played(bases: Sequence[tuple[Arena, Board]], blocks: range, setup: Ruleset, cell: int) -> Played:
    return it.played(*bases[cell], setup, blocks)


def _in_words(shares: np.ndarray) -> str:
    return f"{shares.mean(axis=0).round(1).tolist()} (unevenness {unevenness(shares):.1f})"


def race(course: Course, tried: Sequence[Adjustment], stages: Stages, report: Report) -> Adjustment:
    """Successive halving: which adjustment is most even over the course, each judged by all of its games."""
    left, totals = list(range(len(tried))), np.zeros((len(tried), len(course.cells), course.players))
    (blocks, growth, kept), played = stages, 0
    while True:
        totals[left] += course.shares([tried[each] for each in left], blocks) * blocks
        played += blocks
        left.sort(key=lambda each: unevenness(totals[each] / played))
        report(f"  {len(left)} set-ups, {blocks} blocks: {_in_words(totals[left[0]] / played)}")
        if len(left) == 1:
            return tried[left[0]]
        left = left[: max(1, int(len(left) * kept))]
        blocks *= growth


def adjustments_text(adjustments: Sequence[Adjustment], facts: Mapping[str, object]) -> str:
    """The file's text; `facts` say where it comes from."""
    parts = [_HEAD, *(toml_line(name, value) for name, value in facts.items())]
    for each in adjustments:
        parts += ["", "[[mends]]", *(toml_line(name, value) for name, value in each._asdict().items() if value != ())]
    return "\n".join(parts) + "\n"


def facts(budget: Budget) -> dict[str, object]:
    """Where the adjustments come from, as the file says it, with a hash of everything that decides them."""
    hashes = [searched(players, cell).hash(with_games=True) for players in SIZES for cell in cells_of(players)]
    return {
        "seed": SEED, "engine_version": engine_version(), "plays": PLAYS, "towers": TOWERS, "read": budget.read,
        "experiment": identity_hash({"experiments": hashes, "budget": budget}),
    }  # fmt: skip


def search(players: int, budget: Budget, workers: int | None = None, report: Report = print) -> list[Adjustment]:
    """All adjustments for a number of players."""
    course, board = Course(players, cells_of(players), workers), load_board()
    report(f"{players} players: {len(course.cells)} cells")
    [read] = course.played([Adjustment(players, POINTS)], range(budget.read))
    halves = it.handicap_of(read)
    printed, levelled = (np.array([games.shares(each) for games in read]) for each in (None, halves))
    report(f"  printed {_in_words(printed)}; with the handicap {_in_words(levelled)}")
    result = [Adjustment(players, POINTS, halves=halves), thalers_of(course, budget, halves, report)]
    for kind in (it.COUNTIES, it.GROUPS):
        result.append(race(course, it.exchanges(board, players, kind), budget.exchanges, report))
    for each in result:
        report(f"  {each.kind}: {each.in_words(board)}")
    return result


def thalers_of(course: Course, budget: Budget, halves: Sequence[int], report: Report) -> Adjustment:
    """The Thalers at the start by line-up that level the wins most.

    `halves` is the handicap in half victory points from which the first step follows.
    """
    size, printed = course.players, PRINTED[start_thalers_name(course.players)]
    tried, result = [np.zeros(size)], []
    lead = (np.array(halves) - np.mean(halves)) / 2 / _VP_PER_THALER
    for step in range(budget.steps):
        each = Adjustment(size, it.THALERS, thalers=whole(tried[-1], printed))
        result.append(course.shares([each], budget.step)[0])
        report(f"  Thalers {each.thalers}: {_in_words(result[-1])}")
        following = lead if step == 0 else next_step(np.array(tried), np.array(result))
        tried.append(bounded_thalers(following, printed))
    around = dict.fromkeys(_around(whole(tried[-1], printed)))
    return race(course, [Adjustment(size, it.THALERS, thalers=each) for each in around], budget.near, report)


def next_step(tried: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Where a line through the steps so far is level: Thalers above the printed ones by line-up, adding up to zero.

    `tried` are the Thalers above the printed ones [steps, line-ups], `result` the shares of wins [steps, cells,
    line-ups]. The fit has a share of its own for each line-up and one slope for all, as in a regression with fixed
    effects; what it misses is looked for around the latest steps, which weigh most.
    """
    away = result.mean(axis=1) - 100 / result.shape[2]
    weights = 0.5 ** np.arange(len(tried))[::-1, None]
    centre = (weights * tried).sum(axis=0) / weights.sum()
    level = (weights * away).sum(axis=0) / weights.sum()
    across = (weights * (tried - centre) * (away - level)).sum()
    slope = max(0.1, float(across / (weights * (tried - centre) ** 2).sum()))
    step = centre - level / slope
    return np.asarray(step - step.mean())


def bounded_thalers(above: np.ndarray, printed: int) -> np.ndarray:
    """Thalers above the printed ones that keep each start within the rules, still adding up to zero."""
    for end, least in ((-printed, above.min()), (min(MAX_THALERS, 3 * printed) - printed, above.max())):
        if least / end > 1:
            above = above * (end / least)
    return above


def whole(above: np.ndarray, printed: int) -> tuple[int, ...]:
    """Whole Thalers whose sum stays as printed: the largest remainders are rounded up."""
    low = np.floor(above).astype(int)
    low[np.argsort(-(above - low), kind="stable")[: -low.sum()]] += 1
    return tuple(int(each) + printed for each in low)


def _around(thalers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield thalers
    for (giver, taker), amount in product(permutations(range(len(thalers)), 2), (1, 2)):
        passed = [each + amount * ((at == taker) - (at == giver)) for at, each in enumerate(thalers)]
        if 0 <= min(passed) and max(passed) <= MAX_THALERS:
            yield tuple(passed)


class _Parser(ArgumentParser):
    # Its messages show the control characters of arguments as escapes.
    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(escaped(message), file)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the search with command-line arguments; returns the exit status.

    It is 2 for invalid input, which is detected before any game, 1 if playing or writing failed, 130 after Ctrl-C.
    """
    parser = _Parser(".ci/maker mends", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of the log")
    parser.add_argument("--into", type=Path, help="the file of the adjustments; default: mends.toml in the folder")
    parser.add_argument("--quick", action="store_true", help="few games, to try the command")
    parser.add_argument("--workers", type=int, help="threads (default: one per core)")
    args = parser.parse_args(argv)
    try:
        _search_into(args.folder, args.into or args.folder / it.ADJUSTMENTS.name, args.quick, args.workers)
    except KeyboardInterrupt:
        print("Interrupted: nothing is stored.", file=sys.stderr)
        return 130
    except (WallsimError, OSError) as error:
        print(escaped(str(error)), file=sys.stderr)
        return getattr(error, "exit_status", 1)
    return 0


def _search_into(folder: Path, into: Path, quick: bool, workers: int | None) -> None:
    checked_workers(workers)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; name a folder for the log")
    if into.is_dir():
        raise InputError(f"--into: {into}: is a folder; name a file")
    folder.mkdir(parents=True, exist_ok=True)
    if not into.parent.is_dir():
        raise InputError(f"--into: {into.parent}: is no folder; create it first")
    budget, lines = QUICK if quick else FULL, list[str]()

    def report(line: str) -> None:
        lines.append(line)
        print(escaped(line), flush=True)

    adjustments = [adjustment for players in SIZES for adjustment in search(players, budget, workers, report)]
    write_whole(into, adjustments_text(adjustments, facts(budget)).encode())
    write_whole(folder / "search.log", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
