"""What the page of the study `events` says: the first screen and all tables, made from the register."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product, takewhile
from math import nan
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.experiment.file import load_experiment
from wallsim.report.figures.style import COLOURS, DIVERGING, FAINT, half_width, styled
from wallsim.report.tables.estimates import in_words, number
from wallsim.rules.provenance import event_words
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.contrasts import MEAN
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import RESTS_ON
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, of_scope, sure_of
from wallsim.studies.outcomes import POINTS
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, PLAYERS, SECOND_TABLE, Scope, sizes_of
from wallsim.studies.table_captions import SHORT_NAMES, limits, scope_words, table_name

from ..play.changes import POINTS as VP
from ..play.changes import SHOWN, WINS
from ..robustness.answers import claims_table, left_open
from . import cards, lottery
from .cards import CARDS, CLAIMS, HUNGRIEST, LAST_WINTER, LOSSES, RESERVES, WINTERS
from .lottery import (
    BETWEEN,
    HABITS,
    MORE,
    OPEN,
    OTHERWISE,
    SHARES,
    TESTED,
    effect_words,
    shared_in,
)

BOTH = (CASUAL_TABLE, EXPERIENCED_TABLE)
SIGNS = {1: "+", -1: "−", 0: ""}
REJECTED = 0.01
LITTLE = 5.0  # %: a smaller share of the differences in wins is little
DECIDES = {"decided": "both", "by-holding": "by what it holds", "between-seats": "by seat"}
WORTH_IT = 0.25  # VP: less does not matter at a table
MOST_SHOWN = 12  # cards and holdings that are listed first
CHANGE = estimate(2, "+")
MOMENT_OF = dict.fromkeys(cards.OF_YEAR_TWO, cards.YEAR_TWO)  # who led year one is reported for year two alone
BY_CARD, BY_LOSS = (lines("item", order, event_words) for order in (CARDS, sorted(CARDS, key=LOSSES.__getitem__)))
UNITS = {"vp": "VP", "win": "wins, % points"}
BEST = ("Before the winter's card is known: the mean over the twelve cards. The best reserve has every grain that "
        f"brings {WORTH_IT} VP or more; in brackets the least and the most that the intervals allow. ")  # fmt: skip
TOGETHER = "{n} blocks of each table; the ± are half-widths of {family} simultaneous {level} intervals at each table."
HOLDER_UNDER = (
    "The card in force against the card cancelled: points of such seats above those of their table, %d players, rounds "
    "after the first; who has most or fewest is counted when the round begins. {n} blocks; {family} simultaneous "
    "{level} intervals at each table."
)
OPEN_UNDER = held_together(
    "In rounds in which the card lies open while players plan, and in rounds in which it does not; rounds of the year "
    f"are weighted alike in both. {{n}} sets of {lottery.ROUNDS} blocks of {lottery.SIZE} games, each game once "
    "a seat; the ± are half-widths of {family} simultaneous {level} intervals.",
    "sets",
)


def in_force(figures: Figures, table: Cell, card: str, outcome: str = POINTS) -> Figure:
    """What a card in force changes of an outcome at a table, in the mean of its rounds."""
    return figures.of("in-force", f"{card} {outcome}", players=PLAYERS, cell=table, moment=MOMENT_OF.get(outcome, MEAN))


def in_winter(figures: Figures, table: Cell, card: str, winter: str = LAST_WINTER) -> Figure:
    """What a card as the loss of a winter brings a seat at a table."""
    return figures.of("winter-loss", f"{card} {POINTS}", players=PLAYERS, cell=table, moment=winter)


def worst_card(figures: Figures, table: Cell) -> str:
    """The card that costs most in its round at a table."""
    return min(CARDS, key=lambda card: in_force(figures, table, card).value)


def first(figures: Figures, scope: Scope) -> Grid:
    """Each card at both tables, in its round and as a loss."""
    each = (("in its round", "in-force", MEAN), (f"as the loss of {LAST_WINTER}", "winter-loss", LAST_WINTER))
    columns = [Line(f"{head}, {table_name(table)}", {"item": POINTS, "quantity": quantity, "players": PLAYERS,
                                                     "cell": table, "moment": moment})
               for (head, quantity, moment), table in product(each, BOTH)]  # fmt: skip
    rounds, winters = (of(figures, BOTH[0], CARDS[0]).family for of in (in_force, in_winter))
    grain = Line("grain in winter", {"quantity": "grain-lost"}, lambda figure: str(int(figure.value)))  # none to trace
    return Grid(
        "event card", BY_CARD, [grain, *columns], show=CHANGE,
        under="VP of a seat at the end. In its round: the card in force against the card cancelled, mean of the rounds."
              f" As a loss: against the mean card. {scope.baseline:,} blocks of each table; the ± are half-widths of "
              f"{rounds:,} (rounds) and {winters:,} (winter) simultaneous {LEVEL:.0%} intervals.",
    )  # fmt: skip


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What cards change, guessed and found, as losses, lying open, by lottery, with grain and holdings; the claims."""
    yield scope_words(figures, scope, load_experiment(cards.EXPERIMENT), len(cards.EVERY))
    for outcomes in (cards.IN_ROUND, (*cards.AT_END, *cards.OF_YEAR_TWO)):
        columns = [Line(name, {"item": name, "moment": MOMENT_OF.get(name, MEAN)}, with_guess) for name in outcomes]
        yield from by_table(scope, "card in force against cancelled", "in-force", columns)
    yield from (guess_words(figures, table) for table in scope.tables)
    yield from by_table(scope, f"{POINTS}, in force against cancelled", "points",
                        lines("moment", cards.MOMENTS, item=POINTS))  # fmt: skip
    yield screen_words(figures)
    columns = [Line("grain lost", texts=[str(loss) for loss in sorted(LOSSES.values())])]
    columns += [Line(f"{outcome}, {winter}", {"item": outcome, "moment": winter})
                for winter in WINTERS for outcome in cards.WINTER_OUTCOMES]  # fmt: skip
    yield from by_table(scope, "card as the winter's loss against the mean", "winter-loss", columns)
    yield from by_table(scope, "card lying open against absent, its round's effect cancelled", "lying-open",
                        lines("item", (*cards.IN_ROUND, *cards.AT_END), moment=MEAN))  # fmt: skip
    yield lottery_words(figures, scope)
    at, by_cell = {"players": PLAYERS}, lines("cell", shared_in(scope), table_name)
    yield Grid("% of the variance between the seats of a table", [
        Line(f"{outcome}, {words}", {"quantity": f"share-{name}", "item": outcome})
        for outcome, (name, words) in product(BETWEEN, DECIDES.items())
    ], by_cell, at, estimate(2), held_together(
        "What all eight cards bring a seat above the mean of its table, which alone decides who wins: by seat, which "
        "with line-ups is a line-up; and by what it held when the card came: points, counties, buildings, armies, "
        "Thalers and grain above its table's mean. {n} blocks, {family} simultaneous {level} intervals in each row."
    ))  # fmt: skip
    yield Grid("% of the variance of a seat's VP, effects alike for all seats", lines("item", SHARES), by_cell,
               {**at, "quantity": "share-of-variance"}, estimate(1), held_together(
                   "What all seats share decides nothing. {n} blocks, {family} simultaneous {level} intervals."
               ))  # fmt: skip
    for players in sizes_of(scope):
        yield from grain_tables(figures, scope, players)
    yield open_words(figures, scope)
    yield from open_tables(scope)
    for players in sizes_of(scope):
        yield from holder_tables(figures, scope, players)
    table = claims_table(figures, tuple(CLAIMS), scope.plays, decimals=2)
    for outcome in (claim.outcome for claim in CLAIMS):  # in the words of the cards
        measured = f"VP of {event_words(cards.LEAST)} less those of {event_words(HUNGRIEST)}"
        if outcome in cards.GUESSES:
            names = " and ".join(map(event_words, cards.cards_of(outcome)))
            measured = f"drop in {next(iter(cards.GUESSES[outcome]))} by {names}"
        table = table.replace(f"| {outcome} > ", f"| {measured} > ")
    sure = sure_of(figures.all_of("claim", next(iter(CLAIMS)).outcome, players=PLAYERS))
    yield f"{table} {limits(sure, scope.others, len(scope.cells()))}"


def by_table(scope: Scope, head: str, quantity: str, columns: Sequence[Line]) -> Iterator[Grid]:
    """The cards by some columns, at each table."""
    for table in scope.tables:
        at = {"quantity": quantity, "players": PLAYERS, "cell": table}
        yield Grid(f"{head}, {table_name(table)}", BY_LOSS if quantity == "winter-loss" else BY_CARD, columns, at,
                   CHANGE, of_scope(scope, pairing=quantity != "points"))  # fmt: skip


def grain_tables(figures: Figures, scope: Scope, players: int) -> Iterator[Grid | str]:
    """What one grain less changes, by the card and by what is missing, who is short, and what a reserve is worth."""
    places = list(product(cards.tables_of(scope, "grain").tables, WINTERS))
    columns = [Line(f"{SHORT_NAMES[table]}, {winter}", {"cell": table, "moment": winter}) for table, winter in places]
    by_loss = lines("item", cards.KINDS["grain-less"], lambda item: item.split()[-1])
    names = [", ".join(event_words(card) for card in CARDS if LOSSES[card] == amount) for amount in cards.AMOUNTS]
    best = Line("best reserve", texts=[best_reserve(figures, players, *place) for place in places])

    def grid(head: str, quantity: str, rows: Sequence[Line], first: Sequence[Line] = (), under: str = "") -> Grid:
        at, show = {"quantity": quantity, "players": players}, estimate(1) if quantity == "grain-short" else CHANGE
        return Grid(head, rows, [*first, *columns], at, show, held_together(under + TOGETHER))

    for name, unit in UNITS.items():
        yield f"{unit} by one grain less, {players} players"
        yield grid("grain that winter takes", f"grain-less-{name}", by_loss, [Line("cards", texts=names)])
    for name, unit in UNITS.items():
        yield grid(f"{unit} by one grain less, {players} players, by the grain after the loss", f"grain-missing-{name}",
                   lines("item", cards.MARGIN_WORDS, cards.MARGIN_WORDS.__getitem__))  # fmt: skip
    yield grid(f"seats short of grain, %, {players} players, by the grain that winter takes", "grain-short", by_loss)
    yield grid(f"VP by the grain of this number beyond one for each county, {players} players", "grain-reserve",
               [*(Line(str(each), {"item": f"grain {each}"}) for each in RESERVES), best], under=BEST)  # fmt: skip


def best_reserve(figures: Figures, players: int, table: Cell, winter: str) -> str:
    """The grain beyond one for each county up to which each brings what matters, and the ends by the intervals."""
    found = [figures.of("grain-reserve", f"grain {each}", players=players, cell=table, moment=winter)
             for each in RESERVES]  # fmt: skip
    every = [each.value for each in found], *zip(*(each.ends or (nan, nan) for each in found), strict=True)
    best, low, high = (len([*takewhile(lambda value: not value < WORTH_IT, values)]) for values in every)
    return f"{best} ({low} to {high})" if all(each.ends for each in found) else str(best)


def open_tables(scope: Scope) -> Iterator[Grid]:
    """One row per card and habit: the change of an outcome at each table, while the card lies open and otherwise."""
    pairs = lottery.pairs_of(scope)
    rows = [Line(effect_words(effect), {"item": f"{effect} {habit}"}) for effect, habit in pairs]
    times = {OPEN: "open", OTHERWISE: "otherwise", MORE: "open less otherwise"}
    for outcome, head in {VP: "VP", WINS: "wins, % points", SHOWN: "what shows the habit"}.items():
        habits = [f"{habit}: {HABITS[habit].measure.words}" if outcome == SHOWN else habit for _, habit in pairs]
        columns = [Line(f"{SHORT_NAMES[table]}, {words}", {"cell": table, "item": when})
                   for table, (when, words) in product(cards.tables_of(scope, "open").tables, times.items())
                   if (outcome, when) != (SHOWN, MORE)]  # fmt: skip
        first = Line(f"habit of one seat of {PLAYERS} in one round: {head}", texts=habits)
        at = {"quantity": f"while-open-{outcome.lower()}", "players": PLAYERS}
        yield Grid("card", rows, [first, *columns], at, CHANGE, OPEN_UNDER)


def holder_tables(figures: Figures, scope: Scope, players: int) -> Iterator[Grid | str]:
    """Whom cards help: the changes known at some table, the largest first, and all."""
    shown, under, known = cards.tables_of(scope, "holdings").tables, held_together(HOLDER_UNDER % players), {}
    at: Any = {"quantity": "card-by-holding", "players": players}
    for item in (f"{card} {end} {holding}" for card, holding, end in product(CARDS, cards.HOLDINGS, cards.ENDS)):
        each = [figures.of(item=item, cell=table, **at) for table in shown]
        if any(side_of(one.ends) for one in each):
            known[item] = max(abs(one.value) for one in each)
    largest = sorted(known, key=lambda item: -known[item])[:MOST_SHOWN]
    words = f"The {len(largest)} largest of {len(known)} changes that are known at some table. "
    if largest:
        heads = {item: f"{event_words(item.split()[0])}: {item.partition(' ')[2]}" for item in largest}
        yield Grid(f"event card: whom it moves against the table, VP, {players} players",
                   lines("item", heads, heads.__getitem__), lines("cell", shown, SHORT_NAMES.__getitem__), at, CHANGE,
                   lambda used: words + under(used))  # fmt: skip
    else:
        yield f"With {players} players no card is known to help some seats more than others."
    for table, end in product(shown, cards.ENDS):
        yield Grid(f"VP of the seats with the {end}, {players} players, {SHORT_NAMES[table]}", BY_CARD,
                   [Line(holding, {"item": f"{end} {holding}"}) for holding in cards.HOLDINGS], {**at, "cell": table},
                   CHANGE, under)  # fmt: skip


def with_guess(figure: Figure) -> str:
    """What a card in force changes, with the sign that a player would guess."""
    outcome, _, words = figure.quantity.partition(": ")
    sign = SIGNS[cards.guess(words.split()[0], outcome)]
    return f"{CHANGE(figure)}{f' (guess {sign})' if sign else ''}"


def guess_words(figures: Figures, table: Cell) -> str:
    """How many guesses came true, and which are wrong."""
    sides: dict[int, list[str]] = defaultdict(list)  # by the product of the guess and what is known
    for card, outcome in product(CARDS, cards.OUTCOMES):
        if sign := cards.guess(card, outcome):
            side = sign * side_of(in_force(figures, table, card, outcome).ends)
            sides[side].append(f"{event_words(card)} on {outcome}")
    return (
        f"{table_name(table).capitalize()}: of {sum(map(len, sides.values()))} guessed signs {len(sides[1])} are "
        f"right, {len(sides[-1])} wrong ({', '.join(sides[-1]) or 'none'}), and {len(sides[0])} not known "
        f"({', '.join(sides[0]) or 'none'})."
    )


def screen_words(figures: Figures) -> str:
    """How many changes of a card, outcome and round differ from 0, by Benjamini and Hochberg, and of which cards."""
    found = {name: figures.of("screen", name, players=PLAYERS).value for name in ("found", "tested", *CARDS)}
    order = sorted(CARDS, key=lambda card: -found[card])
    return (
        f"Screen: of {found['tested']:,.0f} changes by card, outcome and round, at all tables together, "
        f"{found['found']:.0f} differ from 0 (Benjamini and Hochberg, {cards.FALSE:.0%} of them false at most in "
        f"expectation): {'; '.join(f'{event_words(card)}: {found[card]:.0f}' for card in order)}."
    )


def lottery_words(figures: Figures, scope: Scope) -> str:
    """Whether forced cards bring what the cards of the game's own lottery bring."""
    home = scope.baseline_cell()
    if not figures.cells("lottery", "p", players=PLAYERS):
        return "Whether forced cards agree with the game's own lottery cannot be tested in so few blocks."
    found = {name: figures.of("lottery", name, players=PLAYERS, cell=home).value for name in TESTED}
    agrees = "is not rejected" if found["p"] >= REJECTED else "is rejected"
    return (
        f"Two ways: what each card brings in each round and winter by being forced there, and what it brings in "
        f"{found['games']:,.0f} games without interventions where it came there by itself, lying open included, "
        f"between {table_name(home)}. That both are alike {agrees} at {REJECTED:.0%}: one joint test of "
        f"{found['differences']:.0f} differences in {POINTS} (Hotelling, Yao), F = {found['F']:.2f} with "
        f"{found['differences']:.0f} and {found['degrees']:,.0f} degrees of freedom, p = {found['p']:.2f}."
    )


def open_words(figures: Figures, scope: Scope) -> str:
    """Which habits are known to bring points while the card lies open alone, and which cost another amount then."""
    parts = []
    for table in cards.tables_of(scope, "open").tables:
        sides: dict[int, list[str]] = defaultdict(list)
        for effect, habit in lottery.pairs_of(scope):
            keys = (f"{effect} {habit} {when}" for when in (OPEN, MORE))
            known = (figures.of("while-open-vp", key, players=PLAYERS, cell=table).ends for key in keys)
            while_open, more = map(side_of, known)
            if more:
                sides[0 if while_open > 0 and more > 0 else more].append(f"“{habit}” under {effect_words(effect)}")
        start, pay = SHORT_NAMES[table].capitalize(), ", ".join(sides[0]) or "none"
        parts.append(f"{start}: known to bring points while the card lies open and fewer otherwise: {pay}.")
        for side, kind in ((1, "Better while the card lies open than otherwise"), (-1, "Worse then")):
            if sides[side]:
                parts.append(f"{kind}: {', '.join(sides[side])}.")
    return f"Habits of one round. {' '.join(parts)}"


def sentences(figures: Figures) -> dict[str, str]:
    """What cards decide between seats, and what the worst of them cost at both tables."""
    shares = [figures.of("share-decided", "wins", players=PLAYERS, cell=table).value for table in BOTH]
    casual, experienced = (number(each, 1) for each in shares)
    little = " little:" if max(shares) < LITTLE else ""
    said = {"title": f"Event cards decide{little} {casual} % of the differences in wins between casual bots, "
                     f"{experienced} % between master bots {RESTS_ON}"}  # fmt: skip
    for name, bots, table in zip(("casual", "experienced"), ("", "master bots "), BOTH, strict=True):
        worst, lost = (_costs(each) for each in (in_force(figures, table, worst_card(figures, table)),
                                                 in_winter(figures, table, HUNGRIEST)))  # fmt: skip
        card = f"The worst card costs {bots}{worst}" if worst else "No card is known to cost"
        said[name] = f"{card} VP in its round, the greatest winter loss {f'costs {lost}' if lost else 'may cost none'}."
    if (second := figures.find("share-decided", "wins", players=PLAYERS, cell=SECOND_TABLE)) is not None:
        said["experienced"] += f" Cards decide {number(second.value, 1)} % between scholar bots."
    return said | left_open(figures, tuple(CLAIMS))


def _costs(figure: Figure) -> str:
    # What is lost, without its sign; empty where a loss is not known.
    known = figure.value < 0 and (figure.ends is None or figure.ends[1] < 0)
    return in_words(-figure.value, figure.ends, 2) if known else ""


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A heat table, a row a card and a column an outcome; below it points by the grain that a winter's card takes."""
    home = scope.baseline_cell()
    result, (above, below) = plt.subplots(2, 1, figsize=(11.0, 9.4), height_ratios=(2.1, 1))
    result.suptitle(f"What each event card changes in its round, {table_name(home)}", x=0.01, ha="left")
    result.supxlabel(f"{scope.baseline:,} blocks of 24 games; coloured where the simultaneous {LEVEL:.0%} interval "
                     "excludes 0; in brackets the sign that a player would guess", x=0.01, ha="left",
                     fontsize=8)  # fmt: skip
    _heat_table(above, [[in_force(figures, home, card, outcome) for outcome in cards.OUTCOMES] for card in CARDS])
    for winter, mark, colour, apart in zip(WINTERS, "os", COLOURS, (-0.12, 0.12), strict=False):
        points = [in_winter(figures, home, card, winter) for card in CARDS]
        wide = [half_width(one, sure_of(points)) for one in points]
        below.errorbar([loss + apart for loss in LOSSES.values()], [one.value for one in points], yerr=wide, fmt=mark,
                       color=colour, label=winter, markersize=5, capsize=2, elinewidth=1)  # fmt: skip
    below.set(title="As the winter's loss", xlabel="grain that the winter's card takes from each player",
              ylabel="VP of a seat\nagainst the mean card")  # fmt: skip
    below.axhline(0, color=FAINT, linewidth=0.8)
    below.legend()
    return result


def _heat_table(axes: Axes, rows: Sequence[Sequence[Figure]]) -> None:
    # A place has the change and in brackets the guessed sign, and is coloured by its share of the column's largest
    # change where its interval excludes 0.
    numbers = np.array([[one.value for one in row] for row in rows])
    known = np.array([[side_of(one.ends) != 0 for one in row] for row in rows])
    largest = np.abs(numbers).max(axis=0)
    shares = np.where(known, numbers / np.where(largest > 0, largest, 1.0), 0.0)
    axes.imshow(shares, cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
    for row, column in np.ndindex(numbers.shape):
        sign = SIGNS[cards.guess(CARDS[row], cards.OUTCOMES[column])]
        text = number(rows[row][column].value, 2, "+") + (f" ({sign})" if sign else "")
        axes.text(column, row, text, ha="center", va="center", fontsize=8.5)
    axes.set_xticks(range(len(cards.OUTCOMES)), [_in_two_lines(name) for name in cards.OUTCOMES], fontsize=8.5)
    axes.set_yticks(range(len(CARDS)), [event_words(card) for card in CARDS])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)


def _in_two_lines(words: str) -> str:
    # Broken at the blank nearest to the middle.
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    place = min(blanks, key=lambda at: abs(at - len(words) / 2), default=len(words))
    return f"{words[:place]}\n{words[place + 1 :]}".strip()
