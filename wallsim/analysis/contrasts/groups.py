"""Splits of the games of two runs: by seat, line-up, standing before the change, and round of the change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.treated_seat import NONE_BEFORE, lineups_of, standings, treated_rounds
from wallsim.errors import InputError
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import SEASON_NAMES
from wallsim.runs.keys import shown

BY_SEAT, BY_LINEUP, BY_ROUND, BY_STANDING = "seat", "lineup", "round", "standing"
SPLITS = (BY_SEAT, BY_LINEUP, BY_ROUND, BY_STANDING)


class Split(NamedTuple):
    """Some games of a pairing by their name, empty for all: bool [games]."""

    name: str
    games: np.ndarray


def split_games(pairing: Pairing, by: str | None, moment: str | None, treated: np.ndarray) -> list[Split]:
    """The groups of games by what their treated seat is; `treated`, int64 [games], are the seats in the first run.

    Groups without games are left out. InputError for an unknown split, and for one that these runs do not have.
    """
    if by is None:
        return [Split("", np.ones(len(treated), bool))]
    if by == BY_ROUND:
        labels, names = treated_rounds(pairing, moment or ""), dict(enumerate(SEASON_NAMES))
    elif by == BY_STANDING:
        every = _standings(pairing, moment)
        labels = np.take_along_axis(every, treated[:, None], axis=1)[:, 0]
        names = _names_of_standings(pairing)
    else:
        labels, names = treated, _names_of_seats(pairing, by)
    splits = [Split(name, labels == label) for label, name in names.items()]
    return [split for split in splits if split.games.any()]


def split_seats(pairing: Pairing, by: str | None, moment: str | None) -> Iterator[tuple[str, np.ndarray]]:
    """The groups of seats where none is the treated one, by default each seat: their names and bool [games, seats].

    InputError for an unknown split, and for one that these runs do not have.
    """
    if by == BY_STANDING:
        every = _standings(pairing, moment)
        for standing, name in _names_of_standings(pairing).items():
            yield name, every == standing
        return
    if by == BY_ROUND:
        raise InputError("seat: none; the round of a change splits games by their treated seat")
    for seat, name in _names_of_seats(pairing, by or BY_SEAT).items():
        yield name, np.broadcast_to(np.arange(pairing.players) == seat, (len(pairing.games), pairing.players))


def _standings(pairing: Pairing, moment: str | None) -> np.ndarray:
    if moment is None:
        raise InputError(
            "round: none; a split by standing needs the moment of the change, and takes the standing before it"
        )
    every = standings(pairing, treated_rounds(pairing, moment))
    if (every == NONE_BEFORE).all():
        raise InputError(f"round: {moment}; no ranking exists before round 1")
    return every


def _names_of_standings(pairing: Pairing) -> dict[int, str]:
    return {standing: f"standing {standing}" for standing in range(1, pairing.players + 1)}


def _names_of_seats(pairing: Pairing, by: str) -> dict[int, str]:
    if by == BY_SEAT:
        return {seat: f"seat {seat}" for seat in range(pairing.players)}
    if by == BY_LINEUP:
        return {seat: f"line-up {letter}" for seat, letter in enumerate(lineups_of(pairing.first))}
    raise InputError(f"by: {shown(by)} is not one of {', '.join(SPLITS)}{did_you_mean(by, SPLITS)}")
