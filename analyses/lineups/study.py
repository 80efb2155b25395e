"""Line-ups: which line-ups win, at which seats, and what makes them fair?

Method. A cell is a play (all seats alike, from weak to two lines of strong play) under a tower calibration. Every game
number is played in all arrangements of the line-ups over the seats, the rotations and their mirror images: that is a
block, the unit of all errors. All versions of the line-ups, as printed and with the mends of `mends.toml`, are
played on the same numbers; a handicap in victory points is added at the end of printed games. The mends were found by
`search.py` on games of another seed, under two plays and two towers, and are judged here in all cells. Wins are
those of a cell or the mean of cells, each with the same weight, with Student's t intervals. With --quick there are
two cells of four players, and --games is the game numbers of each cell.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from wallsim.analysis.claims.plays import plays_in_words
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.estimates import number, of_estimate
from wallsim.rules.board import load_board
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.study import Judged, Page, Study, Told

from .estimates import (
    CLAIMS,
    EXPERIMENT,
    HEAD_SIZE,
    LEADER,
    NEAR,
    Design,
    Lineups,
    OfSize,
    claim_outcomes,
    design_of,
    identity,
    less_spread,
    play,
)
from .games import letters_of
from .mends import PRINTED
from .page import (
    best_of,
    borders_table,
    claimed,
    claims_table,
    handicap_table,
    land_table,
    mean_of,
    own_handicaps,
    pool_of,
    printed_table,
    seats_table,
    spread_table,
    spreads,
    versions_table,
)
from .picture import Panel, wins_by_version

MARK = "lineups figures"
_TOP = 100.0


def told(found: Lineups, design: Design) -> Told:
    """The page and the picture."""
    return Told(Page({MARK: figures(found)}), lambda: picture(found))


def figures(found: Lineups) -> str:
    """All tables with the answer above them."""
    head = found.sizes[HEAD_SIZE]
    parts = [games_played(found), answer_words(found), versions_table(found), spread_table(found)]
    parts += [handicap_table(found), "The handicap that levels the games of each cell alone:", own_handicaps(head)]
    parts += [printed_table(found, size, points=points) for size in found.sizes.values() for points in (False, True)]
    parts += [seats_table(found), borders_table(found), land_table(found)]
    parts += [claims_table(found.sizes[players], judged) for players, judged in judge_claims(found).items()]
    return "\n\n".join(parts)


def games_played(found: Lineups) -> str:
    """What was played, and what the numbers rest on."""
    design, experiment = found.design, load_experiment(EXPERIMENT)
    quick = "A quick look, in few cells and games: no claim is judged as the study does. " if design.quick else ""
    each = "; ".join(
        f"{players} players: {len(size.cells)} cells of {design.numbers(players):,} game numbers in "
        f"{2 * players} arrangements, {len(size.versions) - 1} times" for players, size in found.sizes.items()
    )  # fmt: skip
    plays = "; ".join(f"with {players} players {plays_in_words(design.plays_of(players))}" for players in found.sizes)
    return (
        f"{quick}{each} (the handicap needs no games). Seed {experiment.seed}, engine version {ENGINE_VERSION}. "
        f"Plays: {plays}. Towers: {', '.join(f'`{tower}`' for tower in design.towers)}."
    )


def answer_words(found: Lineups) -> str:
    """The answer: who wins, what levels most, and what a group could do."""
    judged = judge_claims(found)
    return "\n\n".join(_answer(size, judged[players]) for players, size in found.sizes.items())


def _answer(size: OfSize, judged: Robustness) -> str:
    board, cells = load_board(), len(size.cells)
    shares = pool_of(size, PRINTED).shares
    sure = Confidence(LEVEL, size.players)
    wins = ", ".join(f"{letter} {of_estimate(share, sure, 1, _TOP)}" for letter, share in shares.items())
    best = best_of(size)
    before, after = (mean_of(list(spreads(size, kind).values())).value for kind in (PRINTED, best))
    verdict = next(each for each in judged.verdicts if each.claim.outcome == less_spread(best))
    others = [
        f"{kind}, {size.mends[kind].in_words(board)} ({_furthest(size, kind)})" for kind in size.mends if kind != best
    ]
    return (
        f"**{size.players} players.** Of all games the line-ups win {wins} %; {number(100 / size.players, 1)} is fair. "
        f"The least spread of wins is that of the {best}: {size.mends[best].in_words(board)}. With it the spread falls "
        f"from {number(before, 1)} to {number(after, 1)} percentage points in the mean of {cells} cells "
        f"({_furthest(size, best)}), and it is known to fall in {len(verdict.where('holds'))} of them. The others: "
        f"{'; '.join(others)}. In brackets is the share furthest from fair with all cells taken together; what is not "
        f"level there is only the closest that was found, and so is every mend in single cells."
    )


def _furthest(size: OfSize, kind: str) -> str:
    away = {letter: share.value - 100 / size.players for letter, share in pool_of(size, kind).shares.items()}
    letter = max(away, key=lambda each: abs(away[each]))
    return f"{letter} {number(away[letter], 1, '+')}{', level' if abs(away[letter]) <= NEAR else ''}"


def judge_claims(found: Lineups) -> dict[int, Robustness]:
    """CLAIMS judged in all cells, by number of players; that of line-up A with four players only."""
    judged = {}
    for players, size in found.sizes.items():
        claims = [claim for claim in CLAIMS if players == HEAD_SIZE or claim.outcome != LEADER]
        judged[players] = robustness(claims, claimed(size), found.design.plays_of(players))
    return judged


def picture(found: Lineups) -> Figure:
    """Wins by line-up as printed and mended, a mark for each cell."""
    return wins_by_version(*drawn(found))


def drawn(found: Lineups) -> tuple[list[list[Panel]], list[str], list[str], float, str]:
    """What the picture shows: panels by number of players and version, plays, towers, the limit, and the title."""
    rows = [[_panel(size, kind) for kind in size.versions] for size in found.sizes.values()]
    names = [play.name for play in found.design.plays_of(HEAD_SIZE)]
    numbers = ", ".join(f"{found.design.numbers(players):,} with {players} players" for players in found.sizes)
    title = f"A mark is a play under a tower; bars are the mean of all. Game numbers in every arrangement: {numbers}"
    return rows, names, list(found.design.towers), NEAR, title


def _panel(size: OfSize, kind: str) -> Panel:
    wins = {
        letter: {(cell.play, cell.tower): here[kind].shares[letter].value for cell, here in size.cells.items()}
        for letter in letters_of(size.players)
    }
    return Panel(f"{size.players} players, {kind}", wins)


STUDY = Study(
    __file__, __doc__, design_of, identity, play, told=told, marks=(MARK,),
    judged=(Judged(CLAIMS, claim_outcomes, setups=("lineup",)),),
    games="game numbers in every cell instead of the study's",
)  # fmt: skip
