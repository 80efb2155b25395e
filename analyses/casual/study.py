"""Casual play: how near do bots come to what people score and do at casual tables of five?

Method. Each policy plays the games of `experiment.toml` in all five seats, each seat with its own line-up. Measured is
what people tell of their games (`PEOPLE`): victory points by place, Thalers bid by the
order of choosing, buildings a round, and the share of attacks that go against neutral counties. Beside that are hunger
and the kinds of first plan, by which actions get a county card in the first spring (`AIMS`). A block is a game;
Student's t intervals from the spread of the games hold for a whole table simultaneously (Bonferroni). The figures of
people have no intervals, since nobody knows of how many tables they are. Runs lie in folders by policy below the one
named and are not played again if they are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.behaviour.doubtful_moves import HUNGER, count_doubtful_moves
from wallsim.analysis.behaviour.tables import kinds_of, opening_plans
from wallsim.analysis.claims.cells import (
    CASUAL_POLICY,
    MIDDLING_POLICY,
    STRONG_POLICIES,
    WEAK_POLICY,
    Cell,
    command_name,
    named,
)
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.markdown import markdown_table
from wallsim.play.play import play_run
from wallsim.policies.catalogue import load_policy
from wallsim.report.figures.style import COLOURS, INK, styled
from wallsim.report.tables.estimates import NOTHING, number
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ACTIONS
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import LINEUP, NOWHERE, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, lines, sure_of, value
from wallsim.studies.quantities import Key, Number, Quantity, Value
from wallsim.studies.study import Choices, Option, Storage, Study
from wallsim.studies.table_captions import few

# The figures of a few reports of casual tables of five that people published. They are rounded; the bids are those of a
# single round, and neither the number of tables nor their set-up and events are known.
PEOPLE: Mapping[str, tuple[float, ...]] = {
    "points": (45, 37, 34, 29, 26),  # victory points at the end, by place
    "bid": (4, 2, 1, 0, 0),  # Thalers paid in the auction, by the order of choosing
    "built": (2.0,),  # buildings put up a round, by seat
}
# What casual bots are to keep, set by hand, since nobody reports it: shortages a game, % of winters of hunger foreseen,
# and how many kinds of first plan have USUAL % of the plans or more.
AIMS, USUAL = {"shortages": 1.2, "hunger-foreseen": 25.0, "usual-plans": 4}, 5.0
FEWER = 4  # of so many games one is recorded, for hunger and first plans
# From casual to strong, with one that bids; the weights of `amateur` and `casual` were set by these figures.
POLICIES = tuple(dict.fromkeys((
    CASUAL_POLICY, "casual", WEAK_POLICY, "balanced-noise-16", "opportunist", MIDDLING_POLICY, STRONG_POLICIES[5],
)))  # fmt: skip
SEATS, TOWER = 5, "spielbyweb"  # of the experiment
KINDS = 4  # of first plans whose shares are shown
NAMES = Option("policies", "", "comma-separated policies, instead of those of the study")
REPORTED = "people, as reported"
# Places at the end, and turns in the order of choosing.
PLACES, TURNS = ([f"{what} {at}" for at in range(1, SEATS + 1)] for what in ("place", "choice"))
PLANNED = ("taxes", "trading_post", "combat_a", "combat_b")  # what every casual bot of before planned first
ITEMS = {"points": PLACES, "bid": TURNS, "built": [""]}
WHOSE = "at casual tables of five, as people report: rounded, of few tables, not simulated"
ALL, BUILT = "{cell.play} in all seats", "buildings put up"
MEASURED = partial(Quantity, n_unit="games", together=("players",))
CONDUCT = partial(MEASURED, family="conduct")  # the larger table: that of points has as many intervals
OF_PEOPLE = partial(Quantity, seed=lambda key: 0)
Planned = Mapping[str, Experiment]
QUANTITIES = (
    OF_PEOPLE("reported-points", f"victory points at the end, {{item}}, {WHOSE}", shown="first screen"),
    OF_PEOPLE("reported-bid", f"Thalers bid in one round, {{item}}, {WHOSE}", "Thalers"),
    OF_PEOPLE("reported-built", f"{BUILT}, by seat, {WHOSE}", "per round"),
    MEASURED("points", f"victory points at the end, {{item}}, {ALL}", like="conduct", shown="first screen"),
    CONDUCT("bid", f"mean Thalers bid, {{item}}, {ALL}", "Thalers"),
    CONDUCT("county-bids", f"rounds with a bid of a county card, {ALL}", "% of rounds"),
    CONDUCT("built", f"{BUILT} by actions, by seat, {ALL}", "per round"),
    CONDUCT("attacks-on-neutrals", f"attacks on neutral counties, {ALL}", "% of attacks"),
    CONDUCT("shortages", f"winters short of grain, by seat, {ALL}", "per game"),
    CONDUCT("hunger-foreseen", f"winters short of grain by the smaller loss of the open events, {ALL}", "% of winters"),
    CONDUCT("first-plans", f"first plans with a county card on {{item}}, {ALL}", "% of plans"),
    CONDUCT("first-kinds", f"first plans of the kind that is number {{item}} by frequency, {ALL}", "% of plans"),
    MEASURED("usual-plans", f"kinds of first plan that have {USUAL:.0f} % or more, {ALL}", "kinds"),
    MEASURED("distance", f"root of the mean squared difference of the points by place from those reported, {ALL}",
             shown="first screen"),
)  # fmt: skip


def design(choices: Choices) -> dict[str, Experiment]:
    """The experiment of every policy. InputError for an unknown one."""
    names = choices.listed(NAMES) or POLICIES
    changes: dict[str, Any] = {"games": choices.games} if choices.games else {}
    return {name: STUDY.experiment().changed(**changes, policies=name) for name in dict.fromkeys(names)}


def identity(planned: Planned) -> dict[str, Any]:
    """Everything that decides the results, the reports of people too."""
    return {"runs": planned, "people": [PEOPLE["points"], PEOPLE["bid"], *PEOPLE["built"]]}


def measured(run: Run) -> dict[tuple[str, str], Estimate]:
    """By quantity and item what people tell, of a run with the table `seasons`, and more; a block is a game.

    That is the attacks on neutral counties, in per cent of all attacks, and the rounds with a county bid, in %.
    """
    paid, attacks, on_players = pl.col("paid_bids"), pl.col("attacks"), pl.col("attacks_on_players")
    by_game = block_values(
        run.scan("seats"), run.manifest["games"],
        **{place: pl.col("vp").sort(descending=True).get(at) for at, place in enumerate(PLACES)},
        built=pl.sum_horizontal("done_palace", "done_church", "done_trading_post").sum(),
        shortages=pl.col("shortages").sum(), attacks=attacks.sum(), neutral=(attacks - on_players).sum(),
    ) | block_values(
        run.scan("seasons").filter(pl.col("choosing_place") > 0), run.manifest["games"],
        **{turn: paid.filter(pl.col("choosing_place") == at).sum() for at, turn in enumerate(TURNS, start=1)},
        rounds=pl.len(), county=(pl.col("bid").cast(pl.String) == "county").sum(),
    )  # fmt: skip
    return {
        **{("points", place): block_mean(by_game[place]) for place in PLACES},
        **{("bid", turn): block_ratio(by_game[turn], by_game["rounds"] / SEATS) for turn in TURNS},
        ("county-bids", ""): block_ratio(by_game["county"], by_game["rounds"]) * 100,
        ("built", ""): block_ratio(by_game["built"], by_game["rounds"]),
        ("shortages", ""): block_mean(by_game["shortages"] / SEATS),
        ("attacks-on-neutrals", ""): block_ratio(by_game["neutral"], by_game["attacks"]) * 100,
    }


def recorded(experiment: Experiment) -> dict[tuple[str, str], Value]:
    """By quantity and item what one of FEWER games of an experiment shows of hunger and of first plans."""
    games = max(2, experiment.games // FEWER)
    plans = opening_plans(experiment.arena(), games)
    kinds = kinds_of(plans)
    found, times = np.unique(kinds, return_counts=True)
    usual = found[np.argsort(-times, kind="stable")][: int(AIMS["usual-plans"])]
    shown = {
        **{("first-plans", name.replace("_", " ")): kinds >> ACTIONS.index(name) & 1 for name in PLANNED},
        **{("first-kinds", str(at)): kinds == kind for at, kind in enumerate(usual, start=1)},
    }
    return {
        ("hunger-foreseen", ""): count_doubtful_moves(load_policy(experiment.policies[0]), experiment, games)[HUNGER],
        **{what: block_mean(each.mean(axis=1) * 100) for what, each in shown.items()},
        ("usual-plans", ""): Number(float((times >= USUAL / 100 * kinds.size).sum()), n=games),
    }


def distance(points: Sequence[Estimate], people: Sequence[float] = PEOPLE["points"]) -> float:
    """How far points by place are from those reported: the root of the mean squared difference, in points."""
    return sqrt(sum((one.value - other) ** 2 for one, other in zip(points, people, strict=True)) / len(points))


def play(planned: Planned, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs; the figures of every policy, which stands as the play, and what people report."""
    values: dict[Key, Value] = {
        Key(f"reported-{quantity}", item, SEATS): Number(each)
        for quantity, reported in PEOPLE.items() for item, each in zip(ITEMS[quantity], reported, strict=True)
    }  # fmt: skip
    for name, experiment in planned.items():
        found = measured(play_run(experiment, storage.folder / name))
        points = [found["points", place] for place in PLACES]
        every = {**found, **recorded(experiment)}
        values |= {Key(*what, SEATS, cell_of(name)): each for what, each in every.items()}
        values[Key("distance", "", SEATS, cell_of(name))] = Number(distance(points), n=points[0].blocks)
    return values


def cell_of(policy: str) -> Cell:
    """Where the figures of a policy stand: it is the play."""
    return Cell(policy, TOWER, LINEUP)


def tables(figures: Figures, planned: Planned) -> Iterator[Grid | str]:
    """Points by place; what was played; bids by order of choosing, buildings, attacks on neutral counties.

    One row per policy below that of people.
    """
    policies = lines("cell", map(cell_of, planned), lambda cell: named(cell.play, SEATS))
    gaps = [f"{named(name, SEATS)} {number(gap, 1)}" for name, gap in gaps_in(figures, planned).items()]

    def reported(quantity: str, *items: str) -> list[str]:
        return [f"{figures.of(f'reported-{quantity}', item, players=SEATS).value:g}" for item in items]

    people = Line(REPORTED, texts=[*reported("points", *PLACES), NOTHING])
    yield Grid("mean victory points", (people, *policies), (
        *lines("item", PLACES), Line("distance", {"quantity": "distance"}, value(1)),
    ), {"quantity": "points", "players": SEATS}, estimate(1),
        f"Distance is the root of the mean squared difference of the {SEATS} means from the reported points. Nearest "
        f"is {gaps[0].split()[0]}; in order: {', '.join(gaps)}.")  # fmt: skip
    experiment, sure = next(iter(planned.values())), sure_of(figures.all_of("built", players=SEATS))
    games = experiment.games
    yield (
        f"{len(planned)} policies, {games:,} games each: {len(planned) * games:,} games; "
        f"{experiment.players} players, line-ups, every seat the same policy, tower {experiment.tower}, seed "
        f"{experiment.seed}, engine version {figures.engine}. The ± are half-widths of intervals that hold for a whole "
        f"table simultaneously with {LEVEL:.0%}.{few(sure, games, 'games')}"
    )
    people = Line(REPORTED, texts=[*reported("bid", *TURNS), NOTHING, *reported("built", ""), "most"])
    yield Grid("Thalers bid", (people, *policies), (
        *lines("item", TURNS), Line("county bids, % of rounds", {"quantity": "county-bids"}, estimate(1, top=100.0)),
        Line("built per round", {"quantity": "built"}),
        Line("attacks on neutrals, %", {"quantity": "attacks-on-neutrals"}, estimate(1, top=100.0)),
    ), {"quantity": "bid", "players": SEATS})  # fmt: skip
    shortages, hunger, kinds = AIMS.values()
    aims = (f"at most {shortages:g}", f"at most {hunger:g}", f"at least {kinds:g}", *[NOTHING] * (KINDS + len(PLANNED)))
    yield (
        "Hunger and first plans, of which nobody reports. Hunger is foreseen in a winter short of grain even by the "
        "smaller loss of the events that lay open in fall. A kind of first plan is the set of actions that get a "
        f"county card in the first spring. Both are of {max(2, games // FEWER):,} games."
    )
    yield Grid("hunger and first plans", (Line("aim, set by hand", texts=aims), *policies), (
        Line("shortages", {"quantity": "shortages"}, estimate(2)),
        Line("foreseen hunger, % of winters", {"quantity": "hunger-foreseen"}),
        Line(f"kinds of plan with {USUAL:.0f} % or more", {"quantity": "usual-plans"}, value(0)),
        *lines("item", map(str, range(1, KINDS + 1)), lambda place: f"kind {place} by frequency, %",
               quantity="first-kinds"),
        *lines("item", (name.replace("_", " ") for name in PLANNED), lambda name: f"plans with {name}, %",
               quantity="first-plans"),
    ), {"players": SEATS}, estimate(1, top=100.0))  # fmt: skip
    yield real_games()


def real_games() -> str:
    """Where real results lie among the games of bots that the review of a game uses, which this study does not play."""
    bots, rows = json.loads((data_folder("scores") / "scores.json").read_text("utf-8")), []
    for game in pl.read_csv(data_folder("scores") / "people.csv", comment_prefix="#").iter_rows(named=True):
        points, kinds = game["points"], bots["sizes"][str(game["players"])].values()
        row = [f"{game['game']}, place {game['place']}: {points}"]
        for counts in (kind["places"][game["place"] - 1] for kind in kinds):
            most = sum(games for score, games in counts.items() if int(score) <= points)
            least = sum(games for score, games in counts.items() if int(score) >= points)
            row.append(f"{100 * most / bots['games']:.0f} / {100 * least / bots['games']:.0f}")
        rows.append(row)
    heads = (f"`{kind['policy']}`, {kind['setup']}" for kind in kinds)
    return (
        f"Games of a tournament of experienced players who drafted. Shown is the share of {bots['games']:,} games of "
        "bots, all seats alike, whose seat at that place has at most / at least so many points, in %; engine version "
        f"{bots['engine']}. One game decides nothing.\n\n{markdown_table(('points', *heads), rows)}"
    )


def gaps_in(figures: Figures, planned: Planned) -> dict[str, float]:
    """How far each policy is from people, the nearest first."""
    gaps = {name: figures.of("distance", players=SEATS, cell=cell_of(name)).value for name in planned}
    return dict(sorted(gaps.items(), key=lambda each: each[1]))


def finding(figures: Figures, planned: Planned) -> Finding | None:
    """How near casual and strong play come to people; None where one was not played, or in too few games."""
    sure, strong = sure_of(figures.all_of("built", players=SEATS)), STRONG_POLICIES[SEATS]
    if not {CASUAL_POLICY, strong} <= set(planned) or next(iter(planned.values())).games < sure.min_blocks:
        return None
    ours, nearest = f"{CASUAL_POLICY}/{TOWER}", next(iter(gaps_in(figures, planned)))
    others = "no bots tried come nearer" if nearest == CASUAL_POLICY else "other bots come nearer"
    return Finding(
        title=f"Casual bots are {{distance.5p/{ours}|value}} points off what people report by place, and {others} "
        "(five players, one tower)",
        casual=f"The first of five scores {{points.5p.place-1/{ours}}} points, the last {{points.5p.place-5/{ours}}}; "
        "people report {reported-points.5p.place-1|0 value} and {reported-points.5p.place-5|0 value}.",
        experienced=f"With the printed line-ups, master bots are {{distance.5p/{strong}/{TOWER}|value}} points off.",
        unknown="How many games people report of, and whether they err as casual bots do.",
        picture="Points by place and Thalers bid by the order of choosing, a line for each policy, and what people "
        "report",
    )


@styled
def picture(figures: Figures, planned: Planned) -> Picture:
    """Points by place and bids by the order of choosing: a line a policy, and in black that of people, on top."""
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 3.9))
    games = next(iter(planned.values())).games
    figure.suptitle("What policies score and bid, and what people report\nTables of five equal policies, "
                    f"{games:,} games each", x=0.01, ha="left", fontsize=9)  # fmt: skip
    for axes, quantity, items, label, below in (
        (panels[0], "points", PLACES, "Victory points at the end", "place"),
        (panels[1], "bid", TURNS, "Thalers bid", "order of choosing"),
    ):
        for at, name in enumerate((*planned, REPORTED)):
            people = name == REPORTED
            what, cell = (f"reported-{quantity}", NOWHERE) if people else (quantity, cell_of(name))
            axes.plot(
                range(1, SEATS + 1), [figures.of(what, item, players=SEATS, cell=cell).value for item in items],
                label=name if people else command_name(name, SEATS), linestyle="--" if people else "-",
                color=INK if people else COLOURS[at % len(COLOURS)], linewidth=2.6 if people else 1.4,
                marker="os^DvP"[at % 6], markersize=5,
            )  # fmt: skip
        axes.set_xticks(range(1, SEATS + 1))
        axes.set_xlabel(below)
        axes.set_title(label)
    panels[1].legend()
    return figure


STUDY = Study(
    __file__, __doc__, design, identity, play, finding=finding, tables=tables, picture=picture, quantities=QUANTITIES,
    options=(NAMES,), games="games of each policy instead of the experiment's", quick=Choices(games=200),
    sample=Choices(games=4_000),
)  # fmt: skip
