"""Search for fairer line-ups: a handicap, other Thalers, an exchange of counties or army groups, or two of these.

    .ci/maker mends results/search --into analyses/lineups/mends.toml
    .ci/maker mends docs/examples --ready

Method. Casual and strong bots have fixes of their own for each number of players. The goal is the least imbalance under
the worst of three towers. The handicap, in whole points, is read off printed games. Thalers are found by a stochastic
Newton iteration: each step plays games of its own, the wins that a Thaler brings are fitted to all steps so far, and
the next step is where the fit is level; the whole Thalers around the last step then race. Exchanges race by points,
which vary less than wins. One ranking has those that are level alone, another those whose line-ups are alike under all
towers, so that a handicap levels them. The pairs are the best Thalers and the best exchanges with a handicap, and the
best exchange with Thalers; where none of these is well below the limit, also the best exchange of counties with one of
army groups, or the other way round. The Thalers of all line-ups together stay as printed. The seed is not that of the
study `lineups`, which judges the fixes. With --ready nothing is played: the fixes that the published study calls fair
are written as experiment files.
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
    FIXED,
    FIXED_PLAYS,
    PAIR,
    POINTS,
    SEED,
    SIZES,
    THALERS,
    Fix,
    Played,
    cells_of,
    searched,
    worst,
)
from wallsim.analyses.lineups.study import STUDY, ready_files
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
from wallsim.studies.register import read_register

_VP_PER_THALER = 0.4  # for the first step only; those that follow rest on the games played
SAFE = 0.8 * FIXED  # percentage points: an imbalance that new games will hardly bring above the limit
_HEAD = """\
# Fixes of the line-ups, as the search found them:
#
#     .ci/maker mends results/search --into analyses/lineups/mends.toml
#
# The study `lineups` judges them on games of another seed. `points` are those of a handicap by line-up.
"""
Report = Callable[[str], None]
# How a race is run: blocks of the first stage, how many times more in each that follows, and the part that goes on.
Stages = tuple[int, int, float]


class Budget(NamedTuple):
    """Blocks of 6 numbers a player: of games that imbalances and handicaps are read off, of a step; and the races.

    `read` is by the number of players. `last` are the exchanges of each ranking that the races leave.
    """

    read: tuple[tuple[int, int], ...] = ((3, 100), (4, 50), (5, 30))
    step: int = 8
    steps: int = 5
    near: Stages = (8, 4, 0.2)
    exchanges: Stages = (2, 4, 0.06)
    last: int = 3


FULL, QUICK = Budget(), Budget(((3, 3), (4, 3), (5, 3)), 1, 2, (1, 2, 0.05), (1, 2, 0.002), 1)


class Course:
    """Towers under which set-ups are played side by side, on the same games, by one kind of bots.

    `done` are the blocks that races and steps have played; each plays numbers of its own.
    """

    def __init__(self, players: int, cells: Sequence[Cell], workers: int | None = None) -> None:
        """The course of some cells."""
        experiments = [searched(players, cell) for cell in cells]
        self.players, self.play = players, cells[0].play
        self.first, self.workers, self.done = experiments[0], checked_workers(workers), 0
        self.bases = [(each.components().arena(SEED), each.components().board) for each in experiments]

    def played(self, fixes: Sequence[Fix], blocks: range, ways: Sequence[int] = ()) -> list[list[Played]]:
        """The games of the line-ups with each fix under every tower, in all arrangements or in some of them."""
        setups = [self.first.changed(**each.changes(load_board())).ruleset() for each in fixes]
        tasks, step = product(setups, range(len(self.bases))), len(self.bases)
        result = list(in_parallel(partial(_played, self.bases, blocks, ways), tasks, self.workers))
        return [result[at : at + step] for at in range(0, len(result), step)]

    def read(self, fixes: Sequence[Fix], blocks: int) -> list[list[Played]]:
        """The games that imbalances are read off: the first numbers, in all arrangements."""
        return self.played(fixes, range(blocks))

    def shares(self, fix: Fix, blocks: int) -> np.ndarray:
        """The shares of wins in the next blocks in per cent, float64 [towers, line-ups]."""
        [games] = self.played([fix], self._following(blocks))
        return np.array([each.shares() for each in games])

    def above(self, fixes: Sequence[Fix], blocks: int) -> np.ndarray:
        """The points above the table's mean in the next blocks, float64 [fixes, towers, line-ups].

        Played are two arrangements, one the mirror image of the other: seats hardly matter.
        """
        played = self.played(fixes, self._following(blocks), (0, self.players))
        points = np.array([[games.vp.mean(axis=(0, 1)) for games in towers] for towers in played])
        return np.asarray(points - points.mean(axis=2, keepdims=True))

    def _following(self, blocks: int) -> range:
        self.done += blocks
        return range(self.done - blocks, self.done)


def _played(
    bases: Sequence[tuple[Arena, Board]], blocks: range, ways: Sequence[int], setup: Ruleset, tower: int
) -> Played:
    return it.played(*bases[tower], setup, blocks, ways=ways)


def _in_words(games: Sequence[Played], fix: Fix) -> str:
    return ", ".join(f"{each.imbalance(fix.points).value:.1f}" for each in games)


def uneven(above: np.ndarray) -> float:
    """How uneven points are under the worst tower: the mean square over the line-ups, of points [towers, line-ups]."""
    return float((above**2).mean(axis=1).max())


def uneven_with_handicap(above: np.ndarray) -> float:
    """The same with the handicap that levels the line-ups best, the same under all towers."""
    return uneven(above - (above.max(axis=0) + above.min(axis=0)) / 2)


def race(
    course: Course, tried: Sequence[Fix], stages: Stages, report: Report, *, last: int = 1,
    rankings: Sequence[Callable[[np.ndarray], float]] = (uneven,),
) -> list[list[Fix]]:  # fmt: skip
    """Successive halving: the `last` fixes of each ranking by their points, the best first, judged by all games."""
    left, totals = list(range(len(tried))), np.zeros((len(tried), len(course.bases), course.players))
    (blocks, growth, kept), played = stages, 0
    while True:
        totals[left] += course.above([tried[each] for each in left], blocks) * blocks
        played += blocks
        means = totals / played
        orders = [sorted(left, key=[rank(each) for each in means].__getitem__) for rank in rankings]
        report(f"  {len(left)} set-ups, {blocks} blocks")
        keep = max(last, int(len(left) * kept))
        following = list(dict.fromkeys(each for order in orders for each in order[:keep]))
        if keep == last:
            return [[tried[each] for each in order[:last]] for order in orders]
        left, blocks = following, blocks * growth


def fixes_text(fixes: Sequence[Fix], facts: Mapping[str, object]) -> str:
    """The file's text; `facts` say where it comes from."""
    parts = [_HEAD, *(toml_line(name, value) for name, value in facts.items())]
    for each in fixes:
        parts += ["", "[[mends]]", *(toml_line(name, value) for name, value in each._asdict().items() if value != ())]
    return "\n".join(parts) + "\n"


def facts(budget: Budget) -> dict[str, object]:
    """Where the fixes come from, as the file says it, with a hash of everything that decides them."""
    tables = product(SIZES, FIXED_PLAYS)
    hashes = [searched(size, cell).hash(with_games=True) for size, play in tables for cell in cells_of(play)]
    return {
        "seed": SEED, "engine_version": engine_version(),
        "experiment": identity_hash({"experiments": hashes, "budget": budget}),
    }  # fmt: skip


def search(course: Course, budget: Budget, report: Report = print) -> list[Fix]:
    """The best fix of each kind for some bots: a handicap, Thalers, an exchange, and two changes."""
    board, start, read = load_board(), Fix(course.players, course.play, POINTS), dict(budget.read)[course.players]
    report(f"{course.players} players, {course.play} bots")
    [printed] = course.read([start], read)
    handicap = start.with_points(it.handicap_of(printed))
    report(f"  printed: {_in_words(printed, start)}")
    thalers = thalers_of(course, start._replace(kind=THALERS), handicap.points, budget, report)
    counties, groups = (it.exchanges(board, course.players, course.play, of_groups) for of_groups in (False, True))
    alone, levelled = race(course, [*counties, *groups], budget.exchanges, report, last=budget.last,
                           rankings=(uneven, uneven_with_handicap))  # fmt: skip
    known = list(dict.fromkeys((thalers, *alone, *levelled)))
    games = dict(zip(known, course.read(known, read), strict=True))
    exchange = min((*alone, *levelled), key=lambda each: worst(games[each]))
    levels = {each: it.handicap_of(played) for each, played in games.items()}
    pairs = {each.with_points(points): games[each] for each, points in levels.items() if any(points)}
    others = [thalers_of(course, exchange._replace(kind=PAIR), levels[exchange], budget, report)]
    if worst(games[exchange]) > SAFE and all(worst(played, each.points) > SAFE for each, played in pairs.items()):
        beside = [exchange.beside(each) for each in (groups if exchange.counties else counties)]
        [best] = race(course, [each for each in beside if each], budget.exchanges, report, last=budget.last)
        others += best
    pairs |= zip(others, course.read(others, read), strict=True)
    pair = min(pairs, key=lambda each: worst(pairs[each], each.points))
    result = {handicap: printed, thalers: games[thalers], exchange: games[exchange], pair: pairs[pair]}
    for each, played in result.items():
        report(f"  {each.kind}: {each.in_words(board)}: {_in_words(played, each)}")
    return list(result)


def thalers_of(course: Course, fix: Fix, handicap: Sequence[int], budget: Budget, report: Report) -> Fix:
    """The fix with the Thalers at the start by line-up that level the wins most.

    `handicap` has the victory points from which the first step follows.
    """
    size, printed = course.players, PRINTED[start_thalers_name(course.players)]
    tried, result = [np.zeros(size)], []
    lead = (np.array(handicap) - np.mean(handicap)) / _VP_PER_THALER
    for step in range(budget.steps):
        each = fix._replace(thalers=whole(tried[-1], printed))
        result.append(course.shares(each, budget.step))
        report(f"  Thalers {each.thalers}: {result[-1].mean(axis=0).round(1).tolist()}")
        following = lead if step == 0 else next_step(np.array(tried), np.array(result))
        tried.append(bounded_thalers(following, printed))
    around = dict.fromkeys(_around(whole(tried[-1], printed)))
    around.pop((printed,) * size, None)  # which changes nothing
    [[best]] = race(course, [fix._replace(thalers=each) for each in around], budget.near, report)
    return best


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
    slope = max(0.1, float(across / moved)) if (moved := (weights * (tried - centre) ** 2).sum()) > 0 else 1.0
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
    parser.add_argument("folder", type=Path, help="the folder of the log, or of the experiments")
    parser.add_argument("--into", type=Path, help="the file of the fixes; default: mends.toml in the folder")
    parser.add_argument("--ready", action="store_true", help="write the published fixes there, as experiments")
    parser.add_argument("--quick", action="store_true", help="few games, to try the command")
    parser.add_argument("--workers", type=int, help="threads (default: one per core)")
    args = parser.parse_args(argv)
    try:
        if args.ready:
            write_ready(args.folder)
        else:
            _search_into(args.folder, args.into or args.folder / it.FIXES.name, args.quick, args.workers)
    except KeyboardInterrupt:
        print("Interrupted: nothing is stored.", file=sys.stderr)
        return 130
    except (WallsimError, OSError) as error:
        print(escaped(str(error)), file=sys.stderr)
        return getattr(error, "exit_status", 1)
    return 0


def write_ready(folder: Path) -> None:
    """Write the fixes that the published study calls fixed as experiment files, and remove those of others."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; name that of the experiments, docs/examples")
    files = ready_files(read_register(STUDY.name))
    for old in set(folder.glob("fair-*p-*.toml")) - {folder / name for name in files}:
        old.unlink()
    for name, text in files.items():
        write_whole(folder / name, text.encode())


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

    courses = (Course(players, cells_of(play), workers) for players, play in product(SIZES, FIXED_PLAYS))
    fixes = [fix for course in courses for fix in search(course, budget, report)]
    write_whole(into, fixes_text(fixes, facts(budget)).encode())
    write_whole(folder / "search.log", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
