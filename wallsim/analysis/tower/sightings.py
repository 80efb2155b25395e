"""How likely each preset makes what people saw of a tower: `python -m wallsim.analysis.tower.sightings`.

The rule by which they would choose a preset is in `data/tower/sightings.csv`. Chances of fills are exact where
`first_fill` is; the others are simulated and have a 95 % interval of Wilson.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
from scipy.stats import binom, hypergeom

from wallsim.analysis.battle.odds import floor_shares
from wallsim.analysis.tower.contents import FILLS, first_fill, has_exact_fill
from wallsim.engine.casting import CastingBench
from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment
from wallsim.markdown import markdown_table
from wallsim.rules.files import data_folder
from wallsim.rules.terms import COLOURS
from wallsim.rules.tower import Independent, TowerModel, TowerParameters, load_tower, tower_presets
from wallsim.stats.intervals import wilson

Chance = tuple[float, float, float]  # and the ends of its interval
SEED, Z = 5210, 1.96
THROWS, AMERIGO = 35, 7  # Amerigo has seven cubes of each of seven colours
BENCHES, OF_A_COLOUR = 400, 8  # simulated as eight of each of the six colours that a bench has
FIRST_FIGHT = np.array([[7, 7, 7, 7, 0, 10], [9, 0, 0, 0, 0, 0]])  # a fill of four players, then nine armies
OWN, WIDER = ("inferred", "anecdote"), ("related", "program", "illustration")  # kinds; those of OWN decide
SUMS = {"decides": (OWN, True), "anecdotes as one game": (OWN, False), "inferred": (OWN[:1], True),
        **{f"and {WIDER[at]}": ((*OWN, *WIDER[: at + 1]), True) for at in range(len(WIDER))}}  # fmt: skip


def sightings() -> pl.DataFrame:
    """The table of sightings, one per row: name, kind, games, what, source."""
    return pl.read_csv(data_folder("tower") / "sightings.csv", comment_prefix="#")


def chances(tower: TowerModel, *, games: int = 2_000, policy: str = "casual-5p") -> dict[str, Chance]:
    """The chance of each sighting under a tower, by name, as if it was looked for in one game alone.

    `seven` is that any of five seats has seven cubes inside at the end, each playing `policy` in the first edition.
    """
    bench, trials = CastingBench(tower), 0 if has_exact_fill(tower) else FILLS
    three, four, five = (first_fill(tower, players, seed=SEED)["chance"].to_numpy() for players in (3, 4, 5))
    nine = bench.throw(np.tile(FIRST_FIGHT, (FILLS, 1)), np.arange(2 * FILLS) % 2 == 0, seed=SEED)[1::2, 0] <= 2
    amerigo, benches = exact_chance_of_amerigo(tower.parameters), 0
    if amerigo is None:
        contents, benches = contents_of_amerigo(bench, floor_shares(tower.parameters)), BENCHES
        amerigo = float((np.abs(contents - 5) <= 1).mean())
    played = Experiment(players=5, policies=policy, tower=tower.name, edition="1e", seed=SEED).arena().play(0, games)
    inside = played.seats[:, [column.name for column in columns_of("seats")].index("in_tower")]
    seven = inside.reshape(games, 5).max(axis=1) >= 7
    officials = five @ hypergeom.sf(9, 45, np.arange(46), 21)  # every cube of a fill is as likely to fall as any other
    fills = {"officials": officials, "most": five[23:].sum(), "two-thirds": four[25], "seventy": four[27],
             "floors": four[32], "fill": (three[7] + four[7] + five[7]) / 3}  # fmt: skip
    every = {name: (share, trials) for name, share in fills.items()}
    every |= {"seven": (seven.mean(), games), "nine": (nine.mean(), FILLS), "amerigo": (amerigo, benches)}
    ends = {name: wilson(float(share), tried, Z) if tried else (share, share) for name, (share, tried) in every.items()}
    # Sums of exact chances may exceed 1 by rounding.
    return {name: (min(1.0, share), *np.minimum(1.0, ends[name])) for name, (share, _) in every.items()}


def exact_chance_of_amerigo(parameters: TowerParameters) -> float | None:
    """The chance of four to six cubes inside where cubes are independent; None for other towers."""
    if not isinstance(parameters, Independent):
        return None
    inside = np.full(AMERIGO, 1 - parameters.p)  # chances of a cube of each colour, after the fill
    for throw in range(THROWS):
        thrown = np.arange(AMERIGO) == throw % AMERIGO
        inside = inside * (1 - parameters.q) + thrown * (1 - inside) * (1 - parameters.p)
    counts = np.ones(1)  # the distribution of the number inside
    for chance in inside:
        counts = np.convolve(counts, binom.pmf(np.arange(AMERIGO + 1), AMERIGO, chance))
    return float(counts[4:7].sum())


def contents_of_amerigo(bench: CastingBench, share: tuple[float, ...], benches: int = BENCHES) -> np.ndarray:
    """The cubes inside after the fill and 35 throws, each of all cubes of one colour that are outside."""
    inside, cubes = np.zeros((benches, COLOURS), np.int64), np.full(COLOURS, OF_A_COLOUR)
    for game, held in enumerate(inside):
        for throw in range(1 + THROWS):
            turn = (np.arange(COLOURS) == throw % COLOURS) | (throw == 0)
            thrown = np.where(turn, cubes - held, 0)
            held += thrown - bench.repeat([*thrown], [*held], 1, seed=SEED, number=game, first=throw, share=share)[0]
    return np.asarray(inside.sum(axis=1))


def log_likelihood(seen: Mapping[str, Chance], kinds: tuple[str, ...], selected: bool = True) -> list[float]:
    """The sum of the log chances of all sightings of some kinds, and the sums of their lower and their upper ends.

    A sighting has the chance that it occurs at least once in its `games`; in one game if not `selected`.
    """
    rows = sightings().filter(pl.col("kind").is_in(kinds)).select("name", "games").rows()
    with np.errstate(divide="ignore"):  # the logarithm of 0 is minus infinity
        times = [np.log1p(-np.array(seen[name])) * (games if selected else 1) for name, games in rows]
        return [float(each) for each in np.log(-np.expm1(times)).sum(axis=0)]


def main() -> None:
    """Print the chances of all sightings in per cent, and the sums of their logarithms with their ends, by preset."""
    found = {name: chances(load_tower(name)) for name in tower_presets()}
    rows = [(f"`{name}`", *(f"{100 * chance:.3g}" for chance, *_ in each.values())) for name, each in found.items()]
    print(markdown_table(("preset", *next(iter(found.values()))), rows), end="\n\n")
    sums = [(f"`{name}`", *(_in_words(each, *what) for what in SUMS.values())) for name, each in found.items()]
    print(markdown_table(("preset", *SUMS), sums))


def _in_words(seen: Mapping[str, Chance], kinds: tuple[str, ...], selected: bool) -> str:
    at, low, high = log_likelihood(seen, kinds, selected)
    none = f"below {high:.1f}" if high > -np.inf else "impossible"
    return f"{at:.1f} ({low:.1f} to {high:.1f})" if at > -np.inf else none


if __name__ == "__main__":
    main()
