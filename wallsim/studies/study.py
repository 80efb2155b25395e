"""What a study is: data and functions, from which the frame makes the command, the cache, the register and the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import SETUPS, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.tournament import TournamentRun
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.stats.blocks import Estimate
from wallsim.studies.cache import Cache, audit_in_progress
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figures
from wallsim.studies.finding import Finding, said
from wallsim.studies.grids import Grid, texts_of
from wallsim.studies.quantities import Key, Quantity, Value
from wallsim.studies.scope import plays_for


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

    def listed(self, option: Option) -> list[str]:
        """The names of an option that has comma-separated ones."""
        return [name.strip() for name in self.option(option).split(",") if name.strip()]


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

    def tournament(self, name: str, planned: Tournament) -> TournamentRun:
        """Play what is missing of a tournament in a folder with this name. NotPlayedError in an audit, if any is."""
        if (audit := audit_in_progress()) is not None:
            audit.folder(self.folder / name)
        return play_tournament(planned, self.folder / name, workers=self.workers)


FINDING = "finding"  # the mark of the block that a study writes into its page


class Page(NamedTuple):
    """The texts of a study: the first screen, which has its finding and one table, and all other tables.

    A quick look makes no finding. `printed` follows the tables where they are printed, and there alone.
    """

    finding: Finding | None
    table: str
    first_screen: str
    tables: str
    printed: str = ""

    @property
    def text(self) -> str:
        """Everything in one text, as it is printed."""
        return f"{self.first_screen}\n\n{self.tables}" + (f"\n\n{self.printed}" if self.printed else "")


Parts = Iterable[Grid | str]
Outcomes = Callable[[Experiment, int, Collection[str] | None], Mapping[str, Estimate]]


@dataclass(frozen=True)
class Judged:
    """Claims of a study as the study `robustness` judges them again, at random tables and on other boards.

    `outcomes` estimates the outcomes of all claims under any experiment, from blocks of 6 games a seat in one thread;
    given names of outcomes it may estimate these alone, and play no more than they need. Without it the study alone
    judges its claims, by its figures of `quantity`, in the same family as all others. The unit of errors is
    `games_a_row` games of each comparison. `setups` and `plays` (by number of players) are those in which the study
    judges its claims. `units` are those of the outcomes by name, victory points where it names none. `given`
    returns, as data, what the outcomes rest on beside the experiment, such as figures of the register. `chosen` are the
    outcomes that were chosen by the study's own figures: only games of another seed judge them, so `robustness` plays
    them in all settings. `published` says whether the study itself publishes the others there; if not, it plays all.
    """

    claims: tuple[Claim, ...]
    outcomes: Outcomes | None
    games_a_row: int = 1
    setups: tuple[str, ...] = SETUPS
    plays: Callable[[int], tuple[Play, ...]] = plays_for
    units: Mapping[str, str] = field(default_factory=dict)
    given: Callable[[], Mapping[str, Any]] | None = None
    chosen: tuple[str, ...] = ()
    published: bool = True
    quantity: str = CLAIM

    @property
    def unpublished(self) -> tuple[str, ...]:
        """The outcomes that only `robustness` judges in the settings."""
        return self.chosen if self.published else tuple(claim.outcome for claim in self.claims)


@dataclass(frozen=True)
class Study:
    """A study. `file` is the `__file__` of its module `study.py`, in a folder that has its name; `doc` its docstring.

    The frame calls the functions in this order:

    - `design(choices)`: what will be played. InputError for invalid choices, before anything is played.
    - `identity(design)`: everything that decides the figures, as data; experiments may stand in it.
    - `play(design, storage)`: play what is not stored yet, and estimate: the values of the figures by `Key`. All of
      them are added to the register, as `quantities` say.
    - `finding`, `first` and `tables`, all with `(figures, design)`: the texts of the page, made from the register
      alone. The tokens of the finding are filled (a `quick` design has none); without `first` the first of the tables
      leads. `printed` are sentences that follow the tables where they are printed, and there alone.
    - `picture(figures, design)`: the picture, made from the register alone, saved with `colours` colours, or with
      "shades" where they stand for numbers.
    - `files(figures, design)`: more files for the study's folder, by name.

    `count_version` is raised when something else is counted in the same games. `games` says what a number of games
    means to the study, empty if it can be given none. `quick` is what `--quick` stands for: the design receives it, or
    fewer games and other values of the study's own options; games and options that are given come first. `sample` is
    what `--carry` plays to compare the published figures with an engine: by default a twentieth of the experiment's
    games. `compared` are the quantities that are compared in place of what the first screen shows. `rules` is a file of
    the folder that says how figures are judged: the record of the published study names its commit, with the date.
    """

    file: str
    doc: str | None
    design: Callable[[Choices], Any]
    identity: Callable[[Any], Mapping[str, Any]]
    play: Callable[[Any, Storage], Mapping[Key, Value]]
    _: KW_ONLY
    quantities: Sequence[Quantity]
    tables: Callable[[Figures, Any], Parts]
    picture: Callable[[Figures, Any], Picture]
    finding: Callable[[Figures, Any], Finding | None] | None = None
    first: Callable[[Figures, Any], Grid | str] | None = None
    printed: Callable[[Figures, Any], Iterable[str]] | None = None
    files: Callable[[Figures, Any], Mapping[str, bytes]] | None = None
    judged: tuple[Judged, ...] = ()
    options: tuple[Option, ...] = ()
    games: str = "games of each scenario instead of the experiment's"
    quick: Choices = Choices(quick=True)
    sample: Choices | None = None
    compared: tuple[str, ...] = ()
    rules: str = ""
    count_version: int = 1
    colours: int | Literal["shades"] = 64

    def page(self, figures: Figures, design: Any) -> Page:
        """The texts of the page."""
        finding = None if self.finding is None or getattr(design, "quick", False) else self.finding(figures, design)
        if finding is not None:
            finding = Finding(*(said(text, figures) for text in finding))
        parts = list(self.tables(figures, design))
        table = texts_of(figures, [parts.pop(0) if self.first is None else self.first(figures, design)])
        if finding is not None:
            screen = finding.as_text(self.name, table)
        else:
            screen = f"# {self.question}\n\nA quick look, in few cells and games: it makes no finding.\n\n{table}"
        printed = () if self.printed is None else self.printed(figures, design)
        return Page(finding, table, screen, texts_of(figures, parts), "\n\n".join(printed))

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
