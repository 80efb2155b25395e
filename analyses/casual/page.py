"""The page of the study `casual`: sentences, tables and the picture."""

from __future__ import annotations

from matplotlib.figure import Figure

from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words, number
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL
from wallsim.studies.study import Page

from .estimates import EXPERIMENT, SEATS, Casual
from .picture import as_people_report
from .reported import PEOPLE

MARK = "casual figures"
REPORTED = "people, as reported"


def page(found: Casual) -> Page:
    """All tables with what was played above them."""
    parts = [games_played(found), points_table(found), conduct_table(found), near_words(found)]
    return Page({MARK: "\n\n".join(parts)})


def games_played(found: Casual) -> str:
    """What was played, and what the intervals mean."""
    experiment, sure = load_experiment(EXPERIMENT), found.confidence
    few = f" {sure.too_few(found.games, 'games')}" if found.games < sure.min_blocks else ""
    return (
        f"{len(found.policies)} policies, {found.games:,} games each: {len(found.policies) * found.games:,} games; "
        f"{experiment.players} players, line-ups, every seat the same policy, tower {experiment.tower}, seed "
        f"{experiment.seed}, engine version {ENGINE_VERSION}. The ± are half-widths of intervals that hold for a whole "
        f"table simultaneously with {LEVEL:.0%}.{few}"
    )


def points_table(found: Casual) -> str:
    """One row per policy below that of people: mean victory points by place, and their distance from the reported."""
    rows: list[tuple[str, ...]] = [(REPORTED, *(f"{points:g}" for points in PEOPLE.points), NOTHING)]
    for name, each in found.policies.items():
        cells = (in_words(one.value, one.interval(found.confidence), 1) for one in each.points)
        rows.append((code(name), *cells, number(each.distance(), 1)))
    places = (f"place {place}" for place in range(1, SEATS + 1))
    return markdown_table(("mean victory points", *places, "distance"), rows)


def conduct_table(found: Casual) -> str:
    """One row per policy below that of people: bids by order of choosing, buildings, attacks on neutral counties."""
    people = (*(f"{bid:g}" for bid in PEOPLE.bids), NOTHING, f"{PEOPLE.built:g}", "most")
    rows: list[tuple[str, ...]] = [(REPORTED, *people)]
    for name, each in found.policies.items():
        cells = [in_words(one.value, one.interval(found.confidence), 2) for one in (*each.bids, each.built)]
        shares = [
            in_words(one.value, one.interval(found.confidence), 1, top=100.0)
            for one in (each.county_bids, each.on_neutrals)
        ]
        rows.append((code(name), *cells[:-1], shares[0], cells[-1], shares[1]))
    turns = (f"choice {turn}" for turn in range(1, SEATS + 1))
    heads = ("Thalers bid", *turns, "county bids, % of rounds", "built per round", "attacks on neutrals, %")
    return markdown_table(heads, rows)


def near_words(found: Casual) -> str:
    """How near the nearest policy and the baseline come, in a sentence."""
    gaps = {name: each.distance() for name, each in found.policies.items()}
    nearest = min(gaps, key=lambda name: gaps[name])
    others = ", ".join(f"{code(name)} {number(gap, 1)}" for name, gap in sorted(gaps.items(), key=lambda pair: pair[1]))
    return (
        f"Distance is the root of the mean squared difference of the {SEATS} means from the reported points. Nearest "
        f"is {code(nearest)}; in order: {others}."
    )


def picture(found: Casual) -> Figure:
    """Points by place and bids by the order of choosing."""
    points = {REPORTED: list(PEOPLE.points)}
    bids = {REPORTED: list(PEOPLE.bids)}
    for name, each in found.policies.items():
        points[name] = [one.value for one in each.points]
        bids[name] = [one.value for one in each.bids]
    title = f"Tables of five equal policies, {found.games:,} games each, beside what people report of casual tables"
    return as_people_report(points, bids, REPORTED, title)
