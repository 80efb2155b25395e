"""The pictures of the study `draft`, drawn from the register: maps of worths, and the pick table to print.

Each is for one kind of table, since a mean of casual and experienced players is advice for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from statistics import fmean

import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure as Picture

from wallsim.report.figures.county_map import county_map
from wallsim.report.figures.pick_sheet import Pick, pick_sheet
from wallsim.report.figures.style import save_picture, styled
from wallsim.report.tables.estimates import number
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figures
from wallsim.studies.finding import bots_of

from .deals import NEIGHBOURS, PLAYERS, Scope, ground_of
from .estimates import NEIGHBOUR, worths_of


def picture(figures: Figures, scope: Scope, players: str = "") -> Picture:
    """The map of the counties, coloured by worth to some players: by default the last ones, which are experienced."""
    players = players or list(scope.players)[-1]
    worths = [worths_of(figures, scope, play) for play in scope.players[players]]
    errors = [each[name].error for name in worths[0] for each in worths]
    lines = "mean of master and scholar bots, " if len(worths) > 1 else ""
    return county_map(
        {name: fmean(each[name].value for each in worths) for name in worths[0]},
        title=f"What each county is worth to {players} who draft",
        unit="VP of its owner above the table's mean, against the mean county",
        note=f"{PLAYERS} players, counties dealt at random, {scope.deals:,} games for each play and tower "
        f"({', '.join(scope.towers)}); {lines}standard errors about {number(fmean(errors), 2)}.",
        scale="diverging", numbers=True,
    )  # fmt: skip


@styled  # PDF, too, is written by settings
def files(figures: Figures, scope: Scope) -> Mapping[str, bytes]:
    """The pick tables to print, as PDF with a page for each group of players, and the map of the first group."""
    printed, shown = BytesIO(), BytesIO()
    with PdfPages(printed, metadata={"CreationDate": None}) as pages:
        for players in scope.players:
            page = sheet(figures, scope, players)
            pages.savefig(page)
            plt.close(page)
    save_picture(picture(figures, scope, next(iter(scope.players))), shown, colours="shades")
    return {"picks.pdf": printed.getvalue(), "casual.png": shown.getvalue()}


def sheet(figures: Figures, scope: Scope, players: str) -> Picture:
    """The pick table of a group of players on one page to print."""
    plays, board = scope.players[players], ground_of(scope).board
    every = [worths_of(figures, scope, play) for play in plays]
    worths = {name: fmean(each[name].value for each in every) for name in every[0]}
    regions: dict[str, list[Pick]] = {region: [] for region in board.regions}
    for name in sorted(worths, key=lambda each: -worths[each]):
        sides = {side_of(each[name].ends) for each in every}
        region = board.regions[board.region[board.counties.index(name)]]
        regions[region].append((name, worths[name], sides in ({1}, {-1})))
    return pick_sheet(
        regions, rules_of(figures, scope, plays), f"What to pick in the draft: {players}",
        "The number beside a county says how many victory points more than the mean county it brings its owner in the "
        "end, measured against the other players and with neighbours as they usually come. Take the open card with the "
        "highest sum, or the top of the deck if both sums are below the mean of the counties that are still out.",
        f"wallsim, study `draft`: {PLAYERS} players, games of {' and '.join(map(bots_of, plays))} under "
        f"{len(scope.towers)} models of the tower. Bold: known to be above or below the mean county"
        f"{' for each kind of bot' if len(plays) > 1 else ''}. Experiment {next(iter(figures.values())).digest}, "
        f"engine version {figures.engine}.",
    )  # fmt: skip


def rules_of(figures: Figures, scope: Scope, plays: Sequence[str]) -> list[tuple[str, float]]:
    """What to add to a county's worth at the table, in VP, against a neighbour that is still open: the mean of plays.

    As `table_drafter.py` counts: a border costs both seats, and the worth contains the expected neighbours.
    """
    ground = ground_of(scope)
    # `sum`, as `fmean` would forget the ids of the figures.
    pair, border, region = (
        sum(figures.of(NEIGHBOUR, name, players=PLAYERS, play=play).value for play in plays) / len(plays)
        for name in NEIGHBOURS
    )
    others = len(ground.counties) - 2
    own_share, foreign_share = (ground.groups - 1) / others, ground.groups * (ground.players - 1) / others
    border *= (ground.players - 2) / (ground.players - 1)
    expected = pair * own_share + border * foreign_share
    return [
        ("for each neighbouring county that you hold", pair - expected),
        ("for each neighbouring county that another player holds", border - expected),
        ("for each county of the same region that you hold", region * (1 - own_share)),
    ]
