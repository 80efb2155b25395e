"""What is done to folders of every kind, as data: it is killed at every step, and loses power at every step."""

import warnings
from dataclasses import dataclass, replace

from tests.cli.commands import wallsim
from tests.cli.searches import TINY, tiny
from tests.folder.failures.making import CUP, KINDS, PLAIN, SET, cup, published, repaired
from tests.folder.mishaps import flip_a_bit
from wallsim.folder.merge import merge
from wallsim.play.extending import Look, grow_run, grow_scenarios, grow_tournament
from wallsim.play.play import play_run, play_slice
from wallsim.play.scenarios.play import play_scenario_slices
from wallsim.play.tournament.tournament import Tournament

GROWING = PLAIN.model_copy(update={"games": 900, "chunk": 300})


def nothing(folder):
    """What some folders have before, and need afterwards."""


def fewer_games(folder):
    play_run(PLAIN.model_copy(update={"games": 3}), folder)


def slices(folder):
    play_slice(PLAIN, folder, (0, 3))
    play_slice(PLAIN, folder, (1, 3))


def damaged(folder):
    """A finished run of which something in every kind of file is damaged."""
    play_slice(PLAIN, folder, (1, 3))
    play_run(PLAIN, folder)
    for name in ("seats/part-000000.parquet", "experiment.toml", "journal-1-of-3.jsonl", "manifest.json"):
        flip_a_bit(folder / name)
    (folder / "codebook.md").unlink()
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"chunk": 1')


def halves(folder):
    """Two folders beside it, each with a half of the games."""
    for number in (0, 1):
        play_slice(PLAIN, folder.parent.parent / f"half-{number}", (number, 2))


def merged(folder):
    """Both halves in one folder."""
    merge(folder, [folder.parent.parent / f"half-{number}" for number in (0, 1)])


def enough(games):
    """Judges games to be enough from a number on."""
    return lambda result: Look(result.manifest["games"] >= games, games, "")


def grown(folder):
    grow_run(GROWING, folder, enough(600), workers=1)


def grown_set(folder):
    both = replace(SET, experiments={name: GROWING.changed(seed=seed) for name, seed in (("a", 1), ("b", 2))})
    grow_scenarios(both, folder, lambda result: enough(600)(result.runs["b"]), workers=1)


def more_blocks(folder):
    with warnings.catch_warnings(action="ignore"):  # about intervals
        cup(folder, 9)


def grown_cup(folder):
    wanted = Tournament(CUP.policies, CUP.table, 60)
    published(grow_tournament(wanted, folder, enough(2 * 72), workers=1))


@dataclass(frozen=True)
class Case:
    """A command that dies and is repeated, what lies in the folder before, and what finishes it afterwards."""

    act: object
    before: object = nothing
    finish: object = nothing
    least: int = 5  # steps


CASES = {
    **{name: Case(kind.finish) for name, kind in KINDS.items()},
    "more games": Case(KINDS["run"].finish, fewer_games),
    "until": Case(grown),
    "slice": Case(lambda folder: play_slice(PLAIN, folder, (2, 3), workers=1), slices, repaired, least=2),
    "gather": Case(repaired, slices),
    "repair": Case(repaired, damaged),
    "merge": Case(merged, halves, repaired),
    "scenarios until": Case(grown_set),
    "scenario slices": Case(
        lambda folder: play_scenario_slices(SET, folder, (0, 2), workers=1), finish=repaired
    ),
    "more blocks": Case(more_blocks, cup),
    "tournament until": Case(grown_cup),
}  # fmt: skip
WORDS = ("tournament", "random,heedless", "--players", "3", "--blocks", "6", "--workers", "1")
COMMANDS = {
    **{command: Case(lambda folder, command=command: tiny(command, folder)) for command in TINY},
    "tournament": Case(lambda folder: wallsim(*WORDS, "--out", str(folder))),
}
