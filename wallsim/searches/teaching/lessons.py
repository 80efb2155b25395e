"""The lessons of a teaching: its settings, blocks of seatings drawn at random, played in chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.arena import Trials
from wallsim.engine.lessons import NO_COLUMN
from wallsim.folder.search_kinds import LESSON_BLOCK, LESSON_CHUNK
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.policies.search import DEPTHS, TO_ROUND, TO_YEAR
from wallsim.policies.value.value_file import Value
from wallsim.rules.terms import ROUNDS, WINTER
from wallsim.searches.learning.chunked import ChunkedSettings

YEARS_TAUGHT = (1, 2)
HELD_OUT = 10  # every tenth block is held out
_PUPILS = 0.6  # the chance of a seat to be the pupil's; one is always


@dataclass(frozen=True)
class Settings(ChunkedSettings):
    """From which games a pupil learns, and what is fitted to its lessons.

    `cells` are the settings of the games: an experiment for each number of players, set-up and tower. Each block of
    LESSON_BLOCK games has a cell, and each of its seats is the pupil's or has one of the `rivals`, drawn at random.
    `games` are those of each number of players, rounded up to whole chunks. `value` judges what is tried: so many
    `plans`, or with `attacks` every choice in combat, in the rounds of these `years`, 1 and 2, to the end of the round
    or the year, the `depth`. The correction is multiplied by `shrink`.
    """

    pupil: Policy
    rivals: tuple[Policy, ...]
    value: Value
    attacks: bool
    years: tuple[int, ...]
    depth: str
    plans: int
    tables: int
    units: int
    passes: int
    shrink: float

    chunk_games = LESSON_BLOCK * LESSON_CHUNK

    @property
    def moments(self) -> list[int]:
        """The rounds that are taught, 0 to 5."""
        return [moment for moment in range(ROUNDS) if moment // WINTER + 1 in self.years]

    @property
    def rounds(self) -> int:
        """The same as a mask."""
        return sum(1 << moment for moment in self.moments)

    def seating(self, players: int, block: int) -> tuple[list[Policy], int]:
        """The policies of a block, one per seat, and the mask of the pupil's seats."""
        rng = np.random.default_rng(self.seed_for("seatings", players, block))
        taught = rng.random(players) < _PUPILS
        taught[rng.integers(players)] = True
        chosen = rng.integers(len(self.rivals), size=players)
        seats = [self.pupil if own else self.rivals[rival] for own, rival in zip(taught, chosen, strict=True)]
        return seats, sum(1 << seat for seat in range(players) if taught[seat])

    def identity(self) -> dict[str, Any]:
        """What decides the lessons, in types of JSON: a folder can go on with more of them, and fit other models."""
        return self.identity_with(
            pupil=self.pupil.identity(),
            rivals=[rival.identity() for rival in self.rivals],
            value=self.value.digest,
            **({"attacks": True} if self.attacks else {"plans": self.plans}),
            **({} if self.years == YEARS_TAUGHT else {"years": list(self.years)}),
            **({} if self.depth == DEPTHS[TO_ROUND] else {"depth": self.depth}),
            tables=self.tables,
        )


_SPREAD = 3.0  # VP: the largest errors of judgement with which plans are made
_MARGIN = 0.01  # wins for each victory point ahead, beside the chance to win


class Lessons(NamedTuple):
    """Lessons: what the pupil saw, which plans were tried, and what came of them. Of attacks, choices take their place.

    `block`, `moment` and `counties` have the number of the block, the round, and the number of counties in hand of each
    lesson; `table`, float32 [lessons, features], its features of the table, and `fact`, float32 [counties of all
    lessons, features], those of its counties, one lesson after the other. `columns`, int8 [lessons, plans, boxes], is
    where each card of each plan lies among its cards, NO_COLUMN for none. `result`, float32 [lessons, plans], is the
    mean over the tables in wins, nan for a plan that was not found; the first plan is the pupil's own.
    """

    block: np.ndarray
    moment: np.ndarray
    counties: np.ndarray
    table: np.ndarray
    fact: np.ndarray
    columns: np.ndarray
    result: np.ndarray

    def where(self, chosen: np.ndarray) -> Lessons:
        """The lessons that a mask chooses."""
        counties = np.repeat(chosen, self.counties)
        each = {name: array[counties if name == "fact" else chosen] for name, array in self._asdict().items()}
        return Lessons(**each)


def joined(parts: list[Lessons]) -> Lessons:
    """Lessons of several chunks or folders; the plans that a part has less than another were not found."""
    plans = max(part.result.shape[1] for part in parts)
    return Lessons(*(np.concatenate(arrays) for arrays in zip(*(_padded(part, plans) for part in parts), strict=True)))


def _padded(part: Lessons, plans: int) -> Lessons:
    more = plans - part.result.shape[1]
    if more == 0:
        return part
    columns = np.pad(part.columns, ((0, 0), (0, more), (0, 0)), constant_values=NO_COLUMN)
    return part._replace(columns=columns, result=np.pad(part.result, ((0, 0), (0, more)), constant_values=np.nan))


class LessonGames:
    """Plays the chunks of a teaching."""

    def __init__(self, settings: Settings) -> None:
        """Prepare the rules of every cell."""
        self._settings = settings
        self._tables = {players: [Setting(cell) for cell in settings.cells_of(players)] for players in settings.players}

    def play(self, players: int, chunk: int) -> Lessons:
        """The lessons of a chunk."""
        return joined(
            [self._block(players, block) for block in range(chunk * LESSON_CHUNK, (chunk + 1) * LESSON_CHUNK)]
        )

    def _block(self, players: int, block: int) -> Lessons:
        settings, tables = self._settings, self._tables[players]
        seated, pupils = settings.seating(players, block)
        arena = tables[block % len(tables)].arena(seated, settings.seed_for("games", players), block // len(tables))
        to_year = settings.depth == DEPTHS[TO_YEAR]
        trials = Trials(settings.value, settings.rounds, settings.tables, to_year, _MARGIN)
        games = block * LESSON_BLOCK, LESSON_BLOCK, pupils
        if settings.attacks:
            taken = arena.attack_lessons(*games, trials=trials)
        else:
            taken = arena.lessons(*games, trials=trials, plans=settings.plans, spread=_SPREAD)
        seen = taken.seen
        held = np.arange(seen["fact"].shape[1]) < seen["counties"][:, None]
        return Lessons(
            np.full(len(seen), block, np.int32), seen["moment"], seen["counties"], seen["table"], seen["fact"][held],
            taken.columns, taken.results.mean(axis=2),
        )  # fmt: skip
