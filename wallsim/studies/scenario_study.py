"""A study as data alone: scenarios on the same games, outcomes compared between two of them, and claims.

    STUDY = scenario_study(
        __file__, __doc__,
        scenarios={"as it is": (), "+2 grain": ({"do": "hand", "grain": 2, "seat": "turn", "round": "turn"},)},
        count=count,  # of a batch of games: float64 [games] by name
        outcomes=(Outcome("VP of two grain", "VP", "+2 grain", "as it is", "vp"),),
        claims=(Claim("Two more grain bring points.", "VP of two grain", 0),),
        blocks=Blocks(others=100, quick=168, quick_others=40),
    )

The frame plays the scenarios in every play, tower and set-up, estimates each outcome by block and by round, judges the
claims in all cells of the study, and makes the page and the picture. The experiment beside the file is the baseline.
The finding of the page is the first outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.analysis.claims.verdicts import Claim, Verdict
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.errors import InputError
from wallsim.markdown import markdown_table
from wallsim.report.figures.style import COLOURS, FAINT, half_width, new_axes, styled
from wallsim.report.tables.estimates import NOTHING, in_words, number, of_estimate
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change, change
from wallsim.studies.claims import add_claims, read_claims
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.games import Count, Counted
from wallsim.studies.scenarios import Lines, identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Blocks, Scope, scope_for
from wallsim.studies.study import Choices, Judged, Page, Storage, Study
from wallsim.studies.table_captions import limits, scope_words, table_of

MEAN = "all rounds"
MOMENTS = (MEAN, *ROUND_NAMES)
BY_MOMENT, BY_CELL = "change", "by-cell"
_GAMES_A_ROW = 3


class Outcome(NamedTuple):
    """An outcome: what a count is in one scenario, less what it is in another, in the same games.

    `counted` is the name of the count, `unit` its unit.
    """

    name: str
    unit: str
    scenario: str
    against: str
    counted: str


class _Estimates(NamedTuple):
    # By cell and outcome the change in the mean of the rounds; in the baseline cell also by round.
    scope: Scope
    cells: dict[Cell, dict[str, Change]]
    moments: dict[tuple[str, str], Change]


def scenario_study(
    file: str,
    doc: str | None,
    *,
    scenarios: Mapping[str, Lines],
    count: Count,
    outcomes: Sequence[Outcome],
    claims: Sequence[Claim] = (),
    blocks: Blocks,
    seasons: bool = False,
    count_version: int = 1,
) -> Study:
    """The study with these scenarios; `seasons` says whether `count` reads that table.

    InputError for an outcome of an unknown scenario, for two outcomes of one name, and for a claim of none.
    """
    _check(Path(file), scenarios, outcomes, claims)
    path = Path(file).with_name("experiment.toml")
    parts = _Parts(path, dict(scenarios), count, tuple(outcomes), tuple(claims), blocks, seasons)
    units = {each.name: each.unit for each in outcomes}
    judged = (Judged(parts.claims, parts.claim_outcomes, _GAMES_A_ROW, units=units),) if claims else ()
    return Study(
        file, doc, parts.design, parts.identity, parts.play, parts.figures, parts.page, parts.picture,
        judged=judged, count_version=count_version,
    )  # fmt: skip


@dataclass(frozen=True)
class _Parts:
    # What makes the functions of the study.
    path: Path
    scenarios: Mapping[str, Lines]
    count: Count
    outcomes: tuple[Outcome, ...]
    claims: tuple[Claim, ...]
    blocks: Blocks
    seasons: bool

    def design(self, choices: Choices) -> Scope:
        return scope_for(self.path, self.blocks, choices.games, choices.quick)

    def identity(self, scope: Scope) -> dict[str, Any]:
        players = load_experiment(self.path).players
        about = {"outcomes": self.outcomes, "seasons": self.seasons}
        return {**identity_of(self.path, scope, {"scenarios": self.scenarios}, (players,)), **about}

    def play(self, scope: Scope, storage: Storage) -> _Estimates:
        players, home = load_experiment(self.path).players, scope.baseline_cell()
        cells: dict[Cell, dict[str, Change]] = {}
        moments: dict[tuple[str, str], Change] = {}
        for cell in scope.cells():
            played = dict(
                scenarios_played(
                    self.path, cell, self.scenarios, scope.blocks(cell), self.count,
                    players=players, seasons=self.seasons, workers=storage.workers, cache=storage.cache,
                )
            )  # fmt: skip
            cells[cell] = self._changes(played)
            if cell == home:
                for place, moment in enumerate(ROUND_NAMES):
                    moments |= {(name, moment): each for name, each in self._changes(played, place).items()}
        return _Estimates(scope, cells, moments)

    def _changes(self, played: Mapping[str, Counted], rounds: int | None = None) -> dict[str, Change]:
        return {
            each.name: change(played[each.against][each.counted], played[each.scenario][each.counted], rounds)
            for each in self.outcomes
        }

    def claim_outcomes(self, experiment: Experiment, blocks: int, workers: int | None) -> dict[str, Estimate]:
        play = partial(played_by_game, seasons=self.seasons, workers=workers)
        return {
            name: each.estimate
            for name, each in self._changes(play(experiment, self.scenarios, blocks, self.count)).items()
        }

    def figures(self, result: _Estimates, rows: Rows) -> None:
        home, players = result.scope.baseline_cell(), load_experiment(self.path).players
        by_moment, by_cell = self._of_moments(), Confidence(LEVEL, len(self.outcomes) * len(result.cells))
        for outcome in self.outcomes:
            name, words = outcome.name, f"{outcome.name}: {outcome.scenario} against {outcome.against}"
            each = {MEAN: result.cells[home][name], **{at: result.moments[name, at] for at in ROUND_NAMES}}
            for moment, one in each.items():
                rows.estimate(
                    BY_MOMENT, name, one.estimate, by_moment, words=words, unit=outcome.unit, players=players,
                    cell=home, moment=moment, null=0.0, pairing=one.gain,
                )  # fmt: skip
            for cell, changes in result.cells.items():
                rows.estimate(
                    BY_CELL, name, changes[name].estimate, by_cell, words=f"{words}, mean of the rounds",
                    unit=outcome.unit, players=players, cell=cell, null=0.0, pairing=changes[name].gain,
                )  # fmt: skip
        if self.claims:
            units = {each.name: each.unit for each in self.outcomes}
            cells = {cell: {name: one.estimate for name, one in each.items()} for cell, each in result.cells.items()}
            add_claims(rows, self.claims, cells, result.scope.plays, units, players=players)

    def _of_moments(self) -> Confidence:
        return Confidence(LEVEL, len(self.outcomes) * len(MOMENTS))

    def page(self, figures: Figures, scope: Scope) -> Page:
        experiment = load_experiment(self.path)
        parts = [scope_words(scope, experiment, len(self.scenarios)), self._ranges(figures, scope, experiment.players)]
        parts.append(self._moments(figures, scope, experiment.players))
        parts += self._cells(figures, scope, experiment.players)
        verdicts: tuple[Verdict, ...] = ()
        if self.claims:
            judged = read_claims(figures, self.claims, scope.plays, players=experiment.players)
            verdicts = tuple(judged.verdicts)
            parts.append(verdict_table(judged.verdicts, judged.estimates, judged.confidence, 2))
            parts.append(limits(judged.confidence, scope.others, len(scope.cells())))
        finding = None if scope.quick else self._finding(figures, scope, experiment.players, verdicts)
        return Page(finding, self._table(figures, scope, experiment.players), "\n\n".join(parts))

    def _finding(self, figures: Figures, scope: Scope, players: int, verdicts: Sequence[Verdict]) -> Finding:
        first = self.outcomes[0]
        cells = figures.cells(BY_CELL, first.name, players=players)
        at = {cell: f"{self._in_words(one)} {first.unit}" for cell, one in cells.items() if cell in _both(scope)}
        casual, lines = at.get(CASUAL_TABLE), [text for cell, text in at.items() if cell != CASUAL_TABLE]
        home = cells[scope.baseline_cell()]
        return Finding(
            f"{first.name}: {number(home.value, 2, '+')} {first.unit}, a mean of the rounds by {home.play} play",
            f"{first.name}: {casual}." if casual else "",
            f"{first.name}: {' and '.join(lines)} by {'two lines' if len(lines) > 1 else 'one line'} of strong play."
            if lines
            else "",
            _open_words(verdicts),
            f"{first.name} in each kind of play, with line-ups and in the draft",
        )

    def _in_words(self, one: Figure | None) -> str:
        return NOTHING if one is None else of_estimate(one, Confidence(LEVEL, one.family), 2, sign="+")

    def _table(self, figures: Figures, scope: Scope, players: int) -> str:
        cells, rows = _both(scope) or (scope.baseline_cell(),), []
        for outcome in self.outcomes[:MOST_ROWS]:
            result = figures.cells(BY_CELL, outcome.name, players=players)
            rows.append((outcome.name, outcome.unit, *(self._in_words(result.get(cell)) for cell in cells)))
        heads = ("outcome", "unit", *(f"{cell.play}, {SETUP_WORDS[cell.setup]}" for cell in cells))
        sure = Confidence(LEVEL, len(self.outcomes) * len(scope.cells()))
        words = f"Tower {cells[0].tower}, mean of the rounds; {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals."
        return f"{markdown_table(heads, rows)}\n\n{words}"

    def _ranges(self, figures: Figures, scope: Scope, players: int) -> str:
        sentences = []
        for outcome in self.outcomes:
            at = figures.of(BY_MOMENT, outcome.name, players=players, cell=scope.baseline_cell(), moment=MEAN)
            ends = [each.value for each in figures.cells(BY_CELL, outcome.name, players=players).values()]
            sentences.append(
                f"{outcome.name}: {in_words(at.value, at.interval(self._of_moments()), 2, '+')} {outcome.unit} in the "
                f"mean of the rounds, and between {in_words(min(ends), None, 2, '+')} and "
                f"{in_words(max(ends), None, 2, '+')} over all {len(ends)} cells"
            )
        return f"{'; '.join(sentences)}."

    def _moments(self, figures: Figures, scope: Scope, players: int) -> str:
        sure, rows, used = self._of_moments(), [], []
        for outcome in self.outcomes:
            result = {each.moment: each for each in figures.all_of(BY_MOMENT, outcome.name, players=players)}
            used += list(result.values())
            cells = (in_words(result[at].value, result[at].interval(sure), 2, "+") for at in MOMENTS)
            rows.append((outcome.name, outcome.unit, *cells))
        return table_of(scope, ("outcome", "unit", *MOMENTS), rows, sure, used)

    def _cells(self, figures: Figures, scope: Scope, players: int) -> list[str]:
        tables = []
        for outcome in self.outcomes:
            result = figures.cells(BY_CELL, outcome.name, players=players)
            sure = Confidence(LEVEL, len(self.outcomes) * len(result))
            for setup in scope.setups:
                order = (Cell(play.name, tower, setup) for tower in scope.towers for play in scope.plays)
                head = f"{outcome.name}, {outcome.unit}, {SETUP_WORDS[setup]}"
                tables.append(tower_by_play({cell: result[cell] for cell in order}, sure, head, 2))
        return tables

    def picture(self, figures: Figures, scope: Scope) -> Picture:
        players = load_experiment(self.path).players
        return _drawn({each: figures.cells(BY_CELL, each.name, players=players) for each in self.outcomes}, scope)


def _both(scope: Scope) -> tuple[Cell, ...]:
    """The cells of the casual and the experienced table that are played, the latter with each line of strong play."""
    strong = (EXPERIENCED_TABLE._replace(play=play.name) for play in scope.plays if play.strength == STRONG)
    played = scope.cells()
    return tuple(cell for cell in (CASUAL_TABLE, *strong) if cell in played)


def _open_words(verdicts: Sequence[Verdict]) -> str:
    """Which claims are not decided in some cells, the first by its words; empty if there are none."""
    undecided = [verdict.claim.words.rstrip(".") for verdict in verdicts if verdict.where("open")]
    more = f" (and {len(undecided) - 1} more)" if len(undecided) > 1 else ""
    return f"{undecided[0]}{more}: not known in every cell." if undecided else ""


@styled
def _drawn(result: Mapping[Outcome, Mapping[Cell, Any]], scope: Scope) -> Picture:
    """A mark for each outcome, play and set-up under the first tower, with its interval."""
    axes = new_axes(7.4, 1.2 + 0.9 * len(result))
    sure = Confidence(LEVEL, sum(map(len, result.values())))
    groups = [(play.name, setup) for play in scope.plays for setup in scope.setups]
    heights = np.linspace(0.3, -0.3, len(groups))
    for place, cells in enumerate(result.values()):
        for group, (play, setup) in enumerate(groups):
            figure = cells[Cell(play, scope.towers[0], setup)]
            axes.errorbar(
                figure.value, len(result) - place + heights[group], xerr=half_width(figure, sure), capsize=2,
                color=COLOURS[group % len(COLOURS)], marker="o" if setup == scope.setups[0] else "s", markersize=4,
                label=f"{play}, {SETUP_WORDS[setup]}" if place == 0 else None,
            )  # fmt: skip
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    axes.set_yticks(
        [len(result) - place for place in range(len(result))], [f"{each.name}\n({each.unit})" for each in result]
    )
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    bars = f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals"
    axes.set_title(f"What changes, in each kind of play\nTower {scope.towers[0]}; bars: {bars}", fontsize=9)
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def _check(file: Path, scenarios: Mapping[str, Lines], outcomes: Sequence[Outcome], claims: Sequence[Claim]) -> None:
    names = [each.name for each in outcomes]
    errors = [f"{file}: outcomes: {name!r} occurs twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    for each in outcomes:
        errors += [
            f"{file}: outcomes: {each.name!r}: scenario {name!r} is not one of {', '.join(scenarios)}"
            for name in (each.scenario, each.against)
            if name not in scenarios
        ]
    errors += [
        f"{file}: claims: {claim.words!r}: outcome {claim.outcome!r} is not one of {', '.join(names)}"
        for claim in claims
        if claim.outcome not in names
    ]
    if not outcomes:
        errors.append(f"{file}: outcomes: there is none; a study needs at least one")
    if errors:
        raise InputError(errors)
