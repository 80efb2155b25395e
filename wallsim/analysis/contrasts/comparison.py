"""What changed between two runs: contrasts of many columns for the treated seat, the others, the table, its spread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wallsim.analysis.contrasts.contrast import WIN, Contrast, contrast
from wallsim.analysis.contrasts.groups import BY_ROUND, BY_STANDING, Split, split_games, split_seats
from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import SeatTable, checked_columns, season_tables, seat_table
from wallsim.analysis.contrasts.treated import TURN, treated_seats
from wallsim.errors import InputError
from wallsim.rules.terms import SEASON_NAMES
from wallsim.stats.intervals import LEVEL, Confidence

TREATED, OTHERS, TABLE, EACH = "treated seat", "other seats", "table", "each seat"
DEVIATION, MARGIN = "table, standard deviation", "table, best minus worst"
COLUMNS = (
    WIN, "vp", "vp_year1", "counties", "palaces", "churches", "trading_posts", "thalers", "taxes", "grain", "attacks",
    "attacks_won", "times_attacked", "times_attacked_lost", "revolts_lost", "shortages",
)  # fmt: skip
SEAT_COLUMNS = (WIN, "vp")  # where every seat has its own rows
ROUND_COLUMNS = ("vp_with_board", "thalers")
_POINTS = ("vp", "vp_with_board")  # the columns whose spread over the table is told

_Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Comparison:
    """The contrasts of two runs, whose intervals hold simultaneously with confidence `level`.

    `notes` say what the numbers rest on beyond the columns' meaning, one sentence each.
    """

    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    notes: tuple[str, ...]
    level: float = LEVEL

    @property
    def confidence(self) -> Confidence:
        """The confidence of every interval, which counts all contrasts as comparisons."""
        return Confidence(self.level, len(self.contrasts))

    def p_values(self) -> list[float]:
        """The p-value of no change of each contrast, not adjusted; nan where there is no interval."""
        return [each.p_value(self.confidence) for each in self.contrasts]


def compare(
    pairing: Pairing,
    seat: str | None = None,
    by: str | None = None,
    moment: str | None = None,
    columns: tuple[str, ...] | None = None,
) -> Comparison:
    """Contrast two runs, second minus first, game by game.

    `seat` names the treated seat (`treated_seats`). With it there are rows of that seat, of the mean of the other
    seats, of the mean of the table, and of its spread: the standard deviation between the seats' victory points and
    the best minus the worst. Without it every seat has rows of its own beside the table's. `by` splits the games, or
    without a treated seat the seats: by `seat`, `lineup`, `round` or `standing`. A standing is that in the first run
    before `moment`, the moment of the change (`treated_rounds`). By `round` the columns are those of `seasons`, moment
    by moment; with `turn` as `moment` they are those of `seats`, by the round of the change. `columns` are numeric
    columns of that table, by default a choice. Wins are told of seats only, since those of a table are always one.

    InputError for an unknown seat, split, moment or column, and where a table is needed that was not written.
    RunError if a file is damaged.
    """
    _check_moment(by, moment)
    columns = tuple(dict.fromkeys(columns)) if columns else None
    if by == BY_ROUND and moment is None:
        return _by_moment(pairing, seat, columns)
    runs = pairing.runs
    chosen = checked_columns(runs, "seats", columns or (COLUMNS if by is None else SEAT_COLUMNS))
    tables = tuple(seat_table(run, pairing.games, chosen) for run in runs)
    found: list[Contrast] = []
    if seat is None:
        if by is None:
            found += _of_table(tables, chosen, Split("", np.ones(len(pairing.games), bool)))
        per_seat = chosen if by is not None or columns else SEAT_COLUMNS
        for group, cells in split_seats(pairing, by, moment):
            found += _of_cells(tables, per_seat, EACH, group, (cells, cells))
        return Comparison(pairing, tuple(found), _notes(pairing, by, moment))
    treated = treated_seats(pairing, seat)
    for split in split_games(pairing, by, moment, treated[0]):
        found += _of_treated(tables, chosen, split, treated)
    return Comparison(pairing, tuple(found), _notes(pairing, by, moment))


def _by_moment(pairing: Pairing, seat: str | None, columns: tuple[str, ...] | None) -> Comparison:
    chosen = checked_columns(pairing.runs, "seasons", columns or ROUND_COLUMNS)
    one, other = (season_tables(run, pairing.games, chosen) for run in pairing.runs)
    treated = None if seat is None else treated_seats(pairing, seat)
    found: list[Contrast] = []
    for name in one:
        tables, split = (one[name], other[name]), Split(name, np.ones(len(pairing.games), bool))
        found += _of_table(tables, chosen, split) if treated is None else _of_treated(tables, chosen, split, treated)
    return Comparison(pairing, tuple(found), _notes(pairing, BY_ROUND, None))


def _of_treated(
    tables: tuple[SeatTable, ...], columns: tuple[str, ...], split: Split, treated: _Pair
) -> Iterator[Contrast]:
    seats = np.arange(tables[0].players)
    one, other = (of_run[:, None] == seats for of_run in treated)
    games = split.games[:, None]
    yield from _of_cells(tables, columns, TREATED, split.name, (one & games, other & games))
    without_wins = tuple(name for name in columns if name != WIN)
    yield from _of_cells(tables, without_wins, OTHERS, split.name, (~one & games, ~other & games))
    yield from _of_table(tables, columns, split)


def _of_cells(
    tables: tuple[SeatTable, ...], columns: tuple[str, ...], who: str, group: str, cells: _Pair
) -> Iterator[Contrast]:
    """The contrasts of the mean over some seats of each game; `cells`, bool [games, seats], of both runs."""
    cases = cells[0].sum(axis=1).astype(np.float64)  # the same in both runs, where a treated seat may sit elsewhere
    for column in columns:
        first, second = ((table.values(column) * cell).sum(axis=1) for table, cell in zip(tables, cells, strict=True))
        made = contrast(column, who, group, first, second, cases)
        if made is not None:
            yield made


def _of_table(tables: tuple[SeatTable, ...], columns: tuple[str, ...], split: Split) -> Iterator[Contrast]:
    cases = split.games.astype(np.float64)
    for column in columns:
        if column == WIN:
            continue
        values = [table.values(column) for table in tables]
        measures = {TABLE: [table.mean(axis=1) for table in values]}
        if column in _POINTS:
            measures[DEVIATION] = [table.std(axis=1) for table in values]
            measures[MARGIN] = [np.ptp(table, axis=1) for table in values]
        for who, (first, second) in measures.items():
            made = contrast(column, who, split.name, first * cases, second * cases, cases)
            if made is not None:
                yield made


def _check_moment(by: str | None, moment: str | None) -> None:
    if moment is not None and by not in (BY_ROUND, BY_STANDING):
        raise InputError(f"round: {moment}; the moment of the change only matters by {BY_ROUND} or {BY_STANDING}")
    if by == BY_ROUND and moment not in (None, TURN):
        raise InputError(f"round: {moment}; by {BY_ROUND} only {TURN} is allowed, since else there is one round")


def _notes(pairing: Pairing, by: str | None, moment: str | None) -> tuple[str, ...]:
    notes = [pairing.left_out(), pairing.grown()]
    if by == BY_STANDING:
        when = "the round of the change" if moment == TURN else moment
        notes.append(f"Standings are those in {pairing.first.folder} before {when}.")
        if moment == TURN:
            notes.append(f"Games changed in {SEASON_NAMES[0]} are left out, since nobody stands anywhere before it.")
    return tuple(filter(None, notes))
