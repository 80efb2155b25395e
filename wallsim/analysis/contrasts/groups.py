"""Splits of the games of two runs: by treated seat, line-up, standing before the change, and round of the change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import season_tables
from wallsim.errors import InputError
from wallsim.experiment.keys import shown
from wallsim.folder.results import Run
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES

TURN = "turn"  # every seat, or every pair of seat and round, once in a row of games
NONE_BEFORE = -1
_BATCH = 65_536  # games whose rows are held in memory at a time


def treated_seats(pairing: Pairing, seat: str) -> tuple[np.ndarray, np.ndarray]:
    """The treated seat of each game in both runs, int64 [games].

    `seat` is a number from 0, the letter of a line-up, which may sit elsewhere in the second run, or `turn`: the game
    number modulo the number of players. InputError for anything else.
    """
    if seat == TURN:
        turn = pairing.games % pairing.players
        return turn, turn
    if seat.isascii() and seat.isdecimal():
        if int(seat) >= pairing.players:
            raise InputError(f"seat: {seat} is not one of 0 to {pairing.players - 1}")
        fixed = np.full(len(pairing.games), int(seat))
        return fixed, fixed
    places = [_seat_of(run, seat) for run in pairing.runs]
    return np.full(len(pairing.games), places[0]), np.full(len(pairing.games), places[1])


def treated_rounds(pairing: Pairing, moment: str) -> np.ndarray:
    """The moment before which a change was made, as its place in SEASON_NAMES, int64 [games].

    `moment` is one of SEASON_NAMES for all games, or `turn`: the game number div the number of players, modulo the six
    rounds. InputError for anything else.
    """
    if moment == TURN:
        of_round = np.array([SEASON_NAMES.index(name) for name in ROUND_NAMES])
        return np.asarray(of_round[pairing.games // pairing.players % len(ROUND_NAMES)])
    if moment not in SEASON_NAMES:
        raise InputError(f"round: {shown(moment)} is not one of {', '.join(SEASON_NAMES)}, {TURN}")
    return np.full(len(pairing.games), SEASON_NAMES.index(moment))


def standings(pairing: Pairing, moments: np.ndarray) -> np.ndarray:
    """The standing of every seat of the first run before a moment of each game, int64 [games, seats].

    `moments`, int64 [games], are places in SEASON_NAMES. A standing is 1 + the seats with more points, counting
    those that another winter would bring. NONE_BEFORE in games whose moment is the first: nobody stands anywhere
    then. What happened at the moment or later is never read, so that a split by standing compares like with like.
    InputError if the first run did not write `seasons`.
    """
    before = np.asarray(moments) - 1
    rows = pairing.first.scan("seasons")
    result = np.full((len(pairing.games), pairing.players), NONE_BEFORE)
    for start in range(0, len(result), _BATCH):
        of_batch = slice(start, start + _BATCH)
        for place in np.unique(before[of_batch][before[of_batch] >= 0]):
            here = start + np.flatnonzero(before[of_batch] == place)
            tables = season_tables(pairing.first, pairing.games[here], ("vp_with_board",), (SEASON_NAMES[place],), rows)
            points = tables[SEASON_NAMES[place]].values("vp_with_board")
            result[here] = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
    return result


def lineups_of(run: Run) -> tuple[str, ...]:
    """The letter of each seat's line-up; InputError in a draft, where there are none."""
    letters = tuple(run.identity["lineups"])
    if run.identity["setup"] != "lineup":
        raise InputError(f"{run.folder}: was played with a draft, so its seats have no line-ups")
    return letters


def _seat_of(run: Run, letter: str) -> int:
    letters = lineups_of(run)
    if letter.upper() not in letters:
        raise InputError(
            f"seat: {shown(letter)} is not one of 0 to {len(letters) - 1}, {TURN}, and in {run.folder} the line-ups "
            f"{', '.join(letters)}"
        )
    return letters.index(letter.upper())


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
