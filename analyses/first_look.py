"""A first look: which printed line-up wins, and does the answer outlive another play, tower, seat or set-up?

    python analyses/first_look.py results/first_look docs/first-result.png --into README.md

Method. A block is a game number, played in all eight arrangements of the line-ups over the four seats: the rotations
of A B C D and of its mirror image. A cell is a play (four seats alike, from weak to two lines of strong play) under a
tower; every play meets every tower. The experiment of `first_look.toml` is the baseline cell and says how many games
it gets; all else is alike in every cell, the seed included. Estimates are means over blocks, with Student's t intervals
from the spread of the blocks. CLAIMS are judged in all cells, with intervals that hold simultaneously; a claim is
robust if it holds in every one. That no seat is better than another is tested jointly and paired by block, in the
baseline cell. Drafted games have no line-ups: they are played for every play under the baseline's tower, and what can
be compared is told. Every run lies in a folder below the one named, PLAY/TOWER/ARRANGEMENT, and is not played again if
it is there. What is found is printed as Markdown, and put between the marks of the file named by --into, with the first
digits of a hash of all runs' experiments in the opening mark.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import (
    MIDDLING,
    Play,
    add_strong_play_arguments,
    checked_plays,
    plays_in_words,
    usual_plays,
)
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.games.points import points_by_source
from wallsim.analysis.seating.arrangements import Arranged, arranged, arrangements
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.report.figures.studies import first_look
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.estimates import bounded, ends, in_words
from wallsim.report.tables.markdown import markdown_table
from wallsim.report.tables.marked import put_between_marks
from wallsim.report.tables.verdicts import extreme, tower_by_play, verdict_table
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean, block_values
from wallsim.stats.intervals import LEVEL, Confidence

EXPERIMENT = Path(__file__).with_suffix(".toml")
LETTERS = ("A", "B", "C", "D")
ARRANGEMENTS = arrangements(LETTERS)
BLOCKS = 10_000  # of every cell but the baseline
FAIR = 100 / len(LETTERS)
ALL = 100.0  # per cent
AHEAD = "A minus B"
CLAIMS = (
    Claim("Line-up A wins more than its fair share.", "line-up A", FAIR),
    Claim("Line-up A wins more than line-up B.", AHEAD, 0),
)
SHARES = frozenset(f"line-up {letter}" for letter in LETTERS)  # outcomes that are a share; a difference is none
MARKS = "figures"


class Drafted(NamedTuple):
    """What drafted games of a play say: the share of wins of each seat in per cent, and first above last in points."""

    seats: list[Estimate]
    spread: Estimate


class Found(NamedTuple):
    """Every cell's outcomes, the games of the baseline cell with its points, and what is known of drafts by play.

    `spreads` has the points between first and last with line-ups, by play, under the baseline's tower.
    """

    plays: tuple[Play, ...]
    cells: dict[Cell, dict[str, Estimate]]
    baseline: Arranged
    points: pl.DataFrame
    spreads: dict[str, Estimate]
    drafts: dict[str, Drafted]


def main() -> None:
    """Play what is missing, print the answer, draw the picture."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("folder", type=Path, help="where the runs lie or shall lie")
    wanted.add_argument("picture", type=Path, help="the PNG to write")
    wanted.add_argument("--games", type=int, help=f"blocks a cell, of {len(ARRANGEMENTS)} games each, for a quick look")
    add_strong_play_arguments(wanted)
    wanted.add_argument("--into", type=Path, help="a file whose marked lines are replaced by the answer")
    given = wanted.parse_args()

    try:
        plays = checked_plays(usual_plays(given.strong, given.second))
        hashes = digest(given.games, plays)  # names a policy that is none before anything is played
        found = study(given.folder, given.games, plays)
    except InputError as error:
        raise SystemExit(str(error)) from None
    answer = answer_of(found)
    print(answer)
    save_picture(picture(found), given.picture, colours=256)  # a scale of colours needs many
    if given.into:
        try:
            put_between_marks(given.into, MARKS, hashes, "analyses/first_look.py", answer)
        except ValueError as error:
            raise SystemExit(str(error)) from None


def baseline_cell() -> Cell:
    """The cell of the experiment as it stands."""
    return Cell(MIDDLING, load_experiment(EXPERIMENT).tower, "lineup")


def experiments(blocks: int | None = None, plays: Sequence[Play] = usual_plays()) -> dict[tuple[Cell, str], Experiment]:
    """Every run's experiment, by its cell and its arrangement, "draft" for a draft.

    InputError for a policy that is none.
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
    """The hash of all that decides the figures: every run's experiment, with rules, tower and policies' weights."""
    every = experiments(blocks, plays)
    hashes = {"/".join((*cell, way)): experiment.hash() for (cell, way), experiment in every.items()}
    return identity_hash({"runs": hashes, "plays": [list(play) for play in plays]})


def study(folder: str | Path, blocks: int | None = None, plays: Sequence[Play] = usual_plays()) -> Found:
    """Play what is missing below a folder and estimate every outcome in every cell."""
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
    return Found(tuple(plays), cells, baseline, points, spreads, drafts)


def outcomes(games: Arranged) -> dict[str, Estimate]:
    """What a cell says: the share of wins of each line-up in per cent, and how far A is ahead of B."""
    shares = games.shares()
    return {**{f"line-up {letter}": share for letter, share in shares.items()}, AHEAD: shares["A"] - shares["B"]}


def drafted(run: Run) -> Drafted:
    """What a run of drafted games says, a block a game."""
    win, vp = pl.col("win"), pl.col("vp")
    seats = {f"seat {seat}": win.filter(pl.col("seat") == seat).sum() for seat in range(len(LETTERS))}
    found = block_values(run.scan("seats"), run.manifest["games"], spread=vp.max() - vp.min(), **seats)
    return Drafted([block_mean(found[name]) * 100 for name in seats], block_mean(found["spread"]))


def points_of(runs: Sequence[Run]) -> pl.DataFrame:
    """Mean victory points by line-up, winter and source over runs of equally many games."""
    every = pl.concat([points_by_source(run) for run in runs])
    return every.group_by("player", "year", "source", maintain_order=True).agg(pl.col("vp").mean())


def answer_of(found: Found) -> str:
    """All that is printed, as Markdown."""
    judged = judge_claims(found)
    tables = [
        lineups_table(found.baseline),
        seats_words(found.baseline),
        seats_table(found.baseline),
        shares_table(found),
        *claimed_tables(judged),
        verdict_table(judged.verdicts, judged.estimates, judged.confidence, shares=SHARES),
        drafts_table(found),
    ]
    return "\n\n".join([headline(found), *tables]) + "\n"


def claimed_tables(judged: Robustness) -> list[str]:
    """A table of tower by play for each claim: its outcome in every cell."""
    tables = []
    for claim in CLAIMS:
        top = ALL if claim.outcome in SHARES else None
        arms = judged.estimates[claim.outcome]
        tables.append(tower_by_play(arms, judged.confidence, _head(claim), top=top))
    return tables


def judge_claims(found: Found) -> Robustness:
    """CLAIMS, judged in every cell."""
    return robustness(CLAIMS, found.cells, found.plays)


def headline(found: Found) -> str:
    """What was played."""
    blocks = {cell: told[AHEAD].blocks for cell, told in found.cells.items()}
    base = baseline_cell()
    fewest = min(count for cell, count in blocks.items() if cell != base)
    sure = shares_confidence(found)
    few = f" {sure.too_few(fewest, 'blocks a cell')}" if fewest < sure.min_blocks else ""
    games = sum(blocks.values()) * len(ARRANGEMENTS) + sum(draft.spread.blocks for draft in found.drafts.values())
    return (
        f"{blocks[base] * len(ARRANGEMENTS):,} games, {facts_of(found)}, engine version {ENGINE_VERSION}; the fair "
        f"share is {FAIR:.0f} %. {len(found.cells) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and "
        f"with the drafts there are {games:,}. Plays: {plays_in_words(found.plays)}. The intervals of a table hold "
        f"simultaneously with {LEVEL:.0%}.{few}"
    )


def facts_of(found: Found) -> str:
    """The baseline cell in words."""
    experiment = load_experiment(EXPERIMENT)
    return (
        f"{experiment.players} players, policy {experiment.policies[0]}, tower {experiment.tower}, "
        f"seed {experiment.seed}"
    )


def lineups_table(games: Arranged) -> str:
    """A row a line-up: wins and points over all arrangements of the baseline cell."""
    confidence, points = Confidence(LEVEL, 2 * len(LETTERS)), games.points()
    rows = [
        (
            letter, bounded(share.value, 2, ALL), ends(share.interval(confidence), 2, top=ALL),
            bounded(points[letter].value, 2), ends(points[letter].interval(confidence), 2),
            f"{games.deviation(letter):.1f}",
        )
        for letter, share in games.shares().items()
    ]  # fmt: skip
    interval = f"{LEVEL:.0%} interval"
    heads = ("line-up", "wins, %", interval, "mean VP", interval, "standard deviation of a game")
    return markdown_table(heads, rows)


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


def shares_confidence(found: Found) -> Confidence:
    """That of the shares of all line-ups in all cells."""
    return Confidence(LEVEL, len(LETTERS) * len(found.cells))


def shares_table(found: Found) -> str:
    """Every line-up's share of wins: with one factor changed at a time, and its extremes over all cells."""
    confidence, base = shares_confidence(found), baseline_cell()
    policies = {play.name: play.policy for play in found.plays}
    rows = []
    for cell, told in found.cells.items():
        if cell.play != base.play and cell.tower != base.tower:
            continue
        name = "baseline" if cell == base else f"tower `{cell.tower}`"
        if cell.play != base.play:
            name = f"{cell.play} play (`{policies[cell.play]}`)"
        shares = [told[f"line-up {letter}"] for letter in LETTERS]
        cells = (in_words(share.value, share.interval(confidence), 1, top=ALL) for share in shares)
        rows.append((cell != base, name, *cells))
    rows.sort(key=lambda row: row[0])  # the baseline comes first, the others as they are
    table = [row[1:] for row in rows]
    for name, largest in (("lowest", False), ("highest", True)):
        arms = [{cell: told[f"line-up {letter}"] for cell, told in found.cells.items()} for letter in LETTERS]
        ends_of = (extreme(each, confidence, 1, largest=largest, top=ALL) for each in arms)
        table.append((f"{name} of {len(found.cells)} cells", *ends_of))
    return markdown_table(("share of wins, %", *LETTERS), table)


def drafts_table(found: Found) -> str:
    """A row a play: what drafted games have in common with those with line-ups, seats and the spread of points."""
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


def picture(found: Found):
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
    return first_look(shares, found.points, maps, f"Above: {games:,} games, {facts_of(found)}")


def values_of(cells: Mapping[Cell, Mapping[str, Estimate]], claim: Claim) -> pl.DataFrame:
    """A claimed outcome in every cell, for a heat map."""
    rows = [(cell.play, cell.tower, told[claim.outcome].value, float(claim.above)) for cell, told in cells.items()]
    words = dict.fromkeys(("play", "tower"), pl.String)
    return pl.DataFrame(rows, schema={**words, "value": pl.Float64, "level": pl.Float64}, orient="row")


def _head(claim: Claim) -> str:
    return f"{claim.outcome}, % of wins"


if __name__ == "__main__":
    main()
