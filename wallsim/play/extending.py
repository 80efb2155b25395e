"""Adding games to a folder until an interval is short enough.

Chunks that are finished stay as they are; only the last one is played again if it was cut short. How games are judged
is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import NamedTuple, TypeVar, Unpack

from wallsim.experiment.chunks import ChunkLayout
from wallsim.experiment.experiment import Experiment
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.layout import scenario_folder
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.store import games_in
from wallsim.folder.tournament import TournamentRun
from wallsim.play.observer import How, Passing, RunObserver
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import chunk_blocks, play_tournament
from wallsim.play.tournament.tournament import Tournament

FIRST_LOOK = 300  # games; with fewer the variance of a rare difference is not known well enough
_FASTEST = 4  # times as many games at most from one look to the next, since the first looks know little

_SHOWN = ("finished_before", "compiling", "compiled", "begin", "played", "end")  # of tournaments

Results = TypeVar("Results")


class Look(NamedTuple):
    """What a look at the games so far says: whether they are enough, how many may be, and words for people."""

    enough: bool
    needed: float
    words: str


def grow_run(experiment: Experiment, folder: str | Path, judge: Callable[[Run], Look], **how: Unpack[How]) -> Run:
    """Play an experiment until `judge` says that the games are enough, at most its number of games.

    The same call resumes, and goes on from the games that the folder has. The other arguments and the errors are those
    of `play_run`; InputError also if the folder has more games already.
    """

    def play(games: int, finish: bool, how: How) -> Run:
        return play_run(experiment.changed(games=games), folder, grows=True, finish=finish, **how)

    return _grow(play, judge, [file_store(folder).folder], experiment.layout(), how)


def grow_scenarios(
    scenarios: ScenarioSet, folder: str | Path, judge: Callable[[Scenarios], Look], **how: Unpack[How]
) -> Scenarios:
    """Play scenarios, all of them the same numbers, until `judge` says that the games are enough; see `grow_run`.

    At most as many games are played as the experiment with the fewest has.
    """

    def play(games: int, finish: bool, how: How) -> Scenarios:
        parts = {name: each.changed(games=games) for name, each in scenarios.experiments.items()}
        return play_scenarios(replace(scenarios, experiments=parts), folder, grows=True, finish=finish, **how)

    runs = [scenario_folder(file_store(folder).folder, name) for name in scenarios.experiments]
    fewest = min(scenarios.experiments.values(), key=lambda experiment: experiment.games)
    return _grow(play, judge, runs, fewest.layout(), how)


def grow_tournament(
    tournament: Tournament, folder: str | Path, judge: Callable[[TournamentRun], Look], **how: Unpack[How]
) -> TournamentRun:
    """Play a tournament until `judge` says that the blocks are enough, at most its number of blocks; see `grow_run`.

    The ladder's own intervals do not allow for that, so every look is recorded in the folder. The other arguments and
    the errors are those of `play_tournament`.
    """
    each = tournament.design.games_per_block

    def play(games: int, finish: bool, how: How) -> TournamentRun:
        part = Tournament(tournament.policies, tournament.table, games // each)
        # That a tournament grows is what was asked for, so the warning about it is left out.
        silent: How = {**how, "observer": Passing(how["observer"] or RunObserver(), *_SHOWN)}
        run = play_tournament(part, folder, finish=finish, **silent)
        run.note_look()
        return run

    layout = ChunkLayout(tournament.blocks * each, chunk_blocks(tournament.design) * each)
    return _grow(play, judge, [file_store(folder).folder], layout, how)


def _grow(
    play: Callable[[int, bool, How], Results],
    judge: Callable[[Results], Look],
    folders: list[Folder],
    layout: ChunkLayout,
    how: How,
) -> Results:
    # The folder is finished only when the games are enough: after a kill nobody takes a look for the end.
    observer = how.get("observer") or RunObserver()
    with readable(folders[0]):
        there = max(map(games_in, folders))
    games = layout.end_of(max(FIRST_LOOK, there))
    while True:
        look = judge(play(games, False, {**how, "observer": observer}))
        observer.looked(games, look.words)
        if look.enough or games >= layout.games:
            return play(games, True, {**how, "observer": RunObserver()})
        # Whole chunks are never played twice.
        games = layout.end_of(max(games + 1, ceil(min(look.needed, _FASTEST * games))))
