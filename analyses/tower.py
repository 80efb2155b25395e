"""The tower: what do nine model and calibration combinations move, and which conclusions outlive them all?

    python analyses/tower.py results/tower docs/tower.png --into README.md

Method. A block is a game number: it has the same seed, so the same cards, events and openings, under every tower and
in every arrangement of seats. Under each of nine towers are played (1) the experiment of `tower.toml`, four seats of
`balanced`; (2) for two pairs of policies the six ways to give two seats to each, so that each policy has every
line-up equally often. Estimates are means or ratios over blocks, their errors come from the spread of the blocks, and
differences between towers are paired by block. The intervals of all outcomes, towers and pairs of towers hold at once
with 95 % (Bonferroni). Attacks of the first games are cast again with one defender more. CLAIMS were written
down before a game of this seed was played, but after pilots with other seeds, of which those of the recasts saw all
nine towers; a claim is tower-proof if its intervals say so under all nine. Runs lie in folders below the one named and
are not played again if they are there, and an interrupted study goes on. What is found is printed as Markdown; what
moves and the verdicts are put between the marks of the file named by --into.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import combinations
from math import isnan
from pathlib import Path
from typing import NamedTuple

import polars as pl

from wallsim.analysis.blocks import Estimate, block_mean, block_ratio, block_values, largest_difference
from wallsim.analysis.defence import battles_by_size, gain_as_met, usual_mix
from wallsim.analysis.intervals import FEWEST, LEVEL, normal_quantile
from wallsim.analysis.recast import recast
from wallsim.analysis.seatings import seatings, versus
from wallsim.analysis.verdicts import Claim, Verdict, judge
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.marked import put_between_marks
from wallsim.report.study_figures import outcomes_by_tower
from wallsim.report.style import save_picture
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.runs.results import Run

EXPERIMENT = Path(__file__).with_suffix(".toml")
CALIBRATIONS = ("spielbyweb", "mid", "rulebook")
MODELS = {"independent": "", "urn": "-urn", "layered": "-layered"}  # and how their presets' names end
TOWERS = {f"{name}{end}": (name, model) for name in CALIBRATIONS for model, end in MODELS.items()}
BASELINE = "spielbyweb"
PAIRS = {"fighting": ("conqueror", "builder"), "watchful": ("balanced", "heedless")}
MARKS = "tower figures"
RECAST = 50  # of so many games the attacks of one are cast again


class Outcome(NamedTuple):
    """What is measured: its unit, how many decimals are shown, and what it is exactly."""

    unit: str
    decimals: int
    meaning: str


OUTCOMES = {
    "attacks on players": Outcome("a game", 2, "attacks on players' counties, all seats"),
    "success against players": Outcome("% of attacks", 2, "attacks on players that took the county"),
    "success against neutrals": Outcome("% of attacks", 2, "attacks on neutral counties that took the county"),
    "turnover": Outcome("counties a game", 2, "counties that seats lost, to attackers, by ties and in revolts"),
    "spread": Outcome("VP", 2, "victory points of the first seat above the last"),
    "line-up A": Outcome("% of wins", 2, "wins of the seat with line-up A; the fair share is 25"),
    "defender, cast again": Outcome("% points", 2, "holding chance of an attacked county with one more defender"),
    "defender, as met": Outcome("% points", 2, "held more often where one more defended; 3-8 attackers, same mix"),
    "watchful wins": Outcome("% of wins", 2, "wins of the two `balanced` against two `heedless`; alike would be 50"),
    "watchful VP": Outcome("VP", 2, "points of a `balanced` seat above a `heedless` one at that table"),
    "fighting wins": Outcome("% of wins", 2, "wins of the two `conqueror` against two `builder`; alike would be 50"),
}
CLAIMS = (
    Claim("An attack on a player succeeds more often than not.", "success against players", 50),
    Claim("The four seats lose more than eight counties in a game.", "turnover", 8),
    Claim("More than ten points lie between first and last.", "spread", 10),
    Claim("Line-up A wins more than its fair share.", "line-up A", 25),
    Claim("One more defender holds the county in over 5 more of 100 attacks.", "defender, cast again", 5),
    Claim("Who minds danger wins more than who does not.", "watchful wins", 50),
    Claim("Who minds danger scores more than who does not.", "watchful VP", 0),
    Claim("The fighting policy wins more than the building policy.", "fighting wins", 50),
)
ARM_PAIRS = tuple(combinations(TOWERS, 2))
Z = normal_quantile(LEVEL, len(OUTCOMES) * (len(TOWERS) + len(ARM_PAIRS)))
Estimates = dict[str, dict[str, Estimate]]  # by outcome, then by tower


def main() -> None:
    """Play what is missing, print the answer, draw the picture."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("folder", type=Path, help="where the runs lie or shall lie")
    wanted.add_argument("picture", type=Path, help="the PNG to write")
    wanted.add_argument("--games", type=int, help="games a run instead of the experiment's")
    wanted.add_argument("--into", type=Path, help="a file whose marked lines are replaced by the short answer")
    given = wanted.parse_args()
    found = study(given.folder, given.games)
    print("\n\n".join([headline(found), outcome_tables(found), moves_table(found), verdicts_table(found)]))
    save_picture(picture(found), given.picture)
    if given.into:
        answer = "\n\n".join([headline(found), moves_table(found), verdicts_table(found)]) + "\n"
        digest = load_experiment(EXPERIMENT, changes(given.games)).hash()
        try:
            put_between_marks(given.into, MARKS, digest, "analyses/tower.py", answer)
        except ValueError as error:
            raise SystemExit(str(error)) from None


def changes(games: int | None) -> dict[str, int]:
    """What is changed of the experiment for so many games a run; None for its own."""
    return {"games": games} if games else {}


def study(folder: str | Path, games: int | None = None) -> Estimates:
    """Play what is missing below a folder and estimate every outcome under every tower."""
    changed = changes(games)
    found: Estimates = {outcome: {} for outcome in OUTCOMES}
    sizes = {}
    for tower in TOWERS:
        alike = load_experiment(EXPERIMENT, {**changed, "tower": tower})
        run = play_run(alike, Path(folder) / tower / "alike")
        for outcome, estimate in of_table(run).items():
            found[outcome][tower] = estimate
        sizes[tower] = battles_by_size(run)
        again = recast(alike, min(alike.games, max(FEWEST, alike.games // RECAST)))
        found["defender, cast again"][tower] = again.gain() * 100
        for pair, (one, other) in PAIRS.items():
            runs = []
            for policies in seatings(one, other):
                met = {**changed, "tower": tower, "policies": list(policies), "battles": False}
                seats = "".join(str(seat) for seat, policy in enumerate(policies) if policy == one)
                place = Path(folder) / tower / f"{one}_{seats}_{other}"
                runs.append(play_run(load_experiment(EXPERIMENT, met), place))
            wins, points = versus(runs, one)
            found[f"{pair} wins"][tower] = wins * 100
            if f"{pair} VP" in OUTCOMES:
                found[f"{pair} VP"][tower] = points
    mix = usual_mix([fought for fought, _ in sizes.values()])
    found["defender, as met"] = {tower: gain_as_met(*size, mix) * 100 for tower, size in sizes.items()}
    return found


def of_table(run: Run) -> dict[str, Estimate]:
    """The outcomes of the table of four alike, from the tables of its run."""
    games = block_values(
        run.scan("seats"),
        run.manifest["games"],
        attacks=pl.col("attacks").sum(),
        won=pl.col("attacks_won").sum(),
        on_players=pl.col("attacks_on_players").sum(),
        won_from_players=pl.col("attacks_on_players_won").sum(),
        lost=pl.col("times_attacked_lost").sum() + pl.col("revolts_lost").sum(),
        spread=pl.col("vp").max() - pl.col("vp").min(),
        line_up_a=pl.col("win").filter(pl.col("lineup").cast(pl.String) == "A").sum(),
    )
    on_neutrals, won_neutrals = games["attacks"] - games["on_players"], games["won"] - games["won_from_players"]
    return {
        "attacks on players": block_mean(games["on_players"]),
        "success against players": block_ratio(games["won_from_players"], games["on_players"]) * 100,
        "success against neutrals": block_ratio(won_neutrals, on_neutrals) * 100,
        "turnover": block_mean(games["lost"]),
        "spread": block_mean(games["spread"]),
        "line-up A": block_mean(games["line_up_a"]) * 100,
    }


def headline(found: Estimates) -> str:
    """What was played, and what the intervals mean."""
    games = found["turnover"][BASELINE].blocks
    tables = 1 + sum(len(seatings(*pair)) for pair in PAIRS.values())
    again = found["defender, cast again"][BASELINE].blocks
    return (
        f"{games:,} blocks under each of {len(TOWERS)} towers, {tables} games a block: "
        f"{games * tables * len(TOWERS):,} games; engine version {ENGINE_VERSION}. Attacks of the first {again:,} "
        f"blocks were cast again. The ± are half-widths of intervals that hold for all outcomes, towers and pairs of "
        f"towers at once with {LEVEL:.0%} ({Z:.2f} standard errors)."
    )


def outcome_tables(found: Estimates) -> str:
    """Every outcome's table, as Markdown."""
    return "\n\n".join(outcome_table(found, outcome) for outcome in OUTCOMES)


def outcome_table(found: Estimates, outcome: str) -> str:
    """A row a tower: n, the estimate, and its difference to the baseline, as Markdown with a line of what it is."""
    unit, decimals, meaning = OUTCOMES[outcome]
    arms = found[outcome]
    rows = [
        f"| `{tower}` | {arm.blocks:,} | {shown(arm, decimals)} "
        f"| {'baseline' if tower == BASELINE else shown(arm - arms[BASELINE], decimals, '+')} |"
        for tower, arm in arms.items()
    ]
    head = [f"**{outcome}**, {unit}: {meaning}", "", f"| tower | blocks | {outcome} | less `{BASELINE}` |"]
    return "\n".join([*head, "|---|---|---|---|", *rows])


def moves_table(found: Estimates) -> str:
    """An outcome a row: the range over the towers, and the largest move by calibration and by model alone."""
    rows = []
    for outcome, (unit, decimals, _) in OUTCOMES.items():
        arms = found[outcome]
        values = [arm.value for arm in arms.values() if not isnan(arm.value)]
        span = f"{min(values):.{decimals}f} to {max(values):.{decimals}f}" if values else "–"
        cells = [_move(arms, part, decimals) for part in (0, 1)]  # the part of TOWERS that stays the same
        rows.append(f"| {outcome}, {unit} | {span} | {cells[1]} | {cells[0]} |")
    head = "| outcome | over nine towers | another calibration, same model | another model, same calibration |"
    return "\n".join([head, "|---|---|---|---|", *rows])


def verdicts(found: Estimates) -> list[Verdict]:
    """Every claim judged under every tower."""
    return [judge(claim, found[claim.outcome], Z) for claim in CLAIMS]


def verdicts_table(found: Estimates) -> str:
    """Every claim with its verdict, as Markdown."""
    rows = [
        f"| {verdict.claim.words} | {verdict.claim.outcome} > {verdict.claim.above:g} | {len(verdict.holds)} "
        f"| {verdict.in_words('tower')} |"
        for verdict in verdicts(found)
    ]
    return "\n".join(["| claim | measured by | towers where it holds | verdict |", "|---|---|---|---|", *rows])


def picture(found: Estimates):
    """A panel an outcome, the nine towers in it."""
    title = f"{headline(found).split(';')[0]}; all intervals and those of differences hold at once with {LEVEL:.0%}"
    return outcomes_by_tower(frame(found), BASELINE, {claim.outcome: claim.above for claim in CLAIMS}, title)


def frame(found: Estimates) -> pl.DataFrame:
    """All estimates, a row an outcome and tower, with their intervals."""
    rows = []
    for outcome, arms in found.items():
        for tower, arm in arms.items():
            low, high = arm.interval(Z) or (None, None)
            rows.append((outcome, OUTCOMES[outcome].unit, tower, *TOWERS[tower], arm.blocks, arm.value, low, high))
    words = dict.fromkeys(("outcome", "unit", "tower", "calibration", "model"), pl.String)
    numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema={**words, "blocks": pl.Int64, **numbers}, orient="row")


def shown(estimate: Estimate, decimals: int, sign: str = "") -> str:
    """An estimate with half the width of its interval; a dash where there is none."""
    if isnan(estimate.value):
        return "–"
    interval = estimate.interval(Z)
    half = "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:.{decimals}f}"
    return f"{estimate.value:{sign}.{decimals}f}{half}"


def _move(arms: Mapping[str, Estimate], same: int, decimals: int) -> str:
    pairs = [(one, other) for one, other in ARM_PAIRS if TOWERS[one][same] == TOWERS[other][same]]
    furthest = largest_difference(arms, pairs)
    if furthest is None:
        return "–"
    (high, low), gap = furthest
    return f"{shown(gap, decimals)} (`{high}` above `{low}`)"


if __name__ == "__main__":
    main()
