"""The zoo: what does every policy do, how different are the policies, and how does each perform against `balanced`?

    .venv/bin/python -m analyses.zoo results/zoo docs/studies/zoo.png --into docs/studies/zoo.md

Method. A block is a game number: it has the same seed, so the same cards, events and openings for all policies. Every
policy of `data/policies` is measured at two tables: in all seats of that of `zoo.toml`, and alone among its policy, in
each seat once, so that it has every line-up equally often; the second is played in the draft too, and so is the table
of the baseline alone. What a policy does is measured among copies of itself, its share of wins alone among the
baseline. Estimates are ratios of sums over blocks, with Student's t intervals from the spread of the blocks. The
intervals of a table hold simultaneously with 95 % (Bonferroni). The openings of a policy are those of its first games
among copies of itself, in which a block is a game. Two policies are called plainly different if in some measure the
interval of their standardised difference (Cohen's d, from one seat's game to another's) lies beyond 0.8, where the
intervals of all pairs and all measures hold simultaneously. Runs lie in folders below the one named and are not played
again if they are there, and an interrupted study resumes; the few games of the openings are played anew.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from matplotlib.figure import Figure

from analyses import driver
from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure, measures_of
from wallsim.analysis.behaviour.openings import Openings, openings_of
from wallsim.analysis.behaviour.profiles import (
    PLAIN,
    Behaviour,
    Distance,
    behaviour_of_runs,
    distance_confidence,
    distances,
    standardised,
)
from wallsim.analysis.claims.cells import SETUPS
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited, load_exploitability
from wallsim.report.figures.behaviour import behaviour_map
from wallsim.report.tables.estimates import NOTHING, in_words, of_measure, share, share_ends
from wallsim.report.tables.openings import entropy_cell, repeated_cell
from wallsim.rules.terms import TILES
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.stats.intervals import LEVEL, Confidence

EXPERIMENT = Path(__file__).with_name("experiment.toml")
MARKS = ("zoo figures",)
_COLOURS = 256  # of the picture, for its scale of colours
# Measures of the table and their headings; wins are those among the baseline, all else is among copies of itself.
COLUMNS = {
    "attacks on players": "attacks on players",
    "attacks on neutrals": "on neutrals",
    "success against players": "success on players, %",
    "counties": "counties",
    "buildings": "buildings",
    "built in year two": "in year two, %",
    "Thalers bid": "Thalers bid per round",
    "grain to spare": "grain to spare",
    "shortages": "shortages",
    "revolts": "revolts",
    WINS: "wins, %",
}
# A second table of the same policies, among copies of themselves: time, money, order, the leader, variety.
MORE_COLUMNS = {
    "built per round": "built per round",
    "cards without money": "cards without money",
    "Thalers after the last fall": "Thalers after the last fall",
    "free sites": "free sites then",
    "armies behind combats": "armies behind combats, %",
    "attacks on the leader": "attacks on the leader, %",
}
OPENING_COLUMNS = ("openings, bits", "seen before, %")
EXPLOITED = "best response wins, %"
# A third: which tile the first to choose takes.
CHOICES = {f"first choice {tile.replace('_', ' ')}": f"{tile.replace('_', ' ')}, %" for tile in TILES}
OPENING_GAMES = 1_000  # at most
DRAFT_WINS = "wins in the draft, %"
PREFIXES = {"lineup": "", "draft": "draft_"}  # of the folders of runs
# What the picture shows besides: more of the same kinds.
DRAWN = (
    "attacks on players",
    "attacks on neutrals",
    "success against players",
    "armies deployed",
    "counties",
    "buildings",
    "built in year two",
    "free sites",
    "Thalers bid",
    "place",
    "Thalers after the last fall",
    "cards without money",
    "armies behind combats",
    "attacks on the leader",
    "grain to spare",
    "shortages",
    "revolts",
)


class Zoo(NamedTuple):
    """Every policy's behaviour in all seats (`alike`) and in one seat against the baseline, in the order of the tables.

    `guests` is one seat with line-ups, `drafted` one seat in the draft; `home` is the baseline in all seats there;
    `openings` are those in all seats.
    """

    baseline: str
    measures: tuple[Measure, ...]
    alike: dict[str, Behaviour]
    guests: dict[str, Behaviour]
    drafted: dict[str, Behaviour]
    home: Behaviour
    openings: dict[str, Openings]

    def measure(self, name: str) -> Measure:
        """The measure with a name."""
        return next(measure for measure in self.measures if measure.name == name)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this study."""
    parser.add_argument("--games", type=driver.count, help="game numbers instead of the experiment's")
    driver.add_policies(parser)


def answer(args: Namespace) -> driver.Answer:
    """Play the missing games, and make the tables."""
    names = args.policies or quick_policies()
    experiment = load_experiment(EXPERIMENT, changes(args.games))
    found = study(args.folder, names, args.games)
    exploited = load_exploitability()
    tables = [behaviour_table(found), more_table(found, exploited), choice_table(found), distance_table(found)]
    text = "\n\n".join([games_played(found, experiment), *tables])
    blocks = dict.fromkeys(MARKS, text)
    return driver.Answer(digest(names, experiment), blocks, text, picture(found, experiment), _COLOURS)


STUDY = driver.Study(__file__, __doc__, MARKS, add_arguments, answer)


def quick_policies() -> list[str]:
    """The policies of `data/policies` without those that search, which would take a day."""
    return [name for name in policy_names() if load_policy(name).search is None]


def changes(games: int | None) -> dict[str, Any]:
    """The changes to the experiment for a number of games; None for its own number."""
    return {"games": games} if games else {}


def digest(names: Sequence[str] | None = None, experiment: Experiment | None = None) -> str:
    """A hash of everything that decides the results: the experiment, the same in the draft, and every policy's weights.

    Without arguments the hash of the published study.
    """
    names, experiment = names or quick_policies(), experiment or load_experiment(EXPERIMENT)
    policies = [load_policy(name).identity() for name in names]
    drafted = seated(experiment.policies, experiment.games, "draft")
    facts = {"draft": drafted.hash(with_games=True), "policies": policies, "openings": OPENING_GAMES}
    return identity_hash({"experiment": experiment.hash(with_games=True), **facts})


def study(folder: str | Path, names: Sequence[str], games: int | None = None) -> Zoo:
    """Play the missing runs in a folder and measure every policy, starting with the experiment's policy.

    InputError for an unknown policy, before anything is played.
    """
    experiment = load_experiment(EXPERIMENT, changes(games))
    baseline, players = experiment.policies[0], experiment.players
    measures = measures_of(experiment.edition, experiment.expansions)
    order = dict.fromkeys([baseline, *names])
    tables = [seated([name] * players, games) for name in order]  # before anything is played
    alike: dict[str, Behaviour] = {}
    guests: dict[str, dict[str, Behaviour]] = {setup: {} for setup in SETUPS}
    for name, table in zip(order, tables, strict=True):
        run = play_run(table, Path(folder) / name / "alike")
        alike[name] = behaviour_of_runs(name, measures, [(run, range(players))])
        if name == baseline:  # one seat against itself plays the same games
            continue
        for setup in SETUPS:
            visits = []
            for own in range(players):
                alone = [name if seat == own else baseline for seat in range(players)]
                place = Path(folder) / name / f"{PREFIXES[setup]}in_seat_{own}"
                visits.append((play_run(seated(alone, games, setup), place), [own]))
            guests[setup][name] = behaviour_of_runs(name, measures, visits)
    run = play_run(seated([baseline] * players, games, "draft"), Path(folder) / baseline / f"{PREFIXES['draft']}alike")
    home = behaviour_of_runs(baseline, measures, [(run, range(players))])
    openings = {name: opened(table) for name, table in zip(order, tables, strict=True)}
    guests["lineup"] = {baseline: alike[baseline], **guests["lineup"]}
    return Zoo(baseline, measures, alike, guests["lineup"], guests["draft"], home, openings)


def opened(table: Experiment) -> Openings:
    """The openings of the first games of a table."""
    return openings_of(table.components().arena(table.seed), min(table.games, OPENING_GAMES))


def seated(policies: Sequence[str], games: int | None, setup: str = "lineup") -> Experiment:
    """The experiment with other policies, one per seat, under a set-up."""
    drafted = {"setup": setup, "lineups": []} if setup == "draft" else {}
    return load_experiment(EXPERIMENT, {**changes(games), **drafted, "policies": list(policies)})


def games_played(found: Zoo, experiment: Experiment) -> str:
    """What was played, and what the intervals mean."""
    games = sum(one.games for one in (*found.alike.values(), *found.drafted.values(), found.home))
    games += sum(guest.games for name, guest in found.guests.items() if name != found.baseline)
    sure, blocks = confidence(found), found.home.blocks
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{len(found.alike)} policies, {experiment.games:,} blocks each, up to {2 * experiment.players + 1} games per "
        f"block: {games:,} games; {experiment.players} players, tower {experiment.tower}, seed {experiment.seed}, "
        f"engine version {ENGINE_VERSION}. Wins are those of one seat among `{found.baseline}`, with line-ups and in "
        f"the draft, {100 / experiment.players:.0f} would be fair; all else is per game of a seat "
        f"among copies of itself, with line-ups if not said otherwise. The ± are half-widths of intervals that hold "
        f"for the whole table simultaneously with {LEVEL:.0%}; where no game or every game was won, the other end of "
        f"Wilson's interval is in brackets.{few}"
    )


def confidence(found: Zoo) -> Confidence:
    """The confidence of all intervals of the table: one row per policy, the row of the draft, and wins in the draft."""
    return Confidence(LEVEL, len(COLUMNS) * (len(found.alike) + 1) + len(found.alike))


def behaviour_table(found: Zoo) -> str:
    """One row per policy, and one for the baseline in the draft: n, its behaviour and its wins, as Markdown."""
    sure = confidence(found)
    columns = [column for column in COLUMNS if column != WINS]
    fair = f"{found.guests[found.baseline].estimates[WINS].value:.0f}, by definition"
    rows = []
    for name, behaviour in found.alike.items():
        cells = [of_measure(behaviour, found.measure(column), sure) for column in columns]
        wins = [of_measure(kept[name], found.measure(WINS), sure) for kept in (found.guests, found.drafted)
                if name != found.baseline]  # fmt: skip
        rows.append((code(name), f"{behaviour.blocks:,}", *cells, *(wins or (fair, fair))))
        if name == found.baseline:
            cells = [of_measure(found.home, found.measure(column), sure) for column in columns]
            rows.append((f"{code(name)}, draft", f"{found.home.blocks:,}", *cells, NOTHING, fair))
    return markdown_table(("policy", "blocks", *COLUMNS.values(), DRAFT_WINS), rows)


def more_table(found: Zoo, exploited: Mapping[tuple[str, int], Exploited]) -> str:
    """One row per policy: time, money, order, the leader, the variety of openings and exploitability, as Markdown."""
    sure = Confidence(LEVEL, (len(MORE_COLUMNS) + len(OPENING_COLUMNS)) * len(found.alike))
    players = load_experiment(EXPERIMENT).players
    rows = []
    for name, behaviour in found.alike.items():
        cells = [of_measure(behaviour, found.measure(column), sure) for column in MORE_COLUMNS]
        cells += [entropy_cell(found.openings[name], sure), repeated_cell(found.openings[name], sure)]
        response = exploited.get((name, players))
        cells.append(NOTHING if response is None else f"{share(response.share)} ({share_ends(response.interval)})")
        rows.append((code(name), *cells))
    games = max(each.entropy.blocks for each in found.openings.values())
    words = (
        "In the same games, the intervals simultaneous over this table. Openings are those of "
        f"{games:,} games: the entropy of a seat's first plan with the same line-up, and the chance that a further "
        "game opens with one of these plans. The last column is the share of wins that the best response found so "
        "far takes as one seat among copies of the policy, in games held out from the search, with the interval of "
        "that search."
    )
    headings = ("policy", *MORE_COLUMNS.values(), *OPENING_COLUMNS, EXPLOITED)
    return f"{words}\n\n{markdown_table(headings, rows)}"


def choice_table(found: Zoo) -> str:
    """One row per policy: the share of each bonus tile among the first choices of a round, as Markdown."""
    sure = Confidence(LEVEL, len(CHOICES) * len(found.alike))
    rows = [
        (code(name), *(of_measure(behaviour, found.measure(column), sure) for column in CHOICES))
        for name, behaviour in found.alike.items()
    ]
    words = "Which bonus tile, and with it which box, the first to choose takes:"
    return f"{words}\n\n{markdown_table(('policy', *CHOICES.values()), rows)}"


def distance_table(found: Zoo) -> str:
    """One row per policy: the most similar policy, the largest difference to it, and its measure, as Markdown."""
    sure = distance_confidence(len(found.alike), found.measures)
    apart = distances(found.alike.values(), found.measures, sure)
    rows = []
    for name in found.alike:
        near = nearest(name, apart)
        if near is None:
            continue
        other, gap = near
        words = in_words(gap.estimate.value, gap.estimate.interval(sure), 2)
        rows.append((code(name), code(other), gap.measure, words, "yes" if gap.plain else "no"))
    plain = sum(gap.plain for gap in apart.values())
    words = (
        f"{plain} of {len(apart)} pairs are plainly different: in some measure the interval of the difference lies "
        f"beyond {PLAIN} standard deviations of a seat's game; the intervals of all pairs and of "
        f"{len(conduct(found))} measures hold simultaneously."
    )
    if found.home.blocks < sure.min_blocks:
        words += f" {sure.too_few(found.home.blocks, 'blocks')}"
    headings = ("policy", "most like it", "furthest apart in", "by, SD", "plainly different")
    return f"{words}\n\n{markdown_table(headings, rows)}"


def nearest(name: str, apart: dict[tuple[str, str], Distance]) -> tuple[str, Distance] | None:
    """The policy with the smallest maximum difference to this one, and that difference, positive if this is above."""
    found = []
    for (one, other), gap in apart.items():
        if name == one:
            found.append((other, gap))
        elif name == other:
            found.append((one, gap._replace(estimate=gap.estimate * -1.0)))
    return min(found, key=lambda pair: abs(pair[1].estimate.value), default=None)


def conduct(found: Zoo) -> list[Measure]:
    """The measures for comparing policies: their actions, not their results."""
    return [measure for measure in found.measures if measure.group != RESULT]


def picture(found: Zoo, experiment: Experiment) -> Figure:
    """One row per policy, one column per measure: the value, coloured by its distance from the baseline."""
    title = (
        f"Means of a seat among copies of itself; wins of one seat among {found.baseline}. "
        f"{experiment.games:,} blocks, tower {experiment.tower}, seed {experiment.seed}"
    )
    return behaviour_map(frame(found), found.baseline, title)


def frame(found: Zoo) -> pl.DataFrame:
    """The numbers of the picture, one row per policy and measure: value, standardised difference to the baseline."""
    rows = []
    for name in found.alike:
        for column in (*DRAWN, WINS):
            measure = found.measure(column)
            kept = found.guests if column == WINS else found.alike
            gap = standardised(kept[name], kept[found.baseline], column).value
            rows.append((name, column, measure.unit, f"{kept[name].estimates[column].value:.{measure.decimals}f}", gap))
    words = dict.fromkeys(("policy", "measure", "unit", "shown"), pl.String)
    return pl.DataFrame(rows, schema={**words, "apart": pl.Float64}, orient="row")


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
