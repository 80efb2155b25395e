"""Events: what does each of the twelve event cards do to its round, to the game, and as the winter's loss?

Method. A block is 24 games in a row, in which each round is treated four times. A card is forced into the treated
round: it lies open among the year's four and comes in that round. It is compared, on the same games, with the same card
forced and cancelled, so that all else is equal, the open cards and those of other rounds among it. What lying open does
is the card forced and cancelled against the card kept out of that year, with that round's card cancelled, too. In
winter each card is kept for the grain loss, and compared with the mean of the twelve. Counts are those of the whole
table in that round. Habits hold in one round and one seat of games without interventions, and are compared between
rounds in which a card lies open by itself and rounds in which it does not. A cell is a play, a tower calibration and a
set-up; the two tables, of master bots who draft and of casual bots with line-ups, have most blocks and are
shown by round. GUESSES were written down before any game of this seed. CLAIMS are judged in all cells, with intervals
that hold simultaneously. The table by round is a screen: its findings are those of Benjamini and Hochberg's method.
Games without interventions, with numbers that follow, are the game's own lottery at the tables. What a card does to all
seats alike decides nothing. So a regression of what a seat has above its table's mean, on which card came when, by seat
and by what the seat held then, says what share of it the eight cards bring. One joint test asks whether a forced card
brings what it brings there. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from wallsim.rules.terms import ROUND_NAMES
from wallsim.studies.contrasts import Contrasts, Plan, Series
from wallsim.studies.outcomes import POINTS
from wallsim.studies.quantities import Key, Quantity, Value
from wallsim.studies.scenarios import identity_of
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, sizes_of
from wallsim.studies.study import Storage

from ..play.changes import POINTS as VP
from ..play.changes import WINS
from . import cards, lottery
from .cards import AT_END, BY_ROUND, CLAIMS, IN_ROUND, MOMENTS, OF_YEAR_TWO, SCREEN, WINTER_LOSS, YEAR_TWO, changed
from .lottery import HABITS, MORE, OPEN, OTHERWISE, effect_words
from .page import first, picture, sentences, tables

_SCREENED = "changes by outcome and round that differ from 0, by Benjamini and Hochberg"
_WHEN = {OPEN: "lies open", OTHERWISE: "does not lie open", MORE: "lies open, less otherwise"}


def decides(scope: Scope, standard: dict[str, Any]) -> dict[str, Any]:
    """What decides the results: the scenarios, the games of the lottery, grain, holdings, and open cards."""
    return {
        "games": standard,
        **lottery.identity(scope),
        **{what: identity_of(cards.EXPERIMENT, cards.tables_of(scope, what), {what: scenarios}, sizes_of(scope))
           for what, scenarios in (("grain", cards.GRAIN), ("holdings", cards.IN_FORCE))},
    }  # fmt: skip


def beside(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """The lottery, what grain and holdings bring, and what habits bring while a card lies open."""
    return dict(chain(*(each(scope, storage) for each in (lottery.play_lottery, cards.play, lottery.play_habits))))


def of_habit(key: Key) -> str:
    """What a habit changes while a card lies open or not, in words."""
    effect, rest = key.item.split(" ", 1)
    habit, when = rest.rsplit(" ", 1)
    what = {"vp": VP, "wins": WINS}.get(key.quantity.rpartition("-")[2], HABITS[habit].measure.words)
    where = f"in a round in which {effect_words(effect)} {_WHEN[when]}"
    return f"change of a seat's {what} by the habit: {habit}, {where}"


def of_grain(what: str, name: str, unit: str) -> Iterator[Quantity]:
    """The quantities of what one grain less brings of points or wins."""
    less, family = f"{what} that one grain less brings a seat", f"grain-less-{name}"
    yield Quantity(family, lambda key: f"{less} where winter takes {key.item.split()[-1]}", unit, 0)
    yield Quantity(f"grain-missing-{name}", lambda key: f"{less} with {cards.MARGIN_WORDS[key.item]}", unit, 0,
                   family=family)  # fmt: skip


FORCED = "{rest}: {first} in force in the treated round, against the card cancelled"
CARD: Any = {"unit": lambda key: "VP" if "VP" in key.item else "{rest}", "null": 0}
HABIT: Any = {"null": 0, "together": (), "n_unit": f"blocks of {lottery.ROUNDS * lottery.SIZE} games"}
QUANTITIES = (
    Quantity("in-force", FORCED, **CARD),
    Quantity("points", FORCED, **CARD),
    Quantity("lying-open", "{rest}: {first} lying open and cancelled, against another card cancelled", **CARD),
    Quantity(WINTER_LOSS, "{rest}: {first} as the winter's loss, against the mean of the twelve", **CARD),
    Quantity(BY_ROUND, "{rest}: {first} in force, against cancelled", **CARD, together=(), shown=""),
    Quantity(SCREEN, lambda key: {
        "found": _SCREENED, "tested": "changes by card, outcome and round"
    }.get(key.item, f"{_SCREENED}: {key.item}"), "changes"),
    Quantity("grain-lost", "grain that {item} takes as the winter's loss", "grain", shown="first screen"),
    Quantity("share-of-variance", "share of the variance of a seat's VP that {item} bring", "%", together=()),
    Quantity("share-decided", "share of the variance of a seat's {item} above its table's mean that cards bring, by "
                              "seat and by what it holds", "%", together=(), shown="first screen"),
    Quantity("share-by-holding", "share of the variance of a seat's {item} above its table's mean that cards bring by "
                                 "what it holds", "%", together=()),
    Quantity("share-between-seats", "share of the variance of a seat's {item} above its table's mean that cards bring",
             "%", together=()),
    Quantity("lottery", lambda key: lottery.TESTED[key.item], "number"),
    *of_grain("victory points", "vp", "VP"),
    *of_grain("wins", "win", "% points"),
    Quantity("grain-short", lambda key: f"seats short of grain where winter takes {key.item.split()[-1]}", "%",
             like="grain-less-vp"),
    Quantity("grain-reserve", "victory points that {item} beyond one for each county brings before the card is known",
             null=0),
    Quantity("card-by-holding",
             "victory points that {first} brings the seats with {rest}, above the mean of the table", null=0),
    Quantity("while-open-vp", of_habit, **HABIT),
    Quantity("while-open-wins", of_habit, "% points", **HABIT),
    Quantity("while-open-measure", of_habit,
             lambda key: HABITS[key.item.split(" ", 1)[1].rsplit(" ", 1)[0]].measure.words, **HABIT,
             hides=lambda row: "-difference/" in row.id),
)  # fmt: skip
STUDY = Contrasts(
    __file__, __doc__,
    plans=(Plan("cards", cards.EVERY),), count=cards.count, claims_by_season=True,
    blocks=Blocks(others=152, quick=180, quick_others=24), tables=TWO_TABLES, quantities=QUANTITIES,
    series=(
        Series("in-force", changed((*IN_ROUND, *AT_END))),
        Series("in-force", changed(OF_YEAR_TWO), (YEAR_TWO,)),
        Series("points", changed((POINTS,)), MOMENTS),
        Series(BY_ROUND, changed((*IN_ROUND, *AT_END)), ROUND_NAMES),
        Series("lying-open", changed((*IN_ROUND, *AT_END), "cancelled", "absent")),
    ),
    measure=cards.measure, beside=beside, follows=cards.follows, decides=decides, claims=CLAIMS,
    units={claim.outcome: "counts a round" for claim in CLAIMS if claim.outcome in cards.GUESSES},
    first=first, shown=tables, open=sentences, picture=picture,
    sentences={"picture": "What each event card changes in its round, with the sign that a player would guess, and "
                          "victory points by the grain that the winter's card takes"},
).study(games_a_row=1, colours=256)  # fmt: skip
