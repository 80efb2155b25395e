"""The tables of the study `draft` about pairs of counties, made from the register, as Markdown."""

from __future__ import annotations

from wallsim.analysis.claims.plays import CASUAL
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures

from .cells import DEAL, Scope, in_cell
from .pair_figures import Judged, judged_pairs
from .pairs import BORDER, CHOSEN, SEEDS, TOGETHER, groups_of

_HEADS = {TOGETHER: "both of one seat", BORDER: "one of each of two seats"}


def pair_tables(figures: Figures, scope: Scope) -> str:
    """The pairs that were chosen for each kind of table: those of one seat, and those that border."""
    judged = judged_pairs(figures, scope)
    tables = [_table(figures, scope, kind, by_group) for kind, by_group in judged.items()]
    return "\n\n".join([*tables, _beneath(scope, judged)])


def _table(figures: Figures, scope: Scope, kind: str, by_group: dict[str, list[Judged]]) -> str:
    groups, rows = groups_of(scope), []
    plays = [play for group in groups.values() for play in group]
    for group, pairs in by_group.items():
        for each in pairs:
            effects = (in_words(each.effects[play].value, each.effects[play].ends, 2, "+") for play in plays)
            rows.append((" and ".join(each.pair), group_words(group), *effects, each.verdict))
    heads = (_HEADS[kind], "chosen for", *(f"VP, {play}" for play in plays), "in all of these plays")
    return markdown_table(heads, rows)


def group_words(group: str) -> str:
    """The players of a group, by the first of its plays."""
    return "casual players" if group == CASUAL else "experienced players"


def _beneath(scope: Scope, judged: dict[str, dict[str, list[Judged]]]) -> str:
    seed, tower = in_cell(scope.home(DEAL)).seed, scope.towers[0]
    figures = {each.id: each for by_group in judged.values() for pairs in by_group.values() for pair in pairs
               for each in pair.effects.values()}  # fmt: skip
    family = next(iter(figures.values())).family if figures else 0
    return (
        f"Pairs of counties: VP of a seat beyond the worths of both counties, counties dealt at random. The {CHOSEN} "
        f"pairs at each end, and the {CHOSEN} borders that cost most, are chosen by the {scope.deals:,} games of seed "
        f"{seed} and judged by {scope.pairs:,} of seed {seed + SEEDS}, tower {tower}; the ± are half-widths of "
        f"{family:,} simultaneous {LEVEL:.0%} intervals over blocks of games."
    )
