"""A first look: which printed line-up wins, and does the answer hold for other players, towers, seats and set-ups?

    .venv/bin/python -m analyses.first_look results/first_look docs/studies/first_look.png \\
        --into docs/studies/first_look.md --into README.md

Method. A block is a game number, played in all eight arrangements of the line-ups over the four seats: the rotations of
A B C D and of its mirror image. A cell is a play (four seats alike, from weak to two lines of strong play) under a
tower; every play is combined with every tower. `first_look.toml` is the baseline cell and sets its number of games;
everything else, including the seed, is the same in every cell. Estimates are means over blocks, with Student's t
intervals from the spread of the blocks. CLAIMS are judged in all cells, with intervals that hold simultaneously; a
claim is robust if it holds in every one. That no seat is better than another is tested jointly and paired by block, in
the baseline cell. Drafted games have no line-ups: they are played for every play under the baseline's tower, and the
answer says what can be compared. Every run lies in a folder PLAY/TOWER/ARRANGEMENT below the one named, and is not
played again if it is there. Pages receive all tables as `figures`, and a short one as `headline`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl
from matplotlib.figure import Figure

from analyses import driver
from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, Play, plays_in_words, usual_plays
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.games.points import points_by_source
from wallsim.analysis.seating.arrangements import Arranged, arranged, arrangements
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.figures.studies import first_look
from wallsim.report.tables.estimates import bounded, ends, in_words
from wallsim.report.tables.verdicts import counted_sides, extreme, tower_by_play, verdict_table
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean, block_values
from wallsim.stats.intervals import LEVEL, Confidence

EXPERIMENT = Path(__file__).with_name("experiment.toml")
LETTERS = ("A", "B", "C", "D")
ARRANGEMENTS = arrangements(LETTERS)
BLOCKS = 4_000  # in every cell but the baseline
FAIR = 100 / len(LETTERS)
ALL = 100.0  # % of wins
AHEAD = "A minus B"
CLAIMS = (
    Claim("Line-up A wins more than its fair share.", "line-up A", FAIR),
    Claim("Line-up A wins more than line-up B.", AHEAD, 0),
)
SHARES = frozenset(f"line-up {letter}" for letter in LETTERS)  # outcomes that are a share; a difference is none
_INTERVAL = f"{LEVEL:.0%} interval"
LINEUP_HEADINGS = ("line-up", "wins, %", _INTERVAL, "mean VP", _INTERVAL, "standard deviation per game")
MARKS = ("figures", "headline")
_COLOURS = 256  # a scale of colours needs many


class Drafted(NamedTuple):
    """The results of drafted games of a play: share of wins per seat in per cent, and points between first and last."""

    seats: list[Estimate]
    spread: Estimate


class FirstLook(NamedTuple):
    """The outcomes of every cell, the games and points of the baseline cell, and the results of drafts by play.

    `spreads` has the points between first and last with line-ups, by play, under the baseline's tower.
    """

    plays: tuple[Play, ...]
    cells: dict[Cell, dict[str, Estimate]]
    baseline: Arranged
    points: pl.DataFrame
    spreads: dict[str, Estimate]
    drafts: dict[str, Drafted]


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this study."""
    words = f"blocks per cell, of {len(ARRANGEMENTS)} games each, instead of the study's"
    parser.add_argument("--games", type=driver.count, help=words)
    driver.add_plays(parser)


def answer(args: Namespace) -> driver.Answer:
    """Play the missing games, and make the tables and the headline."""
    plays = driver.plays_of(args)
    hashed = digest(args.games, plays)  # raises for an unknown policy before anything is played
    found = study(args.folder, args.games, plays)
    text = figures(found)
    blocks = dict(zip(MARKS, (text, headline(found)), strict=True))
    return driver.Answer(hashed, blocks, text, picture(found), _COLOURS)


STUDY = driver.Study(__file__, __doc__, MARKS, add_arguments, answer)


def baseline_cell() -> Cell:
    """The cell of the unchanged experiment."""
    return Cell(MIDDLING, load_experiment(EXPERIMENT).tower, "lineup")


def experiments(blocks: int | None = None, plays: Sequence[Play] = usual_plays()) -> dict[tuple[Cell, str], Experiment]:
    """Every run's experiment, by its cell and its arrangement, "draft" for a draft.

    InputError for an unknown policy.
    """
    base, own = baseline_cell(), load_experiment(EXPERIMENT).games // len(ARRANGEMENTS)
    found = {}
    for play in plays:
        for tower in TOWERS:
            cell = Cell(play.name, tower, "lineup")
            count = blocks or (own if cell == base else BLOCKS)
            keys = {"policies": play.policy, "tower": tower, "games": count}
            for way in ARRANGEMENTS:
                found[cell, "".join(way)] = load_experiment(EXPERIMENT, {**keys, "lineups": list(way)})
        games = (blocks or BLOCKS) * len(ARRANGEMENTS)
        drafted = {"policies": play.policy, "setup": "draft", "lineups": [], "games": games}
        found[Cell(play.name, base.tower, "draft"), "draft"] = load_experiment(EXPERIMENT, drafted)
    return found


def digest(blocks: int | None = None, plays: Sequence[Play] = usual_plays()) -> str:
    """The hash of everything that decides the results: every run's experiment with rules, tower and weights."""
    every = experiments(blocks, plays)
    hashes = {"/".join((*cell, way)): experiment.hash(with_games=True) for (cell, way), experiment in every.items()}
    return identity_hash({"runs": hashes, "plays": [list(play) for play in plays]})


def study(folder: str | Path, blocks: int | None = None, plays: Sequence[Play] = usual_plays()) -> FirstLook:
    """Play the missing runs in a folder and estimate every outcome in every cell."""
    base = baseline_cell()
    runs: dict[Cell, list[Run]] = {}
    cells, spreads, drafts = {}, {}, {}
    for (cell, way), experiment in experiments(blocks, plays).items():
        place = Path(folder) / cell.play.replace(" ", "-") / cell.tower / way
        runs.setdefault(cell, []).append(play_run(experiment, place))
        if cell.setup == "draft":
            drafts[cell.play] = drafted(runs.pop(cell)[0])
        elif len(runs[cell]) == len(ARRANGEMENTS):
            games = arranged(runs[cell])
            cells[cell] = outcomes(games)
            if cell.tower == base.tower:
                spreads[cell.play] = games.spread()
            if cell == base:
                baseline, points = games, points_of(runs[cell])
            del runs[cell]
    return FirstLook(tuple(plays), cells, baseline, points, spreads, drafts)


def outcomes(games: Arranged) -> dict[str, Estimate]:
    """The outcomes of a cell: the share of wins of each line-up in per cent, and A minus B."""
    shares = games.shares()
    return {**{f"line-up {letter}": share for letter, share in shares.items()}, AHEAD: shares["A"] - shares["B"]}


def drafted(run: Run) -> Drafted:
    """The results of a run of drafted games; each game is a block."""
    win, vp = pl.col("win"), pl.col("vp")
    seats = {f"seat {seat}": win.filter(pl.col("seat") == seat).sum() for seat in range(len(LETTERS))}
    found = block_values(run.scan("seats"), run.manifest["games"], spread=vp.max() - vp.min(), **seats)
    return Drafted([block_mean(found[name]) * 100 for name in seats], block_mean(found["spread"]))


def points_of(runs: Sequence[Run]) -> pl.DataFrame:
    """Mean victory points by line-up, winter and source over runs with equal numbers of games."""
    every = pl.concat([points_by_source(run) for run in runs])
    return every.group_by("player", "year", "source", maintain_order=True).agg(pl.col("vp").mean())


def figures(found: FirstLook) -> str:
    """All tables with the sentences around them, as Markdown."""
    judged = judge_claims(found)
    tables = [
        lineups_table(found.baseline),
        seats_words(found.baseline),
        seats_table(found.baseline),
        shares_table(found),
        *claimed_tables(judged),
        verdict_table(judged.verdicts, judged.estimates, judged.confidence, shares=SHARES),
        counts_of_sides(found, judged),
        drafts_table(found),
    ]
    return "\n\n".join([games_played(found), *tables])


def headline(found: FirstLook) -> str:
    """The answer as a table of four rows and three sentences, with its assumptions."""
    low, high = (extreme_share(found, "A", largest=largest) for largest in (False, True))
    rows = [row[:3] for row in lineup_rows(found.baseline)]
    return (
        f"{markdown_table(LINEUP_HEADINGS[:3], rows)}\n\n"
        f"{found.baseline.blocks * len(ARRANGEMENTS):,} games with line-ups, not the draft: {baseline_facts()}, engine "
        f"version {ENGINE_VERSION}. All four seats play alike and every line-up has every seat equally often, so "
        f"{FAIR:.0f} % is fair. The intervals hold simultaneously. Over {len(found.cells)} combinations of "
        f"{len(found.plays)} plays and {len(TOWERS)} towers line-up A wins from {low} to {high} per cent."
    )


def claimed_tables(judged: Robustness) -> list[str]:
    """A table of tower by play for each claim: its outcome in every cell."""
    tables = []
    for claim in CLAIMS:
        top = ALL if claim.outcome in SHARES else None
        arms = judged.estimates[claim.outcome]
        tables.append(tower_by_play(arms, judged.confidence, _head(claim), top=top))
    return tables


def counts_of_sides(found: FirstLook, judged: Robustness) -> str:
    """In how many cells each line-up wins more than its fair share, and by play under how many towers A beats B."""
    shares = {
        letter: ({cell: estimates[f"line-up {letter}"] for cell, estimates in found.cells.items()}, FAIR)
        for letter in LETTERS
    }
    ahead = judged.estimates[AHEAD]
    by_play = {
        f"{play.name} ({code(play.policy)})": (
            {cell: arm for cell, arm in ahead.items() if cell.play == play.name},
            0.0,
        )
        for play in found.plays
    }
    return "\n\n".join([
        f"Of {len(found.cells)} cells, those in which the share of a line-up lies above and below {FAIR:.0f} %:",
        counted_sides(shares, shares_confidence(found), "cells of line-up"),
        f"Of {len(TOWERS)} towers, those under which line-up A lies above and below line-up B, by play:",
        counted_sides(by_play, judged.confidence, "towers under"),
    ])  # fmt: skip


def judge_claims(found: FirstLook) -> Robustness:
    """CLAIMS, judged in every cell."""
    return robustness(CLAIMS, found.cells, found.plays)


def games_played(found: FirstLook) -> str:
    """What was played, and what the intervals mean."""
    blocks = {cell: estimates[AHEAD].blocks for cell, estimates in found.cells.items()}
    base = baseline_cell()
    fewest = min(count for cell, count in blocks.items() if cell != base)
    sure = shares_confidence(found)
    few = f" {sure.too_few(fewest, 'blocks per cell')}" if fewest < sure.min_blocks else ""
    games = sum(blocks.values()) * len(ARRANGEMENTS) + sum(draft.spread.blocks for draft in found.drafts.values())
    return (
        f"{blocks[base] * len(ARRANGEMENTS):,} games, {baseline_facts()}, engine version {ENGINE_VERSION}; the fair "
        f"share is {FAIR:.0f} %. {len(found.cells) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and "
        f"with the drafts there are {games:,}. Plays: {plays_in_words(found.plays)}. The intervals of a table hold "
        f"simultaneously with {LEVEL:.0%}.{few}"
    )


def baseline_facts() -> str:
    """The table of the baseline cell in words."""
    experiment = load_experiment(EXPERIMENT)
    return (
        f"{experiment.players} players, policy {experiment.policies[0]}, tower {experiment.tower}, "
        f"seed {experiment.seed}"
    )


def lineups_table(games: Arranged) -> str:
    """One row per line-up: wins and points over all arrangements of the baseline cell."""
    return markdown_table(LINEUP_HEADINGS, lineup_rows(games))


def lineup_rows(games: Arranged) -> list[tuple[str, ...]]:
    """The rows of that table; all its intervals hold simultaneously."""
    confidence, points = Confidence(LEVEL, 2 * len(LETTERS)), games.points()
    return [
        (
            letter, bounded(share.value, 2, ALL), ends(share.interval(confidence), 2, top=ALL),
            bounded(points[letter].value, 2), ends(points[letter].interval(confidence), 2),
            f"{games.deviation(letter):.1f}",
        )
        for letter, share in games.shares().items()
    ]  # fmt: skip


def seats_words(games: Arranged) -> str:
    """Whether a line-up's wins depend on where it sits, in two sentences."""
    letter, (high, low), gap = games.furthest_apart()
    gap_words = in_words(gap.value, gap.interval(Confidence(LEVEL, games.differences)), 2)
    test = games.same_everywhere()
    joint = "cannot be made with so few blocks"
    if test is not None:
        chance = "p < 0.001" if test.p_value < 0.001 else f"p = {test.p_value:.3f}"
        first, second = test.degrees
        joint = f"gives T² = {test.t_squared:.1f}, F = {test.f:.2f} with {first} and {second:,} degrees, {chance}"
    return (
        f"Seat: of the {games.differences} differences of a line-up's share between two arrangements the largest is "
        f"that of line-up {letter}, {gap_words} percentage points from `{low}` (seats 0 to 3) to `{high}`. The joint "
        f"paired test that no line-up's share depends on the arrangement (Hotelling) {joint}."
    )


def seats_table(games: Arranged) -> str:
    """The share of wins of every seat, over all line-ups."""
    confidence = Confidence(LEVEL, len(LETTERS))
    shares = [in_words(share.value, share.interval(confidence), 2, top=ALL) for share in games.shares_of_seats()]
    heads = ("all line-ups alike", *(f"seat {seat}" for seat in range(len(shares))))
    return markdown_table(heads, [("share of wins, %", *shares)])


def shares_confidence(found: FirstLook) -> Confidence:
    """The confidence of the shares of all line-ups in all cells."""
    return Confidence(LEVEL, len(LETTERS) * len(found.cells))


def shares_table(found: FirstLook) -> str:
    """Every line-up's share of wins: with one factor changed at a time, and its extremes over all cells."""
    confidence, base = shares_confidence(found), baseline_cell()
    policies = {play.name: play.policy for play in found.plays}
    rows = []
    for cell, estimates in sorted(found.cells.items(), key=lambda pair: pair[0] != base):  # the baseline comes first
        if cell.play != base.play and cell.tower != base.tower:
            continue
        name = "baseline" if cell == base else f"tower `{cell.tower}`"
        if cell.play != base.play:
            name = f"{cell.play} play ({code(policies[cell.play])})"
        shares = [estimates[f"line-up {letter}"] for letter in LETTERS]
        cells = (in_words(share.value, share.interval(confidence), 1, top=ALL) for share in shares)
        rows.append((name, *cells))
    for name, largest in (("lowest", False), ("highest", True)):
        ends_of = (extreme_share(found, letter, largest=largest) for letter in LETTERS)
        rows.append((f"{name} of {len(found.cells)} cells", *ends_of))
    return markdown_table(("share of wins, %", *LETTERS), rows)


def extreme_share(found: FirstLook, letter: str, *, largest: bool) -> str:
    """A line-up's lowest or largest share of wins over all cells, with the cell."""
    arms = {cell: estimates[f"line-up {letter}"] for cell, estimates in found.cells.items()}
    return extreme(arms, shares_confidence(found), 1, largest=largest, top=ALL)


def drafts_table(found: FirstLook) -> str:
    """One row per play: seats and the spread of points in drafted games, and the spread with line-ups."""
    confidence = Confidence(LEVEL, len(found.drafts) * (len(LETTERS) + 2))
    rows = []
    for name, draft in found.drafts.items():
        seats = [in_words(share.value, share.interval(confidence), 1, top=ALL) for share in draft.seats]
        spreads = [in_words(arm.value, arm.interval(confidence), 2) for arm in (draft.spread, found.spreads[name])]
        rows.append((f"{name}, draft", *seats, *spreads))
    seats = [f"seat {seat}, wins %" for seat in range(len(LETTERS))]
    words = (
        "In a draft, the books' normal set-up, there are no line-ups, which are their set-up for beginners: nothing "
        "above speaks of drafted games. What can be compared, under the baseline's tower:"
    )
    heads = ("play", *seats, "first above last, VP", "the same with line-ups")
    return f"{words}\n\n{markdown_table(heads, rows)}"


def picture(found: FirstLook) -> Figure:
    """The baseline cell above, the two claimed outcomes over all cells below."""
    confidence = Confidence(LEVEL, 2 * len(LETTERS))
    rows = []
    for letter, share in found.baseline.shares().items():
        low, high = share.interval(confidence) or (None, None)
        rows.append((letter, share.value / 100, *(None if end is None else end / 100 for end in (low, high))))
    numbers = dict.fromkeys(("mean", "low", "high"), pl.Float64)
    shares = pl.DataFrame(rows, schema={"group": pl.String, **numbers}, orient="row")
    maps = {_head(claim): values_of(found.cells, claim) for claim in CLAIMS}
    games = found.baseline.blocks * len(ARRANGEMENTS)
    return first_look(
        shares,
        found.points,
        maps,
        f"Upper panels: {games:,} games, {baseline_facts()}. Lower panels: kinds of play (columns) by tower (rows)",
    )


def values_of(cells: Mapping[Cell, Mapping[str, Estimate]], claim: Claim) -> pl.DataFrame:
    """A claimed outcome in every cell, for a heat map."""
    rows = [
        (cell.play, cell.tower, estimates[claim.outcome].value, float(claim.above)) for cell, estimates in cells.items()
    ]
    words = dict.fromkeys(("play", "tower"), pl.String)
    return pl.DataFrame(rows, schema={**words, "value": pl.Float64, "level": pl.Float64}, orient="row")


def _head(claim: Claim) -> str:
    return f"{claim.outcome}, % of wins"


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
