"""The table at the end of a season, as everybody sees it: from a trace, or written down by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from wallsim.errors import InputError
from wallsim.policies.value.features import MOMENTS
from wallsim.rules.board import Board, printed_board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import counties_in_play
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    BUILDINGS,
    COURTIERS,
    EVENTS_PER_YEAR,
    EXPANSIONS,
    MAX_PLAYERS,
    NEUTRAL,
    PEASANTS,
    SEASONS,
    STATUES,
    WINTER,
)
from wallsim.state.game import GAME, IN_HAND
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable

_PEASANTS = "peasants"
_EDITIONS = ("2e", "1e")
_COUNTY_KEYS = ("owner", "armies", "buildings", "markers")
_OF_THE_BOARD = ("counties", "region", "tax", "grain", "sites", "min_players", "neighbours", "events", "event_loss")
_MOST = 1000  # Thalers, grain, points or markers: more never come together


@dataclass(frozen=True)
class State:
    """The table at the end of a season: who owns what, and which events still lie open.

    Parameters
    ----------
    players
        The number of seats.
    after
        The season that has ended: `spring 1` to `fall 2`, or `winter 1`.
    counties
        The owned counties by name, each a dictionary with `owner` (a seat from 0) and `armies`, and optionally
        `buildings` (a list of `palace`, `church`, `trading_post`) and `markers` (revolt markers).
    thalers, grain, vp
        Thalers, grain and victory points, a number for each seat.
    tray, tower
        Cubes in the tray and in the tower by seat, as a number or as text, and `peasants`.
    events
        The names of the events that still lie open this year; after winter none matters.
    edition, expansions
        The game that is played.
    hall, leaders, statues, trophies
        Of the expansions, for each seat: courtiers in the hall, the leader's county or None, a list of the counties of
        its statues, and the statues taken from others.
    changed
        The names of switches, amounts and other settings that are not as printed.

    Raises
    ------
    InputError
        If something in it cannot be, such as a county that the board does not have.
    """

    players: int
    after: str
    counties: Mapping[str, Mapping[str, Any]]
    thalers: Sequence[int]
    grain: Sequence[int]
    vp: Sequence[int]
    tray: Mapping[Any, int] = field(default_factory=dict)
    tower: Mapping[Any, int] = field(default_factory=dict)
    events: Sequence[str] = ()
    edition: str = "2e"
    expansions: Sequence[str] = ()
    hall: Sequence[int] = ()
    leaders: Sequence[str | None] = ()
    statues: Sequence[Sequence[str]] = ()
    trophies: Sequence[int] = ()
    changed: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Check everything."""
        errors = list(_errors(self, printed_board()))
        if errors:
            raise InputError(errors)

    def ruleset(self) -> Ruleset:
        """The rules that are played, apart from what `changed` names."""
        settings: dict[str, Any] = {"players": self.players, "edition": self.edition}
        return Ruleset(**settings, expansions=tuple(self.expansions))

    def record(self) -> np.ndarray:
        """The same as a GAME array of one element, as far as a state knows it."""
        board, games, seats = printed_board(), np.zeros(1, GAME), slice(self.players)
        game, place_of = games[0], board.counties.index
        game.year, game.season = divmod(MOMENTS.index(self.after), len(SEASONS))
        game.owner[:], game.statue[:] = NEUTRAL, IN_HAND
        game.land[NEUTRAL] = sum(1 << county for county in counties_in_play(board, self.ruleset()))
        for name, county in self.counties.items():
            number = place_of(name)
            game.owner[number], game.army[number] = county["owner"], county["armies"]
            game.marker[number] = county.get("markers", 0)
            game.land[county["owner"]] |= 1 << number
            game.land[NEUTRAL] &= ~(1 << number)
            for kind in county.get("buildings", ()):
                game.built[BUILDINGS.index(kind)] |= 1 << number
        game.thalers[seats], game.grain[seats], game.vp[seats] = self.thalers, self.grain, self.vp
        for seat in range(self.players):
            game.tray[seat], game.tower[seat] = _cubes(self.tray, seat), _cubes(self.tower, seat)
            on_board = sum(county["armies"] for county in self.counties.values() if county["owner"] == seat)
            game.supply[seat] = ARMIES_PER_PLAYER - on_board - game.tray[seat] - game.tower[seat]
        game.tray[PEASANTS], game.tower[PEASANTS] = self.tray.get(_PEASANTS, 0), self.tower.get(_PEASANTS, 0)
        game.hall[: len(self.hall)], game.trophies[: len(self.trophies)] = self.hall, self.trophies
        game.leader[: len(self.leaders)] = [0 if name is None else 1 << place_of(name) for name in self.leaders]
        for seat, statues in enumerate(self.statues):
            game.statue[seat, : len(statues)] = [place_of(name) for name in statues]
        events = () if game.season == WINTER else self.events
        game.shown_events = len(events)
        game.shown_event[: len(events)] = [board.events.index(event) for event in events]
        return games


def _cubes(pile: Mapping[Any, int], seat: int) -> int:
    return int(pile.get(seat, pile.get(str(seat), 0)))


def _errors(state: State, board: Board) -> Iterator[str]:
    """All that is wrong; what the rest depends on comes first and alone."""
    wrong = list(_basic_errors(state))
    if wrong:
        yield from wrong
        return
    playing = {board.counties[county] for county in counties_in_play(board, state.ruleset())}
    for name in ("thalers", "grain", "vp"):
        yield from _list_errors(name, getattr(state, name), state.players)
    yield from _expansion_errors(state, playing)
    yield from _event_errors(state, board)
    bad = [
        *(error for name, county in state.counties.items() for error in _county_errors(name, county, state, playing)),
        *(error for name in ("tray", "tower") for error in _pile_errors(name, getattr(state, name), state.players)),
    ]
    yield from bad or _cube_errors(state)


def _basic_errors(state: State) -> Iterator[str]:
    """What is wrong with the kind of game and with the forms of tables."""
    if not _is_number(state.players, 3, 5):
        yield f"players: {state.players!r} is not 3, 4 or 5"
    if state.after not in MOMENTS:
        yield f"after: {state.after!r} is not one of {', '.join(MOMENTS)}{did_you_mean(str(state.after), MOMENTS)}"
    if state.edition not in _EDITIONS:
        yield f"edition: {state.edition!r} is not one of {', '.join(_EDITIONS)}"
    for name in ("counties", "tray", "tower"):
        if not isinstance(getattr(state, name), Mapping):
            yield f"{name}: {getattr(state, name)!r} is not a dictionary"
    for name in ("expansions", "events", "changed"):
        if not _is_list(getattr(state, name)) or not all(isinstance(each, str) for each in getattr(state, name)):
            yield f"{name}: {getattr(state, name)!r} is not a list of names"
        elif name == "expansions":
            for each in (each for each in state.expansions if each not in EXPANSIONS):
                yield f"expansions: {each!r} is not one of {', '.join(EXPANSIONS)}"


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_number(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _list_errors(name: str, numbers: Any, players: int, high: int = _MOST) -> Iterator[str]:
    if not _is_list(numbers) or len(numbers) != players or not all(_is_number(each, 0, high) for each in numbers):
        yield f"{name}: {numbers!r} is not a list of {players} whole numbers from 0 to {high}"


def _expansion_errors(state: State, playing: set[str]) -> Iterator[str]:
    for name, expansion, most in (("hall", "court", COURTIERS), ("trophies", "leaders", STATUES * MAX_PLAYERS)):
        numbers = getattr(state, name)
        if numbers or not _is_list(numbers):
            yield from _list_errors(name, numbers, state.players, most)
        if _is_list(numbers) and expansion not in state.expansions and any(each != 0 for each in numbers):
            yield f"{name}: the expansion {expansion} is not played"
    for name, most in (("leaders", 1), ("statues", STATUES)):
        rows = getattr(state, name)
        if not _is_list(rows) or len(rows) not in (0, state.players):
            yield f"{name}: {rows!r} is not a list of {state.players}"
            continue
        for row in rows:
            places = row if name == "statues" else [] if row is None else [row]
            if (
                not _is_list(places)
                or len(places) > most
                or not all(isinstance(place, str) and place in playing for place in places)
            ):
                yield f"{name}: {row!r} does not name counties of a game of {state.players}, at most {most}"


def _event_errors(state: State, board: Board) -> Iterator[str]:
    for event in state.events:
        if event not in board.events:
            yield f"events: {event!r} is not one of {', '.join(board.events)}{did_you_mean(event, board.events)}"
    if len(set(state.events)) < len(state.events):
        yield f"events: {', '.join(state.events)}: one of them is there twice"
    if len(state.events) > EVENTS_PER_YEAR:
        yield f"events: {len(state.events)} are open; at most {EVENTS_PER_YEAR} are"


def _county_errors(name: Any, county: Any, state: State, playing: set[str]) -> Iterator[str]:
    if name not in playing:
        meant = did_you_mean(str(name), sorted(playing))
        yield f"counties: {name!r} is not a county of a game of {state.players}{meant}"
    if not isinstance(county, Mapping) or set(county) - set(_COUNTY_KEYS):
        yield f"counties.{name}: {county!r} is not a dictionary with the keys {', '.join(_COUNTY_KEYS)}"
        return
    owner, armies, markers = county.get("owner"), county.get("armies"), county.get("markers", 0)
    if not _is_number(owner, 0, state.players - 1):
        yield f"counties.{name}.owner: {owner!r} is not a seat from 0 to {state.players - 1}"
    if not _is_number(armies, 1, ARMIES_PER_PLAYER):
        yield f"counties.{name}.armies: {armies!r} is not a whole number from 1 to {ARMIES_PER_PLAYER}"
    if not _is_number(markers, 0, _MOST):
        yield f"counties.{name}.markers: {markers!r} is not a whole number from 0 to {_MOST}"
    built = county.get("buildings", ())
    if not _is_list(built) or len({str(kind) for kind in built}) < len(built):
        yield f"counties.{name}.buildings: {built!r} is not a list of different buildings"
        return
    for kind in (kind for kind in built if kind not in BUILDINGS):
        yield f"counties.{name}.buildings: {kind!r} is not one of {', '.join(BUILDINGS)}"


def _pile_errors(name: str, pile: Mapping[Any, Any], players: int) -> Iterator[str]:
    for colour, cubes in pile.items():
        if str(colour) not in (_PEASANTS, *map(str, range(players))):
            yield f"{name}: {colour!r} is not a seat from 0 to {players - 1}, or {_PEASANTS}"
        elif not _is_number(cubes, 0, ARMIES_PER_PLAYER):
            yield f"{name}.{colour}: {cubes!r} is not a whole number from 0 to {ARMIES_PER_PLAYER}"
    if len({str(colour) for colour in pile}) < len(pile):
        yield f"{name}: a seat is there twice, as a number and as text"


def _cube_errors(state: State) -> Iterator[str]:
    for seat in range(state.players):
        used = sum(county["armies"] for county in state.counties.values() if county["owner"] == seat)
        used += _cubes(state.tray, seat) + _cubes(state.tower, seat)
        if used > ARMIES_PER_PLAYER:
            yield f"counties: seat {seat} has {used} armies with tray and tower; at most {ARMIES_PER_PLAYER}"


def states_of(match: Match, lines: Iterable[Line]) -> list[State]:
    """The states of a trace at the ends of its seasons but the last, in order, from its lines.

    InputError for a game on another board, whose counties a state does not know.
    """
    refuse_other_board(match.board)
    ruleset, table = match.ruleset, ReplayedTable(match)
    states: list[State] = []
    settings: dict[str, Any] = {
        "players": match.players, "edition": ruleset.edition, "expansions": ruleset.expansions,
        "changed": changed_settings(ruleset),
    }  # fmt: skip
    for line in lines:
        table.read(line)
        if line["t"] == "state" and table.season in MOMENTS:
            held = {each.name: line[each.name] for each in fields(State) if each.name in line}
            states.append(State(after=table.season, events=table.events, **held, **settings))
    return states


def refuse_other_board(board: Board) -> None:
    """InputError for a board with other counties, events, numbers or borders than the one that ships."""
    shipped = printed_board()
    if not all(np.array_equal(getattr(board, name), getattr(shipped, name)) for name in _OF_THE_BOARD):
        raise InputError("board: states are of the board of the game; this game was played on another one")


def changed_settings(ruleset: Ruleset) -> tuple[str, ...]:
    """The marks of switches that are not at their defaults, and the names of other edits."""
    defaults = Ruleset(players=ruleset.players, edition=ruleset.edition).options()
    marks = [mark for mark, setting in ruleset.options().items() if setting != defaults[mark]]
    edits = {
        "start": ruleset.thalers, "without": ruleset.without, "lineup_edits": ruleset.lineup_edits,
        "amounts": ruleset.amounts,
    }  # fmt: skip
    return (*marks, *(name for name, edited in edits.items() if edited))
