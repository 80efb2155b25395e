"""What advice is asked with: the options of `wallsim.advise` and of the command, and the bounds of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wallsim.errors import InputError
from wallsim.experiment.keys import Key, decimal_key, number_key, shown

BOUNDS = {
    "precision": decimal_key(0.1, 50, None),
    "tables": number_key(2, 1_000_000, None),
    "minutes": decimal_key(0.01, 10_000, None),
    "seed": number_key(0, 2**31, None),
}


@dataclass(frozen=True, kw_only=True)
class AdviceOptions:
    """Options of advice: which decision it is on, your own choice, who plays, and how much is tried.

    Parameters
    ----------
    game
        Number of the game that is played again.
    season
        The season that is planned, such as 'fall 1'; None for spring 1. Not with a position.
    step
        Instead of a season, a line of the game's trace, counted from 0: a claim, a plan, the order or an attack. Claims
        are those of a draft, the order is the line `order` of an auction, attacks and moves are those of combat A or B.
    seat
        The seat that decides, counted from 0; None for 0, or that of the step. In an auction that is the one that
        chooses first.
    actions
        The five open actions of a position, in their order; drawn at random if not given.
    tiles
        The bonus tiles of a position, by place; drawn at random if not given.
    plan
        Your own plan, to be judged beside the best ones. It is a text such as ``"palace=Tirol, grain=Anhalt, bid=2"``,
        or a dictionary of the same. By default the plan that was made in the game is judged.
    choice
        Your own choice at a step that is no plan, to be judged: 'Tirol' or 'deck' for a claim, '2' or 'six_armies' for
        a place, 'Tirol 3' for an attack. It may also be ``"recycle"`` for a claim, ``"none"`` for no move, or a
        dictionary such as `cards` of the answer.
    plays
        Kinds of play of the others: strong, second strong, middling, casual and weak if not given; the advice is for
        the first.
    policy
        The policy as which the seat goes on; None for master-3p, master-4p or master-5p.
    tower
        The tower; None for that of the game, or spielbyweb.
    seed
        Seed of the dealt tables.
    precision
        Half the width of the widest interval that is wanted, in points of wins.
    tables
        Dealt tables at most that judge the plans of a kind of play.
    minutes
        Judge on no further tables after so many minutes; None for no limit.
    workers
        Number of threads; it does not affect results; None for one per core.
    trust_code
        Run the Python policies that a file or a folder names; read them first.
    """

    game: int = 0
    season: str | None = None
    step: int | None = None
    seat: int | None = None
    actions: Sequence[str] = ()
    tiles: Sequence[str] = ()
    plan: str | Mapping[str, Any] | None = None
    choice: str | Mapping[str, Any] | None = None
    plays: Sequence[str] = ()
    policy: str | None = None
    tower: str | None = None
    seed: int = 1
    precision: float = 2.0
    tables: int = 20_000
    minutes: float | None = None
    workers: int | None = None
    trust_code: bool = False

    def check_numbers(self) -> None:
        """InputError for the first number that is out of bounds."""
        for name, key in BOUNDS.items():
            if name != "minutes" or self.minutes is not None:
                check_number(name, key, getattr(self, name))


def check_number(name: str, key: Key, value: object) -> None:
    """InputError unless a value is a number within the bounds of its key."""
    assert key.least is not None
    assert key.most is not None
    kinds = int if key.read == "number" else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not key.least <= value <= key.most:
        raise InputError(f"{name}: {shown(value)} is not {key.allowed}")


def check_seat(seat: int, players: int) -> None:
    """InputError unless there is such a seat."""
    check_number("seat", number_key(0, players - 1, None), seat)
