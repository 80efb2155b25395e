"""The moment before a seat decides: of a game that can be played again, or of a table that somebody wrote down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from wallsim.engine.advising import open_next_round
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import shown
from wallsim.policies.value.features import MOMENTS
from wallsim.rules.board import Board, load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import (
    ACTIONS,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    NO_TILE,
    PEASANT_ARMIES,
    PEASANTS,
    ROUND_NAMES,
    SEASONS,
    SHOWN_ACTIONS,
    TILES,
    WINTER,
)
from wallsim.rules.tower import DEFAULT_TOWER, load_tower
from wallsim.trace.state import State

DRAFT = -1  # in place of a round's number


@dataclass(frozen=True)
class Moment:
    """A table before a seat decides, its rules, and what is known about where it comes from.

    `game` is a GAME array of one element; what lies hidden in it is never used. `place` is the round, 0 to 5, or DRAFT.
    `made` is the plan that the seat made in that game, int64 [BOXES], None for none. `source` says which table it is,
    `drawn` what the source did not say and was drawn at random, in words.
    """

    game: np.ndarray
    board: Board
    ruleset: Ruleset
    tower: str
    seat: int
    place: int
    source: str
    made: np.ndarray | None = None
    drawn: tuple[str, ...] = ()

    @property
    def season(self) -> str:
        """The round, such as `fall 1`, or `draft`."""
        return "draft" if self.place == DRAFT else ROUND_NAMES[self.place]

    @property
    def counties(self) -> list[int]:
        """The counties of the seat, in ascending order."""
        land = int(self.game[0].land[self.seat])
        return [county for county in range(len(self.board.counties)) if land >> county & 1]

    def open_actions(self) -> list[str]:
        """The actions that lie open and are not over, in their order (B2.1)."""
        first = 0 if self.place == DRAFT else int(self.game[0].actions_done)
        end = 0 if self.place == DRAFT else first + SHOWN_ACTIONS
        return [ACTIONS[action] for action in self.game[0].action_order[first:end]]

    def open_events(self) -> list[str]:
        """The names of the events that lie open (B1.8)."""
        game = self.game[0]
        count = 0 if self.place == DRAFT else int(game.shown_events)
        return [self.board.events[event] for event in game.shown_event[:count]]

    def open_tiles(self) -> list[str]:
        """The bonus tiles of places 1 to 5 in the player order (B2.2); none in a draft and in the first edition."""
        return [TILES[tile] for tile in self.game[0].tile_on_box if tile >= 0 and self.place != DRAFT]


def moment_of_game(experiment: Experiment, game: int, season: str, seat: int) -> Moment:
    """The moment before a seat plans a round of a game of an experiment, which is played again up to there.

    InputError for a season without planning, a seat or a game that there is not, and an illegal answer.
    """
    place = round_of(season)
    check_seat(seat, experiment.players)
    check_game(game, experiment)
    parts = experiment.components()
    try:
        table, plans = parts.arena(experiment.seed, checked=True).moment(game, place)
    except IllegalAnswerError as error:
        raise parts.illegal_answer(error) from None
    source = f"game {game:,} of seed {experiment.seed}"
    return Moment(table, parts.board, parts.ruleset, experiment.tower, seat, place, source, plans[seat])


def check_game(game: int, experiment: Experiment) -> None:
    """InputError unless the experiment has such a game."""
    if isinstance(game, bool) or not isinstance(game, int) or not 0 <= game < experiment.games:
        raise InputError(f"game: {shown(game)} is not a whole number from 0 to {experiment.games - 1}")


def round_of(season: str) -> int:
    """The number of a round, 0 to 5, by its name such as `fall 1`. InputError for another season."""
    if season not in ROUND_NAMES:
        meant = did_you_mean(season, ROUND_NAMES)
        raise InputError(f"season: {shown(season)} is not one of {', '.join(ROUND_NAMES)}, in which seats plan{meant}")
    return ROUND_NAMES.index(season)


def check_seat(seat: int, players: int) -> None:
    """InputError unless there is such a seat."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
        raise InputError(f"seat: {shown(seat)} is not a whole number from 0 to {players - 1}")


_REFUSED = ("court", "landsknechte")  # expansions of which a state does not say enough


def moment_of_state(
    state: State,
    seat: int,
    *,
    actions: Sequence[str] = (),
    tiles: Sequence[str] = (),
    tower: str = DEFAULT_TOWER,
    seed: int = 1,
    source: str = "the position",
) -> Moment:
    """The moment before a seat plans the round after a state.

    `actions` are the five that lie open, in their order, `tiles` the bonus tiles of places 1 to 5. Where they are not
    given, and where the state does not have all open events, they are drawn at random by `seed`, once. InputError for a
    state before winter, with the court or the Landsknechte or changed rules, and for cards that there are not.
    """
    check_seat(seat, state.players)
    ended = MOMENTS.index(state.after)
    if SEASONS[(ended + 1) % len(SEASONS)] == SEASONS[WINTER]:
        raise InputError(f"after: winter follows {state.after}, in which nobody plans; allowed is another season")
    for expansion in (each for each in state.expansions if each in _REFUSED):
        raise InputError(f"expansions: a position does not say enough of {expansion}; give a run and a game of it")
    if state.changed:
        raise InputError(f"changed: a position does not say how {', '.join(state.changed)} is changed; give a run")
    given = _given(ACTIONS, actions, SHOWN_ACTIONS, "actions"), _given(TILES, tiles, MAX_PLAYERS, "tiles")
    board, ruleset, random = load_board(), state.ruleset(), np.random.default_rng([seed, ended])
    rules = pack_rules(board, ruleset, load_tower(tower))
    table = state.record()
    game = table[0]
    game.markers_left = rules[0].revolt_markers - game.marker.sum()
    game.supply[PEASANTS] = PEASANT_ARMIES - game.tray[PEASANTS] - game.tower[PEASANTS]
    game.tile[:], game.event = NO_TILE, -1
    drawn = [_lay_events(game, state, [board.events.index(event) for event in state.events], random)]
    open_next_round(game, rules[0], random.integers(2**63, dtype=np.uint64))
    drawn += [
        _lay(game.action_order, given[0], len(ACTIONS), "actions"),
        _lay(game.tile_on_box, given[1], len(TILES), "tiles") if state.edition == "2e" else "",
    ]
    place = WINTER * int(game.year) + int(game.season)
    words = tuple(filter(None, drawn))
    return Moment(table, board, ruleset, tower, seat, place, source, drawn=words)


def _given(names: Sequence[str], given: Sequence[str], count: int, what: str) -> list[int]:
    """The numbers of named cards; InputError unless they are `count` different ones of `names`, or none."""
    for name in given:
        if name not in names:
            raise InputError(f"{what}: {name!r} is not one of {', '.join(names)}{did_you_mean(name, names)}")
    if given and (len(given) != count or len(set(given)) < count):
        raise InputError(f"{what}: {', '.join(given)}: are not {count} different ones of {', '.join(names)}")
    return [names.index(name) for name in given]


def _lay(cards: np.ndarray, first: Sequence[int], count: int, what: str) -> str:
    """Lay the given cards first, of `count`; says what was drawn instead, or nothing."""
    if not first:
        return f"the open {what}"
    cards[:count] = [*first, *(card for card in cards[:count] if card not in first)]
    return ""


def _lay_events(game: np.record, state: State, known: Iterable[int], random: np.random.Generator) -> str:
    """Lay the open events, and fill what was used before with others; says what was drawn, or nothing."""
    year = game.year + (game.season == WINTER)
    used = 0 if game.season == WINTER else game.season + 1
    there = list(known)[: EVENTS_PER_YEAR - used]
    rest = [int(card) for card in random.permutation([card for card in range(EVENT_CARDS) if card not in there])]
    missing = EVENTS_PER_YEAR - used - len(there)
    laid = [*there, *rest[:missing]]
    game.shown_events = len(laid)
    game.shown_event[: len(laid)] = laid
    game.used_event[year, :used] = rest[missing : missing + used]
    return f"{missing} of the {len(laid)} open events" if missing else ""
