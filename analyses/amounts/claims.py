"""The claims of the study `amounts`, estimated under any experiment."""

from __future__ import annotations

from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import TILES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.outcomes import SPREAD

from .estimates import DOUBLED, play_games, play_tiles

_WIDER = "spread of VP with two points a county"
CLAIMS = (
    Claim("Two points a county in place of one widen the spread of points.", _WIDER, 0.0),
    *(
        Claim(f"With a doubled gift the tile {tile.replace('_', ' ')} is worth more.", f"{tile}, doubled gift", 0.0)
        for tile in TILES
    ),
)


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS, by playing the games of an experiment with its numbers and with others.

    Without tiles, in the first edition, only that of the spread.
    """

    def turned(**amounts: int) -> Experiment:
        return experiment.changed(amounts={**experiment.amounts, **amounts})

    cache = Cache(None)
    printed, wider = (
        play_games(each, blocks, cache, workers)[SPREAD] for each in (experiment, turned(county_points=2))
    )
    result = {_WIDER: block_mean(wider - printed)}
    if experiment.edition == "1e":
        return result
    worth = play_tiles(experiment, blocks, cache, workers)
    for tile, amounts in DOUBLED.items():
        more = play_tiles(turned(**amounts), blocks, cache, workers)[tile]
        result[f"{tile}, doubled gift"] = block_mean(more - worth[tile])
    return result
