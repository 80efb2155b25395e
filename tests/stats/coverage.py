"""How often simultaneous intervals hold in small studies, drawn from a large played one whose means are the truth.

    python -m tests.stats.coverage FOLDER

plays the large studies into FOLDER once (some three minutes of two cores), draws small ones from their blocks and
prints the table of docs/studies/coverage.md. The blocks of a large study are the whole population here: a small study
draws from them with replacement, so the truth is their ratio exactly and has no error of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl

from wallsim.analysis.behaviour.measures import WINS
from wallsim.analysis.behaviour.tables import BehaviourMeasurement, alone_among, among_copies
from wallsim.analysis.tournament.ratings import rate
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import load_policy
from wallsim.stats.bootstrap import block_weights, simultaneous_half_widths
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.rankings import head_to_head, rankings

POLICIES = ("balanced", "balanced-noise-02", "balanced-noise-08", "balanced-noise-32", "builder", "random")
BLOCKS = 4800  # of the tournament; of 60 games each
NUMBERS = 8000  # game numbers of the table of behaviour; each is played in 26 tables
SIZES = (24, 48, 96)
STUDIES = 2000  # that are drawn of each family and size
BY_BOOTSTRAP = 400  # of which the bootstrap is asked
LADDERS = 250  # that are rated of each size
RESAMPLES = 400
OF_SEATS = ("win", "vp", "vp_year1", "counties", "palaces", "churches", "trading_posts", "attacks_on_players")
NORMAL, STUDENT, BOOTSTRAP = "normal", "Student's t", "bootstrap, largest deviation"
SKEW = 1.0  # a ratio whose blocks are skewer than that depends on rare events
_NOTHING = 1e-12
RAREST = "no bid"  # comes up in too few blocks for any of these intervals, see the limits on the page
_MIXED = 3  # the seed by which measures of behaviour are put into an order


@dataclass(frozen=True)
class Family:
    """Ratios whose intervals shall hold simultaneously: totals and cases by block, float64 [blocks, ratios]."""

    name: str
    totals: np.ndarray
    cases: np.ndarray

    @property
    def truth(self) -> np.ndarray:
        """The ratios over all blocks."""
        return np.asarray(self.totals.sum(axis=0) / self.cases.sum(axis=0))

    def without_rare_events(self) -> Family:
        """Only the ratios whose blocks are not skew."""
        bent = self.totals - self.truth * self.cases
        skew = np.abs((bent**3).mean(axis=0)) / np.maximum((bent**2).mean(axis=0), _NOTHING) ** 1.5
        return Family(f"{self.name}, no rare events", self.totals[:, skew < SKEW], self.cases[:, skew < SKEW])


def of_tournament(folder: Path, blocks: int = BLOCKS) -> pl.DataFrame:
    """The rows of the large tournament, played into `folder` unless it is there."""
    played = play_tournament(Tournament(POLICIES, Experiment(players=3, seed=77), blocks), folder)
    return played.scan().collect()


def of_behaviour(file: Path, numbers: int = NUMBERS) -> tuple[np.ndarray, np.ndarray]:
    """Totals and cases of all measures of six policies in two tables each, [numbers, ratios]; stored in `file`."""
    if not file.exists():
        watch = BehaviourMeasurement(Setting(Experiment(seed=78)), numbers, 78)
        host, totals, cases = load_policy(POLICIES[0]), [], []
        for policy in map(load_policy, POLICIES):
            for tables in (among_copies(policy, 4), alone_among(policy, host, 4)):
                if policy == host and len(tables) > 1:
                    continue
                for measure, parts in watch.sums(tables).items():
                    if measure == RAREST:
                        continue
                    if measure != WINS or len(tables) > 1:  # among its like the fair share by definition
                        totals.append(parts[0])
                        cases.append(parts[1])
        np.savez(file, totals=np.array(totals).T, cases=np.array(cases).T)
    with np.load(file) as stored:
        return stored["totals"], stored["cases"]


def families_of_tournament(rows: pl.DataFrame) -> Iterator[Family]:
    """Families of 1, 12 and 63 intervals over blocks of 60 games."""
    names = sorted(POLICIES)
    by_block = rows.group_by("block", pl.col("policy").cast(pl.String)).agg(
        pl.col(name).cast(pl.Float64).sum() for name in OF_SEATS
    )
    by_block = by_block.sort("block", "policy")
    blocks = by_block["block"].n_unique()
    sums = np.stack([by_block[name].to_numpy().reshape(blocks, len(names)) for name in OF_SEATS], axis=2)
    seats = float(rows.height / blocks / len(names))
    one, other = (names.index(name) for name in POLICIES[:2])

    def means(name: str, values: np.ndarray) -> Family:
        return Family(name, values, np.full(values.shape, seats))

    yield means("VP of one policy minus another's", sums[:, [one], 1] - sums[:, [other], 1])
    yield means("wins and VP of six policies", sums[:, :, :2].reshape(blocks, -1))
    met = head_to_head(rankings(rows))
    first, second = np.triu_indices(len(names), 1)
    every = means("", sums.reshape(blocks, -1))
    yield Family(
        "eight results of six policies, and their pairs",
        np.hstack([every.totals, met.before[:, first, second]]),
        np.hstack([every.cases, met.cases[:, first, second]]),
    )


def families_of_behaviour(totals: np.ndarray, cases: np.ndarray, sizes: tuple[int, ...]) -> Iterator[Family]:
    """Families of measures over blocks of 1 to 4 games, the same smaller ones in the larger."""
    order = np.random.default_rng(_MIXED).permutation(np.flatnonzero(cases.sum(axis=0) > 0))
    for count in sizes:
        yield Family("measures of behaviour", totals[:, order[:count]], cases[:, order[:count]])


def held(family: Family, blocks: int, studies: int, rng: np.random.Generator) -> dict[str, float]:
    """The share of small studies in which all normal, and all Student's t intervals of a family hold.

    Ratios that do not differ between the blocks of a study have no interval, and so none that could fail.
    """
    confidence = Confidence(n_comparisons=len(family.truth))
    reach = {NORMAL: confidence.z, STUDENT: confidence.t(blocks)}
    hits = dict.fromkeys(reach, 0)
    for _ in range(studies):
        drawn = rng.integers(0, len(family.totals), blocks)
        value, error = _ratios(family.totals[drawn], family.cases[drawn])
        apart = np.where(error > _NOTHING, np.abs(value - family.truth) / np.maximum(error, _NOTHING), 0.0)
        worst = np.nanmax(apart)
        for name, quantile in reach.items():
            hits[name] += bool(worst <= quantile)
    return {name: count / studies for name, count in hits.items()}


def held_by_bootstrap(family: Family, blocks: int, studies: int, rng: np.random.Generator) -> float:
    """The share in which those of the bootstrap's largest deviation do (`simultaneous_half_widths`)."""
    hits = 0
    for number in range(studies):
        drawn = rng.integers(0, len(family.totals), blocks)
        totals, cases = family.totals[drawn], family.cases[drawn]
        weights = np.concatenate([*block_weights(blocks, RESAMPLES, number)])
        with np.errstate(invalid="ignore", divide="ignore"):
            samples, value = (weights @ totals) / (weights @ cases), totals.sum(axis=0) / cases.sum(axis=0)
        known = np.isfinite(samples).all(axis=0)
        reach = simultaneous_half_widths(samples[:, known], value[known], LEVEL, blocks)
        apart = np.abs(value - family.truth)[known]
        hits += bool((apart <= np.where(reach > 0, reach, np.inf)).all())
    return hits / studies


def held_ladders(rows: pl.DataFrame, blocks: int, studies: int, rng: np.random.Generator) -> float:
    """The share in which the intervals of all strengths hold, each small study rated for itself."""
    named = rows.with_columns(pl.col("policy").cast(pl.String))
    truth = rate(named, resamples=2)
    expected = dict(zip(truth.policies, truth.strengths, strict=True))
    by_block = named.sort("block", maintain_order=True).partition_by("block")
    games, hits = by_block[0]["game"].n_unique(), 0
    for _ in range(studies):
        drawn = rng.integers(0, len(by_block), blocks)
        again = pl.concat(
            by_block[block].with_columns(
                block=pl.lit(place), game=pl.col("game") - pl.col("game").min() + place * games
            )
            for place, block in enumerate(drawn)
        )
        result = rate(again, resamples=RESAMPLES)
        reach = simultaneous_half_widths(
            result.samples, result.strengths, LEVEL, blocks
        )  # whether or not so few blocks have any
        apart = np.abs(result.strengths - np.array([expected[name] for name in result.policies]))
        hits += bool((apart <= reach).all())
    return hits / studies


def error(share: float, studies: int) -> float:
    """The standard error of a share of studies."""
    return sqrt(max(share * (1 - share), 0.25 / studies) / studies)


def _ratios(totals: np.ndarray, cases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # As `blocks.block_ratio` and `Estimate.error`, for many ratios at once; nan without cases.
    blocks = len(totals)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = totals.sum(axis=0) / cases.sum(axis=0)
        residual = (totals - value * cases) / cases.mean(axis=0)
        return value, np.sqrt((residual**2).sum(axis=0) / (blocks * (blocks - 1)))


def main(folder: Path) -> None:
    """Play what is missing and print the table, a row a family and number of blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = of_tournament(folder / "tournament")
    families = [*families_of_tournament(rows)]
    families += families_of_behaviour(*of_behaviour(folder / "behaviour.npz"), (12, 66, 349))
    families += [families[2].without_rare_events(), families[-1].without_rare_events()]
    rng = np.random.default_rng(1)

    def cell(share: float, studies: int) -> str:
        return f"{100 * share:.1f} ± {100 * error(share, studies):.1f}"

    print(f"| intervals | of | blocks | {NORMAL} | {STUDENT} | {BOOTSTRAP} |\n|---|---|---|---|---|---|")
    for family in families:
        count = len(family.truth)
        fewest = Confidence(n_comparisons=count).min_blocks
        for blocks in sorted({*SIZES, fewest}):
            result = held(family, blocks, STUDIES, rng)
            drawn = held_by_bootstrap(family, blocks, BY_BOOTSTRAP, rng)
            mark = " (the least)" if blocks == fewest else ""
            cells = [cell(result[NORMAL], STUDIES), cell(result[STUDENT], STUDIES), cell(drawn, BY_BOOTSTRAP)]
            print(f"| {count} | {family.name} | {blocks}{mark} | {' | '.join(cells)} |", flush=True)
    fewest = Confidence(n_comparisons=len(POLICIES)).min_blocks
    for blocks in sorted({*SIZES, fewest}):
        share = held_ladders(rows, blocks, LADDERS, rng)
        mark = " (the least)" if blocks == fewest else ""
        print(
            f"| {len(POLICIES)} | strengths of a ladder | {blocks}{mark} | – | – | {cell(share, LADDERS)} |", flush=True
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
