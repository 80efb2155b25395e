"""Openings: what do casual and strong bots lay on the boxes in the first season, and what does a frequent card do?

Method. Tables of casual bots, of master bots and of scholar bots take the printed line-ups; every seat plays the same
policy. Counted are the cards of the first plan, by line-up and box, with the result of the seat that laid them; the
three most frequent cards are named, and cards of fewer than 30 plans count with the others. That says what players
do, not what a card is worth: they lay it for a reason. So with four players the same games are played again, in which
an intervention lays the card once the seat has planned; if the card lay on another box, the two change places. Seat,
luck and all other plans of the season stay. The number is the mean change of the seat's result in the games whose plan
changed. A block is a game. With --quick there are four players and few games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell, named
from wallsim.analysis.games.breakdown import Mean
from wallsim.analysis.openings.choices import (
    BID,
    BOXES,
    COUNTY,
    FIRST,
    LEAST,
    MOST_FREQUENT,
    PASS,
    REST,
    Opening,
    openings_of,
    plans_of,
)
from wallsim.analysis.openings.forced import forced_gains, forced_step
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.results import Run
from wallsim.markdown import markdown_table
from wallsim.play.play import play_run
from wallsim.report.figures.style import FAINT, INK, styled
from wallsim.report.pages.openings import words_of
from wallsim.report.tables.estimates import NOTHING, bounded, number
from wallsim.rules.board import load_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import BUILDINGS, MONEY_CARDS, ROUND_NAMES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence, side_of, wilson
from wallsim.studies import scenarios
from wallsim.studies.figure import Figure, Figures, slug
from wallsim.studies.finding import RESTS_ON, Finding, bots_of
from wallsim.studies.grids import Grid, Show, estimate, lines, sure_of
from wallsim.studies.quantities import Key, Number, Quantity, Value
from wallsim.studies.scope import CASUAL_TABLE, PLAYERS, SIZES
from wallsim.studies.scope import PRINTED_TABLES as TABLES  # a letter means nothing in a draft
from wallsim.studies.study import Choices, Storage, Study
from wallsim.studies.table_captions import few

from ..play.study import marks_by_table

EXPERIMENT = Path(__file__).with_name("experiment.toml")
SPRING, SUMMER = ROUND_NAMES[:2]
FORCED_BOXES = ("palace", "church", "trading_post", "grain", "taxes", "deploy5", "combat_a")
FORCED = 4_800  # games that are played again with each card
QUICK = 400  # games of four players
NAMES = {table: bots_of(table.play) for table in TABLES}
POINTS, WINS = "victory points above the mean of the table", "wins above the fair share"
WITH = "with {card} on {box}, line-up {lineup}"
NEXT = "with {then} on {box}, after {card} in the first, line-up {lineup}"
LAID = "where {card} is laid on {box} in place of another card, line-up {lineup}"


class Design(NamedTuple):
    """The numbers of players, and the games at four of them."""

    sizes: tuple[int, ...]
    games: int


def design(choices: Choices) -> Design:
    """What is played; a number of games is that of the games of four players at each table."""
    games = choices.games or (QUICK if choices.quick else load_experiment(EXPERIMENT).games)
    return Design((PLAYERS,) if choices.quick else SIZES, games)


def experiment_of(design: Design, players: int, table: Cell) -> Experiment:
    """The experiment of a table: all seats play alike, as many plans as in the games of four or a few more."""
    games = -(-design.games * PLAYERS // players)
    return scenarios.experiment_of(EXPERIMENT, table, players).changed(games=games)


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    tables = {"/".join((str(players), *table)): experiment_of(design, players, table)
              for players in design.sizes for table in TABLES}  # fmt: skip
    return {"tables": tables, "games forced": min(design.games, FORCED), "boxes forced": FORCED_BOXES, "least": LEAST,
            "most frequent": MOST_FREQUENT}  # fmt: skip


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs, count the plans, and play games of four again with the frequent cards."""
    values: dict[Key, Value] = {}
    for players, table in product(design.sizes, TABLES):
        experiment = experiment_of(design, players, table)
        run = play_run(experiment, storage.folder / f"{players}p-{table.play.replace(' ', '-')}")
        openings = openings_of(run)
        values |= laid_of(run, players, table)
        for opening in openings:
            values |= opening_of(opening, players, table)
        if players == PLAYERS:
            values |= forced_of(experiment, table, openings, min(design.games, FORCED), storage)
    return values


def laid_of(run: Run, players: int, table: Cell) -> dict[Key, Value]:
    """How many first plans have a county on each box, and bid Thalers, in per cent; and the buildings of a plan.

    A block is a game, with the mean of its seats.
    """
    nothing = [PASS, COUNTY, "0 Thalers"]  # the latter two lie on the auction box alone
    cards = {box: 100 * (~pl.col(box).is_in(nothing)).mean() for box in BOXES}
    built = pl.sum_horizontal(*(pl.col(box) != PASS for box in BUILDINGS)).mean()
    by_game = plans_of(run, FIRST).collect().group_by("game").agg(**cards, buildings=built).sort("game")
    keys = {box: Key("laid", box, players, table, SPRING) for box in BOXES}
    keys["buildings"] = Key("buildings", "", players, table, SPRING)
    return {key: block_mean(by_game[name].cast(pl.Float64).to_numpy()) for name, key in keys.items()}


def opening_of(opening: Opening, players: int, table: Cell) -> Iterator[tuple[Key, Value]]:
    """What the seat of a line-up makes, and the frequent cards of each box, with those that follow them most often.

    The intervals of the cards of a box hold together, also with those of cards that are not named.
    """
    letter, games, place = opening.lineup or "", opening.games, (players, table, SPRING)
    yield Key("lineup-vp", letter, players, table), _number(opening.vp, games)
    yield Key("lineup-wins", letter, players, table), _number(opening.wins, games, factor=100)
    for box in opening.boxes:
        among = len(box.choices)
        for choice in box.frequent:
            item = f"{letter} {box.box} {choice.card}"
            yield Key("share", item, *place), _number(Mean(choice.share, choice.share_interval), games, among, 100)
            if among > 1:  # a card of all plans has the means of the line-up
                yield Key("vp", item, *place), _number(choice.vp, choice.games, among)
                yield Key("wins", item, *place), _number(choice.wins, choice.games, among, 100)
            later = next(each for each in opening.following[box.box, choice.card] if each.box == box.box)
            if later.frequent and (then := later.frequent[0]).cases >= LEAST:
                share = _number(Mean(then.share, then.share_interval), then.games, len(later.choices), 100)
                yield Key("then", f"{item} × {then.card}", players, table, SUMMER), share
        if others := box.choices[len(box.frequent) :]:
            part = sum(choice.cases for choice in others) / opening.cases
            ends = wilson(part, games, Confidence(n_comparisons=among).z)
            yield Key("share", f"{letter} {box.box} {REST}", *place), _number(Mean(part, ends), games, among, 100)


def _number(mean: Mean, n: int, among: int = 1, factor: float = 1) -> Number:
    ends = None if mean.interval is None else (factor * mean.interval[0], factor * mean.interval[1])
    return Number(factor * mean.mean, ends, n, Confidence(n_comparisons=among))


def forced_of(
    experiment: Experiment, table: Cell, openings: tuple[Opening, ...], games: int, storage: Storage
) -> Iterator[tuple[Key, Value]]:
    """What each frequent card of a box changes, if any plan has another; None for one that too few games laid."""
    base, letters = cache(lambda: experiment.arena().play(0, games, plans=True)), experiment.ruleset().letters()
    cards = [(opening.lineup or "", box.box, choice.card) for opening in openings for box in opening.boxes
             if box.box in FORCED_BOXES and len(box.choices) > 1 for choice in box.frequent]  # fmt: skip
    for letter, box, card in cards:
        where = letters.index(letter), box, card

        def played(_: object, where: tuple[int, str, str] = where) -> dict[str, np.ndarray]:
            gains = forced_gains(experiment, base(), *where)
            return {"vp": gains.vp, "wins": gains.wins, "others": np.array([gains.same, gains.not_laid])}

        facts = {"experiment": experiment, "games": games, "intervention": forced_step(*where)}
        gains = storage.cache.get("forced card", facts, played)
        for what, each in (("vp", gains["vp"]), ("wins", 100 * gains["wins"])):
            key = Key(f"forced-{what}", f"{letter} {box} {card}", PLAYERS, table, SPRING)
            yield key, block_mean(each) if len(each) >= LEAST else None


def _by_card(text: str, key: Key) -> str:
    # Words in which {lineup}, {box}, {card} and {then}, the card of the next season, are those of an item.
    lineup, box, cards = key.item.split(" ", 2)
    card, _, then = cards.partition(" × ")
    named = f"another card than the most frequent {MOST_FREQUENT}" if card == REST else card
    return text.format(lineup=lineup, box=words_of(box), card=named, then=then)


def _laid(key: Key) -> str:
    return f"a county on {words_of(key.item)} in first plans" if key.item != BID else "Thalers bid in the first plan"


_OF_GAMES = partial(Quantity, n_unit="games")
_REPORTED = partial(_OF_GAMES, shown="report")  # and those of four players in the tables
QUANTITIES = (
    _OF_GAMES("laid", _laid, "%", family="boxes", shown="first screen"),
    _REPORTED("buildings", "buildings of a first plan", "buildings", family="boxes"),
    _REPORTED("lineup-vp", f"{POINTS} of the seat with line-up {{item}}", null=0),
    _REPORTED("lineup-wins", f"{WINS} of the seat with line-up {{item}}", "% points", null=0),
    _REPORTED("share", partial(_by_card, f"first plans {WITH}"), "%"),
    _REPORTED("vp", partial(_by_card, f"{POINTS}, first plans {WITH}")),
    _REPORTED("wins", partial(_by_card, f"{WINS}, first plans {WITH}"), "% points"),
    _REPORTED("then", partial(_by_card, f"plans of the next season {NEXT}"), "%"),
    _OF_GAMES("forced-vp", partial(_by_card, f"change of victory points {LAID}"), null=0),
    _OF_GAMES("forced-wins", partial(_by_card, f"change of wins {LAID}"), "% points", 0),
)


@cache
def _names() -> dict[str, str]:
    """What lies on boxes, by its part of an id."""
    bids = [f"{amount} Thaler{'' if amount == 1 else 's'}" for amount in range(MONEY_CARDS)]
    return {slug(name): name for name in (*load_board().counties, *bids, PASS, COUNTY, REST)}


_SHOWN: dict[str, Show] = {
    "share": estimate(1, top=100.0), "vp": estimate(2, "+"), "wins": estimate(1, "+"), "forced-vp": estimate(2, "+"),
    "forced-wins": estimate(1, "+"),
    "then": lambda figure: f"{words_of(_names()[re.split('-×-|/', figure.id)[1]])} {bounded(figure.value, 0, 100.0)} %",
}  # fmt: skip
_HEADS = ("share, %", "VP", "wins, % points", "laid: VP", "laid: wins, % points", "then")
_ID = re.compile(rf"\w+\.([\w-]+)\.(\d)p\.(([A-E])-({'|'.join(BOXES)})-([^/]+?))(?:-×-[^/]+)?/.*")


class Card(NamedTuple):
    """A card on a box of a line-up: its part of ids, and its figures by quantity, as far as there are any."""

    lineup: str
    box: str
    name: str
    item: str
    figures: dict[str, Figure]

    def cells(self) -> list[str]:
        """Its name, share, points, wins, their change where it is laid, and the card of the next season, in words."""
        found = self.figures
        cells = [show(found[quantity]) if quantity in found else NOTHING for quantity, show in _SHOWN.items()]
        return ["other cards" if self.name == REST else words_of(self.name), *cells]


def cards_at(figures: Figures, players: int, table: Cell) -> list[Card]:
    """The cards of every line-up at a table by box, in the order of the register: the most frequent first."""
    cards: dict[str, Card] = {}
    for figure in figures.values():
        found = _ID.fullmatch(figure.id) if figure.cell == table else None
        if found and int(found[2]) == players:
            quantity, _, item, lineup, box, card = found.groups()
            cards.setdefault(item, Card(lineup, box, _names()[card], item, {})).figures[quantity] = figure
    return list(cards.values())


def lineup_means(figures: Figures, lineup: str, players: int, table: Cell) -> list[str]:
    """What the seat of a line-up makes above the mean in victory points, and wins above its share, in words."""
    return [_SHOWN[what](figures.of(f"lineup-{what}", lineup, players=players, cell=table)) for what in ("vp", "wins")]


def laid_grid(players: int) -> Grid:
    """How many first plans have a county on each box, or bid Thalers, at each table."""
    head = f"first plans that use it, {players} players, %"
    return Grid(head, lines("item", BOXES, words_of), lines("cell", TABLES, NAMES.__getitem__),
                {"quantity": "laid", "players": players, "moment": SPRING}, estimate(1, top=100.0))  # fmt: skip


def finding(figures: Figures, design: Design) -> Finding | None:
    """How people open; None for so few games that there are no intervals."""
    built = figures.all_of("buildings", players=PLAYERS)  # by table
    if design.games < sure_of(built).min_blocks:
        return None
    return Finding(
        f"{title_of(*built)} {RESTS_ON}",
        f"A first plan has {{buildings.4p/casual/spielbyweb@spring-1|2}} buildings. {forced_words(figures, TABLES[0])}",
        "With the printed line-ups, a first plan of master bots has {buildings.4p/strong/spielbyweb@spring-1|2} "
        "buildings, one of scholar bots {buildings.4p/second-strong/spielbyweb@spring-1|2}.",
        "How people open, what a draft changes, and cards in pairs.",
        "First plans that use each box, in per cent, a mark for each kind of bot",
    )  # fmt: skip


def title_of(casual: Figure, *strong: Figure) -> str:
    """How the buildings of first plans of master and scholar bots compare with those of casual ones."""
    ends = {each: each.ends or (each.value, each.value) for each in (casual, *strong)}
    low, high = ends[casual]
    sides = {side_of((ends[line][0] - high, ends[line][1] - low)) for line in strong}
    if sides == {-1, 1}:
        one, other, usual = (number(each.value, 1) for each in (*strong, casual))
        return f"First plans of master bots have {one} buildings, of scholar bots {other}, of casual bots {usual}"
    if len(sides) > 1 or sides == {0}:
        return "Whether strong bots plan more buildings first than casual bots differs between master and scholar bots"
    more = "more" if sides == {1} else "fewer"
    return f"In the first season master and scholar bots plan {more} buildings than casual bots"


def forced_words(figures: Figures, table: Cell) -> str:
    """How many of the frequent cards of a table are known to bring or to cost points where they replace others."""
    cards = [card.figures["forced-vp"] for card in cards_at(figures, PLAYERS, table) if "forced-vp" in card.figures]
    gains, costs = (sum(side_of(each.ends) == sign for each in cards) for sign in (1, -1))
    return f"Laid in place of others, {gains} of {len(cards)} frequent cards gain points, {costs} lose some."


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """The boxes, what was played, the cards of each line-up, and the boxes with other numbers of players."""
    yield laid_grid(PLAYERS)
    yield games_played(figures, design)
    yield (
        f"The most frequent {MOST_FREQUENT} cards of each box, if at least {LEAST} plans have them, with {PLAYERS} "
        "players. VP are those above the mean of the table, wins those above the fair share; intervals of a box hold "
        "together. *Laid* is the mean change where the card is laid in place of another one, in the same games; these "
        "intervals hold together for a whole table. *Then* is the card that most often lies on the same box in summer, "
        f"after this one. The register has {len(figures):,} figures, also for other numbers of players."
    )
    yield " ".join(f"{NAMES[table].capitalize()}: {forced_words(figures, table)}" for table in TABLES)
    for table in TABLES:
        cards, rows = cards_at(figures, PLAYERS, table), []
        for letter in LETTERS[:PLAYERS]:
            means = lineup_means(figures, letter, PLAYERS, table)
            rows.append([letter, "all", NOTHING, NOTHING, *means, NOTHING, NOTHING, NOTHING])
            rows += [[letter, words_of(card.box), *card.cells()] for card in cards if card.lineup == letter]
        yield markdown_table((NAMES[table], "box", "card", *_HEADS), rows)
    yield from (laid_grid(players) for players in design.sizes if players != PLAYERS)


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the intervals mean."""
    experiment = experiment_of(design, PLAYERS, CASUAL_TABLE)
    sure = sure_of(figures.all_of("buildings", players=PLAYERS))
    games = ", ".join(f"{experiment_of(design, players, CASUAL_TABLE).games:,} of {players} players"
                      for players in design.sizes)  # fmt: skip
    policies = {name: experiment_of(design, PLAYERS, table).policies[0] for table, name in NAMES.items()}
    return (
        f"Games at each kind of table: {games}; the printed line-ups, every seat the same policy, with four players "
        f"{', '.join(f'{name} ({named(policy)})' for name, policy in policies.items())}; tower {experiment.tower}, "
        f"seed {experiment.seed}, engine version {figures.engine}. The ± are half-widths of {sure.level:.0%} intervals "
        f"between games.{few(sure, design.games, 'games')}"
    )


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """How many first plans use each box: a row a box, with a mark and an interval for each table of four."""
    drawn, axes = plt.subplots(figsize=(7.6, 0.4 * len(BOXES) + 1.6))
    axes.hlines([-row for row in range(len(BOXES))], 0, 100, color=FAINT, linewidth=0.8, zorder=1)
    marks = {name: [figures.of("laid", box, players=PLAYERS, cell=table, moment=SPRING) for box in BOXES]
             for table, name in NAMES.items()}  # fmt: skip
    marks_by_table(axes, list(map(words_of, BOXES)), marks, 0.22)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("first plans that use the box, %")
    axes.legend(loc="upper center", bbox_to_anchor=(0.35, -0.12))
    title = f"What lies on the boxes in the first season\n{PLAYERS} players, {4 * design.games:,} plans of each bot"
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    return drawn


STUDY = Study(
    __file__, __doc__, design, identity, play, finding=finding, tables=tables, picture=picture, quantities=QUANTITIES,
    games="games of four players at each table instead of the experiment's",
    sample=Choices(games=600, quick=True),
)  # fmt: skip
