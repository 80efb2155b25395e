"""Draft: what is each county worth as a pick, who should pick first, and does a table of worths draft well?

Method. Counties and army groups are dealt at random, so that holding a county says nothing else about a seat. Least
squares of a seat's VP above the table's mean on the counties it was dealt, on their armies, and on neighbours (own
pairs, borders with other seats, pairs of a region) gives the worth of each, with errors by game; the worths of all
counties add to 0. Worths are shrunken towards what tax, grain, sites, neighbours and region predict (empirical Bayes).
Every play and tower plays the same deals. Drafts of another seed say what each place in the order of picks brings; and
in them one seat picks at random, by the printed yields or by the table of worths against three that pick by default,
in every seat in turn. CLAIMS are judged in all cells. Beside the picture, `draft-picks.pdf` is the table on one page.
With --quick there are few cells and games.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from matplotlib.figure import Figure

from wallsim.analysis.claims.plays import plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.figures.county_map import county_map
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.estimates import number
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.running import digest_of
from wallsim.studies.study import Judged, Page, Study, Told

from .cells import DRAFT, EXPERIMENT, PLAYERS, Scope, identity, in_cell, scope_of
from .claims import CLAIMS, claim_outcomes
from .deals import NEIGHBOURS
from .drafters import TABLE, picks_text
from .estimates import Draft, play
from .page import (
    agreed,
    agreement,
    by_worth,
    county_table,
    explained_table,
    instead,
    listed,
    neighbour_table,
    pick_table,
    plays_of,
    region_table,
    told,
)
from .picking import claim_table, drafter_table, order_table, price_words, unequal_places
from .sheet import Pick, pick_sheet

MARK = "draft figures"
PICKS, SHEET = "picks.json", "picks.pdf"


def told_of(found: Draft, scope: Scope) -> Told:
    """The page, the map, the page of picks to print, and the table that drafters go by."""
    with TemporaryDirectory() as folder:
        save_picture(sheet(found), Path(folder) / SHEET)
        drawn = (Path(folder) / SHEET).read_bytes()
    files = {SHEET: drawn, PICKS: picks_text(found.table).encode()}
    return Told(Page({MARK: figures(found)}), lambda: picture(found), files)


def figures(found: Draft) -> str:
    """All tables with the answer above them."""
    return "\n\n".join(
        (
            scope_words(found.scope),
            answer_words(found),
            pick_table(found),
            neighbour_table(found),
            explained_table(found),
            region_table(found),
            county_table(found),
            agreement(found),
            drafter_table(found),
            drafter_table(found, "wins"),
            order_table(found),
            claim_table(found),
        )
    )


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


def answer_words(found: Draft) -> str:
    """The answer: the best and the worst counties, neighbours, the drafter by the table, and who picks first."""
    main, scope = found.main, found.scope
    best, *_, worst = by_worth(main)
    sure = Confidence(LEVEL, 2 * main.count)
    gains = [found.gain(play, TABLE) for play in plays_of(found)]
    of_gains = Confidence(LEVEL, len(gains))
    border = main.neighbour(main.pooled, NEIGHBOURS[1])
    explained = main.shrunk(main.pooled).explained
    return (
        f"**Answer.** Over all plays {best} is the best pick, {told(main.county(main.pooled, best), sure)} VP against "
        f"the mean county, and {worst} the worst, {told(main.county(main.pooled, worst), sure)}. Known to be worth "
        f"more in every play and under every tower: {listed(agreed(main, 1))}; less: {listed(agreed(main, -1))}. Each "
        f"border with another seat's county at the start brings {told(border, Confidence())} VP, and to hold a "
        f"neighbour oneself instead {told(instead(main, main.pooled), Confidence())}. Printed numbers, neighbours and "
        f"region explain {number(100 * explained, 0)} % of the variance of worths. One seat that picks by the table "
        f"against three of the default gains "
        + ", ".join(
            f"{told(gain, of_gains)} VP in {play} play" for play, gain in zip(plays_of(found), gains, strict=True)
        )
        + f". Places in the order of picks are known to be unequal in {listed(unequal_places(found))} play; in strong "
        f"play, tower {scope.towers[0]}, the first to pick ends with {price_words(found)}, more than the last."
    )


def picture(found: Draft) -> Figure:
    """The map of the counties, coloured by worth over all plays."""
    return county_map(**drawn(found))


def drawn(found: Draft) -> dict[str, Any]:
    """What the map shows: worths shrunken towards the print, title and unit, and what they rest on."""
    main, scope = found.main, found.scope
    shrunk = main.shrunk(main.pooled).values
    errors = [each.error for each in main.pooled.estimates[: main.count]]
    return {
        "values": {name: float(value) for name, value in zip(main.ground.names, shrunk, strict=True)},
        "title": "What each county is worth as a pick",
        "unit": "VP of its owner above the table's mean, against the mean county",
        "note": f"{PLAYERS} players, counties dealt at random, {scope.deals:,} games in each of {len(main.fits)} cells "
        f"of play ({', '.join(plays_of(found))}) and tower ({', '.join(scope.towers)}); shrunken towards printed "
        f"numbers; standard errors about {number(sum(errors) / len(errors), 2)}.",
        "scale": "diverging",
        "numbers": True,
    }


def sheet(found: Draft) -> Figure:
    """The pick table on one page, to print."""
    main = found.main
    table, board = found.table, main.ground.board
    sides = {*agreed(main, 1), *agreed(main, -1)}
    regions = {
        region: [
            Pick(name, table.counties[name], name in sides)
            for name in sorted(main.ground.names, key=lambda each: -table.counties[each])
            if board.regions[board.region[board.counties.index(name)]] == region
        ]
        for region in board.regions
    }
    return pick_sheet(
        regions,
        rules_of(found),
        "What to pick in the draft",
        "The number beside a county says how many victory points more than the mean county it brings its owner in the "
        "end, measured against the other players and with neighbours as they usually come. Take the open card with the "
        "highest sum, or the top of the deck if both sums are below the mean of the counties that are still out.",
        f"wallsim, study `draft`: {PLAYERS} players, games of computer players in {len(main.fits)} cells of play "
        f"({', '.join(plays_of(found))}) and tower. Bold: known to lie on its side of the mean in every cell. "
        f"Experiment {digest_of(STUDY, found.scope)[:12]}, engine version {ENGINE_VERSION}.",
    )


def rules_of(found: Draft) -> list[tuple[str, float]]:
    """What to add to a county's worth at the table, in VP, against a neighbour that is still open.

    As `analyses/table_drafter.py` counts: a border costs both seats, and the worth has the usual neighbours in it.
    """
    ground = found.main.ground
    pair, border, region = (found.table.neighbours[name] for name in NEIGHBOURS)
    others = len(ground.counties) - 2
    own_share, foreign_share = (
        (ground.groups - 1) / others,
        ground.groups * (ground.players - 1) / others,
    )
    border *= (ground.players - 2) / (ground.players - 1)
    usual = pair * own_share + border * foreign_share
    return [
        ("for each neighbouring county that you hold", pair - usual),
        ("for each neighbouring county that another player holds", border - usual),
        ("for each county of the same region that you hold", region * (1 - own_share)),
    ]


STUDY = Study(
    __file__, __doc__, scope_of, identity, play, told=told_of, marks=(MARK,),
    judged=(Judged(CLAIMS, claim_outcomes, games_a_row=2, setups=("draft",)),),
    games="games dealt in each play and tower instead of the experiment's", colours=256,
)  # fmt: skip
