"""A decision of a seat: the table before it, what may be chosen, and what was chosen in the game."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTIONS, BOXES, ROUND_NAMES, SHOWN_ACTIONS, TILES

PLAN, CLAIM, PLACE, ATTACK = "plan", "claim", "place", "attack"  # kinds of decisions
DRAFT = -1  # in place of a round's number


def _no_choices() -> np.ndarray:
    return np.empty((0, BOXES), np.int64)


@dataclass(frozen=True)
class Decision:
    """A table before a seat decides, its rules, and what is known about where it comes from.

    `kind` is `plan`, `claim`, `place` or `attack`. `game` is a GAME array of one element; what lies hidden in it is
    never used. `round` is the round's number, 0 to 5, or DRAFT. `source` says which table it is, `drawn` what the
    source did not say and was drawn at random, in words.

    A choice is a row of numbers that the engine takes: for a plan int64 [BOXES], the card on each box; otherwise int64
    [2]. `made` is that of the game, None for none. `choices` are those that may be chosen; of a plan there are none,
    since a search makes them.

    `before` is a GAME array of the table before the round's planning, None if that is `game`: at a plan and in a draft.
    `turn` is the number of the seat's pick, or of its card on the agenda; in a draft it is the number of turns in which
    the open cards stayed the same. `facts` describe the table in sentences.
    """

    kind: str
    game: np.ndarray
    board: Board
    ruleset: Ruleset
    tower: str
    seat: int
    round: int
    source: str
    made: np.ndarray | None = None
    drawn: tuple[str, ...] = ()
    before: np.ndarray | None = None
    turn: int = 0
    choices: np.ndarray = field(default_factory=_no_choices)
    facts: tuple[str, ...] = ()

    @property
    def season(self) -> str:
        """The round, such as `fall 1`, or `draft`."""
        return "draft" if self.round == DRAFT else ROUND_NAMES[self.round]

    @property
    def counties(self) -> list[int]:
        """The counties of the seat, in ascending order."""
        land = int(self.game[0].land[self.seat])
        return [county for county in range(len(self.board.counties)) if land >> county & 1]

    def open_actions(self) -> list[str]:
        """The actions that lie open and are not over, in their order (B2.1)."""
        first = 0 if self.round == DRAFT else int(self.game[0].actions_done)
        end = 0 if self.round == DRAFT else first + SHOWN_ACTIONS
        return [ACTIONS[action] for action in self.game[0].action_order[first:end]]

    def open_events(self) -> list[str]:
        """The names of the events that lie open (B1.8)."""
        game = self.game[0]
        count = 0 if self.round == DRAFT else int(game.shown_events)
        return [self.board.events[event] for event in game.shown_event[:count]]

    def open_tiles(self) -> list[str]:
        """The bonus tiles of places 1 to 5 in the player order (B2.2); none in a draft and in the first edition."""
        return [TILES[tile] for tile in self.game[0].tile_on_box if tile >= 0 and self.round != DRAFT]
