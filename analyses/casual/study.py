"""Casual play: how near do policies come to what people score and do at casual tables of five?

Method. Each policy plays the games of `experiment.toml` in all five seats, each seat with its own line-up. Measured is
what people tell of their games (`reported.py`): victory points by place, Thalers bid by the
order of choosing, buildings a round, and the share of attacks that go against neutral counties. A block is a game;
Student's t intervals from the spread of the games hold for a whole table simultaneously (Bonferroni). The figures of
people have no intervals, since nobody knows of how many tables they are. Runs lie in folders by policy below the one
named and are not played again if they are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, STRONG_POLICIES, WEAK_POLICY
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code
from wallsim.report.tables.estimates import NOTHING, number
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import LINEUP, Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, lines, sure_of, texts_of, value
from wallsim.studies.quantities import NOWHERE, Key, Number, Quantity, Value, add_values
from wallsim.studies.sentences import said
from wallsim.studies.study import Choices, Option, Page, Storage, Study

from .picture import as_people_report
from .reported import PEOPLE, distance, measured

# From casual to strong, with one that bids; the weights of `amateur` and `casual` were set by these figures.
POLICIES = tuple(dict.fromkeys((
    CASUAL_POLICY, "casual", WEAK_POLICY, "balanced-noise-16", "opportunist", MIDDLING_POLICY, STRONG_POLICIES[5],
)))  # fmt: skip
SEATS, TOWER = 5, "spielbyweb"  # of the experiment
NAMES = Option("policies", "", "comma-separated policies, instead of those of the study")
REPORTED = "people, as reported"
ITEMS = {"points": "place {}", "bid": "choice {}"}  # of places at the end, and of turns in the order of choosing
PLACES, TURNS = ([form.format(at) for at in range(1, SEATS + 1)] for form in ITEMS.values())
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
    MEASURED("distance", f"root of the mean squared difference of the points by place from those reported, {ALL}",
             shown="first screen"),
)  # fmt: skip


def design(choices: Choices) -> dict[str, Experiment]:
    """The experiment of every policy. InputError for an unknown one."""
    names = [name.strip() for name in choices.option(NAMES).split(",") if name.strip()] or POLICIES
    changes: dict[str, Any] = {"games": choices.games} if choices.games else {}
    return {name: STUDY.experiment().changed(**changes, policies=name) for name in dict.fromkeys(names)}


def identity(planned: Planned) -> dict[str, Any]:
    """Everything that decides the results, the reports of people too."""
    return {"runs": planned, "people": [PEOPLE["points"], PEOPLE["bid"], *PEOPLE["built"]]}


def play(planned: Planned, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs; the figures of every policy, which stands as the play, and what people report."""
    values: dict[Key, Value] = {}
    for quantity, reported in PEOPLE.items():
        for at, each in enumerate(reported, start=1):
            values[_key(f"reported-{quantity}", at)] = Number(each)
    for name, experiment in planned.items():
        every, cell = measured(play_run(experiment, storage.folder / name)), _cell(name)
        values |= {_key(quantity, at, cell): each for quantity, of in every.items() for at, each in enumerate(of, 1)}
        values[_key("distance", 1, cell)] = Number(distance(every["points"]), n=every["built"][0].blocks)
    return values


def _key(quantity: str, at: int, cell: Cell = NOWHERE) -> Key:
    return Key(quantity, ITEMS.get(quantity.removeprefix("reported-"), "").format(at), SEATS, cell)


def _cell(policy: str) -> Cell:
    return Cell(policy, TOWER, LINEUP)


def figures(result: dict[Key, Value], rows: Rows) -> None:
    """Add every figure."""
    add_values(rows, QUANTITIES, result)


def page(figures: Figures, planned: Planned) -> Page:
    """The finding with the points by place, and all else with what was played above it."""
    points, *rest = tables(figures, planned)
    return Page(finding_of(figures, planned), texts_of(figures, [points]), texts_of(figures, rest))


def tables(figures: Figures, planned: Planned) -> Iterator[Grid | str]:
    """Points by place; what was played; bids by order of choosing, buildings, attacks on neutral counties.

    One row per policy below that of people.
    """
    policies = lines("cell", map(_cell, planned), lambda cell: code(cell.play))
    gaps = [f"{code(name)} {number(gap, 1)}" for name, gap in gaps_in(figures, planned).items()]

    def reported(quantity: str, item: str = "") -> str:
        return f"{figures.of(f'reported-{quantity}', item, players=SEATS).value:g}"

    people = Line(REPORTED, texts=[*(reported("points", at) for at in PLACES), NOTHING])
    yield Grid("mean victory points", (people, *policies), (
        *lines("item", PLACES), Line("distance", {"quantity": "distance"}, value(1)),
    ), {"quantity": "points", "players": SEATS}, estimate(1),
        f"Distance is the root of the mean squared difference of the {SEATS} means from the reported points. Nearest "
        f"is {gaps[0].split()[0]}; in order: {', '.join(gaps)}.")  # fmt: skip
    yield games_played(figures, planned)
    people = Line(REPORTED, texts=[*(reported("bid", at) for at in TURNS), NOTHING, reported("built"), "most"])
    yield Grid("Thalers bid", (people, *policies), (
        *lines("item", TURNS), Line("county bids, % of rounds", {"quantity": "county-bids"}, estimate(1, top=100.0)),
        Line("built per round", {"quantity": "built"}),
        Line("attacks on neutrals, %", {"quantity": "attacks-on-neutrals"}, estimate(1, top=100.0)),
    ), {"quantity": "bid", "players": SEATS})  # fmt: skip


def games_played(figures: Figures, planned: Planned) -> str:
    """What was played, and what the intervals mean."""
    experiment, sure = next(iter(planned.values())), sure_of(figures.all_of("built", players=SEATS))
    games = experiment.games
    few = f" {sure.too_few(games, 'games')}" if games < sure.min_blocks else ""
    return (
        f"{len(planned)} policies, {games:,} games each: {len(planned) * games:,} games; "
        f"{experiment.players} players, line-ups, every seat the same policy, tower {experiment.tower}, seed "
        f"{experiment.seed}, engine version {ENGINE_VERSION}. The ± are half-widths of intervals that hold for a whole "
        f"table simultaneously with {LEVEL:.0%}.{few}"
    )


def gaps_in(figures: Figures, planned: Planned) -> dict[str, float]:
    """How far each policy is from people, the nearest first."""
    gaps = {name: figures.of("distance", players=SEATS, cell=_cell(name)).value for name in planned}
    return dict(sorted(gaps.items(), key=lambda each: each[1]))


def finding_of(figures: Figures, planned: Planned) -> Finding | None:
    """How near casual and strong play come to people; None where one was not played, or in too few games."""
    sure, strong = sure_of(figures.all_of("built", players=SEATS)), STRONG_POLICIES[SEATS]
    if not {CASUAL_POLICY, strong} <= set(planned) or next(iter(planned.values())).games < sure.min_blocks:
        return None
    ours, nearest = f"{CASUAL_POLICY}/{TOWER}", next(iter(gaps_in(figures, planned)))
    others = "no play tried comes nearer" if nearest == CASUAL_POLICY else "other play comes nearer"
    sentences = {
        "title": f"Casual play is {{distance.5p/{ours}|value}} points off what people report by place, and {others}",
        "casual": f"The first of five scores {{points.5p.place-1/{ours}}} points, the last "
        f"{{points.5p.place-5/{ours}}}; "
        "people report {reported-points.5p.place-1|0 value} and {reported-points.5p.place-5|0 value}.",
        "experienced": f"With the printed line-ups, strong play is {{distance.5p/{strong}/{TOWER}|value}} points "
        "off; its second line was not played here.",
        "unknown": "How many tables people report of, and whether casual players err in the ways of this policy.",
        "picture": "Points by place and Thalers bid by the order of choosing, a line for each policy, and what people "
        "report",
    }
    return Finding(**{name: said(text, figures) for name, text in sentences.items()})


def picture(figures: Figures, planned: Planned) -> Picture:
    """Points by place and bids by the order of choosing."""
    of = partial(figures.of, players=SEATS)
    points, bids = (
        {REPORTED: [of(f"reported-{quantity}", item).value for item in items]}
        | {name: [of(quantity, item, cell=_cell(name)).value for item in items] for name in planned}
        for quantity, items in (("points", PLACES), ("bid", TURNS))
    )
    games = next(iter(planned.values())).games
    title = f"What policies score and bid, and what people report\nTables of five equal policies, {games:,} games each"
    return as_people_report(points, bids, REPORTED, title)


STUDY = Study(
    __file__, __doc__, design, identity, play, figures, page, picture, quantities=QUANTITIES, options=(NAMES,),
    games="games of each policy instead of the experiment's", quick=Choices(games=200),
)  # fmt: skip
