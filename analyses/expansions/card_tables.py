"""The tables of the study `expansions` on cards: favors, statues, Landsknechte cards, and other figures of favors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.provenance import FAVOR, assumed_cards
from wallsim.rules.terms import BENEFITS, EXPANSIONS, ROUND_NAMES
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.games import block_size
from wallsim.studies.outcomes import LEADER as LEADER_LIMIT
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of

from ..editions.estimates import LIMITS
from .boards import MOVED, sides_of
from .cards import all_three, favor_blocks
from .count import LEADER
from .effects import COURT, SUBSETS
from .estimates import Expansions, board_blocks, favor_games
from .words import told, under

_LINEUPS = {wins_of(seat): f"line-up {letter}" for seat, letter in enumerate("ABCD")}


def favor_table(found: Expansions) -> str:
    """One row per favor: what it brings to who chooses it, in each play, and to who takes it by treatment alone."""
    home, cells = found.scope.baseline_cell(), list(found.favors)
    board = load_board()
    assumed = assumed_cards(board, all_three(home).ruleset())[FAVOR]
    cards = {card["number"]: card for card in board.favors}
    sure = Confidence(LEVEL, len(found.favors[home]) * (len(cells) + 1))
    rows = []
    for place, favor in found.favors[home].items():
        name = "any"
        if place:
            name = f"{place} {cards[place]['kind']} {cards[place]['value'] or ''}".replace("_", " ").strip()
        mark = " *" if place in assumed else ""
        each = [told(found.favors[cell][place].chosen.worth, sure, 1) for cell in cells]
        share = [number(100 * share, 0) for share in (favor.chosen.often, favor.forced.often)]
        rows.append((f"{name}{mark}", *each, share[0], told(favor.forced.worth, sure, 1), share[1]))
    heads = (
        "favor (* assumed)", *(f"{cell.play}, VP a favor" for cell in cells),
        "strong: chosen in % of games", "strong: given beyond choice, VP a favor", "strong: taken where given, %",
    )  # fmt: skip
    games = favor_blocks(favor_games(found.scope) * found.scope.baseline) * block_size(4)
    rest = favor_blocks(favor_games(found.scope) * found.scope.others) * block_size(4)
    return (
        f"{markdown_table(heads, rows)}\n\nIn games with all three expansions one seat in turn never takes the favor "
        f"in turn, takes it as its policy chooses, or whenever it can: {games:,} games each of strong play and "
        f"{rest:,} of the other plays, on each favor one of 21. A favor's worth is after its courtiers and against the "
        f"seat's next choice. {under(found, sure, games // 84)}"
    )


def statue_table(found: Expansions) -> str:
    """One row per play: what a statue left in each round brings to its seat."""
    sure = Confidence(LEVEL, len(found.statues) * len(ROUND_NAMES))
    rows = [
        (cell.play, *(told(each.worth, sure, 2) for each in statues), number(statues[0].often, 1))
        for cell, statues in found.statues.items()
    ]
    heads = ("a statue, VP of its seat", *ROUND_NAMES, "statues left a game")
    return (
        f"{markdown_table(heads, rows)}\n\nIn games with all three expansions one seat in turn leaves no statue in the "
        f"round in turn. {under(found, sure, found.scope.others, 'at least ')}"
    )


def card_table(found: Expansions) -> str:
    """One row per Landsknechte card: what it brings to its seat, and to the mean of the table where all turn it."""
    cells = list(found.cards)
    cards = found.cards[cells[0]]
    board = load_board().landsknechte
    sure = Confidence(LEVEL, 2 * len(cells) * len(cards))
    rows = []
    for card in cards:
        amounts = ", ".join(f"{kind} {board[card - 1][kind]}" for kind in BENEFITS if board[card - 1][kind])
        each = [told(of.worth, sure, 2) for cell in cells for of in found.cards[cell][card]]
        rows.append((f"{card}: one of {amounts.replace('_', ' ')}", *each, number(cards[card].table.often, 2)))
    heads = [f"{cell.play}: {whose}" for cell in cells for whose in ("its seat", "mean of the table")]
    return (
        f"{markdown_table(('card turned, VP', *heads, 'strong: turned a seat and game'), rows)}\n\nIn games with all "
        "three expansions. Its seat: the card brings nothing to one seat in turn. Mean of the table: the card is blank "
        f"for all, divided by the cards turned. {under(found, sure, found.scope.others, 'at least ')}"
    )


def board_table(found: Expansions) -> str:
    """One row per variant of the favors: what moves for strong play, and in how many plays each outcome moves."""
    home, cells = found.scope.baseline_cell(), list(found.boards)
    shown = Confidence(LEVEL, len(found.boards[home].changes) * len(MOVED))
    verdicts = Confidence(LEVEL, len(cells) * len(found.boards[home].changes) * len(MOVED))
    rows = []
    for name, changes in found.boards[home].changes.items():
        each = [told(changes[outcome].estimate, shown, 2 if outcome in LIMITS else 1) for outcome in MOVED]
        rows.append((name, *each, _moved(sides_of(found.boards, name, verdicts), len(cells))))
    effects = found.factorial.subsets[home]
    court = effects[SUBSETS[-1]][POINTS] - effects[tuple(name for name in EXPANSIONS if name != COURT)][POINTS]
    changed = [changes[POINTS].estimate.value for changes in found.boards[home].changes.values()]
    least, most = court.value + min(changed), court.value + max(changed)
    blocks = min(board_blocks(found.scope, cell) for cell in cells)
    heads = ("favors changed", *map(_heading, MOVED), f"in {len(cells)} plays")
    return (
        f"{markdown_table(heads, rows)}\n\nIn games with all three expansions, the same on every board. Beside the "
        f"other two expansions the court brings {told(court, Confidence(), 2)} VP a seat as assumed, and between "
        f"{number(least, 2, '+')} and {number(most, 2, '+')} under these variants. An outcome moves where the interval "
        f"of its change excludes 0 and reaches beyond {LIMITS[POINTS]:g} in VP and in spread, "
        f"{LIMITS[LEADER_LIMIT]:g} percentage points in wins; in all plays {verdicts.n_comparisons:,} "
        f"simultaneous intervals. {under(found, verdicts, blocks, 'at least ')}"
    )


def _moved(sides: Mapping[str, Sequence[str]], cells: int) -> str:
    counts = {outcome: Counter(each) for outcome, each in sides.items()}
    told_ = []
    for side, word in (("moves", "moves"), ("open", "not known")):
        named = [f"{_short(outcome)} in {count[side]}" for outcome, count in counts.items() if count[side]]
        told_ += [f"{word}: {', '.join(named)}"] if named else []
    return "; ".join(told_) or f"nothing matters in {cells}"


def _heading(outcome: str) -> str:
    return f"wins of {_short(outcome)}, %" if outcome in _LINEUPS else outcome


def _short(outcome: str) -> str:
    return {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins", **_LINEUPS}[outcome]
