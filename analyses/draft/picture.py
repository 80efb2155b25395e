"""The pictures of the study `draft`, drawn from the register: the map of worths, and the pick table to print."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from matplotlib.figure import Figure as Picture

from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.figures.county_map import county_map
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.estimates import number
from wallsim.studies.figure import Figures

from .cells import DEAL, PLAYERS, Scope
from .counties import agreed, plays_of
from .deals import NEIGHBOURS
from .figures import WORTH, ground_of
from .picks import NEIGHBOUR, PICK
from .sheet import Pick, pick_sheet

SHEET = "picks.pdf"


def picture(figures: Figures, scope: Scope) -> Picture:
    """The map of the counties, coloured by worth over all plays."""
    return county_map(**drawn(figures, scope))


def drawn(figures: Figures, scope: Scope) -> dict[str, Any]:
    """What the map shows: worths shrunken towards the print, title and unit, and what they rest on."""
    names, cells = ground_of(scope).names, scope.cells(DEAL)
    errors = [figures.of(WORTH, name, players=PLAYERS).error for name in names]
    return {
        "values": _picks(figures, scope),
        "title": "What each county is worth as a pick",
        "unit": "VP of its owner above the table's mean, against the mean county",
        "note": f"{PLAYERS} players, counties dealt at random, {scope.deals:,} games in each of {len(cells)} cells "
        f"of play ({', '.join(plays_of(scope))}) and tower ({', '.join(scope.towers)}); shrunken towards printed "
        f"numbers; standard errors about {number(sum(errors) / len(errors), 2)}.",
        "scale": "diverging",
        "numbers": True,
    }


def files(figures: Figures, scope: Scope) -> Mapping[str, bytes]:
    """The pick table to print, as PDF."""
    with TemporaryDirectory() as folder:
        save_picture(sheet(figures, scope), Path(folder) / SHEET)
        return {SHEET: (Path(folder) / SHEET).read_bytes()}


def sheet(figures: Figures, scope: Scope) -> Picture:
    """The pick table on one page, to print."""
    ground, worths = ground_of(scope), _picks(figures, scope)
    board, sides = ground.board, {*agreed(figures, scope, 1), *agreed(figures, scope, -1)}
    regions = {
        region: [
            Pick(name, worths[name], name in sides)
            for name in sorted(ground.names, key=lambda each: -worths[each])
            if board.regions[board.region[board.counties.index(name)]] == region
        ]
        for region in board.regions
    }
    digest = next(iter(figures.values())).digest
    return pick_sheet(
        regions,
        rules_of(figures, scope),
        "What to pick in the draft",
        "The number beside a county says how many victory points more than the mean county it brings its owner in the "
        "end, measured against the other players and with neighbours as they usually come. Take the open card with the "
        "highest sum, or the top of the deck if both sums are below the mean of the counties that are still out.",
        f"wallsim, study `draft`: {PLAYERS} players, games of computer players in {len(scope.cells(DEAL))} cells of "
        f"play ({', '.join(plays_of(scope))}) and tower. Bold: known to lie on its side of the mean in every cell. "
        f"Experiment {digest}, engine version {ENGINE_VERSION}.",
    )


def rules_of(figures: Figures, scope: Scope) -> list[tuple[str, float]]:
    """What to add to a county's worth at the table, in VP, against a neighbour that is still open.

    As `table_drafter.py` counts: a border costs both seats, and the worth contains the expected neighbours.
    """
    ground = ground_of(scope)
    pair, border, region = (figures.of(NEIGHBOUR, name, players=PLAYERS).value for name in NEIGHBOURS)
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


def _picks(figures: Figures, scope: Scope) -> dict[str, float]:
    return {name: figures.of(PICK, name, players=PLAYERS).value for name in ground_of(scope).names}
