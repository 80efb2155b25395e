"""Casual play: how near do policies come to what people score and do at casual tables of five?

    .venv/bin/python -m analyses.casual results/casual docs/studies/casual.png --into docs/studies/casual.md

Method. Each policy plays the games of `casual.toml` in all five seats, each seat with its own line-up. Measured is
what people tell of their games (`wallsim.analysis.behaviour.reported`): victory points by place, Thalers bid by the
order of choosing, buildings a round, and the share of attacks that go against neutral counties. A block is a game;
Student's t intervals from the spread of the games hold for a whole table simultaneously (Bonferroni). The figures of
people have no intervals, since nobody knows of how many tables they are. Runs lie in folders by policy below the one
named and are not played again if they are there.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from analyses import driver
from wallsim.analysis.behaviour.reported import PEOPLE, Measured, measured
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, STRONG_POLICIES, WEAK_POLICY
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.figures.casual import as_people_report
from wallsim.report.tables.estimates import NOTHING, in_words, number
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.stats.intervals import LEVEL, Confidence

EXPERIMENT = Path(__file__).with_name("experiment.toml")
MARKS = ("casual figures",)
REPORTED = "people, as reported"
# From casual to strong, with one that bids; the weights of `casual` were set by these figures.
POLICIES = tuple(
    dict.fromkeys((CASUAL_POLICY, WEAK_POLICY, "balanced-noise-16", "opportunist", MIDDLING_POLICY, STRONG_POLICIES[5]))
)
_SEATS = len(PEOPLE.points)


class Casual(NamedTuple):
    """The figures of each policy among copies of itself, and the number of games of each."""

    policies: dict[str, Measured]
    games: int

    @property
    def confidence(self) -> Confidence:
        """The confidence of all intervals of a table."""
        return Confidence(LEVEL, len(self.policies) * (_SEATS + 3))


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this study."""
    parser.add_argument("--games", type=driver.count, help="games of each policy instead of the experiment's")
    driver.add_policies(parser)


def answer(args: Namespace) -> driver.Answer:
    """Play the missing games, and make the tables."""
    names = args.policies or POLICIES
    planned = experiments(names, args.games)
    found = study(args.folder, planned)
    text = "\n\n".join([games_played(found), points_table(found), conduct_table(found), near_words(found)])
    return driver.Answer(digest(planned), dict.fromkeys(MARKS, text), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, add_arguments, answer)


def experiments(names: Sequence[str] = POLICIES, games: int | None = None) -> dict[str, Experiment]:
    """The experiment of every policy. InputError for an unknown one."""
    changes: dict[str, Any] = {"games": games} if games else {}
    return {name: load_experiment(EXPERIMENT, {**changes, "policies": name}) for name in dict.fromkeys(names)}


def digest(planned: dict[str, Experiment] | None = None) -> str:
    """The hash of everything that decides the results; without an argument that of the published study."""
    planned = planned or experiments()
    people = [list(PEOPLE.points), list(PEOPLE.bids), PEOPLE.built]
    return identity_hash(
        {"runs": {name: each.hash(with_games=True) for name, each in planned.items()}, "people": people}
    )


def study(folder: str | Path, planned: dict[str, Experiment]) -> Casual:
    """Play the missing runs in a folder and measure every policy."""
    found = {name: measured(play_run(each, Path(folder) / name)) for name, each in planned.items()}
    return Casual(found, next(iter(planned.values())).games)


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
    places = (f"place {place}" for place in range(1, _SEATS + 1))
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
    turns = (f"choice {turn}" for turn in range(1, _SEATS + 1))
    heads = ("Thalers bid", *turns, "county bids, % of rounds", "built per round", "attacks on neutrals, %")
    return markdown_table(heads, rows)


def near_words(found: Casual) -> str:
    """How near the nearest policy and the baseline come, in a sentence."""
    gaps = {name: each.distance() for name, each in found.policies.items()}
    nearest = min(gaps, key=lambda name: gaps[name])
    others = ", ".join(f"{code(name)} {number(gap, 1)}" for name, gap in sorted(gaps.items(), key=lambda pair: pair[1]))
    return (
        f"Distance is the root of the mean squared difference of the {_SEATS} means from the reported points. Nearest "
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


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
