"""The first plans of each line-up as the register has them: the frequent cards of each box, and what they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.openings.choices import REST
from wallsim.markdown import markdown_table
from wallsim.report.pages.openings import words_of
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.rules.ruleset import LETTERS
from wallsim.studies.figure import Figure, Figures

from .cards import Place, place_of
from .estimates import PLAYERS
from .figures import FORCED_VP, FORCED_WINS, LINEUP_VP, LINEUP_WINS, SHARE, SPRING, THEN, VP, WINS

OTHERS = "other cards"


class Card(NamedTuple):
    """A card on a box with its figures; those that there are not are None. `then` lies there most often next."""

    place: Place
    share: Figure
    vp: Figure | None
    wins: Figure | None
    forced_vp: Figure | None
    forced_wins: Figure | None
    then: Figure | None

    @property
    def words(self) -> str:
        """What lies there, as a page says it."""
        return OTHERS if self.place.card == REST else words_of(self.place.card)

    def cells(self) -> list[str]:
        """Share, points, wins, their change where the card is laid, and the card of the next season, in words."""
        then = NOTHING
        if self.then is not None:
            then = f"{words_of(place_of(self.then.id).then)} {in_words(self.then.value, None, 0, top=100.0)} %"
        return [
            in_words(self.share.value, self.share.ends, 1, top=100.0),
            _signed(self.vp, 2), _signed(self.wins, 1), _signed(self.forced_vp, 2), _signed(self.forced_wins, 1), then,
        ]  # fmt: skip


class LineupPlans(NamedTuple):
    """The first plans of a line-up at a table: the means of its seat, and the cards by box."""

    letter: str
    vp: Figure
    wins: Figure
    boxes: dict[str, list[Card]]

    def means(self) -> str:
        """What the seat makes and wins, in words."""
        return f"{_signed(self.vp, 2)} VP, {_signed(self.wins, 1)} % points of wins"


def plans_at(figures: Figures, players: int, table: Cell) -> list[LineupPlans]:
    """The first plans of every line-up at a table, in the order of the register."""
    cards: dict[str, dict[str, list[Card]]] = {}
    after = {
        place._replace(then=""): row
        for row in figures.values()
        if row.id.startswith(f"{figures.study}.{THEN}.{players}p.") and row.cell == table
        for place in [place_of(row.id)]
    }
    for row in figures.values():
        if row.id.startswith(f"{figures.study}.{SHARE}.{players}p.") and row.cell == table:
            place = place_of(row.id)
            vp, wins, forced_vp, forced_wins = (
                _of(figures, what, place, players, table) for what in (VP, WINS, FORCED_VP, FORCED_WINS)
            )
            card = Card(place, row, vp, wins, forced_vp, forced_wins, after.get(place))
            cards.setdefault(place.lineup, {}).setdefault(place.box, []).append(card)
    result = []
    for letter in LETTERS[:players]:
        vp, wins = (figures.of(what, letter, players=players, cell=table) for what in (LINEUP_VP, LINEUP_WINS))
        result.append(LineupPlans(letter, vp, wins, cards[letter]))
    return result


def forced_at(figures: Figures, table: Cell) -> list[Card]:
    """The cards that were laid in place of others at a table, most frequent first on each box."""
    every = [card for plans in plans_at(figures, PLAYERS, table) for box in plans.boxes.values() for card in box]
    return [card for card in every if card.forced_vp is not None]


def plans_table(plans: Sequence[LineupPlans], name: str) -> str:
    """The cards of every line-up and box at a table, as Markdown."""
    heads = (name, "box", "card", "share, %", "VP", "wins, % points", "laid: VP", "laid: wins, % points", "then")
    rows = []
    for each in plans:
        means = [_signed(each.vp, 2), _signed(each.wins, 1)]
        rows.append([each.letter, "all", NOTHING, NOTHING, *means, NOTHING, NOTHING, NOTHING])
        for box, cards in each.boxes.items():
            rows += [[each.letter, words_of(box), card.words, *card.cells()] for card in cards]
    return markdown_table(heads, rows)


def _of(figures: Figures, quantity: str, place: Place, players: int, table: Cell) -> Figure | None:
    try:
        return figures.of(quantity, place.item(), players=players, cell=table, moment=SPRING)
    except KeyError:
        return None


def _signed(figure: Figure | None, decimals: int) -> str:
    return NOTHING if figure is None else in_words(figure.value, figure.ends, decimals, sign="+")
