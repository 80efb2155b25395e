"""The pages of the study `draft`: the finding, and all tables with a summary above them, made from the register."""

from __future__ import annotations

from wallsim.analysis.claims.plays import plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.estimates import number
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figures
from wallsim.studies.study import Page

from .cells import DRAFT, EXPERIMENT, PLAYERS, Scope, in_cell
from .counties import (
    agreement,
    as_text,
    by_worth,
    county_table,
    explained_table,
    listed,
    neighbour_table,
    pick_table,
    plays_of,
    region_table,
)
from .deals import BORDER
from .drafters import TABLE
from .figures import BY_THE_PRINT, FACTS, HEADLINE, INSTEAD, WORTH, sure_of_worths
from .finding import best_picks, finding_of
from .pair_tables import pair_tables
from .picking import claim_table, drafter_table, order_table, price_words, unequal_places
from .rival_tables import rival_tables


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the ten best picks, and all tables."""
    tables = (
        pick_table,
        neighbour_table,
        pair_tables,
        explained_table,
        region_table,
        county_table,
        agreement,
        drafter_table,
        lambda figures, scope: drafter_table(figures, scope, "wins"),
        rival_tables,
        order_table,
        claim_table,
    )
    parts = [scope_words(scope), over_all_plays(figures, scope), *(table(figures, scope) for table in tables)]
    return Page(finding_of(figures, scope), best_picks(figures, scope), "\n\n".join(parts))


def scope_words(scope: Scope) -> str:
    """What was played: games, plays, towers, seeds, engine version, and what is assumed."""
    experiment = load_experiment(EXPERIMENT)
    quick = "A quick look, in few cells and games: no claim is judged as the study does. " if scope.quick else ""
    assumed = experiment.components().assumed()
    drafts = in_cell(scope.home(DRAFT))
    return (
        f"{quick}{scope.deals:,} games with counties dealt at random in each of {len(scope.cells(DRAFT))} cells of "
        f"play and tower, games from 0 on of seed {experiment.seed}; {scope.drafts:,} drafts in each, of seed "
        f"{drafts.seed}, {scope.matches:,} of them again with each drafter in each seat; {PLAYERS} players, where "
        f"nothing else is said; engine version {ENGINE_VERSION}. Plays: {plays_in_words(scope.plays)}; towers: "
        f"{', '.join(scope.towers)}. Assumed figures in use: {listed(assumed)}; least certain on the board is the "
        "border of Altmark and Vorpommern."
    )


def over_all_plays(figures: Figures, scope: Scope) -> str:
    """What the tables say of all plays: counties, neighbours, the drafter by the table, and who picks first."""
    best, *_, worst = by_worth(figures, scope)
    sure, of_gains = sure_of_worths(scope), Confidence(LEVEL, len(scope.plays))
    first, last = (figures.of(WORTH, name, players=PLAYERS) for name in (best, worst))
    border, instead = (figures.of(HEADLINE, name, players=PLAYERS) for name in (BORDER, INSTEAD))
    explained = figures.of(BY_THE_PRINT, list(FACTS)[-1], players=PLAYERS)
    gains = {
        play: figures.of(HEADLINE, f"gain of {TABLE}", players=PLAYERS, play=play, setup=DRAFT)
        for play in plays_of(scope)
    }
    return (
        f"Mean of all plays and towers: the worths of counties go from {as_text(first, sure)} VP ({best}) to "
        f"{as_text(last, sure)} ({worst}) against the mean county. Each border with another "
        f"seat's county at the start brings {as_text(border, Confidence())} VP, and to hold a neighbour oneself instead"
        f" {as_text(instead, Confidence())}. Printed numbers, neighbours and "
        f"region explain {number(explained.value, 0)} % of the variance of worths. One seat that picks by the table "
        f"against three of the default gains "
        + ", ".join(f"{as_text(gain, of_gains)} VP in {play} play" for play, gain in gains.items())
        + f". Places in the order of picks are known to be unequal in {listed(unequal_places(figures, scope))} play; "
        f"in strong play, tower {scope.towers[0]}, the first to pick ends with {price_words(figures, scope)}, more "
        "than the last."
    )
