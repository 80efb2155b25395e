"""What a study is: data and functions, from which the frame makes the command, the cache, the register and the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.stats.blocks import Estimate
from wallsim.studies.cache import Cache
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, texts_of
from wallsim.studies.quantities import Key, Quantity, Value, add_values
from wallsim.studies.scope import plays_for
from wallsim.studies.sentences import said


@dataclass(frozen=True)
class Choices:
    """What a user chose: a number of games, a quick look, and the study's own options by name.

    Without any it is the published study.
    """

    games: int | None = None
    quick: bool = False
    options: Mapping[str, str] = field(default_factory=dict)

    def option(self, option: Option) -> str:
        """The value of an option."""
        return self.options.get(option.name, option.default)


class Option(NamedTuple):
    """An option of one study, as `--set NAME=VALUE` gives it: its name, its default, and what it means."""

    name: str
    default: str
    words: str


@dataclass(frozen=True)
class Storage:
    """Where a study keeps what it plays: its folder, the cache in it; and the threads to play with, None for all.

    Runs and tournaments lie in folders below `folder`; everything else is stored by `cache`.
    """

    folder: Path
    cache: Cache
    workers: int | None = None


FINDING, TABLES = "finding", "tables"  # the marks of the two blocks of every study


class Page(NamedTuple):
    """The texts of a study: its finding with one table, for the page that is read first, and all other tables.

    A quick look makes no finding. `more` are further texts by the names of their marks, such as one of the README;
    `printed` is printed in place of the tables if given.
    """

    finding: Finding | None
    table: str
    tables: str
    more: Mapping[str, str] = {}
    printed: str = ""

    def blocks(self, study: Study) -> dict[str, str]:
        """The texts by the names of their marks."""
        return {FINDING: self.first_screen(study), TABLES: self.tables, **self.more}

    def first_screen(self, study: Study) -> str:
        """The finding with its table; in a quick look what the study asks, and the table."""
        if self.finding is not None:
            return self.finding.as_text(study.name, self.table)
        return f"# {study.question}\n\nA quick look, in few cells and games: it makes no finding.\n\n{self.table}"

    def text(self, study: Study) -> str:
        """Everything in one text, as it is printed."""
        return f"{self.first_screen(study)}\n\n{self.printed or self.tables}"


Parts = Iterable[Grid | str]
Outcomes = Callable[[Experiment, int, int | None], Mapping[str, Estimate]]
SomeOutcomes = Callable[[Experiment, int, int | None, Collection[str]], Mapping[str, Estimate]]


@dataclass(frozen=True)
class Judged:
    """Claims of a study as the study `robustness` judges them again, under other pools, towers, set-ups and boards.

    `outcomes` estimates the outcomes of all claims under any experiment, from blocks of 6 games a seat with so many
    workers; the unit of errors is `games_a_row` games of each comparison. `setups`, `towers` and `plays` (by number of
    players) are those in which the study judges its claims. `units` are those of the outcomes by name,
    victory points where it names none. `given` returns, as data, what the outcomes rest on beside the experiment,
    such as figures of the register. `chosen` are the outcomes that were chosen by the study's own figures: only games
    of another seed judge them. `some` estimates no more than the outcomes that it is given, and plays what these need;
    without it all are estimated.
    """

    claims: tuple[Claim, ...]
    outcomes: Outcomes
    games_a_row: int = 1
    setups: tuple[str, ...] = SETUPS
    towers: tuple[str, ...] = CALIBRATIONS
    plays: Callable[[int], tuple[Play, ...]] = plays_for
    units: Mapping[str, str] = field(default_factory=dict)
    given: Callable[[], Mapping[str, Any]] | None = None
    chosen: tuple[str, ...] = ()
    some: SomeOutcomes | None = None


def _left_out(*_: Any) -> Any:
    """Stands for a function that a study does not have."""
    raise NotImplementedError("the study has no such function, and nothing from which it follows")


@dataclass(frozen=True)
class Study:
    """A study. `file` is the `__file__` of its module `study.py`, in a folder that has its name; `doc` its docstring.

    The frame calls the functions in this order:

    - `design(choices)`: what will be played. InputError for invalid choices, before anything is played.
    - `identity(design)`: everything that decides the figures, as data; experiments may stand in it.
    - `play(design, storage)`: play what is not stored yet, and estimate.
    - `figures(result, rows)`: add every number that is published to the register. Without it `play` returns values by
      `Key`, and all of them are added.
    - `page(figures, design)`: the texts of the page, made from the register alone; `marks` name those of `more`.
      Without it they are those of `finding`, whose tokens are filled (a `quick` design has none), `first`, and
      `tables`, all with the same arguments; without `first` the first of the tables leads.
    - `picture(figures, design)`: the picture, made from the register alone, saved with `colours` colours, or with
      "shades" where they stand for numbers.
    - `files(figures, design)`: more files for the study's folder, by name.

    `quantities` are those of its figures, where it declares them. `count_version` is raised when something else is
    counted in the same games. `games` says what a number of games means to the study, empty if it can be given none.
    `quick` is what `--quick` stands for: the design receives it, or fewer games and other values of the study's own
    options; games and options that are given come first.
    """

    file: str
    doc: str | None
    design: Callable[[Choices], Any]
    identity: Callable[[Any], Mapping[str, Any]]
    play: Callable[[Any, Storage], Any]
    figures: Callable[[Any, Rows], None] = _left_out
    page: Callable[[Figures, Any], Page] = _left_out
    picture: Callable[[Figures, Any], Picture] = _left_out
    marks: tuple[str, ...] = ()
    finding: Callable[[Figures, Any], Finding | None] | None = None
    first: Callable[[Figures, Any], Grid | str] | None = None
    tables: Callable[[Figures, Any], Parts] = _left_out
    files: Callable[[Figures, Any], Mapping[str, bytes]] | None = None
    quantities: tuple[Quantity, ...] = ()
    judged: tuple[Judged, ...] = ()
    options: tuple[Option, ...] = ()
    games: str = "games of each scenario instead of the experiment's"
    quick: Choices = Choices(quick=True)
    count_version: int = 1
    colours: int | Literal["shades"] = 64

    def __post_init__(self) -> None:
        """Fill the functions that follow from others."""
        for name, function in (("figures", self._add_values), ("page", self._page)):
            if getattr(self, name) is _left_out:
                object.__setattr__(self, name, function)

    def _add_values(self, values: Mapping[Key, Value], rows: Rows) -> None:
        add_values(rows, self.quantities, values)

    def _page(self, figures: Figures, design: Any) -> Page:
        finding = None if self.finding is None or getattr(design, "quick", False) else self.finding(figures, design)
        if finding is not None:
            finding = Finding(*(said(text, figures) for text in finding))
        parts = list(self.tables(figures, design))
        first = parts.pop(0) if self.first is None else self.first(figures, design)
        return Page(finding, texts_of(figures, [first]), texts_of(figures, parts))

    @property
    def folder(self) -> Path:
        """The folder of the study's files."""
        return Path(self.file).parent

    @property
    def name(self) -> str:
        """The name of the study, that of its folder."""
        return self.folder.name

    @property
    def question(self) -> str:
        """What the study asks: the first line of its docstring."""
        return (self.doc or "").partition("\n")[0]

    @property
    def experiment_file(self) -> Path:
        """The file of the study's experiment."""
        return self.folder / "experiment.toml"

    def experiment(self) -> Experiment:
        """The study's experiment: the baseline."""
        return load_experiment(self.experiment_file)

    def storage(self, folder: str | Path, workers: int | None = None) -> Storage:
        """Where the study keeps what it plays, below a folder."""
        return Storage(Path(folder), Cache(folder, self.name, self.count_version), workers)
