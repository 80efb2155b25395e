"""The tables of the study `draft` about the order of picks, drafters and claims, as Markdown."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import ends, in_words, number
from wallsim.report.tables.verdicts import verdict_table
from wallsim.stats.hotelling import JointTest
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.words import robust_words

from ..price.prices import in_thalers, price_of, read_prices
from .cells import DRAFT, PLAYERS
from .drafters import DRAFTERS
from .estimates import Draft, judged
from .order import equal_places, equal_seats, places
from .page import beneath, plays_of, told

JOINT = 0.01  # the level of the joint tests that places, and seats, are equal


def order_table(found: Draft) -> str:
    """One row a play: points and wins by place in the order of picks, joint tests, and the price of going first."""
    plays, prices, first = plays_of(found), read_prices(), found.scope.towers[0]
    sure, rows = Confidence(LEVEL, len(plays) * (2 * PLAYERS + 1)), []
    for play in plays:
        drafts = found.of_play(play)
        points, wins = places(drafts, "points"), places(drafts, "wins")
        cell = Cell(play, first, DRAFT)
        here = places([found.drafts[cell]], "points")
        price = in_thalers(here[0] - here[-1], price_of(prices, PLAYERS, cell))
        rows.append(
            (
                play,
                *(told(each, sure) for each in points),
                *(told(wins[place], sure, 1) for place in (0, -1)),
                _test(equal_places(drafts)),
                _test(equal_seats(drafts)),
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
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, found.scope.drafts, what, 'drafts in each cell')}"


def unequal_places(found: Draft) -> list[str]:
    """The plays in which the joint test tells the places in the order of picks apart."""
    tests = {play: equal_places(found.of_play(play)) for play in plays_of(found)}
    return [play for play, test in tests.items() if test is not None and test.p_value < JOINT]


def drafter_table(found: Draft, what: str = "points") -> str:
    """One row a drafter: what it brings one seat against three of the default, in every play."""
    plays = plays_of(found)
    sure = Confidence(LEVEL, len(plays) * len(DRAFTERS))
    rows = [(name, *(told(found.gain(play, name, what), sure) for play in plays)) for name in DRAFTERS]
    unit = "VP above the table's mean" if what == "points" else "wins above the fair share, % points"
    words = (
        f"{unit[0].upper()}{unit[1:]} of one seat that picks so against three of the default, over all seats and "
        "towers; the default itself brings 0. Fresh drafts, not of the seed that the tables were estimated on"
    )
    return (
        markdown_table((f"one seat picks by, {unit}", *plays), rows)
        + "\n\n"
        + beneath(sure, found.scope.matches, words, f"drafts of each drafter in each cell, each in {PLAYERS} seats")
    )


def claim_table(found: Draft) -> str:
    """Every claim with its extremes over the cells, and the verdict."""
    result = judged(found)
    rows = verdict_table(result.verdicts, result.estimates, result.confidence, 2)
    least = min(found.scope.deals, found.scope.drafts, found.scope.matches)
    few = f" {result.confidence.too_few(least, 'games')}" if least < result.confidence.min_blocks else ""
    words = (
        f"{robust_words(result)} Judged in {len(found.scope.cells(DRAFT))} cells of play and tower, dealt or drafted, "
        f"by {result.confidence.n_comparisons:,} simultaneous {LEVEL:.0%} intervals; a claim is robust only if it "
        f"holds in all.{few}"
    )
    return f"{rows}\n\n{words}"


def _test(test: JointTest | None) -> str:
    if test is None:
        return "–"
    return "< 0.0001" if test.p_value < 1e-4 else number(test.p_value, 4)


def price_words(found: Draft) -> str:
    """What the first pick brings in strong play over the last, in VP and in Thalers."""
    cell = found.scope.home(DRAFT)
    sure = Confidence(LEVEL, 2)
    order = places([found.drafts[cell]], "points")
    apart = order[0] - order[-1]
    price = in_thalers(apart, price_of(read_prices(), PLAYERS, cell))
    interval = price.interval(sure)
    thalers = f"{number(price.value, 1, '+')} Thalers" + (f" ({ends(interval, 1)})" if interval else "")
    return f"{told(apart, sure)} VP, which is {thalers}"
