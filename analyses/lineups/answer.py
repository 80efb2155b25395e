"""The answer of the study `lineups` in words: who wins, what levels most, and what a group could do."""

from __future__ import annotations

from wallsim.analysis.claims.robustness import Robustness
from wallsim.report.tables.estimates import number, of_estimate
from wallsim.rules.board import load_board
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures, figure_id

from .adjustments import PRINTED
from .estimates import NEAR, Design, adjustments_of, less_spread
from .families import claims, sure_of_answer
from .figures import AWAY, HEADLINE, SPREADS, UNSEEN, item
from .games import letters_of

_TOP = 100.0


def answer_words(figures: Figures, design: Design) -> str:
    """The answer: who wins, what levels most, and what a group could do."""
    return "\n\n".join(_answer(figures, design, players) for players in design.sizes)


def _answer(figures: Figures, design: Design, players: int) -> str:
    board, cells, adjustments = load_board(), len(design.cells(players)), adjustments_of(players)
    sure, judged = sure_of_answer(players), judged_with(figures, design, players)
    wins = ", ".join(
        f"{letter} {of_estimate(figures.of(HEADLINE, letter, players=players), sure, 1, _TOP)}"
        for letter in letters_of(players)
    )
    best = best_of(figures, players)
    before, after = (figures.of(SPREADS, kind, players=players).value for kind in (PRINTED, best))
    verdict = next(each for each in judged.verdicts if each.claim.outcome == less_spread(best))
    others = [
        f"{kind}, {adjustment.in_words(board)} ({_furthest(figures, players, kind)})"
        for kind, adjustment in adjustments.items()
        if kind != best
    ]
    return (
        f"**{players} players.** Of all games the line-ups win {wins} %; {number(100 / players, 1)} is fair. "
        f"The least spread of wins is that of the {best}: {adjustments[best].in_words(board)}. With it the spread "
        f"falls from {number(before, 1)} to {number(after, 1)} percentage points in the mean of {cells} cells "
        f"({_furthest(figures, players, best)}), and it is known to fall in {len(verdict.where('holds'))} of them. "
        f"The others: {'; '.join(others)}. In brackets is the share furthest from fair with all cells taken together; "
        "what is not level there is only the closest that was found, and so is every mend in single cells."
    )


def _furthest(figures: Figures, players: int, kind: str) -> str:
    gaps = away(figures, players, kind)
    letter = max(gaps, key=lambda each: abs(gaps[each]))
    return f"{letter} {number(gaps[letter], 1, '+')}{', level' if abs(gaps[letter]) <= NEAR else ''}"


def away(figures: Figures, players: int, kind: str) -> dict[str, float]:
    """By how many percentage points the wins of each line-up in the mean of all cells differ from the fair share."""
    return {letter: figures.of(AWAY, item(letter, kind), players=players).value for letter in letters_of(players)}


def best_of(figures: Figures, players: int) -> str:
    """The adjustment with the least mean spread of wins over the held-out cells, else over all cells."""
    spreads = {
        kind: of_all_cells(figures, UNSEEN, kind, players) or figures.of(SPREADS, kind, players=players)
        for kind in adjustments_of(players)
    }
    return min(spreads, key=lambda kind: spreads[kind].value)


def judged_with(figures: Figures, design: Design, players: int) -> Robustness:
    """The claims judged in all cells with a number of players."""
    return read_claims(figures, claims(players), design.plays_of(players), players=players)


def of_all_cells(figures: Figures, quantity: str, key: str, players: int) -> Figure | None:
    """A figure of all cells with a number of players; None without one."""
    return figures.get(figure_id(figures.study, quantity, key, players=players))
