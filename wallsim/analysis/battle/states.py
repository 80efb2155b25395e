"""Three states of a tower that are comparable between models: fresh, loaded and adverse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import polars as pl

from wallsim.analysis.battle.odds import BATTLES_PER_CELL, Battle, Cubes, odds_table
from wallsim.engine.casting import CastingBench
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ARMIES_PER_PLAYER, COLOURS, PEASANT_ARMIES, PEASANTS
from wallsim.rules.tower import TowerModel

STATES = ("fresh", "loaded", "adverse")
IN_WORDS = {
    "fresh": "after a first fill of four players",
    "loaded": "after 15 battles, two fifths of the contents are the attacker's",
    "adverse": "after 15 battles, two fifths of the contents are the defender's and two fifths the peasants'",
}
PLAYERS = 4
BATTLES = 15  # after the fill
_ROWS = 400
_FILL_ARMIES, _FILL_PEASANTS = PRINTED["first_fill_armies"], PRINTED["first_fill_peasants"]
_FIRST = (*[_FILL_ARMIES] * PLAYERS, *[0] * (COLOURS - 1 - PLAYERS), _FILL_PEASANTS)
_BOX = np.array([*[ARMIES_PER_PLAYER] * (COLOURS - 1), PEASANT_ARMIES])
_MOST = Cubes(40, 40, 15, 80)  # leaves enough cubes in the box for a battle
# Shares of the five colours of a game of four: attacker, defender, peasants, and two others together.
_FILL = Cubes(_FILL_ARMIES, _FILL_ARMIES, _FILL_PEASANTS, 2 * _FILL_ARMIES)
_LOADED = Cubes(8, 3, 3, 6)
_ADVERSE = Cubes(1, 6, 6, 2)


def tower_in(tower: TowerModel, state: str) -> Cubes:
    """The contents of the tower in one of the STATES of a game of four, in whole cubes; the tray is empty.

    `fresh`: the mean contents after a first fill (B1.6), seven armies of each colour and ten peasants in proportion.
    The others: the mean contents after 15 battles, see `mean_contents`. There are five colours, so an equal share is
    one fifth. `loaded`: two fifths are the attacker's, the other colours have equal shares of the rest. `adverse`: two
    fifths each are the defender's and the peasants'. At most 40 cubes of one player and 15 peasants are inside, to
    leave cubes for the battle. ValueError for other states.
    """
    if state not in STATES:
        raise ValueError(f"state: {state!r} is not one of {', '.join(STATES)}")
    fill, later = mean_contents(tower)
    if state == "fresh":
        return _shared_out(fill, _FILL)
    return _shared_out(later, _LOADED if state == "loaded" else _ADVERSE)


def odds_by_state(
    towers: Sequence[TowerModel],
    attackers: Iterable[int] = range(1, 11),
    defenders: Iterable[int] = range(1, 5),
    *,
    battles: int = BATTLES_PER_CELL,
    seed: int = 1,
) -> pl.DataFrame:
    """The odds of battles for a player's county without revolt markers, in each of the STATES of each tower.

    Columns: tower, state, then those of `odds_table`. ValueError as there.
    """
    grid = tuple(attackers), tuple(defenders)
    parts = [
        odds_table(tower, *grid, Battle(1, 1, tower=tower_in(tower, state)), battles=battles, seed=seed).select(
            "tower", pl.lit(state).alias("state"), pl.exclude("tower")
        )
        for tower in towers
        for state in STATES
    ]
    return pl.concat(parts)


@lru_cache(maxsize=64)
def mean_contents(tower: TowerModel) -> tuple[float, float]:
    """The mean number of cubes in the tower after a first fill of four players, and after 15 battles more.

    Means over 400 sequences of random battles: two to six armies attack a player's one to four (55 %), a neutral
    county's peasant (35 %), or one to three peasants rise against one to four armies (10 %), each limited by the cubes
    in the box. All colours are equally likely to fight; the tray's cubes of other colours are thrown as well (B6.1).
    """
    rng, bench = np.random.default_rng(0), CastingBench(tower)
    thrown = np.zeros((_ROWS, BATTLES + 1, COLOURS), np.int64)
    emptied = np.arange(_ROWS * (BATTLES + 1)) % (BATTLES + 1) == 0
    inside, tray = (np.zeros((_ROWS, COLOURS), np.int64) for _ in range(2))
    means = []
    for step in range(BATTLES + 1):
        added = _battles(rng) if step else np.tile(_FIRST, (_ROWS, 1))
        thrown[:, step] = np.minimum(tray + added, _BOX - inside)
        # The bench repeats the casts so far with the same random numbers; later casts throw nothing yet.
        fallen = bench.throw(thrown.reshape(-1, COLOURS), emptied, seed=0).reshape(thrown.shape)[:, step]
        inside += thrown[:, step] - fallen
        tray = np.where(added > 0, 0, fallen)
        tray[:, PEASANTS] = 0
        means.append(float(inside.sum(axis=1).mean()))
    return means[0], means[-1]


def _battles(rng: np.random.Generator) -> np.ndarray:
    # The cubes that the two sides add, one row per battle.
    added = np.zeros((_ROWS, COLOURS), np.int64)
    for cubes in added:
        kind, (attacker, defender) = rng.random(), rng.permutation(PLAYERS)[:2]
        if kind < 0.9:
            cubes[attacker] = rng.integers(2, 7)
        if kind < 0.55 or kind >= 0.9:
            cubes[defender] = rng.integers(1, 5)
        if kind >= 0.55:
            cubes[PEASANTS] = 1 if kind < 0.9 else rng.integers(1, 4)
    return added


def _shared_out(cubes: float, parts: Sequence[int]) -> Cubes:
    """Whole cubes in proportion to the parts, the largest remainders rounded up."""
    whole = round(cubes)
    exact = [whole * part / sum(parts) for part in parts]
    counts = [int(share) for share in exact]
    by_remainder = sorted(range(len(parts)), key=lambda place: counts[place] - exact[place])
    for place in by_remainder[: whole - sum(counts)]:
        counts[place] += 1
    return Cubes(*map(min, counts, _MOST))
