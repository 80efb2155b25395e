"""The places of the register's figures: a line-up, a box and a card, as their ids have them."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from wallsim.analysis.openings.choices import REST
from wallsim.analysis.openings.plans import BOXES, COUNTY, PASS
from wallsim.rules.board import load_board
from wallsim.rules.terms import MONEY_CARDS
from wallsim.studies.figure import slug

THEN = "×"  # between a card and that of the next season


class Place(NamedTuple):
    """A card on a box of a line-up's first plan, and the card on this box in the next season if that is meant."""

    lineup: str
    box: str
    card: str
    then: str = ""

    def item(self) -> str:
        """The item of its figures."""
        after = f" {THEN} {self.then}" if self.then else ""
        return f"{self.lineup} {self.box} {self.card}{after}"


def place_of(key: str) -> Place:
    """The place of a figure, by its id. ValueError for an id of another form."""
    item = re.split(r"\.\dp\.", key.partition("/")[0], maxsplit=1)[-1]
    lineup, _, rest = item.partition("-")
    box = next((each for each in BOXES if rest.startswith(f"{each}-")), "")
    card, _, then = rest.removeprefix(f"{box}-").partition(f"-{THEN}-")
    if not box or card not in _names() or (then and then not in _names()):
        raise ValueError(f"{key}: has no line-up, box and card")
    return Place(lineup, box, _names()[card], _names()[then] if then else "")


@cache
def _names() -> dict[str, str]:
    """What lies on boxes, by its part of an id."""
    bids = [f"{amount} Thaler{'' if amount == 1 else 's'}" for amount in range(MONEY_CARDS)]
    return {slug(name): name for name in (*load_board().counties, *bids, PASS, COUNTY, REST)}
