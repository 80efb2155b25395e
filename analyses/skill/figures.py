"""The figures of the study `skill`: what they are, what they are made of, and what the picture draws of them.

A group is a set of seats with similar leads, see `wallsim.analysis.tournament.gaps`; 1 is that of the smallest leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, takewhile
from math import exp, nan
from typing import NamedTuple

from wallsim.analysis.tournament.gaps import GapBin
from wallsim.analysis.tournament.skill import RESULTS, Part
from wallsim.stats.intervals import Interval
from wallsim.studies.figure import Figure, Figures, Rows, figure_id, slug
from wallsim.studies.orders import order_quantities, order_values
from wallsim.studies.quantities import Bounded, Key, Number, Quantity, Value, add_values

from .estimates import LADDER, PARTS, SHARED, UPPER, ZOO, Field, SkillStudy

FIELDS = (LADDER, UPPER, ZOO)
SHARE = {"vp": "share-of-points", "win": "share-of-wins"}  # by result
_SEATS = "of the seats of the {field}, {rest} by lead"


def _parts(item: str) -> tuple[str, str]:
    """The field of an item, also of one as ids have it, and the rest."""
    field = next(name for name in FIELDS if item.startswith((f"{name} ", f"{slug(name)}-")))
    return field, item[len(field) + 1 :]


def _in_field(words: str) -> Callable[[Key], str]:
    """Words of an item that begins with a field; the rest may be two policies, `one` and `other`."""

    def said(key: Key) -> str:
        field, rest = _parts(key.item)
        one, _, other = rest.partition(" ")
        return words.format(field=field, rest=rest, one=one, other=other)

    return said


def _of_ladder(key: Key) -> tuple[str, int, str]:
    return key.quantity, key.players, _parts(key.item)[0]


def _fair(key: Key) -> float:
    return 100 / key.players


QUANTITIES = (
    Quantity("games", lambda key: f"games of the {key.item}" if key.item else "games of all tournaments", "games"),
    *(Quantity(SHARE[result], _in_field(f"share of {{rest}} in the variance of {RESULTS[result]} within tables of the "
                                        "{field}"), "%", 0, (), "shares") for result in SHARED),
    Quantity("strength", _in_field("strength of {rest} above the mean of the {field}"), "log units", 0, (), shown=""),
    Quantity("rank", _in_field("rank of {rest} in the {field}, 1 for the strongest"), "rank", shown="order"),
    *(Quantity(name, _in_field(f"{words} {_SEATS}"), "log units", together=("players", "item"), n_unit="seats",
               shown="picture")
      for name, words in (("lead", "mean lead"), ("lead-at-least", "smallest lead"), ("lead-at-most", "largest lead"))),
    Quantity("before-one-opponent", _in_field("games in which a seat with the mean lead finishes before one opponent, "
                                              f"by Plackett and Luce, {_SEATS}"), "%", 50, shown=""),
    Quantity("wins-by-lead", _in_field(f"wins {_SEATS}"), "%", _fair, (), "groups", shown="picture"),
    Quantity("wins-by-curve", _in_field(f"wins by Plackett and Luce {_SEATS}"), "%", _fair, (), "groups",
             shown="picture"),
    Quantity("wins-less-curve", _in_field(f"wins less those by Plackett and Luce {_SEATS}"), "percentage points", 0,
             (), "groups", shown="picture"),
    Quantity("before-next", _in_field("games in which {one} finishes before {other}, its neighbour in the {field}"),
             "%", 50, _of_ladder),
    Quantity("games-with-both", _in_field("games with {one} and {other}, neighbours in the {field}"), "games"),
    Quantity("games-needed", _in_field("games needed to distinguish {one} and {other}, neighbours in the {field}, "
                                       "without upper end if their order is unknown"), "games",
             together=_of_ladder),
    *order_quantities(lambda item: "{0} at tables of {1} and of {3}".format(*item.split(" "))),
)  # fmt: skip


def add_figures(estimate: SkillStudy, rows: Rows) -> None:
    """Add every figure: games, strengths, shares of the variance, wins by lead, neighbours and orders."""
    values: dict[Key, Value] = {}
    about: dict[Key, str] = {}
    played = sum(each.skills[SHARED[0]].games for each in estimate.fields if each.name != UPPER)
    values[Key("games")] = Number(played)
    for field in estimate.fields:
        values |= _of_field(field)
    for name, orders in estimate.orders.items():
        for (one, other), order in orders.items():
            item = f"{name} {one} and {other}"
            values |= order_values(item, order)
            about[Key("tau", item)] = str(len(order.policies))
    add_values(rows, QUANTITIES, values, about)


def _of_field(field: Field) -> Iterator[tuple[Key, Value]]:
    def key(quantity: str, item: str = "") -> Key:
        return Key(quantity, f"{field.name} {item}".strip(), field.players)

    yield key("games"), Number(field.skills[SHARED[0]].games)
    for result, skill in field.skills.items():
        for part in skill.parts:
            yield key(SHARE[result], part.name), _percent(part.share, part.interval, skill.blocks)
    for rank, each in enumerate(field.ratings.ladder if field.ratings else (), start=1):
        assert field.ratings is not None
        yield key("strength", each.policy), Bounded(each.strength, each.interval, field.ratings.blocks)
        yield key("rank", each.policy), Number(rank)
    for number, group in enumerate(field.bins, start=1):
        item = f"group {number}"
        yield key("lead", item), Number(group.gap, n=group.seats)
        yield key("lead-at-least", item), Number(group.low, n=group.seats)
        yield key("lead-at-most", item), Number(group.high, n=group.seats)
        yield key("before-one-opponent", item), Number(100 / (1 + exp(-group.gap)))
        yield key("wins-by-lead", item), _percent(group.observed, group.interval, group.blocks)
        yield key("wins-by-curve", item), _percent(group.expected, group.expected_interval, group.blocks)
        yield key("wins-less-curve", item), _percent(group.difference, group.difference_interval, group.blocks)
    for pair in field.neighbours:
        item = f"{pair.one} {pair.other}"
        yield key("before-next", item), _percent(pair.before, pair.interval, pair.blocks)
        yield key("games-with-both", item), Number(pair.games)
        ends = None if pair.least is None or pair.most is None else (pair.least, pair.most)
        yield key("games-needed", item), Bounded(nan if pair.needed is None else pair.needed, ends, pair.blocks)


def _percent(share: float, interval: Interval | None, blocks: int) -> Bounded:
    return Bounded(100 * share, _times(100.0, interval), blocks)


def _times(factor: float, interval: Interval | None) -> Interval | None:
    return None if interval is None else (factor * interval[0], factor * interval[1])


class Shares(NamedTuple):
    """The shares of the parts of a result's variance at tables of so many players."""

    players: int
    parts: tuple[Part, ...]


def parts_of(figures: Figures, field: str, players: int, result: str) -> dict[str, Figure]:
    """The shares of a result's variance in a field, in per cent, by part."""
    keys = {part: figure_id(figures.study, SHARE[result], f"{field} {part}", players=players) for part in PARTS}
    return {part: figures[key] for part, key in keys.items() if key in figures}


def shares_of(figures: Figures, field: str, players: int, result: str) -> Shares:
    """The same as the picture draws them."""
    parts = parts_of(figures, field, players, result)
    return Shares(
        players, tuple(Part(name, nan, each.value / 100, _times(0.01, each.ends)) for name, each in parts.items())
    )


def leads_of(figures: Figures, field: str, players: int) -> list[Figure]:
    """The mean leads of the groups of a field, in their order; none of the upper ladder."""
    keys = (figure_id(figures.study, "lead", f"{field} group {number}", players=players) for number in count(1))
    return [figures[key] for key in takewhile(figures.__contains__, keys)]


def groups_of(figures: Figures, field: str, players: int) -> tuple[GapBin, ...]:
    """Wins by strength gap as the picture draws them."""
    result = []
    for number, lead in enumerate(leads_of(figures, field, players), start=1):
        least, most, wins, curve, apart = (
            figures.of(quantity, f"{field} group {number}", players=players)
            for quantity in ("lead-at-least", "lead-at-most", "wins-by-lead", "wins-by-curve", "wins-less-curve")
        )
        result.append(GapBin(
            least.value, most.value, lead.value, lead.n, wins.n, wins.value / 100, _times(0.01, wins.ends),
            curve.value / 100, _times(0.01, curve.ends), apart.value / 100, _times(0.01, apart.ends),
        ))  # fmt: skip
    return tuple(result)
