"""What changed between two runs: contrasts of many columns for the treated seat, the others, the table, its spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from wallsim.analysis.contrasts.contrast import WIN, Contrast, ContrastSums, Lines
from wallsim.analysis.contrasts.groups import (
    BY_ROUND,
    BY_STANDING,
    TURN,
    Split,
    split_games,
    split_seats,
    treated_seats,
)
from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import checked_columns, numeric_columns
from wallsim.analysis.games.spread import SpreadChange, is_of_lineups, spread_of_pairing
from wallsim.errors import InputError
from wallsim.experiment.keys import shown
from wallsim.folder.results import is_lean
from wallsim.rules.terms import SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.bootstrap import largest_deviation_tail, part_weights
from wallsim.stats.intervals import LEVEL, NO_ERROR, Confidence

BONFERRONI, BOOTSTRAP = "bonferroni", "bootstrap"
METHODS = (BONFERRONI, BOOTSTRAP)
RESAMPLES = 1000
SEED = 1
_CELLS = 4_000_000  # numbers of games by lines held in memory at a time
_FEWEST = 1024  # games of a batch


@dataclass(frozen=True)
class Resampling:
    """Resamples of the games of a comparison, drawn with `seed`.

    `miss` is the probability with which each interval alone may miss so that all hold simultaneously.
    """

    resamples: int
    seed: int
    miss: float


def check_intervals(method: str, resamples: int, seed: int) -> None:
    """InputError unless `method` is one of METHODS, with 100 resamples or more and a seed of 0 or more."""
    errors = []
    if method not in METHODS:
        errors.append(f"intervals: {shown(method)} is not one of {', '.join(METHODS)}")
    if resamples < 100:
        errors.append(f"resamples: {resamples} is not a whole number from 100 on")
    if seed < 0:
        errors.append(f"resampling seed: {seed} is not a whole number from 0 on")
    if errors:
        raise InputError(errors)


def resampled(
    lines: Lines, contrasts: Sequence[Contrast], confidence: Confidence, resamples: int, seed: int
) -> Resampling | None:
    """Resample the games of two runs together, and find how far the largest change of any line deviates.

    `contrasts` are those of `lines`; the ones without an interval at `confidence`, or without variance, are left out.
    In each resample the deviation of every change from that of all games is taken in its standard deviations over the
    resamples, and the largest of these decides (max-|t|, `largest_deviation_tail`). A resample without cases of a line
    has the change of all games there. None where no line is left. RunError if rows are missing or damaged.
    """
    values = {
        (each.column, each.who, each.group): each.change.value
        for each in contrasts
        if each.counted >= confidence.min_blocks and each.change.error > NO_ERROR
    }
    if not values:
        return None
    games = len(lines.pairing.games)
    size = min(lines.batch, max(_FEWEST, _CELLS // len(values)))
    parts = [min(size, games - start) for start in range(0, games, size)]
    residuals = np.zeros((resamples, len(values)))
    cases = np.zeros_like(residuals)
    for pieces, chunks in zip(lines.batches(size), part_weights(parts, resamples, seed), strict=True):
        columns: list[np.ndarray] = []
        kinds: list[np.ndarray] = []  # of cases, which many lines share
        kind_of: list[int] = []
        for piece in pieces:
            if piece.key not in values:
                continue
            columns.append(piece.second - piece.first - values[piece.key] * piece.cases)
            if not kinds or kinds[-1] is not piece.cases:
                kinds.append(piece.cases)
            kind_of.append(len(kinds) - 1)
        numbers, counts = np.stack(columns, axis=1), np.stack(kinds, axis=1)
        first = 0
        for weights in chunks:
            rows = slice(first, first + len(weights))
            residuals[rows] += weights @ numbers
            cases[rows] += (weights @ counts)[:, kind_of]
            first += len(weights)
    deviations = np.divide(residuals, cases, out=np.zeros_like(residuals), where=cases > 0)
    tail = largest_deviation_tail(deviations, np.zeros(len(values)), confidence.level)
    return Resampling(resamples, seed, 2 * tail)


COLUMNS = (
    WIN, "vp", "vp_year1", "counties", "palaces", "churches", "trading_posts", "thalers", "taxes", "grain", "attacks",
    "attacks_won", "times_attacked", "times_attacked_lost", "revolts_lost", "shortages",
)  # fmt: skip
SEAT_COLUMNS = (WIN, "vp")  # where every seat has its own rows
ROUND_COLUMNS = ("vp_with_board", "thalers")
_NOTHING_TO_RESAMPLE = (
    "No line of enough games varies from game to game, so nothing was resampled, and any intervals are Bonferroni's."
)


@dataclass(frozen=True)
class Comparison:
    """The contrasts of two runs, whose intervals hold simultaneously with confidence `level`.

    `notes` say what the numbers rest on beyond the columns' meaning, one sentence each. `resampling` is that of the
    bootstrap which the intervals come from, None for Bonferroni's correction. `family` is the number of intervals that
    hold simultaneously with these, if there are others.
    """

    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    notes: tuple[str, ...]
    level: float = LEVEL
    resampling: Resampling | None = None
    family: int | None = None
    lines: Lines = field(kw_only=True, repr=False, compare=False)  # by which the games can be read again

    @property
    def confidence(self) -> Confidence:
        """The confidence of every interval, which counts all contrasts as comparisons."""
        miss = None if self.resampling is None else self.resampling.miss
        return Confidence(self.level, self.family or len(self.contrasts), miss)

    @property
    def method(self) -> str:
        """What makes the intervals hold simultaneously: `bonferroni` or `bootstrap`."""
        return BONFERRONI if self.resampling is None else BOOTSTRAP

    def spread(self) -> SpreadChange | None:
        """The spread of wins between line-ups in both runs and its change; None unless seats differ by these alone."""
        if not all(map(is_of_lineups, self.pairing.runs)):
            return None
        return spread_of_pairing(self.pairing)

    def p_values(self) -> list[float]:
        """The p-value of no change of each contrast, not adjusted; nan where there is no interval."""
        return [each.p_value(self.confidence) for each in self.contrasts]

    def change_by_game(self, contrast: Contrast) -> Estimate:
        """The change of one of the contrasts with the influence of each game, from rows that are read again.

        It has one block per game of the pairing, so that it can be combined with others of the same games. ValueError
        if the contrast is not one of these, RunError if rows are missing or damaged.
        """
        key = contrast.column, contrast.who, contrast.group
        result = [piece for batch in self.lines.batches() for piece in batch if piece.key == key]
        if not result:
            raise ValueError(f"{key} is none of the contrasts of this comparison")
        totals = np.concatenate([piece.second - piece.first for piece in result])
        return block_ratio(totals, np.concatenate([piece.cases for piece in result]))


def compare(
    pairing: Pairing,
    seat: str | None = None,
    by: str | None = None,
    moment: str | None = None,
    columns: tuple[str, ...] | None = None,
    *,
    intervals: str = BONFERRONI,
    resamples: int = RESAMPLES,
    resampling_seed: int = SEED,
) -> Comparison:
    """Contrast two runs, second minus first, game by game.

    `seat` names the treated seat (`treated_seats`). With it there are rows of that seat, of the mean of the other
    seats, of the mean of the table, and of its spread: the standard deviation between the seats' victory points and
    the best minus the worst. Without it every seat has rows of its own beside the table's. `by` splits the games, or
    without a treated seat the seats: by `seat`, `lineup`, `round` or `standing`. A standing is that in the first run
    before `moment`, the moment of the change (`treated_rounds`). By `round` the columns are those of `seasons`, moment
    by moment; with `turn` as `moment` they are those of `seats`, by the round of the change. `columns` are numeric
    columns of that table, by default a choice. Wins are reported for seats only, since those of a table are always one.

    `intervals` says what makes them hold simultaneously: `bonferroni` for Bonferroni's correction, or `bootstrap` for
    the largest deviation of `resamples` resamples of the games, drawn with `resampling_seed` (`resampled`). Games are
    read in batches, so that memory does not depend on their number but for some numbers of each.

    InputError for an unknown seat, split, moment, column or kind of intervals, for fewer than 100 resamples, and where
    a table is needed that was not written. RunError if a file is damaged.
    """
    check_intervals(intervals, resamples, resampling_seed)
    _check_moment(by, moment)
    lines = _lines(pairing, seat, by, moment, tuple(dict.fromkeys(columns)) if columns else None)
    sums: dict[tuple[str, str, str], ContrastSums] = {}
    for batch in lines.batches():
        for piece in batch:
            if piece.key not in sums:
                sums[piece.key] = ContrastSums(*piece.key)
            sums[piece.key].add(piece.first, piece.second, piece.cases)
    contrasts = tuple(filter(None, (each.contrast() for each in sums.values())))
    notes, resampling = (*_notes(pairing, by, moment), *_omitted(lines, by, columns)), None
    if intervals == BOOTSTRAP:
        resampling = resampled(lines, contrasts, Confidence(LEVEL, len(contrasts)), resamples, resampling_seed)
        notes += (_NOTHING_TO_RESAMPLE,) if resampling is None else ()
    return Comparison(pairing, contrasts, notes, LEVEL, resampling, lines=lines)


def _lines(
    pairing: Pairing, seat: str | None, by: str | None, moment: str | None, columns: tuple[str, ...] | None
) -> Lines:
    every = np.ones(len(pairing.games), bool)
    if by == BY_ROUND and moment is None:
        chosen = checked_columns(pairing.runs, "seasons", columns or ROUND_COLUMNS)
        treated = None if seat is None else treated_seats(pairing, seat)
        splits = tuple(Split(name, every) for name in SEASON_NAMES)
        return Lines(pairing, chosen, splits, treated, by_moment=True)
    chosen = checked_columns(
        pairing.runs, "seats", columns or (_default_columns(pairing) if by is None else SEAT_COLUMNS)
    )
    if seat is None:
        per_seat = chosen if by is not None or columns else SEAT_COLUMNS
        cells = dict(split_seats(pairing, by, moment))
        return Lines(pairing, chosen, (Split("", every),) if by is None else (), None, cells, per_seat)
    treated = treated_seats(pairing, seat)
    return Lines(pairing, chosen, tuple(split_games(pairing, by, moment, treated[0])), treated)


def _default_columns(pairing: Pairing) -> tuple[str, ...]:
    if not any(map(is_lean, pairing.runs)):
        return COLUMNS
    known = numeric_columns(pairing.runs, "seats")
    return tuple(name for name in COLUMNS if name in known)


def _omitted(lines: Lines, by: str | None, columns: tuple[str, ...] | None) -> list[str]:
    # What the default choice of columns lacks where a run wrote only some.
    missing = [] if columns or by is not None else [name for name in COLUMNS if name not in lines.columns]
    return [f'A run has columns = "lean" and lacks {", ".join(missing)}.'] if missing else []


def _check_moment(by: str | None, moment: str | None) -> None:
    if moment is not None and by not in (BY_ROUND, BY_STANDING):
        raise InputError(f"round: {moment}; the moment of the change only matters by {BY_ROUND} or {BY_STANDING}")
    if by == BY_ROUND and moment not in (None, TURN):
        raise InputError(f"round: {moment}; by {BY_ROUND} only {TURN} is allowed, since else there is one round")


def _notes(pairing: Pairing, by: str | None, moment: str | None) -> tuple[str, ...]:
    notes = [pairing.left_out(), pairing.grown()]
    if by == BY_STANDING:
        when = "the round of the change" if moment == TURN else moment
        notes.append(f"Standings are those in A before {when}.")
        if moment == TURN:
            notes.append(f"Games changed in {SEASON_NAMES[0]} are excluded, since no ranking exists before it.")
    return tuple(filter(None, notes))
