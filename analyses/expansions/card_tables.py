"""The tables of the study `expansions` on cards: favors, statues, Landsknechte cards, and other figures of favors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.provenance import FAVOR, assumed_cards
from wallsim.rules.terms import BENEFITS, FAVORS, ROUND_NAMES
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.outcomes import LEADER as LEADER_LIMIT
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.scope import Scope

from ..editions.estimates import LIMITS, side
from . import card_figures as of
from .boards import MOVED, variants
from .card_figures import PLAYERS, favor_item, varied_item
from .cards import CARDS, all_three, favor_blocks
from .count import LEADER
from .estimates import board_blocks, card_cells, favor_games
from .words import as_text, under

_LINEUPS = {wins_of(seat): f"line-up {letter}" for seat, letter in enumerate("ABCD")}


def favor_table(figures: Figures, scope: Scope) -> str:
    """One row per favor: what it brings to who chooses it, in each play, and to who takes it by treatment alone."""
    home, cells, sure = scope.baseline_cell(), card_cells(scope), of.sure_of_favors(scope)
    board = load_board()
    assumed = assumed_cards(board, all_three(home).ruleset())[FAVOR]
    cards = {card["number"]: card for card in board.favors}
    rows = []
    for place in range(FAVORS + 1):
        name = "any"
        if place:
            name = f"{place} {cards[place]['kind']} {cards[place]['value'] or ''}".replace("_", " ").strip()
        mark = " *" if place in assumed else ""
        result = figures.cells(of.FAVOR, favor_item(place), players=PLAYERS)
        chosen, taken, given = (
            figures.of(quantity, favor_item(place), players=PLAYERS, cell=home)
            for quantity in (of.CHOSEN_OFTEN, of.GIVEN_OFTEN, of.GIVEN)
        )
        each = [as_text(result[cell], sure, 1) for cell in cells]
        rows.append((f"{name}{mark}", *each, number(chosen.value, 0), as_text(given, sure, 1), number(taken.value, 0)))
    heads = (
        "favor (* assumed)", *(f"{cell.play}, VP a favor" for cell in cells),
        "strong: chosen in % of games", "strong: given beyond choice, VP a favor", "strong: taken where given, %",
    )  # fmt: skip
    games = favor_blocks(favor_games(scope) * scope.baseline) * block_size(4)
    rest = favor_blocks(favor_games(scope) * scope.others) * block_size(4)
    return (
        f"{markdown_table(heads, rows)}\n\nIn games with all three expansions one seat in turn never takes the favor "
        f"in turn, takes it as its policy chooses, or whenever it can: {games:,} games each of strong play and "
        f"{rest:,} of the other plays, on each favor one of 21. A favor's worth is after its courtiers and against the "
        f"seat's next choice. {under(scope, sure, games // 84)}"
    )


def statue_table(figures: Figures, scope: Scope) -> str:
    """One row per play: what a statue left in each round brings to its seat."""
    sure, rows = of.sure_of_statues(scope), []
    for cell in card_cells(scope):
        each = [figures.of(of.STATUE, players=PLAYERS, cell=cell, moment=moment) for moment in ROUND_NAMES]
        left = figures.of(of.STATUES_LEFT, players=PLAYERS, cell=cell, moment=ROUND_NAMES[0])
        rows.append((cell.play, *(as_text(figure, sure, 2) for figure in each), number(left.value, 1)))
    heads = ("a statue, VP of its seat", *ROUND_NAMES, "statues left a game")
    return (
        f"{markdown_table(heads, rows)}\n\nIn games with all three expansions one seat in turn leaves no statue in the "
        f"round in turn. {under(scope, sure, scope.others, 'at least ')}"
    )


def card_table(figures: Figures, scope: Scope) -> str:
    """One row per Landsknechte card: what it brings to its seat, and to the mean of the table where all turn it."""
    cells, board, sure = card_cells(scope), load_board().landsknechte, of.sure_of_cards(scope)
    rows = []
    for card in CARDS:
        amounts = ", ".join(f"{kind} {board[card - 1][kind]}" for kind in BENEFITS if board[card - 1][kind])
        each = [
            as_text(figures.of(quantity, str(card), players=PLAYERS, cell=cell), sure, 2)
            for cell in cells
            for quantity in (of.OWN_SEAT, of.TABLE)
        ]
        turned = figures.of(of.TURNED, str(card), players=PLAYERS, cell=cells[0])
        rows.append((f"{card}: one of {amounts.replace('_', ' ')}", *each, number(turned.value, 2)))
    heads = [f"{cell.play}: {whose}" for cell in cells for whose in ("its seat", "mean of the table")]
    return (
        f"{markdown_table(('card turned, VP', *heads, 'strong: turned a seat and game'), rows)}\n\nIn games with all "
        "three expansions. Its seat: the card brings nothing to one seat in turn. Mean of the table: the card is blank "
        f"for all, divided by the cards turned. {under(scope, sure, scope.others, 'at least ')}"
    )


def board_table(figures: Figures, scope: Scope) -> str:
    """One row per variant of the favors: what moves for strong play, and in how many plays each outcome moves."""
    home, cells = scope.baseline_cell(), card_cells(scope)
    shown, verdicts = of.sure_of_varied(), of.sure_of_moves(scope)
    rows = []
    for name in variants():
        changes = {
            outcome: figures.of(of.VARIED, varied_item(name, outcome), players=PLAYERS, cell=home) for outcome in MOVED
        }
        each = [as_text(changes[outcome], shown, 2 if outcome in LIMITS else 1) for outcome in MOVED]
        rows.append((name, *each, _moved(sides_of(figures, cells, name, verdicts), len(cells))))
    court = figures.of(of.COURT_WORTH, players=PLAYERS, cell=home)
    varied = [figures.of(of.COURT_VARIED, name, players=PLAYERS, cell=home).value for name in variants()]
    blocks = min(board_blocks(scope, cell) for cell in cells)
    heads = ("favors changed", *map(_heading, MOVED), f"in {len(cells)} plays")
    return (
        f"{markdown_table(heads, rows)}\n\nIn games with all three expansions, the same on every board. Beside the "
        f"other two expansions the court brings {as_text(court, Confidence(), 2)} VP a seat as assumed, and between "
        f"{number(min(varied), 2, '+')} and {number(max(varied), 2, '+')} under these variants. An outcome moves where "
        f"the interval of its change excludes 0 and reaches beyond {LIMITS[POINTS]:g} in VP and in spread, "
        f"{LIMITS[LEADER_LIMIT]:g} percentage points in wins; in all plays {verdicts.n_comparisons:,} "
        f"simultaneous intervals. {under(scope, verdicts, blocks, 'at least ')}"
    )


def sides_of(figures: Figures, cells: Sequence[Cell], name: str, sure: Confidence) -> dict[str, list[str]]:
    """Whether each outcome moves under a variant, cell by cell: `small`, `moves` or `open`.

    The limits are those of the study `editions`: a change within them is one that does not matter.
    """
    result = {}
    for outcome in MOVED:
        each = figures.cells(of.VARIED_BY_PLAY, varied_item(name, outcome), players=PLAYERS)
        result[outcome] = [_side(each[cell], outcome, sure) for cell in cells]
    return result


def _side(figure: Figure, outcome: str, sure: Confidence) -> str:
    return side(figure, figure.error, outcome if outcome in (POINTS, SPREAD) else LEADER_LIMIT, sure)


def _moved(sides: Mapping[str, Sequence[str]], cells: int) -> str:
    counts = {outcome: Counter(each) for outcome, each in sides.items()}
    parts = []
    for key, word in (("moves", "moves"), ("open", "not known")):
        named = [f"{_short(outcome)} in {count[key]}" for outcome, count in counts.items() if count[key]]
        parts += [f"{word}: {', '.join(named)}"] if named else []
    return "; ".join(parts) or f"nothing matters in {cells}"


def _heading(outcome: str) -> str:
    return f"wins of {_short(outcome)}, %" if outcome in _LINEUPS else outcome


def _short(outcome: str) -> str:
    return {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins", **_LINEUPS}[outcome]
