"""The pages of the study `lineups`: the finding, all tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words, number, of_estimate
from wallsim.rules.board import load_board
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures, figure_id
from wallsim.studies.study import Page

from ..robustness.answers import claims_table
from .adjustments import COUNTIES, PRINTED, after_exchange
from .estimates import EXPERIMENT, HEAD_SIZE, NEAR, Design, adjustments_of, experiment_of
from .families import (
    claims,
    groups,
    sure_of_borders,
    sure_of_handicaps,
    sure_of_land,
    sure_of_levels,
    sure_of_printed,
    sure_of_seats,
    sure_of_spreads,
    sure_of_versions,
    versions,
)
from .figures import (
    ABOVE,
    AGAIN,
    FOREIGN,
    FRESH,
    FRESH_TEST,
    HANDICAP,
    LAND,
    LAND_POINTS,
    NEIGHBOUR_TEST,
    OTHERS,
    OWN_HANDICAP,
    POOLED,
    READ,
    READ_AGAIN,
    SEAT_POINTS,
    SEAT_TEST,
    SEAT_WINS,
    SPREAD,
    SPREADS,
    UNSEEN,
    WINS,
    WORTH,
    borders_with,
    feature_item,
    item,
    land_item,
    of_cell,
    seat_item,
)
from .finding import TABLES, finding_of, spreads_by_table
from .games import letters_of
from .judgement_table import judgement_table
from .neighbours import FEATURES
from .neighbours import OTHERS as WITH_OTHERS
from .picture import Panel, wins_by_version
from .search import FULL, SEED

_TOP = 100.0


def page(figures: Figures, design: Design) -> Page:
    """The finding with the spread of wins at each table, and all tables."""
    parts = [games_played(design)]
    parts += [spreads_by_table(figures, design, players) for players in design.sizes if players != HEAD_SIZE]
    parts += [versions_table(figures, design), spread_table(figures, design), handicap_table(figures, design)]
    parts += ["The handicap that levels the games of each cell alone:", own_handicaps(figures, design, HEAD_SIZE)]
    parts += [
        printed_table(figures, design, players, points=points) for players in design.sizes for points in (False, True)
    ]
    parts += [
        judgement_table(figures, design),
        seats_table(figures, design),
        borders_table(figures, design),
        land_table(figures, design),
    ]
    parts += [judged_claims(figures, design, players) for players in design.sizes]
    return Page(finding_of(figures, design), spreads_by_table(figures, design), "\n\n".join(parts))


def games_played(design: Design) -> str:
    """What was played, and what the numbers rest on."""
    experiment = load_experiment(EXPERIMENT)
    quick = "A quick look, in few cells and games: no claim is judged as the study does. " if design.quick else ""
    each = "; ".join(
        f"{players} players: {len(design.cells(players))} cells of {design.numbers(players):,} game numbers in "
        f"{2 * players} arrangements, {len(versions(players)) - 1} times" for players in design.sizes
    )  # fmt: skip
    plays = "; ".join(f"with {players} players {plays_in_words(design.plays_of(players))}" for players in design.sizes)
    return (
        f"{quick}{each} (the handicap needs no games). Seed {experiment.seed}, engine version {ENGINE_VERSION}. "
        f"Plays: {plays}. Towers: {', '.join(f'`{tower}`' for tower in design.towers)}."
    )


def under(design: Design, sure: Confidence, sizes: Sequence[int] | None = None) -> str:
    """The line under a table: blocks, level, and the assumed data that it rests on."""
    selected = design.sizes if sizes is None else sizes
    each = {players: design.numbers(players) for players in selected}
    blocks = ", ".join(f"{count:,} with {players} players" for players, count in each.items())
    fewest = min(each.values())
    few = f" {sure.too_few(fewest, 'blocks')}" if fewest < sure.min_blocks else ""
    return (
        f"Blocks in every cell: {blocks}; the ± are half-widths of {sure.n_comparisons:,} simultaneous {LEVEL:.0%} "
        f"intervals.{few}{_assumed(design, selected)}"
    )


def _assumed(design: Design, sizes: Iterable[int]) -> str:
    words = []
    for players in sizes:
        assumed = experiment_of(players, design.cells(players)[0]).components().assumed()
        words += [f"{players} players, {each}" for each in assumed]
    return f" Assumed, not printed: {'; '.join(words)}." if words else ""


def versions_table(figures: Figures, design: Design) -> str:
    """One row per line-up: its wins over all cells, as printed and with each adjustment, side by side."""
    kinds = list(dict.fromkeys(kind for players in design.sizes for kind in versions(players)))
    sure, rows = sure_of_versions(design), []
    for players in design.sizes:
        for letter in letters_of(players):
            each = [of_all_cells(figures, POOLED, item(letter, kind), players) for kind in kinds]
            rows.append((str(players), letter, number(100 / players, 1), *(_share(one, sure) for one in each)))
    heads = ("players", "line-up", "fair, %", *(f"wins, %, {kind}" for kind in kinds))
    return f"{markdown_table(heads, rows)}\n\nThe mean of all cells. {under(design, sure)}"


def _share(figure: Figure | None, sure: Confidence) -> str:
    return of_estimate(figure, sure, 1, _TOP)


def spread_table(figures: Figures, design: Design) -> str:
    """One row per version: what it is, the spread of wins in the cells, and how many cells are level."""
    sure, each = sure_of_spreads(design), sure_of_levels(design)
    board, rows = load_board(), []
    for players in design.sizes:
        adjustments = adjustments_of(players)
        for kind in versions(players):
            values = [spread.value for spread in figures.cells(SPREAD, kind, players=players).values()]
            means = [of_all_cells(figures, quantity, kind, players) for quantity in (SPREADS, UNSEEN, FOREIGN)]
            levels = [is_level(wins_in(figures, players, kind, cell), players, each) for cell in design.cells(players)]
            rows.append((
                str(players), kind, adjustments[kind].in_words(board) if kind in adjustments else NOTHING,
                *(of_estimate(mean, sure, 1) for mean in means),
                f"{number(min(values), 1)} to {number(max(values), 1)}",
                f"{levels.count(True)}, {levels.count(False)}, {levels.count(None)}",
            ))  # fmt: skip
    heads = (
        "players", "version", "what changes", "spread of wins, mean of cells", "in cells the search never saw",
        "in cells of which it saw neither play nor tower",
        "least to largest", "cells level, not level, not known",
    )  # fmt: skip
    return (
        f"{markdown_table(heads, rows)}\n\nThe spread of wins is the standard deviation of the line-ups' shares around "
        f"the fair one, in percentage points. A cell is level where every share lies within {NEAR:g} percentage points "
        f"of the fair one; it is said to be level or not where the {each.n_comparisons:,} simultaneous "
        f"intervals of all shares say so. {under(design, sure)}"
    )


def wins_in(figures: Figures, players: int, version: str, cell: Cell) -> dict[str, Figure]:
    """The wins by line-up of a version in a cell."""
    return {
        letter: figures.of(of_cell(version), item(letter, version), players=players, cell=cell)
        for letter in letters_of(players)
    }


def is_level(shares: Mapping[str, Measured], players: int, sure: Confidence) -> bool | None:
    """Whether all shares are within `NEAR` of the fair one, as their intervals say; None where they do not say."""
    away = [share.interval(sure) for share in shares.values()]
    if any(each is None for each in away):
        return None
    ends = [(each[0] - 100 / players, each[1] - 100 / players) for each in away if each is not None]
    if all(-NEAR <= low and high <= NEAR for low, high in ends):
        return True
    return False if any(low > NEAR or high < -NEAR for low, high in ends) else None


def handicap_table(figures: Figures, design: Design) -> str:
    """One row per line-up: the games that the handicap was read from, fresh games of the same cells, and all others."""
    sure = sure_of_handicaps(design)
    rows, again, tests = [], [], []
    for players in design.sizes:
        for letter in letters_of(players):
            columns = [of_all_cells(figures, quantity, letter, players) for quantity in (READ, AGAIN, FRESH, OTHERS)]
            given = figures.of(HANDICAP, letter, players=players).value
            rows.append((str(players), letter, number(given, 1), *(_share(each, sure) for each in columns)))
        read = [figures.of(READ_AGAIN, letter, players=players) for letter in letters_of(players)]
        again.append(f"{players} players {_points(read)}")
        if of_all_cells(figures, FRESH, letters_of(players)[0], players) is not None:
            tests.append(f"with {players} players {_tested(figures, FRESH_TEST, players)}")
    heads = (
        "players", "line-up", "handicap, VP", "games it was read from, as printed", "the same games with it",
        "fresh games of the same cells", "all other cells",
    )  # fmt: skip
    part = ", only a part of which is here" if design.read < FULL.read else ""
    tested = f" Joint tests at 1 % that fresh games have the shares of those read: {'; '.join(tests)}." if tests else ""
    return (
        f"{markdown_table(heads, rows)}\n\nShares of wins in %. The handicap was read from games of seed {SEED}{part}; "
        f"read off these again, it is "
        f"{'; '.join(again)}.{tested} {under(design, sure)}"
    )


def own_handicaps(figures: Figures, design: Design, players: int) -> str:
    """The handicap that would level each cell alone, by tower and play."""
    letters, plays = letters_of(players), design.plays_of(players)
    rows = []
    for tower in design.towers:
        cells = [
            [figures.of(OWN_HANDICAP, letter, players=players, play=play.name, tower=tower) for letter in letters]
            for play in plays
        ]
        rows.append((f"`{tower}`", *map(_points, cells)))
    return markdown_table((f"VP for {', '.join(letters)}", *(play.name for play in plays)), rows)


def _points(handicaps: Sequence[Figure]) -> str:
    return ", ".join(number(each.value, 1) for each in handicaps)


def printed_table(figures: Figures, design: Design, players: int, *, points: bool) -> str:
    """One row per play, per tower and per cell: wins, or points above the mean, as printed."""
    sure, rows = sure_of_printed(design, players), []
    for group in groups(design, players):
        result = [
            figures.of(ABOVE if points else WINS, letter, players=players, play=group.play, tower=group.tower)
            for letter in letters_of(players)
        ]
        rows.append((group.name, *(_signed(each, sure) if points else _share(each, sure) for each in result)))
    what = "VP above the table's mean" if points else "wins, %"
    heads = (f"{players} players, {what}", *letters_of(players))
    return f"{markdown_table(heads, rows)}\n\n{under(design, sure, [players])}"


def _signed(figure: Figure, sure: Confidence) -> str:
    return of_estimate(figure, sure, 2, sign="+")


def seats_table(figures: Figures, design: Design) -> str:
    """One row per number of players: wins and points by seat over all line-ups and cells, and two joint tests."""
    sure, rows, tests = sure_of_seats(design), [], []
    most = max(design.sizes)
    for players in design.sizes:
        for what, quantity, sign in (("wins, %", SEAT_WINS, ""), ("VP above the mean", SEAT_POINTS, "+")):
            result = [figures.of(quantity, seat_item(seat), players=players) for seat in range(players)]
            cells = [in_words(each.value, each.interval(sure), 2, sign) for each in result]
            rows.append((str(players), what, *cells, *[NOTHING] * (most - players)))
        tests.append(
            f"With {players} players, that seats win alike: {_tested(figures, SEAT_TEST, players)}; that it does not "
            f"matter for the wins of line-ups which of them sits where: {_tested(figures, NEIGHBOUR_TEST, players)}."
        )
    heads = ("players", "all line-ups alike", *(f"seat {seat}" for seat in range(most)))
    return (
        f"{markdown_table(heads, rows)}\n\n{under(design, sure)} Two joint tests over all cells (Hotelling), each at "
        f"1 %. {' '.join(tests)}"
    )


def _tested(figures: Figures, quantity: str, players: int) -> str:
    if of_all_cells(figures, quantity, "F", players) is None:
        return "too few blocks for this test"
    f, p, contrasts, degrees = (
        figures.of(quantity, name, players=players).value for name in ("F", "p", "contrasts", "degrees")
    )
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    selected = "rejected" if p < 0.01 else "not rejected"
    return f"F = {f:.2f} with {contrasts:.0f} and {degrees:,.0f} degrees, {chance}, {selected}"


def borders_table(figures: Figures, design: Design) -> str:
    """One row per line-up: its borders on the map, what is printed on its counties, and what it has above the mean.

    As printed, and for the two line-ups that exchange counties with their new ones.
    """
    sure, rows = sure_of_borders(design), []
    for players in design.sizes:
        letters = letters_of(players)
        edited = after_exchange(load_board(), adjustments_of(players)[COUNTIES])
        for version, letter in [(PRINTED, each) for each in letters] + [(COUNTIES, each) for each in edited]:
            borders = ", ".join(
                f"{other} {_land(figures, players, letter, version, borders_with(other))}"
                for other in letters
                if other != letter
            )
            counts = [
                _land(figures, players, letter, version, feature) + f" ({borders})" * (feature == WITH_OTHERS)
                for feature in FEATURES
            ]
            above = _signed(figures.of(LAND_POINTS, item(letter, version), players=players), sure)
            rows.append((str(players), letter, version, *counts, above))
    heads = ("players", "line-up", "version", *FEATURES, "VP above the mean")
    return f"{markdown_table(heads, rows)}\n\nThe last column is the mean of all cells. {under(design, sure)}"


def _land(figures: Figures, players: int, letter: str, version: str, feature: str) -> str:
    return f"{figures.of(LAND, land_item(letter, version, feature), players=players).value:.0f}"


def land_table(figures: Figures, design: Design) -> str:
    """One row per feature of a line-up's land: what one more brings in points, by play."""
    sure, tower = sure_of_land(design), design.towers[0]
    plays = [play.name for play in design.plays_of(HEAD_SIZE)]
    result = {
        feature: [figures.of(WORTH, feature_item(feature), players=HEAD_SIZE, play=play, tower=tower) for play in plays]
        for feature in FEATURES
    }
    rows = [(feature, *(_signed(one, sure) for one in each)) for feature, each in result.items()]
    blocks = result[FEATURES[0]][0].blocks
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{markdown_table(('VP for one more of', *plays), rows)}\n\n{HEAD_SIZE} players, tower "
        f"`{tower}`; every exchange of two counties between two line-ups on the same {blocks:,} game "
        f"numbers, one game each: a number is a block. The ± are half-widths of {sure.n_comparisons} simultaneous "
        f"{LEVEL:.0%} intervals.{few}"
    )


def of_all_cells(figures: Figures, quantity: str, key: str, players: int) -> Figure | None:
    """A figure of all cells with a number of players; None without one."""
    return figures.get(figure_id(figures.study, quantity, key, players=players))


def judged_claims(figures: Figures, design: Design, players: int) -> str:
    """One row per claim with its answer."""
    table = claims_table(figures, claims(players), design.plays_of(players), players=players)
    return f"{players} players, {len(design.cells(players))} cells.\n\n{table}"


def picture(figures: Figures, design: Design) -> Picture:
    """Wins by line-up as printed and adjusted, a mark for each cell."""
    return wins_by_version(*drawn(figures, design))


def drawn(figures: Figures, design: Design) -> tuple[list[list[Panel]], list[str], list[str], float, str]:
    """What the picture shows: panels by number of players and version, plays, towers, the limit, and the title."""
    rows = [[_panel(figures, design, players, kind) for kind in versions(players)] for players in design.sizes]
    names = plays_shown(design)
    numbers = ", ".join(f"{design.numbers(players):,} with {players} players" for players in design.sizes)
    title = (
        "Wins by line-up, as printed and with each change\n"
        f"A mark is a kind of play under a tower. Game numbers in every arrangement: {numbers}"
    )
    return rows, names, list(design.towers), NEAR, title


def plays_shown(design: Design) -> list[str]:
    """The plays in the picture: casual and both lines of strong play; in a quick look without them those there are."""
    plays = [play.name for play in design.plays_of(HEAD_SIZE)]
    tables = list(dict.fromkeys(cell.play for cell in TABLES))
    return tables if set(tables) <= set(plays) else plays


def _panel(figures: Figures, design: Design, players: int, kind: str) -> Panel:
    shown = plays_shown(design)
    cells = [cell for cell in design.cells(players) if cell.play in shown]
    here = {cell: wins_in(figures, players, kind, cell) for cell in cells}
    wins = {
        letter: {(cell.play, cell.tower): here[cell][letter].value for cell in cells} for letter in letters_of(players)
    }
    return Panel(f"{players} players, {kind}", wins)
