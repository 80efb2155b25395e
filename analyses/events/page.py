"""The page of the study `events`: the finding, all tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.verdicts import tower_by_play
from wallsim.rules.event_words import event_words
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.scope import Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, scope_words, table_name, table_of

from ..robustness.answers import claims_table
from .cards import CARDS, EXPERIMENT, LOSSES, WINTERS
from .estimates import (
    AT_END,
    CLAIMS,
    GUESSES,
    IN_ROUND,
    LOTTERY,
    MEAN,
    OUTCOMES,
    SHARES,
    effect_of,
    guess,
    scenarios,
)  # fmt: skip
from .figures import (
    FALSE,
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
    sure_of_cards,
    sure_of_moments,
    sure_of_winters,
)  # fmt: skip
from .finding import as_text, card_table, finding_of, in_force, of_card
from .more_page import grain_tables, holding_tables
from .open_page import open_tables
from .picture import HeatTable, events_at_a_glance

_SIGNS = {1: "+", -1: "−", 0: ""}
_REJECTED = 0.01


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with all cards, and all tables."""
    parts = (
        scope_words(scope, load_experiment(EXPERIMENT), len(scenarios())),
        *(heat_table(figures, scope, table, outcomes) for outcomes in (IN_ROUND, AT_END) for table in scope.tables),
        *(guess_words(figures, table) for table in scope.tables),
        *(round_table(figures, scope, table) for table in scope.tables),
        screen_words(figures),
        *(winter_table(figures, scope, table) for table in scope.tables),
        *(open_table(figures, scope, table) for table in scope.tables),
        lottery_words(figures, scope),
        share_tables(figures, scope),
        *grain_tables(figures, scope),
        *open_tables(figures, scope),
        *holding_tables(figures, scope),
        claim_table(figures, scope),
    )
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, card_table(figures, scope), "\n\n".join(parts))


def heat_table(figures: Figures, scope: Scope, table: Cell, outcomes: Sequence[str]) -> str:
    """One row per card: what it changes, in the mean of the rounds, with the sign that a player would guess."""
    sure, rows = sure_of_cards(), []
    for card in CARDS:
        cells = []
        for outcome in outcomes:
            sign = _SIGNS[guess(card, outcome)]
            cells.append(
                f"{as_text(in_force(figures, table, card, outcome), sure)}{f' (guess {sign})' if sign else ''}"
            )
        rows.append((event_words(card), *cells))
    used = [in_force(figures, table, card, outcome) for card in CARDS for outcome in outcomes]
    return table_of(scope, (f"card in force against cancelled, {table_name(table)}", *outcomes), rows, sure, used)


def guess_words(figures: Figures, table: Cell) -> str:
    """How many guesses came true, and which are wrong."""
    sure = sure_of_cards()
    sides: dict[str, list[str]] = {"right": [], "wrong": [], "open": []}
    for card in CARDS:
        for outcome in OUTCOMES:
            sign = guess(card, outcome)
            if sign:
                interval = in_force(figures, table, card, outcome).interval(sure)
                side = "open"
                if interval is not None and (interval[0] > 0 or interval[1] < 0):
                    side = "right" if (interval[0] > 0) == (sign > 0) else "wrong"
                sides[side].append(f"{event_words(card)} on {outcome}")
    total = sum(map(len, sides.values()))
    return (
        f"At the {table_name(table)}: of {total} guessed signs {len(sides['right'])} are right, "
        f"{len(sides['wrong'])} wrong ({', '.join(sides['wrong']) or 'none'}), and {len(sides['open'])} not known "
        f"({', '.join(sides['open']) or 'none'})."
    )


def round_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """One row per card: victory points of a seat by round and year."""
    sure = sure_of_moments()
    rows = [
        (
            event_words(card),
            *(as_text(of_card(figures, table, POINTS_BY_MOMENT, card, POINTS, moment), sure) for moment in MOMENTS),
        )
        for card in CARDS
    ]
    return table_of(scope, (f"{POINTS}, in force against cancelled, {table_name(table)}", *MOMENTS), rows, sure)


def screen_words(figures: Figures) -> str:
    """How many changes of a card, outcome and round differ from 0, by Benjamini and Hochberg, and of which cards."""
    estimated, tested = (figures.of(SCREEN, name, players=PLAYERS).value for name in ("found", "tested"))
    counts = {event_words(card): round(figures.of(SCREEN, card, players=PLAYERS).value) for card in CARDS}
    each = "; ".join(f"{words}: {number}" for words, number in sorted(counts.items(), key=lambda pair: -pair[1]))
    return (
        f"Screen: of {tested:,.0f} changes by card, outcome and round, at all tables together, {estimated:.0f} differ "
        f"from 0 (Benjamini and Hochberg, {FALSE:.0%} of them false at most in expectation): {each}."
    )


def winter_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """One row per card in the order of its loss: against the mean of the twelve, in each winter."""
    sure = sure_of_winters()
    heads = [f"{outcome}, {winter}" for winter in WINTERS for outcome in WINTER_OUTCOMES]
    rows = []
    for card in sorted(CARDS, key=LOSSES.__getitem__):
        each = [
            of_card(figures, table, WINTER_LOSS, card, outcome, winter)
            for winter in WINTERS
            for outcome in WINTER_OUTCOMES
        ]
        rows.append((event_words(card), str(LOSSES[card]), *(as_text(one, sure) for one in each)))
    used = [
        of_card(figures, table, WINTER_LOSS, card, outcome, winter)
        for card in CARDS
        for outcome in WINTER_OUTCOMES
        for winter in WINTERS
    ]
    head = f"card as the winter's loss against the mean, {table_name(table)}"
    return table_of(scope, (head, "grain lost", *heads), rows, sure, used)


def open_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """One row per card: what lying open does, both times with that round's card cancelled."""
    shown, sure = OPEN_OUTCOMES, sure_of_cards(OPEN_OUTCOMES)
    changes = {card: [of_card(figures, table, LYING_OPEN, card, outcome, MEAN) for outcome in shown] for card in CARDS}
    rows = [(event_words(card), *(as_text(each, sure) for each in row)) for card, row in changes.items()]
    used = [each for row in changes.values() for each in row]
    head = f"card lying open against absent, its round's effect cancelled, {table_name(table)}"
    return table_of(scope, (head, *shown), rows, sure, used)


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
        f"{numbers['games']:,.0f} games without interventions where it came there by itself, lying open included, at "
        f"the {table_name(home)}. That both are alike {agrees} at {_REJECTED:.0%}: one joint test of {tested} "
        f"differences in {POINTS} (Hotelling, Yao), F = {numbers['F']:.2f} with {tested} and "
        f"{numbers['degrees']:,.0f} degrees of freedom, p = {p:.2f}."
    )


def share_tables(figures: Figures, scope: Scope) -> str:
    """The share of the variance of a seat's points that cards bring, in every cell, set-up by set-up."""
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


def claim_table(figures: Figures, scope: Scope) -> str:
    """The claims with their answers, and what they are measured by in words."""
    sure = Confidence(LEVEL, len(CLAIMS) * len(scope.cells()))
    table = claims_table(figures, CLAIMS, scope.plays, decimals=2)
    for claim in CLAIMS:
        table = table.replace(f"| {claim.outcome} > ", f"| {measured_by(claim.outcome)} > ")
    return f"{table} {limits(sure, scope.others, len(scope.cells()))}"


def measured_by(outcome: str) -> str:
    """The outcome of a claim in words."""
    if outcome in GUESSES:
        what, sign = next(iter(GUESSES[outcome].items()))
        cards = [event_words(card) for card in CARDS if effect_of(card) == outcome]
        return f"{'rise' if sign > 0 else 'drop'} in {what} by {' and '.join(cards)}"
    for card in CARDS:
        outcome = outcome.replace(card, event_words(card))
    return outcome


def picture(figures: Figures, scope: Scope) -> Picture:
    """A heat table of the cards with guessed signs, and victory points by winter loss."""
    title = f"What each event card changes in its round, {table_name(scope.baseline_cell())}"
    note = (
        f"{scope.baseline:,} blocks of 24 games; coloured where the simultaneous {LEVEL:.0%} interval excludes 0; in "
        "brackets the sign that a player would guess"
    )
    return events_at_a_glance(*drawn(figures, scope), title, note)


def drawn(figures: Figures, scope: Scope) -> tuple[HeatTable, dict[str, list[tuple[int, Figure]]], Confidence]:
    """What the picture shows: the heat table, the winters' losses with their points, and their confidence."""
    table = scope.baseline_cell()
    values = {card: [in_force(figures, table, card, outcome) for outcome in OUTCOMES] for card in CARDS}
    signs = {card: [_SIGNS[guess(card, outcome)] for outcome in OUTCOMES] for card in CARDS}
    losses = {
        winter: [(LOSSES[card], of_card(figures, table, WINTER_LOSS, card, POINTS, winter)) for card in CARDS]
        for winter in WINTERS
    }
    return HeatTable(values, signs, OUTCOMES, sure_of_cards()), losses, sure_of_winters()
