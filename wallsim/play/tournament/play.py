"""Playing a tournament: chunks of blocks on all cores, committed as they finish, always with the same bytes.

Its folder is written like that of a run: `codebook.md`, the journal's header, then for each chunk a Parquet file of the
table `results` and a line of the journal, finally `manifest.json`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import polars as pl

from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.experiment.chunks import ChunkLayout
from wallsim.experiment.components import Components
from wallsim.experiment.identity import identity_hash
from wallsim.folder.chunk_tables import PlayedChunk, PlayedPart
from wallsim.folder.file_stores import file_store
from wallsim.folder.interim_analyses import LOOKS, growth_warning, looks_of, restore_looks, withdraw
from wallsim.folder.journal import Header, Journal
from wallsim.folder.layout import AS_SHIPPED, BOARD, CODEBOOK, MANIFEST, POLICIES, files_of
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import ReadOnlyError, unlocked_on_error
from wallsim.folder.run_store import common_facts, copied_files
from wallsim.folder.schema import Vocabulary, describe, part_metadata, vocabulary
from wallsim.folder.store import ChunkStore, games_in
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.tournament_design import (
    COLUMNS,
    KIND,
    RESULTS,
    ROW,
    STORED,
    STRETCH,
    Design,
    results_codebook,
    results_frame,
)
from wallsim.play.chunk_play import Player, parquet
from wallsim.play.observer import How, RunObserver
from wallsim.play.parallel import checked_workers
from wallsim.play.play import Session, finished_there
from wallsim.play.setting import Setting
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import Policy, is_shipped_name, load_policy, pack_mind, seat_minds
from wallsim.rules.files import read_json
from wallsim.rules.ruleset import LETTERS

_CHUNK = 12_000  # approximate games per chunk
_MAX_GAMES_PER_CHUNK = 100_000
_MIN_CYCLES = 5  # games with the same dealing are played together, so a chunk should have several cycles


class TournamentStore(ChunkStore):
    """The folder of a tournament, locked for writing."""

    what, all_tables = KIND, (RESULTS,)
    shrinks = True
    before = 0  # blocks in the folder when it was last finished or its ladder was last evaluated

    def __init__(self, place: FileStore, tournament: Tournament, parts: Components) -> None:
        """Lock a folder for a tournament; raises the errors of ChunkStore, and InputError if it has more blocks."""
        self._parts, self._table = parts, tournament.table
        self.games_per_block = tournament.design.games_per_block
        games = tournament.blocks * self.games_per_block
        chunk = chunk_blocks(tournament.design) * self.games_per_block
        super().__init__(place, tournament.identity(), (RESULTS,), ChunkLayout(games, chunk))
        with unlocked_on_error(place, self.close):
            if restore_looks(place, self.hash):
                self.repaired.append(LOOKS)

    def documents(self) -> dict[str, bytes]:
        """The codebook, and copies of a custom tower, of custom policies and of a custom board."""
        copies = {
            f"{POLICIES}/{policy.name}.{'py' if policy.code else 'toml'}": policy
            for policy in self._parts.policies
            if policy.source and not is_shipped(policy)
        }
        codebook = results_codebook(vocabulary(self._parts, form=self.form)).encode()
        return {CODEBOOK: codebook, **copied_files(self._table, self._parts, copies)}

    def refuse_other_identity(self, header: Header) -> None:
        """Refuse another tournament, fewer blocks than exist, and unreadable looks; set `before`."""
        super().refuse_other_identity(header)
        there = games_in(self.folder) // self.games_per_block
        if there * self.games_per_block > self.games:
            raise InputError(
                f"blocks: {self.games // self.games_per_block:,} are fewer than the {there:,} in {self.folder}; "
                "use as many or more, or choose another folder"
            )
        finished = 0
        with suppress(OSError, RunError, ValueError, KeyError, TypeError):  # a damaged one is rewritten
            finished = int(read_json(self.place.read(MANIFEST))["blocks"])
        self.before = max([finished, *looks_of(self.folder, self.hash)])

    def _grow(self, journal: Journal) -> None:
        if self.header.games != self.games:
            withdraw(self.place)  # the ratings are those of other blocks
        super()._grow(journal)

    def manifest(self, tournament: Tournament) -> dict[str, Any]:
        """The manifest of a tournament whose chunks are all finished."""
        return {
            "format": self.header.format,
            "experiment": {"hash": self.hash, "identity": self.identity},
            "engine_version": ENGINE_VERSION,
            "seed": tournament.table.seed,
            "blocks": tournament.blocks,
            "games_a_block": self.games_per_block,
            "games": self.games,
            "policies": self.identity["policies"],
            **common_facts(self, self._parts, AS_SHIPPED if tournament.table.board is None else BOARD, self.games),
            "papers": self.document_digests(),
        }


def is_shipped(policy: Policy) -> bool:
    """Whether a policy is one of the package, by its name and by all that decides how it plays."""
    return is_shipped_name(policy.name) and load_policy(policy.name).identity() == policy.identity()


def chunk_blocks(design: Design) -> int:
    """Blocks per chunk: about 12,000 games, in whole cycles of the design unless those are too long.

    It depends only on the design, so that a tournament played in two sessions has the same files as in one.
    """
    games_per_cycle = design.cycle * design.games_per_block
    cycles = max(_CHUNK // games_per_cycle, min(_MIN_CYCLES, _MAX_GAMES_PER_CHUNK // games_per_cycle))
    if cycles == 0:
        return max(1, _CHUNK // design.games_per_block)
    return design.cycle * (cycles if cycles < STRETCH else cycles - cycles % STRETCH)


_REPORTED = 500  # games between two checks of the stop request


@dataclass(frozen=True)
class _TournamentContext:
    """What every chunk needs: metadata of the files, design, setting, policies, names of codes, and seed."""

    metadata: dict[str, str]
    design: Design
    setting: Setting
    policies: tuple[Policy, ...]
    words: Vocabulary
    seed: int
    checked: bool


def play_tournament(
    tournament: Tournament, folder: str | Path, *, finish: bool = True, **how: Unpack[How]
) -> TournamentRun:
    """Play a tournament into a folder, or its missing chunks, and return the finished one.

    Blocks beyond those in the folder are added to them. Intervals are valid for a number of blocks fixed beforehand, so
    this is reported to `observer`, or by a warning without one. Without `finish` the blocks may be too few, and the
    folder stays unfinished. `check_policies`: check every answer of custom policies against the rules; in the first
    games they are always checked. Raises InputError for an unusable folder or number of workers and for an illegal
    answer of a policy, RunError if writing fails. Finished chunks remain after an error, an interruption or a kill, and
    the same call resumes the tournament.
    """
    workers, observer = checked_workers(how.get("workers")), how.get("observer") or RunObserver()
    setting = checked_setting(tournament)
    try:
        opened = TournamentStore(file_store(folder), tournament, tournament.components())
    except ReadOnlyError as error:
        hash_, blocks = identity_hash(tournament.identity()), tournament.blocks
        return finished_there(
            TournamentRun, folder, lambda run: run.hash == hash_ and run.manifest["blocks"] == blocks, observer, error
        )
    with opened as store:
        if store.before and store.before < tournament.blocks:
            if how.get("observer") is None:
                warnings.warn(growth_warning(store.before, tournament.blocks), stacklevel=2)
            observer.grows(store.before, tournament.blocks)
        checked = how.get("check_policies", False)
        prepare = partial(tournament_player, tournament, setting, store.header, checked=checked)
        session = Session(store, TournamentRun, tournament.policies, prepare, workers, observer)
        session.play()
        if not finish:
            manifest = store.manifest(tournament)
            return TournamentRun(store.folder, manifest, files_of(manifest))
        session.finish(partial(store.manifest, tournament))
    return TournamentRun.open(folder)


def checked_setting(tournament: Tournament) -> Setting:
    """The table of a tournament. InputError for an illegal answer of a custom policy in its first games."""
    setting = Setting(tournament.table)
    setting.check_custom_policies(tournament.policies, tournament.table.seed)
    return setting


def tournament_player(tournament: Tournament, setting: Setting, header: Header, *, checked: bool = False) -> Player:
    """What plays a tournament whose folder has this header; `checked`: with checks of every answer."""
    words, seed = vocabulary(tournament.components(), form=header.format), tournament.table.seed
    metadata = describe(RESULTS, ROW, COLUMNS, words, header.identity)
    context = _TournamentContext(metadata, tournament.design, setting, tournament.policies, words, seed, checked)
    table = [tournament.policies[0]] * tournament.design.seats
    return Player(partial(_play_chunk, context), lambda: setting.arena(table, seed).play(0, 1))


def _play_chunk(context: _TournamentContext, first: int, games: int, played_some: Callable[[int], None]) -> PlayedChunk:
    games_per_block = context.design.games_per_block
    frame, engine = _play_blocks(context, first // games_per_block, games // games_per_block, played_some)
    data = parquet(frame, part_metadata(context.metadata, first, games))
    return PlayedChunk((PlayedPart(RESULTS, frame.height, data),), round(engine, 3))


def _play_blocks(
    context: _TournamentContext, first: int, blocks: int, played_some: Callable[[int], None]
) -> tuple[pl.DataFrame, float]:
    # The rows of `blocks` blocks, sorted by block, game and seat, and the CPU seconds of the engine.
    design, seats = context.design, context.design.seats
    games, engine, unreported = design.games_per_block, 0.0, 0
    stored = np.empty((blocks, games, seats, len(STORED)), np.int16)
    number = np.empty((blocks, games, 1), np.int64)
    policy, lineup = (np.empty((blocks, games, seats), np.int8) for _ in range(2))
    # Once each: a table plays few games in a row, and packing its policies takes as long as two of them.
    minds = [pack_mind(each, bounded=context.checked) for each in context.policies]
    for place, dealing in enumerate(design.dealings):
        stretches = list(design.stretches(place, first, blocks))
        letters = context.setting.lineups(dealing.shift)
        for game in range(games if stretches else 0):
            table, rotation = divmod(game, seats)
            seating = design.seating(table, rotation, dealing)
            replay = design.replay(table, rotation, dealing)
            began = time.thread_time()
            seated = seat_minds([minds[who] for who in seating])
            arena = context.setting.arena_of(seated, context.seed, dealing.shift, checked=context.checked)
            for stretch, numbers in stretches:
                at, seeded = [block - first for block in stretch], design.seeded_number(numbers, replay)
                try:
                    played = arena.play(seeded, len(stretch)).seats.reshape(len(stretch), seats, -1)
                except IllegalAnswerError as error:
                    raise context.setting.illegal_answer(error, [context.policies[who] for who in seating]) from None
                stored[at, game] = played[:, :, STORED]
                number[at, game, 0] = range(seeded, seeded + len(stretch))
                policy[at, game], lineup[at, game] = seating, [LETTERS.find(letter or "?") for letter in letters]
                unreported += len(stretch)
            engine += time.thread_time() - began
            if unreported >= _REPORTED:
                played_some(unreported)
                unreported = 0
    played_some(unreported)
    block, index = np.arange(first, first + blocks)[:, None, None], np.arange(games)[:, None]
    values: dict[str, np.ndarray] = {
        "block": block, "game": block * games + index, "number": number, "company": index // seats,
        "seat": np.arange(seats), "policy": policy, "lineup": lineup,
    }  # fmt: skip
    return results_frame(values, stored, context.words), engine
