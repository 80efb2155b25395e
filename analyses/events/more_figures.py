"""The figures of grain in winter, and of whom event cards help, in the register."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows

from .cards import CARDS, WINTERS
from .grain import AMOUNTS, LEAST, MARGINS, RESERVES, Grain
from .holdings import ENDS, HOLDINGS, Holdings

ONE_LESS, MISSING, RESERVE, SHORT = "grain-less", "grain-missing", "grain-reserve", "grain-short"
HOLDER = "card-by-holding"
_OUTCOMES = {"vp": ("victory points", "VP"), "win": ("wins", "% points")}


def less_of(outcome: str) -> str:
    """The quantity of what one grain less changes of an outcome, by the winter's loss."""
    return f"{ONE_LESS}-{outcome}"


def missing_of(outcome: str) -> str:
    """The quantity of what one grain less changes of an outcome, by the grain that the seat lacks already."""
    return f"{MISSING}-{outcome}"


def loss(amount: int) -> str:
    """The item of a card that takes so much grain."""
    return f"loss of {amount}"


def margin(value: int) -> str:
    """The item of seats with this margin."""
    return "spare" if value > 0 else f"{-value} missing"


def margin_in_words(value: int) -> str:
    """A margin of a seat in words: how many grain it has to spare, or lacks already."""
    if value > 0:
        return "some to spare"
    if value == 0:
        return "just enough"
    return f"{-value} missing{' or more' if value == LEAST else ''}"


def reserve(number: int) -> str:
    """The item of the grain of this number beyond one for each county."""
    return f"grain {number}"


def holder(card: str, holding: str, end: str) -> str:
    """The item of a card and the seats that have most or fewest of something."""
    return f"{card} {end} {holding}"


def sure_of_losses() -> Confidence:
    """The confidence of the tables of one grain less by loss and by margin, at one table."""
    return Confidence(LEVEL, (len(AMOUNTS) + len(MARGINS)) * len(WINTERS))


def sure_of_reserves() -> Confidence:
    """The confidence of the table of reserves, at one table."""
    return Confidence(LEVEL, len(RESERVES) * len(WINTERS))


def sure_of_holders() -> Confidence:
    """The confidence of the table of cards by holding, at one table of one number of players."""
    return Confidence(LEVEL, len(CARDS) * len(HOLDINGS) * len(ENDS))


def add_more(grain: dict[tuple[int, Cell], Grain], holdings: dict[tuple[int, Cell], Holdings], rows: Rows) -> None:
    """Add every figure of grain and of holdings."""
    for (players, table), result in grain.items():
        _add_grain(result, players, table, rows)
    for (players, table), found in holdings.items():
        for (card, holding, end, outcome), each in found.items():
            if outcome == "vp":
                words = f"victory points that {card} brings the seats with {end} {holding}, above the mean of the table"
                rows.estimate(
                    HOLDER, holder(card, holding, end), each, sure_of_holders(), words=words, unit="VP",
                    players=players, cell=table, null=0.0,
                )  # fmt: skip


def _add_grain(result: Grain, players: int, table: Cell, rows: Rows) -> None:
    for outcome, (what, unit) in _OUTCOMES.items():
        for winter in WINTERS:
            for amount in AMOUNTS:
                rows.estimate(
                    less_of(outcome), loss(amount), result.by_loss[amount, winter, outcome], sure_of_losses(),
                    words=f"{what} that one grain less brings a seat where winter takes {amount}", unit=unit,
                    players=players, cell=table, moment=winter, null=0.0,
                )  # fmt: skip
            for value in MARGINS:
                rows.estimate(
                    missing_of(outcome), margin(value), result.by_margin[value, winter, outcome], sure_of_losses(),
                    words=f"{what} that one grain less brings a seat with {margin_in_words(value)}", unit=unit,
                    players=players, cell=table, moment=winter, null=0.0,
                )  # fmt: skip
    for (amount, winter), share in result.short.items():
        rows.estimate(
            SHORT, loss(amount), share, sure_of_losses(), words=f"seats short of grain where winter takes {amount}",
            unit="%", players=players, cell=table, moment=winter,
        )  # fmt: skip
    for (number, winter), each in result.reserve.items():
        rows.estimate(
            RESERVE, reserve(number), each, sure_of_reserves(),
            words=f"victory points that grain {number} beyond one for each county brings before the card is known",
            unit="VP", players=players, cell=table, moment=winter, null=0.0,
        )  # fmt: skip
