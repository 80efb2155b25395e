"""The value of a defender, all else equal: the attacks of played games, recast with one defender more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.analysis.battle.battle import Battle
from wallsim.analysis.battle.odds import floor_shares
from wallsim.analysis.tower.simulator import SEEDS_APART
from wallsim.engine.casting import CastingBench
from wallsim.engine.log import Log
from wallsim.engine.log_lines import SCORE, STATE
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.story.replayed_state import ReplayedState

CASTS = 20  # per attack and number of defenders; the variance between attacks dominates that between their casts


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
