"""The tower: which outcomes do nine dice towers change, and which conclusions are robust to them?

    .venv/bin/python -m analyses.tower results/tower docs/studies/tower.png --into docs/studies/tower.md

Method. A block is a game number: it has the same seed, so the same cards, events and openings, under every tower and
in every arrangement of seats. Under each of nine towers, with line-ups and in the draft, are played (1) tables of four
alike, from weak to two lines of strong play, `balanced` as in the experiment of `tower.toml` among them; (2) for two
pairs of policies the six ways to give two seats to each, so that each policy has every seat equally often. A cell is a
play, or a pair, under a tower and a set-up; where only a tower is named, the outcome is that of `balanced`, or of the
pair, with line-ups. Estimates are means or ratios over blocks, with Student's t intervals from the spread of the
blocks, and differences between towers are paired by block. All intervals, of all outcomes, cells and pairs of towers,
hold simultaneously with 95 % (Bonferroni). Attacks of the first games are recast with one defender more. CLAIMS were
written down before a game of this seed was played, but after pilots with other seeds, of which those of the recasts
saw all nine towers. A claim about tables of four is robust if its intervals say so in every cell; one about a pair
covers only these two policies. Runs lie in folders PLAY/TOWER/SETUP below the one named and are not played again
if they are there, and an interrupted study resumes. All tables are printed; pages receive what changes and the
verdicts.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from matplotlib.figure import Figure

from analyses import driver
from wallsim.analysis.battle.defence import battles_by_size, gain_as_met, usual_mix
from wallsim.analysis.battle.recast import recast
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, Play, plays_in_words, unjudged, usual_plays
from wallsim.analysis.claims.verdicts import Claim, Verdict, judge
from wallsim.analysis.seating.pairs import seatings, versus
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.figures.studies import outcomes_by_tower
from wallsim.report.tables.estimates import NOTHING, ends, in_words
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values, largest_difference
from wallsim.stats.intervals import LEVEL, Confidence

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BASELINE = "spielbyweb"
PAIRS = {"fighting": ("conqueror", "builder"), "watchful": ("balanced", "heedless")}
PAIR_WINS = {pair: f"{one} against {other}" for pair, (one, other) in PAIRS.items()}
PAIR_POINTS = {"watchful": "balanced above heedless"}
MARKS = ("tower figures",)
OTHERS = 5  # other plays get 1/OTHERS of the blocks of middling play
RECAST, MIN_RECAST = 25, 300  # attacks are recast in 1/RECAST of the blocks, at least MIN_RECAST for an interval


class Outcome(NamedTuple):
    """An outcome: its unit, the number of decimals shown, and its exact meaning."""

    unit: str
    decimals: int
    meaning: str

    @property
    def top(self) -> float | None:
        """The maximum: 100 for a share in per cent, otherwise None."""
        return 100.0 if self.unit.startswith("% of ") else None


PLAYERS_WON, RECAST_GAIN = "success against players", "one more defender, recast"
OUTCOMES = {
    "attacks on players": Outcome("per game", 2, "attacks on players' counties, all seats"),
    PLAYERS_WON: Outcome("% of attacks", 2, "attacks on players that took the county"),
    "success against neutrals": Outcome("% of attacks", 2, "attacks on neutral counties that took the county"),
    "counties changing hands": Outcome("per game", 2, "counties that seats lost, to attackers, by ties and in revolts"),
    "first above last": Outcome("VP", 2, "victory points of the first seat above the last"),
    "line-up A": Outcome("% of wins", 2, "wins of the seat with line-up A; the fair share is 25"),
    RECAST_GAIN: Outcome("% points", 2, "how much more often an attacked county holds with one more defender"),
    "one more defender, as met": Outcome(
        "% points", 2, "held more often where one more defended; 3-8 attackers, same mix"
    ),
    PAIR_WINS["watchful"]: Outcome(
        "% of wins", 2, "wins of the two `balanced` against two `heedless`; alike would be 50"
    ),
    PAIR_POINTS["watchful"]: Outcome("VP", 2, "points of a `balanced` seat above a `heedless` one at that table"),
    PAIR_WINS["fighting"]: Outcome(
        "% of wins", 2, "wins of the two `conqueror` against two `builder`; alike would be 50"
    ),
}
CLAIMS = (
    Claim("An attack on a player succeeds more often than not.", PLAYERS_WON, 50),
    Claim("The four seats lose more than eight counties in a game.", "counties changing hands", 8),
    Claim("More than ten points lie between first and last.", "first above last", 10),
    Claim("Line-up A wins more than its fair share.", "line-up A", 25),
    Claim("One more defender holds the county in over 5 more of 100 attacks.", RECAST_GAIN, 5),
    Claim("Who minds danger wins more than who does not.", "balanced against heedless", 50),
    Claim("Who minds danger scores more than who does not.", "balanced above heedless", 0),
    Claim("The fighting policy wins more than the building policy.", "conqueror against builder", 50),
)
ARM_PAIRS = tuple(combinations(TOWERS, 2))
Estimates = dict[str, dict[Cell, Estimate]]  # by outcome, then by cell


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this study."""
    parser.add_argument("--games", type=driver.count, help="blocks instead of the experiment's games")
    driver.add_plays(parser)


def answer(args: Namespace) -> driver.Answer:
    """Play the missing games, and make the tables."""
    plays = driver.plays_of(args)
    hashed = digest(args.games, plays)  # raises for an unknown policy before anything is played
    found = study(args.folder, args.games, plays)
    first, *rest = (
        games_played(found, plays),
        moves_table(found),
        verdicts_table(found, plays),
        robust_words(found, plays),
    )
    text = "\n\n".join([first, outcome_tables(found), cell_tables(found), *rest])
    return driver.Answer(hashed, dict.fromkeys(MARKS, "\n\n".join([first, *rest])), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, add_arguments, answer)


def alike(games: int | None = None, plays: Sequence[Play] = usual_plays()) -> dict[Cell, Experiment]:
    """The experiment of every table of four equal policies. InputError for an unknown policy.

    The middling play has all blocks and records its battles, the others have fewer.
    """
    count = games or load_experiment(EXPERIMENT).games
    found = {}
    for play in plays:
        whole = play.strength == MIDDLING
        keys = {"policies": play.policy, "games": count if whole else -(-count // OTHERS), "battles": whole}
        for setup in SETUPS:
            for tower in TOWERS:
                found[Cell(play.name, tower, setup)] = load_experiment(EXPERIMENT, {**keys, **_place(tower, setup)})
    return found


def head_to_head(games: int | None = None) -> dict[Cell, dict[str, Experiment]]:
    """The experiments of the tables of two policies: by pair, tower and set-up, then by the first's seats."""
    count = games or load_experiment(EXPERIMENT).games
    found: dict[Cell, dict[str, Experiment]] = {}
    for pair, (one, other) in PAIRS.items():
        for setup in SETUPS:
            for tower in TOWERS:
                here = found.setdefault(Cell(pair, tower, setup), {})
                for policies in seatings(one, other):
                    seats = "".join(str(seat) for seat, policy in enumerate(policies) if policy == one)
                    keys = {"policies": list(policies), "games": count, "battles": False, **_place(tower, setup)}
                    here[seats] = load_experiment(EXPERIMENT, keys)
    return found


def _place(tower: str, setup: str) -> dict[str, Any]:
    return {"tower": tower, "setup": setup, **({"lineups": []} if setup == "draft" else {})}


def recasts(experiment: Experiment) -> int:
    """The number of games whose attacks are recast."""
    return min(experiment.games, max(MIN_RECAST, experiment.games // RECAST))


def digest(games: int | None = None, plays: Sequence[Play] = usual_plays()) -> str:
    """The hash of everything that decides the results: every run's experiment and the plays."""
    tables = {"/".join(cell): [each.hash(with_games=True), recasts(each)] for cell, each in alike(games, plays).items()}
    pairs = {f"{'/'.join(cell)}/{seats}": each.hash(with_games=True) for cell, by_seats in head_to_head(games).items()
           for seats, each in by_seats.items()}  # fmt: skip
    return identity_hash({"tables": tables, "meetings": pairs, "plays": [list(play) for play in plays]})


def study(folder: str | Path, games: int | None = None, plays: Sequence[Play] = usual_plays()) -> Estimates:
    """Play the missing runs in a folder and estimate every outcome in every cell."""
    found: Estimates = {outcome: {} for outcome in OUTCOMES}
    sizes = {}
    for cell, experiment in alike(games, plays).items():
        run = play_run(experiment, _folder(folder, cell) / "alike")
        for outcome, estimate in of_table(run).items():
            found[outcome][cell] = estimate
        if experiment.battles:
            sizes[cell] = battles_by_size(run)
        found[RECAST_GAIN][cell] = recast(experiment, recasts(experiment)).gain() * 100
    for cell, experiments in head_to_head(games).items():
        runs = [play_run(each, _folder(folder, cell) / seats) for seats, each in experiments.items()]
        wins, points = versus(runs, PAIRS[cell.play][0])
        found[PAIR_WINS[cell.play]][cell] = wins * 100
        if cell.play in PAIR_POINTS:
            found[PAIR_POINTS[cell.play]][cell] = points
    mix = usual_mix([fought for cell, (fought, _) in sizes.items() if cell.setup == "lineup"])
    found["one more defender, as met"] = {cell: gain_as_met(*size, mix) * 100 for cell, size in sizes.items()}
    return found


def _folder(folder: str | Path, cell: Cell) -> Path:
    return Path(folder) / cell.play.replace(" ", "-") / cell.tower / cell.setup


def of_table(run: Run) -> dict[str, Estimate]:
    """The outcomes of a run of four equal policies; without those of line-ups in a draft."""
    letter_a = pl.col("lineup").cast(pl.String).fill_null("") == "A"
    games = block_values(
        run.scan("seats"),
        run.manifest["games"],
        attacks=pl.col("attacks").sum(),
        won=pl.col("attacks_won").sum(),
        on_players=pl.col("attacks_on_players").sum(),
        won_from_players=pl.col("attacks_on_players_won").sum(),
        lost=pl.col("times_attacked_lost").sum() + pl.col("revolts_lost").sum(),
        spread=pl.col("vp").max() - pl.col("vp").min(),
        line_up_a=pl.col("win").filter(letter_a).sum(),
    )
    on_neutrals, won_neutrals = games["attacks"] - games["on_players"], games["won"] - games["won_from_players"]
    found = {
        "attacks on players": block_mean(games["on_players"]),
        PLAYERS_WON: block_ratio(games["won_from_players"], games["on_players"]) * 100,
        "success against neutrals": block_ratio(won_neutrals, on_neutrals) * 100,
        "counties changing hands": block_mean(games["lost"]),
        "first above last": block_mean(games["spread"]),
    }
    if run.manifest["experiment"]["identity"]["setup"] == "lineup":
        found["line-up A"] = block_mean(games["line_up_a"]) * 100
    return found


def of_pair(outcome: str) -> str:
    """The pair of policies of an outcome; empty for an outcome of four equal policies."""
    return next((pair for pair in PAIRS if outcome in (PAIR_WINS[pair], PAIR_POINTS.get(pair))), "")


def by_tower(found: Estimates, outcome: str, setup: str = "lineup") -> dict[str, Estimate]:
    """An outcome by tower, for middling play or for its pair, under one set-up; empty if it is not known."""
    play = of_pair(outcome) or MIDDLING
    return {tower: found[outcome][cell] for tower in TOWERS if (cell := Cell(play, tower, setup)) in found[outcome]}


def confidence(found: Estimates) -> Confidence:
    """The confidence of all intervals: all outcomes in all cells, and their differences by tower and set-up."""
    differences = len(OUTCOMES) * (len(ARM_PAIRS) + 1)
    return Confidence(LEVEL, sum(len(arms) for arms in found.values()) + differences)


def games_played(found: Estimates, plays: Sequence[Play]) -> str:
    """What was played, and what the intervals mean."""
    played = {cell: arm.blocks for cell, arm in found["counties changing hands"].items()}
    recasts_of = {cell: arm.blocks for cell, arm in found[RECAST_GAIN].items()}
    base = Cell(MIDDLING, BASELINE, "lineup")
    other = next(cell for cell in played if cell.play != MIDDLING)
    pairs = sum(len(seatings(*pair)) for pair in PAIRS.values())
    games = sum(played.values()) + pairs * played[base] * len(TOWERS) * len(SETUPS)
    sure, fewest = confidence(found), min(recasts_of.values())
    few = f" {sure.too_few(fewest, 'blocks in every cell')}" if fewest < sure.min_blocks else ""
    return (
        f"{played[base]:,} blocks under each of {len(TOWERS)} towers, with line-ups and in the draft, of middling play "
        f"and of both pairs ({1 + pairs} games per block), {played[other]:,} of the other plays: {games:,} games; "
        f"engine version {ENGINE_VERSION}. Plays: {plays_in_words(plays)}. Attacks of the first {recasts_of[base]:,} "
        f"blocks were recast, of the other plays {recasts_of[other]:,}. The ± are half-widths of intervals that hold "
        f"for all outcomes, cells and pairs of towers simultaneously with {LEVEL:.0%}.{few}"
    )


def outcome_tables(found: Estimates) -> str:
    """Every outcome's table, as Markdown."""
    return "\n\n".join(outcome_table(found, outcome) for outcome in OUTCOMES)


def outcome_table(found: Estimates, outcome: str) -> str:
    """One row per tower, and one for the draft under the baseline: n, the estimate, its difference to the baseline.

    As Markdown, below a line of what it is.
    """
    unit, decimals, meaning = OUTCOMES[outcome]
    top, sure, arms = OUTCOMES[outcome].top, confidence(found), by_tower(found, outcome)
    named = {f"`{tower}`": arm for tower, arm in arms.items()}
    drafted = by_tower(found, outcome, "draft")
    if BASELINE in drafted:
        named[f"`{BASELINE}`, draft"] = drafted[BASELINE]
    rows = []
    for name, arm in named.items():
        gap = arm - arms[BASELINE]
        minus = "baseline" if arm is arms[BASELINE] else in_words(gap.value, gap.interval(sure), decimals, "+")
        rows.append((name, f"{arm.blocks:,}", in_words(arm.value, arm.interval(sure), decimals, top=top), minus))
    table = markdown_table(("tower", "blocks", outcome, f"minus `{BASELINE}`"), rows)
    return f"**{outcome}**, {unit}: {meaning}\n\n{table}"


def cell_tables(found: Estimates) -> str:
    """The tables of tower by play, for each claimed outcome of four equal policies and each set-up."""
    sure, claimed = confidence(found), dict.fromkeys(claim.outcome for claim in CLAIMS)
    parts = []
    for outcome in claimed:
        for setup in SETUPS:
            arms = {cell: arm for cell, arm in found[outcome].items() if cell.setup == setup}
            if arms and not of_pair(outcome):
                unit, decimals, _ = OUTCOMES[outcome]
                top = OUTCOMES[outcome].top
                parts.append(tower_by_play(arms, sure, f"{outcome}, {unit}, {setup}", decimals, top))
    return "\n\n".join(parts)


def moves_table(found: Estimates) -> str:
    """One row per outcome: the range over towers and over all cells, the largest move by calibration and by model."""
    sure, rows = confidence(found), []
    for outcome, measured in OUTCOMES.items():
        (unit, decimals, _), top = measured, measured.top
        arms = by_tower(found, outcome)
        moves = [_move(arms, part, decimals, sure) for part in (0, 1)]  # the part of TOWERS that stays the same
        whole = f"{_span(found[outcome].values(), decimals, top)} ({len(found[outcome])} cells)"
        rows.append((f"{outcome}, {unit}", _span(arms.values(), decimals, top), whole, moves[1], moves[0]))
    heads = ("outcome", "over all towers", "over all cells", "another calibration, same model",
             "another model, same calibration")  # fmt: skip
    return markdown_table(heads, rows)


def verdicts(found: Estimates, plays: Sequence[Play]) -> list[Verdict]:
    """Every claim judged in every cell; a claim about a pair covers only its two policies."""
    sure = confidence(found)
    judged = []
    for claim in CLAIMS:
        pair = of_pair(claim.outcome)
        limit = f"of `{'` and `'.join(PAIRS[pair])}` alone" if pair else unjudged(plays)
        judged.append(judge(claim, found[claim.outcome], sure, limit))
    return judged


def verdicts_table(found: Estimates, plays: Sequence[Play]) -> str:
    """Every claim with its verdict, as Markdown."""
    shares = [outcome for outcome, measured in OUTCOMES.items() if measured.top]
    return verdict_table(verdicts(found, plays), found, confidence(found), shares=shares)


def robust_words(found: Estimates, plays: Sequence[Play]) -> str:
    """How many claims about tables of four are robust, and in how many cells those about a pair hold, in sentences."""
    judged = verdicts(found, plays)
    alone = [verdict for verdict in judged if of_pair(verdict.claim.outcome)]
    four = [verdict for verdict in judged if verdict not in alone]
    robust = [verdict.claim.words for verdict in four if verdict.robust]
    which = f": {' '.join(robust)}" if robust else "."
    pairs = "; ".join(
        f"*{verdict.claim.words.rstrip('.')}* in {len(verdict.where('holds'))} of {len(verdict.sides)}"
        for verdict in alone
    )
    return f"{len(robust)} of the {len(four)} claims about tables of four are robust{which} Of pairs, cells: {pairs}."


def picture(found: Estimates) -> Figure:
    """One panel per outcome with the nine towers."""
    blocks = found["counties changing hands"][Cell(MIDDLING, BASELINE, "lineup")].blocks
    title = f"Middling play and pairs with line-ups, {blocks:,} blocks per tower; all intervals hold simultaneously"
    return outcomes_by_tower(frame(found), BASELINE, {claim.outcome: claim.above for claim in CLAIMS}, title)


def frame(found: Estimates) -> pl.DataFrame:
    """All outcomes by tower, a row each, with intervals, and with the range over the plays and set-ups of the tower."""
    sure, rows = confidence(found), []
    for outcome in OUTCOMES:
        for tower, arm in by_tower(found, outcome).items():
            interval = arm.interval(sure) or (None, None)
            here = [
                each.value for cell, each in found[outcome].items() if cell.tower == tower and not isnan(each.value)
            ]
            span = (min(here), max(here)) if here else (None, None)
            unit = OUTCOMES[outcome].unit
            rows.append((outcome, unit, tower, *TOWERS[tower], arm.blocks, arm.value, *interval, *span))
    words = dict.fromkeys(("outcome", "unit", "tower", "calibration", "model"), pl.String)
    numbers = dict.fromkeys(("value", "low", "high", "lowest", "highest"), pl.Float64)
    return pl.DataFrame(rows, schema={**words, "blocks": pl.Int64, **numbers}, orient="row")


def _span(arms: Iterable[Estimate], decimals: int, top: float | None) -> str:
    values = [arm.value for arm in arms if not isnan(arm.value)]
    return ends((min(values), max(values)), decimals, top=top) if values else NOTHING


def _move(arms: Mapping[str, Estimate], same: int, decimals: int, sure: Confidence) -> str:
    pairs = [(one, other) for one, other in ARM_PAIRS if TOWERS[one][same] == TOWERS[other][same]]
    furthest = largest_difference(arms, pairs)
    if furthest is None:
        return NOTHING
    (high, low), gap = furthest
    return f"{in_words(gap.value, gap.interval(sure), decimals)} (`{high}` above `{low}`)"


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
