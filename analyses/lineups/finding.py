"""The sentences and the picture of the study `lineups`: which change makes wins most even, and line-up A in skill."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from textwrap import wrap

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D

from wallsim.analysis.claims.answers import DEPENDS, UNKNOWN
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, MIDDLING_POLICY, STRONG
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import NOTHING, number
from wallsim.rules.board import load_board
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding, best_first
from wallsim.studies.games import block_size
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of
from wallsim.studies.scope import CASUAL_TABLE

from ..robustness.answers import answer_of, differing, is_published, not_known
from .games import COUNTIES, GROUPS, KINDS, POINTS, PRINTED, THALERS, VERSIONS, adjustments_of, letters_of
from .measure import ALL, HEAD_SIZE, TESTED, Design, claims, item, less_spread, of_cell
from .worth import BETTER, ERRORS, OUTCOMES, WEAKER, WEAKER_PLAYER, WORSE, with_errors

LINES = tuple(CASUAL_TABLE._replace(play=play) for play in (STRONG, f"second {STRONG}"))
TABLES = {CASUAL_TABLE: "casual table", **{cell: f"experienced players, {cell.play} play" for cell in LINES}}
NAMES = {
    PRINTED: "the printed line-ups", POINTS: "a handicap", THALERS: "other Thalers", COUNTIES: "swapped counties",
    GROUPS: "swapped army groups",
}  # fmt: skip
NEAR = 2.0  # percentage points: line-ups whose wins are within are level
_NAMED = 2  # of several versions that are not told apart, so many are named
_MARKS = ("o", "^", "D", "v")  # of towers
_SHIFT = 0.7  # of a line-up's room, for the marks of its plays
_LINE = 18  # letters of a version in one line of a title


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """Which line-ups win too often, and what evens them out at each table; None if a table was not played."""
    if design.quick or not set(TABLES) <= set(design.cells(HEAD_SIZE)):
        return None
    casual, experienced = nearest(figures, [CASUAL_TABLE]), nearest(figures, LINES)
    shares = {letter: [figures.of("wins-of-all-versions", letter, players=HEAD_SIZE, cell=cell) for cell in TABLES]
              for letter in letters_of(HEAD_SIZE)}  # fmt: skip
    many = [letter for letter, each in shares.items()
            if all((share.ends or (0.0, 0.0))[0] > 100 / HEAD_SIZE + NEAR for share in each)]  # fmt: skip
    first = f"Line-up{'s' if len(many) > 1 else ''} {' and '.join(many)} win{'s' if len(many) == 1 else ''} too often; "
    both = f"casual games are fairest with {_either(casual)}"
    if not agree(figures, LINES):
        both += "; experienced players differ by line of play"
    elif set(casual) == set(experienced) and len(casual) <= _NAMED:
        both = f"all games are fairest with {_either(casual)}"
    else:
        both += f", those of experienced players with {_either(experienced)}"
    title = f"{first if many else ''}{both}"
    unknown, differs = (_answered(figures, word) for word in (UNKNOWN, DEPENDS))
    return Finding(
        title[0].upper() + title[1:],
        f"Wins spread by {_compared(figures, [CASUAL_TABLE], casual[0], ' percentage points')}.",
        _experienced(figures, experienced[0]),
        f"Whether {unknown} in all play." if unknown else not_known(figures, claims(HEAD_SIZE)),
        "Wins by line-up as printed and with each change: casual play and two lines of strong play, 3 to 5 players",
        f"Whether {differs} depends on play." if differs else differing(figures, claims(HEAD_SIZE)),
    )


def _experienced(figures: Figures, best: str) -> str:
    # The spread of wins of both lines as printed, and with what is fairest in both or in each.
    if agree(figures, LINES):
        return f"With line-ups instead of a draft, wins spread by {_compared(figures, LINES, best)}."
    fairest = {cell: nearest(figures, [cell])[0] for cell in LINES}
    each = [f"{NAMES[kind]} ({_values(figures, [cell], kind)})" for cell, kind in fairest.items()]
    printed = _values(figures, LINES, PRINTED)
    return f"With line-ups wins spread by {printed}. Best are {each[0]} in one line, {each[1]} in the other."


def agree(figures: Figures, cells: Sequence[Cell], players: int = HEAD_SIZE) -> bool:
    """Whether one version has the least spread of wins in all of some cells, as far as their intervals tell."""
    return bool(set.intersection(*map(set, _alike(figures, cells, players))))


def nearest(figures: Figures, cells: Sequence[Cell], players: int = HEAD_SIZE) -> list[str]:
    """The versions with the least spread of wins in all of some cells, as far as their intervals tell; the best first.

    In a cell these are the best and those whose interval meets that of the best. Without one that is among them in all
    cells, they are the best of each. The best is that whose greatest spread is least.
    """
    alike = _alike(figures, cells, players)
    chosen = set.intersection(*map(set, alike)) or {best for best, *_ in alike}
    return sorted((kind for kind in VERSIONS if kind in chosen),
                  key=lambda kind: max(_spread(figures, kind, cell, players).value for cell in cells))  # fmt: skip


def _alike(figures: Figures, cells: Sequence[Cell], players: int) -> list[list[str]]:
    # In each cell the version with the least spread of wins, and after it those not distinguishable from it.
    spreads = [{kind: _spread(figures, kind, cell, players) for kind in VERSIONS} for cell in cells]
    return [best_first(each, sure_of(list(each.values())), largest=False) for each in spreads]


def what_changes(players: int, kind: str) -> str:
    """What a version changes, in words; a dash for the printed line-ups."""
    return NOTHING if kind == PRINTED else adjustments_of(players)[kind].in_words(load_board())


def spreads_by_table(design: Design, players: int = HEAD_SIZE) -> Grid:
    """What each version changes, and the spread of wins at each table, or in the cells of a quick look."""
    tables = set(TABLES) <= set(design.cells(players))
    cells = list(TABLES) if tables else design.home_cells(players)
    return Grid(
        (f"{players} players", "what changes"),
        [Line((NAMES[kind], what_changes(players, kind)), {"item": kind}) for kind in VERSIONS],
        lines("cell", cells, lambda cell: TABLES.get(cell, f"{cell.play} play")),
        {"quantity": "spread", "players": players}, estimate(1), held_together(
            "The spread of wins: the standard deviation of the line-ups' shares around the fair one, in percentage "
            f"points. Tower {cells[0].tower}, printed line-ups with that change, {{n}} blocks; the ± are half-widths "
            "of {family} simultaneous {level} intervals."),
    )  # fmt: skip


def _spread(figures: Figures, kind: str, cell: Cell, players: int = HEAD_SIZE) -> Figure:
    return figures.of("spread", kind, players=players, cell=cell)


def _answered(figures: Figures, word: str) -> str:
    # The changes with an answer, and that they help; empty if there are none.
    asked = KINDS if is_published(figures) else ()
    kinds = [kind for kind in asked if answer_of(figures.study, less_spread(kind)).word == word]
    return f"{_listed([NAMES[kind] for kind in kinds], 'or')} help{'s' * (kinds == [POINTS])}" if kinds else ""


def _listed(names: Sequence[str], word: str) -> str:
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _compared(figures: Figures, cells: Sequence[Cell], best: str, unit: str = "") -> str:
    printed = f"{_values(figures, cells, PRINTED)}{unit} as printed"
    return printed if best == PRINTED else f"{printed}, {_values(figures, cells, best)} with {NAMES[best]}"


def _values(figures: Figures, cells: Sequence[Cell], kind: str) -> str:
    return " and ".join(estimate(1)(_spread(figures, kind, cell)) for cell in cells)


def _either(kinds: Sequence[str]) -> str:
    return f"{NAMES[kinds[0]]} or others" if len(kinds) > _NAMED else " or ".join(NAMES[kind] for kind in kinds)


def decided(figures: Figures, quantity: str, players: int) -> str:
    """The result of a joint test at 1 %, in words."""
    if not figures.all_of(quantity, "F", players=players):
        return "too few blocks for this test"
    f, p, contrasts, degrees = (figures.of(quantity, name, players=players, cell=ALL).value for name in TESTED)
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    selected = "rejected" if p < 0.01 else "not rejected"
    return f"F = {f:.2f} with {contrasts:.0f} and {degrees:,.0f} degrees, {chance}, {selected}"


def level_in_words(figures: Figures, tower: str, outcome: str, play: str) -> str:
    """The errors in VP that make line-ups A and C level, with their interval, one of whose ends may not be reached."""
    figure = figures.of(f"errors-that-level-A-and-C-in-{outcome}", players=HEAD_SIZE, play=play, tower=tower)
    if isnan(figure.low):  # too few blocks, or the largest errors are known not to be enough
        return f"over {ERRORS[-1]:g} VP" if isnan(figure.value) else f"{number(figure.value, 2)} VP"
    if isnan(figure.value):
        return f"at least {number(figure.low, 2)} VP"
    top = f"over {ERRORS[-1]:g}" if isnan(figure.high) else number(figure.high, 2)
    return f"{number(figure.value, 2)} VP ({number(figure.low, 2)} to {top})"


def in_skill(figures: Figures, design: Design) -> Grid:
    """What line-up A has more than C at its table, by the player of line-up A; and which errors make both level."""
    plays, tower, words = [cell.play for cell in design.skill()], design.towers[0], []
    gaps = {(what, name, play): figures.of(f"A-less-C-in-{what}", name, players=HEAD_SIZE, play=play, tower=tower)
            for what in OUTCOMES for name in (*map(with_errors, ERRORS), WEAKER_PLAYER) for play in plays}  # fmt: skip
    sides = {where: side_of(gap.ends) for where, gap in gaps.items()}
    level = {(what, play): level_in_words(figures, tower, what, play) for what in OUTCOMES for play in plays}
    known = {error: sides["points", with_errors(error), MIDDLING] for error in ERRORS if MIDDLING in plays}
    enough = [error for error, side in known.items() if side > 0 and error > 0]
    if enough and (too_much := [error for error, side in known.items() if side < 0]):
        more, less = (f"`{MIDDLING_POLICY}-noise-{round(10 * error):02}`" for error in (max(enough), min(too_much)))
        words.append(f"In middling play that is more than the gap from `{MIDDLING_POLICY}` to {more}, and less than "
                     f"that to {less}.")  # fmt: skip
    for sign, told in ((-1, "less than"), (0, "not distinguishable from"), (1, "more than")):
        if there := [play for play in plays if sides["wins", WEAKER_PLAYER, play] == sign]:
            words.append(f"In wins it is {told} the gap to the next weaker play in {_listed(there, 'and')} play.")
    rows = [Line(f"{error:g} VP" if error else "none", {"item": with_errors(error)}) for error in ERRORS]
    rows += [Line("the next weaker play", {"item": WEAKER_PLAYER}),
             Line(f"{BETTER} and {WORSE} are level at", texts=list(level.values()))]  # fmt: skip
    shown = {"points": ("VP", estimate(2, "+")), "wins": ("wins, % points", estimate(1, "+"))}
    columns = [Line(f"{shown[what][0]}, {play}", {"quantity": f"A-less-C-in-{what}", "play": play}, shown[what][1])
               for what in OUTCOMES for play in plays]  # fmt: skip
    levels = ", ".join(f"{level['points', play]} in {play} play" for play in plays)
    weaker = ", ".join(f"{WEAKER[play]} ({play})" for play in plays)
    return Grid(f"added errors of {BETTER}", rows, columns, {"players": HEAD_SIZE, "tower": tower}, under=held_together(
        f"What line-up {BETTER} has more than {WORSE} at the same table, where the player with {BETTER} judges every "
        "option with added random errors of this standard deviation, or is of the next weaker play, and all others "
        f"play as named. In points, {BETTER} instead of {WORSE} makes up for errors of {levels}. {' '.join(words)} The "
        f"next weaker play of each column: {weaker}. Both line-ups are level where the gap is 0 by linear "
        "interpolation; in brackets the errors at which it is not known who has more. "
        f"{design.skill_blocks() * block_size(HEAD_SIZE):,} game numbers in {2 * HEAD_SIZE} arrangements, seed "
        f"{next(iter(gaps.values())).seed}, tower {tower}; the ± are half-widths of {{family}} simultaneous {{level}} "
        "intervals."))  # fmt: skip


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """Wins by line-up in casual play and both lines of strong play: a row a number of players, a column a version.

    In a quick look without them the plays are those there are; they have colours, and towers have shapes.
    """
    plays = [play.name for play in design.plays_of(HEAD_SIZE)]
    of_tables = list(dict.fromkeys(cell.play for cell in TABLES))
    plays = of_tables if set(of_tables) <= set(plays) else plays
    size = len(design.sizes), len(VERSIONS)
    room = (2.15 * size[1] + 0.6, 2.5 * size[0] + 1.1)
    drawn, grid = plt.subplots(*size, figsize=room, sharey="row", squeeze=False)
    numbers = ", ".join(f"{design.numbers(players):,} with {players} players" for players in design.sizes)
    drawn.suptitle("Wins by line-up, as printed and with each change\nA mark is a kind of play under a tower. "
                   f"Game numbers in every arrangement: {numbers}", x=0.01, ha="left", fontsize=9)  # fmt: skip
    for players, row in zip(design.sizes, grid, strict=True):
        for axes, kind in zip(row, VERSIONS, strict=True):
            _panel(axes, figures, design, players, kind, plays)
        row[0].set_ylabel("wins, %")
    handles = [Line2D([], [], marker="s", color=colour, linestyle="none", label=name)
               for colour, name in zip(COLOURS, plays, strict=False)]  # fmt: skip
    handles += [Line2D([], [], marker=_MARKS[at], color=INK, linestyle="none", markersize=4, label=f"tower {name}")
                for at, name in enumerate(design.towers)]  # fmt: skip
    drawn.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 8))
    return drawn


def _panel(axes: Axes, figures: Figures, design: Design, players: int, kind: str, plays: Sequence[str]) -> None:
    # The wins of one version, a mark a cell; the band is the fair share with `NEAR` percentage points on either side.
    letters, fair = letters_of(players), 100 / players
    axes.axhspan(fair - NEAR, fair + NEAR, color=FAINT, alpha=0.3, linewidth=0)
    for place, letter in enumerate(letters):
        for cell in (cell for cell in design.cells(players) if cell.play in plays):
            at = plays.index(cell.play)
            axes.plot(
                place + _SHIFT / len(plays) * (at - (len(plays) - 1) / 2),
                figures.of(of_cell(kind), item(letter, kind), players=players, cell=cell).value,
                marker=_MARKS[design.towers.index(cell.tower)], color=COLOURS[at], markersize=4, linestyle="none",
                alpha=0.85,
            )  # fmt: skip
    axes.set_xticks(range(players), letters)
    axes.set_xlim(-0.5, players - 0.5)
    axes.set_ylim(bottom=0)
    axes.set_title("\n".join([f"{players} players", *wrap(kind, _LINE, break_on_hyphens=False)]), fontsize=8.5)
