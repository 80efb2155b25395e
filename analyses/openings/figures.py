"""The figures of the study `openings` in the register: the most frequent cards of each box, and what they change."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT, REST, Box, Choice, Opening
from wallsim.analysis.openings.forced import Gains
from wallsim.analysis.openings.plans import BID, BOXES
from wallsim.report.pages.openings import words_of
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import LEVEL, Confidence, wilson
from wallsim.studies.figure import Rows

from .cards import Place
from .estimates import BUILT, PLAYERS, Result

LAID, BUILDINGS = "laid", "buildings"
LINEUP_VP, LINEUP_WINS = "lineup-vp", "lineup-wins"
SHARE, VP, WINS, THEN = "share", "vp", "wins", "then"
FORCED_VP, FORCED_WINS = "forced-vp", "forced-wins"
SPRING = ROUND_NAMES[0]
PER_CENT, POINTS, POINTS_OF_WINS = "%", "VP", "% points"


def sure_of_laid() -> Confidence:
    """The confidence of what lies on the boxes at one table with one number of players."""
    return Confidence(LEVEL, len(BOXES) + 1)


def add_figures(result: Result, rows: Rows) -> None:
    """Add every figure: what lies on the boxes, the frequent cards of each line-up, and what they change."""
    for (players, table), laid in result.laid.items():
        for name, estimate in laid.items():
            quantity, unit = (BUILDINGS, "buildings") if name == BUILT else (LAID, PER_CENT)
            words = "Thalers bid in the first plan" if name == BID else f"a county on {words_of(name)} in first plans"
            rows.estimate(
                quantity, "" if name == BUILT else name, estimate, sure_of_laid(),
                words="buildings of a first plan" if name == BUILT else words, unit=unit, players=players, cell=table,
                moment=SPRING, n_unit="games",
            )  # fmt: skip
    for (players, table), openings in result.openings.items():
        for opening in openings:
            _add_opening(rows, players, table, opening)
    for table, gains in result.forced.items():
        _add_forced(rows, table, gains)


def _add_opening(rows: Rows, players: int, table: Cell, opening: Opening) -> None:
    letter = opening.lineup or ""
    whose = f"of the seat with line-up {letter}"
    for quantity, mean, factor, words, unit in (
        (LINEUP_VP, opening.vp, 1, "victory points above the mean of the table", POINTS),
        (LINEUP_WINS, opening.wins, 100, "wins above the fair share", POINTS_OF_WINS),
    ):
        interval = None if mean.interval is None else (factor * mean.interval[0], factor * mean.interval[1])
        rows.number(
            quantity, letter, factor * mean.mean, interval, words=f"{words} {whose}", unit=unit, players=players,
            cell=table, n=opening.games, n_unit="games", null=0.0, sure=Confidence(),
        )  # fmt: skip
    for box in opening.boxes:
        _add_box(rows, players, table, opening, box)


def _add_box(rows: Rows, players: int, table: Cell, opening: Opening, box: Box) -> None:
    sure = Confidence(n_comparisons=len(box.choices))
    for choice in box.frequent:
        place = Place(opening.lineup or "", box.box, choice.card)
        where = f"with {choice.card} on {words_of(box.box)}, line-up {place.lineup}"
        numbers = [(SHARE, choice.share, choice.share_interval, opening.games, "first plans", PER_CENT, 100.0)]
        if len(box.choices) > 1:  # a card of all plans has the means of the line-up
            vp, wins = choice.vp, choice.wins
            points = "victory points above the mean of the table, first plans"
            numbers += [
                (VP, vp.mean, vp.interval, choice.games, points, POINTS, 1.0),
                (WINS, wins.mean, wins.interval, choice.games, "wins above the fair share, first plans",
                 POINTS_OF_WINS, 100.0),
            ]  # fmt: skip
        for quantity, value, interval, n, words, unit, factor in numbers:
            ends = None if interval is None else (factor * interval[0], factor * interval[1])
            rows.number(
                quantity, place.item(), factor * value, ends, words=f"{words} {where}", unit=unit, players=players,
                cell=table, moment=SPRING, n=n, n_unit="games", sure=sure,
            )  # fmt: skip
        _add_next(rows, players, table, opening, place)
    others = box.choices[len(box.frequent) :]
    if others:
        _add_rest(rows, players, table, opening, box.box, others, sure)


def _add_rest(
    rows: Rows, players: int, table: Cell, opening: Opening, box: str, others: Sequence[Choice], sure: Confidence
) -> None:
    share = sum(choice.cases for choice in others) / opening.cases
    low, high = wilson(share, opening.games, sure.z)
    words = f"first plans with another card than the most frequent {MOST_FREQUENT} on {words_of(box)}"
    rows.number(
        SHARE, Place(opening.lineup or "", box, REST).item(), 100 * share, (100 * low, 100 * high),
        words=f"{words}, line-up {opening.lineup}", unit=PER_CENT, players=players, cell=table, moment=SPRING,
        n=opening.games, n_unit="games", sure=sure,
    )  # fmt: skip


def _add_next(rows: Rows, players: int, table: Cell, opening: Opening, place: Place) -> None:
    """The card that most often lies on the same box in the next season, after this one."""
    box = next(each for each in opening.following[place.box, place.card] if each.box == place.box)
    if not box.frequent or box.frequent[0].cases < LEAST:
        return
    choice, sure = box.frequent[0], Confidence(n_comparisons=len(box.choices))
    after = f"after {place.card} in the first, line-up {place.lineup}"
    interval = choice.share_interval
    ends = None if interval is None else (100 * interval[0], 100 * interval[1])
    rows.number(
        THEN, place._replace(then=choice.card).item(), 100 * choice.share, ends,
        words=f"plans of the next season with {choice.card} on {words_of(place.box)}, {after}", unit=PER_CENT,
        players=players, cell=table, moment=ROUND_NAMES[1], n=choice.games, n_unit="games", sure=sure,
    )  # fmt: skip


def _add_forced(rows: Rows, table: Cell, gains: dict[tuple[str, str, str], Gains]) -> None:
    sure = Confidence(LEVEL, max(1, len(gains)))
    for (letter, box, card), each in gains.items():
        if len(each.vp) < LEAST:
            continue
        words = f"where {card} is laid on {words_of(box)} in place of another card, line-up {letter}"
        for quantity, values, what, unit in (
            (FORCED_VP, each.vp, "change of victory points", POINTS),
            (FORCED_WINS, 100 * each.wins, "change of wins", POINTS_OF_WINS),
        ):
            rows.estimate(
                quantity, Place(letter, box, card).item(), block_mean(values), sure, words=f"{what} {words}",
                unit=unit, players=PLAYERS, cell=table, moment=SPRING, n_unit="games", null=0.0,
            )  # fmt: skip
