"""The page of the study `zoo`: the answer, all tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.behaviour.measures import WINS, Measure, measures_of
from wallsim.analysis.behaviour.profiles import PLAIN, distance_confidence
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING, MIDDLING_POLICY, SECOND_POLICY, STRONG_POLICY
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, in_words, measured_words, number
from wallsim.runs.experiment import Experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.study import Page

from .estimates import CHOICES, COLUMNS, DRAFT_WINS, DRAWN, EXPLOITED, MORE_COLUMNS, Design, conduct, experiment_of
from .figures import (
    APART,
    BEST_RESPONSE,
    CHOICE,
    COPIES,
    DISTANCE,
    DRAFTED,
    ENTROPY,
    GAMES,
    LEAST,
    MORE,
    OPENING_COLUMNS,
    OPENINGS,
    PICTURE,
    PLAINLY,
    PLAYERS,
    REPEATED,
    WON,
    confidence,
    item,
    sure_of_choices,
    sure_of_more,
)  # fmt: skip
from .picture import behaviour_map

PLAYERS_OF = {"casual": CASUAL_POLICY, "strong": STRONG_POLICY, "second strong": SECOND_POLICY}
ON_NEUTRALS, ON_PLAYERS = "attacks on neutrals", "attacks on players"
WORDS = {ON_NEUTRALS: ON_NEUTRALS, "built in year two": "built in year two, %"}  # headings that stand alone


def page(figures: Figures, design: Design) -> Page:
    """The finding with what casual and strong players do, and all tables with what was played above them."""
    tables = [behaviour_table, more_table, choice_table, distance_table]
    parts = [games_played(figures, design), *(table(figures, design) for table in tables)]
    return Page(finding_of(figures, design), conduct_table(figures, design), "\n\n".join(parts))


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """How often casual and strong players attack; None without these players, or with too few blocks."""
    names = policies_of(design)
    if not set(PLAYERS_OF.values()) <= set(names):
        return None
    sure = confidence(len(names))
    neutrals, players = (
        [figures.of(COPIES, item(name, column), players=PLAYERS) for name in PLAYERS_OF.values()]
        for column in (ON_NEUTRALS, ON_PLAYERS)
    )
    if any(each.interval(sure) is None for each in (*neutrals, *players)):
        return None
    on_neutrals, on_players = (
        [in_words(each.value, each.interval(sure), 2) for each in attacks] for attacks in (neutrals, players)
    )
    casual = number(neutrals[0].value, 1)
    more, times = _compared(neutrals), " and ".join(number(each.value, 1) for each in neutrals[1:])
    return Finding(
        f"Strong players attack neutral land {more} than casual ones: {times}, not {casual}, times a game",
        f"A casual player attacks neutral land {on_neutrals[0]} times a game, other players {on_players[0]} times.",
        f"With the printed line-ups, strong players attack neutral land {on_neutrals[1]} and {on_neutrals[2]} times, "
        f"others {on_players[1]} and {on_players[2]} times.",
        "Whether people differ in the same way: these players are programs.",
        "Means of what every policy does, a row for each policy, coloured by distance from middling play",
    )


def _compared(figures: Sequence[Figure]) -> str:
    """Where the two lines of strong play are known to lie, from casual play, the first of three figures."""
    ends = [figure.ends for figure in figures]
    casual, *lines = [(nan, nan) if each is None else each for each in ends]
    if all(high < casual[0] for _, high in lines):
        return "less often"
    if all(low > casual[1] for low, _ in lines):
        return "more often"
    return "not always more or less often"


def _wins(figures: Figures, name: str, setup: str, home: str, measure: Measure, sure: Confidence) -> str:
    """The wins of one seat of a policy among the baseline, or that they are fair by definition."""
    if name == home:
        return f"{figures.of(WON, item(home, WINS), players=PLAYERS).value:.0f}, by definition"
    figure = figures.of(WON, item(name, WINS), players=PLAYERS, setup=setup)
    return measured_words(figure.value, figure.interval(sure), measure)


def conduct_table(figures: Figures, design: Design) -> str:
    """One row per measure of the first table, one column per kind of player, those that are played."""
    names, measures = policies_of(design), _measures(design)
    sure = confidence(len(names))
    kinds = {"casual": CASUAL_POLICY, MIDDLING: MIDDLING_POLICY, **PLAYERS_OF}
    kinds = {kind: name for kind, name in kinds.items() if name in names}
    rows = []
    for column, heading in COLUMNS.items():
        if column == WINS:
            continue
        head = WORDS.get(column, heading)
        each = [figures.of(COPIES, item(name, column), players=PLAYERS) for name in kinds.values()]
        rows.append((head, *(measured_words(one.value, one.interval(sure), measures[column]) for one in each)))
    for setup, words in (("lineup", "wins among middling play, %, line-ups"), ("draft", "the same in the draft")):
        rows.append((words, *(_wins(figures, name, setup, names[0], measures[WINS], sure) for name in kinds.values())))
    heads = (f"{kind} ({code(name)})" for kind, name in kinds.items())
    few = f" {sure.too_few(_blocks(figures, design), 'blocks')}" if _blocks(figures, design) < sure.min_blocks else ""
    return (
        f"{markdown_table(('per game of a seat', *heads), rows)}\n\n"
        "All but the wins is measured at tables of four of the same policy, with the printed line-ups. The ± are "
        f"half-widths of simultaneous {LEVEL:.0%} intervals.{few}"
    )


def policies_of(design: Design) -> list[str]:
    """The policies in the order of the tables, the baseline first."""
    return list(dict.fromkeys([experiment_of(design).policies[0], *design.policies]))


def _measures(design: Design) -> dict[str, Measure]:
    experiment = experiment_of(design)
    return {each.name: each for each in measures_of(experiment.edition, experiment.expansions)}


def _blocks(figures: Figures, design: Design) -> int:
    return figures.of(DRAFTED, item(policies_of(design)[0], "counties"), players=PLAYERS, setup="draft").n


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the intervals mean."""
    experiment, names = experiment_of(design), policies_of(design)
    games, sure, blocks = figures.of(GAMES, players=PLAYERS).value, confidence(len(names)), _blocks(figures, design)
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{len(names)} policies, {experiment.games:,} blocks each, up to {2 * experiment.players + 1} games per "
        f"block: {games:,.0f} games; {experiment.players} players, tower {experiment.tower}, seed {experiment.seed}, "
        f"engine version {ENGINE_VERSION}. Wins are those of one seat among `{names[0]}`, with line-ups and in "
        f"the draft, {100 / experiment.players:.0f} would be fair; all else is per game of a seat "
        f"among copies of itself, with line-ups if not said otherwise. The ± are half-widths of intervals that hold "
        f"for the whole table simultaneously with {LEVEL:.0%}; where no game or every game was won, the other end of "
        f"Wilson's interval is in brackets.{few}"
    )


def behaviour_table(figures: Figures, design: Design) -> str:
    """One row per policy, and one for the baseline in the draft: n, its behaviour and its wins, as Markdown."""
    names, measures = policies_of(design), _measures(design)
    sure = confidence(len(names))
    columns = [column for column in COLUMNS if column != WINS]

    def as_text(quantity: str, name: str, column: str, setup: str = "lineup") -> str:
        figure = figures.of(quantity, item(name, column), players=PLAYERS, setup=setup)
        return measured_words(figure.value, figure.interval(sure), measures[column])

    home, rows = names[0], []
    fair = f"{figures.of(WON, item(home, WINS), players=PLAYERS).value:.0f}, by definition"
    for name in names:
        cells = [as_text(COPIES, name, column) for column in columns]
        wins = [as_text(WON, name, WINS, setup) for setup in ("lineup", "draft") if name != home]
        blocks = figures.of(COPIES, item(name, columns[0]), players=PLAYERS).n
        rows.append((code(name), f"{blocks:,}", *cells, *(wins or (fair, fair))))
        if name == home:
            cells = [as_text(DRAFTED, home, column, "draft") for column in columns]
            rows.append((f"{code(home)}, draft", f"{_blocks(figures, design):,}", *cells, NOTHING, fair))
    return markdown_table(("policy", "blocks", *COLUMNS.values(), DRAFT_WINS), rows)


def more_table(figures: Figures, design: Design) -> str:
    """One row per policy: time, money, order, the leader, the variety of openings and exploitability, as Markdown."""
    names, measures = policies_of(design), _measures(design)
    sure, players, rows = sure_of_more(len(names)), experiment_of(design).players, []
    for name in names:
        result = {column: figures.of(MORE, item(name, column), players=PLAYERS) for column in MORE_COLUMNS}
        cells = [measured_words(each.value, each.interval(sure), measures[column]) for column, each in result.items()]
        least = figures.all_of(LEAST, name, players=PLAYERS)
        if least:
            cells.append(f"> {number(least[0].value - 0.05, 1)}")
        else:
            entropy = figures.of(ENTROPY, name, players=PLAYERS)
            cells.append(in_words(entropy.value, entropy.interval(sure), 2))
        repeated = figures.of(REPEATED, name, players=PLAYERS)
        cells.append(in_words(repeated.value, repeated.interval(sure), 1, top=100.0))
        response = figures.all_of(BEST_RESPONSE, name, players=players)
        cells.append(_response(response[0]) if response else NOTHING)
        rows.append((code(name), *cells))
    games = figures.of(OPENINGS, players=PLAYERS).value
    words = (
        "In the same games, the intervals simultaneous over this table. Openings are those of "
        f"{games:,.0f} games: the entropy of a seat's first plan with the same line-up, and the chance that a further "
        "game opens with one of these plans. The last column is the share of wins that the best response found so "
        "far takes as one seat among copies of the policy, in games held out from the search, with the interval of "
        "that search."
    )
    headings = ("policy", *MORE_COLUMNS.values(), *OPENING_COLUMNS, EXPLOITED)
    return f"{words}\n\n{markdown_table(headings, rows)}"


def _response(figure: Figure) -> str:
    return f"{in_words(figure.value, None, 1, top=100.0)} ({ends(figure.ends, 1, top=100.0)})"


def choice_table(figures: Figures, design: Design) -> str:
    """One row per policy: the share of each bonus tile among the first choices of a round, as Markdown."""
    names, measures = policies_of(design), _measures(design)
    sure, rows = sure_of_choices(len(names)), []
    for name in names:
        result = {column: figures.of(CHOICE, item(name, column), players=PLAYERS) for column in CHOICES}
        cells = (measured_words(each.value, each.interval(sure), measures[column]) for column, each in result.items())
        rows.append((code(name), *cells))
    words = "Which bonus tile, and with it which box, the first to choose takes:"
    return f"{words}\n\n{markdown_table(('policy', *CHOICES.values()), rows)}"


def distance_table(figures: Figures, design: Design) -> str:
    """One row per policy: the most similar policy, the largest difference to it, and its measure, as Markdown."""
    names, measures = policies_of(design), list(_measures(design).values())
    sure = distance_confidence(len(names), measures)
    apart = {
        (one, other): result[0]
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if (result := figures.all_of(DISTANCE, f"{one} {other}", players=PLAYERS))
    }
    plainly = {pair: bool(figures.of(PLAINLY, " ".join(pair), players=PLAYERS).value) for pair in apart}
    rows = []
    for name in names:
        near = [pair for pair in apart if name in pair]
        if not near:
            continue
        pair = min(near, key=lambda each: abs(apart[each].value))
        gap, sign = apart[pair], 1 if pair[0] == name else -1
        words = in_words(sign * gap.value, gap.interval(sure), 2)
        other = pair[1] if pair[0] == name else pair[0]
        rows.append((code(name), code(other), gap.quantity.partition(": ")[2], words, "yes" if plainly[pair] else "no"))
    words = (
        f"{sum(plainly.values())} of {len(apart)} pairs are plainly different: in some measure the interval of the "
        f"difference lies beyond {PLAIN} standard deviations of a seat's game; the intervals of all pairs and of "
        f"{len(conduct(measures))} measures hold simultaneously."
    )
    blocks = _blocks(figures, design)
    if blocks < sure.min_blocks:
        words += f" {sure.too_few(blocks, 'blocks')}"
    headings = ("policy", "most like it", "furthest apart in", "by, SD", "plainly different")
    return f"{words}\n\n{markdown_table(headings, rows)}"


def picture(figures: Figures, design: Design) -> Picture:
    """One row per policy, one column per measure: the value, coloured by its distance from the baseline."""
    experiment: Experiment = experiment_of(design)
    home = policies_of(design)[0]
    title = (
        f"What every policy does: means of a seat among copies of itself; wins of one seat among {home}. "
        f"{experiment.games:,} blocks, tower {experiment.tower}, seed {experiment.seed}"
    )
    return behaviour_map(frame(figures, design), home, title)


def frame(figures: Figures, design: Design) -> pl.DataFrame:
    """The numbers of the picture, one row per policy and measure: value, standardised difference to the baseline."""
    rows, measures = [], _measures(design)
    for name in policies_of(design):
        for column in (*DRAWN, WINS):
            value, apart = (figures.of(each, item(name, column), players=PLAYERS).value for each in (PICTURE, APART))
            rows.append((name, column, measures[column].unit, f"{value:.{measures[column].decimals}f}", apart))
    words = dict.fromkeys(("policy", "measure", "unit", "shown"), pl.String)
    return pl.DataFrame(rows, schema={**words, "apart": pl.Float64}, orient="row")
