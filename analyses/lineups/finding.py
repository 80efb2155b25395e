"""The first screen of the study `lineups`: which change makes wins most even, for each kind of table."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.analysis.claims.answers import DEPENDS, UNKNOWN
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, of_estimate
from wallsim.rules.board import load_board
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding, best_first
from wallsim.studies.scope import CASUAL_TABLE

from ..robustness.answers import answer_of, differing, is_published, not_known
from .adjustments import COUNTIES, GROUPS, KINDS, POINTS, PRINTED, THALERS
from .estimates import HEAD_SIZE, NEAR, Design, adjustments_of, less_spread
from .families import claims, sure_of_each_spread, sure_of_levels, versions
from .figures import LEVELS, SPREAD
from .games import letters_of

LINES = tuple(CASUAL_TABLE._replace(play=play) for play in (STRONG, f"second {STRONG}"))
TABLES = {CASUAL_TABLE: "casual table", **{cell: f"experienced players, {cell.play} play" for cell in LINES}}
NAMES = {
    PRINTED: "the printed line-ups",
    POINTS: "a handicap",
    THALERS: "other Thalers",
    COUNTIES: "swapped counties",
    GROUPS: "swapped army groups",
}
_NAMED = 2  # of several versions that are not told apart, so many are named


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """Which line-ups win too often, and what evens them out at each table; None if a table was not played."""
    if design.quick or not set(TABLES) <= set(design.cells(HEAD_SIZE)):
        return None
    casual = nearest(figures, design, [CASUAL_TABLE])
    experienced = nearest(figures, design, LINES)
    many = too_often(figures, design)
    first = f"Line-up{'s' if len(many) > 1 else ''} {_listed(many)} win{'s' if len(many) == 1 else ''} too often; "
    casual_games, experienced_games = (_either(names) for names in (casual, experienced))
    both = f"all games are fairest with {casual_games}"
    if not agree(figures, design, LINES):
        both = f"casual games are fairest with {casual_games}; experienced players differ by line of play"
    elif set(casual) != set(experienced) or len(casual) > _NAMED:
        both = f"casual games are fairest with {casual_games}, those of experienced players with {experienced_games}"
    return Finding(
        _sentence(f"{first if many else ''}{both}"),
        f"Wins spread by {_compared(figures, design, [CASUAL_TABLE], casual[0])}.",
        _experienced(figures, design, experienced[0]),
        open_of(figures),
        "Wins by line-up as printed and with each change: casual play and two lines of strong play, 3 to 5 players",
        differing_of(figures),
    )


def _experienced(figures: Figures, design: Design, best: str) -> str:
    """The spread of wins of both lines as printed, and with what is fairest in both or in each."""
    if agree(figures, design, LINES):
        return f"With line-ups instead of a draft, wins spread by {_compared(figures, design, LINES, best, '')}."
    fairest = {cell: nearest(figures, design, [cell])[0] for cell in LINES}
    each = [f"{NAMES[kind]} ({_values(figures, design, [cell], kind)})" for cell, kind in fairest.items()]
    printed = _values(figures, design, LINES, PRINTED)
    return f"With line-ups wins spread by {printed}. Best are {each[0]} in one line, {each[1]} in the other."


def agree(figures: Figures, design: Design, cells: Sequence[Cell], players: int = HEAD_SIZE) -> bool:
    """Whether one version has the least spread of wins in all of some cells, as far as their intervals tell."""
    return bool(set.intersection(*map(set, _alike(figures, design, cells, players))))


def nearest(figures: Figures, design: Design, cells: Sequence[Cell], players: int = HEAD_SIZE) -> list[str]:
    """The versions with the least spread of wins in all of some cells, as far as their intervals tell; the best first.

    In a cell these are the best and those whose interval meets that of the best. Without one that is among them in all
    cells, they are the best of each. The best is that whose greatest spread is least.
    """
    kinds = versions(players)
    least = {kind: max(_spread(figures, kind, cell, players).value for cell in cells) for kind in kinds}
    alike = _alike(figures, design, cells, players)
    common = set(alike[0]).intersection(*alike[1:])
    return sorted(common or {best for best, *_ in alike}, key=lambda kind: least[kind])


def _alike(figures: Figures, design: Design, cells: Sequence[Cell], players: int) -> list[list[str]]:
    """In each cell the version with the least spread of wins, and after it those not distinguishable from it."""
    spreads = ({kind: _spread(figures, kind, cell, players) for kind in versions(players)} for cell in cells)
    return [best_first(each, sure_of_each_spread(design), largest=False) for each in spreads]


def too_often(figures: Figures, design: Design, players: int = HEAD_SIZE) -> list[str]:
    """The printed line-ups that are known to win more than their share, by more than `NEAR`, at every table."""
    sure, letters = sure_of_levels(design), []
    for letter in letters_of(players):
        shares = [figures.of(LEVELS, letter, players=players, cell=cell) for cell in TABLES]
        if all(low > 100 / players + NEAR for low, _ in (share.interval(sure) or (0.0, 0.0) for share in shares)):
            letters.append(letter)
    return letters


def spreads_by_table(figures: Figures, design: Design, players: int = HEAD_SIZE) -> str:
    """One row per version: what changes, and the spread of wins at each table, or in the cells of a quick look."""
    board, sure, adjustments = load_board(), sure_of_each_spread(design), adjustments_of(players)
    played = design.cells(players)
    cells = [cell for cell in TABLES if cell in played] if set(TABLES) <= set(played) else design.home_cells(players)
    rows = []
    for kind in versions(players):
        changes = adjustments[kind].in_words(board) if kind in adjustments else NOTHING
        spreads = (of_estimate(_spread(figures, kind, cell, players), sure, 1) for cell in cells)
        rows.append((NAMES[kind], changes, *spreads))
    heads = (f"{players} players", "what changes", *(TABLES.get(cell, f"{cell.play} play") for cell in cells))
    few = sure.too_few(design.numbers(players), "blocks") if design.numbers(players) < sure.min_blocks else ""
    return (
        f"{markdown_table(heads, rows)}\n\nThe spread of wins: the standard deviation of the line-ups' shares around "
        f"the fair one, in percentage points. Tower {cells[0].tower}, printed line-ups with that change, "
        f"{design.numbers(players):,} blocks; the ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} "
        f"intervals. {few}"
    ).strip()


def _spread(figures: Figures, kind: str, cell: Cell, players: int = HEAD_SIZE) -> Figure:
    return figures.of(SPREAD, kind, players=players, cell=cell)


def open_of(figures: Figures) -> str:
    """Of which changes it is not known whether they lower the spread of wins in all play."""
    kinds = _answered(figures, UNKNOWN)
    return f"Whether {kinds} in all play." if kinds else not_known(figures, claims(HEAD_SIZE))


def differing_of(figures: Figures) -> str:
    """Which changes lower the spread of wins in some play and raise it in other play."""
    kinds = _answered(figures, DEPENDS)
    return f"Whether {kinds} depends on play." if kinds else differing(figures, claims(HEAD_SIZE))


def _answered(figures: Figures, word: str) -> str:
    # The changes with an answer, and that they help; empty if there are none.
    if not is_published(figures):
        return ""
    kinds = [kind for kind in KINDS if answer_of(figures.study, less_spread(kind)).word == word]
    return f"{_any([NAMES[kind] for kind in kinds])} help{'s' if kinds == [POINTS] else ''}" if kinds else ""


def _any(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _compared(
    figures: Figures, design: Design, cells: Sequence[Cell], best: str, unit: str = " percentage points"
) -> str:
    printed = f"{_values(figures, design, cells, PRINTED)}{unit} as printed"
    return printed if best == PRINTED else f"{printed}, {_values(figures, design, cells, best)} with {NAMES[best]}"


def _values(figures: Figures, design: Design, cells: Sequence[Cell], kind: str) -> str:
    spreads = [_spread(figures, kind, cell) for cell in cells]
    sure = sure_of_each_spread(design)
    return " and ".join(of_estimate(spread, sure, 1) for spread in spreads)


def _either(kinds: Sequence[str]) -> str:
    if len(kinds) > 2:
        return f"{NAMES[kinds[0]]} or others"
    return " or ".join(NAMES[kind] for kind in kinds)


def _listed(letters: Sequence[str]) -> str:
    return " and ".join(letters)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
