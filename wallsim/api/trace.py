"""The traces of games: lists of events, which can be told in sentences and shown on a page, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.games.steps import Step, steps_of, tower_luck
from wallsim.api.inputs import loaded_experiment
from wallsim.api.outlook import UNEQUAL, calibrated_for, chances_of, equal_strength, table_of, true_names
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.engine.log import Log
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import shown
from wallsim.folder.results import Run
from wallsim.play.compile_progress import warm_up
from wallsim.play.observer import RunObserver
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.state import State, states_of
from wallsim.trace.story.game import story


class Trace(list[dict[str, Any]]):
    """The events of a trace in order, from `game` to `end`; the key `t` has the kind of an event."""

    def __init__(self, match: Match, lines: Iterable[dict[str, Any]]) -> None:
        """Store the events; the match has the names of policies and counties."""
        super().__init__(lines)
        self._match = match

    @property
    def match(self) -> Match:
        """The game as an object: board, rules, tower, seed, the policy of each seat, and its number."""
        return self._match

    def story(self) -> str:
        """The game in sentences, in lines of at most 100 characters."""
        return "\n".join(story(self._match, self))

    def steps(self, table: str | None = None) -> list[Step]:
        """Each event as a `Step`: its sentences, what it changed, the odds of its battle, chances to win.

        Parameters
        ----------
        table
            Whose value gives the chances: `casual` or `experienced`. By default casual where all seats play by
            casual bots.

        Returns
        -------
        list of Step
            One for each event, in order.

        Raises
        ------
        InputError
            For another kind of table.

        Examples
        --------
        >>> import wallsim
        >>> events = wallsim.trace(wallsim.Experiment(players=3, policies="random"), 17)
        >>> seen = {}
        >>> for step in events.steps():
        ...     seen = step.applied(seen)
        >>> seen["vp"] == events[-1]["vp"]
        True
        """
        chances = chances_of(self._match, self, table or table_of(self._match))
        return list(steps_of(self._match, self, chances))

    def tower_luck(self) -> list[float]:
        """Battles won less the chances of winning them before the cast, added up for each seat."""
        return tower_luck(list(steps_of(self._match, self, {})), self._match.players)

    def states(self) -> list[State]:
        """The table at the end of each season but the last, in order; `wallsim.outlook` predicts from it.

        InputError for a game on another board.
        """
        return states_of(self._match, self)


def trace(experiment: Experiment | Run | str | Path, game: int = 0, *, trust_code: bool = False) -> Trace:
    """Play one game again and record everything that happens in it.

    Every answer of custom policies is checked against the rules.

    Parameters
    ----------
    experiment
        The experiment or its TOML file, or a run of it or the folder of that run.
    game
        The number of the game, starting at 0.
    trust_code
        Whether to run the Python policies that a TOML file or the folder of a run names. They run with your rights:
        read them first. Those of an `Experiment` are run in any case, since you named them.

    Returns
    -------
    Trace
        A list of dictionaries, one per event; `story()` describes them in sentences.

    Raises
    ------
    InputError
        If there is no such experiment or game, a custom policy breaks a rule, or a file or a run names Python policies
        that are not trusted.
    RunError
        If the run was played with an engine, policy, tower or board that differs from the current one.

    Examples
    --------
    >>> events = trace(Experiment(players=3, policies="random"), 17)
    >>> events[0]["t"], events[0]["game"], events[-1]["t"]
    ('game', 17, 'end')
    >>> events.story().splitlines()[0]  # doctest: +SKIP
    """
    return next(traces(experiment, [game], trust_code=trust_code))


def traces(
    experiment: Experiment | Run | str | Path, games: Iterable[int], *, trust_code: bool = False
) -> Iterator[Trace]:
    """Play some games again, one after another, and record everything that happens in them.

    It takes a tenth of the time of as many calls of `trace`, since the table is made ready once.

    Parameters
    ----------
    experiment
        The experiment or its TOML file, or a run of it or the folder of that run.
    games
        The numbers of the games, starting at 0, in the order in which they are wanted.
    trust_code
        As for `trace`.

    Returns
    -------
    iterator of Trace
        The trace of each game, recorded when it is asked for.

    Raises
    ------
    InputError
        As `trace`; for a game that does not exist when its turn comes.
    RunError
        As `trace`.

    Examples
    --------
    >>> [events[-1]["t"] for events in traces(Experiment(players=3, policies="random"), [17, 4])]
    ['end', 'end']
    """
    played = loaded_experiment("experiment", experiment, trust_code=trust_code)
    numbers: Any = games
    if not isinstance(numbers, Iterable):
        raise InputError(f"games: {shown(games)} is not a list of numbers of games")
    return _traces(played, numbers)


def _traces(played: Experiment, games: Iterable[Any]) -> Iterator[Trace]:
    recorder = None
    for game in games:
        if not isinstance(game, int | np.integer) or isinstance(game, bool) or not 0 <= game < played.games:
            raise InputError(f"game: {shown(game)} is not a whole number from 0 to {played.games - 1}")
        recorder = recorder or Recorder(played)
        yield recorder.record(int(game))


class Recorder:
    """Records games of an experiment at one table, made ready once; their numbers may be any."""

    def __init__(self, experiment: Experiment, observer: RunObserver | None = None) -> None:
        """`observer` is notified of compiling. InputError as for `trace`."""
        self._experiment, self._observer = experiment, observer or RunObserver()
        self._parts = experiment.components()
        self._arena = self._parts.arena(experiment.seed, checked=True)
        self._is_warm = False

    def record(self, game: int) -> Trace:
        """The trace of a game. InputError for an illegal answer."""
        logs: list[Log] = []

        def play() -> None:
            logs.append(self._arena.trace(game))

        try:
            if self._is_warm:
                play()
            else:
                warm_up(play, self._observer)
        except IllegalAnswerError as error:
            raise self._parts.illegal_answer(error) from None
        self._is_warm = True
        parts = self._parts
        match = Match(
            parts.board, parts.ruleset, parts.tower, self._experiment.seed, parts.names(), game, parts.interventions
        )
        return Trace(match, trace_lines(match, logs[0]))


def record_game(experiment: Experiment, game: int, observer: RunObserver | None = None) -> Trace:
    """The trace of a game of an experiment, whose number of games does not matter. InputError as for `trace`.

    `observer` is notified of compiling.
    """
    return Recorder(experiment, observer).record(game)


_LEARNED = (
    "Win probabilities are calibrated for {table} bots ({bots}). They are shown from fall of year 1 on: "
    "before, they are hardly better than the share of a seat."
)
_OTHERS = " Other bots play in this game, so they are less certain here."
_UNEQUAL = f"No win probabilities: {UNEQUAL}."
_NONE = (
    "No win probabilities: values were learned only for the second edition without expansions, with printed rules and "
    "board."
)


def replay_page(events: Trace, board: str | Path | None = None) -> str:
    """The page of a game as HTML, from its trace; `board` is the folder of a board that is not the game's own.

    The same game gives the same bytes. BoardError or MapError for a board that has no map to draw.
    """
    from wallsim.report.replay.page import game_page  # a trace needs no page

    match = events.match
    table = table_of(match)
    chances = chances_of(match, events, table)
    return game_page(match, list(steps_of(match, events, chances)), values_text(match, table, bool(chances)), board)


def values_text(match: Match, table: str, known: bool) -> str:
    """Where the chances come from, or why there are none, in sentences."""
    if not known:
        return _NONE if equal_strength(match.policies, match.players) else _UNEQUAL
    bots = calibrated_for(table, match.players)
    others = not true_names(match.policies) <= true_names(bots)
    return _LEARNED.format(table=table, bots=", ".join(bots)) + (_OTHERS if others else "")
