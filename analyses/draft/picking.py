"""The tables of the study `draft` about the order of picks, drafters and claims, made from the register."""

from __future__ import annotations

from typing import Any

from wallsim.analysis.claims.robustness import Robustness
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import ends, in_words, number
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures, figure_id

from ..robustness.answers import claims_table
from .cells import DRAFT, PLAYERS, Scope
from .claims import CHOSEN, CLAIMS
from .counties import as_text, beneath, plays_of
from .drafters import DRAFTERS
from .figures import (
    EQUAL_PLACES,
    EQUAL_SEATS,
    GAIN,
    HEADLINE,
    ORDINALS,
    PLACE,
    PRICE,
    sure_of_gains,
    sure_of_order,
)

JOINT = 0.01  # the level of the joint tests that places, and seats, are equal


def order_table(figures: Figures, scope: Scope) -> str:
    """One row a play: points and wins by place in the order of picks, joint tests, and the price of going first."""
    sure, first, rows = sure_of_order(scope), scope.towers[0], []
    for play in plays_of(scope):
        at: dict[str, Any] = {"players": PLAYERS, "play": play, "setup": DRAFT}
        price = figures.of(PRICE, "Thalers", tower=first, **at)
        rows.append(
            (
                play,
                *(as_text(figures.of(PLACE["points"], each, **at), sure) for each in ORDINALS),
                *(as_text(figures.of(PLACE["wins"], ORDINALS[place], **at), sure, 1) for place in (0, -1)),
                *(_probability(_test(figures, quantity, play)) for quantity in (EQUAL_PLACES, EQUAL_SEATS)),
                in_words(price.value, price.interval(sure), 1, "+"),
            )
        )
    heads = (
        "play", "picks first, VP", "second", "third", "last", "wins of the first, % points", "wins of the last",
        "places equal, p", "seats equal, p", f"first less last, Thalers ({first})",
    )  # fmt: skip
    what = (
        "VP above the table's mean and wins above the fair share by place in the order of picks, the default in all "
        "seats, `draft_start = random`, mean of all towers; p of Hotelling's joint test, judged at "
        f"{JOINT:g}; Thalers at the price of the study `price` in the same cell, mean of all rounds"
    )
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, scope.drafts, what, 'drafts in each cell')}"


def unequal_places(figures: Figures, scope: Scope) -> list[str]:
    """The plays in which the joint test tells the places in the order of picks apart."""
    tests = {play: _test(figures, EQUAL_PLACES, play) for play in plays_of(scope)}
    return [play for play, test in tests.items() if test is not None and test.value < JOINT]


def drafter_table(figures: Figures, scope: Scope, what: str = "points") -> str:
    """One row a drafter: what it brings one seat against three of the default, in every play."""
    plays, sure = plays_of(scope), sure_of_gains(scope)
    at: dict[str, Any] = {"players": PLAYERS, "setup": DRAFT}
    rows = [
        (name, *(as_text(figures.of(GAIN[what], name, play=play, **at), sure) for play in plays)) for name in DRAFTERS
    ]
    unit = "VP above the table's mean" if what == "points" else "wins above the fair share, % points"
    words = (
        f"{unit[0].upper()}{unit[1:]} of one seat that picks so against three of the default, over all seats and "
        "towers; the default itself brings 0. Fresh drafts, not of the seed that the tables were estimated on"
    )
    return (
        markdown_table((f"one seat picks by, {unit}", *plays), rows)
        + "\n\n"
        + beneath(sure, scope.matches, words, f"drafts of each drafter in each cell, each in {PLAYERS} seats")
    )


def claim_table(figures: Figures, scope: Scope) -> str:
    """Every claim with its extremes over the cells, and the answer."""
    sure, least = judged(figures, scope).confidence, min(scope.deals, scope.drafts, scope.matches)
    few = f" {sure.too_few(least, 'games')}" if least < sure.min_blocks else ""
    words = (
        f"Lowest and highest are of {len(scope.cells(DRAFT))} cells of play and tower, dealt or drafted, by "
        f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few} The {len(CHOSEN)} claims about single "
        "counties were chosen by the tables of this study, so only games of another seed judge them."
    )
    return f"{claims_table(figures, CLAIMS, scope.plays, players=PLAYERS, decimals=2)}\n\n{words}"


def judged(figures: Figures, scope: Scope) -> Robustness:
    """CLAIMS, judged in every play and tower."""
    return read_claims(figures, CLAIMS, scope.plays, players=PLAYERS)


def price_words(figures: Figures, scope: Scope) -> str:
    """What the first pick brings in strong play over the last, in VP and in Thalers."""
    cell, sure = scope.home(DRAFT), Confidence(LEVEL, 2)
    apart, price = (figures.of(HEADLINE, item, players=PLAYERS, cell=cell) for item in ("first less last", "Thalers"))
    interval = price.interval(sure)
    thalers = f"{number(price.value, 1, '+')} Thalers" + (f" ({ends(interval, 1)})" if interval else "")
    return f"{as_text(apart, sure)} VP, which is {thalers}"


def _test(figures: Figures, quantity: str, play: str) -> Figure | None:
    # Without enough drafts there is no test.
    return figures.get(figure_id(figures.study, quantity, players=PLAYERS, play=play, setup=DRAFT))


def _probability(test: Figure | None) -> str:
    if test is None:
        return "–"
    return "< 0.0001" if test.value < 1e-4 else number(test.value, 4)
