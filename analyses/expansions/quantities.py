"""The quantities of the study `expansions`: what its figures are in words, and which intervals hold together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import nan
from typing import Any

from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.figure import slug
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.shared_columns import parts_of

from .effects import ATTACKS, EXPERIMENT, LEADER, OUTCOMES, SEATS, SUBSETS, name_of, with_subset
from .skill import FIELDS, LADDERS, PARTS, ZOO

# What is measured in words, its unit, and the fair value, by that part of an item that is no subset, effect or board.
WHAT = {
    **{outcome: (outcome, "VP" if outcome in (POINTS, SPREAD, MARGIN) else "per game", nan) for outcome in OUTCOMES},
    **{wins: (wins.removesuffix(", %"), "%", nan if wins == LEADER else 25) for wins in (LEADER, *SEATS)},
    **{f"{ladder} {part}": (f"share of {part} in the variance of {{}}, on the {ladder}", "%", nan)
       for ladder in LADDERS for part in PARTS},
    **{f"{field} {policy}": (f"wins of {policy} in the tournament of the {field}", "%", 25)
       for field, policies in FIELDS.items() for policy in policies},
    **{letter: (f"wins of line-up {letter} at the casual table", "%", nan) for letter in LETTERS},
}  # fmt: skip
GIVEN = {"none": "without expansions", "all three": "with all three expansions"}


@cache
def split(item: str) -> tuple[str, str]:
    """The name of a subset, an effect or a board in an item, and what is measured, one of WHAT."""
    what = next(each for each in WHAT if f"{item} ".startswith(f"{each} ") or item.endswith(f" {each}"))
    return item.removeprefix(what).removesuffix(what).strip(), what


def words(template: str) -> Callable[[Key], str]:
    """Words that name what is measured ({what}), and the subset, effect or board; {given} is a subset in a sentence."""

    def filled(key: Key) -> str:
        name, what = split(key.item)
        of = "points" if key.quantity.endswith("points") else "wins"
        kind = "interaction" if "×" in name else "main effect"
        return template.format(
            name=name, kind=kind, given=GIVEN.get(name, f"with {name}"), what=WHAT[what][0].format(of)
        )

    return filled


def unit(key: Key) -> str:
    """The unit of what is measured."""
    return WHAT[split(key.item)[1]][1]


def change_unit(key: Key) -> str:
    """The unit of a change of what is measured."""
    return unit(key).replace("%", "% points")


@cache
def seed_of(name: str) -> int:
    """The seed of the games of a subset."""
    return next(with_subset(load_experiment(EXPERIMENT), each).seed for each in SUBSETS if name_of(each) == name)


@cache
def by_outcome(key: Key) -> tuple[str, str]:
    """The family of a figure in all cells: all cells of its outcome, which ends the item, also as ids have it."""
    return key.quantity, next(each for each in (*OUTCOMES, *SEATS) if slug(key.item).endswith(slug(each)))


def by_field(key: Key) -> tuple[str, bool]:
    """The family of wins, and of effects on them: all of a tournament's policies."""
    return "gained" if key.quantity == "wins-gained" else "wins", key.item.startswith(ZOO)


def favor(text: str) -> Callable[[Key], str]:
    """The words of a figure of a favor, or of the one that is treated."""
    return lambda key: text.format("the treated favor" if key.item == "any" else f"favor {key.item}")


def share(key: Key) -> float:
    """The fair share of a seat's wins."""
    return 100 / key.players


LEVEL = partial(Quantity, words=words("{what}, {given}"), unit=unit, null=lambda key: WHAT[split(key.item)[1]][2],
                together=(), seed=lambda key: seed_of(split(key.item)[0]))  # fmt: skip
EFFECT = partial(Quantity, words=words("{kind} of {name} on {what}"), unit=change_unit, null=0, together=())
IN_TOURNAMENTS = "tournament blocks"
ON_THE = partial(EFFECT, words=words("{kind} of {name} on the {what}"), n_unit=IN_TOURNAMENTS)
SHARES = ("share-of-points", "share-of-wins")
READ = {slug(f"{name} {outcome}") for name in EXPANSIONS for outcome in (POINTS, SPREAD, LEADER, ATTACKS)}
AT_TABLES = ("casual/spielbyweb", "strong/spielbyweb/draft", "without/spielbyweb/draft")
FEW = "first screen: four outcomes at its tables; tables: least and most of three, the Landsknechte on points"
# What is measured in games with all three expansions, and how often something happens there.
IN_ALL = partial(Quantity, seed=lambda _: seed_of(name_of(EXPANSIONS)))
BROUGHT = partial(IN_ALL, null=0, together=())
IN_STRONG_PLAY: Any = {"shown": "tables: strong play", "hides": lambda row: row.play != "strong"}
OFTEN = partial(IN_ALL, n_unit="games", **IN_STRONG_PLAY)
FAVOR = partial(BROUGHT, unit="VP per favor", n_unit="blocks of 84 games")
CARD = partial(BROUGHT, unit="VP per card", family="cards")
VARIED = partial(BROUGHT, words=words("change of the {what} by other favors: {name}"), unit=change_unit)
BEYOND, COURT = favor("VP that {} brings a seat beyond choice"), "VP that the court brings a seat beside the other two"
GROUP, LESS = partial(Quantity, together=("players",)), " less without expansions"
LINEUP, BETTER = "{what}, with {name}", "wins of one better player, with {item}"
QUANTITIES = (
    LEVEL("subset"),
    EFFECT("effect"),
    EFFECT("effect-by-play"),
    EFFECT("picture", shown="picture"),
    LEVEL("seat-wins", family="seats"),
    EFFECT("effect-on-seat-wins", family="seats"),
    LEVEL("subset-by-cell", together=by_outcome, shown=""),
    EFFECT("effect-by-cell", together=by_outcome, shown=FEW,
           hides=lambda row: parts_of(row.id)[1].item not in READ
           or (slug(ATTACKS) in row.id and not row.id.endswith(AT_TABLES))),
    *(LEVEL(name, family="shares", n_unit=IN_TOURNAMENTS) for name in SHARES),
    *(ON_THE(f"effect-on-{name}", family="shares") for name in SHARES),
    LEVEL("wins", together=by_field, n_unit=IN_TOURNAMENTS),
    ON_THE("effect-on-wins", together=by_field),
    ON_THE("picture-of-wins", shown="picture"),
    ON_THE("wins-gained", words=words("{what}, with all three expansions less without expansions"),
           together=by_field, shown="tables: most and least", hides=lambda row: ".ladder-" in row.id),
    FAVOR("favor", favor("VP that {} brings a seat by choice"), family="favors"),
    FAVOR("favor-given", BEYOND, family="favors"),
    FAVOR("favor-given-by-play", BEYOND, shown=""),
    OFTEN("favor-chosen-games", favor("games in which the treated seat takes {} by choice"), "%"),
    OFTEN("favor-given-games", favor("games in which a seat that takes {} whenever it can does"), "%"),
    BROUGHT("statue", "VP that a statue left in this round brings its seat", "VP per statue"),
    OFTEN("statues-left",
          "statues that a seat leaves, if nothing is denied, in the games whose treated round is this one",
          "per game", shown="tables: the first round", hides=lambda row: row.moment != "spring 1"),
    CARD("card-own-seat", "VP that Landsknechte card {item} brings its seat", n_unit="blocks of 12 games"),
    CARD("card-mean-of-table", "VP that Landsknechte card {item} brings the mean of the table"),
    OFTEN("cards-turned", "Landsknechte cards {item} turned by a seat", "per game"),
    VARIED("favors-varied"),
    VARIED("favors-varied-by-play", shown="tables: in how many plays"),
    Quantity("court-worth", f"{COURT} expansions", null=0, together=("cell",), **IN_STRONG_PLAY),
    Quantity("court-worth-varied", f"{COURT} expansions, with other favors: {{item}}", null=0,
             shown="tables: least and most in strong play", hides=lambda row: row.play != "strong"),
    GROUP("group-change", words(LINEUP + LESS), lambda key: change_unit(key).replace("per game", "attacks"), 0),
    GROUP("group-lineup", words(LINEUP), "%", share, family="line-ups"),
    GROUP("group-change-of-lineup", words(LINEUP + LESS), "% points", 0, family="line-ups"),
    GROUP("better-player", BETTER, "%", share, family="better"),
    GROUP("change-of-better-player", BETTER + LESS, "% points", 0, family="better"),
    Quantity("line-with-expansions", "wins of a seat with weights for expansions among seats without", "%", share, ()),
)  # fmt: skip
