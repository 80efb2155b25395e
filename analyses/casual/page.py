"""The page of the study `casual`: sentences, tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.plays import CASUAL_POLICY, STRONG_POLICIES
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, number, of_estimate
from wallsim.runs.experiment import Experiment
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import LINEUP, Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.study import Page

from .estimates import SEATS
from .figures import (
    BIDS,
    BUILT,
    COUNTY_BIDS,
    DISTANCE,
    ON_NEUTRALS,
    POINTS,
    REPORTED_BIDS,
    REPORTED_BUILT,
    REPORTED_POINTS,
    TOWER,
    choice,
    confidence,
    place,
)
from .picture import as_people_report

REPORTED = "people, as reported"
Planned = Mapping[str, Experiment]


def page(figures: Figures, planned: Planned) -> Page:
    """The finding with the points by place, and all else with what was played above it."""
    points = f"{points_table(figures, planned)}\n\n{near_words(figures, planned)}"
    rest = f"{games_played(planned)}\n\n{conduct_table(figures, planned)}"
    return Page(finding_of(figures, planned), points, rest)


def finding_of(figures: Figures, planned: Planned) -> Finding | None:
    """How near casual and strong play come to people; None where one was not played, or in too few games."""
    sure, strong = confidence(len(planned)), STRONG_POLICIES[SEATS]
    if not {CASUAL_POLICY, strong} <= set(planned) or next(iter(planned.values())).games < sure.min_blocks:
        return None
    casual, other = (number(of_policy(figures, DISTANCE, name).value, 1) for name in (CASUAL_POLICY, strong))
    ends = [place(1), place(SEATS)]
    ours = [of_estimate(of_policy(figures, POINTS, CASUAL_POLICY, each), sure, 1) for each in ends]
    theirs = [f"{reported(figures, REPORTED_POINTS, each):g}" for each in ends]
    nearest = min(planned, key=lambda name: of_policy(figures, DISTANCE, name).value)
    others = "no play tried comes nearer" if nearest == CASUAL_POLICY else "other play comes nearer"
    return Finding(
        f"Casual play is {casual} points off what people report by place, and {others}",
        f"The first of five scores {ours[0]} points, the last {ours[1]}; people report {theirs[0]} and {theirs[1]}.",
        f"With the printed line-ups, strong play is {other} points off; its second line was not played here.",
        "How many tables people report of, and whether casual players err in the ways of this policy.",
        "Points by place and Thalers bid by the order of choosing, a line for each policy, and what people report",
    )  # fmt: skip


def games_played(planned: Planned) -> str:
    """What was played, and what the intervals mean."""
    experiment, sure = next(iter(planned.values())), confidence(len(planned))
    games = experiment.games
    few = f" {sure.too_few(games, 'games')}" if games < sure.min_blocks else ""
    return (
        f"{len(planned)} policies, {games:,} games each: {len(planned) * games:,} games; "
        f"{experiment.players} players, line-ups, every seat the same policy, tower {experiment.tower}, seed "
        f"{experiment.seed}, engine version {ENGINE_VERSION}. The ± are half-widths of intervals that hold for a whole "
        f"table simultaneously with {LEVEL:.0%}.{few}"
    )


def points_table(figures: Figures, planned: Planned) -> str:
    """One row per policy below that of people: mean victory points by place, and their distance from the reported."""
    sure, places = confidence(len(planned)), [place(at) for at in range(1, SEATS + 1)]
    rows = [(REPORTED, *(f"{reported(figures, REPORTED_POINTS, each):g}" for each in places), NOTHING)]
    for name in planned:
        cells = [of_estimate(of_policy(figures, POINTS, name, each), sure, 1) for each in places]
        rows.append((code(name), *cells, number(of_policy(figures, DISTANCE, name).value, 1)))
    return markdown_table(("mean victory points", *places, "distance"), rows)


def conduct_table(figures: Figures, planned: Planned) -> str:
    """One row per policy below that of people: bids by order of choosing, buildings, attacks on neutral counties."""
    sure, turns = confidence(len(planned)), [choice(at) for at in range(1, SEATS + 1)]
    bids = [f"{reported(figures, REPORTED_BIDS, each):g}" for each in turns]
    rows = [(REPORTED, *bids, NOTHING, f"{reported(figures, REPORTED_BUILT):g}", "most")]
    for name in planned:
        cells = [of_estimate(of_policy(figures, BIDS, name, each), sure, 2) for each in turns]
        built = of_estimate(of_policy(figures, BUILT, name), sure, 2)
        on_county, on_neutrals = (
            of_estimate(of_policy(figures, quantity, name), sure, 1, 100.0) for quantity in (COUNTY_BIDS, ON_NEUTRALS)
        )
        rows.append((code(name), *cells, on_county, built, on_neutrals))
    heads = ("Thalers bid", *turns, "county bids, % of rounds", "built per round", "attacks on neutrals, %")
    return markdown_table(heads, rows)


def near_words(figures: Figures, planned: Planned) -> str:
    """How near the nearest policy and the baseline come, in a sentence."""
    gaps = {name: of_policy(figures, DISTANCE, name).value for name in planned}
    nearest = min(gaps, key=lambda name: gaps[name])
    others = ", ".join(f"{code(name)} {number(gap, 1)}" for name, gap in sorted(gaps.items(), key=lambda pair: pair[1]))
    return (
        f"Distance is the root of the mean squared difference of the {SEATS} means from the reported points. Nearest "
        f"is {code(nearest)}; in order: {others}."
    )


def reported(figures: Figures, quantity: str, item: str = "") -> float:
    """A number that people report."""
    return figures.of(quantity, item, players=SEATS).value


def of_policy(figures: Figures, quantity: str, policy: str, item: str = "") -> Figure:
    """A figure of a policy in all seats."""
    return figures.of(quantity, item, players=SEATS, play=policy, tower=TOWER, setup=LINEUP)


def picture(figures: Figures, planned: Planned) -> Picture:
    """Points by place and bids by the order of choosing."""
    places, turns = ([item(at) for at in range(1, SEATS + 1)] for item in (place, choice))
    points = {REPORTED: [reported(figures, REPORTED_POINTS, each) for each in places]}
    bids = {REPORTED: [reported(figures, REPORTED_BIDS, each) for each in turns]}
    for name in planned:
        points[name] = [of_policy(figures, POINTS, name, each).value for each in places]
        bids[name] = [of_policy(figures, BIDS, name, each).value for each in turns]
    games = next(iter(planned.values())).games
    title = f"What policies score and bid, and what people report\nTables of five equal policies, {games:,} games each"
    return as_people_report(points, bids, REPORTED, title)
