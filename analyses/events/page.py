"""The page of the study `events`: the answer and all tables, made from the register."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.scope import Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, robust_words, scope_words, table_of

from .estimates import (
    ALL_EIGHT,
    AT_END,
    CLAIMS,
    EXPERIMENT,
    IN_ROUND,
    LOSSES,
    LOTTERY,
    MEAN,
    OUTCOMES,
    SHARES,
    WINTERS,
    guess,
    scenarios,
)  # fmt: skip
from .figures import (
    FALSE,
    HEADLINE,
    IN_FORCE,
    LOTTERY_TEST,
    LYING_OPEN,
    MOMENTS,
    OPEN_OUTCOMES,
    PLAYERS,
    POINTS,
    POINTS_BY_MOMENT,
    SCREEN,
    SHARE,
    WINTER_LOSS,
    WINTER_OUTCOMES,
    item,
    of_headline,
    sure_of_cards,
    sure_of_moments,
    sure_of_winters,
)  # fmt: skip
from .lottery import CARDS
from .picture import HeatTable, events_at_a_glance

MARK = "events figures"
_SIGNS = {1: "+", -1: "−", 0: ""}
_REJECTED = 0.01


def page(figures: Figures, scope: Scope) -> Page:
    """All tables with the answer above them."""
    result = read_claims(figures, CLAIMS, scope.plays)
    parts = (
        scope_words(scope, load_experiment(EXPERIMENT), len(scenarios())),
        answer_words(figures, scope),
        heat_table(figures, scope, IN_ROUND),
        heat_table(figures, scope, AT_END),
        guess_words(figures, scope),
        round_table(figures, scope),
        winter_table(figures, scope),
        open_table(figures, scope),
        lottery_words(figures, scope),
        share_tables(figures, scope),
        verdict_table(result.verdicts, result.estimates, result.confidence, 2),
        f"{robust_words(result)} {limits(result.confidence, scope.others, len(scope.cells()))}",
    )
    return Page({MARK: "\n\n".join(parts)})


def answer_words(figures: Figures, scope: Scope) -> str:
    """The answer in three sentences with intervals."""
    share = figures.of(HEADLINE, ALL_EIGHT, players=PLAYERS, cell=scope.baseline_cell())
    brought = in_words(share.value, share.interval(of_headline()), 1)
    each = [figure.value for figure in figures.cells(SHARE, ALL_EIGHT, players=PLAYERS).values()]
    sure, cold = sure_of_cards(), sure_of_winters()
    best, worst = (end(CARDS, key=lambda card: in_force(figures, scope, card, POINTS).value) for end in (max, min))
    last = list(WINTERS)[-1]
    most, least = (end(CARDS, key=LOSSES.__getitem__) for end in (max, min))
    losing, mild = (_of(figures, scope, WINTER_LOSS, card, POINTS, last) for card in (most, least))
    up, down = (_as_text(in_force(figures, scope, card, POINTS), sure) for card in (best, worst))
    return (
        f"**Answer.** In the round of its coming `{best}` brings a seat most, {up} VP, and `{worst}` costs it most, "
        f"{down} VP. As the loss of {last} `{most}` brings a seat {_points(losing, cold)} VP and `{least}` "
        f"{_points(mild, cold)} VP against the mean of the twelve. All eight cards together bring {brought} % of the "
        f"variance of a seat's points, and between {min(each):.1f} and {max(each):.1f} % over all {len(each)} cells."
    )


def heat_table(figures: Figures, scope: Scope, outcomes: Sequence[str]) -> str:
    """One row per card: what it changes, in the mean of the rounds, with the sign that a player would guess."""
    sure, rows = sure_of_cards(), []
    for card in CARDS:
        cells = []
        for outcome in outcomes:
            sign = _SIGNS[guess(card, outcome)]
            cells.append(
                f"{_as_text(in_force(figures, scope, card, outcome), sure)}{f' (guess {sign})' if sign else ''}"
            )
        rows.append((f"`{card}`", *cells))
    used = [in_force(figures, scope, card, outcome) for card in CARDS for outcome in outcomes]
    return table_of(scope, ("card in force against cancelled", *outcomes), rows, sure, used)


def guess_words(figures: Figures, scope: Scope) -> str:
    """How many guesses came true, and which are wrong."""
    sure = sure_of_cards()
    sides: dict[str, list[str]] = {"right": [], "wrong": [], "open": []}
    for card in CARDS:
        for outcome in OUTCOMES:
            sign = guess(card, outcome)
            if sign:
                interval = in_force(figures, scope, card, outcome).interval(sure)
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


def round_table(figures: Figures, scope: Scope) -> str:
    """One row per card: victory points of a seat by round and year, and the screen of all outcomes by round."""
    sure = sure_of_moments()
    rows = [
        (
            f"`{card}`",
            *(_as_text(_of(figures, scope, POINTS_BY_MOMENT, card, POINTS, moment), sure) for moment in MOMENTS),
        )
        for card in CARDS
    ]
    table = table_of(scope, (f"{POINTS}, in force against cancelled", *MOMENTS), rows, sure)
    return f"{table}\n\n{screen_words(figures, scope)}"


def screen_words(figures: Figures, scope: Scope) -> str:
    """How many changes of a card, outcome and round differ from 0, by Benjamini and Hochberg, and of which cards."""
    estimated, tested = (figures.of(SCREEN, name, players=PLAYERS).value for name in ("found", "tested"))
    counts = {card: round(figures.of(SCREEN, card, players=PLAYERS).value) for card in CARDS}
    each = ", ".join(f"`{card}` {number}" for card, number in sorted(counts.items(), key=lambda pair: -pair[1]))
    return (
        f"Screen: of {tested:.0f} changes by card, outcome and round {estimated:.0f} differ from 0 (Benjamini and "
        f"Hochberg, {FALSE:.0%} of them false at most in expectation): {each}."
    )


def winter_table(figures: Figures, scope: Scope) -> str:
    """One row per card in the order of its loss: against the mean of the twelve, in each winter."""
    sure = sure_of_winters()
    heads = [f"{outcome}, {winter}" for winter in WINTERS for outcome in WINTER_OUTCOMES]
    rows = []
    for card in sorted(CARDS, key=LOSSES.__getitem__):
        each = [
            _of(figures, scope, WINTER_LOSS, card, outcome, winter) for winter in WINTERS for outcome in WINTER_OUTCOMES
        ]
        rows.append((f"`{card}`", str(LOSSES[card]), *(_as_text(one, sure) for one in each)))
    used = [
        _of(figures, scope, WINTER_LOSS, card, outcome, winter)
        for card in CARDS
        for outcome in WINTER_OUTCOMES
        for winter in WINTERS
    ]
    return table_of(scope, ("card as the winter's loss against the mean", "grain lost", *heads), rows, sure, used)


def open_table(figures: Figures, scope: Scope) -> str:
    """One row per card: what lying open does, both times with that round's card cancelled."""
    shown, sure = OPEN_OUTCOMES, sure_of_cards(OPEN_OUTCOMES)
    rows = [
        (f"`{card}`", *(_as_text(_of(figures, scope, LYING_OPEN, card, outcome, MEAN), sure) for outcome in shown))
        for card in CARDS
    ]
    used = [_of(figures, scope, LYING_OPEN, card, outcome, MEAN) for card in CARDS for outcome in shown]
    return table_of(scope, ("card lying open against absent, its round's effect cancelled", *shown), rows, sure, used)


def lottery_words(figures: Figures, scope: Scope) -> str:
    """Whether forced cards bring what the cards of the game's own lottery bring."""
    home = scope.baseline_cell()
    numbers = {
        name: figures.of(LOTTERY_TEST, name, players=PLAYERS, cell=home).value
        for name in ("games", "differences", "degrees", "F", "p")
        if figures.cells(LOTTERY_TEST, name, players=PLAYERS)
    }
    if not numbers:
        return "Whether forced cards agree with the game's own lottery cannot be tested in so few blocks."
    agrees = "is not rejected" if numbers["p"] >= _REJECTED else "is rejected"
    tested, p = f"{numbers['differences']:.0f}", numbers["p"]
    return (
        f"Two ways: what each card brings in each round and winter by being forced there, and what it brings in "
        f"{numbers['games']:,.0f} games without interventions where it came there by itself, lying open included. "
        f"That both are alike {agrees} at {_REJECTED:.0%}: one joint test of {tested} differences in {POINTS} "
        f"(Hotelling, Yao), F = {numbers['F']:.2f} with {tested} and {numbers['degrees']:,.0f} degrees of freedom, "
        f"p = {p:.2f}."
    )


def share_tables(figures: Figures, scope: Scope) -> str:
    """The share of the variance of a seat's points that cards bring, in every cell, set-up by set-up."""
    scope = scope
    sure = Confidence(LEVEL, len(SHARES) * len(scope.cells()))
    tables = []
    for name in SHARES:
        shares = figures.cells(SHARE, name, players=PLAYERS)
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


def picture(figures: Figures, scope: Scope) -> Picture:
    """A heat table of the cards with guessed signs, and victory points by winter loss."""
    return events_at_a_glance(*drawn(figures, scope))


def drawn(figures: Figures, scope: Scope) -> tuple[HeatTable, dict[str, list[tuple[int, Figure]]], Confidence, str]:
    """What the picture shows: the heat table, the winters' losses with their points, their confidence, the title."""
    values = {card: [in_force(figures, scope, card, outcome) for outcome in OUTCOMES] for card in CARDS}
    signs = {card: [_SIGNS[guess(card, outcome)] for outcome in OUTCOMES] for card in CARDS}
    losses = {
        winter: [(LOSSES[card], _of(figures, scope, WINTER_LOSS, card, POINTS, winter)) for card in CARDS]
        for winter in WINTERS
    }
    title = (
        f"{scope.baseline:,} blocks of 24 games, strong play; coloured where the simultaneous {LEVEL:.0%} "
        "interval excludes 0; in brackets the sign that a player would guess"
    )
    return HeatTable(values, signs, OUTCOMES, sure_of_cards()), losses, sure_of_winters(), title


def _as_text(each: Figure, sure: Confidence) -> str:
    return _points(each, sure)


def _points(estimate: Measured, sure: Confidence) -> str:
    return in_words(estimate.value, estimate.interval(sure), 2, "+")


def in_force(figures: Figures, scope: Scope, card: str, outcome: str) -> Figure:
    """What a card in force changes of an outcome, in the mean of its rounds."""
    moment = MEAN if outcome not in AT_END[3:] else "year 2"
    return _of(figures, scope, IN_FORCE, card, outcome, moment)


def _of(figures: Figures, scope: Scope, quantity: str, card: str, outcome: str, moment: str) -> Figure:
    return figures.of(quantity, item(card, outcome), players=PLAYERS, cell=scope.baseline_cell(), moment=moment)
