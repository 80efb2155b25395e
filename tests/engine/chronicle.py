"""Recorded games read from their traces: rounds and winters, with the naive tables before and after each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from tests.naive.making import BOARD, USUAL
from tests.naive.table import Table, read_table
from tests.policies.seating import arena_under
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EFFECTS
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

SEED = 31
EFFECT_OF = {event: EFFECTS[effect] for event, effect in zip(BOARD.events, BOARD.event_effect, strict=True)}


@dataclass
class Season:
    """A round or a winter: its trace lines, and the tables with which it began and ended."""

    number: int  # 0 to 7; 3 and 7 are winters
    rules: Ruleset
    lines: list[dict]
    snapshots: tuple[Any, Any]

    @cached_property
    def before(self) -> Table:
        """The table with which it began."""
        return read_table(self.snapshots[0], BOARD, self.rules)

    @cached_property
    def after(self) -> Table:
        """The table with which it ended."""
        return read_table(self.snapshots[1], BOARD, self.rules)

    def of(self, *kinds: str) -> list[dict]:
        """The lines of some kinds, in order."""
        return [line for line in self.lines if line["t"] in kinds]

    @property
    def is_winter(self) -> bool:
        """Whether it is a winter."""
        return self.number in (3, 7)

    @property
    def effect(self) -> str:
        """What the round's event does, unless a favor cancels it."""
        (line,) = self.of("event")
        return EFFECT_OF[line["event"]]

    @property
    def turn(self) -> list[int]:
        """The seats in player order (B4.3, V1)."""
        (order,) = self.of("order")
        return [seat for seat, _, _ in sorted(order["picks"], key=lambda pick: pick[1])]


@dataclass
class Chronicle:
    """One game: the lines of its set-up, then its eight seasons."""

    rules: Ruleset
    opening: list[dict]
    seasons: list[Season]

    @property
    def lines(self) -> list[dict]:
        """All lines in order."""
        return [*self.opening, *(line for season in self.seasons for line in season.lines)]

    @property
    def rounds(self) -> list[Season]:
        """The six rounds."""
        return [season for season in self.seasons if not season.is_winter]


@lru_cache(maxsize=400)
def chronicle(rules: Ruleset, number: int, policy: str = "random") -> Chronicle:
    """A game in which one policy plays every seat."""
    log = arena_under(rules, load_policy(policy), seed=SEED).trace(number)
    match = Match(BOARD, rules, USUAL, SEED, (policy,) * rules.players, number)
    parts: list[list[dict]] = [[]]
    for line in trace_lines(match, log):
        parts[-1].append(line)
        if line["t"] == "state":
            parts.append([])
    around = [(log.snapshots[season], log.snapshots[season + 1]) for season in range(8)]
    seasons = [Season(number, rules, parts[1 + number], around[number]) for number in range(8)]
    return Chronicle(rules, parts[0], seasons)


def chronicles(rules: Ruleset, count: int, policy: str = "random") -> list[Chronicle]:
    """The first games of a ruleset."""
    return [chronicle(rules, number, policy) for number in range(count)]


def rounds(rules: Ruleset, count: int, policy: str = "random") -> Iterator[Season]:
    """The six rounds of each of the first games of a ruleset."""
    return (season for game in chronicles(rules, count, policy) for season in game.rounds)
