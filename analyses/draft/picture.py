"""The pictures of the study `draft`, drawn from the register: maps of worths, and the pick table to print.

Each is for one kind of table, since a mean of casual and experienced players is advice for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure as Picture

from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.figures.county_map import county_map
from wallsim.report.figures.style import save_picture, styled
from wallsim.report.tables.estimates import number
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figures

from .cells import PLAYERS, Scope
from .deals import NEIGHBOURS
from .figures import BY_PLAY, ground_of
from .finding import groups_of
from .picks import NEIGHBOUR
from .sheet import Pick, pick_sheet

SHEET, MAP_OF_OTHERS = "picks.pdf", "casual.png"


def picture(figures: Figures, scope: Scope) -> Picture:
    """The map of the counties, coloured by worth to experienced players; in a quick look to those there are."""
    return county_map(**drawn(figures, scope, list(groups_of(scope))[-1]))


def drawn(figures: Figures, scope: Scope, players: str) -> dict[str, Any]:
    """What a map shows: worths to a group of players, title and unit, and what they rest on."""
    plays = groups_of(scope)[players]
    errors = [figures.of(BY_PLAY, name, players=PLAYERS, play=play).error for name in _names(scope) for play in plays]
    lines = f"mean of the {len(plays)} lines of strong play, " if len(plays) > 1 else ""
    return {
        "values": worths_of(figures, scope, plays),
        "title": f"What each county is worth to {players} who draft",
        "unit": "VP of its owner above the table's mean, against the mean county",
        "note": f"{PLAYERS} players, counties dealt at random, {scope.deals:,} games for each play and tower "
        f"({', '.join(scope.towers)}); {lines}standard errors about {number(sum(errors) / len(errors), 2)}.",
        "scale": "diverging",
        "numbers": True,
    }


@styled  # PDF, too, is written by settings
def files(figures: Figures, scope: Scope) -> Mapping[str, bytes]:
    """The pick tables to print, as PDF with a page for each group of players, and the map of the first group."""
    groups = groups_of(scope)
    printed, shown = BytesIO(), BytesIO()
    with PdfPages(printed, metadata={"CreationDate": None}) as pages:
        for players in groups:
            page = sheet(figures, scope, players)
            pages.savefig(page)
            plt.close(page)
    save_picture(county_map(**drawn(figures, scope, next(iter(groups)))), shown, colours="shades")
    return {SHEET: printed.getvalue(), MAP_OF_OTHERS: shown.getvalue()}


def sheet(figures: Figures, scope: Scope, players: str = "") -> Picture:
    """The pick table of a group of players, by default the last, on one page to print."""
    players = players or list(groups_of(scope))[-1]
    ground, plays = ground_of(scope), groups_of(scope)[players]
    board, worths = ground.board, worths_of(figures, scope, plays)
    regions = {
        region: [
            Pick(name, worths[name], _is_sure(figures, plays, name))
            for name in sorted(ground.names, key=lambda each: -worths[each])
            if board.regions[board.region[board.counties.index(name)]] == region
        ]
        for region in board.regions
    }
    digest = next(iter(figures.values())).digest
    return pick_sheet(
        regions,
        rules_of(figures, scope, plays),
        f"What to pick in the draft: {players}",
        "The number beside a county says how many victory points more than the mean county it brings its owner in the "
        "end, measured against the other players and with neighbours as they usually come. Take the open card with the "
        "highest sum, or the top of the deck if both sums are below the mean of the counties that are still out.",
        f"wallsim, study `draft`: {PLAYERS} players, games of computer players ({', '.join(plays)} play) under "
        f"{len(scope.towers)} models of the tower. Bold: known to be above or below the mean county"
        f"{' in each line of play' if len(plays) > 1 else ''}. Experiment {digest}, engine version {ENGINE_VERSION}.",
    )


def worths_of(figures: Figures, scope: Scope, plays: Sequence[str]) -> dict[str, float]:
    """What each county is worth in VP against the mean county: the mean of some plays."""
    return {
        name: sum(figures.of(BY_PLAY, name, players=PLAYERS, play=play).value for play in plays) / len(plays)
        for name in _names(scope)
    }


def rules_of(figures: Figures, scope: Scope, plays: Sequence[str] = ("",)) -> list[tuple[str, float]]:
    """What to add to a county's worth at the table, in VP, against a neighbour that is still open.

    The mean of some plays, by default that of all, which drafters by the table use. As `table_drafter.py` counts: a
    border costs both seats, and the worth contains the expected neighbours.
    """
    ground = ground_of(scope)
    pair, border, region = (
        sum(figures.of(NEIGHBOUR, name, players=PLAYERS, play=play).value for play in plays) / len(plays)
        for name in NEIGHBOURS
    )
    others = len(ground.counties) - 2
    own_share, foreign_share = (
        (ground.groups - 1) / others,
        ground.groups * (ground.players - 1) / others,
    )
    border *= (ground.players - 2) / (ground.players - 1)
    expected = pair * own_share + border * foreign_share
    return [
        ("for each neighbouring county that you hold", pair - expected),
        ("for each neighbouring county that another player holds", border - expected),
        ("for each county of the same region that you hold", region * (1 - own_share)),
    ]


def _is_sure(figures: Figures, plays: Sequence[str], name: str) -> bool:
    """Whether a county is known to be above or below the mean county, on the same side in all of some plays."""
    sides = {side_of(figures.of(BY_PLAY, name, players=PLAYERS, play=play).ends) for play in plays}
    return sides in ({1}, {-1})


def _names(scope: Scope) -> list[str]:
    return list(ground_of(scope).names)
