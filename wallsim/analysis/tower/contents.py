"""The contents of the tower over a game: after the first fill and after each battle of simulated games."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl

from wallsim.analysis.tower.closed_forms import MAX_INSIDE, fill_distribution
from wallsim.engine.arena import Arena
from wallsim.engine.casting import CastingBench
from wallsim.engine.columns import columns_of
from wallsim.folder.results import Run, refuse_lean
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.amounts import PRINTED
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import Independent, TowerModel, Urn

FILLS = 20_000
_ARMIES, _PEASANTS = PRINTED["first_fill_armies"], PRINTED["first_fill_peasants"]


def fill_cubes(players: int) -> int:
    """The number of cubes thrown in a first fill: seven armies per player and ten peasants."""
    return _ARMIES * players + _PEASANTS


def first_fill(tower: TowerModel, players: int = 4, *, fills: int = FILLS, seed: int = 1) -> pl.DataFrame:
    """The distribution of the number of cubes that fall out at the first fill; one row per number from 0 on.

    Columns: tower, players, out, chance, fills (how many were simulated, null where exact). Exact by
    `fill_distribution` where cubes come one by one, else simulated.
    """
    cubes = fill_cubes(players)
    exact = has_exact_fill(tower)
    chances = fill_distribution(tower.parameters, cubes)[::-1] if exact else _simulated(tower, players, fills, seed)
    rows = pl.DataFrame({"out": np.arange(cubes + 1), "chance": np.asarray(chances, np.float64)})
    about = (pl.lit(tower.name).alias("tower"), pl.lit(players).alias("players"))
    return rows.select(*about, "out", "chance", pl.lit(None if exact else fills, pl.Int64).alias("fills"))


def has_exact_fill(tower: TowerModel) -> bool:
    """Whether the distribution of a first fill is exact: cubes come one by one, and a matrix is not too large."""
    parameters = tower.parameters
    if isinstance(parameters, Independent):
        return True
    return parameters.clump == 1 and not (isinstance(parameters, Urn) and parameters.capacity > MAX_INSIDE)


def _simulated(tower: TowerModel, players: int, fills: int, seed: int) -> np.ndarray:
    fill = [_ARMIES] * players + [0] * (COLOURS - players)
    fill[PEASANTS] = _PEASANTS
    fallen = CastingBench(tower).throw(np.tile(fill, (fills, 1)), np.ones(fills, bool), seed=seed).sum(axis=1)
    return np.bincount(fallen, minlength=sum(fill) + 1) / fills


GAMES = 400
LOW, HIGH = 0.1, 0.9  # the band: 80 % of the games lie in it
STILL_GOING = 0.5  # the least share of games that reach a battle's number for it to be shown


def contents_over_games(
    tower: TowerModel, *, policy: str = "balanced", players: Literal[3, 4, 5] = 4, games: int = GAMES, seed: int = 1
) -> pl.DataFrame:
    """The number of cubes inside over games of line-ups in the second edition, with every seat playing one policy.

    Columns as `series` returns them, preceded by the tower's name. Revolts count as battles. PolicyError for an
    unknown policy.
    """
    rules = pack_rules(load_board(), Ruleset(players=players), tower)
    tables = Arena(rules, pack_players([load_policy(policy)] * players), seed).play(0, games, battles=True)
    names = {table: [column.name for column in columns_of(table)] for table in ("games", "battles")}
    fills = tables.games[:, names["games"].index("tower_after_fill")]
    game, after = (tables.battles[:, names["battles"].index(column)] for column in ("game", "tower_after"))
    return series(fills, game, after).select(pl.lit(tower.name).alias("tower"), pl.all())


def contents_of_run(run: Run) -> pl.DataFrame:
    """The same from the tables `games` and `battles` of a run, checked first. InputError if it lacks one."""
    refuse_lean(run, "games", "tower_after_fill")
    battles = run.scan("battles").select("game", "tower_after").collect()
    games = run.scan("games").select("game", "tower_after_fill").sort("game").collect()
    contents = series(
        games["tower_after_fill"].to_numpy(),
        np.searchsorted(games["game"].to_numpy(), battles["game"].to_numpy()),
        battles["tower_after"].to_numpy(),
    )
    return contents.select(pl.lit(run.manifest["tower"]["name"]).alias("tower"), pl.all())


def series(fills: np.ndarray, game: np.ndarray, after: np.ndarray) -> pl.DataFrame:
    """Mean and band of the contents by the number of battles fought: 0 is after the fill.

    `fills` [games]: cubes inside after the fill; `game` and `after` [battles]: the place of a battle's game among them,
    from 0, and the cubes inside after it, battles of a game in their order. Columns: battle, games (that came so
    far), mean, low and high (10 % and 90 % quantile of those games). Numbers of battles that fewer than half of the
    games reach are left out, since only unusual games would contribute.
    """
    order = np.argsort(game, kind="stable")
    game, after = game[order], after[order]
    first = np.searchsorted(game, np.arange(len(fills)))
    rows = pl.DataFrame(
        {
            "battle": np.concatenate((np.zeros(len(fills), np.int64), np.arange(len(game)) - first[game] + 1)),
            "cubes": np.concatenate((fills, after)).astype(np.int64),
        }
    )
    cubes = pl.col("cubes")
    return (
        rows.group_by("battle")
        .agg(
            cubes.count().cast(pl.Int64).alias("games"),
            cubes.mean().alias("mean"),
            cubes.quantile(LOW, "nearest").alias("low"),
            cubes.quantile(HIGH, "nearest").alias("high"),
        )
        .filter(pl.col("games") >= STILL_GOING * len(fills))
        .sort("battle")
    )
