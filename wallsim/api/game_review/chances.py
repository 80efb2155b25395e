"""Chances to win from fall 1 on, by kind of table, with bands where facts are unknown.

Plausible values in place of what nobody remembers are drawn from simulated casual games. For each seat one of the seats
of the reference games that own about as many counties after the same season is drawn; it lends its grain, its Thalers,
its cubes in tray and tower, and for each county of unknown size the armies of one of its counties. Events are drawn
from those that can still lie open. What is known stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from wallsim.api.outlook import FIRST_KNOWN, TABLES, outlooks
from wallsim.api.trace import traces
from wallsim.experiment.experiment import Experiment
from wallsim.policies.value.features import MOMENTS
from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import ARMIES_PER_PLAYER, EVENTS_PER_YEAR, SEASONS, WINTER
from wallsim.trace.game_text.model import PEASANTS_WORD, GameText, Row, Section
from wallsim.trace.game_text.position import state_of
from wallsim.trace.state import State

COVERED = 0.95  # of the samples lie in a band
_MOMENTS = MOMENTS[MOMENTS.index(FIRST_KNOWN) :]


class Chance(NamedTuple):
    """A seat's chance to win, 0 to 1: the mean of the samples and the band of most of them, or one known number."""

    wins: float
    low: float
    high: float


class SeasonChances(NamedTuple):
    """The chances of the seats after a season, by kind of table; `known` if no fact had to be drawn."""

    time: str
    known: bool
    chances: dict[str, list[Chance]]


def why_without_chances(game: GameText) -> str:
    """Why there are no chances for a game, or "" if there are."""
    if game.edition != "2e":
        return f"no value was learned for the edition {game.edition}"
    if game.expansions:
        return f"no value was learned for games with {', '.join(game.expansions)}"
    if game.changed:
        return f"no value was learned for games that differ in {', '.join(game.changed)}"
    if game.unequal:
        return "the players differ in strength, and chances are known only among equals"
    if not any(each in game.sections for each in _MOMENTS):
        return f"the text has no table after {', '.join(_MOMENTS[:-1])} or {_MOMENTS[-1]}"
    return ""


def why_without_season(game: GameText, time: str) -> str:
    """Why there are no chances after a season that the text has, or "" if there are."""
    return why_unknowable(game, game.sections[time])


def chances_of(game: GameText, samples: int = 200, seed: int = 1) -> list[SeasonChances]:
    """The chances after each season from fall 1 on whose table is noted; none if no value holds for such games."""
    if why_without_chances(game):
        return []
    found = []
    for time in (each for each in _MOMENTS if each in game.sections and not why_without_season(game, each)):
        section = game.sections[time]
        states = plausible_states(game, section, samples, seed)
        by_table = {}
        for table in TABLES:
            wins = np.array([[each.wins for each in seats] for seats in outlooks(states, table)])
            low, high = np.quantile(wins, [(1 - COVERED) / 2, (1 + COVERED) / 2], axis=0)
            by_table[table] = [
                Chance(*map(float, each)) for each in zip(wins.mean(axis=0), low, high, strict=True)
            ]  # fmt: skip
        found.append(SeasonChances(time, is_known(game, section), by_table))
    return found


REFERENCE_GAMES = 120
REFERENCE_POLICY, REFERENCE_SEED = "casual-{}p", 20_261
_NEAREST = 60  # seats of the reference from which one is drawn


class Donor(NamedTuple):
    """A seat of a reference game after a season: what it lends."""

    counties: int
    grain: int
    thalers: int
    tray: int
    inside: int
    armies: tuple[int, ...]  # of each county


class Reference(NamedTuple):
    """Seats after each season, and the peasants in tray and tower of each game."""

    donors: Mapping[str, Sequence[Donor]]
    peasants: Mapping[str, Sequence[tuple[int, int]]]


@lru_cache(maxsize=3)
def reference(players: int) -> Reference:
    """The reference games for a number of players: drafted, all seats by casual bots."""
    seats: Any = players
    policy = REFERENCE_POLICY.format(players)
    experiment = Experiment(players=seats, policies=policy, setup="draft", seed=REFERENCE_SEED, games=REFERENCE_GAMES)
    donors: dict[str, list[Donor]] = defaultdict(list)
    peasants: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for events in traces(experiment, range(REFERENCE_GAMES)):
        for state in events.states():
            peasants[state.after].append((state.tray[PEASANTS_WORD], state.tower[PEASANTS_WORD]))
            donors[state.after] += [_donor(state, seat) for seat in range(players)]
    ordered = {time: sorted(each, key=lambda donor: donor.counties) for time, each in donors.items()}
    return Reference(ordered, dict(peasants))


def _donor(state: State, seat: int) -> Donor:
    armies = tuple(county["armies"] for county in state.counties.values() if county["owner"] == seat)
    cubes = state.tray[str(seat)], state.tower[str(seat)]
    return Donor(len(armies), state.grain[seat], state.thalers[seat], *cubes, armies)


def is_known(game: GameText, section: Section) -> bool:
    """Whether a section gives everything that a value looks at."""
    events = len(section.events or ()) == _open_events(section.time)
    points = game.expansions or all(row.vp is not None for row in section.rows.values())
    whole = section.unknown() == 0 and points
    return bool(whole and events and section.tray is not None and section.inside is not None)


def why_unknowable(game: GameText, section: Section) -> str:
    """What a section lacks that nobody can draw: the counties of a seat, or its points; "" if nothing."""
    lacking = section.lacks(game.players)
    if lacking:
        return f"no counties of {', '.join(LETTERS[seat] for seat in lacking)}"
    pointless = [LETTERS[seat] for seat, row in sorted(section.rows.items()) if row.vp is None]
    return f"no points of {', '.join(pointless)}" if pointless else ""


def plausible_states(game: GameText, section: Section, samples: int, seed: int) -> list[State]:
    """States of a section with plausible values for what is unknown; one state if everything is known.

    Points must be known, or follow from the board. The same seed draws the same values.
    """
    if is_known(game, section):
        return [state_of(game, section)]
    pool = reference(game.players)
    rng = np.random.default_rng([seed, *section.time.encode()])
    return [state_of(game, _completed(game, section, pool, rng)) for _ in range(samples)]


def _completed(game: GameText, section: Section, pool: Reference, rng: np.random.Generator) -> Section:
    rows: dict[int, Row] = {}
    tray = None if section.tray is None else dict(section.tray)
    inside = None if section.inside is None else dict(section.inside)
    lent: dict[str, dict[str, int]] = {"tray": {}, "inside": {}}
    for seat, row in section.rows.items():
        donor = _drawn(pool.donors[section.time], len(row.holdings), rng)
        letter = LETTERS[seat]
        known = sum(each.armies or 1 for each in row.holdings)
        cubes = {"tray": donor.tray, "inside": donor.inside}
        if tray is not None:
            cubes["tray"] = tray.get(letter, 0)
        if inside is not None:
            cubes["inside"] = inside.get(letter, 0)
        room = ARMIES_PER_PLAYER - known
        for name in ("inside", "tray"):
            cubes[name] = min(cubes[name], room)
            room -= cubes[name]
            lent[name][letter] = cubes[name]
        holdings = []
        for each in row.holdings:
            if each.armies is None:
                more = min(_armies(donor, rng) - 1, room)
                room -= more
                each = replace(each, armies=1 + more)
            holdings.append(each)
        rows[seat] = replace(
            row, holdings=holdings, grain=donor.grain if row.grain is None else row.grain,
            thalers=donor.thalers if row.thalers is None else row.thalers,
        )  # fmt: skip
    of_peasants = pool.peasants[section.time][int(rng.integers(len(pool.peasants[section.time])))]
    for name, number in zip(("tray", "inside"), of_peasants, strict=True):
        lent[name][PEASANTS_WORD] = number
    events = _events(game, section, rng)
    return replace(
        section, rows=rows, events=events, tray=lent["tray"] if tray is None else tray,
        inside=lent["inside"] if inside is None else inside,
    )  # fmt: skip


def _drawn(donors: Sequence[Donor], counties: int, rng: np.random.Generator) -> Donor:
    """One of the seats with the numbers of counties nearest to this one."""
    numbers = np.array([donor.counties for donor in donors])
    nearest = np.argsort(np.abs(numbers - counties), kind="stable")[:_NEAREST]
    return donors[int(rng.choice(nearest))]


def _armies(donor: Donor, rng: np.random.Generator) -> int:
    return int(rng.choice(donor.armies)) if donor.armies else 1


def _open_events(time: str) -> int:
    season = SEASONS.index(time.split()[0])
    return 0 if season == WINTER else EVENTS_PER_YEAR - 1 - season


def _events(game: GameText, section: Section, rng: np.random.Generator) -> tuple[str, ...]:
    """Events that can lie open: those noted, those that lie open later in the year, then others."""
    year, noted = section.time[-1], section.events or ()
    if len(noted) == _open_events(section.time):
        return noted
    others = {
        time: set(each.events) for time, each in game.sections.items() if each.events and time.split()[0] in SEASONS
    }
    later = {
        event for time, events in others.items() for event in events
        if time[-1] == year and _open_events(time) < _open_events(section.time)
    } - set(noted)  # fmt: skip
    gone = {event for time, events in others.items() for event in events if time[-1] != year}
    free = [event for event in printed_board().events if event not in gone | later | set(noted)]
    missing = max(0, _open_events(section.time) - len(later) - len(noted))
    drawn = rng.choice(free, size=missing, replace=False) if missing else ()
    return (*noted, *sorted(later), *map(str, drawn))[: _open_events(section.time)]
