"""Events: what does each of the twelve event cards do to its round, to the game, and as the winter's loss?

Method. A block is 24 games in a row, in which each round is treated four times. A card is forced into the treated
round: it lies open among the year's four and comes in that round. It is compared, on the same games, with the same card
forced and cancelled, so that all else is equal, the open cards and those of other rounds among it. What lying open does
is the card forced and cancelled against the card kept out of that year, with that round's card cancelled, too. In
winter each card is kept for the grain loss, and compared with the mean of the twelve. Counts are those of the whole
table in that round. Habits hold in one round and one seat of games without interventions, and are compared between
rounds in which a card lies open by itself and rounds in which it does not. A cell is a play, a tower calibration and a
set-up; the two tables, of experienced players who draft and of casual ones with line-ups, have most blocks and are
shown by round. GUESSES were written down before any game of this seed. CLAIMS are judged in all cells, with intervals
that hold simultaneously. The table by round is a screen: its findings are those of Benjamini and Hochberg's method.
Games without interventions, with numbers that follow, are the game's own lottery: a regression on which card came when
says what share of the variance of a seat's points the eight cards bring, and one joint test whether a forced card
brings what it brings there. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import benjamini_hochberg, p_value
from wallsim.studies.changes import Change
from wallsim.studies.claims import add_claims
from wallsim.studies.contrasts import Played
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.grids import texts_of
from wallsim.studies.quantities import Key, Number, Quantity, Value, add_values
from wallsim.studies.scenarios import identity_of, scenarios_played
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, scope_for
from wallsim.studies.study import Choices, Judged, Page, Storage, Study

from ..play.changes import POINTS as VP
from ..play.changes import SHOWN, WINS
from . import cards, lottery, open_cards, seats
from .cards import CARDS, CLAIMS, EXPERIMENT, LOSSES, PLAYERS, UNITS
from .open_cards import HABITS, MORE, OPEN, OTHERWISE, effect_words
from .page import finding_of, tables
from .picture import picture

BLOCKS = Blocks(others=220, quick=180, quick_others=24)
_SCREENED = "changes by outcome and round that differ from 0, by Benjamini and Hochberg"
_WHEN = {
    OPEN: "in a round in which {} lies open",
    OTHERWISE: "in a round in which {} does not lie open",
    MORE: "in a round in which {} lies open, less otherwise",
}


def of_card(text: str) -> dict[str, Any]:
    """What is declared of a card's changes of outcomes: `text` has the card in braces."""

    def words(key: Key) -> str:
        card, _, outcome = key.item.partition(" ")
        return f"{outcome}: {text.format(card)}"

    def unit(key: Key) -> str:
        outcome = key.item.partition(" ")[2]
        return "VP" if "VP" in outcome else outcome

    return {"words": words, "unit": unit, "null": 0}


def of_habit(key: Key) -> str:
    """What a habit changes while a card lies open or not, in words."""
    effect, habit, when = open_cards.parts_of(key)
    what = {"vp": VP, "wins": WINS}.get(key.quantity.rpartition("-")[2], HABITS[habit].measure)
    return f"change of a seat's {what} by the habit: {habit}, {_WHEN[when].format(effect_words(effect))}"


def of_holder(key: Key) -> str:
    """Whom a card brings points, in words."""
    card, _, holder = key.item.partition(" ")
    return f"victory points that {card} brings the seats with {holder}, above the mean of the table"


def of_grain(what: str, name: str, unit: str) -> Iterator[Quantity]:
    """The quantities of what one grain less brings of points or wins."""
    less, family = f"{what} that one grain less brings a seat", f"{seats.LESS}-{name}"
    yield Quantity(f"{seats.LESS}-{name}", lambda key: f"{less} where winter takes {key.item.split()[-1]}", unit, 0,
                   family=family)  # fmt: skip
    yield Quantity(f"{seats.MISSING}-{name}", lambda key: f"{less} with {seats.MARGIN_WORDS[key.item]}", unit, 0,
                   family=family)  # fmt: skip


FORCED = of_card("{} in force in the treated round, against the card cancelled")
HABIT: Any = {"null": 0, "together": (), "n_unit": f"blocks of {open_cards.ROUNDS * open_cards.SIZE} games"}
QUANTITIES = (
    Quantity(cards.IN_FORCE, **FORCED),
    Quantity(cards.BY_MOMENT, **FORCED),
    Quantity(cards.LYING_OPEN, **of_card("{} lying open and cancelled, against another card cancelled")),
    Quantity(cards.WINTER_LOSS, **of_card("{} as the winter's loss, against the mean of the twelve")),
    Quantity(cards.BY_ROUND, **of_card("{} in force, against cancelled"), together=(), shown=""),
    Quantity(cards.SCREEN, lambda key: {
        "found": _SCREENED, "tested": "changes by card, outcome and round"
    }.get(key.item, f"{_SCREENED}: {key.item}"), "changes"),
    Quantity(cards.GRAIN_LOST, "grain that {item} takes as the winter's loss", "grain", shown="first screen"),
    Quantity(lottery.SHARE, "share of the variance of a seat's VP that {item} bring", "%", together=()),
    # The title compares both shares at both tables.
    Quantity(lottery.HEADLINE, "share of the variance of a seat's VP that {item} bring", "%", together=(), more=2,
             shown="first screen"),
    Quantity(lottery.TEST, lambda key: lottery.TESTED[key.item], "number"),
    *of_grain("victory points", "vp", "VP"),
    *of_grain("wins", "win", "% points"),
    Quantity(seats.SHORT, lambda key: f"seats short of grain where winter takes {key.item.split()[-1]}", "%",
             like=f"{seats.LESS}-vp"),
    Quantity(seats.RESERVE, "victory points that {item} beyond one for each county brings before the card is known",
             null=0),
    Quantity(seats.HOLDER, of_holder, null=0),
    Quantity(open_cards.quantity(VP), of_habit, **HABIT),
    Quantity(open_cards.quantity(WINS), of_habit, "% points", **HABIT),
    Quantity(open_cards.quantity(SHOWN), of_habit, lambda key: HABITS[open_cards.parts_of(key)[1]].measure, **HABIT,
             hides=lambda row: "-difference/" in row.id),
)  # fmt: skip


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each scenario at each table."""
    return scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick, TWO_TABLES)


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    every = {"tables": cards.scenarios(), "other cells": cards.scenarios(few=True)}
    blocks = (lottery.blocks_of(scope, cell) for cell in scope.cells())
    return {
        "games": identity_of(EXPERIMENT, scope, every, (4,)), "lottery": [[each.start, each.stop] for each in blocks],
        **seats.identity(scope), "open": open_cards.identity(scope),
    }  # fmt: skip


def play(scope: Scope, storage: Storage) -> Played:
    """Play all scenarios in all cells, and measure what the cards change, in every cell what is claimed."""
    values: dict[Key, Value] = {Key(cards.GRAIN_LOST, card): Number(loss) for card, loss in LOSSES.items()}
    claimed = {}
    for cell in scope.cells():
        played = dict(scenarios_played(
            EXPERIMENT, cell, cards.scenarios(few=cell not in scope.tables), scope.blocks(cell), cards.count,
            seasons=True, workers=storage.workers, cache=storage.cache,
        ))  # fmt: skip
        claimed[cell] = cards.outcomes(played)
        values |= lottery.play(scope, cell, played, storage)
        if cell in scope.tables:
            values |= cards.changes_of(played, cell)
    values |= screened({key: each.estimate for key, each in values.items()
                        if key.quantity == cards.BY_ROUND and isinstance(each, Change)})  # fmt: skip
    return Played(
        scope, {**values, **seats.play(scope, storage), **open_cards.play(scope, storage)}, {PLAYERS: claimed}
    )


def screened(changes: dict[Key, Estimate]) -> dict[Key, Value]:
    """How many changes by round differ from 0 by the method of Benjamini and Hochberg: of each card, and of all."""
    adjusted = benjamini_hochberg([p_value(each, Confidence()) for each in changes.values()])
    hits = Counter(key.item.split()[0] for key, p in zip(changes, adjusted, strict=True) if p <= cards.FALSE)
    counts = {**{card: hits[card] for card in CARDS}, "found": hits.total(), "tested": len(changes)}
    return {Key(cards.SCREEN, name, PLAYERS): Number(number) for name, number in counts.items()}


def add_figures(result: Played, rows: Rows) -> None:
    """Add every figure, and the claims in all cells."""
    add_values(rows, QUANTITIES, result.values)
    add_claims(rows, CLAIMS, result.claims[PLAYERS], result.scope.plays, UNITS)


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with all cards, and all tables."""
    first, *others = tables(figures, scope)
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, texts_of(figures, [first]), texts_of(figures, others))


STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture, quantities=QUANTITIES,
    judged=(Judged(CLAIMS, cards.claim_outcomes, units=UNITS, some=cards.claim_outcomes),),
    colours=256,  # a scale of colours needs many
)  # fmt: skip
