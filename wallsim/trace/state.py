"""The table at the end of a season, as everybody sees it: from a trace, or written down by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wallsim.errors import InputError
from wallsim.policies.value.features import MOMENTS
from wallsim.rules.board import Board, load_board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import counties_in_play
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    BUILDINGS,
    EVENTS_PER_YEAR,
    EXPANSIONS,
    NEUTRAL,
    PEASANTS,
    SEASONS,
    WINTER,
)
from wallsim.state.game import GAME, IN_HAND

_PEASANTS = "peasants"
_EDITIONS = ("2e", "1e")


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
        errors = list(_errors(self, load_board()))
        if errors:
            raise InputError(errors)

    def ruleset(self) -> Ruleset:
        """The rules that are played, apart from what `changed` names."""
        settings: dict[str, Any] = {"players": self.players, "edition": self.edition}
        return Ruleset(**settings, expansions=tuple(self.expansions))

    def record(self) -> np.ndarray:
        """The same as a GAME array of one element, as far as a state knows it."""
        board, games = load_board(), np.zeros(1, GAME)
        game = games[0]
        game.year, game.season = divmod(MOMENTS.index(self.after), len(SEASONS))
        game.owner[:] = NEUTRAL
        game.land[NEUTRAL] = sum(1 << county for county in counties_in_play(board, self.ruleset()))
        for name, county in self.counties.items():
            number = board.counties.index(name)
            game.owner[number], game.army[number] = county["owner"], county["armies"]
            game.marker[number] = county.get("markers", 0)
            game.land[county["owner"]] |= 1 << number
            game.land[NEUTRAL] &= ~(1 << number)
            for kind in county.get("buildings", ()):
                game.built[BUILDINGS.index(kind)] |= 1 << number
        for seat in range(self.players):
            game.thalers[seat], game.grain[seat], game.vp[seat] = self.thalers[seat], self.grain[seat], self.vp[seat]
            game.tray[seat], game.tower[seat] = _cubes(self.tray, seat), _cubes(self.tower, seat)
            on_board = sum(county["armies"] for county in self.counties.values() if county["owner"] == seat)
            game.supply[seat] = ARMIES_PER_PLAYER - on_board - game.tray[seat] - game.tower[seat]
        self._write_expansions(game, board)
        game.tray[PEASANTS], game.tower[PEASANTS] = self.tray.get(_PEASANTS, 0), self.tower.get(_PEASANTS, 0)
        game.shown_events = 0 if game.season == WINTER else len(self.events)
        for place in range(game.shown_events):
            game.shown_event[place] = board.events.index(self.events[place])
        return games

    def _write_expansions(self, game: np.record, board: Board) -> None:
        game.statue[:] = IN_HAND
        for seat, courtiers in enumerate(self.hall):
            game.hall[seat] = courtiers
        for seat, county in enumerate(self.leaders):
            game.leader[seat] = 0 if county is None else 1 << board.counties.index(county)
        for seat, places in enumerate(self.statues):
            for number, county in enumerate(places):
                game.statue[seat, number] = board.counties.index(county)
        for seat, taken in enumerate(self.trophies):
            game.trophies[seat] = taken


def _cubes(pile: Mapping[Any, int], seat: int) -> int:
    return int(pile.get(seat, pile.get(str(seat), 0)))


def _errors(state: State, board: Board) -> Iterator[str]:
    if state.players not in (3, 4, 5):
        yield f"players: {state.players!r} is not 3, 4 or 5"
        return
    if state.after not in MOMENTS:
        yield f"after: {state.after!r} is not one of {', '.join(MOMENTS)}{did_you_mean(str(state.after), MOMENTS)}"
    for name in ("thalers", "grain", "vp"):
        amounts = getattr(state, name)
        if len(amounts) != state.players or any(not isinstance(each, int) or each < 0 for each in amounts):
            yield f"{name}: {list(amounts)!r} is not a list of {state.players} whole numbers of at least 0"
    if state.edition not in _EDITIONS:
        yield f"edition: {state.edition!r} is not one of {', '.join(_EDITIONS)}"
        return
    unknown = [name for name in state.expansions if name not in EXPANSIONS]
    if unknown:
        yield f"expansions: {unknown[0]!r} is not one of {', '.join(EXPANSIONS)}"
        return
    playing = {board.counties[county] for county in counties_in_play(board, state.ruleset())}
    bad = [
        error
        for name, county in state.counties.items()
        for error in _county_errors(name, county, state.players, playing)
    ]
    yield from bad or _cube_errors(state)
    for name in ("hall", "leaders", "statues", "trophies"):
        if len(getattr(state, name)) not in (0, state.players):
            yield f"{name}: {list(getattr(state, name))!r} is not a list of {state.players}"
    placed = [*state.leaders, *(county for places in state.statues for county in places)]
    for county in (county for county in placed if county is not None and county not in playing):
        yield f"leaders, statues: {county!r} is not a county of a game of {state.players}"
    for event in state.events:
        if event not in board.events:
            yield f"events: {event!r} is not one of {', '.join(board.events)}{did_you_mean(str(event), board.events)}"
    if len(state.events) > EVENTS_PER_YEAR:
        yield f"events: {len(state.events)} are open; at most {EVENTS_PER_YEAR} are"


def _county_errors(name: str, county: Mapping[str, Any], players: int, playing: set[str]) -> Iterator[str]:
    if name not in playing:
        yield f"counties: {name!r} is not a county of a game of {players}{did_you_mean(name, sorted(playing))}"
    owner, armies, markers = county.get("owner"), county.get("armies"), county.get("markers", 0)
    if not isinstance(owner, int) or not 0 <= owner < players:
        yield f"counties.{name}.owner: {owner!r} is not a seat from 0 to {players - 1}"
    if not isinstance(armies, int) or not 1 <= armies <= ARMIES_PER_PLAYER:
        yield f"counties.{name}.armies: {armies!r} is not a whole number from 1 to {ARMIES_PER_PLAYER}"
    if not isinstance(markers, int) or markers < 0:
        yield f"counties.{name}.markers: {markers!r} is not a whole number of at least 0"
    for kind in county.get("buildings", ()):
        if kind not in BUILDINGS:
            yield f"counties.{name}.buildings: {kind!r} is not one of {', '.join(BUILDINGS)}"


def _cube_errors(state: State) -> Iterator[str]:
    for name in ("tray", "tower"):
        for colour, cubes in getattr(state, name).items():
            if str(colour) not in (_PEASANTS, *map(str, range(state.players))):
                yield f"{name}: {colour!r} is not a seat from 0 to {state.players - 1}, or {_PEASANTS}"
            elif not isinstance(cubes, int) or cubes < 0:
                yield f"{name}.{colour}: {cubes!r} is not a whole number of at least 0"
                return  # cubes cannot be added up
    for seat in range(state.players):
        used = sum(county["armies"] for county in state.counties.values() if county["owner"] == seat)
        used += _cubes(state.tray, seat) + _cubes(state.tower, seat)
        if used > ARMIES_PER_PLAYER:
            yield f"counties: seat {seat} has {used} armies with tray and tower; at most {ARMIES_PER_PLAYER}"


def states_of(lines: Iterable[Mapping[str, Any]]) -> list[State]:
    """The states of a trace at the ends of its seasons but the last, in order, from its lines."""
    states: list[State] = []
    opening: Mapping[str, Any] = {}
    events: list[str] = []
    ended = 0
    began = False
    for line in lines:
        kind = line["t"]
        if kind == "game":
            opening = line
        elif kind == "year":
            events = list(line["events"])
        elif kind == "event":
            events.remove(line["event"])
            began = True
        elif kind == "winter":
            began = True
        elif kind == "state" and began and ended < len(MOMENTS):
            states.append(_state_of(opening, line, MOMENTS[ended], events))
            ended, began = ended + 1, False
    return states


def _state_of(opening: Mapping[str, Any], line: Mapping[str, Any], after: str, events: list[str]) -> State:
    settings = {"players": opening["players"], "edition": opening["edition"]}
    defaults = Ruleset(**settings).options()
    changed = [mark for mark, setting in opening["options"].items() if setting != defaults[mark]]
    changed += [name for name in ("start", "without", "lineup_edits", "amounts") if opening.get(name)]
    return State(
        opening["players"], after, line["counties"], line["thalers"], line["grain"], line["vp"], line["tray"],
        line["tower"], () if after.startswith(SEASONS[WINTER]) else tuple(events), opening["edition"],
        tuple(opening["expansions"]), line["hall"], line.get("leaders", ()), line.get("statues", ()),
        line.get("trophies", ()), tuple(changed),
    )  # fmt: skip
