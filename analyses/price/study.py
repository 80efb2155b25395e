"""The price of a Thaler: what do gifts of Thalers, grain, victory points and an army bring a seat?

Method. A block is 24 games in a row (6 × players), in which each pair of seat and round is treated once. In each
scenario the treated seat gets one gift, at the start or before the round in which it is treated; nobody knows of it
beforehand and no other luck changes. The same games are played without gifts, and each number is the mean difference
of the treated seat's result, by block. A cell is a play (all seats alike, from weak to master and scholar bots), a
tower calibration and a set-up. The two tables, of master bots who draft and of casual bots with line-ups, have
most blocks and are shown by round. CLAIMS are judged in all cells, with intervals that hold simultaneously. The price
of a Thaler is what four of them bring, divided by four, since no more can be bid. It is also measured with 3 and 5
players. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.experiment.file import load_experiment
from wallsim.report.figures.style import FAINT, half_width, styled
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.blocks import Estimate
from wallsim.stats.ratios import Ratio
from wallsim.studies.contrasts import MEAN, START, TURN, Contrast, Contrasts, Plan, Series
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import RESTS_ON
from wallsim.studies.games import Games
from wallsim.studies.grids import Grid, estimate, lines, of_scope, sure_of, towers_by_plays
from wallsim.studies.quantities import Quantity
from wallsim.studies.register import read_register
from wallsim.studies.scenarios import BASE, Lines
from wallsim.studies.scope import SIZES, TWO_TABLES, Blocks, Scope
from wallsim.studies.table_captions import scope_words, table_name

from ..robustness.answers import claims_text, left_open

MOMENTS = (START, *ROUND_NAMES)
NONE, FOUR, EIGHT, GRAIN, POINTS, ARMY = "nothing", "+4 Thalers", "+8 Thalers", "+4 grain", "+4 VP", "+1 army"
# What a treated seat gets, by the gift's name: what, and how much. The largest money card in the auction is a 4.
GIFTS: dict[str, tuple[str, int]] = {
    "−2 Thalers": ("thalers", -2), "+1 Thaler": ("thalers", 1), "+2 Thalers": ("thalers", 2), FOUR: ("thalers", 4),
    EIGHT: ("thalers", 8), "+1 grain": ("grain", 1), "+2 grain": ("grain", 2), GRAIN: ("grain", 4), "+1 VP": ("vp", 1),
    "+2 VP": ("vp", 2), POINTS: ("vp", 4), ARMY: ("armies", 1),
}  # fmt: skip
BID = 4  # Thalers, at most
_SCHOLAR = "thaler-by-cell.4p/second-strong/spielbyweb/draft"
PRICE, WORTH, BRINGS = "VP per Thaler", "wins per VP", "victory points that one of four more Thalers brings"


def scenarios(names: Iterable[str] = GIFTS, moments: tuple[str, ...] = (START, TURN)) -> dict[str, Lines]:
    """The scenarios by name: no gift, and each gift at the start, or in the seat's turn: the round of its treatment."""
    return {NONE: BASE} | {
        f"{name}, {moment}": ({"do": "hand", GIFTS[name][0]: GIFTS[name][1], "seat": TURN, "round": moment},)
        for moment in moments
        for name in names
    }


def count(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's victory points and wins, in per cent."""
    return {"vp": games.treated(games.seats("vp")), "win": 100 * games.treated(games.seats("win"))}


def gain(name: str, counted: str = "vp", scale: float = 1.0, plus: float = 0.0) -> Contrast:
    """What a gift brings, against none."""
    return Contrast({f"{name}, {{arm}}": 1, NONE: -1}, counted, scale, plus)


def read_prices() -> Figures:
    """The published figures of this study, by which others turn points into Thalers. InputError without them."""
    return read_register("price")


def price_of(prices: Figures, players: int, cell: Cell, moment: str = MEAN) -> Figure:
    """What one of four Thalers more brings in a cell and round. InputError if the study did not measure it."""
    by_moment = prices.cells("thaler", players=players, moment=moment)
    result = by_moment if cell in by_moment or moment != MEAN else prices.cells("thaler-by-cell", players=players)
    if cell not in result:
        raise InputError(f"data/figures/price.csv: has no price of a Thaler for {players} players, {', '.join(cell)}, "
                         f"{moment}; play the study `price` in full")  # fmt: skip
    return result[cell]


def in_thalers(points: Estimate, price: Figure | Estimate) -> Ratio:
    """Victory points as Thalers, with the errors of both; nan where no price is above 0. The seeds differ."""
    return Ratio(points.value, points.error, max(0.0, price.value), price.error, min(points.blocks, price.blocks))


A_THALER, A_POINT = gain(FOUR, scale=1 / BID), gain(POINTS, "win", 1 / 4)
CLAIMS = {
    Claim("Four more Thalers bring points.", "VP of four Thalers", 0, check=True): gain(FOUR),
    Claim("A Thaler brings less than a point.", "one point less the price of a Thaler", 0):
        gain(FOUR, scale=-1 / BID, plus=1),
    Claim("Eight Thalers bring less than twice as much as four.", "twice four Thalers less eight", 0):
        Contrast({f"{FOUR}, {{arm}}": 2, f"{EIGHT}, {{arm}}": -1, NONE: -1}, "vp"),
    Claim("Four more grain bring points.", "VP of four grain", 0, check=True): gain(GRAIN),
    Claim("One more army brings points.", "VP of one army", 0, check=True): gain(ARMY),
    Claim("A point brings wins.", WORTH, 0, check=True): A_POINT,
}  # fmt: skip


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """The price at both tables; every gift in every round, the price by players and by cell, and the claims."""
    moments = lines("moment", (MEAN, *MOMENTS))
    yield Grid(PRICE, moments, lines("cell", scope.tables, table_name), {"quantity": "thaler", "players": 4},
               under=of_scope(scope))  # fmt: skip
    yield scope_words(figures, scope, load_experiment(STUDY.experiment_file), len(scenarios()))
    for quantity, unit in (("gift-vp", "VP"), ("gift-win", "wins, % points")):
        for table in scope.tables:
            at = {"quantity": quantity, "players": 4, "cell": table}
            yield Grid(f"{unit}, {table_name(table)}", lines("item", GIFTS), lines("moment", MOMENTS), at,
                       estimate(2, "+"), of_scope(scope, pairing=True))  # fmt: skip
    blocks = f" With 3 and 5 players there are {scope.others:,} blocks."
    for table in scope.tables:
        yield Grid(f"{PRICE}, {table_name(table)}", moments, lines("players", SIZES, "{} players".format),
                   {"quantity": "thaler", "cell": table}, under=of_scope(scope, after=blocks))  # fmt: skip
    yield claims_text(figures, tuple(CLAIMS), scope)
    for setup in scope.setups:
        yield towers_by_plays(f"{PRICE}, {SETUP_WORDS[setup]}", scope.towers, [play.name for play in scope.plays],
                              estimate(2), quantity="thaler-by-cell", players=4, setup=setup)  # fmt: skip
    yield f"The mean of the rounds; {scope.others:,} blocks a cell, simultaneous 95% intervals."


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """Victory points against Thalers, a line a round, and the diagonal of one point a Thaler."""
    of = partial(figures.of, "gift-vp", players=4, cell=scope.baseline_cell())
    gifts = {name: dose for name, (what, dose) in GIFTS.items() if what == "thalers"}
    ends, ends_of_bars = [min(gifts.values()), max(gifts.values())], [0.0]
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    axes.plot(ends, ends, linestyle="--", color=FAINT, linewidth=1.4, label="1 VP a Thaler", zorder=1)
    axes.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    for at, moment in enumerate(ROUND_NAMES):
        found = {dose: of(name, moment=moment) for name, dose in gifts.items()}
        sure = sure_of(list(found.values()))
        line = sorted([(0, 0.0, 0.0), *((dose, one.value, half_width(one, sure)) for dose, one in found.items())])
        shift = 0.06 * (at - 2.5)  # between lines, so that bars do not hide each other
        axes.errorbar(
            [dose + (shift if dose else 0) for dose, _, _ in line], [value for _, value, _ in line],
            yerr=[half for _, _, half in line], label=moment, color=plt.get_cmap("viridis")(at / 5 * 0.92),
            linewidth=1.4, marker="os^DvP"[at], markersize=5, capsize=2, elinewidth=1, zorder=2,
        )  # fmt: skip
        ends_of_bars += [value + sign * half for _, value, half in line for sign in (-1, 1)]
    axes.set_ylim(min(ends_of_bars) - 0.2, max(ends_of_bars) + 0.2)
    axes.set_xticks(sorted({0, *gifts.values()}))
    axes.set_xlabel("Thalers given")
    axes.set_ylabel("victory points at the end")
    axes.legend(loc="upper left", title="before")
    axes.set_title(f"{scope.baseline:,} blocks of 24 games, master bots who draft; bars: simultaneous 95% intervals",
                   fontsize=9, fontweight="normal")  # fmt: skip
    return figure


STUDY = Contrasts(
    __file__, __doc__,
    plans=(Plan("gifts", scenarios()), Plan("other sizes", scenarios((FOUR,), (TURN,)), (3, 5), small=True)),
    count=count, blocks=Blocks(others=168, quick=168, quick_others=40), tables=TWO_TABLES,
    quantities=(
        Quantity("gift-vp", "victory points that a gift of {item} brings a seat", null=0),
        Quantity("gift-win", "wins that a gift of {item} brings a seat", "% points", null=0),
        Quantity("thaler", BRINGS, PRICE, null=0, together=("cell",)),
        Quantity("thaler-by-cell", f"{BRINGS}, mean of the rounds", PRICE, null=0, together=("players",),
                 hides=lambda row: row.players != 4),
        Quantity("headline", lambda key: BRINGS if key.item == PRICE else "wins that a victory point brings",
                 lambda key: PRICE if key.item == PRICE else "% points", null=0, together=(),
                 hides=lambda row: "wins-per-VP" in row.id),
    ),
    series=(
        *(Series(f"gift-{what}", {name: gain(name, what) for name in GIFTS}, MOMENTS) for what in ("vp", "win")),
        Series("thaler", {"": A_THALER}, (MEAN, *MOMENTS), (4, 3, 5)),
        Series("thaler-by-cell", {"": A_THALER}, sizes=(4, 3, 5), everywhere=True, named=False),
        Series("headline", {PRICE: A_THALER}, (MEAN, START, ROUND_NAMES[-1])),
        Series("headline", {WORTH: A_POINT}),
    ),
    claims=CLAIMS, units={WORTH: "% points per VP"},
    shown=tables, open=partial(left_open, claims=tuple(CLAIMS)), picture=picture,
    sentences={
        "title": "A Thaler is worth {headline.4p.VP-per-Thaler/casual/spielbyweb@all-rounds|2 value} VP to casual "
                 "bots, {headline.4p.VP-per-Thaler/strong/spielbyweb/draft@all-rounds|2 value} to master and "
                 f"{{{_SCHOLAR}|2 value}} to scholar bots {RESTS_ON}",
        "casual": "A Thaler brings {headline.4p.VP-per-Thaler/casual/spielbyweb@start|2} VP at the start and "
                  "{headline.4p.VP-per-Thaler/casual/spielbyweb@fall-2|2} in the last fall.",
        "experienced": "To master bots it is worth {headline.4p.VP-per-Thaler/strong/spielbyweb/draft@start|2} VP at "
                       "the start, {headline.4p.VP-per-Thaler/strong/spielbyweb/draft@fall-2|2} in the last fall; "
                       f"to scholar bots {{{_SCHOLAR}|2}} in the mean.",
        "picture": "Victory points that gifts of Thalers bring, a line for each round",
    },
).study()  # fmt: skip
