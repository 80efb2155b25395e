"""Events: what does each of the twelve event cards do to its round, to the game, and as the winter's loss?

    .venv/bin/python -m analyses.events results/events docs/studies/events.png --into docs/studies/events.md

Method. A block is 24 games in a row, in which each round is treated four times. A card is forced into the treated
round: it lies open among the year's four and comes in that round. It is compared, on the same games, with the same card
forced and cancelled, so that all else is equal, the open cards and those of other rounds among it. What lying open does
is the card forced and cancelled against the card kept out of that year, with that round's card cancelled, too. In
winter each card is kept for the grain loss, and compared with the mean of the twelve. Counts are those of the whole
table in that round. A cell is a play, a tower calibration and a set-up; the baseline, that of `events.toml`, has most
blocks and gives the tables. GUESSES were written down before any game of this seed. CLAIMS are judged in all cells,
with intervals that hold simultaneously. The table by round is a screen: its findings are those of Benjamini and
Hochberg's method. Games without interventions, with numbers that follow, are the game's own lottery: a regression on
which card came when says what share of the variance of a seat's points the eight cards bring, and one joint test
whether a forced card brings what it brings there. With --quick there are few cells and blocks.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from analyses.effect_files import write_results
from matplotlib.figure import Figure
from wallsim.report.figures.effects import HeatTable, events_at_a_glance

from analyses import driver
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.screening import benjamini_hochberg, p_value
from wallsim.studies.changes import Change
from wallsim.studies.games import block_size
from wallsim.studies.words import limits, robust_words, scope_words, table_of

from .estimates import (
    ALL_EIGHT,
    AT_END,
    CLAIMS,
    EXPERIMENT,
    IN_ROUND,
    IN_WINTER,
    LOSSES,
    LOTTERY,
    MEAN,
    OUTCOMES,
    WINTERS,
    YEARS,
    Events,
    digest,
    guess,
    scenarios,
    scope_of,
    study,
)
from .lottery import CARDS

MARKS = ("events figures",)
POINTS = AT_END[0]
_SIGNS = {1: "+", -1: "−", 0: ""}
_FALSE = 0.05  # the share of false ones among the findings of the screen, at most, in expectation
_REJECTED = 0.01
_COLOURS = 256  # a scale of colours needs many


def answer(args: Namespace) -> driver.Answer:
    """Play all scenarios, and make the tables."""
    scope = scope_of(args.games, args.quick)
    hashed = digest(scope)  # raises for a wrong experiment before anything is played
    found = study(scope, args.folder, args.workers)
    save(found, args.folder)
    text = figures(found)
    return driver.Answer(hashed, dict.fromkeys(MARKS, text), text, picture(found), _COLOURS)


STUDY = driver.Study(__file__, __doc__, MARKS, driver.add_size, answer)


def save(found: Events, folder: str | Path) -> None:
    """Write the changes of the baseline cell into a folder."""
    tables = {"in force": found.forced, "lying open": found.open, "as the winter's loss": found.winter}
    write_results(folder, tables, digest(found.scope), found.scope)


def figures(found: Events) -> str:
    """All tables with the answer above them."""
    result = judged(found)
    return "\n\n".join(
        (
            scope_words(found.scope, load_experiment(EXPERIMENT), len(scenarios())),
            answer_words(found),
            heat_table(found, IN_ROUND),
            heat_table(found, AT_END),
            guess_words(found),
            round_table(found),
            winter_table(found),
            open_table(found),
            lottery_words(found),
            share_tables(found),
            verdict_table(result.verdicts, result.estimates, result.confidence, 2),
            f"{robust_words(result)} {limits(result.confidence, found.scope.others, len(found.cells))}",
        )
    )


def sure_of_cards(outcomes: Sequence[str] = OUTCOMES) -> Confidence:
    """The confidence of the intervals of a table of cards by outcome."""
    return Confidence(LEVEL, len(CARDS) * len(outcomes))


def sure_of_winters() -> Confidence:
    """The confidence of the intervals of the table of winters."""
    return Confidence(LEVEL, len(CARDS) * len(_winter_outcomes()) * len(WINTERS))


def answer_words(found: Events) -> str:
    """The answer in three sentences with intervals."""
    share = found.shares[ALL_EIGHT][found.scope.baseline_cell()]
    brought = in_words(share.value, share.interval(Confidence(LEVEL, 4)), 1)
    each = [estimate.value for estimate in found.shares[ALL_EIGHT].values()]
    sure, cold = sure_of_cards(), sure_of_winters()
    best, worst = (end(CARDS, key=lambda card: found.forced[card, POINTS, MEAN].estimate.value) for end in (max, min))
    last = list(WINTERS)[-1]
    most, least = (end(CARDS, key=LOSSES.__getitem__) for end in (max, min))
    losing, mild = (found.winter[card, POINTS, last].estimate for card in (most, least))
    up, down = (_told(found.forced[card, POINTS, MEAN], sure) for card in (best, worst))
    return (
        f"**Answer.** In the round of its coming `{best}` brings a seat most, {up} VP, and `{worst}` costs it most, "
        f"{down} VP. As the loss of {last} `{most}` brings a seat {_points(losing, cold)} VP and `{least}` "
        f"{_points(mild, cold)} VP against the mean of the twelve. All eight cards together bring {brought} % of the "
        f"variance of a seat's points, and between {min(each):.1f} and {max(each):.1f} % over all {len(each)} cells."
    )


def heat_table(found: Events, outcomes: Sequence[str]) -> str:
    """One row per card: what it changes, in the mean of the rounds, with the sign that a player would guess."""
    sure, rows = sure_of_cards(), []
    for card in CARDS:
        cells = []
        for outcome in outcomes:
            sign = _SIGNS[guess(card, outcome)]
            cells.append(f"{_told(found.forced[card, outcome, MEAN], sure)}{f' (guess {sign})' if sign else ''}")
        rows.append((f"`{card}`", *cells))
    used = [found.forced[card, outcome, MEAN] for card in CARDS for outcome in outcomes]
    return table_of(found.scope, ("card in force against cancelled", *outcomes), rows, sure, used)


def guess_words(found: Events) -> str:
    """How many guesses came true, and which are wrong."""
    sure = sure_of_cards()
    sides: dict[str, list[str]] = {"right": [], "wrong": [], "open": []}
    for card in CARDS:
        for outcome in OUTCOMES:
            sign = guess(card, outcome)
            if sign:
                interval = found.forced[card, outcome, MEAN].estimate.interval(sure)
                side = "open"
                if interval is not None and (interval[0] > 0 or interval[1] < 0):
                    side = "right" if (interval[0] > 0) == (sign > 0) else "wrong"
                sides[side].append(f"`{card}` on {outcome}")
    total = sum(map(len, sides.values()))
    return (
        f"Of {total} guessed signs {len(sides['right'])} are right, {len(sides['wrong'])} wrong "
        f"({', '.join(sides['wrong']) or 'none'}), and {len(sides['open'])} not known "
        f"({', '.join(sides['open']) or 'none'})."
    )


def round_table(found: Events) -> str:
    """One row per card: victory points of a seat by round and year, and the screen of all outcomes by round."""
    moments = (*ROUND_NAMES, *YEARS)
    sure = Confidence(LEVEL, len(CARDS) * len(moments))
    rows = [(f"`{card}`", *(_told(found.forced[card, POINTS, moment], sure) for moment in moments)) for card in CARDS]
    table = table_of(found.scope, (f"{POINTS}, in force against cancelled", *moments), rows, sure)
    return f"{table}\n\n{screen_words(found)}"


def screen_words(found: Events) -> str:
    """How many changes of a card, outcome and round differ from 0, by Benjamini and Hochberg, and of which cards."""
    keys = [(card, outcome, moment) for card in CARDS for outcome in OUTCOMES[:-2] for moment in ROUND_NAMES]
    adjusted = benjamini_hochberg([p_value(found.forced[key].estimate, Confidence()) for key in keys])
    hits = [key for key, adjusted_p in zip(keys, adjusted, strict=True) if adjusted_p <= _FALSE]
    counts = {card: sum(key[0] == card for key in hits) for card in CARDS}
    each = ", ".join(f"`{card}` {number}" for card, number in sorted(counts.items(), key=lambda pair: -pair[1]))
    return (
        f"Screen: of {len(keys)} changes by card, outcome and round {len(hits)} differ from 0 (Benjamini and Hochberg, "
        f"{_FALSE:.0%} of them false at most in expectation): {each}."
    )


def winter_table(found: Events) -> str:
    """One row per card in the order of its loss: against the mean of the twelve, in each winter."""
    sure = sure_of_winters()
    heads = [f"{outcome}, {winter}" for winter in WINTERS for outcome in _winter_outcomes()]
    rows = []
    for card in sorted(CARDS, key=LOSSES.__getitem__):
        each = [found.winter[card, outcome, winter] for winter in WINTERS for outcome in _winter_outcomes()]
        rows.append((f"`{card}`", str(LOSSES[card]), *(_told(one, sure) for one in each)))
    used = list(found.winter.values())
    return table_of(found.scope, ("card as the winter's loss against the mean", "grain lost", *heads), rows, sure, used)


def open_table(found: Events) -> str:
    """One row per card: what lying open does, both times with that round's card cancelled."""
    shown = (*IN_ROUND, *AT_END[:3])
    sure = sure_of_cards(shown)
    rows = [(f"`{card}`", *(_told(found.open[card, outcome, MEAN], sure) for outcome in shown)) for card in CARDS]
    used = [found.open[card, outcome, MEAN] for card in CARDS for outcome in shown]
    return table_of(
        found.scope, ("card lying open against absent, its round's effect cancelled", *shown), rows, sure, used
    )


def lottery_words(found: Events) -> str:
    """Whether forced cards bring what the cards of the game's own lottery bring."""
    test, games = found.agreement, LOTTERY * found.scope.baseline * block_size(4)
    if test is None:
        return "Whether forced cards agree with the game's own lottery cannot be tested in so few blocks."
    agrees = "is not rejected" if test.p_value >= _REJECTED else "is rejected"
    return (
        f"Two ways: what each card brings in each round and winter by being forced there, and what it brings in "
        f"{games:,} games without interventions where it came there by itself, lying open included. That both are "
        f"alike {agrees} at {_REJECTED:.0%}: one joint test of {test.degrees[0]} differences in {POINTS} (Hotelling, "
        f"Yao), F = {test.f:.2f} with {test.degrees[0]} and {test.degrees[1]:,} degrees of freedom, "
        f"p = {test.p_value:.2f}."
    )


def share_tables(found: Events) -> str:
    """The share of the variance of a seat's points that cards bring, in every cell, set-up by set-up."""
    scope = found.scope
    sure = Confidence(LEVEL, len(found.shares) * len(found.cells))
    tables = []
    for name, shares in found.shares.items():
        for setup in scope.setups:
            order = (Cell(play.name, tower, setup) for tower in scope.towers for play in scope.plays)
            heading = f"% of the variance of a seat's VP, {name}, {SETUP_WORDS[setup]}"
            tables.append(tower_by_play({cell: shares[cell] for cell in order}, sure, heading, 1))
    few = f" {sure.too_few(LOTTERY * scope.others, 'blocks')}" if LOTTERY * scope.others < sure.min_blocks else ""
    words = (
        f"By main effects that are alike for all seats, in games without interventions; at least "
        f"{LOTTERY * scope.others:,} blocks a cell, {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.{few}"
    )
    return "\n\n".join((*tables, words))


def judged(found: Events) -> Robustness:
    """The claims, judged in all cells."""
    return robustness(CLAIMS, found.cells, found.scope.plays)


def picture(found: Events) -> Figure:
    """A heat table of the cards with guessed signs, and victory points by winter loss."""
    return events_at_a_glance(*drawn(found))


def drawn(found: Events) -> tuple[HeatTable, dict[str, list[tuple[int, Estimate]]], Confidence, str]:
    """What the picture shows: the heat table, the winters' losses with their points, their confidence, the title."""
    values = {card: [found.forced[card, outcome, MEAN].estimate for outcome in OUTCOMES] for card in CARDS}
    signs = {card: [_SIGNS[guess(card, outcome)] for outcome in OUTCOMES] for card in CARDS}
    losses = {
        winter: [(LOSSES[card], found.winter[card, POINTS, winter].estimate) for card in CARDS] for winter in WINTERS
    }
    title = (
        f"{found.scope.baseline:,} blocks of 24 games, strong play; coloured where the simultaneous {LEVEL:.0%} "
        "interval excludes 0; in brackets the sign that a player would guess"
    )
    return HeatTable(values, signs, OUTCOMES, sure_of_cards()), losses, sure_of_winters(), title


def _winter_outcomes() -> tuple[str, ...]:
    return (*IN_WINTER, *AT_END[:3])


def _told(each: Change, sure: Confidence) -> str:
    return _points(each.estimate, sure)


def _points(estimate: Estimate, sure: Confidence) -> str:
    return in_words(estimate.value, estimate.interval(sure), 2, "+")


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
