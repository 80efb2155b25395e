"""The sentences of the study `lineups`: which change makes wins most even at each table, and line-up A in skill."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from wallsim.analysis.claims.answers import DEPENDS, UNKNOWN
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, MIDDLING_POLICY, STRONG
from wallsim.report.tables.estimates import NOTHING, number
from wallsim.rules.board import load_board
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding, best_first
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of
from wallsim.studies.scope import CASUAL_TABLE

from ..robustness.answers import answer_of, differing, is_published, not_known
from .adjustments import COUNTIES, GROUPS, KINDS, POINTS, PRINTED, THALERS, VERSIONS
from .estimates import ALL, HEAD_SIZE, NEAR, Design, adjustments_of, claims, less_spread
from .games import letters_of
from .judgement import BETTER, ERRORS, WINS, WORSE
from .judgement import POINTS as IN_POINTS
from .values import WEAKER_PLAYER, with_errors

LINES = tuple(CASUAL_TABLE._replace(play=play) for play in (STRONG, f"second {STRONG}"))
TABLES = {CASUAL_TABLE: "casual table", **{cell: f"experienced players, {cell.play} play" for cell in LINES}}
NAMES = {
    PRINTED: "the printed line-ups", POINTS: "a handicap", THALERS: "other Thalers", COUNTIES: "swapped counties",
    GROUPS: "swapped army groups",
}  # fmt: skip
_NAMED = 2  # of several versions that are not told apart, so many are named


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """Which line-ups win too often, and what evens them out at each table; None if a table was not played."""
    if design.quick or not set(TABLES) <= set(design.cells(HEAD_SIZE)):
        return None
    casual, experienced = nearest(figures, [CASUAL_TABLE]), nearest(figures, LINES)
    many = too_often(figures)
    first = f"Line-up{'s' if len(many) > 1 else ''} {' and '.join(many)} win{'s' if len(many) == 1 else ''} too often; "
    casual_games, experienced_games = (_either(names) for names in (casual, experienced))
    both = f"all games are fairest with {casual_games}"
    if not agree(figures, LINES):
        both = f"casual games are fairest with {casual_games}; experienced players differ by line of play"
    elif set(casual) != set(experienced) or len(casual) > _NAMED:
        both = f"casual games are fairest with {casual_games}, those of experienced players with {experienced_games}"
    title = f"{first if many else ''}{both}"
    unknown, differs = (_answered(figures, word) for word in (UNKNOWN, DEPENDS))
    return Finding(
        title[0].upper() + title[1:],
        f"Wins spread by {_compared(figures, [CASUAL_TABLE], casual[0])}.",
        _experienced(figures, experienced[0]),
        f"Whether {unknown} in all play." if unknown else not_known(figures, claims(HEAD_SIZE)),
        "Wins by line-up as printed and with each change: casual play and two lines of strong play, 3 to 5 players",
        f"Whether {differs} depends on play." if differs else differing(figures, claims(HEAD_SIZE)),
    )


def _experienced(figures: Figures, best: str) -> str:
    """The spread of wins of both lines as printed, and with what is fairest in both or in each."""
    if agree(figures, LINES):
        return f"With line-ups instead of a draft, wins spread by {_compared(figures, LINES, best, '')}."
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
    least = {kind: max(_spread(figures, kind, cell, players).value for cell in cells) for kind in VERSIONS}
    alike = _alike(figures, cells, players)
    common = set(alike[0]).intersection(*alike[1:])
    chosen = common or {best for best, *_ in alike}
    return sorted((kind for kind in VERSIONS if kind in chosen), key=lambda kind: least[kind])


def _alike(figures: Figures, cells: Sequence[Cell], players: int) -> list[list[str]]:
    """In each cell the version with the least spread of wins, and after it those not distinguishable from it."""
    spreads = [{kind: _spread(figures, kind, cell, players) for kind in VERSIONS} for cell in cells]
    return [best_first(each, sure_of(list(each.values())), largest=False) for each in spreads]


def too_often(figures: Figures, players: int = HEAD_SIZE) -> list[str]:
    """The printed line-ups that are known to win more than their share, by more than `NEAR`, at every table."""
    letters = []
    for letter in letters_of(players):
        shares = [figures.of("wins-of-all-versions", letter, players=players, cell=cell) for cell in TABLES]
        if all((share.ends or (0.0, 0.0))[0] > 100 / players + NEAR for share in shares):
            letters.append(letter)
    return letters


def what_changes(players: int) -> list[str]:
    """What each version changes, in words; a dash for the printed line-ups."""
    adjustments, board = adjustments_of(players), load_board()
    return [adjustments[kind].in_words(board) if kind in adjustments else NOTHING for kind in VERSIONS]


def spreads_by_table(design: Design, players: int = HEAD_SIZE) -> Grid:
    """What each version changes, and the spread of wins at each table, or in the cells of a quick look."""
    tables = set(TABLES) <= set(design.cells(players))
    cells = list(TABLES) if tables else design.home_cells(players)
    return Grid(
        f"{players} players", lines("item", VERSIONS, NAMES.__getitem__),
        (Line("what changes", texts=what_changes(players)),
         *lines("cell", cells, lambda cell: TABLES.get(cell, f"{cell.play} play"))),
        {"quantity": "spread", "players": players}, estimate(1), held_together(
            "The spread of wins: the standard deviation of the line-ups' shares around the fair one, in percentage "
            f"points. Tower {cells[0].tower}, printed line-ups with that change, {{n}} blocks; the ± are half-widths "
            "of {family} simultaneous {level} intervals."),
    )  # fmt: skip


def _spread(figures: Figures, kind: str, cell: Cell, players: int = HEAD_SIZE) -> Figure:
    return figures.of("spread", kind, players=players, cell=cell)


def _answered(figures: Figures, word: str) -> str:
    # The changes with an answer, and that they help; empty if there are none.
    if not is_published(figures):
        return ""
    kinds = [kind for kind in KINDS if answer_of(figures.study, less_spread(kind)).word == word]
    return f"{_listed([NAMES[kind] for kind in kinds], 'or')} help{'s' * (kinds == [POINTS])}" if kinds else ""


def _listed(names: Sequence[str], word: str) -> str:
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _compared(figures: Figures, cells: Sequence[Cell], best: str, unit: str = " percentage points") -> str:
    printed = f"{_values(figures, cells, PRINTED)}{unit} as printed"
    return printed if best == PRINTED else f"{printed}, {_values(figures, cells, best)} with {NAMES[best]}"


def _values(figures: Figures, cells: Sequence[Cell], kind: str) -> str:
    return " and ".join(estimate(1)(_spread(figures, kind, cell)) for cell in cells)


def _either(kinds: Sequence[str]) -> str:
    return f"{NAMES[kinds[0]]} or others" if len(kinds) > _NAMED else " or ".join(NAMES[kind] for kind in kinds)


def tested(figures: Figures, quantity: str, players: int) -> str:
    """The result of a joint test at 1 %, in words."""
    if not figures.all_of(quantity, "F", players=players):
        return "too few blocks for this test"
    f, p, contrasts, degrees = (
        figures.of(quantity, name, players=players, cell=ALL).value for name in ("F", "p", "contrasts", "degrees")
    )
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


def in_skill(figures: Figures, tower: str, plays: Sequence[str]) -> str:
    """What line-up A instead of C is worth: in errors, and in steps from one policy or play to a weaker one."""

    def side(outcome: str, item: str, play: str) -> int:
        figure = figures.of(f"A-less-C-in-{outcome}", item, players=HEAD_SIZE, play=play, tower=tower)
        return side_of(figure.ends)

    levels = (f"{level_in_words(figures, tower, IN_POINTS, play)} in {play} play" for play in plays)
    words = [f"In points, {BETTER} instead of {WORSE} makes up for errors of {', '.join(levels)}."]
    if MIDDLING in plays:
        sides = {error: side(IN_POINTS, with_errors(error), MIDDLING) for error in ERRORS}
        enough = [error for error in ERRORS if sides[error] > 0 and error > 0]
        too_much = [error for error in ERRORS if sides[error] < 0]
        if enough and too_much:
            more, less = (f"`{MIDDLING_POLICY}-noise-{round(10 * error):02}`" for error in (max(enough), min(too_much)))
            words.append(f"In middling play that is more than the gap from `{MIDDLING_POLICY}` to {more}, "
                         f"and less than that to {less}.")  # fmt: skip
    for sign, told in ((-1, "less than"), (0, "not distinguishable from"), (1, "more than")):
        if there := [play for play in plays if side(WINS, WEAKER_PLAYER, play) == sign]:
            words.append(f"In wins it is {told} the gap to the next weaker play in {_listed(there, 'and')} play.")
    return " ".join(words)
