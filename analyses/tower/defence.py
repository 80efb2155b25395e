"""The value of a defender in played battles: how often attacked counties held, by the armies on both sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from wallsim.runs.folder.results import Run
from wallsim.stats.blocks import Estimate, block_ratio, combined

ATTACKERS = range(3, 9)  # cubes that the attacker adds: most attacks on players are of these sizes
DEFENDERS = range(1, 4)


def battles_by_size(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Attacks on players by size, and those among them that the county's owner held.

    Both float64 [games, len(ATTACKERS), len(DEFENDERS)], by the cubes that the two sides added; attacks of other sizes
    are left out. A tie loses the county (B6.9), so it is not held.
    """
    rows = (
        run.scan("battles")
        .filter(
            pl.col("kind").cast(pl.String) == "player",
            pl.col("engaged_attacker").is_between(ATTACKERS[0], ATTACKERS[-1]),
            pl.col("engaged_defender").is_between(DEFENDERS[0], DEFENDERS[-1]),
        )
        .select(
            "game",
            attackers=pl.col("engaged_attacker") - ATTACKERS[0],
            defenders=pl.col("engaged_defender") - DEFENDERS[0],
            held=pl.col("result").cast(pl.String) == "defender",
        )
        .collect()
    )
    form = (run.manifest["games"], len(ATTACKERS), len(DEFENDERS))
    fought, held = np.zeros(form), np.zeros(form)
    places = tuple(rows[name].to_numpy() for name in ("game", "attackers", "defenders"))
    np.add.at(fought, places, 1)
    np.add.at(held, places, rows["held"].to_numpy())
    return fought, held


def typical_mix(fought: Sequence[np.ndarray]) -> np.ndarray:
    """The mix of battle sizes over several conditions, weighted equally: [len(ATTACKERS), len(DEFENDERS) - 1].

    Shares of the sizes that stay in DEFENDERS with one defender more; they add up to 1.
    """
    mix = np.mean([_shares(cases.sum(axis=0)[:, :-1]) for cases in fought], axis=0)
    return np.asarray(mix / mix.sum())


def _shares(cases: np.ndarray) -> np.ndarray:
    return np.asarray(cases / max(1.0, cases.sum()))


def gain_as_met(fought: np.ndarray, held: np.ndarray, mix: np.ndarray) -> Estimate:
    """How much more often attacked counties held with one defender more, standardised to the mix of sizes `mix`.

    All conditions use the same mix (direct standardisation), so that they are comparable. Not a causal effect: players
    attack a strong county when tray and tower favour them. nan if a size never occurred.
    """
    parts, weights = [], []
    for attackers, defenders in np.ndindex(mix.shape):
        if mix[attackers, defenders] > 0:
            for more, sign in ((1, 1.0), (0, -1.0)):
                cell = (slice(None), attackers, defenders + more)
                parts.append(block_ratio(held[cell], fought[cell]))
                weights.append(sign * float(mix[attackers, defenders]))
    return combined(weights, parts)
