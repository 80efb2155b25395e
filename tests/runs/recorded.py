"""Games that the tests of traces and stories share, recorded once."""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import cycle, islice
from typing import Any

from wallsim.engine.arena import Arena
from wallsim.engine.log import Log
from wallsim.policies.catalogue import load_policy, pack_players, policy_names
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import load_tower
from wallsim.runs.trace import Match, trace_lines

SEED = 20
TABLES = [(players, setup) for players in (3, 4, 5) for setup in ("lineup", "draft")]
GAMES = [(*table, number) for table in TABLES for number in (0, 7)]


@dataclass(frozen=True, eq=False)
class Recorded:
    """A recorded game with the arena it was played in."""

    match: Match
    arena: Arena
    log: Log

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """Its trace."""
        return list(trace_lines(self.match, self.log))


@cache
def record(players: int, setup: str, number: int, policies: tuple[str, ...] = ()) -> Recorded:
    """Game `number` of SEED; without policies every known one sits at the table, in turn."""
    board, ruleset, tower = load_board(), Ruleset(players=players, setup=setup), load_tower()
    names = tuple(islice(cycle(policies or policy_names()), players))
    arena = Arena(pack_rules(board, ruleset, tower), pack_players([load_policy(name) for name in names]), SEED)
    return Recorded(Match(board, ruleset, tower, SEED, names, number), arena, arena.trace(number))


def of_kind(lines: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    """The lines of some kinds, in order."""
    return [line for line in lines if line["t"] in kinds]
