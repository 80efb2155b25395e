"""What the page of the study `events` says: the finding, and all tables, made from the register."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.estimates import in_words, number
from wallsim.rules.event_words import event_words
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, Show, estimate, held_together, lines, of_scope, sure_of
from wallsim.studies.grids import towers_by_plays as by_play
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope, sizes_of
from wallsim.studies.table_captions import SHORT_NAMES, limits, scope_words, table_name

from ..play.changes import POINTS as VP
from ..play.changes import SHOWN, WINS
from ..robustness.answers import claims_table, left_open
from . import cards, open_cards, seats
from .cards import CARDS, CLAIMS, GUESSES, IN_FORCE, LAST_WINTER, LOSSES, MEAN, PLAYERS, POINTS, WINTER_LOSS, WINTERS
from .lottery import ALL_EIGHT, BOTH_WINTERS, HEADLINE, LOTTERY, SHARE, SHARES, TEST, TESTED
from .open_cards import HABITS, MORE, OPEN, OTHERWISE, effect_words
from .seats import ENDS, HOLDER, HOLDINGS, RESERVE, RESERVES

BOTH = (CASUAL_TABLE, EXPERIENCED_TABLE)
SIGNS = {1: "+", -1: "−", 0: ""}
REJECTED = 0.01
WORTH_IT = 0.25  # VP: less does not matter at a table
MOST_SHOWN = 12  # cards and holdings that are listed first
CHANGE = estimate(2, "+")


def _whole(figure: Figure) -> str:
    """The grain of a card: a number that the card states, not one to trace."""
    return str(int(figure.value))


BY_CARD = lines("item", CARDS, event_words)
UNITS = {"vp": "VP", "win": "wins, % points"}
WHEN_WORDS = {OPEN: "open", OTHERWISE: "otherwise", MORE: "open less otherwise"}
GRAIN_UNDER = held_together(
    "{n} blocks of each table; the ± are half-widths of {family} simultaneous {level} intervals at each table."
)
RESERVE_UNDER = held_together(
    "Before the winter's card is known: the mean over the twelve cards. The best reserve has every grain that brings "
    f"{WORTH_IT} VP or more; in brackets the least and the most that the intervals allow. {{n}} blocks of each table; "
    "the ± are half-widths of {family} simultaneous {level} intervals at each table."
)
HOLDER_UNDER = (
    "The card in force against the card cancelled: points of such seats above those of their table, {players} players, "
    "rounds after the first; who has most or fewest is counted when the round begins. {{n}} blocks; {{family}} "
    "simultaneous {{level}} intervals at each table."
)
OPEN_UNDER = held_together(
    "In rounds in which the card lies open while players plan, and in rounds in which it does not; rounds of the year "
    f"are weighted alike in both. {{n}} sets of {open_cards.ROUNDS} blocks of {open_cards.SIZE} games, each game once "
    "a seat; the ± are half-widths of {family} simultaneous {level} intervals.",
    "sets",
)


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """First each card at both tables, in its round and as a loss; then all other tables."""
    at = {"item": POINTS, "players": PLAYERS}
    in_rounds, in_winters = {"quantity": IN_FORCE, "moment": MEAN}, {"quantity": WINTER_LOSS, "moment": LAST_WINTER}
    columns = [Line(f"{head}, {table_name(table)}", {**at, **which, "cell": table}, CHANGE)
               for head, which in (("in its round", in_rounds), (f"as the loss of {LAST_WINTER}", in_winters))
               for table in BOTH]  # fmt: skip
    families = in_force(figures, BOTH[0], CARDS[0], POINTS).family, in_winter(figures, BOTH[0], CARDS[0]).family
    yield Grid(
        "event card", BY_CARD, [Line("grain in winter", {"quantity": cards.GRAIN_LOST}, _whole), *columns],
        under="VP of a seat at the end. In its round: the card in force against the card cancelled, mean of the rounds."
              f" As a loss: against the mean card. {scope.baseline:,} blocks of each table; the ± are half-widths of "
              f"{families[0]:,} (rounds) and {families[1]:,} (winter) simultaneous {LEVEL:.0%} intervals.",
    )  # fmt: skip
    yield scope_words(scope, load_experiment(cards.EXPERIMENT), len(cards.scenarios()))
    for outcomes in (cards.IN_ROUND, cards.AT_END):
        columns = [Line(name, {"item": name, "moment": cards.in_force_at(name)}) for name in outcomes]
        yield from by_table(scope, "card in force against cancelled", IN_FORCE, columns, with_guess)
    yield from (guess_words(figures, table) for table in scope.tables)
    yield from by_table(scope, f"{POINTS}, in force against cancelled", cards.BY_MOMENT,
                        lines("moment", cards.MOMENTS, item=POINTS), pairing=False)  # fmt: skip
    yield screen_words(figures)
    by_loss = sorted(CARDS, key=LOSSES.__getitem__)
    columns = [Line(f"{outcome}, {winter}", {"item": outcome, "moment": winter})
               for winter in WINTERS for outcome in cards.WINTER_OUTCOMES]  # fmt: skip
    yield from by_table(scope, "card as the winter's loss against the mean", WINTER_LOSS,
                        [Line("grain lost", texts=[str(LOSSES[card]) for card in by_loss]), *columns],
                        rows=lines("item", by_loss, event_words))  # fmt: skip
    yield from by_table(scope, "card lying open against absent, its round's effect cancelled", cards.LYING_OPEN,
                        lines("item", cards.OPEN_OUTCOMES, moment=MEAN))  # fmt: skip
    yield lottery_words(figures, scope)
    for name in SHARES:
        for setup in scope.setups:
            yield by_play(f"% of the variance of a seat's VP, {name}, {SETUP_WORDS[setup]}", scope.towers,
                                  [play.name for play in scope.plays], estimate(1), quantity=SHARE, item=name,
                                  players=PLAYERS, setup=setup)  # fmt: skip
    yield share_words(figures, scope)
    for players in sizes_of(scope):
        yield from grain_tables(figures, scope, players)
    yield open_words(figures, scope)
    yield from open_tables(scope)
    for players in sizes_of(scope):
        yield from holder_tables(figures, scope, players)
    yield claim_table(figures, scope)


def by_table(
    scope: Scope, head: str, quantity: str, columns: Sequence[Line], show: Show = CHANGE, *, pairing: bool = True,
    rows: Sequence[Line] = BY_CARD,
) -> Iterator[Grid]:  # fmt: skip
    """The cards by some columns, at each table."""
    for table in scope.tables:
        at = {"quantity": quantity, "players": PLAYERS, "cell": table}
        yield Grid(f"{head}, {table_name(table)}", rows, columns, at, show, of_scope(scope, pairing=pairing))


def grain_tables(figures: Figures, scope: Scope, players: int) -> Iterator[Grid | str]:
    """What one grain less changes, by the card and by what is missing, who is short, and what a reserve is worth."""
    places = [(table, winter) for table in seats.tables_of_grain(scope).tables for winter in WINTERS]
    columns = [Line(f"{SHORT_NAMES[table]}, {winter}", {"cell": table, "moment": winter}) for table, winter in places]
    by_loss = [Line(str(amount), {"item": f"loss of {amount}"}) for amount in seats.AMOUNTS]
    names = [", ".join(event_words(card) for card in CARDS if LOSSES[card] == amount) for amount in seats.AMOUNTS]
    for name, unit in UNITS.items():
        yield f"{unit} by one grain less, {players} players"
        yield Grid("grain that winter takes", by_loss, [Line("cards", texts=names), *columns],
                   {"quantity": f"{seats.LESS}-{name}", "players": players}, CHANGE, GRAIN_UNDER)  # fmt: skip
    for name, unit in UNITS.items():
        yield Grid(f"{unit} by one grain less, {players} players, by the grain after the loss",
                   lines("item", seats.MARGIN_WORDS, seats.MARGIN_WORDS.__getitem__), columns,
                   {"quantity": f"{seats.MISSING}-{name}", "players": players}, CHANGE, GRAIN_UNDER)  # fmt: skip
    yield Grid(f"seats short of grain, %, {players} players, by the grain that winter takes", by_loss, columns,
               {"quantity": seats.SHORT, "players": players}, estimate(1), GRAIN_UNDER)  # fmt: skip
    best = [best_reserve(figures, players, table, winter) for table, winter in places]
    yield Grid(f"VP by the grain of this number beyond one for each county, {players} players",
               [*(Line(str(number), {"item": f"grain {number}"}) for number in RESERVES),
                Line("best reserve", texts=best)],
               columns, {"quantity": RESERVE, "players": players}, CHANGE, RESERVE_UNDER)  # fmt: skip


def best_reserve(figures: Figures, players: int, table: Cell, winter: str) -> str:
    """The grain beyond one for each county up to which each brings what matters, and the ends by the intervals."""
    found = [figures.of(RESERVE, f"grain {number}", players=players, cell=table, moment=winter) for number in RESERVES]
    best, ends = _reached([each.value for each in found]), [each.ends for each in found if each.ends is not None]
    if len(ends) < len(found):
        return str(best)
    low, high = (_reached([end[at] for end in ends]) for at in (0, 1))
    return f"{best} ({low} to {high})"


def _reached(values: Sequence[float]) -> int:
    short = (number for number, value in zip(RESERVES, values, strict=True) if value < WORTH_IT)
    return next(short, len(values) + 1) - 1


def open_tables(scope: Scope) -> Iterator[Grid]:
    """One row per card and habit: the change of an outcome at each table, while the card lies open and otherwise."""
    pairs = open_cards.pairs_of(scope)
    rows = [Line(effect_words(effect), {"item": f"{effect} {habit}"}) for effect, habit in pairs]
    for outcome, head in {VP: "VP", WINS: "wins, % points", SHOWN: "what shows the habit"}.items():
        habits = [f"{habit}: {HABITS[habit].measure}" if outcome == SHOWN else habit for _, habit in pairs]
        columns = [Line(f"{SHORT_NAMES[table]}, {words}", {"cell": table, "item": when})
                   for table in open_cards.tables_of(scope).tables for when, words in WHEN_WORDS.items()
                   if (outcome, when) != (SHOWN, MORE)]  # fmt: skip
        first = Line(f"habit of one seat of {PLAYERS} in one round: {head}", texts=habits)
        yield Grid("card", rows, [first, *columns], {"quantity": open_cards.quantity(outcome), "players": PLAYERS},
                   CHANGE, OPEN_UNDER)  # fmt: skip


def holder_tables(figures: Figures, scope: Scope, players: int) -> Iterator[Grid | str]:
    """Whom cards help: the changes known at some table, the largest first, and all."""
    shown, at = seats.tables_of_holders(scope).tables, {"quantity": HOLDER, "players": players}
    under, known = held_together(HOLDER_UNDER.format(players=players)), {}
    for item in (f"{card} {end} {holding}" for card in CARDS for holding in HOLDINGS for end in ENDS):
        each = [figures.of(HOLDER, item, players=players, cell=table) for table in shown]
        if any(side_of(one.ends) for one in each):
            known[item] = max(abs(one.value) for one in each)
    first = sorted(known, key=lambda item: -known[item])[:MOST_SHOWN]
    if first:
        largest = f"The {len(first)} largest of {len(known)} changes that are known at some table. "
        yield Grid(f"event card: whom it moves against the table, VP, {players} players",
                   lines("item", first, _holder_in_words), lines("cell", shown, SHORT_NAMES.__getitem__), at, CHANGE,
                   lambda used: largest + under(used))  # fmt: skip
    else:
        yield f"With {players} players no card is known to help some seats more than others."
    for table in shown:
        for end in ENDS:
            yield Grid(f"VP of the seats with the {end}, {players} players, {SHORT_NAMES[table]}", BY_CARD,
                       [Line(holding, {"item": f"{end} {holding}"}) for holding in HOLDINGS], {**at, "cell": table},
                       CHANGE, under)  # fmt: skip


def _holder_in_words(item: str) -> str:
    card, _, holder = item.partition(" ")
    return f"{event_words(card)}: {holder}"


def with_guess(figure: Figure) -> str:
    """What a card in force changes, with the sign that a player would guess."""
    outcome, _, words = figure.quantity.partition(": ")
    sign = SIGNS[cards.guess(words.split()[0], outcome)]
    return f"{CHANGE(figure)}{f' (guess {sign})' if sign else ''}"


def guess_words(figures: Figures, table: Cell) -> str:
    """How many guesses came true, and which are wrong."""
    sides: dict[int, list[str]] = {1: [], -1: [], 0: []}  # by the product of the guess and what is known
    for card in CARDS:
        for outcome in cards.OUTCOMES:
            if sign := cards.guess(card, outcome):
                side = sign * side_of(in_force(figures, table, card, outcome).ends)
                sides[side].append(f"{event_words(card)} on {outcome}")
    return (
        f"At the {table_name(table)}: of {sum(map(len, sides.values()))} guessed signs {len(sides[1])} are right, "
        f"{len(sides[-1])} wrong ({', '.join(sides[-1]) or 'none'}), and {len(sides[0])} not known "
        f"({', '.join(sides[0]) or 'none'})."
    )


def screen_words(figures: Figures) -> str:
    """How many changes of a card, outcome and round differ from 0, by Benjamini and Hochberg, and of which cards."""
    found = {name: figures.of(cards.SCREEN, name, players=PLAYERS).value for name in ("found", "tested", *CARDS)}
    order = sorted(CARDS, key=lambda card: -found[card])
    return (
        f"Screen: of {found['tested']:,.0f} changes by card, outcome and round, at all tables together, "
        f"{found['found']:.0f} differ from 0 (Benjamini and Hochberg, {cards.FALSE:.0%} of them false at most in "
        f"expectation): {'; '.join(f'{event_words(card)}: {found[card]:.0f}' for card in order)}."
    )


def lottery_words(figures: Figures, scope: Scope) -> str:
    """Whether forced cards bring what the cards of the game's own lottery bring."""
    home = scope.baseline_cell()
    if not figures.cells(TEST, "p", players=PLAYERS):
        return "Whether forced cards agree with the game's own lottery cannot be tested in so few blocks."
    found = {name: figures.of(TEST, name, players=PLAYERS, cell=home).value for name in TESTED}
    agrees = "is not rejected" if found["p"] >= REJECTED else "is rejected"
    return (
        f"Two ways: what each card brings in each round and winter by being forced there, and what it brings in "
        f"{found['games']:,.0f} games without interventions where it came there by itself, lying open included, at "
        f"the {table_name(home)}. That both are alike {agrees} at {REJECTED:.0%}: one joint test of "
        f"{found['differences']:.0f} differences in {POINTS} (Hotelling, Yao), F = {found['F']:.2f} with "
        f"{found['differences']:.0f} and {found['degrees']:,.0f} degrees of freedom, p = {found['p']:.2f}."
    )


def share_words(figures: Figures, scope: Scope) -> str:
    """What the shares of the variance are, and their intervals."""
    sure, blocks = sure_of(figures.all_of(SHARE, ALL_EIGHT, players=PLAYERS)), LOTTERY * scope.others
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"By main effects that are alike for all seats, in games without interventions; at least {blocks:,} blocks a "
        f"cell, {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def open_words(figures: Figures, scope: Scope) -> str:
    """Which habits are known to bring points while the card lies open alone, and which cost another amount then."""
    parts = []
    for table in open_cards.tables_of(scope).tables:
        pays: list[str] = []
        sides: dict[int, list[str]] = {1: [], -1: []}
        for effect, habit in open_cards.pairs_of(scope):
            keys = {when: open_cards.key_of(table, effect, habit, VP, when) for when in (OPEN, MORE)}
            here, more = (side_of(figures.of(key.quantity, key.item, players=PLAYERS, cell=table).ends)
                          for key in keys.values())  # fmt: skip
            words = f"“{habit}” under {effect_words(effect)}"
            if here > 0 and more > 0:
                pays.append(words)
            elif more:
                sides[more].append(words)
        name, pay = SHORT_NAMES[table], ", ".join(pays) or "none"
        parts.append(
            f"{name[0].upper()}{name[1:]}: known to bring points while the card lies open and fewer otherwise: {pay}."
        )
        for side, kind in ((1, "Better while the card lies open than otherwise"), (-1, "Worse then")):
            if sides[side]:
                parts.append(f"{kind}: {', '.join(sides[side])}.")
    return f"Habits of one round. {' '.join(parts)}"


def claim_table(figures: Figures, scope: Scope) -> str:
    """The claims with their answers, and what they are measured by in words."""
    table, cells = claims_table(figures, CLAIMS, scope.plays, decimals=2), scope.cells()
    for claim in CLAIMS:
        table = table.replace(f"| {claim.outcome} > ", f"| {measured_by(claim.outcome)} > ")
    sure = sure_of(figures.all_of("claim", CLAIMS[0].outcome, players=PLAYERS))
    return f"{table} {limits(sure, scope.others, len(cells))}"


def measured_by(outcome: str) -> str:
    """The outcome of a claim in words."""
    if outcome in GUESSES:
        what, sign = next(iter(GUESSES[outcome].items()))
        names = [event_words(card) for card in CARDS if cards.effect_of(card) == outcome]
        return f"{'rise' if sign > 0 else 'drop'} in {what} by {' and '.join(names)}"
    for card in CARDS:
        outcome = outcome.replace(card, event_words(card))
    return outcome


def in_force(figures: Figures, table: Cell, card: str, outcome: str) -> Figure:
    """What a card in force changes of an outcome at a table, in the mean of its rounds."""
    moment = cards.in_force_at(outcome)
    return figures.of(IN_FORCE, f"{card} {outcome}", players=PLAYERS, cell=table, moment=moment)


def in_winter(figures: Figures, table: Cell, card: str, winter: str = LAST_WINTER) -> Figure:
    """What a card as the loss of a winter brings a seat at a table."""
    return figures.of(WINTER_LOSS, f"{card} {POINTS}", players=PLAYERS, cell=table, moment=winter)


def worst_card(figures: Figures, table: Cell) -> str:
    """The card that costs most in its round at a table."""
    return min(CARDS, key=lambda card: in_force(figures, table, card, POINTS).value)


def finding_of(figures: Figures) -> Finding:
    """How much of a seat's luck the cards are, and what the worst of them cost."""
    costs = {}
    for table in BOTH:
        worst = _costs(in_force(figures, table, worst_card(figures, table), POINTS))
        lost = _costs(in_winter(figures, table, cards.HUNGRIEST))
        first = f"The worst card costs {worst} VP in its round" if worst else "No card is known to cost VP in its round"
        costs[table] = f"{first}, the greatest winter loss {f'costs {lost}' if lost else 'may cost none'}."
    return Finding(
        title=title_of(figures), casual=costs[CASUAL_TABLE], experienced=costs[EXPERIENCED_TABLE],
        picture="What each event card changes in its round, with the sign that a player would guess, and victory "
                "points by the grain that the winter's card takes",
        **left_open(figures, CLAIMS),
    )  # fmt: skip


def title_of(figures: Figures) -> str:
    """The finding in a sentence: the share of the variance of points that the cards bring, and when they do."""
    shares = [figures.of(HEADLINE, ALL_EIGHT, players=PLAYERS, cell=table).value for table in BOTH]
    winters = [figures.of(SHARE, BOTH_WINTERS, players=PLAYERS, cell=table).value for table in BOTH]
    pairs = [(winter, every - winter) for every, winter in zip(shares, winters, strict=True)]
    ending = ""
    if all(winter > max(0, rest) for winter, rest in pairs):
        ending = ", most in winter"
    elif all(rest > max(0, winter) for winter, rest in pairs):
        ending = ", most in their rounds"
    casual, experienced = (number(each, 1) for each in shares)
    return (
        f"Event cards explain {casual} % of the variance of points at casual tables and {experienced} % at experienced "
        f"ones{ending}"
    )


def _costs(figure: Figure) -> str:
    # What is lost, without its sign; empty where a loss is not known.
    if not figure.value < 0 or (figure.ends is not None and figure.ends[1] >= 0):
        return ""
    return in_words(-figure.value, figure.ends, 2)
