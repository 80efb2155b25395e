"""Layers of the map of counties: what colours it, each county's class and words, from the register and the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wallsim.report.html.svg import shade
from wallsim.studies.figure import figure_id

from ..draft.cells import DRAFT
from ..draft.figures import BY_PLAY, TAKEN, WHEN_OPEN, WORTH
from ..play.changes import PLAYERS, TABLES
from ..play.study import ATTACKED, LOST
from .counties import PLAYS, CountyCard, share_words
from .fought import Fought

_NAME = "COUNTY"  # stands for a county in the ids of a layer


class Layer(NamedTuple):
    """What colours the map: its name, and by county the class of its colour and its words.

    `ids` are the ids of its figures, with COUNTY in place of the county; empty where what is printed colours it.
    """

    name: str
    classes: dict[str, str]
    words: dict[str, str]
    ids: str = ""


def worth_layers(cards: list[CountyCard]) -> list[Layer]:
    """The layers of worth by kind of play, and of the mean of all kinds."""
    made = []
    for play, words in {**PLAYS, "": "mean of all kinds of play"}.items():
        worths = {card.name: card.worths[play] if play else card.mean for card in cards}
        values = {county: each.value for county, each in worths.items()}
        texts = {county: f"{each.text} VP" for county, each in worths.items()}
        made.append(_layer(f"worth, {words}", values, 0.0, texts, _id(BY_PLAY if play else WORTH, play=play)))
    return made


def layers(cards: list[CountyCard], fought: Mapping[str, Mapping[str, Fought]]) -> list[Layer]:
    """All layers; every one says by colour how much more or less a county has than the mean county."""
    made = [*worth_layers(cards), *_fought_layers(fought)]
    for quantity, name, values in (
        (TAKEN, "drafted by anybody", {card.name: card.drafted for card in cards}),
        (WHEN_OPEN, "taken first when it is open", {card.name: card.taken for card in cards}),
    ):
        texts = {key: share_words(each) for key, each in values.items()}
        made.append(_layer(name, values, _mean(values), texts, _id(quantity, setup=DRAFT)))
    for name, printed in (
        ("tax", {card.name: card.tax for card in cards}),
        ("grain", {card.name: card.grain for card in cards}),
        ("building sites", {card.name: card.sites for card in cards}),
    ):
        made.append(_layer(f"printed {name}", printed, _mean(printed), {key: f"{n}" for key, n in printed.items()}))
    return made


def _fought_layers(fought: Mapping[str, Mapping[str, Fought]]) -> list[Layer]:
    made = []
    for table in TABLES:
        there, words = fought[table.play], PLAYS[table.play]
        attacks = {name: each.attacks for name, each in there.items()}
        lost = {name: each.lost for name, each in there.items()}
        for quantity, name, values, texts in (
            (
                ATTACKED,
                "contested",
                attacks,
                {key: f"{each.attacks_words} attacks a game" for key, each in there.items()},
            ),
            (LOST, "lost", lost, {key: f"{each.lost_words} % of owners lose it" for key, each in there.items()}),
        ):
            ids = figure_id("play", quantity, _NAME, players=PLAYERS, **table._asdict())
            made.append(_layer(f"{name}, {words}", values, _mean(values), texts, ids))
    return made


def _id(quantity: str, *, play: str = "", setup: str = "") -> str:
    return figure_id("draft", quantity, _NAME, players=PLAYERS, play=play, setup=setup)


def _layer(name: str, values: Mapping[str, float], middle: float, words: dict[str, str], ids: str = "") -> Layer:
    largest = max(abs(value - middle) for value in values.values())
    return Layer(name, {county: shade(value - middle, largest) for county, value in values.items()}, words, ids)


def _mean(values: Mapping[str, float]) -> float:
    return sum(values.values()) / len(values)
