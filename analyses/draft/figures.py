"""The figures of the study `draft`: what they are in words, and the pick table among those of the register."""

from __future__ import annotations

from functools import partial

from wallsim.errors import InputError
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices

from .cells import DEAL, PLAYERS, Scope, in_cell, scope_of
from .deals import BORDER, NEIGHBOURS, Ground
from .drafters import ALL_LESS_NONE, BORDERS, JUDGED, ONE_MORE, RESPONSE, SAME_WORTHS, TABLE
from .pairs import CHOSEN_BY, EFFECT, SEEDS, TOGETHER
from .worth import PickTable

WORTH, PICK, BY_PLAY, BY_CELL, NEIGHBOUR = "worth", "pick", "worth-by-play", "worth-by-cell", "neighbour"
TAKEN, WHEN_OPEN = "drafted", "taken-when-open"
GAIN = {"points": "gain", "wins": "gain-in-wins"}
PLACE = {"points": "place", "wins": "place-in-wins"}
ORDINALS = ("first", "second", "third", "last")
INSTEAD = "an own neighbour instead of another's"
GAIN_OF_TABLE, APART, THALERS = f"gain of {TABLE}", "first less last", "Thalers"  # of headlines, with two neighbours
_ONE_MORE = "VP of a seat above the table's mean for one more"
_MEAN, _FAIR, _GAP = "VP above the table's mean", "wins above the fair share", "% points"
_PICKS_BY = "of one seat that picks by {item} against three of the default"
_WORTH_OF = "worth of {item}, VP of its owner above the table's mean, against the mean county"
_OF_REGION = "in the counties of {item}, all plays and towers"
_HEADLINES = {
    GAIN_OF_TABLE: f"{_MEAN} {_PICKS_BY.format(item='the table')}",
    APART: "VP of the first to pick less the last",
    THALERS: "VP of the first to pick less the last, in Thalers at the price of the study price",
}
_DECIMALS = 4  # of the pick table


def _headlines_together(key: Key) -> tuple[str, str]:
    # Each of neighbours alone, those of the table in all plays, and both of the order of picks.
    return "headline", "order" if key.cell.tower else "plays" if key.cell.play else key.item


def _pair_words(kind: str, after: str, key: Key) -> str:
    one, other = key.item.split(" and ")
    if kind == TOGETHER:
        return f"VP of a seat that holds both {one} and {other}, beyond the worths of both{after}"
    held = f"holds one of the neighbours {one} and {other} while another seat holds the other"
    return f"VP of a seat that {held}, beyond worths{after}"


def _seed_after(shift: int, key: Key) -> int:
    return in_cell(key.cell, key.players).seed + shift


_vp = partial(Quantity, null=0, together=(), n_unit="games")
_share = partial(Quantity, unit="%")
_drafts = partial(Quantity, null=0, together=(), n_unit="drafts")
_rivals = partial(Quantity, null=0, together=(), family="rivals", seed=partial(_seed_after, JUDGED))
_correlation = partial(Quantity, unit="correlation", null=0)
QUANTITIES = (
    _vp(WORTH, f"{_WORTH_OF}, all plays and towers", family="pick table"),
    _vp("army", "worth of an army more in {item}, VP of its owner against one in the mean county, all plays and towers",
        family="pick table"),
    _vp(PICK, f"{_WORTH_OF}, shrunken towards what is printed: what drafters go by"),
    _vp("by-the-print", f"{_WORTH_OF}, as what is printed predicts"),
    _vp(BY_PLAY, f"{_WORTH_OF}, all towers"),
    _vp(BY_CELL, _WORTH_OF, shown="words"),
    _vp(NEIGHBOUR, f"{_ONE_MORE}: {{item}}"),
    _share("points-explained", "share of the variance of a seat's VP above the table's mean in a game explained by: "
           "{item}"),
    _share("worths-explained", "share of the variance of the true worths that is explained by what is printed: {item}"),
    _vp("weight", "VP that one more of {item} adds to a county's worth, by the regression on what is printed"),
    _vp("region", "mean worth of the counties of {item}, all plays and towers", family="regions"),
    _vp("region-army", f"mean worth of an army more {_OF_REGION}", family="regions"),
    _vp("region-by-players", "mean worth of the counties of {item}, all plays", family="regions"),
    _vp("worth-by-players", f"{_WORTH_OF}, all plays"),
    _share(TAKEN, "drafts in which anybody takes {item}"),
    _share(WHEN_OPEN, "drafts with {item} open at first in which the first takes it"),
    _correlation("correlation-of-plays", "correlation of the worths of counties in {about} play"),
    _correlation("correlation-drafted", "correlation of a county's worth with how often it is drafted"),
    _correlation("correlation-taken", "correlation of a county's worth with how often the first takes it when it is "
                 "open"),
    _drafts(GAIN["points"], f"{_MEAN} {_PICKS_BY}, all towers"),
    _drafts(GAIN["wins"], f"{_FAIR} {_PICKS_BY}, all towers", _GAP),
    _drafts("gain-by-cell", f"{_MEAN} {_PICKS_BY}", shown=""),
    _drafts(PLACE["points"], f"{_MEAN} of the {{item}} to pick, all towers", family="order"),
    _drafts(PLACE["wins"], f"{_FAIR} of the {{item}} to pick, all towers", _GAP, family="order",
            hides=lambda row: row.id.split("/")[0].endswith((".second", ".third"))),
    _drafts("first-less-last", _HEADLINES[THALERS], "Thalers", family="order"),
    Quantity("places-equal", "p-value of Hotelling's joint test that all places in the order of picks end with as many "
             "points", "probability"),
    Quantity("seats-equal", "p-value of Hotelling's joint test that all seats end with as many points", "probability"),
    Quantity("headline", lambda key: _HEADLINES.get(key.item, f"{_ONE_MORE}: {key.item}"),
             lambda key: "Thalers" if key.item == THALERS else "VP", 0, _headlines_together,
             n_unit=lambda key: "drafts" if key.cell.setup else "games", shown="first screen, words"),
    *(Quantity(name, partial(_pair_words, kind, ", by the games that chose the pair, all towers"), null=0,
               shown="words") for kind, name in CHOSEN_BY.items()),
    *(Quantity(name, partial(_pair_words, kind, ""), null=0, together=(), family="pairs",
               seed=partial(_seed_after, SEEDS)) for kind, name in EFFECT.items()),
    *(_rivals(ONE_MORE[what], f"{words} that a seat gains if it drafts by the table of this play instead of the "
              "default, {item} drafting by it", unit)
      for what, words, unit in (("points", _MEAN, "VP"), ("wins", "wins", _GAP))),
    _rivals(ALL_LESS_NONE, "VP of a seat, mean of the table, where all draft by the table of this play less where "
            "none does", hides=lambda row: row.players != 4),
    *(_rivals(RESPONSE[what], f"{words} that a seat gains by the response to the table, all others drafting by the "
              "table", unit)
      for what, words, unit in (("points", _MEAN, "VP"), ("wins", "wins", _GAP))),
    _correlation(SAME_WORTHS, "correlation of the worths of counties in the table and in the response to it"),
    Quantity(BORDERS, f"{_MEAN} for one more {BORDER}, in {{item}}", null=0),
)  # fmt: skip


def ground_of(scope: Scope, players: int = PLAYERS) -> Ground:
    """What is played on."""
    return Ground(in_cell(scope.home(DEAL), players))


def worths_of(figures: Figures, scope: Scope, play: str) -> dict[str, Figure]:
    """The worth of each county in a play, by its name."""
    return {name: figures.of(BY_PLAY, name, players=PLAYERS, play=play) for name in ground_of(scope).names}


def read_picks(figures: Figures | None = None) -> PickTable:
    """The table of the published study, or of other figures, for the printed board with four players.

    InputError if the register has no such table.
    """
    result = read_register("draft") if figures is None else figures
    try:
        tables = (
            {name: round(result.of(quantity, name, players=PLAYERS).value, _DECIMALS) for name in each}
            for quantity, each in ((PICK, ground_of(scope_of(Choices())).names), (NEIGHBOUR, NEIGHBOURS))
        )
        return PickTable(*tables)
    except KeyError as error:
        raise InputError(f"data/figures/draft.csv: has no {error}; play the study draft in full") from None
