"""The figures of the study `expansions` on cards: favors, statues, Landsknechte cards, and other figures of favors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import EXPANSIONS, FAVORS, ROUND_NAMES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.scope import Scope

from .boards import MOVED, variants
from .cards import CARDS, Taken
from .effects import COURT, EXPERIMENT, SUBSETS, seed_of
from .estimates import Expansions, card_cells

PLAYERS = 4  # players
ANY = "any"  # favor
FAVOR, GIVEN, GIVEN_BY_PLAY = "favor", "favor-given", "favor-given-by-play"
CHOSEN_OFTEN, GIVEN_OFTEN = "favor-chosen-games", "favor-given-games"
STATUE, STATUES_LEFT = "statue", "statues-left"
OWN_SEAT, TABLE, TURNED = "card-own-seat", "card-mean-of-table", "cards-turned"
VARIED, VARIED_BY_PLAY = "favors-varied", "favors-varied-by-play"
COURT_WORTH, COURT_VARIED = "court-worth", "court-worth-varied"


def favor_item(number: int) -> str:
    """The item of a favor by its number; 0 stands for all together."""
    return str(number) if number else ANY


def varied_item(name: str, outcome: str) -> str:
    """The item of a variant of the favors, and the outcome that it moves."""
    return f"{name} {outcome}"


def sure_of_favors(scope: Scope) -> Confidence:
    """The confidence of the table of favors: chosen in all plays, and given in strong play."""
    return Confidence(LEVEL, (FAVORS + 1) * (len(card_cells(scope)) + 1))


def sure_of_statues(scope: Scope) -> Confidence:
    """The confidence of the table of statues."""
    return Confidence(LEVEL, len(card_cells(scope)) * len(ROUND_NAMES))


def sure_of_cards(scope: Scope) -> Confidence:
    """The confidence of the table of Landsknechte cards."""
    return Confidence(LEVEL, 2 * len(card_cells(scope)) * len(CARDS))


def sure_of_varied() -> Confidence:
    """The confidence of the shown changes by other favors."""
    return Confidence(LEVEL, len(variants()) * len(MOVED))


def sure_of_moves(scope: Scope) -> Confidence:
    """The confidence of the verdicts on other favors, in all plays."""
    return Confidence(LEVEL, len(card_cells(scope)) * len(variants()) * len(MOVED))


def add_card_figures(result: Expansions, rows: Rows) -> None:
    """Add what favors, statues and Landsknechte cards bring, and what other figures of favors move."""
    seed = seed_of(load_experiment(EXPERIMENT).seed, SUBSETS[-1])
    _add_favors(result, rows, seed)
    _add_statues(result, rows, seed)
    _add_landsknechte(result, rows, seed)
    _add_boards(result, rows, seed)


def _add_favors(result: Expansions, rows: Rows, seed: int) -> None:
    scope, home = result.scope, result.scope.baseline_cell()
    by_play = Confidence(LEVEL, (FAVORS + 1) * len(result.favors))
    for cell, favors in result.favors.items():
        for number, favor in favors.items():
            name, which = favor_item(number), f"favor {number}" if number else "the treated favor"
            chosen, given = f"VP that {which} brings a seat by choice", f"VP that {which} brings a seat beyond choice"
            shown = [
                (FAVOR, favor.chosen, sure_of_favors(scope), chosen),
                (GIVEN_BY_PLAY, favor.forced, by_play, given),
            ]
            if cell == home:
                shown.append((GIVEN, favor.forced, sure_of_favors(scope), given))
            for quantity, taken, sure, words in shown:
                rows.estimate(
                    quantity, name, taken.worth, sure, words=words, unit="VP per favor", players=PLAYERS, cell=cell,
                    n_unit="blocks of 84 games", null=0.0, seed=seed,
                )  # fmt: skip
            for quantity, taken, words in (
                (CHOSEN_OFTEN, favor.chosen, f"games in which the treated seat takes {which} by choice"),
                (GIVEN_OFTEN, favor.forced, f"games in which a seat that takes {which} whenever it can does"),
            ):
                games = taken.worth.blocks * PLAYERS * (1 if number else FAVORS)
                _add_count(rows, quantity, name, 100 * taken.often, words, "%", cell, games, seed)


def _add_statues(result: Expansions, rows: Rows, seed: int) -> None:
    sure = sure_of_statues(result.scope)
    for cell, statues in result.statues.items():
        for moment, statue in zip(ROUND_NAMES, statues, strict=True):
            rows.estimate(
                STATUE, "", statue.worth, sure, words="VP that a statue left in this round brings its seat",
                unit="VP per statue", players=PLAYERS, cell=cell, moment=moment, null=0.0, seed=seed,
            )  # fmt: skip
            words = "statues that a seat leaves, if nothing is denied, in the games whose treated round is this one"
            games = statue.worth.blocks * PLAYERS
            _add_count(rows, STATUES_LEFT, "", statue.often, words, "per game", cell, games, seed, moment=moment)


def _add_landsknechte(result: Expansions, rows: Rows, seed: int) -> None:
    sure = sure_of_cards(result.scope)
    for cell, cards in result.cards.items():
        for number, card in cards.items():
            each: Sequence[tuple[str, Taken, str, str]] = (
                (OWN_SEAT, card.seat, f"VP that Landsknechte card {number} brings its seat", "blocks of 12 games"),
                (TABLE, card.table, f"VP that Landsknechte card {number} brings the mean of the table", "blocks"),
            )
            for quantity, taken, words, unit in each:
                rows.estimate(
                    quantity, str(number), taken.worth, sure, words=words, unit="VP per card", players=PLAYERS,
                    cell=cell, n_unit=unit, null=0.0, seed=seed,
                )  # fmt: skip
            words, games = f"Landsknechte cards {number} turned by a seat", card.seat.worth.blocks * PLAYERS
            _add_count(rows, TURNED, str(number), card.table.often, words, "per game", cell, games, seed)


def _add_boards(result: Expansions, rows: Rows, seed: int) -> None:
    scope, home = result.scope, result.scope.baseline_cell()
    for cell, moves in result.boards.items():
        for name, changes in moves.changes.items():
            for outcome, change in changes.items():
                unit = "VP" if outcome in (POINTS, SPREAD) else "% points"
                shown = [(VARIED, sure_of_varied())] if cell == home else []
                for quantity, sure in (*shown, (VARIED_BY_PLAY, sure_of_moves(scope))):
                    rows.estimate(
                        quantity, varied_item(name, outcome), change.estimate, sure,
                        words=f"change of the {outcome.removesuffix(', %')} by other favors: {name}", unit=unit,
                        players=PLAYERS, cell=cell, null=0.0, pairing=change.gain, seed=seed,
                    )  # fmt: skip
        subsets = result.factorial.subsets[cell]
        others = tuple(name for name in EXPANSIONS if name != COURT)
        court = subsets[SUBSETS[-1]][POINTS] - subsets[others][POINTS]
        words = "VP that the court brings a seat beside the other two expansions"
        rows.estimate(
            COURT_WORTH, "", court, Confidence(), words=words, unit="VP", players=PLAYERS, cell=cell, null=0.0
        )
        for name, changes in moves.changes.items():
            value, label = court.value + changes[POINTS].estimate.value, f"{words}, with other favors: {name}"
            rows.number(COURT_VARIED, name, value, words=label, unit="VP", players=PLAYERS, cell=cell, null=0.0)


def _add_count(
    rows: Rows, quantity: str, name: str, value: float, words: str, unit: str, cell: Cell, games: int, seed: int,
    **more: Any,
) -> None:  # fmt: skip
    rows.number(
        quantity, name, value, words=words, unit=unit, players=PLAYERS, cell=cell, n=games, n_unit="games", seed=seed,
        **more,
    )  # fmt: skip
