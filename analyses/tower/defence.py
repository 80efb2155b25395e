"""The value of a defender: in played battles by the armies on both sides, and all else equal in attacks cast again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from wallsim.analysis.battle.battle import Battle
from wallsim.analysis.battle.odds import floor_shares
from wallsim.analysis.tower.simulator import SEEDS_APART
from wallsim.engine.casting import CastingBench
from wallsim.engine.log import Log
from wallsim.engine.log_lines import SCORE, STATE
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.results import Run
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.story.replayed_state import ReplayedState

ATTACKERS = range(3, 9)  # cubes that the attacker adds: most attacks on players are of these sizes
DEFENDERS = range(1, 4)
CASTS = 20  # per attack and number of defenders; the variance between attacks dominates that between their casts


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
    sizes = (cases.sum(axis=0)[:, :-1] for cases in fought)
    mix = np.mean([cases / max(1.0, cases.sum()) for cases in sizes], axis=0)
    return np.asarray(mix / mix.sum())


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


@dataclass(frozen=True)
class Recast:
    """Attacks on players by game, float64 [games]: their number, those held in play, and those held in recasts.

    `again` and `with_more` add up the shares of recasts in which the county held, with the original number of
    defenders and with one more.
    """

    attacks: np.ndarray
    held: np.ndarray
    again: np.ndarray
    with_more: np.ndarray

    def gain(self) -> Estimate:
        """The increase of the chance that an attacked county holds by one more defender, mean over the attacks."""
        return block_ratio(self.with_more - self.again, self.attacks)

    def bias(self) -> Estimate:
        """The share held in recasts minus that held in play: 0 apart from chance if the contents are known exactly."""
        return block_ratio(self.again - self.held, self.attacks)


def recast(experiment: Experiment, games: int, casts: int = CASTS) -> Recast:
    """Play games 0 ... games - 1 of an experiment and recast each attack on a player, twice `casts` times.

    Tray, tower, attackers and loyal peasants are those of the attack; only the number of defenders differs (B6.1 to
    B6.9). The attacker does not know of the change. The tower's contents are known by colour, but not by floor of a
    layered tower, where the cubes are distributed over the floors as in settled contents. ValueError for the first
    edition, where armies may stand aside (V5).
    """
    if experiment.edition != "2e":
        raise ValueError(f"edition: {experiment.edition!r}; attacks are recast only in the second edition")
    parts, arena = experiment.components(), experiment.arena()
    bench, share = CastingBench(parts.tower), floor_shares(parts.tower.parameters)
    seed = (experiment.seed + SEEDS_APART) % 2**63  # random numbers other than those of the games
    counts = Recast(*(np.zeros(games) for _ in range(4)))
    for game in range(games):
        log = arena.trace(game)
        match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, parts.names(), game)
        for place, (line, loyal) in enumerate(_attacks(match, log)):
            thrown = _cubes(line["tray_before"]) + _cubes(line["engaged"])
            inside = _cubes(line["tower_after"]) + _cubes(line["tray_after_drop"]) - thrown
            sides = (line["attacker"], line["defender"], PEASANTS)
            fight = Battle(thrown[sides[0]], thrown[sides[1]], peasants_join=loyal)  # asked only who wins
            counts.attacks[game] += 1
            counts.held[game] += line["result"] == "defender"
            for shares in (counts.again, counts.with_more):
                fallen = bench.repeat(
                    thrown.tolist(), inside.tolist(), casts, seed=seed, number=game, first=place * casts,
                    share=share,
                )  # fmt: skip
                shares[game] += fight.decide(*(fallen[:, colour] for colour in sides)).lose.mean()
                thrown[line["defender"]] += 1
    return counts


def _attacks(match: Match, log: Log) -> Iterator[tuple[dict[str, Any], bool]]:
    # Attacks on players in order, each with whether the tray's peasants fight for the county (B6.6). STATE lines take
    # long to read, and the replay needs those at the end of a year alone.
    state, kinds = ReplayedState(match), log.lines[:, 0]
    needed = (kinds != STATE) | (np.roll(kinds, 1) == SCORE)
    for line in trace_lines(match, log._replace(lines=log.lines[needed])):
        if line["t"] == "battle" and line["kind"] == "player":
            yield line, state.is_loyal(line["county"])
        state.read(line)


def _cubes(counts: dict[str, int]) -> np.ndarray:
    cubes = np.zeros(COLOURS, np.int64)
    for colour, number in counts.items():
        cubes[PEASANTS if colour == "peasants" else int(colour)] = number
    return cubes
