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

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import FAVORS, LANDSKNECHT_CARDS, ROUND_NAMES, ROUNDS, SEASON_NAMES, SEASONS
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.games import Count, Counted, Games, counted_in
from wallsim.studies.outcomes import POINTS, SPREAD, change
from wallsim.studies.quantities import Key, Number
from wallsim.studies.scope import BASELINE
from wallsim.studies.study import Storage

from .boards import Boards, variants
from .effects import LEADER, PLAYERS, SEATS, Values, all_three, by_block, play

_TREATMENTS = Path(__file__).with_name("treatments")
GIVEN, DENIED, NO_STATUE, CARD_DENIED = "favor_given", "favor_denied", "statue_denied", "card_denied"
CARDS = tuple(range(2, LANDSKNECHT_CARDS + 1))  # the first is blank as printed
MOVED = (POINTS, SPREAD, LEADER, *SEATS)  # by other favors


def treatments() -> dict[str, Any]:
    """The code of each treatment, as the identity of its policy has it."""
    return {path.stem: load_policy(str(path)).code for path in sorted(_TREATMENTS.glob("*.py"))}


def treated_arena(experiment: Experiment, treatment: str = "") -> Arena:
    """The arena in which all seats play their policy, but for what a treatment answers, if there is one."""
    parts = experiment.components()
    if treatment:
        arm = load_policy(str(_TREATMENTS / f"{treatment}.py"))
        answers = {name: getattr(arm, name) for name in ("kind", "answers", "code", "source")}
        parts = replace(parts, policies=tuple(replace(policy, **answers) for policy in parts.policies))
    return parts.arena(experiment.seed)


def _play(experiment: Experiment, blocks: int, count: Count, storage: Storage, treatment: str = "") -> Counted:
    def counted(_: object) -> Counted:
        return counted_in(treated_arena(experiment, treatment), blocks, count, count is count_cards, storage.workers)

    facts = {"experiment": experiment, "blocks": blocks, "treatment": treatments().get(treatment, "")}
    return storage.cache.get(count.__name__, facts, counted)


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


def _worth(more: Counted, less: Counted) -> Estimate:
    # What one more taken brings; both arms have float64 [blocks, games].
    points, taken = (more[name] - less[name] for name in ("vp", "taken"))
    return block_ratio(points.sum(axis=1), taken.sum(axis=1))


def _by_thing(arms: Iterable[Counted], things: int, games: int = PLAYERS) -> Iterator[tuple[Counted, ...]]:
    # The counts of all arms for each treated thing, which so many games in a row treat: float64 [blocks, games] each.
    shaped = [{name: each.reshape(-1, things, games) for name, each in arm.items()} for arm in arms]
    for thing in range(things):
        yield tuple({name: each[:, thing] for name, each in arm.items()} for arm in shaped)


def favors(cell: Cell, blocks: int, storage: Storage) -> Values:
    """What each favor brings to the seat that takes it, its courtiers paid; "any" stands for all together.

    By choice is against never taking it, and beyond choice by treatment alone, against what the seat chooses itself:
    another favor, or to keep its courtiers. With it how often the favor is taken.
    """
    arms = [_play(all_three(cell), blocks, count_favors, storage, arm) for arm in (GIVEN, "", DENIED)]
    every = (*_by_thing(arms, 1, PLAYERS * FAVORS), *_by_thing(arms, FAVORS))
    for number, (always, as_chosen, never) in enumerate(every):
        name, given = str(number or "any"), _worth(always, as_chosen)
        yield Key("favor", name, PLAYERS, cell), _worth(as_chosen, never)
        for quantity in ("favor-given", "favor-given-by-play")[cell != BASELINE :]:  # the first in the baseline alone
            yield Key(quantity, name, PLAYERS, cell), given
        for quantity, arm in (("favor-chosen-games", as_chosen), ("favor-given-games", always)):
            yield Key(quantity, name, PLAYERS, cell), Number(100 * float(arm["taken"].mean()), n=arm["taken"].size)


def statues(cell: Cell, blocks: int, storage: Storage) -> Values:
    """What a statue left in each of the six rounds brings to its seat, and how many are left in a game."""
    arms = [_play(all_three(cell), blocks, count_statues, storage, arm) for arm in ("", NO_STATUE)]
    for moment, (more, less) in zip(ROUND_NAMES, _by_thing(arms, ROUNDS), strict=True):
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
    points = games.seats("vp")
    return {"vp": games.treated(points), "taken": games.treated(taken), "table": points.mean(axis=1),
            "taken at the table": taken.mean(axis=1)}  # fmt: skip


def landsknechte(cell: Cell, blocks: int, storage: Storage) -> Values:
    """What each Landsknechte card that is turned brings to its seat, and to the mean of the table where all turn it.

    One seat: its points against those of the denied arm, less the point that the denied card itself brought there. The
    table: its loss of points on a board where the card is blank for all. And how often it is turned.
    """
    experiment, boards = all_three(cell), Boards(storage.folder)
    arms = [_play(experiment, blocks, count_cards, storage, arm) for arm in ("", CARD_DENIED)]
    for card, (more, less) in zip(CARDS, _by_thing(arms, len(CARDS)), strict=True):
        point = experiment.components().board.landsknechte[card - 1]["victory_points"] * less["taken"]
        lost = (more["vp"] - less["vp"] + point).sum(axis=1)
        yield Key("card-own-seat", str(card), PLAYERS, cell), block_ratio(lost, less["taken"].sum(axis=1))
        blank = _play(experiment.changed(board=str(boards.blank(card))), blocks, count_cards, storage)
        with_card, without = (by_block(arm["table"], PLAYERS) for arm in (arms[0], blank))
        turned = float(more["taken at the table"].mean())
        yield Key("card-mean-of-table", str(card), PLAYERS, cell), block_mean((with_card - without) / turned)
        yield Key("cards-turned", str(card), PLAYERS, cell), Number(turned, n=more["taken"].size)


def moves(cell: Cell, blocks: int, storage: Storage, court: Estimate) -> Values:
    """What every variant of the favors changes in the games of a cell, with the court.

    The worth of the court is what a seat has with it over the other two expansions alone, which no favor touches: it
    moves by as much as a seat's points do.
    """
    experiment, boards = all_three(cell), Boards(storage.folder)
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
