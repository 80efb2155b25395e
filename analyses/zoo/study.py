"""The zoo: what does every policy do, how different are the policies, and how does each perform against `balanced`?

Method. A block is a game number: it has the same seed, so the same cards, events and openings for all policies. Every
policy of `data/policies` is measured at two tables: in all seats of that of `experiment.toml`, and alone among its
policy, in each seat once, so that it has every line-up equally often; the second is played in the draft too, and so is
the table of the baseline alone. What a policy does is measured among copies of itself, its share of wins alone among
the baseline. Estimates are ratios of sums over blocks, with Student's t intervals from the spread of the blocks. The
intervals of a table hold simultaneously with 95 % (Bonferroni). The openings of a policy are those of its first games
among copies of itself, in which a block is a game. Two policies are called plainly different if in some measure the
interval of their standardised difference (Cohen's d, from one seat's game to another's) lies beyond 0.8, where the
intervals of all pairs and all measures hold simultaneously. Runs lie in folders below the one named and are not played
again if they are there, and an interrupted study resumes; the few games of the openings are played anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import nan

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.behaviour.measures import WINS
from wallsim.analysis.behaviour.profiles import PLAIN
from wallsim.analysis.claims.cells import SETUPS
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING, SECOND_POLICY, STRONG_POLICY
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.figures.style import INK, styled
from wallsim.report.tables.estimates import NOTHING, ends, in_words, measured_words, number
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, Show, estimate, few, texts_of
from wallsim.studies.quantities import add_values
from wallsim.studies.study import Choices, Page, Study

from . import estimates as zoo
from .estimates import BASELINE, PLAYERS, measures

ON_NEUTRALS = "attacks on neutrals"
WON, WON_DRAFT, OPENINGS, RESPONSE = "wins, %", "wins in the draft, %", "openings, bits", "best response wins, %"
KINDS = {"casual": CASUAL_POLICY, MIDDLING: BASELINE, "strong": STRONG_POLICY, "second strong": SECOND_POLICY}
SHOWN = [CASUAL_POLICY, STRONG_POLICY, SECOND_POLICY]  # of the finding
_FARTHEST, _DARK = 3.0, 1.9  # standard deviations at which the colours end, and from which the text is white
_SHADES = 25  # few make a small picture; an odd number has one for the baseline


def page(figures: Figures, design: zoo.Design) -> Page:
    """The finding with what casual and strong players do, and all tables with what was played above them."""
    table = first(figures, design).text(figures)
    return Page(finding(figures, design), table, texts_of(figures, tables(figures, design)))


def finding(figures: Figures, design: zoo.Design) -> Finding | None:
    """How often casual and strong players attack; None without these players, or with too few blocks."""
    if not set(SHOWN) <= set(design.order()):
        return None
    neutrals, players = (
        [figures.of("alike", f"{name} {column}", players=PLAYERS) for name in SHOWN]
        for column in (ON_NEUTRALS, "attacks on players")
    )
    if any(each.ends is None for each in (*neutrals, *players)):
        return None
    on_neutrals, on_players = ([estimate(2)(each) for each in attacks] for attacks in (neutrals, players))
    casual, strong, second = (number(each.value, 1) for each in neutrals)
    return Finding(
        f"Strong players attack neutral land {_compared(neutrals)} than casual ones: {strong} and {second}, not "
        f"{casual}, times a game",
        f"A casual player attacks neutral land {on_neutrals[0]} times a game, other players {on_players[0]} times.",
        f"With the printed line-ups, strong players attack neutral land {on_neutrals[1]} and {on_neutrals[2]} times, "
        f"others {on_players[1]} and {on_players[2]} times.",
        "Whether people differ in the same way: these players are programs.",
        "Means of what every policy does, a row for each policy, coloured by distance from middling play",
    )


def _compared(attacks: Sequence[Figure]) -> str:
    """Where the two lines of strong play are known to lie, from casual play, the first of three figures."""
    casual, *lines = [each.ends or (nan, nan) for each in attacks]
    if all(high < casual[0] for _, high in lines):
        return "less often"
    if all(low > casual[1] for low, _ in lines):
        return "more often"
    return "not always more or less often"


def shown(measure: str) -> Show:
    """How the figures of a measure are written."""
    return lambda figure: measured_words(figure.value, figure.ends, measures()[measure])


def columns(quantity: str, heads: Mapping[str, str] | None = None) -> list[Line]:
    """A line for each measure of a quantity."""
    return [Line(head, {"item": each}, shown(each)) for each, head in (heads or zoo.COLUMNS[quantity]).items()]


def won(*heads: str) -> list[Line]:
    """A line of wins in each set-up."""
    return [Line(head, {"quantity": "wins", "item": WINS, "setup": setup}, shown(WINS))
            for head, setup in zip(heads, SETUPS, strict=True)]  # fmt: skip


def by_definition(figures: Figures) -> str:
    """What the baseline wins among copies of itself."""
    return f"{figures.of('wins', f'{BASELINE} {WINS}', players=PLAYERS).value:.0f}, by definition"


def few_blocks(figures: Figures) -> str:
    """A sentence where there are too few blocks for the first table, by a figure of it."""
    return few(figures.of("alike-draft", f"{BASELINE} counties", players=PLAYERS, setup="draft"))


def first(figures: Figures, design: zoo.Design) -> Grid:
    """One row a measure of the first table and one of wins in each set-up, one column a kind of player that plays."""
    kinds = [Line(f"{kind} ({code(name)})", {"item": name}) for kind, name in KINDS.items() if name in design.order()]
    heads = {**zoo.COLUMNS["alike"], ON_NEUTRALS: ON_NEUTRALS, "built in year two": "built in year two, %"}
    wins = won("wins among middling play, %, line-ups", "the same in the draft")
    return Grid(
        "per game of a seat", [*columns("alike", heads), *wins], kinds, {"quantity": "alike", "players": PLAYERS},
        under="All but the wins is measured at tables of four of the same policy, with the printed line-ups. The ± are "
        f"half-widths of simultaneous {LEVEL:.0%} intervals.{few_blocks(figures)}",
        texts={(line.head, f"{MIDDLING} ({code(BASELINE)})"): by_definition(figures) for line in wins}, turned=True,
    )  # fmt: skip


def tables(figures: Figures, design: zoo.Design) -> Iterator[Grid | str]:
    """What was played; the policies' behaviour and wins; time, money and openings; first choices; who is like whom."""
    experiment, names = zoo.experiment_of(design.games), design.order()
    yield (
        f"{len(names)} policies, {experiment.games:,} blocks each, up to {2 * PLAYERS + 1} games per "
        f"block: {figures.of('games', players=PLAYERS).value:,.0f} games; {PLAYERS} players, tower {experiment.tower}, "
        f"seed {experiment.seed}, engine version {ENGINE_VERSION}. Wins are those of one seat among `{BASELINE}`, with "
        f"line-ups and in the draft, {100 / PLAYERS:.0f} would be fair; all else is per game of a seat "
        f"among copies of itself, with line-ups if not said otherwise. The ± are half-widths of intervals that hold "
        f"for the whole table simultaneously with {LEVEL:.0%}; where no game or every game was won, the other end of "
        f"Wilson's interval is in brackets.{few_blocks(figures)}"
    )
    home, rows = code(BASELINE), [Line(code(name), {"item": name}) for name in names]
    drafted = Line(f"{home}, draft", {"item": BASELINE, "quantity": "alike-draft", "setup": "draft"})
    blocks = Line("blocks", {"item": "counties"}, lambda figure: f"{figure.n:,}")
    fair = {(row, column): by_definition(figures) for row in (home, drafted.head) for column in (WON, WON_DRAFT)}
    yield Grid("policy", [rows[0], drafted, *rows[1:]], [blocks, *columns("alike"), *won(WON, WON_DRAFT)],
               {"quantity": "alike", "players": PLAYERS}, texts={**fair, (drafted.head, WON): NOTHING})  # fmt: skip
    yield (
        "In the same games, the intervals simultaneous over this table. Openings are those of "
        f"{figures.of('opening-games', players=PLAYERS).value:,.0f} games: the entropy of a seat's first plan with the "
        "same line-up, and the chance that a further game opens with one of these plans. The last column is the share "
        "of wins that the best response found so far takes as one seat among copies of the policy, in games held out "
        "from the search, with the interval of that search."
    )
    texts = {}
    for name in names:
        if least := figures.all_of("openings-at-least", name, players=PLAYERS):
            texts[code(name), OPENINGS] = f"> {number(least[0].value - 0.05, 1)}"
        if not figures.all_of("best-response", name, players=PLAYERS):
            texts[code(name), RESPONSE] = NOTHING
    yield Grid("policy", rows, [
        *columns("more"), Line(OPENINGS, {"quantity": "openings"}),
        Line("seen before, %", {"quantity": "openings-repeated"}, estimate(1, top=100.0)),
        Line(RESPONSE, {"quantity": "best-response"}, lambda figure: (
            f"{in_words(figure.value, None, 1, top=100.0)} ({ends(figure.ends, 1, top=100.0)})"
        )),
    ], {"quantity": "more", "players": PLAYERS}, texts=texts)  # fmt: skip
    yield "Which bonus tile, and with it which box, the first to choose takes:"
    yield Grid("policy", rows, columns("first-choice"), {"quantity": "first-choice", "players": PLAYERS})
    yield from _likeness(figures, names)


def _likeness(figures: Figures, names: Sequence[str]) -> Iterator[str]:
    """How many pairs are plainly different, and a row a policy with the one that is most like it."""
    pairs = {pair: found[0] for pair in combinations(names, 2)
             if (found := figures.all_of("distance", " ".join(pair), players=PLAYERS))}  # fmt: skip
    plain = {pair for pair in pairs if figures.of("plainly-different", " ".join(pair), players=PLAYERS).value}
    rows = []
    for name in names:
        if near := [pair for pair in pairs if name in pair]:
            pair = min(near, key=lambda each: abs(pairs[each].value))
            gap, sign = pairs[pair], 1 if pair[0] == name else -1
            measure, apart = gap.quantity.partition(": ")[2], in_words(sign * gap.value, gap.ends, 2)
            rows.append((code(name), code(pair[sign > 0]), measure, apart, "yes" if pair in plain else "no"))
    yield (
        f"{len(plain)} of {len(pairs)} pairs are plainly different: in some measure the interval of the "
        f"difference lies beyond {PLAIN} standard deviations of a seat's game; the intervals of all pairs and of "
        f"{zoo.compared()} measures hold simultaneously.{few(next(iter(pairs.values()))) if pairs else ''}"
    )
    yield markdown_table(("policy", "most like it", "furthest apart in", "by, SD", "plainly different"), rows)


@styled
def picture(figures: Figures, design: zoo.Design) -> Picture:
    """One row per policy, one column per measure: the value, coloured by its distance from the baseline.

    Endless distances have the last colours, and none that of the baseline.
    """
    names, experiment = design.order(), zoo.experiment_of(design.games)
    title = (
        f"What every policy does: means of a seat among copies of itself; wins of one seat among {BASELINE}. "
        f"{experiment.games:,} blocks, tower {experiment.tower}, seed {experiment.seed}"
    )
    heads = [measures()[column] for column in zoo.DRAWN]
    drawn, apart = (
        [[figures.of(quantity, f"{name} {each.name}", players=PLAYERS).value for each in heads] for name in names]
        for quantity in ("picture", "apart")
    )
    texts = [[f"{value:.{each.decimals}f}" for value, each in zip(row, heads, strict=True)] for row in drawn]
    figure, axes = plt.subplots(figsize=(len(heads) * 0.48 + 2.6, len(names) * 0.25 + 2.1))
    import seaborn as sns  # its import takes seconds, and the report needs no picture

    sns.heatmap(
        np.clip(np.nan_to_num(apart, nan=0.0), -_FARTHEST, _FARTHEST), vmin=-_FARTHEST, vmax=_FARTHEST, ax=axes,
        cmap=sns.color_palette("vlag", as_cmap=True).resampled(_SHADES), annot=np.array(texts), fmt="",
        annot_kws={"fontsize": 7}, linewidths=1.0, linecolor="white", yticklabels=names,
        xticklabels=[f"{each.name}\n{each.unit}" for each in heads],
        cbar_kws={"label": f"standard deviations\nfrom {BASELINE}", "ticks": [-3, -2, -1, 0, 1, 2, 3], "pad": 0.01},
    )  # fmt: skip
    for text, distance in zip(axes.texts, np.ravel(apart), strict=True):
        text.set_color("white" if abs(distance) > _DARK else INK)
    axes.tick_params(axis="x", top=True, labeltop=True, bottom=False, labelbottom=False, length=0, labelsize=8)
    axes.tick_params(axis="y", length=0, labelrotation=0)
    plt.setp(axes.get_xticklabels(), rotation=45, ha="left", rotation_mode="anchor")
    plt.setp(axes.get_yticklabels(), color=INK)
    axes.get_yticklabels()[0].set_fontweight("bold")
    figure.supxlabel(title, x=0.01, ha="left", fontsize=9)
    return figure


STUDY = Study(
    __file__, __doc__, zoo.design, zoo.identity, zoo.play,
    lambda found, rows: add_values(rows, zoo.QUANTITIES, *found), page, picture, quantities=zoo.QUANTITIES,
    options=(zoo.POLICIES,), games="game numbers instead of the experiment's", quick=Choices(games=64),
    colours=128,  # shades of numbers, in a picture of many rows
)  # fmt: skip
