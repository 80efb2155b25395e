"""A table on which a test lays out a position by names, calls kernels and reads the outcome by names."""

from __future__ import annotations

import inspect

import numpy as np

from tests.naive.making import BOARD, SURE, packed
from tests.naive.table import KINDS, PEASANTS, Table, read_table, write_table
from wallsim.policies.record import PLAYERS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.script import no_script
from wallsim.rules.terms import ACTIONS, AUCTION, EVENT_CARDS, MONEY, NO_CARD, OUTCOMES, RESULTS, TOWER_CARD
from wallsim.state.game import new_game
from wallsim.state.random import key_game, key_streams

# What may become of a card, in the words of the engine.
DONE, LOST, NO_SITE, NO_TILE_LEFT, NO_MONEY, NO_ARMIES, NO_FORCE, NO_TARGET, STAYED = OUTCOMES


class Scene:
    """Ruleset, tower and a naive `table`; `do` lays it out for a kernel and reads it back."""

    def __init__(self, table: Table, tower=SURE, number: int = 0):
        self.table = table
        self.rules = packed(table.rules, tower)
        self.game = new_game()[0]
        self.players = np.zeros(1, PLAYERS)[0]  # every seat plays `random`
        key_game(self.game, 1, number)
        key_streams(self.game, 0)

    @classmethod
    def start(cls, players: int = 4, tower=SURE, event: str = "none", **switches) -> Scene:
        """An empty table; the tower SURE lets fall all that is thrown and keeps what is inside."""
        scene = cls(Table.empty(BOARD, Ruleset(players=players, **switches)), tower)
        scene.table.event = event
        return scene

    def do(self, kernel, *arguments):
        """Call a kernel with names of counties, buildings and actions; `self.table` is the table after it.

        No cube, tile or marker is made or lost: the table has no error before and after.
        """
        assert self.table.errors() == []
        result = self.part(kernel, *arguments)
        assert self.table.errors() == []
        return result

    def part(self, kernel, *arguments):
        """As `do`, for a part of an action, after which the table need not be in order."""
        write_table(self.table, self.game)
        result = self.call(kernel, *map(self._number, arguments))
        self.read()
        return result

    def call(self, kernel, *numbers):
        """Call a kernel on the record as it is; the names of its parameters say what it takes."""
        known = {"game": self.game, "rules": self.rules, "players": self.players, "script": no_script()[0], "log": None}
        left = iter(numbers)
        names = inspect.signature(getattr(kernel, "py_func", kernel)).parameters
        return kernel(*(known[name] if name in known else next(left) for name in names))

    def outcome(self, kernel, *arguments) -> str:
        """As `do`, for kernels that return an outcome: its words."""
        return OUTCOMES[self.do(kernel, *arguments)]

    def fight(self, attack, *arguments) -> str:
        """As `do`, for the kernel `attack`: attacker, defender or tie."""
        return RESULTS[self.do(attack, *arguments)]

    def read(self) -> Table:
        """Read the table back from the record."""
        self.table = read_table(self.game, self.table.board, self.table.rules)
        return self.table

    def fallen(self) -> dict:
        """What lay in the tray after the last cast, by colour."""
        cubes = {seat: int(self.game.fallen[seat]) for seat in self.table.players}
        return {**cubes, PEASANTS: int(self.game.fallen[-1])}

    def bid(self, seat: int, bid) -> None:
        """Put a card into the auction box."""
        self.lay(seat, AUCTION, bid)

    def lay(self, seat: int, box: int, card) -> None:
        """Put a card on a box: Thalers as an int, a county's name, "tower" for a dice-tower card, or None for none."""
        if isinstance(card, int):
            number = MONEY + card
        elif card is None or card == "tower":
            number = NO_CARD if card is None else TOWER_CARD
        else:
            number = self.table.number(card)
        self.game.card[seat, box] = number

    def player_order(self, *seats: int) -> None:
        """Set the round's player order."""
        self.game.turn[: len(seats)] = seats

    def show_events(self, events) -> None:
        """Lay out event cards by number."""
        assert all(0 <= event < EVENT_CARDS for event in events)
        self.game.shown_event[: len(events)] = events
        self.game.shown_events = len(events)

    def _number(self, argument):
        if not isinstance(argument, str):
            return argument
        if argument in KINDS:
            return KINDS.index(argument)
        return ACTIONS.index(argument) if argument in ACTIONS else self.table.number(argument)
