"""The engine for Python callers: an Arena plays any range of games of a seed and returns integer matrices."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple, Self

import numpy as np

from wallsim.engine.columns import BATTLE_COLUMNS, COUNTY_COLUMNS, GAME_COLUMNS, PLAN_COLUMNS, columns_of
from wallsim.engine.county_rows import MAX_COUNTY_ROWS
from wallsim.engine.decisions import CLAIM, PLAN, play_to_decision
from wallsim.engine.game import plan_rounds, play_games, play_positions, positions_of
from wallsim.engine.illegal_answer import (
    lasting_settings,
    refuse_changed_rules,
    refuse_changed_settings,
    refuse_exceptions,
    refuse_illegal_answers,
)
from wallsim.engine.lessons import ATTACK_LESSON, LESSON, NO_COLUMN, play_attack_lessons, play_lessons
from wallsim.engine.log import Log, new_log
from wallsim.engine.rollout import TRIAL, seat_searchers
from wallsim.engine.rows import SEASON_TALLY
from wallsim.policies.advice import advice_of_value
from wallsim.policies.catalogue import portable_minds, seat_portable_minds
from wallsim.policies.correction.attack_features import MAX_CHOICES
from wallsim.policies.correction.correction_file import no_correction
from wallsim.policies.custom.guards import BACKUP
from wallsim.policies.record import MIND, SEARCH_DEPTH, SEARCH_ERROR, SEARCH_MARGIN, SEARCH_WIDTH
from wallsim.policies.search import TO_ROUND, TO_YEAR
from wallsim.policies.value.position import STANDING
from wallsim.policies.value.value_file import Value
from wallsim.rules.script import no_script
from wallsim.rules.terms import BASE_BOXES, BOXES, EXPANSIONS, MAX_PLAYERS, ROUNDS, SEASONS, YEARS
from wallsim.state.game import new_game

_SEASON_ROWS = YEARS * len(SEASONS)
# Rows per game in the buffers of a batch; a full buffer only ends the batch early.
_BATTLES_PER_GAME, _COUNTIES_PER_GAME = 64, 80
_MAX_BATTLES = 400  # of one game
_MAX_BUFFERED = 5000  # games
ENDLESS = 2**63 - 1  # games of a block: more than there are
_NO_BATTLES = np.zeros((0, len(BATTLE_COLUMNS)), np.int32)
_NO_COUNTIES = np.zeros((0, len(COUNTY_COLUMNS)), np.int32)
_NO_PLANS = np.zeros((0, len(PLAN_COLUMNS)), np.int16)


class Tables(NamedTuple):
    """Matrices of a range of games in the order of `columns_of` their tables; those not asked for have no rows.

    `games` has one row per game, `seats` one per game and seat, `seasons` eight per game and seat, all int16; `battles`
    has one per battle and `counties` one per game, seat and county ever held, both int32; `plans` six per game and
    seat, int16. Column 0, the game, counts from the first game of the range in battles and counties and is left empty
    elsewhere, where the row says it.
    """

    games: np.ndarray
    seats: np.ndarray
    seasons: np.ndarray
    battles: np.ndarray
    counties: np.ndarray
    plans: np.ndarray


class Trials(NamedTuple):
    """How plans and choices are tried: in the mask `rounds`, on so many `tables`, and judged by the `value`.

    They are played to the end of the round, after fall with winter, or `to_year` to the end of the year; then count the
    chance to win, and `margin` wins for each victory point ahead.
    """

    value: Value
    rounds: int
    tables: int
    to_year: bool
    margin: float


class Lessons(NamedTuple):
    """Lessons of some games: `seen`, a LESSON array; `columns`, int8 [lessons, plans, boxes]; `results`, by table.

    `results` are float32 [lessons, plans, tables], in wins; NaN for plans that were not found.
    """

    seen: np.ndarray
    columns: np.ndarray
    results: np.ndarray


class Arena:
    """A table, its rules and its players. Game `number` is the same game in every arena made of equal parts.

    `rules` is an array of one RULES record, `seed` an integer from 0 to 2**63 - 1, `players` an array of one PLAYERS
    record; or of several that take turns: the first plays the games of the first `block`, the next those of the next.
    Each call works on records of its own, so threads may share an arena.
    """

    def __init__(
        self,
        rules: np.ndarray,
        players: np.ndarray,
        seed: int,
        *,
        checked: bool = False,
        script: np.ndarray | None = None,
        block: int = ENDLESS,
    ) -> None:
        """Keeps the parts; with `checked` an answer of a custom policy may neither change the table nor raise anything.

        `script`, a SCRIPT array, has the interventions, of which nobody at the table knows.
        """
        self._checked = checked
        self._rules = rules
        self._players = [players[place : place + 1] for place in range(len(players))]
        self._block = block
        self._seed = seed
        self._script = no_script() if script is None else script
        self._notes: np.ndarray | None = None
        self.seats = int(rules[0].players)
        self.expansions = tuple(name for name, there in zip(EXPANSIONS, rules[0].expansion, strict=True) if there)

    def __getstate__(self) -> dict[str, Any]:
        """What other processes need to play the same games."""
        return {**vars(self), "_players": [portable_minds(players) for players in self._players]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The same arena in another process; custom policies whose answers are checked check their indices, too."""
        players = [seat_portable_minds(minds, bounded=state["_checked"]) for minds in state["_players"]]
        vars(self).update({**state, "_players": players})

    @property
    def rules(self) -> np.ndarray:
        """The array of one RULES record that is played by; whoever changes it copies it first."""
        return self._rules

    def noting(self, notes: np.ndarray) -> Self:
        """The same checked arena, which notes every question that it asks in a BACKUP array; for one call at a time."""
        return self._with(_notes=notes)

    def with_rules(self, rules: np.ndarray) -> Self:
        """The same players, seed and script under other rules for as many seats."""
        return self._with(_rules=rules)

    def with_script(self, script: np.ndarray) -> Self:
        """The same players, seed and rules with other interventions."""
        return self._with(_script=script)

    def _with(self, **parts: Any) -> Self:
        other = object.__new__(type(self))
        vars(other).update(vars(self), **parts)
        return other

    def play(
        self,
        first: int,
        count: int,
        *,
        seasons: bool = False,
        battles: bool = False,
        counties: bool = False,
        plans: bool = False,
    ) -> Tables:
        """Play games `first` ... `first + count - 1`; the interpreter lock is free meanwhile.

        Raises IllegalAnswerError if a custom policy gave an illegal answer; there are no tables then. ValueError for
        games that are beyond the last block.
        """
        parts: list[Tables] = []
        at = first
        while not parts or at < first + count:
            number = min(first + count - at, self._block - at % self._block)
            part = self._play(at, number, seasons, battles, counties, plans)
            for rows in (part.battles, part.counties):
                rows[:, 0] += at - first
            parts.append(part)
            at += number
        return parts[0] if len(parts) == 1 else Tables(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def _play(self, first, count, seasons, battles, counties, plans):
        games = np.empty((count, len(GAME_COLUMNS)), np.int16)
        seats = np.empty((count * self.seats, self._width("seats")), np.int16)
        season_rows = count * self.seats * _SEASON_ROWS if seasons else 0
        by_season = np.empty((season_rows, self._width("seasons")), np.int16)
        planned = np.empty((count * self.seats * ROUNDS if plans else 0, len(PLAN_COLUMNS)), np.int16)
        fights, held = self._fill(first, count, games, seats, by_season, planned, battles, counties)
        if seasons:
            counts = by_season.reshape(count, _SEASON_ROWS, self.seats, -1)[..., SEASON_TALLY:]
            counts[:, 1:] -= counts[:, :-1].copy()  # kernels write totals so far
        return Tables(games, seats, by_season, fights, held, planned)

    def _width(self, table):
        return len(columns_of(table, self.expansions))

    def _fill(self, first, count, games, seats, by_season, planned, battles, counties):
        if not battles and not counties:
            with self._table(first, count) as table:
                play_games(
                    *table.start(self._seed, first, count), games, seats, by_season, planned, None, _NO_BATTLES, 0,
                    _NO_COUNTIES,
                )  # fmt: skip
            return _NO_BATTLES, _NO_COUNTIES
        log = new_log()
        buffered = min(count, _MAX_BUFFERED)
        fights, held = _NO_BATTLES, _NO_COUNTIES
        if battles:
            fights = np.zeros((max(_MAX_BATTLES, buffered * _BATTLES_PER_GAME), len(BATTLE_COLUMNS)), np.int32)
        if counties:
            held = np.zeros((max(MAX_COUNTY_ROWS, buffered * _COUNTIES_PER_GAME), len(COUNTY_COLUMNS)), np.int32)
        fight_parts, held_parts, done = [fights[:0]], [held[:0]], 0
        with self._table(first, count) as table:
            while done < count:
                rows = by_season[done * self.seats * _SEASON_ROWS :]
                played, fought, gained = play_games(
                    *table.start(self._seed, first + done, count - done), games[done:],
                    seats[done * self.seats :], rows, planned[done * self.seats * ROUNDS :], log, fights, _MAX_BATTLES,
                    held,
                )  # fmt: skip
                for buffer, used, parts in ((fights, fought, fight_parts), (held, gained, held_parts)):
                    buffer[:used, 0] += done
                    parts.append(buffer[:used].copy())
                done += played
        return np.concatenate(fight_parts), np.concatenate(held_parts)

    @contextmanager
    def _table(self, first=0, count=1):
        """A table of its own for one call that plays these games; at its end illegal answers are refused."""
        place = first // self._block
        if place >= len(self._players) or first + count > (place + 1) * self._block:
            raise ValueError(f"games to {first + count}: {len(self._players)} tables play {self._block} each")
        table = _Table(self._rules, self._players[place], self._checked, self._script, self._notes)
        with refuse_exceptions(table.backup) if table.checked else nullcontext():
            yield table
        if table.custom:
            refuse_illegal_answers(table.players)
        if table.settings is not None:
            refuse_changed_settings(table.settings, lasting_settings(table.players))
            refuse_changed_rules(self._rules, table.rules)

    def trace(self, number: int) -> Log:
        """Play one game with the recorder on: its lines and snapshots, cut to what was used."""
        log = new_log()
        games = np.empty((1, len(GAME_COLUMNS)), np.int16)
        seats = np.empty((self.seats, self._width("seats")), np.int16)
        seasons = np.empty((0, self._width("seasons")), np.int16)
        with self._table(number) as table:
            play_games(
                *table.start(self._seed, number, 1), games, seats, seasons, _NO_PLANS, log, _NO_BATTLES, 0, _NO_COUNTIES
            )  # fmt: skip
        lines, snapshots = log.used
        return log._replace(lines=log.lines[:lines], snapshots=log.snapshots[:snapshots])

    def moment(self, number: int, place: int) -> tuple[np.ndarray, np.ndarray]:
        """The table before the seats plan round `place`, 0 to 5, of a game: a GAME array; and how they then plan.

        The plans are int64 [seats, BOXES]: what lies on each box.
        """
        moment, plans = new_game(), np.zeros((MAX_PLAYERS, BOXES), np.int64)
        with self._table(number) as table:
            game, seed, first, _, *rest = table.start(self._seed, number, 1)
            play_to_decision(game, seed, first, *rest, PLAN, place, 0, False, moment[0], plans)
        return moment, plans[: self.seats]

    def choice(self, number: int, place: int, kind: int, turn: int) -> tuple[np.ndarray, np.ndarray, int]:
        """The tables, GAME arrays, before the planning of round `place` and before a decision in it, of a game.

        `kind`, PLACE or ATTACK, and `turn` are those of `play_to_decision`, whose mask comes third.
        """
        moment, plans = new_game(), np.zeros((MAX_PLAYERS, BOXES), np.int64)
        with self._table(number) as table:
            game, seed, first, _, *rest = table.start(self._seed, number, 1)
            mask = play_to_decision(game, seed, first, *rest, kind, place, turn, False, moment[0], plans)
        return moment, table.game, int(mask)

    def claim(self, number: int, turn: int, *, recycled: bool) -> tuple[np.ndarray, int]:
        """The table, a GAME array, before a turn of a game's draft, and in how many turns its open cards stayed.

        `recycled`: after the seat has put both open cards under the deck.
        """
        moment, plans = new_game(), np.zeros((MAX_PLAYERS, BOXES), np.int64)
        with self._table(number) as table:
            game, seed, first, _, *rest = table.start(self._seed, number, 1)
            unchanged = play_to_decision(game, seed, first, *rest, CLAIM, 0, turn, recycled, moment[0], plans)
        return table.game, int(unchanged)

    def positions(self, first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Play games and return how they stood after each season, and how they ended.

        float32 [games, moments, seats, features], as `wallsim.policies.value.features` declares them, and float32
        [games, seats, 2], points and share in the win. The interpreter lock is free meanwhile.
        """
        positions, ends = positions_of(count, self.seats)
        standing = np.zeros(1, STANDING)
        with self._table(first, count) as table:
            play_positions(*table.start(self._seed, first, count), standing[0], positions, ends)
        return positions, ends

    def lessons(self, first: int, count: int, pupils: int, *, trials: Trials, plans: int, spread: float) -> Lessons:
        """Play games and try so many plans of one seat of the mask `pupils`, before each round of the `trials`.

        The interpreter lock is free meanwhile.
        """
        most = count * ROUNDS
        lessons = np.zeros(most, LESSON)
        columns = np.empty((most, plans, BASE_BOXES), np.int8)
        results = np.empty((most, plans, trials.tables), np.float32)
        advice, trial, planner = advice_of_value(trials.value), np.zeros(1, TRIAL), np.zeros(1, MIND)
        with self._table_for_lessons(first, count, trials) as table:
            done = play_lessons(
                *table.start(self._seed, first, count), planner[0], advice[0], trial[0], pupils, trials.rounds, plans,
                trials.tables, spread, lessons, columns, results,
            )  # fmt: skip
        return Lessons(lessons[:done], columns[:done], results[:done])

    def attack_lessons(self, first: int, count: int, pupils: int, *, trials: Trials) -> Lessons:
        """The same of choices in combat/movement: all that a seat of `pupils` has for a combat card of such a round.

        `seen` is an ATTACK_LESSON array, and `columns` numbers the choices.
        """
        most = count * ROUNDS
        lessons, results = np.zeros(most, ATTACK_LESSON), np.empty((most, MAX_CHOICES, trials.tables), np.float32)
        advice, trial, planner = advice_of_value(trials.value), np.zeros(1, TRIAL), np.zeros(1, MIND)
        choices, came = np.zeros((MAX_CHOICES, 2), np.int64), np.zeros((trials.tables, MAX_CHOICES))
        with self._table_for_lessons(first, count, trials) as table:
            done = play_attack_lessons(
                *table.start(self._seed, first, count), new_game()[0], planner[0], advice[0], trial[0], pupils,
                trials.rounds, choices, came, lessons, results,
            )  # fmt: skip
        found = np.arange(MAX_CHOICES, dtype=np.int8) < lessons["counties"][:done, None]
        columns = np.where(found, np.arange(MAX_CHOICES, dtype=np.int8), NO_COLUMN)[..., None].astype(np.int8)
        return Lessons(lessons[:done], columns, results[:done])

    @contextmanager
    def _table_for_lessons(self, first, count, trials):
        """A table whose seats try plans and choices as the `trials` say."""
        with self._table(first, count) as table:
            settings = table.players["seat"]["search"]
            settings[..., SEARCH_DEPTH] = TO_YEAR if trials.to_year else TO_ROUND
            settings[..., SEARCH_MARGIN] = round(1000 * trials.margin)
            settings[..., SEARCH_ERROR] = 0
            corrections = table.players["seat"]["correction"]
            # A planner without a correction notes nothing of what it sees.
            corrections[corrections == 0] = no_correction().address()
            yield table

    def prepare(self) -> None:
        """Compile or load the code that only searching and custom policies call, without playing."""
        with self._table():
            pass

    def plan_again(self, snapshots: np.ndarray, times: int) -> int:
        """Let every seat plan every round of a recorded game `times` times over; returns how many plans were made.

        `snapshots` is a GAME array, as `trace` records it. Nothing is played: this serves to time the planners.
        """
        with self._table() as table:
            return plan_rounds(table.game[0], table.rules[0], table.players[0], snapshots, times)


class _Table:
    """The records of one call: game, rules and minds, and what custom policies need beside them.

    Compiled code does not know that rules are read-only, so custom policies get a copy.
    """

    def __init__(
        self, rules: np.ndarray, players: np.ndarray, checked: bool, script: np.ndarray, notes: np.ndarray | None
    ) -> None:
        self.game, self.players = new_game(), players.copy()
        minds = self.players["seat"]
        answers, searching = bool(minds["custom"].any()), bool(minds["search"][..., SEARCH_WIDTH].any())
        self.custom, self._answers = answers or searching, answers
        self.checked = checked and self.custom
        self.rules = rules.copy() if answers else rules
        self.settings: bytes | None = None
        self.backup = np.zeros(1 if self.checked else 0, BACKUP) if notes is None else notes
        minds["checked"], minds["backup"] = self.checked, self.backup.ctypes.data
        self._script = script
        self._trials = seat_searchers(self.players)

    def start(self, seed: int, first: int, count: int) -> tuple[Any, ...]:
        """The first arguments of `play_games`; what answers must not change is noted."""
        if self._answers and self.settings is None:
            self.settings = lasting_settings(self.players)
        return self.game[0], seed, first, count, self.rules[0], self.players[0], self._script[0]
