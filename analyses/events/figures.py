"""The figures of the study `events` in the register."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.screening import benjamini_hochberg, p_value
from wallsim.studies.changes import Change
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows
from wallsim.studies.games import block_size

from .cards import CARDS, LOSSES, WINTERS
from .estimates import (
    ALL_EIGHT,
    AT_END,
    CLAIMS,
    IN_ROUND,
    IN_WINTER,
    LOTTERY,
    MEAN,
    OUTCOMES,
    POORER,
    YEARS,
    Events,
)
from .more_figures import add_more
from .open_figures import add_open_cards

POINTS = AT_END[0]
PLAYERS = 4  # players
IN_FORCE, POINTS_BY_MOMENT, BY_ROUND, SCREEN = "in-force", "points", "by-round", "screen"
LYING_OPEN, WINTER_LOSS, GRAIN_LOST = "lying-open", "winter-loss", "grain-lost"
SHARE, HEADLINE, LOTTERY_TEST = "share-of-variance", "headline", "lottery"
OPEN_OUTCOMES = (*IN_ROUND, *AT_END[:3])
WINTER_OUTCOMES = (*IN_WINTER, *AT_END[:3])
SCREENED = OUTCOMES[:-2]
MOMENTS = (*ROUND_NAMES, *YEARS)
# Of the claims.
UNITS = {claim.outcome: "counts a round" for claim in CLAIMS} | {POORER: "VP"}
FALSE = 0.05  # the share of false ones among the findings of the screen, at most, in expectation


def item(card: str, outcome: str) -> str:
    """The item of a card's change of an outcome."""
    return f"{card} {outcome}"


def sure_of_cards(outcomes: Sequence[str] = OUTCOMES) -> Confidence:
    """The confidence of the intervals of a table of cards by outcome."""
    return Confidence(LEVEL, len(CARDS) * len(outcomes))


def sure_of_moments() -> Confidence:
    """The confidence of the intervals of points by card, round and year."""
    return Confidence(LEVEL, len(CARDS) * len(MOMENTS))


def sure_of_winters() -> Confidence:
    """The confidence of the intervals of the table of winters."""
    return Confidence(LEVEL, len(CARDS) * len(WINTER_OUTCOMES) * len(WINTERS))


def of_headline() -> Confidence:
    """The confidence of the interval of the share of variance in the answer."""
    return Confidence(LEVEL, 4)


def unit_of(outcome: str) -> str:
    """The unit of an outcome."""
    return "VP" if "VP" in outcome else outcome


def add_figures(result: Events, rows: Rows) -> None:
    """Add every figure: cards in force, lying open and as winter losses, shares of the variance, tests and claims."""
    _add_changes(result, rows)
    _add_screen(result, rows)
    home = result.scope.baseline_cell()
    for card, loss in LOSSES.items():
        rows.number(GRAIN_LOST, card, loss, words=f"grain that {card} takes as the winter's loss", unit="grain")
    sure = Confidence(LEVEL, len(result.shares) * len(result.cells))
    for name, by_cell in result.shares.items():
        words = f"share of the variance of a seat's VP that {name} bring"
        for cell, share in by_cell.items():
            rows.estimate(SHARE, name, share, sure, words=words, unit="%", players=PLAYERS, cell=cell)
    words = f"share of the variance of a seat's VP that {ALL_EIGHT} bring"
    for table in result.scope.tables:
        share = result.shares[ALL_EIGHT][table]
        rows.estimate(HEADLINE, ALL_EIGHT, share, of_headline(), words=words, unit="%", players=PLAYERS, cell=table)
    if result.agreement is not None:
        test, games = result.agreement, LOTTERY * result.scope.baseline * block_size(PLAYERS)
        for name, value, words in (
            ("games", games, "games without interventions of the test"),
            ("differences", test.degrees[0], "differences tested: degrees of freedom of the numerator of F"),
            ("degrees", test.degrees[1], "degrees of freedom of the denominator of F"),
            ("F", test.f, "F of the test that forced cards bring what the game's own lottery brings"),
            ("p", test.p_value, "p-value of that test"),
        ):
            rows.number(LOTTERY_TEST, name, value, words=words, unit="number", players=PLAYERS, cell=home)
    add_more(result.grain, result.holdings, rows)
    add_open_cards(result.open_cards, rows)
    add_claims(rows, CLAIMS, result.cells, result.scope.plays, UNITS)


def _add_changes(result: Events, rows: Rows) -> None:
    def add(quantity: str, card: str, outcome: str, moment: str, each: Change, sure: Confidence, words: str) -> None:
        rows.estimate(
            quantity, item(card, outcome), each.estimate, sure, words=f"{outcome}: {words.format(card)}",
            unit=unit_of(outcome), players=PLAYERS, cell=table, moment=moment, null=0.0, pairing=each.gain,
        )  # fmt: skip

    in_force = "{} in force in the treated round, against the card cancelled"
    lying_open = "{} lying open and cancelled, against another card cancelled"
    loss = "{} as the winter's loss, against the mean of the twelve"
    for table in result.scope.tables:
        forced, lying, winters = result.forced[table], result.open[table], result.winter[table]
        for card in CARDS:
            for outcome in OUTCOMES:
                moment = MEAN if outcome not in AT_END[3:] else "year 2"
                add(IN_FORCE, card, outcome, moment, forced[card, outcome, MEAN], sure_of_cards(), in_force)
            for outcome in OPEN_OUTCOMES:
                sure = sure_of_cards(OPEN_OUTCOMES)
                add(LYING_OPEN, card, outcome, MEAN, lying[card, outcome, MEAN], sure, lying_open)
            for outcome in WINTER_OUTCOMES:
                for winter in WINTERS:
                    add(WINTER_LOSS, card, outcome, winter, winters[card, outcome, winter], sure_of_winters(), loss)
            for moment in MOMENTS:
                add(POINTS_BY_MOMENT, card, POINTS, moment, forced[card, POINTS, moment], sure_of_moments(), in_force)


def _add_screen(result: Events, rows: Rows) -> None:
    # All changes by round, and how many of each card differ from 0 by the method of Benjamini and Hochberg.
    keys = [
        (table, (card, outcome, moment))
        for table in result.scope.tables
        for card in CARDS
        for outcome in SCREENED
        for moment in ROUND_NAMES
    ]
    sure = Confidence(LEVEL, len(keys))
    adjusted = benjamini_hochberg([p_value(result.forced[table][key].estimate, Confidence()) for table, key in keys])
    for table, (card, outcome, moment) in keys:
        each = result.forced[table][card, outcome, moment]
        rows.estimate(
            BY_ROUND, item(card, outcome), each.estimate, sure, words=f"{outcome}: {card} in force, against cancelled",
            unit=unit_of(outcome), players=PLAYERS, cell=table, moment=moment, null=0.0, pairing=each.gain,
        )  # fmt: skip
    hits = [key for (_, key), adjusted_p in zip(keys, adjusted, strict=True) if adjusted_p <= FALSE]
    _add_counts(rows, {card: sum(key[0] == card for key in hits) for card in CARDS}, len(keys))


def _add_counts(rows: Rows, counts: Mapping[str, int], tested: int) -> None:
    words = "changes by outcome and round that differ from 0, by Benjamini and Hochberg"
    for card, number in counts.items():
        rows.number(SCREEN, card, number, words=f"{words}: {card}", unit="changes", players=PLAYERS)
    rows.number(SCREEN, "found", sum(counts.values()), words=words, unit="changes", players=PLAYERS)
    rows.number(SCREEN, "tested", tested, words="changes by card, outcome and round", unit="changes", players=PLAYERS)
