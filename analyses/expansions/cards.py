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

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.rules.terms import FAVORS, LANDSKNECHT_CARDS, ROUND_NAMES, ROUNDS, SEASON_NAMES, SEASONS
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.changes import change
from wallsim.studies.games import Count, Counted, Games, counted_in
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import BASELINE
from wallsim.studies.study import Storage

from .boards import Boards, variants
from .effects import LEADER, PLAYERS, SEATS, all_three, by_block, play

_TREATMENTS = Path(__file__).with_name("treatments")
GIVEN, DENIED, NO_STATUE, CARD_DENIED = "favor_given", "favor_denied", "statue_denied", "card_denied"
CARDS = tuple(range(2, LANDSKNECHT_CARDS + 1))  # the first is blank as printed
MOVED = (POINTS, SPREAD, LEADER, *SEATS)  # by other favors
Values = Iterator[tuple[Key, Value]]


def favor_blocks(blocks: int) -> int:
    """Blocks of 24 games, of which seven treat each pair of seat and favor twice: at least so many, in whole sevens."""
    return -(-blocks // 7) * 7


def treatments() -> dict[str, Any]:
    """The code of each treatment, as the identity of its policy has it."""
    return {path.stem: _policy_of(path.stem).code for path in sorted(_TREATMENTS.glob("*.py"))}


def _policy_of(treatment: str) -> Policy:
    return load_policy(str(_TREATMENTS / f"{treatment}.py"))


def treated_arena(experiment: Experiment, treatment: str | None = None) -> Arena:
    """The arena in which all seats play their policy, but for what a treatment answers; None for no treatment."""
    parts = experiment.components()
    if treatment is not None:
        arm = _policy_of(treatment)
        answers = {name: getattr(arm, name) for name in ("kind", "answers", "code", "source")}
        parts = replace(parts, policies=tuple(replace(policy, **answers) for policy in parts.policies))
    return parts.arena(experiment.seed)


def _play(experiment: Experiment, blocks: int, count: Count, storage: Storage, treatment: str | None = None) -> Counted:
    def counted(_: object) -> Counted:
        return counted_in(treated_arena(experiment, treatment), blocks, count, count is count_cards, storage.workers)

    code = "" if treatment is None else _policy_of(treatment).code
    return storage.cache.get(count.__name__, {"experiment": experiment, "blocks": blocks, "treatment": code}, counted)


def treated_favor(numbers: np.ndarray, players: int) -> np.ndarray:
    """The number of the treated favor of each game, int64 [games]."""
    return 1 + numbers // players % FAVORS


def count_favors(games: Games) -> Counted:
    """The treated seat's points, and whether it took the treated favor, float64 [games]."""
    favors = np.stack([games.seats(f"favor_{number}") for number in range(1, FAVORS + 1)])
    of_seat = favors[treated_favor(games.numbers, games.players) - 1, np.arange(len(games.numbers)), games.seat]
    return {"vp": games.treated(games.seats("vp")), "taken": of_seat}


def count_statues(games: Games) -> Counted:
    """The treated seat's points, and the statues it left in the whole game, float64 [games]."""
    return {"vp": games.treated(games.seats("vp")), "taken": games.treated(games.seats("statues_left"))}


def _worth(more: Mapping[str, np.ndarray], less: Mapping[str, np.ndarray]) -> Estimate:
    """What one more taken brings; both arms have float64 [blocks, games]."""
    points, taken = (more[name] - less[name] for name in ("vp", "taken"))
    return block_ratio(points.sum(axis=1), taken.sum(axis=1))


def by_turn(values: Mapping[str, np.ndarray], players: int, things: int) -> list[Counted]:
    """The counts of each treatment, float64 [blocks, players] each."""
    return [
        {name: each.reshape(-1, things, players)[:, thing] for name, each in values.items()} for thing in range(things)
    ]


def favors(cell: Cell, blocks: int, storage: Storage) -> Values:
    """What each favor brings to the seat that takes it, its courtiers paid; "any" stands for all together.

    By choice is against never taking it, and beyond choice by treatment alone, against what the seat chooses itself:
    another favor, or to keep its courtiers. With it how often the favor is taken.
    """
    games = all_three(cell)
    arms = [_play(games, favor_blocks(blocks), count_favors, storage, arm) for arm in (GIVEN, None, DENIED)]
    whole = [{name: values.reshape(-1, games.players * FAVORS) for name, values in arm.items()} for arm in arms]
    each = zip(*(by_turn(arm, games.players, FAVORS) for arm in arms), strict=True)
    for number, (always, as_chosen, never) in enumerate([whole, *each]):
        name, given = str(number or "any"), _worth(always, as_chosen)
        yield Key("favor", name, PLAYERS, cell), _worth(as_chosen, never)
        for quantity in ("favor-given", "favor-given-by-play")[cell != BASELINE :]:  # the first in the baseline alone
            yield Key(quantity, name, PLAYERS, cell), given
        for quantity, arm in (("favor-chosen-games", as_chosen), ("favor-given-games", always)):
            yield Key(quantity, name, PLAYERS, cell), Number(100 * float(arm["taken"].mean()), n=arm["taken"].size)


def statues(cell: Cell, blocks: int, storage: Storage) -> Values:
    """What a statue left in each of the six rounds brings to its seat, and how many are left in a game."""
    games = all_three(cell)
    arms = (_play(games, blocks, count_statues, storage, arm) for arm in (None, NO_STATUE))
    turns = zip(ROUND_NAMES, *(by_turn(arm, games.players, ROUNDS) for arm in arms), strict=True)
    for moment, more, less in turns:
        yield Key("statue", "", PLAYERS, cell, moment), _worth(more, less)
        left = Number(float(more["taken"].mean()), n=more["taken"].size)
        yield Key("statues-left", "", PLAYERS, cell, moment), left


def count_cards(games: Games) -> Counted:
    """Of the treated seat its points, and the treated cards it turned; the mean of both over the table.

    The cards lie in order again after winter, so the k-th of a year is card k + 1.
    """
    numbers, seasons = games.numbers, range(len(SEASON_NAMES))
    cards = [games.in_seasons("landsknecht_cards", np.full(len(numbers), each)) for each in seasons]
    turned = np.stack(cards, axis=1).reshape(len(numbers), -1, len(SEASONS), games.players).sum(axis=2)
    place = 1 + numbers // games.players % len(CARDS)
    taken = (turned >= place[:, None, None]).sum(axis=1).astype(np.float64)  # [games, seats]
    return {
        "vp": games.treated(games.seats("vp")),
        "taken": games.treated(taken),
        "table": games.seats("vp").mean(axis=1),
        "taken at the table": taken.mean(axis=1),
    }


def landsknechte(cell: Cell, blocks: int, boards: Boards, storage: Storage) -> Values:
    """What each Landsknechte card that is turned brings to its seat, and to the mean of the table where all turn it.

    One seat: its points against those of the denied arm, less the point that the denied card itself brought there. The
    table: its loss of points on a board where the card is blank for all. And how often it is turned.
    """
    experiment = all_three(cell)
    players, printed = experiment.players, _play(experiment, blocks, count_cards, storage)
    denied = _play(experiment, blocks, count_cards, storage, CARD_DENIED)
    arms = (by_turn(arm, players, len(CARDS)) for arm in (printed, denied))
    for card, more, less in zip(CARDS, *arms, strict=True):
        point = experiment.components().board.landsknechte[card - 1]["victory_points"] * less["taken"]
        lost = (more["vp"] - less["vp"] + point).sum(axis=1)
        yield Key("card-own-seat", str(card), PLAYERS, cell), block_ratio(lost, less["taken"].sum(axis=1))
        blank = _play(experiment.changed(board=str(boards.blank(card))), blocks, count_cards, storage)
        with_card, without = (by_block(arm["table"], players) for arm in (printed, blank))
        turned = float(more["taken at the table"].mean())
        yield Key("card-mean-of-table", str(card), PLAYERS, cell), block_mean((with_card - without) / turned)
        yield Key("cards-turned", str(card), PLAYERS, cell), Number(turned, n=more["taken"].size)


def moves(cell: Cell, blocks: int, boards: Boards, storage: Storage, court: Estimate) -> Values:
    """What every variant of the favors changes in the games of a cell, with the court.

    The worth of the court is what a seat has with it over the other two expansions alone, which no favor touches: it
    moves by as much as a seat's points do.
    """
    experiment = all_three(cell)
    printed = play(experiment, blocks, storage)
    yield Key("court-worth", "", PLAYERS, cell), court
    for name in variants():
        varied = play(experiment.changed(board=str(boards.with_favors(name))), blocks, storage)
        for outcome in MOVED:
            moved = change(printed[outcome][:, None], varied[outcome][:, None])
            for quantity in ("favors-varied", "favors-varied-by-play")[cell != BASELINE :]:
                yield Key(quantity, f"{name} {outcome}", PLAYERS, cell), moved
            if outcome == POINTS:
                worth = Number(court.value + moved.estimate.value)
                yield Key("court-worth-varied", name, PLAYERS, cell), worth
