"""What the study `draft` claims, and its outcomes under any experiment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.least_squares import Fit
from wallsim.studies.cache import Cache
from wallsim.studies.games import block_size

from .cells import DEAL, DRAFT, LEAST_GAMES
from .deals import NEIGHBOURS, Ground, deals_of, played_points
from .drafters import RANDOM, TABLE, YIELDS, by_table, matches, random_drafter, yields_of
from .order import Drafts, drafts_of, places
from .picks import read_picks
from .worth import Worths, estimated

_BORDER, _REGION = NEIGHBOURS[1], NEIGHBOURS[2]
GOOD, BAD = ("Steiermark", "Bremen", "Burgund"), ("Oberösterreich", "Mittelmark", "Sächs. Lande")
_FIRST = "VP of the first to pick less the last"


def _of(name: str) -> str:
    return f"worth of {name}, VP"


def _short_of(name: str) -> str:
    return f"mean county less {name}, VP"


def _gain_of(name: str) -> str:
    return f"VP of {name}"


CLAIMS = (
    *(Claim(f"{name} is worth more than the mean county.", _of(name), 0) for name in GOOD),
    *(Claim(f"{name} is worth less than the mean county.", _short_of(name), 0) for name in BAD),
    Claim("A border with another seat's county costs points.", "cost of a border with another seat, VP", 0),
    Claim("Two counties of one region are worth more together.", "worth of an own pair of a region, VP", 0),
    Claim("A drafter by the table beats one who picks at random.", "VP of the table less random picks", 0),
    Claim("A drafter by the table beats one by the printed yields.", "VP of the table less printed yields", 0),
    Claim("A drafter by the table beats the default drafters.", _gain_of(TABLE), 0),
    Claim("Who picks first ends with more points than who picks last.", _FIRST, 0),
)
ABOUT = dict(zip((*GOOD, *BAD), CLAIMS, strict=False))  # the claim about a county, by its name
# The counties were chosen by the table of the study, whose games therefore do not judge them.
CHOSEN = (*map(_of, GOOD), *map(_short_of, BAD))
_TO_BORDER, _OF_REGION = "cost of a border with another seat, VP", "worth of an own pair of a region, VP"
_OF_DEALS = {*CHOSEN, _TO_BORDER, _OF_REGION}  # the outcomes that dealt games give


def deal_outcomes(result: Worths, fit: Fit) -> dict[str, Estimate]:
    """The outcomes of CLAIMS about counties and neighbours, of those counties that are in play."""
    there = set(result.ground.names)
    return {
        **{_of(name): result.county(fit, name) for name in GOOD if name in there},
        **{_short_of(name): result.county(fit, name) * -1 for name in BAD if name in there},
        _TO_BORDER: result.neighbour(fit, _BORDER) * -1,
        _OF_REGION: result.neighbour(fit, _REGION),
    }


def draft_outcomes(drafts: Drafts, gains: Mapping[str, np.ndarray]) -> dict[str, Estimate]:
    """The outcomes of CLAIMS about drafts; `gains` are the points of a drafter by game, by its name."""
    order = places([drafts], "points")
    return {
        _gain_of(TABLE): block_mean(gains[TABLE]),
        **{f"VP of the table less {name}": block_mean(gains[TABLE] - gains[name]) for name in (RANDOM, YIELDS)},
        _FIRST: order[0] - order[-1],
    }


def given() -> Mapping[str, Any]:
    """What the outcomes rest on beside an experiment: the published pick table."""
    return read_picks()._asdict()


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS by playing blocks of 6 games a seat of an experiment; the unit of errors is the game.

    The experiment's set-up must be `draft`, or `deal` for counties and neighbours alone; with line-ups nobody picks,
    and there is no outcome. In a draft the worth of counties comes from the same experiment with counties dealt. The
    drafter goes by the published table, so where other counties are in play there is no outcome of it. With `names`
    there are those outcomes alone, and no more is played than they need.
    InputError for fewer games than the estimates need.
    """
    games = blocks * block_size(experiment.players)
    if experiment.setup not in (DEAL, DRAFT):
        return {}
    if games < LEAST_GAMES:
        raise InputError(f"blocks: {blocks} are {games} games; at least {LEAST_GAMES} are needed")
    wanted = {claim.outcome for claim in CLAIMS} if names is None else set(names)
    cache, cell = Cache(None), Cell("any", experiment.tower, DEAL)
    dealt = experiment.changed(setup=DEAL, lineups=())
    ground, outcomes = Ground(dealt), {}
    if wanted & _OF_DEALS:
        deals = deals_of(dealt, games, cache, workers)
        result = estimated(ground, deals, {cell: played_points(dealt, games, cache, workers)})
        outcomes = deal_outcomes(result, result.fits[cell])
    if experiment.setup == DRAFT and wanted - _OF_DEALS:
        drafts = drafts_of(experiment, games, cache, workers)
        order = places([drafts], "points")
        outcomes[_FIRST] = order[0] - order[-1]
        table = read_picks()
        if wanted - _OF_DEALS - {_FIRST} and set(table.counties) == set(ground.names):
            with TemporaryDirectory() as folder:
                drafters = {
                    RANDOM: random_drafter(),
                    YIELDS: by_table(yields_of(ground), ground, Path(folder) / "printed-yields.py"),
                    TABLE: by_table(table, ground, Path(folder) / "the-table.py"),
                }
                before = {"points": drafts.points, "wins": drafts.wins}
                gains = {
                    name: matches(experiment, drafter, before, cache, workers)["points"]
                    for name, drafter in drafters.items()
                }
            outcomes |= draft_outcomes(drafts, gains)
    return {name: each for name, each in outcomes.items() if name in wanted}
