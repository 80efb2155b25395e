"""Expansions: what do the Emperor's Court, the Landsknechte and the military leaders change?

Method. (1) All eight subsets of the three expansions are played, each on games of its own, since games with other
expansions soon share nothing. Main effects and interactions of each outcome are orthogonal contrasts of the eight, with
Student's t intervals over blocks of 24 games; they are judged in every play, tower and set-up. (2) In every subset a
ladder of policies from weak to strong and the zoo's styles play tournaments: what share of the variance of points is
skill, and which styles gain. (3) Favors, Landsknechte cards and statues are given to one seat and denied to it, by
policies that answer one question otherwise, in games with all expansions. (4) The same games are played on boards with
other figures in place of the assumed ones of the favors. Strong play is that taught with all three expansions; lines
made without any are played beside it and are not called strong. With --quick there are few cells and games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import nan
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.experiment.file import load_experiment
from wallsim.report.figures.forest import forest
from wallsim.report.figures.style import ACCENT, COLOURS, INK, styled
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.claims import claim_quantity, claim_values
from wallsim.studies.figure import Figures, slug
from wallsim.studies.finding import BOTS, RESTS_ON, Finding, either, listed, moving_most
from wallsim.studies.grids import Grid, Line, estimate, lines, sure_of, value
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity, Value
from wallsim.studies.scope import BASELINE, CASUAL_TABLE, EXPERIENCED_TABLE, PLAYERS, THREE_TABLES, Scope
from wallsim.studies.shared_columns import parts_of
from wallsim.studies.study import Judged, Storage, Study
from wallsim.studies.table_captions import LINE_NAMES

from ..robustness.answers import left_open
from . import effects, skill
from .boards import variants
from .cards import favors, landsknechte, moves, statues, treatments
from .effects import ATTACKS, CLAIMS, COURT, DRAWN, LEADER, OUTCOMES, SEATS, UNITS, name_of, with_subset
from .tables import tables

NAMES = dict(zip(EXPANSIONS, ("the Emperor's Court", "the Landsknechte", "the military leaders"), strict=True))
SIGNED = estimate(2, "+")
# What is measured in words, its unit, and the fair value, by that part of an item that is no subset, effect or board.
WHAT = {
    **{outcome: (outcome, "VP" if outcome in (POINTS, SPREAD, MARGIN) else "per game", nan) for outcome in OUTCOMES},
    **{wins: (wins.removesuffix(", %"), "%", nan if wins == LEADER else 25) for wins in (LEADER, *SEATS)},
    **{f"{ladder} {part}": (f"share of {part} in the variance of {{}}, on the {ladder}", "%", nan)
       for ladder in skill.LADDERS for part in skill.PARTS},
    **{f"{field} {policy}": (f"wins of {policy} in the tournament of the {field}", "%", 25)
       for field, policies in skill.FIELDS.items() for policy in policies},
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
        return template.format(
            name=name, kind="interaction" if "×" in name else "main effect", given=GIVEN.get(name, f"with {name}"),
            what=WHAT[what][0].format("points" if key.quantity.endswith("points") else "wins"),
        )  # fmt: skip

    return filled


def _unit(key: Key) -> str:
    return WHAT[split(key.item)[1]][1]


def _unit_of_change(key: Key) -> str:
    return _unit(key).replace("%", "% points")


@cache
def seed_of(name: str) -> int:
    """The seed of the games of a subset."""
    home = load_experiment(effects.EXPERIMENT)
    return next(with_subset(home, subset).seed for subset in effects.SUBSETS if name_of(subset) == name)


@cache
def _by_outcome(key: Key) -> tuple[str, str]:
    # All cells of an outcome hold together; it ends the item, also as ids have it.
    return key.quantity, next(each for each in (*OUTCOMES, *SEATS) if slug(key.item).endswith(slug(each)))


def _favor(text: str) -> Callable[[Key], str]:
    return lambda key: text.format("the treated favor" if key.item == "any" else f"favor {key.item}")


def _share(key: Key) -> float:
    return 100 / key.players


WITH = partial(Quantity, words=words("{what}, {given}"), unit=_unit, null=lambda key: WHAT[split(key.item)[1]][2],
                together=(), seed=lambda key: seed_of(split(key.item)[0]))  # fmt: skip
EFFECT = partial(Quantity, words=words("{kind} of {name} on {what}"), unit=_unit_of_change, null=0, together=())
IN_TOURNAMENTS: dict[str, Any] = {"n_unit": "tournament blocks"}
ON_THE = partial(EFFECT, words=words("{kind} of {name} on the {what}"), **IN_TOURNAMENTS)
# All policies of a tournament hold together, in wins and in effects on them.
OF_FIELD: dict[str, Any] = {"together": lambda key: (key.quantity == "wins-gained", key.item.startswith(skill.ZOO))}
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
VARIED = partial(BROUGHT, words=words("change of the {what} by other favors: {name}"), unit=_unit_of_change)
BEYOND, WORTH = _favor("VP that {} brings a seat beyond choice"), "VP that the court brings a seat beside the other two"
GROUP, LESS = partial(Quantity, together=("players",)), " less without expansions"
LINEUP, BETTER = "{what}, with {name}", "wins of one better player, with {item}"
QUANTITIES = (
    WITH("subset"),
    EFFECT("effect"),
    EFFECT("effect-by-play"),
    EFFECT("picture", shown="picture"),
    WITH("seat-wins", family="seats"),
    EFFECT("effect-on-seat-wins", family="seats"),
    WITH("subset-by-cell", together=_by_outcome, shown=""),
    EFFECT("effect-by-cell", together=_by_outcome, shown=FEW,
           hides=lambda row: parts_of(row.id)[1].item not in READ
           or (slug(ATTACKS) in row.id and not row.id.endswith(AT_TABLES))),
    *(WITH(name, family="shares", **IN_TOURNAMENTS) for name in SHARES),
    *(ON_THE(f"effect-on-{name}", family="shares") for name in SHARES),
    WITH("wins", **OF_FIELD, **IN_TOURNAMENTS),
    ON_THE("effect-on-wins", **OF_FIELD),
    ON_THE("picture-of-wins", shown="picture"),
    ON_THE("wins-gained", words=words("{what}, with all three expansions less without expansions"),
           shown="tables: most and least", **OF_FIELD, hides=lambda row: ".ladder-" in row.id),
    FAVOR("favor", _favor("VP that {} brings a seat by choice"), family="favors"),
    FAVOR("favor-given", BEYOND, family="favors"),
    FAVOR("favor-given-by-play", BEYOND, shown=""),
    OFTEN("favor-chosen-games", _favor("games in which the treated seat takes {} by choice"), "%"),
    OFTEN("favor-given-games", _favor("games in which a seat that takes {} whenever it can does"), "%"),
    BROUGHT("statue", "VP that a statue left in this round brings its seat", "VP per statue"),
    OFTEN("statues-left",
          "statues that a seat leaves, if nothing is denied, in the games whose treated round is this one",
          "per game", shown="tables: the first round", hides=lambda row: row.moment != "spring 1"),
    CARD("card-own-seat", "VP that Landsknechte card {item} brings its seat", n_unit="blocks of 12 games"),
    CARD("card-mean-of-table", "VP that Landsknechte card {item} brings the mean of the table"),
    OFTEN("cards-turned", "Landsknechte cards {item} turned by a seat", "per game"),
    VARIED("favors-varied"),
    VARIED("favors-varied-by-play", shown="tables: in how many plays"),
    Quantity("court-worth", f"{WORTH} expansions", null=0, together=("cell",), **IN_STRONG_PLAY),
    Quantity("court-worth-varied", f"{WORTH} expansions, with other favors: {{item}}", null=0,
             shown="tables: least and most in strong play", hides=lambda row: row.play != "strong"),
    GROUP("group-change", words(LINEUP + LESS), lambda key: _unit_of_change(key).replace("per game", "attacks"), 0),
    GROUP("group-lineup", words(LINEUP), "%", _share, family="line-ups"),
    GROUP("group-change-of-lineup", words(LINEUP + LESS), "% points", 0, family="line-ups"),
    GROUP("better-player", BETTER, "%", _share, family="better"),
    GROUP("change-of-better-player", BETTER + LESS, "% points", 0, family="better"),
    Quantity("line-with-expansions", "wins of a seat with weights for expansions among seats without", "%", _share, ()),
    claim_quantity(CLAIMS, UNITS),
)  # fmt: skip


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    boards = [effects.board_blocks(scope, cell) for cell in effects.card_cells(scope)]
    return {
        "games": {"/".join((name_of(subset), *cell)): with_subset(effects.experiment_of(cell), subset)
                  for cell in scope.cells() for subset in effects.SUBSETS},
        "tournaments": {f"{field} {name_of(subset)}": {**each.identity(), "blocks": each.blocks}
                        for (field, subset), each in skill.tournaments(BASELINE, effects.most_blocks(scope)).items()},
        "treatments": treatments(), "groups": effects.group_identity(scope), "blocks": [scope.baseline, scope.others],
        "favors": effects.favor_games(scope), "boards": {"favors": variants(), "blocks": boards},
    }  # fmt: skip


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play everything, and estimate what the expansions change."""
    subsets, changed = {}, {}
    for cell in scope.cells():
        played = partial(effects.play, blocks=scope.blocks(cell), storage=storage)
        subsets[cell] = effects.subsets_of(effects.experiment_of(cell), played)
        changed[cell] = effects.effects_of(subsets[cell])
    values = dict(effects.values_of(scope, subsets, changed))
    tournaments = skill.play_all(skill.tournaments(BASELINE, effects.most_blocks(scope)), storage)
    values.update(skill.values_of(tournaments, BASELINE._replace(play="")))
    for cell in effects.card_cells(scope):
        blocks = scope.blocks(cell)
        values.update(favors(cell, effects.favor_blocks(scope, cell), storage))
        values.update(statues(cell, blocks, storage))
        values.update(landsknechte(cell, blocks, storage))
        court = subsets[cell][EXPANSIONS][POINTS] - subsets[cell][EXPANSIONS[1:]][POINTS]
        values.update(moves(cell, effects.board_blocks(scope, cell), storage, court))
    values.update(effects.group_values(scope, storage))
    return values | dict(claim_values(CLAIMS, {cell: effects.claimed(each) for cell, each in changed.items()}))


def finding(figures: Figures, _: Scope) -> Finding:
    """Which expansion moves most points, and what the others do at both tables."""
    points = {name: [figures.of("effect-by-cell", f"{name} {POINTS}", players=PLAYERS, cell=table)
                     for table in (CASUAL_TABLE, EXPERIENCED_TABLE)] for name in EXPANSIONS}  # fmt: skip
    most, *others = moving_most(points)
    casual, experienced = map(value(1, "+"), points.pop(most))
    moved = "" if others else f": {casual} VP a seat for casual bots, {experienced} for master bots"
    with_each = listed([f"{SIGNED(both[0])} with {NAMES[name]}" for name, both in points.items()])
    by_master = listed([value(2, "+")(both[1]) for both in points.values()])
    return Finding(
        f"Most points move with {either([NAMES[name] for name in (most, *others)], 'expansions')}{moved} {RESTS_ON}",
        f"VP change by {with_each}.",
        f"Those of master bots change by {by_master}.",
        picture="What each expansion and each pair of them changes in points and in their spread, in every kind of "
        "play, and what it changes in the wins of styles",
        **left_open(figures, CLAIMS),
    )


def first(figures: Figures, _: Scope) -> Grid:
    """The main effects on four outcomes at both tables, and by lines made without any expansion."""
    shown = {POINTS: SIGNED, SPREAD: SIGNED, LEADER: estimate(1, "+"), ATTACKS: SIGNED}
    family = sure_of(figures.all_of("effect-by-cell", f"{COURT} {POINTS}", players=PLAYERS)).n_comparisons
    made_without = [EXPERIENCED_TABLE._replace(play=play) for play in effects.WITHOUT]
    return Grid(
        "expansion: outcome",
        [Line(f"{name[0].upper()}{name[1:]}: {outcome}", {"item": f"{expansion} {outcome}"}, show)
         for expansion, name in NAMES.items() for outcome, show in shown.items()],
        (*lines("cell", (CASUAL_TABLE, EXPERIENCED_TABLE), LINE_NAMES.__getitem__),
         *(Line(f"{BOTS[table.play]} bots without", {"cell": cell})
           for table, cell in zip(THREE_TABLES[1:], made_without, strict=True))),
        {"quantity": "effect-by-cell", "players": PLAYERS},
        under=f"The mean over the other expansions; tower {CASUAL_TABLE.tower}; for each outcome {family:,} "
        f"simultaneous {LEVEL:.0%} intervals. Master bots were taught with all three expansions; master "
        "and scholar bots of the last columns were made without any.",
        gaps=True,
    )  # fmt: skip


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A panel an outcome with a row an effect and a mark a play; at the right a row a style and a mark an expansion."""
    nowhere, plays = BASELINE._replace(play=""), [play.name for play in scope.plays]
    drawn, axes = plt.subplots(1, len(DRAWN) + 1, figsize=(3.7 * (len(DRAWN) + 1) + 0.6, 5.4))
    title = "What each expansion changes: points, their spread, and the wins of styles\n"
    title += f"Tower {nowhere.tower}, line-ups; strong: taught with all three; {LEVEL:.0%} intervals, simultaneous for "
    drawn.suptitle(f"{title}effects and for styles", x=0.01, ha="left", fontsize=9)
    for number, outcome in enumerate(DRAWN):
        rows = {name: {play: figures.of("picture", f"{name} {outcome}", players=PLAYERS,
                                        cell=BASELINE._replace(play=play)) for play in plays}
                for name in map(effects.name_of_effect, effects.EFFECTS)}  # fmt: skip
        forest(axes[number], rows, plays)
        axes[number].set_xlabel(f"effect on {outcome}")
        axes[number].tick_params(labelleft=number == 0)
    styles = {style: {name: figures.of("picture-of-wins", f"{skill.ZOO} {style} {name}", players=PLAYERS, cell=nowhere)
                      for name in EXPANSIONS} for style in skill.FIELDS[skill.ZOO]}  # fmt: skip
    forest(axes[-1], styles, EXPANSIONS, (COLOURS[9], ACCENT, INK))  # unlike those of the plays
    axes[-1].set_xlabel("effect on wins of a style, % points")
    drawn.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=len(plays))
    axes[-1].legend(
        loc="lower right", bbox_to_anchor=(1.02, 1.0), ncols=3, columnspacing=0.8, handletextpad=0.2, borderaxespad=0.0
    )
    return drawn


STUDY = Study(
    __file__, __doc__, effects.scope_of, identity, play, picture=picture, finding=finding, first=first, tables=tables,
    quantities=QUANTITIES,
    judged=(Judged(CLAIMS, effects.outcomes_by_game, games_a_row=2, plays=effects.plays_with_expansions, units=UNITS),),
)  # fmt: skip
