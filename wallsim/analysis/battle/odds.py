"""The odds of a battle: exact for the model `independent`, simulated for the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.tower.closed_forms import layered_shares
from wallsim.engine.casting import CastingBench
from wallsim.rules.terms import ARMIES_PER_PLAYER, COLOURS, MAX_PLAYERS, PEASANT_ARMIES, PEASANTS
from wallsim.rules.tower import Independent, Layered, TowerModel, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution, sum_distribution
from wallsim.stats.intervals import Confidence, Interval, mean_interval, wilson

KINDS = ("player", "neutral", "revolt")


class Cubes(NamedTuple):
    """Cubes by the role of their colour in a battle; `others` belong to the players who do not fight."""

    attacker: int = 0
    defender: int = 0
    peasants: int = 0
    others: int = 0


NOTHING = Cubes()
# The cubes in the box by role (B0.2); besides attacker and defender there are at most three more players.
_BOX = Cubes(ARMIES_PER_PLAYER, ARMIES_PER_PLAYER, PEASANT_ARMIES, (MAX_PLAYERS - 2) * ARMIES_PER_PLAYER)


class Decision(NamedTuple):
    """The result of battles, by the cubes in the tray: boolean and integer arrays of the same shape."""

    win: np.ndarray
    tie: np.ndarray
    lose: np.ndarray
    attackers_left: np.ndarray  # armies that the attacker puts into the county
    defenders_left: np.ndarray  # armies that the defender puts back


@dataclass(frozen=True)
class Battle:
    """A battle for a county (B6.1 to B6.4), with all that goes into the tower.

    `attackers` and `defenders` are the cubes that the sides add. The defenders of a neutral county are peasants, as are
    the attackers of a revolt, whose defender is the county's owner; cubes of the other colour in `tray` and `tower`
    then have no effect. `peasants_join` is whether the peasants in the tray fight for a player's county: they do unless
    it has a revolt marker (B6.6), in the first edition two (V6). ValueError, naming field, value and what is allowed,
    for more cubes than the box has.
    """

    attackers: int
    defenders: int
    kind: str = "player"  # one of KINDS
    peasants_join: bool = True
    tray: Cubes = NOTHING  # before the battle
    tower: Cubes = NOTHING

    def __post_init__(self) -> None:
        errors = self._errors()
        if errors:
            raise ValueError("; ".join(errors))

    def engaged(self) -> Cubes:
        """The cubes added by the two sides, by role."""
        if self.kind == "neutral":
            return Cubes(attacker=self.attackers, peasants=self.defenders)
        if self.kind == "revolt":
            return Cubes(defender=self.defenders, peasants=self.attackers)
        return Cubes(attacker=self.attackers, defender=self.defenders)

    def thrown(self) -> Cubes:
        """All cubes thrown into the tower: those in the tray and those added by the sides (B6.1)."""
        return Cubes(*(sum(pair) for pair in zip(self.tray, self.engaged(), strict=True)))

    def decide(self, attackers: np.ndarray, defenders: np.ndarray, peasants: np.ndarray) -> Decision:
        """Who wins with these numbers of cubes in the tray afterwards (B6.5 to B6.10); arrays of the same shape.

        In a revolt `win` means that the peasants have the majority; the county is lost in a tie as well (B6.10).
        """
        if self.kind == "revolt":
            balance, own = peasants - defenders, defenders
        elif self.kind == "neutral":
            balance, own = attackers - peasants, np.zeros_like(peasants)
        else:
            balance, own = attackers - defenders - (peasants if self.peasants_join else 0), defenders
        win = balance > 0
        # Peasants alone cannot hold a player's county (B6.8), but a neutral one they can (B6.9).
        lose = (balance < 0) & ((own > 0) | (self.kind == "neutral"))
        armies = np.zeros_like(balance) if self.kind == "revolt" else balance
        return Decision(win, ~win & ~lose, lose, np.where(win, armies, 0), np.where(lose, np.minimum(own, -balance), 0))

    def _errors(self) -> list[str]:
        if self.kind not in KINDS:
            return [f"kind: {self.kind!r} is not one of {', '.join(KINDS)}"]
        attackers = (0, PEASANT_ARMIES) if self.kind == "revolt" else (1, ARMIES_PER_PLAYER)
        defenders = (0, PEASANT_ARMIES) if self.kind == "neutral" else (1, ARMIES_PER_PLAYER)
        bounds: list[tuple[str, Any, int, int]] = [
            ("attackers", self.attackers, *attackers),
            ("defenders", self.defenders, *defenders),
        ]
        for place in ("tray", "tower"):
            cubes: Cubes = getattr(self, place)
            bounds += [(f"{place}.{role}", getattr(cubes, role), 0, getattr(_BOX, role)) for role in Cubes._fields]
        errors = [
            f"{name}: {value!r} is not a whole number from {low} to {high}"
            for name, value, low, high in bounds
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high
        ]
        if errors:
            return errors
        there = zip(Cubes._fields, self.engaged(), self.tray, self.tower, _BOX, strict=True)
        return [
            f"{role}: {added} added, {tray} in the tray and {tower} in the tower are more than the {box} in the box"
            for role, added, tray, tower, box in there
            if added + tray + tower > box
        ]


BATTLES = 100_000  # simulated for the odds of one battle: half-widths of 0.3 percentage points
BATTLES_PER_CELL = 20_000  # simulated for each battle of a table: half-widths of 0.7 percentage points
ATTACKER, DEFENDER = 0, 1  # colours in a simulated battle; then come three players who do not fight, and the peasants
CHANCES = ("win", "tie", "lose")
MEANS = ("attackers_if_won", "defenders_if_held", "attackers_left", "defenders_left")
_CHUNK = 100_000  # casts held in memory at a time
_ALL_EQUAL = 1e-9  # a smaller variance is rounding


@dataclass(frozen=True)
class BattleOdds:
    """The odds of a battle: chances for the attacker, and mean numbers of armies that survive in the county.

    `attackers_if_won` and `defenders_if_held` are means over the battles that end so, None if none does;
    `attackers_left` and `defenders_left` are means over all battles, with 0 where they end otherwise. `battles` is the
    number of simulated battles, None if the numbers are exact. `intervals` has the 95 % interval of each simulated
    number by name, Wilson's for chances and Student's t for means; none for a mean of too few battles or equal values.
    """

    win: float
    tie: float
    lose: float
    attackers_if_won: float | None
    defenders_if_held: float | None
    attackers_left: float
    defenders_left: float
    battles: int | None = None
    intervals: dict[str, Interval] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        """Whether the numbers are exact, not simulated."""
        return self.battles is None


def battle_odds(
    tower: TowerModel, battle: Battle, *, battles: int = BATTLES, seed: int = 1, number: int = 0, simulate: bool = False
) -> BattleOdds:
    """The odds of a battle (B6).

    For the model `independent` exact, from the distribution of the fallen cubes; otherwise, or with `simulate`, from
    `battles` casts with the random numbers of game `number` of a seed. The floors of cubes in a layered tower are
    unknown: each cube lies on a floor drawn in proportion to the settled contents of the floors, while there is room.
    ValueError if the contents exceed the tower's capacity, or for less than one battle.
    """
    room = tower_room(tower.parameters)
    if room is not None and sum(battle.tower) > room:
        raise ValueError(f"tower: {sum(battle.tower)} cubes are more than the {room} that {tower.name} can hold")
    if isinstance(tower.parameters, Independent) and not simulate:
        return _odds(battle, _exact(tower.parameters, battle), None)
    if battles < 1:
        raise ValueError(f"battles: {battles} is not a number from 1")
    return _odds(battle, _simulated(tower, battle, battles, seed, number), battles)


def odds_table(
    tower: TowerModel,
    attackers: Iterable[int],
    defenders: Iterable[int],
    like: Battle,
    *,
    battles: int = BATTLES_PER_CELL,
    seed: int = 1,
) -> pl.DataFrame:
    """The odds of every combination of `attackers` and `defenders`, in a battle otherwise `like` the given one.

    One row per battle, by attackers, then defenders. Columns: tower, attackers, defenders, the fields of BattleOdds,
    each chance and mean with `_low` and `_high` after its name for its interval (null if there is none), and `battles`
    (null where exact). Each battle has separate random numbers. ValueError as for `Battle` and `battle_odds`.
    """
    against = tuple(defenders)
    fights = [replace(like, attackers=a, defenders=d) for a in attackers for d in against]
    rows = []
    for number, fight in enumerate(fights):
        odds = battle_odds(tower, fight, battles=battles, seed=seed, number=number)
        row = {"tower": tower.name, "attackers": fight.attackers, "defenders": fight.defenders}
        for name in (*CHANCES, *MEANS):
            low, high = odds.intervals.get(name, (None, None))
            row |= {name: getattr(odds, name), f"{name}_low": low, f"{name}_high": high}
        rows.append({**row, "battles": odds.battles})
    numbers = {f"{name}{end}": pl.Float64 for name in (*CHANCES, *MEANS) for end in ("", "_low", "_high")}
    schema = {"tower": pl.String, "attackers": pl.Int64, "defenders": pl.Int64, **numbers, "battles": pl.Int64}
    return pl.DataFrame(rows, schema=schema)


def tower_room(parameters: TowerParameters) -> int | None:
    """The number of cubes a tower can hold; None if there is no limit."""
    if isinstance(parameters, Layered):
        return sum(parameters.cells)
    return ceil(parameters.capacity) if isinstance(parameters, Urn) else None


def floor_shares(parameters: TowerParameters) -> tuple[float, ...]:
    """The mean settled contents of the floors of a layered tower, by mean field; () for the other models.

    If a floor neither holds nor loses anything, contents do not settle, and the cells are returned.
    """
    if not isinstance(parameters, Layered):
        return ()
    try:
        shares = layered_shares(parameters)
    except ValueError:
        return tuple(map(float, parameters.cells))
    return tuple(cells * share for cells, share in zip(parameters.cells, shares, strict=True))


@lru_cache(maxsize=8)
def bench_of(tower: TowerModel) -> CastingBench:
    """The bench of a tower; it takes longer to set up than a short simulation."""
    return CastingBench(tower)


def _exact(parameters: Independent, battle: Battle) -> np.ndarray:
    # The three colours fall independently of each other.
    thrown, inside = battle.thrown(), battle.tower
    distributions = [
        np.array(
            sum_distribution(binomial_distribution(cubes, parameters.p), binomial_distribution(held, parameters.q))
        )
        for cubes, held in zip(thrown[:3], inside[:3], strict=True)
    ]
    one, two, three = distributions
    return np.asarray(one[:, None, None] * two[None, :, None] * three[None, None, :])


def _simulated(tower: TowerModel, battle: Battle, battles: int, seed: int, number: int) -> np.ndarray:
    bench, share = bench_of(tower), floor_shares(tower.parameters)
    thrown, inside = _by_colour(battle)
    form = tuple(thrown[colour] + inside[colour] + 1 for colour in (ATTACKER, DEFENDER, PEASANTS))
    seen = np.zeros(int(np.prod(form)), np.int64)
    for first in range(0, battles, _CHUNK):
        casts = min(_CHUNK, battles - first)
        stream = {"seed": seed, "number": number, "first": first}
        fallen = bench.repeat(thrown, inside, casts, **stream, share=share)
        places = np.ravel_multi_index((fallen[:, ATTACKER], fallen[:, DEFENDER], fallen[:, PEASANTS]), form)
        seen += np.bincount(places, minlength=len(seen))
    return seen.reshape(form) / battles


def _by_colour(battle: Battle) -> tuple[list[int], list[int]]:
    # Colours are interchangeable, so the others' cubes go to any of the three remaining colours.
    thrown, inside = ([0] * COLOURS for _ in range(2))
    for cubes, given in ((thrown, battle.thrown()), (inside, battle.tower)):
        cubes[ATTACKER], cubes[DEFENDER], cubes[PEASANTS] = given.attacker, given.defender, given.peasants
    to_throw, to_lie = battle.thrown().others, battle.tower.others
    for colour in range(DEFENDER + 1, PEASANTS):
        thrown[colour] = min(to_throw, ARMIES_PER_PLAYER)
        inside[colour] = min(to_lie, ARMIES_PER_PLAYER - thrown[colour])
        to_throw -= thrown[colour]
        to_lie -= inside[colour]
    return thrown, inside


def _odds(battle: Battle, chances: np.ndarray, battles: int | None) -> BattleOdds:
    """The odds from the distribution of cubes in the tray, exact or simulated, [attackers, defenders, peasants]."""
    decided = battle.decide(*np.indices(chances.shape))
    win, tie, lose = (float(chances[happens].sum()) for happens in decided[:3])
    attackers, defenders = (float((chances * left).sum()) for left in decided[3:])
    odds = BattleOdds(
        win=win,
        tie=tie,
        lose=lose,
        attackers_if_won=attackers / win if win > 0 else None,
        defenders_if_held=defenders / lose if lose > 0 else None,
        attackers_left=attackers,
        defenders_left=defenders,
        battles=battles,
    )
    if battles is None:
        return odds
    confidence = Confidence()
    intervals = {name: wilson(getattr(odds, name), battles, confidence.z) for name in CHANCES}
    shares = (win, lose, 1.0, 1.0)
    for name, share, left in zip(MEANS, shares, decided[3:] * 2, strict=True):
        cases, mean = round(share * battles), getattr(odds, name)
        if cases >= confidence.min_blocks:
            variance = float((chances * left**2).sum()) / share - mean * mean
            if variance > _ALL_EQUAL:
                deviation = sqrt(variance * cases / (cases - 1))
                intervals[name] = mean_interval(mean, deviation, cases, confidence)
    return replace(odds, intervals=intervals)
