"""What the study `tower` plays and measures: tables of four alike, pairs of policies, and the value of a defender.

That of a defender is measured in played battles by the armies on both sides, and all else equal in attacks recast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from wallsim.analysis.battle.odds import Battle, floor_shares
from wallsim.analysis.claims.cells import MIDDLING, SETUPS, TOWERS, Cell
from wallsim.analysis.tower.simulator import SEEDS_APART
from wallsim.engine.casting import CastingBench
from wallsim.engine.log import Log
from wallsim.engine.log_lines import SCORE, STATE
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.results import Run
from wallsim.play.play import play_run
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values, combined
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import BASELINE_TOWER, PLAYERS, SETTINGS, THREE_TABLES
from wallsim.studies.study import Storage
from wallsim.studies.two_lines import Plays
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import ReplayedTable

EXPERIMENT = Path(__file__).with_name("experiment.toml")
PAIRS = {"fighting": ("conqueror", "builder"), "watchful": ("balanced", "heedless")}
# The seats of the first of a pair: over all of them it has every seat, and so every line-up, equally often.
SEATINGS = tuple(combinations(range(4), 2))
PAIR_WINS = {pair: f"{one} against {other}" for pair, (one, other) in PAIRS.items()}
PAIR_POINTS = {"watchful": "balanced above heedless"}
ATTACKS, PLAYERS_WON, NEUTRALS_WON = "attacks on players", "success against players", "success against neutrals"
CHANGING, LEAD, LINE_UP_A = "counties changing hands", "first above last", "line-up A"
RECAST_GAIN, GAIN_AS_MET = "one more defender, recast", "one more defender, as met"
ALIKE = "alike"  # four equal policies
# The settings, and under all nine towers the tables that exist and the baseline's play.
CELLS = {*SETTINGS, *(cell._replace(tower=tower) for tower in TOWERS
                      for cell in (*THREE_TABLES, Cell(MIDDLING, BASELINE_TOWER, "lineup")))}  # fmt: skip
OTHERS = 4  # other plays get 1/OTHERS of the blocks of middling play
RECAST, MIN_RECAST = 25, 256  # attacks are recast in 1/RECAST of the blocks, at least MIN_RECAST for an interval
ATTACKERS = range(3, 9)  # cubes that the attacker adds: most attacks on players are of these sizes
DEFENDERS = range(1, 4)
CASTS = 20  # per attack and number of defenders; the variance between attacks dominates that between their casts


def identity(design: Plays) -> dict[str, Any]:
    """Everything that decides the results: every run's experiment and the plays."""
    every = {"/".join(cell): each for cell, each in experiments(design).items()}
    tables = {cell: [each[ALIKE], recasts(each[ALIKE])] for cell, each in every.items() if ALIKE in each}
    pairs = {f"{cell}/{seats}": one for cell, each in every.items() for seats, one in each.items() if seats != ALIKE}
    return {"tables": tables, "meetings": pairs, "plays": design.plays}


def experiments(design: Plays) -> dict[Cell, dict[str, Experiment]]:
    """The experiments of every cell: ALIKE that of four equal policies, or by the seats of the first of a pair.

    The middling play has all blocks and records its battles, the others have fewer. Pairs draft under the first tower
    alone. InputError for an unknown policy.
    """
    count, seated = design.blocks or load_experiment(EXPERIMENT).games, []
    for play in design.plays:
        whole = play.strength == MIDDLING
        games = count if whole else -(-count // OTHERS)
        seated.append((play.name, ALIKE, {"policies": play.policy, "games": games, "battles": whole}))
    for (pair, (one, other)), seats in product(PAIRS.items(), SEATINGS):
        policies = [one if seat in seats else other for seat in range(4)]
        seated.append((pair, "".join(map(str, seats)), {"policies": policies, "games": count, "battles": False}))
    result: dict[Cell, dict[str, Experiment]] = {}
    for (name, table, keys), setup, tower in product(seated, SETUPS, TOWERS):
        cell = Cell(name, tower, setup)
        if cell in CELLS if table == ALIKE else BASELINE_TOWER == tower or setup == "lineup":
            place = {"tower": tower, "setup": setup, **({"lineups": []} if setup == "draft" else {})}
            result.setdefault(cell, {})[table] = load_experiment(EXPERIMENT, {**keys, **place})
    return result


def recasts(experiment: Experiment) -> int:
    """The number of games whose attacks are recast."""
    return min(experiment.games, max(MIN_RECAST, experiment.games // RECAST))


def home(outcome: str, tower: str = BASELINE_TOWER, setup: str = "lineup") -> Cell:
    """The cell of middling play, or of an outcome's pair of policies, under a tower."""
    pairs = (pair for pair in PAIRS if outcome in (PAIR_WINS[pair], PAIR_POINTS.get(pair)))
    return Cell(next(pairs, MIDDLING), tower, setup)


def play(design: Plays, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs, and estimate every outcome in every cell.

    With it come its differences between towers, and from line-ups to the draft, if it has one.
    """
    found: dict[str, dict[Cell, Estimate]] = {}
    sizes = {}
    for cell, tables in experiments(design).items():
        folder = storage.folder / cell.play.replace(" ", "-") / cell.tower / cell.setup
        runs = {seats: play_run(each, folder / seats) for seats, each in tables.items()}
        here = of_table(runs[ALIKE]) if ALIKE in tables else of_pair([*runs.values()], cell.play)
        if ALIKE in tables:
            again = recast(tables[ALIKE], recasts(tables[ALIKE]))
            here[RECAST_GAIN] = block_ratio(again["with more"] - again["again"], again["attacks"]) * 100
            if tables[ALIKE].battles:
                sizes[cell] = battles_by_size(runs[ALIKE])
        for outcome, estimate in here.items():
            found.setdefault(outcome, {})[cell] = estimate
    mix = typical_mix([fought for cell, (fought, _) in sizes.items() if cell.setup == "lineup"])
    found[GAIN_AS_MET] = {cell: gain_as_met(*size, mix) * 100 for cell, size in sizes.items()}
    values: dict[Key, Value] = {}
    for outcome, arms in found.items():
        values |= {Key("outcome", outcome, PLAYERS, cell): arm for cell, arm in arms.items()}
        for one, other in combinations(TOWERS, 2):
            key = Key("difference", f"{outcome} {one} less {other}", PLAYERS, Cell(home(outcome).play, "", ""))
            values[key] = arms[home(outcome, one)] - arms[home(outcome, other)]
        if (drafted := home(outcome, setup="draft")) in arms:
            key = Key("draft-less-line-ups", outcome, PLAYERS, drafted._replace(setup=""))
            values[key] = arms[drafted] - arms[home(outcome)]
    return values


def of_table(run: Run) -> dict[str, Estimate]:
    """The outcomes of a run of four equal policies; without those of line-ups in a draft."""
    letter_a = pl.col("lineup").cast(pl.String).fill_null("") == "A"
    names = ("attacks", "attacks_won", "attacks_on_players", "attacks_on_players_won")
    games = block_values(
        run.scan("seats"), run.manifest["games"], **{name: pl.col(name).sum() for name in names},
        lost=pl.col("times_attacked_lost").sum() + pl.col("revolts_lost").sum(),
        spread=pl.col("vp").max() - pl.col("vp").min(), line_up_a=pl.col("win").filter(letter_a).sum(),
    )  # fmt: skip
    attacks, won, on_players, won_from_players = (games[name] for name in names)
    result = {
        ATTACKS: block_mean(on_players),
        PLAYERS_WON: block_ratio(won_from_players, on_players) * 100,
        NEUTRALS_WON: block_ratio(won - won_from_players, attacks - on_players) * 100,
        CHANGING: block_mean(games["lost"]),
        LEAD: block_mean(games["spread"]),
    }
    if run.manifest["experiment"]["identity"]["setup"] == "lineup":
        result[LINE_UP_A] = block_mean(games["line_up_a"]) * 100
    return result


def of_pair(runs: Sequence[Run], pair: str) -> dict[str, Estimate]:
    """The outcomes of the tables of a pair of policies."""
    wins, points = versus(runs, PAIRS[pair][0])
    return {PAIR_WINS[pair]: wins * 100, **({PAIR_POINTS[pair]: points} if pair in PAIR_POINTS else {})}


def versus(runs: Sequence[Run], one: str) -> tuple[Estimate, Estimate]:
    """The results of one policy against the other half of the table, over runs of the same games in other seatings.

    First the total share of wins of the seats of `one`, a win shared by k counting 1/k: one half if the policies are
    equal. Then the mean victory points of a seat of `one` minus those of a seat of the other. A block is a game number.
    """
    side = pl.when(pl.col("policy").cast(pl.String) == one)
    wins, lead = side.then(pl.col("win")).otherwise(0).sum(), side.then(pl.col("vp")).otherwise(-pl.col("vp")).sum()
    found = [block_values(run.scan("seats"), run.manifest["games"], wins=wins, lead=lead) for run in runs]
    both = (np.mean([each[name] for each in found], axis=0) for name in ("wins", "lead"))
    won, ahead = map(block_mean, both)
    return won, ahead * 0.5  # two seats on each side


def battles_by_size(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Attacks on players by the cubes that the two sides added, and those that the county's owner held.

    Both float64 [games, len(ATTACKERS), len(DEFENDERS)]; a tie loses the county (B6.9), so it is not held.
    """
    sizes = {"engaged_attacker": ATTACKERS, "engaged_defender": DEFENDERS}
    by_size = (pl.col(name).is_between(each[0], each[-1]) for name, each in sizes.items())
    rows = run.scan("battles").filter(pl.col("kind").cast(pl.String) == "player", *by_size)
    rows = rows.select("game", *sizes, held=pl.col("result").cast(pl.String) == "defender")
    fought, held = np.zeros((2, run.manifest["games"], len(ATTACKERS), len(DEFENDERS)))
    game, attackers, defenders, won = (column.to_numpy() for column in rows.collect())
    places = game, attackers - ATTACKERS[0], defenders - DEFENDERS[0]
    np.add.at(fought, places, 1)
    np.add.at(held, places, won)
    return fought, held


def typical_mix(fought: Sequence[np.ndarray]) -> np.ndarray:
    """The shares of battle sizes that stay in DEFENDERS with one defender more, over conditions weighted equally."""
    sizes = (cases.sum(axis=0)[:, :-1] for cases in fought)
    mix = np.mean([cases / max(1.0, cases.sum()) for cases in sizes], axis=0)
    return np.asarray(mix / mix.sum())


def gain_as_met(fought: np.ndarray, held: np.ndarray, mix: np.ndarray) -> Estimate:
    """How much more often attacked counties held with one defender more, in the same mix of sizes in all conditions.

    Not a causal effect: players attack a strong county when tray and tower favour them. nan if a size never occurred.
    """
    parts, weights = [], []
    for attackers, defenders in np.argwhere(mix > 0):
        for more, sign in ((1, 1.0), (0, -1.0)):
            size = (slice(None), attackers, defenders + more)
            parts.append(block_ratio(held[size], fought[size]))
            weights.append(sign * float(mix[attackers, defenders]))
    return combined(weights, parts)


def recast(experiment: Experiment, games: int, casts: int = CASTS) -> dict[str, np.ndarray]:
    """Play games 0 ... games - 1 of an experiment and recast each attack on a player, twice `casts` times.

    Returns by game the `attacks` on players, those `held` in play, and the sums of the shares of recasts in which the
    county held: `again` with the same number of defenders, and `with more`, with one more. All else is that of the
    attack (B6.1 to B6.9), and the attacker does not know of the change. The tower's contents are known by colour, but
    not by floor of a layered tower, where the cubes are distributed over the floors as in settled contents. ValueError
    for the first edition, where armies may stand aside (V5).
    """
    if experiment.edition != "2e":
        raise ValueError(f"edition: {experiment.edition!r}; attacks are recast only in the second edition")
    parts, arena = experiment.components(), experiment.arena()
    bench, share = CastingBench(parts.tower), floor_shares(parts.tower.parameters)
    seed = (experiment.seed + SEEDS_APART) % 2**63  # random numbers other than those of the games
    counts = {name: np.zeros(games) for name in ("attacks", "held", "again", "with more")}
    for game in range(games):
        match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, parts.names(), game)
        for place, (line, loyal) in enumerate(attacks_of(match, arena.trace(game))):
            thrown = _cubes(line["tray_before"]) + _cubes(line["engaged"])
            inside = _cubes(line["tower_after"]) + _cubes(line["tray_after_drop"]) - thrown
            sides = (line["attacker"], line["defender"], PEASANTS)
            fight = Battle(thrown[sides[0]], thrown[sides[1]], peasants_join=loyal)  # asked only who wins
            counts["attacks"][game] += 1
            counts["held"][game] += line["result"] == "defender"
            for name in ("again", "with more"):
                fallen = bench.repeat(thrown.tolist(), inside.tolist(), casts, seed=seed, number=game,
                                      first=place * casts, share=share)  # fmt: skip
                counts[name][game] += fight.decide(*(fallen[:, colour] for colour in sides)).lose.mean()
                thrown[line["defender"]] += 1
    return counts


def attacks_of(match: Match, log: Log) -> Iterator[tuple[dict[str, Any], bool]]:
    """Attacks on players in order, each with whether the tray's peasants fight for the county (B6.6)."""
    # STATE lines take long to read, and the replay needs those at the end of a year alone.
    state, kinds = ReplayedTable(match), log.lines[:, 0]
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
