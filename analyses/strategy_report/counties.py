"""What the report says of counties: their worth at each kind of table, and what is printed on the board."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.plays import CASUAL
from wallsim.errors import InputError
from wallsim.report.tables.estimates import of_estimate
from wallsim.rules.board import load_board
from wallsim.rules.county_codes import codes
from wallsim.studies.running import Result

from ..draft.cells import PLAYERS
from ..draft.figures import BY_PLAY, ground_of, sure_of_plays
from ..draft.finding import LINES

PLAYS = {CASUAL: "casual", LINES[0]: "experienced, first line", LINES[1]: "experienced, second line"}


class Worth(NamedTuple):
    """The worth of a county in one kind of play: VP of its owner against the mean county, with its half-width."""

    value: float
    text: str


class CountyCard(NamedTuple):
    """A county: its code on the map, what is printed, its neighbours, and its worth by play."""

    name: str
    code: str
    region: str
    tax: int
    grain: int
    sites: int
    neighbours: list[str]
    worths: dict[str, Worth]


def county_cards(draft: Result) -> list[CountyCard]:
    """The counties that are in play with four players, by region and name."""
    board, sure = load_board(), sure_of_plays(draft.design)
    names = ground_of(draft.design).names
    short = codes(names)
    cards = []
    for name in names:
        at = board.counties.index(name)
        worths = {}
        for play in PLAYS:
            try:
                figure = draft.figures.of(BY_PLAY, name, players=PLAYERS, play=play)
            except KeyError as error:
                raise InputError(f"data/figures/draft.csv: has no {error}") from None
            worths[play] = Worth(figure.value, of_estimate(figure, sure, 2, sign="+"))
        around = int(board.neighbours[at])
        near = sorted(other for place, other in enumerate(board.counties) if around >> place & 1 and other in short)
        tax, grain, sites = (int(column[at]) for column in (board.tax, board.grain, board.sites))
        region = board.regions[board.region[at]]
        cards.append(CountyCard(name, short[name], region, tax, grain, sites, near, worths))
    return sorted(cards, key=lambda card: (card.region, card.name))
