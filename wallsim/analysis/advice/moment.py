"""The moment before a seat decides: from a game that can be played again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import InputError
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ACTIONS, ROUND_NAMES, SHOWN_ACTIONS, TILES
from wallsim.runs.experiment import Experiment
from wallsim.runs.keys import shown

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
