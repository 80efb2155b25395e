"""How strong the policies are: the tournaments and tables that the study `ladder` plays, and the estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims import plays
from wallsim.analysis.claims.cells import SETUPS
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.results import Findings, judge
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.runs.components import identity_hash, table_identity
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.setting import Setting
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament
from wallsim.runs.tuning.evaluation import Finding, held_out
from wallsim.runs.tuning.objective import Games
from wallsim.runs.workers import default_workers
from wallsim.stats.intervals import LEVEL
from wallsim.studies.audit_state import audit_in_progress
from wallsim.studies.study import Choices, Option, Storage
from wallsim.studies.two_lines import SECOND

EXPERIMENT = Path(__file__).with_name("experiment.toml")
# The taught policy and both lines of strong play at this table's size, those of before, some styles, casual and weak.
POLICIES = tuple(dict.fromkeys((
    plays.MASTER_POLICIES[4], plays.STRONG_POLICY, plays.SECOND_POLICY, *plays.EARLIER_POLICIES[4], "balanced",
    "conqueror", "builder", "farmer", "banker", plays.CASUAL_POLICY, "balanced-noise-32",
)))  # fmt: skip
BLOCKS = 192  # eight cycles of the design: more than intervals of all pairs need on both ladders, for their order
LEVEL_OF_BOTH = 1 - (1 - LEVEL) / len(SETUPS)  # of each ladder, where the intervals of both hold simultaneously
LINEUP, DRAFT = SETUPS  # also the folders of their tournaments
HOST = plays.MIDDLING_POLICY
GAMES, SEARCHES = 6_000, 800  # at each table with a strong policy, and at those with the search
NAMES = Option("policies", "", "comma-separated policies of the tournament, instead of those of the study")
OF_BLOCKS = Option("blocks", str(BLOCKS), "blocks of the tournament, and of that in the draft")
OF_SEARCHES = Option("searches", str(SEARCHES), "games of each table with the search")


class Design(NamedTuple):
    """The tournaments by set-up, and the tables beside them."""

    tournaments: dict[str, Tournament]
    visits: list[Visit]


class Ladder(NamedTuple):
    """The tournaments that were played, how often each was looked at, the results, and the tables beside."""

    runs: dict[str, TournamentRun]
    looks: dict[str, tuple[int, ...]]
    findings: Findings
    visits: list[tuple[Visit, Finding]]


def design(choices: Choices) -> Design:
    """What is played. InputError for invalid tournaments and unknown policies."""
    table = load_experiment(EXPERIMENT)
    names = [name.strip() for name in choices.option(NAMES).split(",") if name.strip()] or POLICIES
    blocks, searches = _count(choices, OF_BLOCKS), _count(choices, OF_SEARCHES)
    planned = visits(table, choices.games or GAMES, searches, choices.option(SECOND))
    return Design(by_setup(table, names, blocks), planned)


def _count(choices: Choices, option: Option) -> int:
    text = choices.option(option)
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise InputError(f"--set: {option.name}: {text!r} is not a whole number from 1")
    return int(text)


def play(design: Design, storage: Storage) -> Ladder:
    """Play the missing games, and judge the results."""
    runs = play_tournaments(design.tournaments, storage.folder)
    results = play_visits(load_experiment(EXPERIMENT), design.visits, storage)
    return Ladder(runs, {setup: run.note_look() for setup, run in runs.items()}, judge(runs[LINEUP]), results)


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: the tournaments and their blocks, the other tables, the resamples."""
    facts = {setup: {**each.identity(), "blocks": each.blocks} for setup, each in design.tournaments.items()}
    return {**facts, "resamples": RESAMPLES, "tables": [visit.hash for visit in design.visits]}


def by_setup(table: Experiment, names: Sequence[str], blocks: int) -> dict[str, Tournament]:
    """The tournament with line-ups and that in the draft. InputError for invalid tournaments."""
    return {setup: Tournament(names, table.changed(setup=setup), blocks) for setup in SETUPS}


def play_tournaments(tournaments: Mapping[str, Tournament], folder: Path) -> dict[str, TournamentRun]:
    """Play the missing games of both tournaments, each in a folder that has the name of its set-up."""
    places = {setup: folder / setup for setup in tournaments}
    if (audit := audit_in_progress()) is not None:
        for place in places.values():
            audit.folder(place)
    return {setup: play_tournament(tournament, places[setup]) for setup, tournament in tournaments.items()}


def rated(runs: Mapping[str, TournamentRun], resamples: int = RESAMPLES) -> dict[str, Ratings]:
    """Both ladders, with intervals that hold for all strengths of both simultaneously (Bonferroni)."""
    return {setup: rate(run.rows(), resamples=resamples, level=LEVEL_OF_BOTH) for setup, run in runs.items()}


class Visit(NamedTuple):
    """One seat of a policy against another policy: players, set-up, both names, games, and the hash of the settings."""

    players: int
    setup: str
    name: str
    host: str
    games: int
    hash: str


def visits(
    table: Experiment, games: int = GAMES, searches: int = SEARCHES, second: str = plays.SECOND_POLICY
) -> list[Visit]:
    """The tables beside the tournament, each with line-ups and in the draft. InputError for an unknown policy."""
    rivals, before = {**plays.SECOND_POLICIES, table.players: second}, plays.EARLIER_POLICIES
    tables = [
        (players, name, host, games)
        for players, strong in plays.STRONG_POLICIES.items()
        for name, host in pairs_at(plays.MASTER_POLICIES[players], strong, rivals.get(players), before[players])
    ]
    tables.append((table.players, plays.SEARCH_POLICY, plays.SEARCHED_POLICY, searches))
    result = []
    for (players, name, host, count), setup in product(tables, SETUPS):
        facts = {
            **table_identity(seated(table, players, setup).components()),
            "policies": [load_policy(name).identity(), load_policy(host).identity()],
        }
        # All visits are compared; their number keeps the old key `together`, so that earlier games are still found.
        key = identity_hash({**facts, "games": count, "seed": table.seed, "together": len(tables) * len(SETUPS)})
        result.append(Visit(players, setup, name, host, count, key))
    return result


def pairs_at(master: str, strong: str, rival: str | None, earlier: Sequence[str]) -> list[tuple[str, str]]:
    """Who sits alone among whom: taught policy and lines among HOST, the strong policies of before, and the lines."""
    lines = [strong] if rival is None else [strong, rival]
    hosts = dict.fromkeys((HOST, *earlier, *lines))
    return [(name, host) for name in (master, *lines) for host in hosts if name != host]


def seated(table: Experiment, players: int, setup: str) -> Experiment:
    """The table with another number of seats and another set-up."""
    return table.changed(players=players, policies=(HOST,) * players, setup=setup)


def play_visits(table: Experiment, planned: Sequence[Visit], storage: Storage) -> list[tuple[Visit, Finding]]:
    """The result of each visit; all intervals hold simultaneously. Finished visits are cached."""
    return [(visit, _cached(table, visit, len(planned), storage)) for visit in planned]


def _cached(table: Experiment, visit: Visit, comparisons: int, storage: Storage) -> Finding:
    workers = default_workers() if storage.workers is None else storage.workers

    def played(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        evaluator = Games(Setting(seated(table, visit.players, visit.setup)), workers)
        [finding] = held_out(
            evaluator, load_policy(visit.name), [("host", load_policy(visit.host))],
            seats=visit.players, games=visit.games, seed=table.seed, turn=0, n_comparisons=comparisons,
        )  # fmt: skip
        return {name: np.array(value) for name, value in finding.fields().items()}

    result = storage.cache.get("one seat", {"table": visit.hash, "name": visit.name, "host": visit.host}, played)
    return Finding.from_fields({name: value.item() for name, value in result.items()})
