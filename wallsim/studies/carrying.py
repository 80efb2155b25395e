"""Carrying a study to a new engine: a sample of other games, played today, is compared with the published figures.

Compared are the figures that the study's first screen shows, or those of the quantities that it names instead. A
difference is divided by the root of both squared errors. The figures of a study share games in ways that the register
does not say, so its p-value is the smallest one times their number (Bonferroni), which is valid however they depend on
each other. Studies are then corrected by Holm's method. What does not differ is carried: its figures stay, and its
record says to which engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, nan, sqrt
from pathlib import Path

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.experiment.file import with_other_games
from wallsim.folder.study_folder import at_work, remove_leftovers
from wallsim.report.tables.estimates import NOTHING
from wallsim.report.tables.traced import sources_in
from wallsim.stats.intervals import NO_ERROR, Confidence
from wallsim.stats.screening import holm
from wallsim.stats.stages import students_tails
from wallsim.studies.figure import Figure, quantity_of
from wallsim.studies.other_tables import traced_figures
from wallsim.studies.publishing import REGISTER, digest_errors, families_of, from_register, write_page
from wallsim.studies.register import write_register
from wallsim.studies.running import Result, options_of, play_study
from wallsim.studies.shared_files import Carried
from wallsim.studies.study import Choices, Study

ALPHA = 0.05  # the chance that any study differs by chance alone
SHARE = 20  # one in so many of an experiment's games are played, where a study does not say how many
# Between the seeds of the published games and those that an engine plays to be compared: more than any study adds.
SEEDS_APART = 10**12
_EVEN = 1e-4  # of an interval's half-width


@dataclass(frozen=True)
class Compared:
    """A published figure, the same of other games, and the two-sided p-value of their difference."""

    id: str
    published: float
    now: float
    p: float


@dataclass(frozen=True)
class Comparison:
    """What was compared of a study. `played` is its published result, `seconds` the CPU seconds of its games of today.

    They are None where some were stored.
    """

    played: Result
    rows: tuple[Compared, ...]
    seconds: int | None

    @property
    def p(self) -> float:
        """The p-value that no figure differs."""
        return min(1.0, len(self.rows) * min(row.p for row in self.rows))

    @property
    def differing(self) -> list[Compared]:
        """The figures that differ, the least p-value first (Holm within the study)."""
        adjusted = holm([row.p for row in self.rows])
        found = [row for row, p in zip(self.rows, adjusted, strict=True) if p <= ALPHA]
        return sorted(found, key=lambda row: row.p)


def sample_of(study: Study) -> Choices:
    """What is played of a study to compare it."""
    games = max(1, study.experiment().games // SHARE) if study.games else None
    return study.sample or Choices(games, quick=True)


def headline(result: Result) -> list[str]:
    """The ids of the figures that a study's first screen shows, or those of the quantities that it names instead."""
    if result.study.compared:
        return [key for key in result.figures if quantity_of(key) in result.study.compared]
    screen = replace(result, figures=traced_figures(result.figures)).page.first_screen
    shown = {key for source in sources_in(screen) for key in source.ids}
    return [key for key in result.figures if key in shown]


def error_of(figure: Figure) -> float:
    """The standard error of a figure, or that of its interval if this is one of Student's t: even on both sides.

    nan where neither is; the quotient of two estimates, such as a worth in Thalers, has none.
    """
    low, high = figure.ends or (nan, nan)
    half = (high - low) / 2
    if not isnan(figure.error) or figure.n < 2 or not abs((low + high) / 2 - figure.value) < _EVEN * half < inf:
        return figure.error
    return half / Confidence(figure.level, figure.family).t(figure.n)


def compared(
    published: Mapping[str, Figure], played: Mapping[str, Figure], ids: Iterable[str], *, cells_alone: bool = False
) -> list[Compared]:
    """The figures with these ids that mean the same in both and have an error, from games of different seeds.

    With `cells_alone` a figure must be one of a play and a tower, since means are those of other cells in a quick look.

    The error of the second is at least that which the published units lead to expect of so few: few blocks know their
    variance badly, and may have none of a rare event.
    """
    rows = []
    for old, new in ((published[key], played[key]) for key in ids if key in played):
        other = (old.quantity, old.unit, old.n_unit) != (new.quantity, new.unit, new.n_unit) or old.seed == new.seed
        error, own = error_of(old), error_of(new)
        if other or (cells_alone and not (old.play and old.tower)):
            continue
        if isnan(new.value) or not NO_ERROR < error < inf or not new.n:
            continue
        expected = error * sqrt(old.n / new.n)
        both = sqrt(error**2 + max(expected, 0.0 if isnan(own) else own) ** 2)
        tails = students_tails(new.value - old.value, both, max(2, old.n), 0.0)
        rows.append(Compared(old.id, old.value, new.value, 2 * min(tails)))
    return rows


def published(study: Study, root: Path) -> Result:
    """The published result of a study, from the register of the checkout at `root`.

    InputError for a study that is not published, or that is another now in more than its engine.
    """
    played = from_register(study, root)
    if errors := digest_errors(played):
        raise InputError([*errors, f"{study.name}: more than its engine has changed; play it again"])
    return played


def compare(played: Result, folder: Path, *, workers: int | None = None) -> Comparison:
    """Play a sample of a published study in a folder, and compare it. InputError if it has no figure to compare."""
    study, choices = played.study, sample_of(played.study)
    folder.mkdir(parents=True, exist_ok=True)
    with with_other_games(SEEDS_APART * ENGINE_VERSION), at_work(folder, remove_leftovers):
        now = play_study(study, folder, choices, workers=workers)
    rows = compared(played.figures, now.figures, headline(played), cells_alone=choices.quick)
    if not rows:
        raise InputError(f"{study.name}: sample: no figure of it can be compared; play more games")
    return Comparison(played, tuple(rows), now.cpu_seconds)


def carry(comparison: Comparison, root: Path) -> None:
    """Write into a study's record in the checkout at `root`, and on its page, that it was carried to this engine."""
    study, figures = comparison.played.study, comparison.played.figures
    sample = " ".join(options_of(sample_of(study)))
    carried = Carried(ENGINE_VERSION, float(f"{comparison.p:.3g}"), len(comparison.rows), sample, comparison.seconds)
    write_register(figures, root / REGISTER, study.question, families=families_of(study), carried=carried)
    write_page(study, root)


def differing_studies(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The studies that differ (Holm)."""
    adjusted = holm([each.p for each in comparisons])
    return [each for each, p in zip(comparisons, adjusted, strict=True) if p <= ALPHA]


HEADS = ("study", "figures", "p", "played by", "CPU s", "")


def row_of(comparison: Comparison, differs: bool) -> tuple[str, ...]:
    """A row of the table of what was compared, under HEADS."""
    engine, seconds = comparison.played.figures.engine, comparison.seconds
    verdict = "differs" if differs else "is of this engine" if engine == ENGINE_VERSION else "carried"
    return (
        comparison.played.study.name, f"{len(comparison.rows):,}", f"{comparison.p:.2g}", f"engine {engine}",
        NOTHING if seconds is None else f"{seconds}", verdict,
    )  # fmt: skip
