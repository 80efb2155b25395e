"""What favors, statues and Landsknechte cards bring: one of them given or denied, all else equal, with all expansions.

No intervention reaches them, so each is changed in the nearest honest way: by policies that answer one question as the
treatment says and all others as ever (`analyses/treatments`), for one seat of each game. A favor is given to a seat
that takes it whenever it can, and denied to one that never does; a statue is denied in one round; a Landsknechte card
of one number is denied whenever it is turned. All arms play the same games, so that they are one game until the treated
choice. What one brings is the change of points divided by the change of how many were taken (Wald's estimator for
treatments that not all games follow), a ratio of sums over blocks. Beside it stands what a Landsknechte card does to
the mean of the table, by a board on which it is blank for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.engine.columns import columns_of
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.rules.terms import EXPANSIONS, FAVORS, LANDSKNECHT_CARDS, ROUND_NAMES, ROUNDS, SEASON_NAMES, SEASONS
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.cache import Cache
from wallsim.studies.games import Games, block_size, in_batches
from wallsim.studies.quantities import Key, Number, Value

from .boards import Boards
from .effects import PLAYERS, SUBSETS, experiment_of, with_subset

_TREATMENTS = Path(__file__).with_name("treatments")
GIVEN, DENIED, NO_STATUE, CARD_DENIED = "favor_given", "favor_denied", "statue_denied", "card_denied"
CARDS = tuple(range(2, LANDSKNECHT_CARDS + 1))  # the first is blank as printed
_PLACES = {
    table: {column.name: place for place, column in enumerate(columns_of(table, EXPANSIONS))}
    for table in ("seats", "seasons")
}
ByGame = dict[str, np.ndarray]  # by name float64 [games]


class Taken(NamedTuple):
    """What one of a thing brings: points of the seat that takes it, and how often it was taken in the two arms.

    `often` and `seldom` are shares of the treated seats' games, or for Landsknechte cards the numbers a seat and game.
    """

    worth: Estimate
    often: float
    seldom: float


def favor_blocks(blocks: int) -> int:
    """Blocks of 24 games, of which seven treat each pair of seat and favor twice: at least so many, in whole sevens."""
    return -(-blocks // 7) * 7


def all_three(cell: Cell) -> Experiment:
    """The experiment of a cell with all expansions: the games of the factorial."""
    return with_subset(experiment_of(cell), SUBSETS[-1])


def treatments() -> dict[str, Any]:
    """The code of each treatment, as the identity of its policy has it."""
    return {path.stem: _policy_of(path.stem).code for path in sorted(_TREATMENTS.glob("[!_]*.py"))}


def _policy_of(treatment: str) -> Policy:
    return load_policy(str(_TREATMENTS / f"{treatment}.py"))


def treated_arena(experiment: Experiment, treatment: str | None = None) -> Arena:
    """The arena in which all seats play their policy, but for what a treatment answers; None for no treatment."""
    parts = experiment.components()
    if treatment is not None:
        arm = _policy_of(treatment)
        seated = [
            replace(policy, kind=arm.kind, answers=arm.answers, code=arm.code, source=arm.source)
            for policy in parts.policies
        ]
        parts = replace(parts, policies=tuple(seated))
    return parts.arena(experiment.seed)


def _play(
    experiment: Experiment,
    blocks: int,
    count: Callable[[Games], ByGame],
    cache: Cache,
    workers: int | None,
    treatment: str | None = None,
) -> ByGame:
    def counted(design: Mapping[str, Any]) -> ByGame:
        arena = treated_arena(experiment, treatment)
        parts = in_batches(arena, range(design["blocks"]), count, seasons=count is count_cards, workers=workers)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    code = "" if treatment is None else _policy_of(treatment).code
    return cache.get(count.__name__, {"experiment": experiment, "blocks": blocks, "treatment": code}, counted)


def _seats(games: Games, column: str) -> np.ndarray:
    values = games.tables.seats[:, _PLACES["seats"][column]]
    return values.reshape(-1, games.players).astype(np.float64)


def treated_favor(numbers: np.ndarray, players: int) -> np.ndarray:
    """The number of the treated favor of each game, int64 [games]."""
    return 1 + numbers // players % FAVORS


def count_favors(games: Games) -> ByGame:
    """The treated seat's points, and whether it took the treated favor, float64 [games]."""
    favors = np.stack([_seats(games, f"favor_{number}") for number in range(1, FAVORS + 1)])
    of_seat = favors[treated_favor(games.numbers, games.players) - 1, np.arange(len(games.numbers)), games.seat]
    return {"vp": games.treated(games.seats("vp")), "taken": of_seat}


def count_statues(games: Games) -> ByGame:
    """The treated seat's points, and the statues it left in the whole game, float64 [games]."""
    return {"vp": games.treated(games.seats("vp")), "taken": games.treated(_seats(games, "statues_left"))}


def _taken(more: Mapping[str, np.ndarray], less: Mapping[str, np.ndarray]) -> Taken:
    """What one more brings; both arms have float64 [blocks, games]."""
    points, taken = (more[name] - less[name] for name in ("vp", "taken"))
    return Taken(
        block_ratio(points.sum(axis=1), taken.sum(axis=1)), float(more["taken"].mean()), float(less["taken"].mean())
    )


def by_turn(values: Mapping[str, np.ndarray], players: int, things: int) -> list[ByGame]:
    """The counts of each treatment, float64 [blocks, players] each."""
    return [
        {name: each.reshape(-1, things, players)[:, thing] for name, each in values.items()} for thing in range(things)
    ]


class Favor(NamedTuple):
    """What a favor brings against never taking it to those who choose it, and to those who take it by treatment alone.

    The second is against what they choose themselves: another favor, or to keep their courtiers.
    """

    chosen: Taken
    forced: Taken


def favors(cell: Cell, blocks: int, cache: Cache, workers: int | None = None) -> dict[int, Favor]:
    """What each favor brings to the seat that takes it, its courtiers paid, by number; 0 stands for all together."""
    games = all_three(cell)
    given, chosen, denied = (
        _play(games, favor_blocks(blocks), count_favors, cache, workers, arm) for arm in (GIVEN, None, DENIED)
    )
    each = zip(*(by_turn(arm, games.players, FAVORS) for arm in (given, chosen, denied)), strict=True)
    whole = ({name: values.reshape(-1, games.players * FAVORS) for name, values in arm.items()}
             for arm in (given, chosen, denied))  # fmt: skip
    return {
        number: Favor(_taken(as_chosen, never), _taken(always, as_chosen))
        for number, (always, as_chosen, never) in enumerate([tuple(whole), *each])
    }


def statues(cell: Cell, blocks: int, cache: Cache, workers: int | None = None) -> list[Taken]:
    """What a statue left in each of the six rounds brings to its seat."""
    games = all_three(cell)
    arms = (_play(games, blocks, count_statues, cache, workers, arm) for arm in (None, NO_STATUE))
    more, less = (by_turn(arm, games.players, ROUNDS) for arm in arms)
    return [_taken(more[place], less[place]) for place in range(ROUNDS)]


def count_cards(games: Games) -> ByGame:
    """Of the treated seat its points but those of Landsknechte cards, the latter, and the treated cards it turned.

    The cards lie in order again after winter, so the k-th of a year is card k + 1.
    """
    column = games.tables.seasons[:, _PLACES["seasons"]["landsknecht_cards"]]
    turned = column.reshape(-1, len(SEASON_NAMES) // len(SEASONS), len(SEASONS), games.players).sum(axis=2)
    treated = turned[np.arange(len(turned)), :, games.seat]  # [games, years]
    place = 1 + games.numbers // games.players % len(CARDS)
    cards = (turned >= place[:, None, None]).sum(axis=1)  # [games, seats]
    return {
        "vp": games.treated(games.seats("vp")),
        "of cards": games.treated(_seats(games, "vp_landsknechte")),
        "taken": (treated >= place[:, None]).sum(axis=1).astype(np.float64),
        "table": games.seats("vp").mean(axis=1),
        "taken at the table": cards.mean(axis=1),
    }


class Card(NamedTuple):
    """What a Landsknechte card turned brings to its seat, and to the mean of the table where all turn it."""

    seat: Taken
    table: Taken


def landsknechte(cell: Cell, blocks: int, boards: Boards, cache: Cache, workers: int | None = None) -> dict[int, Card]:
    """What each Landsknechte card brings that is turned.

    One seat: its points against those of the denied arm, less the point that the denied card itself brought there. The
    table: its loss of points on a board where the card is blank for all.
    """
    experiment = all_three(cell)
    sizes = (experiment.players, len(CARDS))
    printed = _play(experiment, blocks, count_cards, cache, workers)
    denied = _play(experiment, blocks, count_cards, cache, workers, CARD_DENIED)
    result = {}
    for card, more, less in zip(CARDS, by_turn(printed, *sizes), by_turn(denied, *sizes), strict=True):
        point = experiment.components().board.landsknechte[card - 1]["victory_points"] * less["taken"]
        lost = (more["vp"] - less["vp"] + point).sum(axis=1)
        seat = Taken(block_ratio(lost, less["taken"].sum(axis=1)), float(more["taken"].mean()), 0.0)
        board = experiment.changed(board=str(boards.blank(card)))
        blank = by_block(_play(board, blocks, count_cards, cache, workers)["table"], experiment.players)
        whole = by_block(printed["table"], experiment.players)
        turned = float(more["taken at the table"].mean())
        result[card] = Card(seat, Taken(block_mean((whole - blank) / turned), turned, 0.0))
    return result


def by_block(values: np.ndarray, players: int) -> np.ndarray:
    """The means of blocks, [blocks] of [games]."""
    return np.asarray(values.reshape(-1, block_size(players)).mean(axis=1))


def favor_values(cell: Cell, favors: Mapping[int, Favor], home: Cell) -> Iterator[tuple[Key, Value]]:
    """What is published of favors in a cell; those given beyond choice are shown in the baseline beside the others."""
    for number, favor in favors.items():
        name = str(number or "any")
        yield Key("favor", name, PLAYERS, cell), favor.chosen.worth
        for quantity in ("favor-given-by-play", "favor-given")[: 2 if cell == home else 1]:
            yield Key(quantity, name, PLAYERS, cell), favor.forced.worth
        for quantity, taken in (("favor-chosen-games", favor.chosen), ("favor-given-games", favor.forced)):
            games = taken.worth.blocks * PLAYERS * (1 if number else FAVORS)
            yield Key(quantity, name, PLAYERS, cell), Number(100 * taken.often, n=games)


def statue_values(cell: Cell, statues: Sequence[Taken]) -> Iterator[tuple[Key, Value]]:
    """What is published of statues in a cell."""
    for moment, statue in zip(ROUND_NAMES, statues, strict=True):
        yield Key("statue", "", PLAYERS, cell, moment), statue.worth
        yield Key("statues-left", "", PLAYERS, cell, moment), Number(statue.often, n=statue.worth.blocks * PLAYERS)


def card_values(cell: Cell, cards: Mapping[int, Card]) -> Iterator[tuple[Key, Value]]:
    """What is published of Landsknechte cards in a cell."""
    for number, card in cards.items():
        yield Key("card-own-seat", str(number), PLAYERS, cell), card.seat.worth
        yield Key("card-mean-of-table", str(number), PLAYERS, cell), card.table.worth
        games = card.seat.worth.blocks * PLAYERS
        yield Key("cards-turned", str(number), PLAYERS, cell), Number(card.table.often, n=games)
