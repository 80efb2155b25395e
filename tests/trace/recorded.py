"""Games that the tests of traces and stories share, recorded once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import cycle, islice
from typing import Any

from tests.trace.recorded_interventions import SCRIPTS
from wallsim.engine.arena import Arena
from wallsim.engine.log import Log
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.board import load_board
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.script import pack_script, table_of
from wallsim.rules.terms import EXPANSIONS
from wallsim.rules.tower import DEFAULT_TOWER, load_tower
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import ReplayedTable
from wallsim.trace.story.game import story

SEED = 20
TABLES = [(players, setup) for players in (3, 4, 5) for setup in ("lineup", "draft")]
GAMES = [(*table, number) for table in TABLES for number in (0, 7)]
RANDOM = ("random",)
KINDS = ("balanced", "random")  # a policy of each kind
# Games with expansions or of the first edition: what `record` takes, in its order.
EXPANDED = [
    (4, "lineup", 1, RANDOM, "2e", EXPANSIONS),
    (3, "draft", 7, RANDOM, "1e", EXPANSIONS),
    (5, "draft", 1, RANDOM, "2e", EXPANSIONS),
    (3, "lineup", 2, RANDOM, "2e", ("court",)),
    (4, "draft", 3, RANDOM, "2e", ("leaders",)),
    (5, "lineup", 4, RANDOM, "2e", ("landsknechte",)),
    (5, "lineup", 5, RANDOM, "1e", ()),
    (4, "draft", 6, RANDOM, "1e", ("court", "landsknechte")),
    (3, "lineup", 8, RANDOM, "1e", ("leaders",), (("statues_a_county", "any"), ("stood_aside", "count"))),
    (3, "draft", 9, RANDOM, "2e", ("leaders",), (("single_county", "leaves"), ("statue_points", "at_the_end"))),
]
# Games with interventions, in the same form; the last word names their list.
INTERVENED = [
    (4, "lineup", 1, RANDOM, "2e", (), (), DEFAULT_TOWER, "hands"),
    (3, "draft", 2, RANDOM, "2e", ("court",), (), DEFAULT_TOWER, "hands"),
    (5, "lineup", 3, ("balanced",), "2e", (), (), DEFAULT_TOWER, "tiles"),
    (4, "lineup", 4, ("balanced",), "2e", (), (), DEFAULT_TOWER, "events"),
    (4, "lineup", 5, RANDOM, "2e", (), (), DEFAULT_TOWER, "trade"),
    (4, "lineup", 6, ("balanced",), "2e", (), (), DEFAULT_TOWER, "cards"),
    (4, "lineup", 6, RANDOM, "2e", EXPANSIONS, (), DEFAULT_TOWER, "all"),
    (5, "draft", 7, RANDOM, "1e", EXPANSIONS, (), DEFAULT_TOWER, "all without tiles"),
]
# Games with other models of the tower, in the same form.
OTHER_TOWERS = [
    (3, "lineup", 1, RANDOM, "2e", (), (), "spielbyweb-layered"),
    (4, "lineup", 2, RANDOM, "2e", (), (), "mid-urn"),
    (5, "draft", 3, RANDOM, "2e", EXPANSIONS, (), "rulebook-layered"),
    (4, "draft", 4, RANDOM, "1e", (), (), "rulebook-urn"),
]
EVERY_KIND = GAMES + EXPANDED + INTERVENED + OTHER_TOWERS
FULL = (4, "lineup", 1, RANDOM, "2e", EXPANSIONS)  # for tests that set the table themselves
FULL_FIRST_EDITION = (4, "lineup", 1, RANDOM, "1e", EXPANSIONS)


def name_of(game: tuple[Any, ...]) -> str:
    """A game of GAMES or EXPANDED as the id of a test."""
    parts = [part for piece in game for part in (piece if isinstance(piece, tuple) else (piece,))]
    return "-".join("=".join(part) if isinstance(part, tuple) else str(part) for part in parts)


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

    def replayed(self) -> Iterator[tuple[ReplayedTable, dict[str, Any]]]:
        """Each line of its trace, with the table before it."""
        state = ReplayedTable(self.match)
        for line in self.lines:
            yield state, line
            state.read(line)

    @cached_property
    def story(self) -> list[str]:
        """The lines of its story."""
        return list(story(self.match, self.lines))

    @cached_property
    def text(self) -> str:
        """Its story on one line."""
        return flat(self.story)


@cache
def record(
    players: int,
    setup: str,
    number: int,
    policies: tuple[str, ...] = (),
    edition: str = "2e",
    expansions: tuple[str, ...] = (),
    switches: tuple[tuple[str, Any], ...] = (),
    tower: str = DEFAULT_TOWER,
    interventions: str = "",
) -> Recorded:
    """Game `number` of SEED; without policies one of each kind sits at the table, in turn.

    `switches` are further fields of the ruleset with their values, `interventions` the name of a list of SCRIPTS.
    """
    game = {"players": players, "setup": setup, "edition": edition, "expansions": expansions}
    ruleset = Ruleset(**game, **dict(switches))
    board, model = load_board(), load_tower(tower)
    names = tuple(islice(cycle(policies or KINDS), players))
    steps, errors = parse_interventions(SCRIPTS[interventions], table_of(board, ruleset))
    assert not errors
    script = pack_script(steps, board, ruleset.letters())
    seated = pack_players([load_policy(name) for name in names])
    arena = Arena(pack_rules(board, ruleset, model), seated, SEED, script=script)
    return Recorded(Match(board, ruleset, model, SEED, names, number), arena, arena.trace(number))


def of_kind(lines: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    """The lines of some kinds, in order."""
    return [line for line in lines if line["t"] in kinds]


def flat(lines: Iterable[str]) -> str:
    """A story on one line, so that no line end parts what a test looks for."""
    return re.sub(r"\s+", " ", " ".join(lines))


def state_before(recorded: Recorded, kind: str = "action") -> ReplayedTable:
    """The state of a game right before its first line of a kind, for a test to change; StopIteration if it has none."""
    return next(state for state, line in recorded.replayed() if line["t"] == kind)
