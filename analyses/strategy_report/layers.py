"""Layers of the map of counties: what colours it, each county's class and words, from the register and the board."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.report.html.svg import shade

from .counties import PLAYS, CountyCard, share_words


class Layer(NamedTuple):
    """What colours the map: its name, and by county the class of its colour and its words."""

    name: str
    classes: dict[str, str]
    words: dict[str, str]


def layers(cards: list[CountyCard]) -> list[Layer]:
    """All layers; every one says by colour how much more or less a county has than the mean county."""
    worths = {f"worth, {words}": {card.name: card.worths[play] for card in cards} for play, words in PLAYS.items()}
    worths["worth, mean of all kinds of play"] = {card.name: card.mean for card in cards}
    made = [
        _layer(name, {county: each.value for county, each in by_county.items()}, 0.0,
               {county: f"{each.text} VP" for county, each in by_county.items()})
        for name, by_county in worths.items()
    ]  # fmt: skip
    for name, values in (
        ("drafted by anybody", {card.name: card.drafted for card in cards}),
        ("taken first when it is open", {card.name: card.taken for card in cards}),
    ):
        made.append(_layer(name, values, _mean(values), {key: share_words(each) for key, each in values.items()}))
    for name, printed in (
        ("tax", {card.name: card.tax for card in cards}),
        ("grain", {card.name: card.grain for card in cards}),
        ("building sites", {card.name: card.sites for card in cards}),
    ):
        made.append(_layer(f"printed {name}", printed, _mean(printed), {key: f"{n}" for key, n in printed.items()}))
    return made


def _layer(name: str, values: dict[str, float] | dict[str, int], middle: float, words: dict[str, str]) -> Layer:
    largest = max(abs(value - middle) for value in values.values())
    return Layer(name, {county: shade(value - middle, largest) for county, value in values.items()}, words)


def _mean(values: dict[str, float] | dict[str, int]) -> float:
    return sum(values.values()) / len(values)
