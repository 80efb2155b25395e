"""The page of the study `expansions`: all tables, each with a line that says on what it rests, from the register."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.provenance import FAVOR, assumed_cards
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.scope import Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, scope_words

from ..robustness.answers import claims_table
from . import figures as of
from .card_tables import board_table, card_table, favor_table, statue_table
from .cards import all_three
from .count import LEADER, OUTCOMES
from .effects import CLAIMS, EFFECTS, EXPERIMENT, MAIN, SUBSETS, WITHOUT, name_of, name_of_effect, strong_play
from .figures import ENDS, LADDERS, PLAYERS, SEATS, SHARE, item
from .finding import both_tables, finding_of
from .group_tables import group_tables
from .picture import expansions_at_a_glance
from .skill import FIELDS, LADDER, PARTS, RESULTS, ZOO
from .words import ASSUMED, as_text, seed_of_study, under

_SHARES = {"vp": "VP", "win": "wins"}


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the effects at both tables, and all tables."""
    sure = Confidence(LEVEL, len(CLAIMS) * len(scope.cells()))
    parts = (
        played_words(scope),
        summary_words(figures, scope),
        subset_table(figures, scope),
        effect_table(figures, scope),
        play_table(figures, scope),
        win_table(figures, scope),
        claims_table(figures, CLAIMS, scope.plays, decimals=2),
        "There is one line of strong play with expansions, so no claim is judged against two. "
        f"{limits(sure, scope.others, len(scope.cells()))} {ASSUMED}",
        skill_table(figures, scope),
        style_table(figures, scope, LADDER),
        style_table(figures, scope, ZOO),
        favor_table(figures, scope),
        statue_table(figures, scope),
        card_table(figures, scope),
        board_table(figures, scope),
        *group_tables(figures, scope),
    )
    finding = None if scope.quick else finding_of(figures, scope)
    return Page(finding, both_tables(figures, scope), "\n\n".join(parts))


def played_words(scope: Scope) -> str:
    """What was played by whom, and which data are assumed."""
    experiment = all_three(scope.baseline_cell())
    board, ruleset = load_board(), experiment.ruleset()
    assumed = ", ".join(map(str, assumed_cards(board, ruleset)[FAVOR]))
    sources = "; ".join(experiment.components().sources())
    return (
        f"{scope_words(scope, load_experiment(EXPERIMENT), len(SUBSETS))} The scenarios are the subsets of "
        f"{', '.join(EXPANSIONS)}, each on games of its own, whose seed is made of this one and the names. Strong play "
        f"is `{strong_play().policy}`, whose weights were tuned with all three expansions. {_without_words(scope)}"
        f"Assumed in the board's data, and used where the court is: the figures of favors {assumed}. Not stated by the "
        f"rulebook: {sources}. No figure of the line-ups of four is assumed."
    )


def _without_words(scope: Scope) -> str:
    names = [play for play in scope.plays if play.name in WITHOUT]
    if not names:
        return ""
    named = " and ".join(f"`{play.policy}`" for play in names)
    return f"{named} were tuned or taught without any expansion, and are strong play in the subset `none` alone. "


def summary_words(figures: Figures, scope: Scope) -> str:
    """Main effects with their range over all cells, what moves skill, and which styles gain."""
    home, sure = scope.baseline_cell(), of.sure_of_effects()
    units = ("VP a seat", "in spread", "% points in the wins of year one's leader")
    parts = []
    for effect in MAIN:
        name = name_of_effect(effect)
        each = [
            f"{as_text(figures.of(of.EFFECT, item(name, outcome), players=PLAYERS, cell=home), sure, decimals)} "
            f"({_range(figures, outcome, name, decimals)}) {unit}"
            for outcome, unit, decimals in zip((POINTS, SPREAD, LEADER), units, (2, 2, 1), strict=True)
        ]
        parts.append(f"{name} {', '.join(each)}")
    cell = of.tournament_cell(scope)
    shares = [
        number(figures.of(SHARE["vp"], item(ladder, PARTS[0], name_of(subset)), players=PLAYERS, cell=cell).value, 0)
        for ladder in LADDERS
        for subset in ENDS
    ]
    gains = {style: figures.of(of.GAINED, item(ZOO, style), players=PLAYERS, cell=cell).value for style in FIELDS[ZOO]}
    best, worst = (end(gains, key=gains.__getitem__) for end in (max, min))
    return (
        "By strong play, in the mean over the other expansions, and in brackets from least to most over all "
        f"{len(scope.cells())} cells: {'; '.join(parts)}. "
        f"On a ladder from weak to strong the policy brings {shares[0]} % of the variance of points without expansions "
        f"and {shares[1]} % with all three; without the weights that were tuned without expansions {shares[2]} and "
        f"{shares[3]} %. Of the zoo `{best}` gains most in wins with all three, {number(gains[best], 1, '+')} "
        f"percentage points, and `{worst}` loses most, {number(gains[worst], 1)}."
    )


def _range(figures: Figures, outcome: str, name: str, decimals: int) -> str:
    each = [figure.value for figure in figures.cells(of.BY_CELL, item(name, outcome), players=PLAYERS).values()]
    return f"{number(min(each), decimals, '+')} to {number(max(each), decimals, '+')}"


def subset_table(figures: Figures, scope: Scope) -> str:
    """One row per subset: the outcomes of the baseline cell."""
    home, sure, rows = scope.baseline_cell(), of.sure_of_subsets(), []
    for name in map(name_of, SUBSETS):
        result = [figures.of(of.SUBSET, item(name, outcome), players=PLAYERS, cell=home) for outcome in OUTCOMES]
        rows.append((name, *(as_text(each, sure, 2, "") for each in result)))
    return _table(scope, ("expansions", *OUTCOMES), rows, sure)


def effect_table(figures: Figures, scope: Scope) -> str:
    """One row per main effect and interaction: the outcomes of the baseline cell."""
    home, sure, rows = scope.baseline_cell(), of.sure_of_effects(), []
    for name in map(name_of_effect, EFFECTS):
        result = [figures.of(of.EFFECT, item(name, outcome), players=PLAYERS, cell=home) for outcome in OUTCOMES]
        rows.append((name, *(as_text(each, sure, 2) for each in result)))
    note = (
        " A main effect is the mean of the four subsets with an expansion less that of the four without; an "
        "interaction of two is half the difference of one's effect with and without the other."
    )
    return _table(scope, ("effect of", *OUTCOMES), rows, sure) + note


def play_table(figures: Figures, scope: Scope) -> str:
    """One row per expansion and outcome: its main effect in every play, with the tower and line-ups of the baseline."""
    cells, sure, rows = of.plays_cells(scope), of.sure_of_plays(scope), []
    for name in EXPANSIONS:
        for outcome in OUTCOMES:
            result = figures.cells(of.BY_PLAY, item(name, outcome), players=PLAYERS)
            rows.append((f"{name}: {outcome}", *(as_text(result[cell], sure, 2) for cell in cells)))
    heads = ("main effect of", *(f"{play.name} (`{play.policy}`)" for play in scope.plays))
    return f"{markdown_table(heads, rows)}\n\n{under(scope, sure, scope.others, 'at least ')}"


def win_table(figures: Figures, scope: Scope) -> str:
    """One row per subset and main effect: wins by line-up, each of which keeps its seat, and by seat in the draft."""
    cells, sure, rows = of.seat_cells(scope), of.sure_of_seats(scope), []

    def figures_of(quantity: str, name: str) -> list[Figure]:
        return [figures.of(quantity, item(name, wins), players=PLAYERS, cell=cell) for cell in cells for wins in SEATS]

    for name in map(name_of, SUBSETS):
        rows.append((name, *(as_text(each, sure, 1, "") for each in figures_of(of.SEAT, name))))
    for name in EXPANSIONS:
        rows.append((f"effect of {name}", *(as_text(each, sure, 1) for each in figures_of(of.EFFECT_ON_SEAT, name))))
    heads = [f"line-up {letter}, seat {seat}" for seat, letter in enumerate("ABCD")]
    heads += [f"draft, seat {seat}" for seat in range(len(SEATS))] if len(cells) > 1 else []
    draft = scope.blocks(scope.baseline_cell()._replace(setup="draft"))
    return _table(scope, ("wins, %", *heads), rows, sure, f"; in the draft {draft:,}")


def skill_table(figures: Figures, scope: Scope) -> str:
    """One row per subset and main effect: the shares of policy and chance in the variance, on the ladders."""
    cell, sure, rows = of.tournament_cell(scope), of.sure_of_shares(), []
    keys = [(ladder, result, part) for ladder in LADDERS for result in RESULTS for part in PARTS]

    def figures_of(quantities: Mapping[str, str], name: str) -> list[Figure]:
        return [
            figures.of(quantities[result], item(ladder, part, name), players=PLAYERS, cell=cell)
            for ladder, result, part in keys
        ]

    effects = {result: of.effect_on_share(result) for result in RESULTS}
    for name in map(name_of, SUBSETS):
        rows.append((name, *(as_text(each, sure, 1, "") for each in figures_of(SHARE, name))))
    for name in EXPANSIONS:
        rows.append((f"effect of {name}", *(as_text(each, sure, 1) for each in figures_of(effects, name))))
    heads = [f"{ladder}: {part}, of {_SHARES[result]}" for ladder, result, part in keys]
    table = markdown_table(("share of the variance, %", *heads), rows)
    return f"{table}\n\n{_tournament_words(figures, scope, LADDER, sure)}"


def style_table(figures: Figures, scope: Scope, field: str) -> str:
    """One row per policy of a field: its wins without and with all expansions, and the main effects on them."""
    cell, sure, rows = of.tournament_cell(scope), of.sure_of_wins(field), []
    for policy in FIELDS[field]:
        wins = [
            figures.of(of.WINS, item(field, policy, name_of(subset)), players=PLAYERS, cell=cell) for subset in ENDS
        ]
        effects = [
            figures.of(of.EFFECT_ON_WINS, item(field, policy, name), players=PLAYERS, cell=cell) for name in EXPANSIONS
        ]
        cells = [as_text(each, sure, 1, "") for each in wins]
        rows.append((f"`{policy}`", *cells, *(as_text(each, sure, 1) for each in effects)))
    heads = (f"wins on the {field}, %", *map(name_of, ENDS), *(f"effect of {name}" for name in EXPANSIONS))
    return f"{markdown_table(heads, rows)}\n\n{_tournament_words(figures, scope, field, sure)}"


def _tournament_words(figures: Figures, scope: Scope, field: str, sure: Confidence) -> str:
    cell, item_ = of.tournament_cell(scope), item(field, FIELDS[field][0], name_of(ENDS[0]))
    blocks = figures.of(of.WINS, item_, players=PLAYERS, cell=cell).blocks
    short = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"A tournament of the {field} in each subset: {', '.join(f'`{policy}`' for policy in FIELDS[field])}; "
        f"{blocks:,} blocks, tower {cell.tower}, line-ups, seeds made of {seed_of_study()}; the ± are half-widths of "
        f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{short} {ASSUMED}"
    )


def _table(scope: Scope, heads: Sequence[str], rows: Sequence[Sequence[str]], sure: Confidence, more: str = "") -> str:
    return f"{markdown_table(heads, rows)}\n\n{under(scope, sure, scope.baseline, more=more)}"


def picture(figures: Figures, scope: Scope) -> Picture:
    """The effects on points and their spread in every play, and which styles gain."""
    cells, cell = of.plays_cells(scope), of.tournament_cell(scope)
    panels: dict[str, dict[str, dict[str, Measured]]] = {}
    for outcome in of.DRAWN:
        panels[outcome] = {}
        for name in map(name_of_effect, EFFECTS):
            result = figures.cells(of.PICTURE, item(name, outcome), players=PLAYERS)
            panels[outcome][name] = {each.play: result[each] for each in cells}
    styles: dict[str, dict[str, Measured]] = {
        style: {
            name: figures.of(of.PICTURE_OF_WINS, item(ZOO, style, name), players=PLAYERS, cell=cell)
            for name in EXPANSIONS
        }
        for style in FIELDS[ZOO]
    }
    title = "What each expansion changes: points, their spread, and the wins of styles\n"
    title += f"Tower {cell.tower}, line-ups; strong: tuned with all three; {LEVEL:.0%} intervals, simultaneous for "
    title += "effects and for styles"
    plays = [play.name for play in scope.plays]
    return expansions_at_a_glance(panels, plays, styles, of.sure_of_picture(scope), of.sure_of_styles(), title)
