"""Playing a tournament: chunks of blocks on all cores, each committed when finished, always with the same bytes."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.policies.catalogue import Policy
from wallsim.rules.ruleset import LETTERS
from wallsim.runs.compiling import warm_up
from wallsim.runs.folder.file_metadata import describe, part_metadata
from wallsim.runs.folder.journal import Receipt
from wallsim.runs.folder.layout import write_part
from wallsim.runs.folder.schema import Vocabulary, vocabulary
from wallsim.runs.play import Crew, Watch, failed, parquet, play_missing
from wallsim.runs.setting import Setting
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import TournamentRun, open_tournament
from wallsim.runs.tournament.looks import growth_warning
from wallsim.runs.tournament.store import TournamentStore
from wallsim.runs.tournament.table import COLUMNS, KEPT, RESULTS, ROW, results_frame
from wallsim.runs.tournament.tournament import Tournament
from wallsim.runs.workers import known_workers

_REPORTED = 500  # games between two looks at the request to stop


@dataclass(frozen=True)
class _Stage:
    """What every chunk needs: folder, the files' metadata, design, packed table, policies, names and seed."""

    folder: Path
    metadata: dict[str, str]
    design: Design
    setting: Setting
    policies: tuple[Policy, ...]
    words: Vocabulary
    seed: int
    checked: bool


def play_tournament(
    tournament: Tournament,
    folder: str | Path,
    *,
    workers: int | None = None,
    watch: Watch | None = None,
    check_policies: bool = False,
) -> TournamentRun:
    """Play a tournament into a folder, or what is missing of it, and return the finished one.

    Blocks beyond those that the folder holds are added to them; intervals hold for a number of blocks fixed beforehand,
    so `watch` is told, or without one a warning is given. `check_policies` holds every answer of custom policies
    against the rules; those of a first game always are. Raises InputError if the folder or the number of workers will
    not do or a policy answers wrongly, RunError if writing fails midway. What was finished before any error,
    interruption or kill is kept, and the same call resumes.
    """
    workers, unwatched, watch = known_workers(workers), watch is None, watch or Watch()
    parts, setting = tournament.components(), Setting(tournament.table)
    setting.try_out(tournament.policies, tournament.table.seed)
    with TournamentStore(Path(folder), tournament, parts) as store:
        if store.is_finished():
            watch.finished_before(store.folder)
        else:
            words = vocabulary(parts)
            metadata = describe(RESULTS, ROW, COLUMNS, words, store.identity)
            stage = _Stage(
                store.folder, metadata, tournament.design, setting, tournament.policies, words,
                tournament.table.seed, check_policies,
            )  # fmt: skip
            if store.before and store.before < tournament.blocks:
                if unwatched:
                    warnings.warn(growth_warning(store.before, tournament.blocks), stacklevel=2)
                watch.grows(store.before, tournament.blocks)
            compiling = warm_up(partial(_one_game, stage), watch) if store.unplayed else 0.0
            play_missing(partial(_play_chunk, stage), store, workers, watch, compiling)
            try:
                store.finish(store.manifest(tournament))
            except OSError as error:
                raise failed(store.folder, error) from error
    return open_tournament(folder)


def _one_game(stage: _Stage) -> None:
    stage.setting.arena([stage.policies[0]] * stage.design.seats, stage.seed).play(0, 1)


def _play_chunk(stage: _Stage, chunk: int, first: int, games: int, crew: Crew) -> Receipt:
    with crew:
        a_block = stage.design.games_per_block
        frame, engine = _play_blocks(stage, first // a_block, games // a_block, crew)
        about = part_metadata(stage.metadata, first, games)
        part = write_part(stage.folder, RESULTS, chunk, parquet(frame, about), frame.height)
        return Receipt(chunk, first, games, (part,), round(engine, 3))


def _play_blocks(stage: _Stage, first: int, blocks: int, crew: Crew) -> tuple[pl.DataFrame, float]:
    # The rows of some blocks, by block, game and seat, and the CPU seconds that the engine took.
    design, seats = stage.design, stage.design.seats
    games, engine, unreported = design.games_per_block, 0.0, 0
    kept = np.empty((blocks, games, seats, len(KEPT)), np.int16)
    number = np.empty((blocks, games, 1), np.int64)
    policy, lineup = (np.empty((blocks, games, seats), np.int8) for _ in range(2))
    for place, dealing in enumerate(design.dealings):
        stretches = list(design.stretches(place, first, blocks))
        letters = stage.setting.lineups(dealing.shift)
        for game in range(games if stretches else 0):
            table, rotation = divmod(game, seats)
            seating = design.seating(table, rotation, dealing)
            replay = design.replay(table, rotation, dealing)
            began = time.thread_time()
            seated = [stage.policies[who] for who in seating]
            arena = stage.setting.arena(seated, stage.seed, dealing.shift, checked=stage.checked)
            for stretch, numbers in stretches:
                at, seeded = [block - first for block in stretch], design.seeded_number(numbers, replay)
                try:
                    played = arena.play(seeded, len(stretch)).seats.reshape(len(stretch), seats, -1)
                except IllegalAnswerError as error:
                    raise stage.setting.illegal_answer(error, seated) from None
                kept[at, game] = played[:, :, KEPT]
                number[at, game, 0] = range(seeded, seeded + len(stretch))
                policy[at, game], lineup[at, game] = seating, [LETTERS.find(letter or "?") for letter in letters]
                unreported += len(stretch)
            engine += time.thread_time() - began
            if unreported >= _REPORTED:
                crew.played(unreported)
                unreported = 0
    crew.played(unreported)
    block, index = np.arange(first, first + blocks)[:, None, None], np.arange(games)[:, None]
    values: dict[str, np.ndarray] = {
        "block": block, "game": block * games + index, "number": number, "company": index // seats,
        "seat": np.arange(seats), "policy": policy, "lineup": lineup,
    }  # fmt: skip
    return results_frame(values, kept, stage.words), engine
