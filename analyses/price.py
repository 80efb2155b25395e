"""The price of a Thaler: what do gifts of Thalers, grain, victory points and an army bring a seat?

    .venv/bin/python -m analyses.price results/price docs/studies/price.png --into docs/studies/price.md

Method. A block is 24 games in a row (6 × players), in which each pair of seat and round is treated once. In each
scenario the treated seat gets one gift, at the start or before the round in which it is treated; nobody knows of it
beforehand and no other luck changes. The same games are played without gifts, and each number is the mean difference
of the treated seat's result, by block. A cell is a play (all seats alike, from weak to two lines of strong play), a
tower calibration and a set-up. The baseline cell, that of `price.toml`, has most blocks and gives the tables by round.
CLAIMS are judged in all cells, with intervals that hold simultaneously. The price of a Thaler is what four of them
bring, divided by four, since no more can be bid. It is also measured with 3 and 5 players; `prices.csv` in the folder
has it for other studies. With --quick there are few cells and blocks.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from analyses import driver
from analyses.effect_files import write_results
from analyses.effect_words import limits, robust_words, scope_words, table_of
from analyses.effects import (
    BASE,
    Blocks,
    Change,
    Counted,
    Games,
    Lines,
    Scope,
    by_round,
    change,
    digest_of,
    played_by_game,
    scenarios_played,
    scope_for,
)  # fmt: skip
from analyses.kept import Kept
from analyses.prices import MEAN, prices_text
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.figures.effects import points_by_gift
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.commit import write_whole
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.intervals import LEVEL, Confidence

EXPERIMENT = Path(__file__).with_suffix(".toml")
MARKS = ("price figures",)
BLOCKS = Blocks(others=250, quick=168, quick_others=40)
START, TURN = "start", "turn"
MOMENTS = (START, *ROUND_NAMES)
NONE = "nothing"
# What a treated seat gets, by the gift's name: what, and how much.
GIFTS: dict[str, tuple[str, int]] = {
    "−2 Thalers": ("thalers", -2),
    "+1 Thaler": ("thalers", 1),
    **{f"+{dose} Thalers": ("thalers", dose) for dose in (2, 4, 8)},
    **{f"+{dose} grain": ("grain", dose) for dose in (1, 2, 4)},
    **{f"+{dose} VP": ("vp", dose) for dose in (1, 2, 4)},
    "+1 army": ("armies", 1),
}  # fmt: skip
FOUR, EIGHT, BID = "+4 Thalers", "+8 Thalers", 4  # the largest money card in the auction is a 4
GRAIN, POINTS, ARMY = "+4 grain", "+4 VP", "+1 army"
PRICE, WORTH = "VP per Thaler", "wins per VP"
SIZES = (3, 5)  # players, beside the baseline's four
CLAIMS = (
    Claim("Four more Thalers bring points.", "VP of four Thalers", 0),
    Claim("A Thaler brings less than a point.", "one point less the price of a Thaler", 0),
    Claim("Eight Thalers bring less than twice as much as four.", "twice four Thalers less eight", 0),
    Claim("Four more grain bring points.", "VP of four grain", 0),
    Claim("One more army brings points.", "VP of one army", 0),
    Claim("A point brings wins.", WORTH, 0),
)


class Price(NamedTuple):
    """The changes of the baseline cell, by gift, outcome and moment, the outcomes of all cells, and all prices.

    Wins are in per cent of games.
    """

    scope: Scope
    changes: dict[tuple[str, str, str], Change]
    cells: dict[Cell, dict[str, Estimate]]
    prices: dict[tuple[int, Cell, str], Estimate]


def answer(args: Namespace) -> driver.Answer:
    """Play all scenarios, write `prices.csv`, and make the tables."""
    scope = scope_of(args.games, args.quick)
    hashed = digest(scope)  # raises for a wrong experiment before anything is played
    found = study(scope, args.folder, args.workers)
    save(found, args.folder)
    text = figures(found)
    return driver.Answer(hashed, dict.fromkeys(MARKS, text), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, driver.add_size, answer)


def save(found: Price, folder: str | Path) -> None:
    """Write the changes of the baseline cell and the file of prices into a folder."""
    write_results(folder, {"gifts": found.changes}, digest(found.scope), found.scope)
    rows = ((players, cell, moment, price) for (players, cell, moment), price in found.prices.items())
    write_whole(Path(folder) / "prices.csv", prices_text(rows).encode())


def scope_of(games: int | None = None, quick: bool = False) -> Scope:
    """The cells, and their blocks; `games` of each scenario in the baseline cell, and in others at most so many."""
    return scope_for(EXPERIMENT, BLOCKS, games, quick)


def digest(scope: Scope | None = None) -> str:
    """The hash of everything that decides the results; without an argument that of the published study."""
    every = {"gifts": scenarios(), "other sizes": scenarios((FOUR,), (TURN,))}
    return digest_of(EXPERIMENT, scope or scope_of(), every, (*SIZES, 4))


def gift(name: str, moment: str) -> Lines:
    """The intervention that gives the treated seat a gift, at the start or in its turn: the round of its treatment."""
    what, dose = GIFTS[name]
    return ({"do": "hand", what: dose, "seat": TURN, "round": moment},)


def scenarios(names: Iterable[str] = GIFTS, moments: tuple[str, ...] = (START, TURN)) -> dict[str, Lines]:
    """The scenarios by name: no gift, and each gift at each of these moments."""
    return {NONE: BASE} | {f"{name}, {moment}": gift(name, moment) for moment in moments for name in names}


def count(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's victory points and wins, in per cent."""
    return {"vp": games.treated(games.seats("vp")), "win": 100 * games.treated(games.seats("win"))}


def study(scope: Scope, folder: str | Path | None = None, workers: int | None = None) -> Price:
    """Play all scenarios in all cells, and estimate every change. What was played is kept in `folder`."""
    kept = Kept(folder)
    cells: dict[Cell, dict[str, Estimate]] = {}
    changes: dict[tuple[str, str, str], Change] = {}
    prices: dict[tuple[int, Cell, str], Estimate] = {}
    for cell in scope.cells():
        played = dict(
            scenarios_played(EXPERIMENT, cell, scenarios(), scope.blocks(cell), count, workers=workers, kept=kept)
        )
        cells[cell] = outcomes(played)
        moments = (MEAN, *MOMENTS) if cell == scope.baseline_cell() else (MEAN,)
        prices |= {(4, cell, moment): price for moment, price in prices_of(played, moments)}
        if cell == scope.baseline_cell():
            changes = changes_of(played)
    for size in SIZES:
        for cell in scope.cells():
            few = scenarios((FOUR,), (TURN,))
            played = dict(
                scenarios_played(EXPERIMENT, cell, few, scope.others, count, players=size, workers=workers, kept=kept)
            )
            moments = (MEAN, *ROUND_NAMES) if cell == scope.baseline_cell() else (MEAN,)
            prices |= {(size, cell, moment): price for moment, price in prices_of(played, moments)}
    return Price(scope, changes, cells, prices)


def changes_of(played: Mapping[str, Counted]) -> dict[tuple[str, str, str], Change]:
    """The change by gift, outcome and moment: at the start, in each round, and the mean of the rounds."""
    found = {}
    for name in GIFTS:
        for outcome in ("vp", "win"):
            before, after = played[NONE][outcome], played[f"{name}, {TURN}"][outcome]
            found[name, outcome, START] = change(before, played[f"{name}, {START}"][outcome])
            found[name, outcome, MEAN] = change(before, after)
            found |= {(name, outcome, moment): change(before, after, place) for place, moment in enumerate(ROUND_NAMES)}
    return found


def outcomes(played: Mapping[str, Counted]) -> dict[str, Estimate]:
    """The outcomes that are claimed: means over the rounds."""
    gained = {name: _gained(played, name, "vp") for name in (FOUR, EIGHT, GRAIN, ARMY)}
    price = block_mean(gained[FOUR] / BID)
    return {
        PRICE: price,
        "VP of four Thalers": block_mean(gained[FOUR]),
        "one point less the price of a Thaler": block_mean(1 - gained[FOUR] / BID),
        "twice four Thalers less eight": block_mean(2 * gained[FOUR] - gained[EIGHT]),
        "VP of four grain": block_mean(gained[GRAIN]),
        "VP of one army": block_mean(gained[ARMY]),
        WORTH: block_mean(_gained(played, POINTS, "win") / 4),
    }


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 games a seat; the unit of errors is the game."""
    wanted = scenarios((FOUR, EIGHT, GRAIN, POINTS, ARMY), (TURN,))
    return outcomes(played_by_game(experiment, wanted, blocks, count, workers=workers))


def _gained(played: Mapping[str, Counted], name: str, outcome: str) -> np.ndarray:
    return by_round(played[f"{name}, {TURN}"][outcome] - played[NONE][outcome])


def prices_of(played: Mapping[str, Counted], moments: tuple[str, ...]) -> Iterator[tuple[str, Estimate]]:
    """The price of a Thaler in victory points at each of these moments."""
    for moment in moments:
        after = played[f"{FOUR}, {START if moment == START else TURN}"]["vp"]
        rounds = ROUND_NAMES.index(moment) if moment in ROUND_NAMES else None
        yield moment, change(played[NONE]["vp"], after, rounds).estimate * (1 / BID)


def judged(found: Price) -> Robustness:
    """The claims, judged in all cells."""
    return robustness(CLAIMS, found.cells, found.scope.plays)


def confidence() -> Confidence:
    """The confidence of all intervals of a table of gifts by moment."""
    return Confidence(LEVEL, len(GIFTS) * len(MOMENTS))


def figures(found: Price) -> str:
    """All tables with the answer above them."""
    result = judged(found)
    return "\n\n".join(
        (
            scope_words(found.scope, load_experiment(EXPERIMENT), len(scenarios())),
            answer_words(found),
            gift_table(found, "vp"),
            gift_table(found, "win"),
            price_table(found),
            verdict_table(result.verdicts, result.estimates, result.confidence, 2),
            robust_words(result) + " " + limits(result.confidence, found.scope.others, len(found.cells)),
            cell_table(found),
        )
    )


def answer_words(found: Price) -> str:
    """The answer in two sentences, with intervals."""
    sure = Confidence(LEVEL, 4)
    baseline = found.scope.baseline_cell()
    price, worth = found.cells[baseline][PRICE], found.cells[baseline][WORTH]
    first, last = (found.prices[4, baseline, moment] for moment in (START, ROUND_NAMES[-1]))
    by_cell = [estimates[PRICE].value for estimates in found.cells.values()]
    return (
        f"**Answer.** One of four more Thalers brings a seat {_told(price, sure)} VP in the mean of the rounds, "
        f"{_told(first, sure)} at the start and {_told(last, sure)} in {ROUND_NAMES[-1]}, and over all "
        f"{len(found.cells)} cells between {min(by_cell):.2f} and {max(by_cell):.2f}. A VP brings {_told(worth, sure)} "
        "percentage points of wins."
    )


def _told(estimate: Estimate, sure: Confidence, decimals: int = 2) -> str:
    return in_words(estimate.value, estimate.interval(sure), decimals)


def gift_table(found: Price, outcome: str) -> str:
    """One row per gift: the change at the start and in each round."""
    sure = confidence()
    rows = []
    for name in GIFTS:
        each = (found.changes[name, outcome, moment].estimate for moment in MOMENTS)
        rows.append((name, *(in_words(one.value, one.interval(sure), 2, "+") for one in each)))
    head = "VP" if outcome == "vp" else "wins, % points"
    used = [one for (_, what, moment), one in found.changes.items() if what == outcome and moment in MOMENTS]
    return table_of(found.scope, (head, *MOMENTS), rows, sure, used)


def price_table(found: Price) -> str:
    """The price of a Thaler by moment and number of players, in the baseline cell."""
    baseline, moments = found.scope.baseline_cell(), (MEAN, *MOMENTS)
    kept = {key: price for key, price in found.prices.items() if key[1] == baseline}
    sure = Confidence(LEVEL, len(kept))
    rows = []
    for moment in moments:
        each = (kept.get((size, baseline, moment)) for size in (SIZES[0], 4, SIZES[1]))
        rows.append((moment, *("–" if one is None else in_words(one.value, one.interval(sure), 2) for one in each)))
    table = table_of(found.scope, (PRICE, *(f"{size} players" for size in (SIZES[0], 4, SIZES[1]))), rows, sure)
    blocks = f" With {SIZES[0]} and {SIZES[1]} players there are {found.scope.others:,} blocks."
    return table + blocks


def cell_table(found: Price) -> str:
    """The price of a Thaler in every cell, set-up by set-up."""
    sure = Confidence(LEVEL, len(found.cells))
    tables = []
    for setup in found.scope.setups:
        order = (Cell(play.name, tower, setup) for tower in found.scope.towers for play in found.scope.plays)
        cells = {cell: found.cells[cell][PRICE] for cell in order}
        tables.append(tower_by_play(cells, sure, f"{PRICE}, {SETUP_WORDS[setup]}", 2))
    words = f"The mean of the rounds; {found.scope.others:,} blocks a cell, simultaneous {LEVEL:.0%} intervals."
    return "\n\n".join((*tables, words))


def picture(found: Price) -> Figure:
    """Victory points against Thalers, a line a moment."""
    return points_by_gift(*drawn(found))


def drawn(found: Price) -> tuple[dict[str, list[tuple[int, Estimate]]], Confidence, str]:
    """What the picture shows: by round the doses with their changes, the confidence, and the title."""
    doses = {name: dose for name, (what, dose) in GIFTS.items() if what == "thalers"}
    sure = confidence()
    lines = {
        moment: [(dose, found.changes[name, "vp", moment].estimate) for name, dose in doses.items()]
        for moment in ROUND_NAMES
    }
    title = f"{found.scope.baseline:,} blocks of 24 games, strong play; bars: simultaneous {sure.level:.0%} intervals"
    return lines, sure, title


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
