"""Moves that a player would question, counted over the traces of games: how often where they could have been made.

Each kind has its cases, such as palaces built, and those among them that are doubtful. A doubtful move need not be a
bad one: what it costs is known only from games without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.log_lines import FILL, ORDER, PLAN, SCORE, STATE
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.rules.terms import ACTIONS, COMBAT_A, COMBAT_B, DEPLOY5
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import ReplayedTable

MANY, _SOME, _RICH = 5, 3, 6  # armies next door, armies that could retake a county, Thalers left
BETTER_BY = 1.0  # VP by which a county left open is better
JUDGE = "master"  # the policies whose tables of counties judge claims, by number of players
_UNREAD = (FILL, ORDER, PLAN, SCORE, STATE)  # lines that no count follows from
_COMBATS = (ACTIONS[COMBAT_A], ACTIONS[COMBAT_B])
_LAST = (2, "fall")


class DoubtfulMove(NamedTuple):
    """A kind of doubtful move: its name, what its cases are, and when a case is doubtful."""

    name: str
    cases: str
    meaning: str


DOUBTFUL_MOVES = (
    DoubtfulMove(
        "palace behind one army", "palaces built",
        f"the palace's county has one army, and a rival has {MANY} or more in a county beside it (B5.3)",
    ),
    DoubtfulMove(
        "one army in a county won", "counties won",
        f"one army stands there afterwards, and a rival has {_SOME} or more in a county beside it (B6.7)",
    ),
    DoubtfulMove(
        "two attacks on one county", "rounds with two attacks",
        "both combat cards of a seat attack the same county (B5.8)",
    ),
    DoubtfulMove(
        "hunger foreseen", "seats in winter",
        "the grain is short even by the smaller loss of the events that lay open in fall (B2.4, B7.1)",
    ),
    DoubtfulMove(
        "five armies after the attacks", "five armies deployed in the last fall",
        "both combat cards of the round were over (B2.6, B5.6)",
    ),
    DoubtfulMove(
        "Thalers left", "seats at the end of the game", f"{_RICH} Thalers or more are unspent (B7.6)"
    ),
    DoubtfulMove(
        "better county left", "claims in the draft with both cards open",
        f"the card left open is worth {BETTER_BY:.0f} VP more by the table of counties of `{JUDGE}` (B1.4)",
    ),
)  # fmt: skip
_PALACE, _WON, _TWICE, HUNGER, _LATE, _THALERS, _CLAIM = range(len(DOUBTFUL_MOVES))


class _Counter:
    """Counts the cases of one game, int64 [2, kinds]: doubtful ones, and all."""

    def __init__(self, match: Match, worth: dict[str, float]) -> None:
        self.counts = np.zeros((2, len(DOUBTFUL_MOVES)), np.int64)
        self._match, self._worth = match, worth
        self._state = ReplayedTable(match)
        self._round: tuple[int, str] = (0, "")
        self._targets: dict[int, list[str]] = {}
        self._open: list[str] = []
        self._order: list[str] = []

    def read(self, lines: Iterable[dict[str, Any]]) -> np.ndarray:
        readers: dict[str, Callable[[dict[str, Any]], None]] = {
            "deal": self._deal, "year": self._year, "round": self._begin, "event": self._event, "action": self._action,
            "winter": self._winter, "end": self._end,
        }  # fmt: skip
        for line in lines:
            self._state.read(line)
            reader = readers.get(line["t"])
            if reader is not None:
                reader(line)
        return self.counts

    def _note(self, kind: int, doubtful: bool) -> None:
        self.counts[0, kind] += doubtful
        self.counts[1, kind] += 1

    def _most_beside(self, seat: int, county: str) -> int:
        """The most armies that a rival has in a county beside this one."""
        board, state = self._match.board, self._state
        place = board.counties.index(county)
        names = (name for other, name in enumerate(board.counties) if int(board.neighbours[place]) >> other & 1)
        beside = [state.counties[name] for name in names if name in state.counties]
        return max((held["armies"] for held in beside if held["owner"] != seat), default=0)

    def _deal(self, line: dict[str, Any]) -> None:
        shown = line.get("shown") or []
        if line["source"] == "shown" and len(shown) > 1:
            left = max(self._worth.get(name, 0.0) for name in shown if name != line["county"])
            self._note(_CLAIM, left >= self._worth.get(line["county"], 0.0) + BETTER_BY)

    def _year(self, line: dict[str, Any]) -> None:
        self._open = list(line["events"])

    def _begin(self, line: dict[str, Any]) -> None:
        self._round, self._targets = (line["year"], line["season"]), {}
        self._order = line["order"]

    def _event(self, line: dict[str, Any]) -> None:
        if self._round[1] != _LAST[1]:
            self._open.remove(line["event"])

    def _action(self, line: dict[str, Any]) -> None:
        action, seat, county = line["action"], line["seat"], line["county"]
        if not line["done"]:
            return
        if action == "palace":
            alone = self._state.at(county)["armies"] == 1
            self._note(_PALACE, alone and self._most_beside(seat, county) >= MANY)
        elif action == ACTIONS[DEPLOY5] and self._round == _LAST:
            late = self._order.index(action) > max(map(self._order.index, _COMBATS))
            self._note(_LATE, late)
        elif action in _COMBATS and "target" in line:
            target = line["target"]
            if self._state.at(target)["owner"] == seat:
                alone = self._state.at(target)["armies"] == 1
                self._note(_WON, alone and self._most_beside(seat, target) >= _SOME)
            aimed = self._targets.setdefault(seat, [])
            aimed.append(target)
            if len(aimed) == len(_COMBATS):
                self._note(_TWICE, aimed[0] == aimed[1])

    def _winter(self, line: dict[str, Any]) -> None:
        board = self._match.board
        least = min(int(board.event_loss[board.events.index(event)]) for event in self._open)
        self._note(HUNGER, line["shortage"] - (line["loss"] - least) > 0)

    def _end(self, line: dict[str, Any]) -> None:
        for thalers in line["thalers"]:
            self._note(_THALERS, thalers >= _RICH)


def doubtful_moves(match: Match, lines: Iterable[dict[str, Any]], worth: dict[str, float]) -> np.ndarray:
    """The doubtful moves of all seats of one game and their cases, int64 [2, kinds], from the lines of its trace.

    `worth` has VP by county; claims are judged by it.
    """
    return _Counter(match, worth).read(lines)


def count_doubtful_moves(
    policy: Policy, experiment: Experiment, games: int, watch: Callable[[int], None] = lambda games: None
) -> list[Estimate]:
    """The share of cases that are doubtful, in per cent, for each of DOUBTFUL_MOVES, over games 0 to `games` - 1.

    The policy plays every seat with the seed and settings of the experiment. A block is a game; nan without cases.
    `watch` is called with 1 after each game.
    """
    parts, seats = experiment.components(), experiment.players
    arena = Setting(experiment).arena([policy] * seats, experiment.seed)
    worth = load_policy(f"{JUDGE}-{seats}p").counties[seats]
    counts = np.empty((games, 2, len(DOUBTFUL_MOVES)))
    for game in range(games):
        match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, (policy.name,) * seats, game)
        log = arena.trace(game)
        changes = log._replace(lines=log.lines[~np.isin(log.lines[:, 0], _UNREAD)])
        counts[game] = doubtful_moves(match, trace_lines(match, changes), worth)
        watch(1)
    return [block_ratio(counts[:, 0, kind], counts[:, 1, kind]) * 100.0 for kind in range(len(DOUBTFUL_MOVES))]
