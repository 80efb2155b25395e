"""The tables of the study `expansions`, each with a line that says on what it rests."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.board import load_board
from wallsim.rules.provenance import FAVOR, assumed_cards
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.words import limits, scope_words

from .card_tables import board_table, card_table, favor_table, statue_table
from .cards import all_three
from .count import LEADER, OUTCOMES
from .effects import CLAIMS, EXPERIMENT, SUBSETS, UNTUNED, name_of, strong_play
from .estimates import Expansions
from .skill import FIELDS, LADDER, PARTS, RESULTS, TUNED, ZOO
from .words import ASSUMED, seed_of_study, told, under

_SEATS = range(4)
_SHARES = {"vp": "VP", "win": "wins"}


def figures(found: Expansions) -> str:
    """All tables with the answer above them."""
    result = judged(found)
    return "\n\n".join(
        (
            played_words(found),
            answer_words(found),
            subset_table(found),
            effect_table(found),
            play_table(found),
            win_table(found),
            verdict_table(result.verdicts, result.estimates, result.confidence, 2),
            verdict_words(found, result),
            skill_table(found),
            style_table(found, LADDER),
            style_table(found, ZOO),
            favor_table(found),
            statue_table(found),
            card_table(found),
            board_table(found),
        )
    )


def played_words(found: Expansions) -> str:
    """What was played by whom, and which data are assumed."""
    experiment = all_three(found.scope.baseline_cell())
    board, ruleset = load_board(), experiment.ruleset()
    assumed = ", ".join(map(str, assumed_cards(board, ruleset)[FAVOR]))
    sources = "; ".join(experiment.components().sources())
    return (
        f"{scope_words(found.scope, load_experiment(EXPERIMENT), len(SUBSETS))} The scenarios are the subsets of "
        f"{', '.join(EXPANSIONS)}, each on games of its own, whose seed is made of this one and the names. Strong play "
        f"is `{strong_play().policy}`, whose weights were tuned with all three expansions. {_untuned_words(found)}"
        f"Assumed in the board's data, and used where the court is: the figures of favors {assumed}. Not stated by the "
        f"rulebook: {sources}. No figure of the line-ups of four is assumed."
    )


def _untuned_words(found: Expansions) -> str:
    names = [play for play in found.scope.plays if play.name in UNTUNED]
    if not names:
        return ""
    told = " and ".join(f"`{play.policy}`" for play in names)
    return f"{told} were tuned without any expansion, and are strong play in the subset `none` alone. "


def sure_of_effects(outcomes: Sequence[str] = OUTCOMES) -> Confidence:
    """The confidence of the intervals of a table of seven effects by outcome."""
    return Confidence(LEVEL, (len(SUBSETS) - 1) * len(outcomes))


def answer_words(found: Expansions) -> str:
    """The answer: what holds in all cells, main effects with their range, what moves skill, and who gains."""
    home, sure = found.scope.baseline_cell(), sure_of_effects()
    units = ("VP a seat", "in spread", "% points in the wins of year one's leader")
    parts = []
    for name in EXPANSIONS:
        each = [
            f"{told(found.factorial.effects[home][outcome][(name,)], sure, decimals)} "
            f"({_range(found, outcome, name, decimals)}) {unit}"
            for outcome, unit, decimals in zip((POINTS, SPREAD, LEADER), units, (2, 2, 1), strict=True)
        ]
        parts.append(f"{name} {', '.join(each)}")
    ends = (SUBSETS[0], SUBSETS[-1])
    ladders = found.tournaments.shares.values()
    shares = [number(ladder[subset]["vp", PARTS[0]].value, 0) for ladder in ladders for subset in ends]
    without, with_all = (found.tournaments.wins[ZOO][subset] for subset in ends)
    gains = {style: with_all[style].value - without[style].value for style in FIELDS[ZOO]}
    best, worst = (end(gains, key=gains.__getitem__) for end in (max, min))
    cells = len(found.factorial.cells)
    return (
        f"**Answer.** In all {cells} cells: {'; '.join(_held(judged(found))) or 'no claim holds'}. By strong play, in "
        f"the mean over the other expansions, and in brackets from least to most over all cells: {'; '.join(parts)}. "
        f"On a ladder from weak to strong the policy brings {shares[0]} % of the variance of points without expansions "
        f"and {shares[1]} % with all three; without the weights that were tuned without expansions {shares[2]} and "
        f"{shares[3]} %. Of the zoo `{best}` gains most in wins with all three, {number(gains[best], 1, '+')} "
        f"percentage points, and `{worst}` loses most, {number(gains[worst], 1)}."
    )


def _held(result: Robustness) -> list[str]:
    return [verdict.claim.words.rstrip(".") for verdict in result.verdicts if set(verdict.sides.values()) == {"holds"}]


def _range(found: Expansions, outcome: str, name: str, decimals: int) -> str:
    each = [effects[outcome][(name,)].value for effects in found.factorial.effects.values()]
    return f"{number(min(each), decimals, '+')} to {number(max(each), decimals, '+')}"


def subset_table(found: Expansions) -> str:
    """One row per subset: the outcomes of the baseline cell."""
    played = found.factorial.subsets[found.scope.baseline_cell()]
    sure = Confidence(LEVEL, len(SUBSETS) * len(OUTCOMES))
    rows = [(name_of(subset), *(told(played[subset][each], sure, 2, "") for each in OUTCOMES)) for subset in SUBSETS]
    return _table(found, ("expansions", *OUTCOMES), rows, sure)


def effect_table(found: Expansions) -> str:
    """One row per main effect and interaction: the outcomes of the baseline cell."""
    effects, sure = found.factorial.effects[found.scope.baseline_cell()], sure_of_effects()
    rows = [
        (" × ".join(effect), *(told(effects[outcome][effect], sure, 2) for outcome in OUTCOMES))
        for effect in effects[POINTS]
    ]
    note = (
        " A main effect is the mean of the four subsets with an expansion less that of the four without; an "
        "interaction of two is half the difference of one's effect with and without the other."
    )
    return _table(found, ("effect of", *OUTCOMES), rows, sure) + note


def play_table(found: Expansions) -> str:
    """One row per expansion and outcome: its main effect in every play, with the tower and line-ups of the baseline."""
    home = found.scope.baseline_cell()
    cells = [home._replace(play=play.name) for play in found.scope.plays]
    sure = Confidence(LEVEL, len(EXPANSIONS) * len(OUTCOMES) * len(cells))
    effects = found.factorial.effects
    rows = [
        (f"{name}: {outcome}", *(told(effects[cell][outcome][(name,)], sure, 2) for cell in cells))
        for name in EXPANSIONS
        for outcome in OUTCOMES
    ]
    heads = ("main effect of", *(f"{play.name} (`{play.policy}`)" for play in found.scope.plays))
    return f"{markdown_table(heads, rows)}\n\n{under(found, sure, found.scope.others, 'at least ')}"


def win_table(found: Expansions) -> str:
    """One row per subset and main effect: wins by line-up, each of which keeps its seat, and by seat in the draft."""
    home = found.scope.baseline_cell()
    draft = home._replace(setup="draft")
    cells = [cell for cell in (home, draft) if cell in found.factorial.subsets]
    sure = Confidence(LEVEL, len(cells) * len(_SEATS) * (len(SUBSETS) + len(EXPANSIONS)))
    shown = [(cell, wins_of(seat)) for cell in cells for seat in _SEATS]
    subsets, effects = found.factorial.subsets, found.factorial.effects
    rows = [
        (name_of(subset), *(told(subsets[cell][subset][wins], sure, 1, "") for cell, wins in shown))
        for subset in SUBSETS
    ]
    rows += [
        (f"effect of {name}", *(told(effects[cell][wins][(name,)], sure, 1) for cell, wins in shown))
        for name in EXPANSIONS
    ]
    heads = [f"line-up {letter}, seat {seat}" for seat, letter in enumerate("ABCD")]
    heads += [f"draft, seat {seat}" for seat in _SEATS] if len(cells) > 1 else []
    return _table(found, ("wins, %", *heads), rows, sure, f"; in the draft {found.scope.blocks(draft):,}")


def judged(found: Expansions) -> Robustness:
    """The claims, judged in all cells."""
    return robustness(CLAIMS, found.factorial.cells, found.scope.plays)


def verdict_words(found: Expansions, result: Robustness) -> str:
    """Which claims hold in all cells, and why none can be called robust."""
    held = _held(result)
    return (
        f"{len(held)} of {len(result.verdicts)} claims hold in all cells: {'; '.join(held) or 'none'}. There is one "
        "line of strong play with expansions, so that none is called robust. "
        f"{limits(result.confidence, found.scope.others, len(found.factorial.cells))} {ASSUMED}"
    )


def skill_table(found: Expansions) -> str:
    """One row per subset and main effect: the shares of policy and chance in the variance, on the ladders."""
    played = found.tournaments
    keys = [(ladder, result, part) for ladder in (LADDER, TUNED) for result in RESULTS for part in PARTS]
    sure = Confidence(LEVEL, len(keys) * (len(SUBSETS) + len(EXPANSIONS)))
    rows = [
        (name_of(subset), *(told(played.shares[of][subset][result, part], sure, 1, "") for of, result, part in keys))
        for subset in SUBSETS
    ]
    effects = [played.effects_on_share(*key) for key in keys]
    rows += [(f"effect of {name}", *(told(each[(name,)], sure, 1) for each in effects)) for name in EXPANSIONS]
    heads = [f"{ladder}: {part}, of {_SHARES[result]}" for ladder, result, part in keys]
    table = markdown_table(("share of the variance, %", *heads), rows)
    return f"{table}\n\n{_tournament_words(found, LADDER, sure)}"


def style_table(found: Expansions, field: str) -> str:
    """One row per policy of a field: its wins without and with all expansions, and the main effects on them."""
    wins = found.tournaments.wins[field]
    ends = (SUBSETS[0], SUBSETS[-1])
    sure = Confidence(LEVEL, len(FIELDS[field]) * (len(ends) + len(EXPANSIONS)))
    rows = []
    for policy in FIELDS[field]:
        effects = found.tournaments.effects_on_wins(field, policy)
        cells = [told(wins[subset][policy], sure, 1, "") for subset in ends]
        rows.append((f"`{policy}`", *cells, *(told(effects[(name,)], sure, 1) for name in EXPANSIONS)))
    heads = (f"wins on the {field}, %", *map(name_of, ends), *(f"effect of {name}" for name in EXPANSIONS))
    return f"{markdown_table(heads, rows)}\n\n{_tournament_words(found, field, sure)}"


def _tournament_words(found: Expansions, field: str, sure: Confidence) -> str:
    cell = found.scope.baseline_cell()
    blocks = next(iter(found.tournaments.wins[field][()].values())).blocks
    short = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"A tournament of the {field} in each subset: {', '.join(f'`{policy}`' for policy in FIELDS[field])}; "
        f"{blocks:,} blocks, tower {cell.tower}, line-ups, seeds made of {seed_of_study()}; the ± are half-widths of "
        f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{short} {ASSUMED}"
    )


def _table(
    found: Expansions, heads: Sequence[str], rows: Sequence[Sequence[str]], sure: Confidence, more: str = ""
) -> str:
    return f"{markdown_table(heads, rows)}\n\n{under(found, sure, found.scope.baseline, more=more)}"
