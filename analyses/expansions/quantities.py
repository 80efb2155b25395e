"""The quantities of the study `expansions`: what its figures are in words, and which intervals hold together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import nan

from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.figure import slug
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.shared_columns import parts_of

from .effects import (
    ATTACKS,
    EFFECTS,
    EXPERIMENT,
    LEADER,
    OUTCOMES,
    SEATS,
    SUBSETS,
    name_of,
    name_of_effect,
    seed_of,
)
from .skill import ZOO

SUBSET_OF = {name_of(subset): subset for subset in SUBSETS}
NAMES = {*SUBSET_OF, *map(name_of_effect, EFFECTS)}
TOURNAMENT, MARKED = "tournament blocks", "blocks of 84 games"
Parts = Callable[[Key], tuple[str, str]]  # the name of a subset or an effect, and what is measured, in words


@cache
def outcome_of(item: str) -> str:
    """The outcome at the end of an item, or of an item as ids have it."""
    return next(each for each in (*OUTCOMES, *SEATS) if slug(item).endswith(slug(each)))


def of_outcome(key: Key) -> tuple[str, str]:
    """The parts of a figure of the factorial."""
    outcome = outcome_of(key.item)
    return key.item.removesuffix(outcome).strip(), outcome.removesuffix(", %")


def of_share(key: Key) -> tuple[str, str]:
    """The parts of a share of the variance."""
    name, (ladder, part) = of_tournament(key.item)
    variance = "points" if key.quantity.endswith("points") else "wins"
    return name, f"share of {part} in the variance of {variance}, on the {ladder}"


def of_wins(key: Key) -> tuple[str, str]:
    """The parts of wins in a tournament."""
    name, (field, policy) = of_tournament(key.item)
    return name, f"wins of {policy} in the tournament of the {field}"


def of_tournament(item: str) -> tuple[str, tuple[str, str]]:
    """The subset or effect that an item ends with, if any, and before it the tournament and what it is about."""
    name = max((each for each in NAMES if item.endswith(f" {each}")), key=len, default="")
    field, _, about = item.removesuffix(name).strip().rpartition(" ")
    return name, (field, about)


def with_(name: str) -> str:
    """A subset in a sentence."""
    return "without expansions" if name == "none" else f"with {name}{' expansions' if name == 'all three' else ''}"


def level(parts: Parts) -> Callable[[Key], str]:
    """The words of what is measured with a subset."""
    return lambda key: f"{parts(key)[1]}, {with_(parts(key)[0])}"


def effect(parts: Parts, the: str = "") -> Callable[[Key], str]:
    """The words of a main effect or an interaction."""
    return lambda key: (
        f"{'interaction' if '×' in key.item else 'main effect'} of {parts(key)[0]} on {the}{parts(key)[1]}"
    )


def favor(text: str) -> Callable[[Key], str]:
    """The words of a figure of a favor, or of the one that is treated."""
    return lambda key: text.format("the treated favor" if key.item == "any" else f"favor {key.item}")


def level_unit(key: Key) -> str:
    """The unit of an outcome."""
    outcome = outcome_of(key.item)
    if outcome in SEATS or outcome == LEADER:
        return "%"
    return "VP" if outcome in (POINTS, SPREAD, MARGIN) else "per game"


def change_unit(key: Key) -> str:
    """The unit of the change of an outcome."""
    return level_unit(key).replace("%", "% points")


def group_unit(key: Key) -> str:
    """The unit of the change of an outcome in a group."""
    return change_unit(key).replace("per game", "attacks")


@cache
def _seed(name: str) -> int:
    return seed_of(load_experiment(EXPERIMENT).seed, SUBSET_OF[name])


def seed_by(parts: Parts) -> Callable[[Key], int]:
    """The seed of the games of a subset, that of the name among the parts."""
    return lambda key: _seed(parts(key)[0])


def fair(key: Key) -> float:
    """The fair share of wins, of outcomes that are wins of a seat."""
    return 25 if outcome_of(key.item) in SEATS else nan


def by_outcome(key: Key) -> tuple[str, str]:
    """The family of a figure in all cells: all cells of its outcome."""
    return key.quantity, outcome_of(key.item)


def by_field(key: Key) -> tuple[str, bool]:
    """The family of wins, and of effects on them: all of a tournament's policies."""
    return "gained" if key.quantity == "wins-gained" else "wins", key.item.startswith(ZOO)


def share(key: Key) -> float:
    """The fair share of a seat's wins."""
    return 100 / key.players


def line_up(key: Key) -> str:
    """The words of the wins of a line-up."""
    name, _, letter = key.item.rpartition(" ")
    return f"wins of line-up {letter} at the casual table, with {name}"


BESIDE = "VP that the court brings a seat beside the other two expansions"
LESS = " less without expansions"
SUBSET, EFFECT = (level(of_outcome), level_unit, fair), (effect(of_outcome), change_unit, 0)
READ = {slug(f"{name} {outcome}") for name in EXPANSIONS for outcome in (POINTS, SPREAD, LEADER, ATTACKS)}
FEW = "first screen: four outcomes at its tables; tables: least and most of three, the Landsknechte on points"
BEYOND = "VP that {} brings a seat beyond choice"
seed_of_all = seed_by(lambda _: (name_of(EXPANSIONS), ""))
AT_TABLES = ("casual/spielbyweb", "strong/spielbyweb/draft", "without/spielbyweb/draft")
# What is measured in games with all three expansions, and how often something happens there.
BROUGHT = partial(Quantity, null=0, together=(), seed=seed_of_all)
OFTEN = partial(
    Quantity, n_unit="games", seed=seed_of_all, shown="tables: strong play", hides=lambda row: row.play != "strong"
)
QUANTITIES = (
    Quantity("subset", *SUBSET, (), seed=seed_by(of_outcome)),
    Quantity("effect", *EFFECT, ()),
    Quantity("effect-by-play", *EFFECT, ()),
    Quantity("picture", *EFFECT, (), shown="picture"),
    Quantity("seat-wins", *SUBSET, (), "seats", seed=seed_by(of_outcome)),
    Quantity("effect-on-seat-wins", *EFFECT, (), "seats"),
    Quantity("subset-by-cell", *SUBSET, by_outcome, seed=seed_by(of_outcome), shown=""),
    Quantity("effect-by-cell", *EFFECT, by_outcome, shown=FEW,
             hides=lambda row: parts_of(row.id)[1].item not in READ
             or (slug(ATTACKS) in row.id and not row.id.endswith(AT_TABLES))),
    *(
        quantity
        for name in ("share-of-points", "share-of-wins")
        for quantity in (
            Quantity(name, level(of_share), "%", nan, (), "shares", n_unit=TOURNAMENT, seed=seed_by(of_share)),
            Quantity(f"effect-on-{name}", effect(of_share, "the "), "% points", 0, (), "shares", n_unit=TOURNAMENT),
        )
    ),
    Quantity("wins", level(of_wins), "%", share, by_field, n_unit=TOURNAMENT, seed=seed_by(of_wins)),
    Quantity("effect-on-wins", effect(of_wins, "the "), "% points", 0, by_field, n_unit=TOURNAMENT),
    Quantity("picture-of-wins", effect(of_wins, "the "), "% points", 0, (), n_unit=TOURNAMENT, shown="picture"),
    Quantity("wins-gained", lambda key: f"{of_wins(key)[1]}, {with_('all three')} less {with_('none')}", "% points", 0,
             by_field, n_unit=TOURNAMENT, shown="tables: most and least", hides=lambda row: ".ladder-" in row.id),
    BROUGHT("favor", favor("VP that {} brings a seat by choice"), "VP per favor", family="favors", n_unit=MARKED),
    BROUGHT("favor-given", favor(BEYOND), "VP per favor", family="favors", n_unit=MARKED),
    BROUGHT("favor-given-by-play", favor(BEYOND), "VP per favor", n_unit=MARKED, shown=""),
    OFTEN("favor-chosen-games", favor("games in which the treated seat takes {} by choice"), "%"),
    OFTEN("favor-given-games", favor("games in which a seat that takes {} whenever it can does"), "%"),
    BROUGHT("statue", "VP that a statue left in this round brings its seat", "VP per statue"),
    OFTEN("statues-left",
          "statues that a seat leaves, if nothing is denied, in the games whose treated round is this one",
          "per game", shown="tables: the first round", hides=lambda row: row.moment != "spring 1"),
    BROUGHT("card-own-seat", "VP that Landsknechte card {item} brings its seat", "VP per card", family="cards",
            n_unit="blocks of 12 games"),
    BROUGHT("card-mean-of-table", "VP that Landsknechte card {item} brings the mean of the table", "VP per card",
            family="cards"),
    OFTEN("cards-turned", "Landsknechte cards {item} turned by a seat", "per game"),
    *(
        BROUGHT(name, lambda key: "change of the {1} by other favors: {0}".format(*of_outcome(key)), change_unit,
                shown=shown)
        for name, shown in (("favors-varied", "tables"), ("favors-varied-by-play", "tables: in how many plays"))
    ),
    Quantity("court-worth", BESIDE, null=0, together=("cell",), shown="tables: strong play",
             hides=lambda row: row.play != "strong"),
    Quantity("court-worth-varied", BESIDE + ", with other favors: {item}", null=0,
             shown="tables: least and most in strong play", hides=lambda row: row.play != "strong"),
    Quantity("group-change", lambda key: "{1}, with {0}".format(*of_outcome(key)) + LESS, group_unit, 0, ("players",)),
    Quantity("group-lineup", line_up, "%", share, ("players",), "line-ups"),
    Quantity("group-change-of-lineup", lambda key: line_up(key) + LESS, "% points", 0, ("players",), "line-ups"),
    Quantity("better-player", "wins of one better player, with {item}", "%", share, ("players",), "better"),
    Quantity("change-of-better-player", "wins of one better player, with {item}" + LESS, "% points", 0, ("players",),
             "better"),
    Quantity("line-with-expansions", "wins of a seat with weights for expansions among seats without", "%", share, ()),
)  # fmt: skip
