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

from matplotlib.figure import Figure as Picture

from wallsim.analysis.behaviour.measures import WINS
from wallsim.analysis.behaviour.profiles import PLAIN
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING, MIDDLING_POLICY, SECOND_POLICY, STRONG_POLICY
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, in_words, measured_words, number
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, Show, estimate, few, texts_of
from wallsim.studies.study import Choices, Page, Study

from . import estimates as zoo
from .estimates import PLAYERS, measures
from .picture import behaviour_map

ON_NEUTRALS = "attacks on neutrals"
WON, WON_DRAFT, OPENINGS, RESPONSE = "wins, %", "wins in the draft, %", "openings, bits", "best response wins, %"
KINDS = {"casual": CASUAL_POLICY, MIDDLING: MIDDLING_POLICY, "strong": STRONG_POLICY, "second strong": SECOND_POLICY}
SHOWN = [CASUAL_POLICY, STRONG_POLICY, SECOND_POLICY]  # of the finding


def page(figures: Figures, design: zoo.Design) -> Page:
    """The finding with what casual and strong players do, and all tables with what was played above them."""
    table = first(figures, design).text(figures)
    return Page(finding(figures, design), table, texts_of(figures, tables(figures, design)))


def policies_of(design: zoo.Design) -> list[str]:
    """The policies in the order of the tables, the baseline first."""
    return list(dict.fromkeys([zoo.experiment_of(design).policies[0], *design.policies]))


def finding(figures: Figures, design: zoo.Design) -> Finding | None:
    """How often casual and strong players attack; None without these players, or with too few blocks."""
    if not set(SHOWN) <= set(policies_of(design)):
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


def won(head: str, setup: str) -> Line:
    """A line of wins in a set-up."""
    return Line(head, {"quantity": "wins", "item": WINS, "setup": setup}, shown(WINS))


def by_definition(figures: Figures) -> str:
    """What the baseline wins among copies of itself."""
    return f"{figures.of('wins', f'{zoo.BASELINE} {WINS}', players=PLAYERS).value:.0f}, by definition"


def first(figures: Figures, design: zoo.Design) -> Grid:
    """One row a measure of the first table and one of wins in each set-up, one column a kind of player that plays."""
    names = policies_of(design)
    kinds = [Line(f"{kind} ({code(name)})", {"item": name}) for kind, name in KINDS.items() if name in names]
    heads = {**zoo.COLUMNS["alike"], ON_NEUTRALS: ON_NEUTRALS, "built in year two": "built in year two, %"}
    wins = [won("wins among middling play, %, line-ups", "lineup"), won("the same in the draft", "draft")]
    home = f"{MIDDLING} ({code(names[0])})"
    under = (
        "All but the wins is measured at tables of four of the same policy, with the printed line-ups. The ± are "
        f"half-widths of simultaneous {LEVEL:.0%} intervals.{few(_home(figures, design))}"
    )
    return Grid(
        "per game of a seat", [*columns("alike", heads), *wins], kinds, {"quantity": "alike", "players": PLAYERS},
        under=under, texts={(line.head, home): by_definition(figures) for line in wins}, turned=True,
    )  # fmt: skip


def _home(figures: Figures, design: zoo.Design) -> Figure:
    """The counties of the baseline in the draft: a figure of the first table."""
    return figures.of("alike-draft", f"{policies_of(design)[0]} counties", players=PLAYERS, setup="draft")


def tables(figures: Figures, design: zoo.Design) -> Iterator[Grid | str]:
    """What was played; the policies' behaviour and wins; time, money and openings; first choices; who is like whom."""
    yield games_played(figures, design)
    names = policies_of(design)
    home, rows = code(names[0]), [Line(code(name), {"item": name}) for name in names]
    drafted = Line(f"{home}, draft", {"item": names[0], "quantity": "alike-draft", "setup": "draft"})
    blocks = Line("blocks", {"item": "counties"}, lambda figure: f"{figure.n:,}")
    fair = {(row, column): by_definition(figures) for row in (home, drafted.head) for column in (WON, WON_DRAFT)}
    yield Grid("policy", [rows[0], drafted, *rows[1:]],
               [blocks, *columns("alike"), won(WON, "lineup"), won(WON_DRAFT, "draft")],
               {"quantity": "alike", "players": PLAYERS},
               texts={**fair, (drafted.head, WON): NOTHING})  # fmt: skip
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
        Line(RESPONSE, {"quantity": "best-response"}, _response),
    ], {"quantity": "more", "players": PLAYERS}, texts=texts)  # fmt: skip
    yield "Which bonus tile, and with it which box, the first to choose takes:"
    yield Grid("policy", rows, columns("first-choice"), {"quantity": "first-choice", "players": PLAYERS})
    yield from _likeness(figures, names)


def _response(figure: Figure) -> str:
    return f"{in_words(figure.value, None, 1, top=100.0)} ({ends(figure.ends, 1, top=100.0)})"


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
        f"{len(zoo.conduct())} measures hold simultaneously.{few(next(iter(pairs.values()))) if pairs else ''}"
    )
    yield markdown_table(("policy", "most like it", "furthest apart in", "by, SD", "plainly different"), rows)


def games_played(figures: Figures, design: zoo.Design) -> str:
    """What was played, and what the intervals mean."""
    experiment, names = zoo.experiment_of(design), policies_of(design)
    return (
        f"{len(names)} policies, {experiment.games:,} blocks each, up to {2 * PLAYERS + 1} games per "
        f"block: {figures.of('games', players=PLAYERS).value:,.0f} games; {PLAYERS} players, tower {experiment.tower}, "
        f"seed {experiment.seed}, engine version {ENGINE_VERSION}. Wins are those of one seat among `{names[0]}`, with "
        f"line-ups and in the draft, {100 / PLAYERS:.0f} would be fair; all else is per game of a seat "
        f"among copies of itself, with line-ups if not said otherwise. The ± are half-widths of intervals that hold "
        f"for the whole table simultaneously with {LEVEL:.0%}; where no game or every game was won, the other end of "
        f"Wilson's interval is in brackets.{few(_home(figures, design))}"
    )


def picture(figures: Figures, design: zoo.Design) -> Picture:
    """One row per policy, one column per measure: the value, coloured by its distance from the baseline."""
    names, experiment = policies_of(design), zoo.experiment_of(design)
    title = (
        f"What every policy does: means of a seat among copies of itself; wins of one seat among {names[0]}. "
        f"{experiment.games:,} blocks, tower {experiment.tower}, seed {experiment.seed}"
    )
    heads = [measures()[column] for column in zoo.DRAWN]
    drawn, apart = (
        [[figures.of(quantity, f"{name} {each.name}", players=PLAYERS).value for each in heads] for name in names]
        for quantity in ("picture", "apart")
    )
    shown = [[f"{value:.{each.decimals}f}" for value, each in zip(row, heads, strict=True)] for row in drawn]
    return behaviour_map(names, [f"{each.name}\n{each.unit}" for each in heads], shown, apart, title)


STUDY = Study(
    __file__, __doc__, zoo.design, zoo.identity, zoo.play, zoo.add_figures, page, picture, quantities=zoo.QUANTITIES,
    options=(zoo.POLICIES,), games="game numbers instead of the experiment's", quick=Choices(games=64),
    colours=128,  # shades of numbers, in a picture of many rows
)  # fmt: skip
