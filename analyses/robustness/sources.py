"""What the study `robustness` judges: the claims of every study, with the study's own code that plays and estimates.

A source estimates the outcomes of all its claims under any experiment. Sources of claims without such a function of
their own put it together here from the parts of the study.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analyses import (
    amount_claims,
    draft_claims,
    event_effects,
    expansion_effects,
    first_look,
    lineup_effects,
    price,
    tile_worth,
)
from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, TOWERS
from wallsim.analysis.claims.plays import Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.games import Games, block_size, in_batches
from wallsim.studies.outcomes import POINTS
from wallsim.studies.scope import plays_for

from ..editions.estimates import variants
from ..expansions.count import count
from ..lineups.games import play
from ..lineups.mends import KINDS, PRINTED
from ..lineups.mends import POINTS as HANDICAP

Outcomes = Callable[[Experiment, int, int | None], Mapping[str, Estimate]]  # of an experiment, blocks and workers
_HERE = Path(__file__).parent
_MOVING = {variant.mark: variant for variant in variants() if variant.mark in ("A10", "A12")}


class Source(NamedTuple):
    """Claims by study, and how their outcomes are estimated.

    `games_a_row` are the games of each comparison that make one row: the unit of errors, which a random table plays.
    `plays` are those in which its study judges its claims, by number of players; `setups` and `towers` are those of its
    cells. `files` are the files beside this one that decide the numbers.
    """

    name: str
    claims: Mapping[str, tuple[Claim, ...]]
    outcomes: Outcomes
    games_a_row: int
    files: tuple[str, ...]
    setups: tuple[str, ...] = SETUPS
    towers: tuple[str, ...] = tuple(TOWERS)
    plays: Callable[[int], tuple[Play, ...]] = plays_for

    @property
    def code(self) -> str:
        """The hash of the files that decide the numbers."""
        names = (*self.files, "effects.py", "random_tables.py", Path(__file__).name)
        return hashlib.sha256(b"".join((_HERE / name).read_bytes() for name in names)).hexdigest()


def expansion_plays(players: int) -> tuple[Play, ...]:
    """The plays with expansions: strong is that tuned with all three; the second line, tuned without, is not strong."""
    first = expansion_effects.UNTUNED[0]  # the policy of this line is there tuned with expansions
    return tuple(play for play in expansion_effects.plays() if play.name != first)


def expansion_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of the claims about expansions; the unit is the game, where the study's blocks would be too few."""
    subsets = {}
    for subset in expansion_effects.SUBSETS:
        arena = expansion_effects.with_subset(experiment, subset).arena()
        subsets[subset] = _means(in_batches(arena, range(blocks), count, seasons=True, workers=workers))
    return expansion_effects.claimed(expansion_effects.effects_of(subsets))


def _means(batches: list[dict[str, np.ndarray]]) -> dict[str, Estimate]:
    return {name: block_mean(np.concatenate([each[name] for each in batches])) for name in batches[0]}


def _falls(mark: str) -> str:
    return f"fall of {POINTS} by {_MOVING[mark].name}"


EDITION_CLAIMS = (
    Claim("One statue a county at most [A10] lowers a seat's VP.", _falls("A10"), 0),
    Claim("Statues that score at the end alone [A12] lower a seat's VP.", _falls("A12"), 0),
)


def edition_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of EDITION_CLAIMS: points under a setting less those of the same games under the default."""

    def points(games: Games) -> np.ndarray:
        return np.asarray(games.seats("vp").mean(axis=1))

    def played(rules: Mapping[str, object]) -> np.ndarray:
        arena = experiment.model_copy(update={"expansions": EXPANSIONS, "rules": dict(rules)}).arena()
        return np.concatenate(in_batches(arena, range(blocks), points, workers=workers))

    default = played({})
    return {_falls(mark): block_mean(default - played(variant.changes["rules"])) for mark, variant in _MOVING.items()}


def lineup_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of the claims about line-ups, from game numbers played in all arrangements; a number is a unit.

    The mends are those of the study `lineups` for this number of players. With other than four, nothing is claimed of
    single line-ups.
    """
    mends = lineup_effects.mends_of(experiment.players)
    parts = experiment.components()
    printed = play(parts, experiment.seed, blocks, workers)
    versions = {PRINTED: lineup_effects.figures_of(printed.arranged())}
    for kind in KINDS:
        if kind == HANDICAP:
            games = printed.arranged(mends[kind].halves)
        else:
            changed = experiment.model_copy(update=mends[kind].changes(parts.board)).components()
            games = play(changed, experiment.seed, blocks, workers).arranged()
        versions[kind] = lineup_effects.figures_of(games)
    found = lineup_effects.outcomes(versions)
    if experiment.players != lineup_effects.HEAD_SIZE:
        return {name: each for name, each in found.items() if name != lineup_effects.LEADER}
    return found | {first_look.AHEAD: first_look.outcomes(printed.arranged())[first_look.AHEAD]}


PRICE = Source("price", {"price": price.CLAIMS}, price.claim_outcomes, 3, ("price.py",))
TILES = Source("tiles", {"tiles": tile_worth.CLAIMS}, tile_worth.claim_outcomes, 3, ("tile_worth.py",))
EVENTS = Source("events", {"events": event_effects.CLAIMS}, event_effects.claim_outcomes, 1, ("event_effects.py",))
LINEUPS = Source(
    "line-ups",
    {"first_look": first_look.CLAIMS, "lineups": lineup_effects.CLAIMS},
    lineup_outcomes,
    1,
    ("first_look.py", "lineup_effects.py", "lineup_games.py", "lineup_mends.py", "lineup_mends.toml"),
    setups=("lineup",),
)
DRAFT = Source(
    "draft",
    {"draft": draft_claims.CLAIMS},
    draft_claims.claim_outcomes,
    2,
    (
        *(f"draft_{part}.py" for part in ("claims", "deals", "order", "worth")),
        *("drafters.py", "random_drafter.py", "table_drafter.py", "picks.json"),
    ),
    setups=("draft",),
)
EXPANDING = Source(
    "expansions",
    {"expansions": expansion_effects.CLAIMS},
    expansion_outcomes,
    2,
    ("expansion_effects.py", "expansion_count.py", "outcomes.py"),
    plays=expansion_plays,
)
EDITIONS = Source(
    "editions",
    {"editions": EDITION_CLAIMS},
    edition_outcomes,
    1,
    ("edition_effects.py", "outcomes.py"),
    plays=expansion_plays,
)
# Its outcomes compare 38 versions of a game, as many as all others together: so it has fewer cells, with line-ups as in
# its study. Its units of errors are blocks of four games.
AMOUNTS = Source(
    "amounts",
    {"amounts": amount_claims.CLAIMS},
    amount_claims.claim_outcomes,
    4,
    ("amount_claims.py", "amount_effects.py", "outcomes.py"),
    setups=SETUPS[:1],
    towers=CALIBRATIONS,
)
SOURCES = (PRICE, TILES, EVENTS, LINEUPS, DRAFT, EXPANDING, EDITIONS, AMOUNTS)
Key = tuple[str, Claim]  # a study and one of its claims


def keys_of(source: Source) -> list[Key]:
    """The claims of a source, each with its study."""
    return [(study, claim) for study, claims in source.claims.items() for claim in claims]


def blocks_for(source: Source, rows: int, players: int) -> int:
    """The blocks of 6 games a seat that so many rows of games make. ValueError if they are no whole number."""
    games, size = rows * source.games_a_row, block_size(players)
    if games % size:
        raise ValueError(f"{source.name}: {games} games are no whole blocks of {size}")
    return games // size
