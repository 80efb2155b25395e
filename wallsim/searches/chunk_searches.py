"""The searches that fit models to chunks of games: a learning of the value of standings, and a teaching."""

from __future__ import annotations

import io
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError, WallsimError, quoted
from wallsim.experiment.keys import MAX_SEED, Key, decimal_key, number_key, read_number
from wallsim.folder.derived import CHECKSUMS
from wallsim.folder.search_kinds import LEARNINGS, TEACHINGS, chunk_file
from wallsim.policies.correction import attack_features
from wallsim.policies.correction import features as correction
from wallsim.policies.kinds import MAX_TABLES, MAX_WIDTH
from wallsim.policies.search import DEPTHS, TO_ROUND, TO_YEAR
from wallsim.policies.value import features as value_features
from wallsim.rules.terms import YEARS
from wallsim.searches.search import (
    Names,
    Search,
    Watcher,
    different_words,
    listed,
    named_policy,
    needed,
    of_experiment,
    option,
    switch,
    text,
    words_key,
)

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.receipts import Facts
    from wallsim.folder.receipts import Key as Done
    from wallsim.folder.work_folder import WorkFolder
    from wallsim.policies.policy import Policy
    from wallsim.policies.value.value_file import Value
    from wallsim.searches.learning.learning import Settings as LearningSettings
    from wallsim.searches.teaching.lessons import Settings as LessonSettings
    from wallsim.searches.teaching.teaching import Earlier

_PLAYERS = words_key("N[,...]", "Numbers of players, each with a model.", "4")
_SETUP = words_key("lineup|draft[,...]", "Set-ups.", "lineup,draft")
_TOWER = words_key("NAME[,...]", "Towers; see `wallsim towers`.", "mid")
_SEED = number_key(0, MAX_SEED, 1, metavar="N", help="Seed of the games and of the fits.")
_NOISE = decimal_key(0.0, 20.0, None)
_OF_MODELS = ("outputs", "inputs", "attacks", "models")  # what only the files of models have


def _games(default: int, words: str) -> Any:
    return option(number_key(1, 10_000_000, default, metavar="N", help=f"Games of each number of players, {words}."))


def _units(most: int, default: int) -> Key:
    return number_key(0, most, default, metavar="N", help="Units of the network; 0 for a linear model.")


@dataclass(frozen=True, kw_only=True)
class ChunkSearch(Search):
    """A search that plays chunks of games and fits models to them."""

    def name_or(self, default: str) -> str:
        """The name of the models; InputError also if NAME.json is that of the checksums."""
        title = super().name_or(default)
        if f"{title}.json" == CHECKSUMS:
            raise InputError(f"name: {title} is the name of the file of checksums; choose another name")
        return title

    @cached_property
    def experiments(self) -> tuple[Experiment, ...]:
        """Every number of players with every set-up and every tower."""
        return self.games_of(**{name: getattr(self, name) for name in ("players", "setup", "tower")})

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The result without its models."""
        return {key: value for key, value in document.items() if key not in _OF_MODELS}

    @abstractmethod
    def play(self) -> Callable[[int, int], Any]:
        """What plays a chunk: a tuple of arrays, by a number of players and the number of the chunk."""

    @abstractmethod
    def counts(self, played: Any) -> dict[str, int]:
        """What a chunk counts."""

    @abstractmethod
    def fit(self, read: Callable[[Done], dict[str, Any]], workers: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Fit all; the result, and the models by number of players and moment. `read` gives the arrays of a chunk."""

    def work(self, store: WorkFolder, workers: int, watch: Watcher) -> ChunkWork:
        """The search at work."""
        settings = self.settings
        if settings.played_games != settings.games:
            rounded = f"{settings.games:,} is rounded up to whole chunks: {settings.played_games:,} games"
            watch.says(f"--games: {rounded}")
        return ChunkWork(self, store, workers, watch)


class ChunkWork:
    """A search by chunks of games at work in a folder."""

    def __init__(self, search: ChunkSearch, store: WorkFolder, workers: int, watch: Watcher) -> None:
        """A search in this folder."""
        self.search, self._store, self._workers, self._watch = search, store, workers, watch
        self.steps = search.settings.chunks

    def parts(self, least: int, *, go_on: bool) -> Iterator[tuple[Done, Facts, Mapping[str, bytes]]]:
        """Play what is missing; games are counted."""
        import numpy as np

        from wallsim.play.parallel import in_parallel

        search, each = self.search, self.search.settings.chunk_games
        wanted = list(search.kind.keys(self._store.identity, max(least, self.steps if go_on else 0)))
        missing = [key for key in wanted if not self._store.has(key)]
        done = len(wanted) - len(missing)
        self._watch.progress(done * each, len(wanted) * each)
        chunks = in_parallel(search.play(), missing, self._workers) if missing else iter(())
        for key, played in zip(missing, chunks, strict=True):
            file = io.BytesIO()
            np.savez_compressed(file, **played._asdict())
            yield key, search.counts(played), {chunk_file(search.kind.room, key): file.getvalue()}
            done += 1
            self._watch.progress(done * each, len(wanted) * each)

    def read(self, key: Done) -> dict[str, Any]:
        """The arrays of a chunk that the folder has."""
        import numpy as np

        with np.load(io.BytesIO(self._store.place.read(chunk_file(self.search.kind.room, key)))) as arrays:
            return dict(arrays)

    def result(self) -> dict[str, Any]:
        """The fits of all, and how they fare in held-out games."""
        found, models = self.search.fit(self.read, self._workers)
        return {"name": self.search.names.title, "command": self.search.command, **found, "models": models}


@dataclass(frozen=True, kw_only=True)
class Learning(ChunkSearch):
    """A learning of the value of a standing from games."""

    policies: str = needed("NAME[,...]", "Who plays: names (see `wallsim policies`), .toml and .py files.")
    players: str = option(_PLAYERS)
    games: int = _games(200_000, "in chunks of 2,000")
    seed: int = option(_SEED)
    units: int = option(_units(value_features.MAX_UNITS, 8))
    passes: int = option(number_key(1, 1000, 8, metavar="N", help="Passes through the games in training the network."))
    setup: str = option(_SETUP)
    tower: str = option(_TOWER)
    edition: str | None = of_experiment("edition")
    expansions: str | None = of_experiment("expansions")
    board: str | None = of_experiment("board")
    rules: tuple[str, ...] | None = of_experiment("rules")
    noise: str = text("X[,...]", "Levels of the weight noise in VP, one drawn for each seat.", "0,0,0.5,1.5")
    name: str = text("NAME", "Name of the value and its file.", "value")

    kind, command_name = LEARNINGS, "learn"

    @property
    def names(self) -> Names:
        """The value."""
        title = self.name_or("value")
        return Names(title, f"{title}.json", f"{title}.json", "value_file", (f"{title}.json",))

    @cached_property
    def settings(self) -> LearningSettings:
        """Which games are played, and what is fitted to them."""
        from wallsim.searches.learning.learning import Settings

        return Settings(
            cells=self.experiments,
            policies=tuple(_policy("policies", word) for word in different_words("policies", self.policies)),
            noise=tuple(read_number("noise", _NOISE, level) for level in self.noise.split(",")),
            games=self.games, seed=self.seed, units=self.units, passes=self.passes,
        )  # fmt: skip

    def asked(self) -> dict[str, Any]:
        """The games, and what is fitted to them."""
        return {"chunks": self.settings.chunks, "units": self.units, "passes": self.passes}

    def play(self) -> Callable[[int, int], Any]:
        """Plays the positions of a chunk."""
        from wallsim.searches.learning.learning import Games

        return Games(self.settings).play

    def counts(self, played: Any) -> dict[str, int]:
        """Games."""
        return {"games": len(played.ends)}

    def fit(self, read: Callable[[Done], dict[str, Any]], workers: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """A model for each number of players and season."""
        from wallsim.searches.learning.learning import Positions, fit_values

        return fit_values(self.settings, lambda key: Positions(**read(key)), workers)


@dataclass(frozen=True, kw_only=True)
class Teaching(ChunkSearch):
    """A teaching of a policy by trying its plans."""

    policy: str = needed("POLICY", "The pupil: a name or a policy file.")
    value: str = needed("NAME", "The learned value that judges plans: a name or a file.")
    rivals: str | None = text("NAME[,...]", "Who else sits at the tables.  [default: POLICY]")
    players: str = option(_PLAYERS)
    games: int = _games(48_000, "in chunks of 400; six lessons per game")
    attacks: bool = switch("Teach choices in combat/movement, of a pupil whose plans were taught, in place of plans.")
    years: str = option(
        words_key("1|2[,...]", "Years whose rounds are taught; of others the pupil's models stay.", "1,2")
    )
    depth: str = option(words_key("round|year", "How far plans and choices are tried: to the end of that.", "round"))
    plans: int = option(number_key(4, MAX_WIDTH, 40, metavar="N", help="Plans that a lesson tries."))
    tables: int = option(number_key(1, MAX_TABLES, 4, metavar="N", help="Tables on which it tries all of them."))
    seed: int = option(_SEED)
    units: int = option(_units(correction.MAX_UNITS, correction.MAX_UNITS))
    passes: int = option(number_key(1, 1000, 15, metavar="N", help="Passes through the lessons in training."))
    shrink: float = option(
        decimal_key(0.0, 1.0, 0.7, metavar="X", help="Factor of the correction, against errors of the fit: 0 to 1.")
    )
    setup: str = option(_SETUP)
    tower: str = option(_TOWER)
    edition: str | None = of_experiment("edition")
    expansions: str | None = of_experiment("expansions")
    board: str | None = of_experiment("board")
    rules: tuple[str, ...] | None = of_experiment("rules")
    earlier: str | None = text("DIR[,...]", "Folders of earlier teachings, whose lessons are fitted too.")
    name: str | None = text("NAME", "Name of the taught policy.  [default: POLICY_taught]")

    kind, command_name = TEACHINGS, "teach"

    @property
    def names(self) -> Names:
        """The correction, and the policy that names it."""
        title = self.name_or(f"{self.pupil.name}_taught")
        files = f"{title}.json", f"{title}.toml"
        return Names(title, files[0], files[1], "policy_file", files)

    @cached_property
    def pupil(self) -> Policy:
        """The policy that is taught."""
        pupil = _planning("policy", self.policy)
        if self.attacks and pupil.correction is None:
            raise InputError(f"policy: {self.policy} has no correction; teach its plans first")
        return pupil

    def _years(self) -> tuple[int, ...]:
        words = different_words("years", self.years)
        for word in words:
            if word not in ("1", "2"):
                raise InputError(f"years: {quoted(word)} is not one of 1, 2")
        years = tuple(sorted(map(int, words)))
        known = {} if self.pupil.correction is None else self.pupil.correction.contents
        if len(years) < YEARS and not (known.get("attacks") if self.attacks else known):
            raise InputError(f"years: {self.policy} has no models of the other year; teach both")
        return years

    def _depth(self) -> str:
        if self.depth not in (DEPTHS[TO_ROUND], DEPTHS[TO_YEAR]):
            raise InputError(f"depth: {quoted(self.depth)} is not one of {DEPTHS[TO_ROUND]}, {DEPTHS[TO_YEAR]}")
        return self.depth

    @cached_property
    def settings(self) -> LessonSettings:
        """Which games are played, and what is fitted to them."""
        from wallsim.searches.teaching.lessons import Settings

        return Settings(
            cells=self.experiments,
            pupil=self.pupil,
            rivals=tuple(_planning("rivals", word) for word in listed(self.rivals)) or (self.pupil,),
            value=_value(self.value),
            attacks=self.attacks, years=self._years(), depth=self._depth(),
            games=self.games, seed=self.seed, plans=self.plans, tables=self.tables,
            units=min(self.units, attack_features.MAX_UNITS) if self.attacks else self.units,
            passes=self.passes, shrink=self.shrink,
        )  # fmt: skip

    @cached_property
    def earlier_teachings(self) -> tuple[Earlier, ...]:
        """The folders of earlier teachings."""
        from wallsim.searches.teaching.teaching import earlier_teaching

        try:
            return tuple(earlier_teaching(self.settings, Path(word)) for word in listed(self.earlier))
        except WallsimError as error:
            raise InputError(f"earlier: {error}") from None

    def asked(self) -> dict[str, Any]:
        """The games, and what is fitted to them."""
        return {
            "chunks": self.settings.chunks, "units": self.units, "passes": self.passes, "shrink": self.shrink,
            "earlier": [one.digest for one in self.earlier_teachings],
        }  # fmt: skip

    def play(self) -> Callable[[int, int], Any]:
        """Plays the lessons of a chunk."""
        from wallsim.searches.teaching.lessons import LessonGames

        return LessonGames(self.settings).play

    def taught(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """What was taught, of a result or of its file, which also has what the pupil knew."""
        return document.get("attacks", document) if self.attacks else document

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The result without its models and what the pupil knew."""
        return super().read(self.taught(document))

    def counts(self, played: Any) -> dict[str, int]:
        """Games and lessons."""
        return {"games": self.settings.chunk_games, "lessons": len(played.result)}

    def fit(self, read: Callable[[Done], dict[str, Any]], workers: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """A model for each number of players and round."""
        from wallsim.searches.teaching.lessons import Lessons
        from wallsim.searches.teaching.teaching import fit_corrections

        return fit_corrections(self.settings, lambda key: Lessons(**read(key)), self.earlier_teachings, workers)


def _policy(name: str, word: str) -> Policy:
    from wallsim.policies.catalogue import PolicyError, load_policy

    try:
        return load_policy(word)
    except PolicyError as error:
        raise InputError(f"{name}: {str(error).removeprefix('policies: ')}") from None


def _planning(name: str, word: str) -> Policy:
    # The policy of a name or file that plans by weights alone.
    policy = named_policy(name, word)
    if policy.kind != "balanced":
        raise InputError(
            f"{name}: {word} is of kind {policy.kind!r}; only policies of kind 'balanced' plan by weights alone"
        )
    return policy


def _value(word: str) -> Value:
    from wallsim.policies.value.value_file import load_value

    try:
        return load_value(word)
    except InputError as error:
        raise InputError(f"value: {error}") from None
