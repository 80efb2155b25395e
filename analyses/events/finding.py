"""The first screen of the page of the study `events`: how much the cards matter, and each card at both tables."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number, of_estimate
from wallsim.rules.event_words import event_words
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope
from wallsim.studies.table_captions import table_name

from ..robustness.answers import differing, not_known
from .cards import CARDS, LOSSES, WINTERS
from .estimates import ALL_EIGHT, AT_END, BOTH_WINTERS, CLAIMS, MEAN
from .figures import HEADLINE, IN_FORCE, PLAYERS, POINTS, SHARE, WINTER_LOSS, item, sure_of_cards, sure_of_winters

_TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE)
_LAST = list(WINTERS)[-1]
HUNGRIEST = max(CARDS, key=LOSSES.__getitem__)  # the card that takes most grain in winter


def finding_of(figures: Figures) -> Finding:
    """How much of a seat's luck the cards are, and what the worst of them cost."""
    return Finding(
        title_of(figures),
        _sentence(figures, CASUAL_TABLE),
        _sentence(figures, EXPERIENCED_TABLE),
        not_known(figures, CLAIMS),
        "What each event card changes in its round, with the sign that a player would guess, and victory points by the "
        "grain that the winter's card takes",
        differing(figures, CLAIMS),
    )


def title_of(figures: Figures) -> str:
    """The finding in a sentence: the share of the variance of points that the cards bring, and when they do."""
    shares = [figures.of(HEADLINE, ALL_EIGHT, players=PLAYERS, cell=table).value for table in _TABLES]
    winters = [figures.of(SHARE, BOTH_WINTERS, players=PLAYERS, cell=table).value for table in _TABLES]
    rounds = [every - winter for every, winter in zip(shares, winters, strict=True)]
    ending = ""
    if all(winter > max(0, rest) for winter, rest in zip(winters, rounds, strict=True)):
        ending = ", most in winter"
    elif all(rest > max(0, winter) for winter, rest in zip(winters, rounds, strict=True)):
        ending = ", most in their rounds"
    casual, experienced = (number(each, 1) for each in shares)
    return (
        f"Event cards explain {casual} % of the variance of points at casual tables and {experienced} % at experienced "
        f"ones{ending}"
    )


def worst_card(figures: Figures, table: Cell) -> str:
    """The card that costs most in its round at a table."""
    return min(CARDS, key=lambda card: in_force(figures, table, card, POINTS).value)


def _sentence(figures: Figures, table: Cell) -> str:
    worst = in_force(figures, table, worst_card(figures, table), POINTS)
    most = of_card(figures, table, WINTER_LOSS, HUNGRIEST, POINTS, _LAST)
    in_round, in_winter = worst.interval(sure_of_cards()), most.interval(sure_of_winters())
    costly = _costs(worst, in_round)
    first = f"The worst card costs {costly} VP in its round" if costly else "No card is known to cost VP in its round"
    lost = _costs(most, in_winter)
    return f"{first}, the greatest winter loss {f'costs {lost}' if lost else 'may cost none'}."


def _costs(figure: Measured, interval: Interval | None) -> str:
    # What is lost, without its sign; empty where a loss is not known.
    if not figure.value < 0 or (interval is not None and interval[1] >= 0):
        return ""
    return in_words(-figure.value, None if interval is None else (-interval[1], -interval[0]), 2)


def card_table(figures: Figures, scope: Scope) -> str:
    """One row per card: points of a seat in its round and as the last winter's loss, at both tables."""
    heads = ("event card", "grain in winter", *(f"in its round, {table_name(table)}" for table in _TABLES))
    heads = (*heads, *(f"as the loss of {_LAST}, {table_name(table)}" for table in _TABLES))
    rows = []
    for card in CARDS:
        here = (as_text(in_force(figures, table, card, POINTS), sure_of_cards()) for table in _TABLES)
        winter = (of_card(figures, table, WINTER_LOSS, card, POINTS, _LAST) for table in _TABLES)
        cold = (as_text(each, sure_of_winters()) for each in winter)
        rows.append((event_words(card), str(LOSSES[card]), *here, *cold))
    return (
        f"{markdown_table(heads, rows)}\n\nVP of a seat at the end. In its round: the card in force against the card "
        f"cancelled, mean of the rounds. As a loss: against the mean card. {scope.baseline:,} blocks of each table; "
        f"the ± are half-widths of {sure_of_cards().n_comparisons:,} (rounds) and {sure_of_winters().n_comparisons:,} "
        f"(winter) simultaneous {LEVEL:.0%} intervals."
    )


def as_text(each: Measured, sure: Confidence) -> str:
    """A change of a card with its half-width."""
    return of_estimate(each, sure, 2, sign="+")


def in_force(figures: Figures, table: Cell, card: str, outcome: str) -> Figure:
    """What a card in force changes of an outcome at a table, in the mean of its rounds."""
    moment = MEAN if outcome not in AT_END[3:] else "year 2"
    return of_card(figures, table, IN_FORCE, card, outcome, moment)


def of_card(figures: Figures, table: Cell, quantity: str, card: str, outcome: str, moment: str) -> Figure:
    """The figure of a card and an outcome at a table."""
    return figures.of(quantity, item(card, outcome), players=PLAYERS, cell=table, moment=moment)
