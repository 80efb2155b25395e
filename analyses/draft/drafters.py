"""Drafts: by the default, and by drafters, which pick by a rule and leave all else to the policy whose seat they take.

Two files of code, `random_drafter.py` and `table_drafter.py`, answer the draft's questions as any custom policy does.
The second goes by a table, which is written into a copy of it, since the file of a policy is self-contained.

Rivals: every set of seats drafts by the table of its kind of play, the others by default, in drafts of the same
numbers. So a seat that changes to the table is compared with itself, by how many others draft by the table. The
response is a table that is estimated from drafts in which all seats go by the first one, and is tried on drafts of
another seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import SOURCES
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.commit import write_whole
from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.rules.terms import COUNTIES
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.study import Storage

from . import deals
from .deals import DRAFT, NEIGHBOURS, NOBODY, PLAYERS, Deals, Ground, PickTable, Scope, Worths, apart, in_cell

DRAFTERS = RANDOM, YIELDS, ALONE, WITH_OWN, TABLE, SAME = (
    "random picks", "printed yields", "the table without neighbours", "the table with own neighbours", "the table",
    "a table of the same play",
)  # fmt: skip
RANDOM_CODE, TABLE_CODE = (Path(__file__).with_name(f"{name}_drafter.py") for name in ("random", "table"))
FITTED, JUDGED = 2, 3  # from the seed of drafts to that of the response's drafts, and to that of those that judge
ONE_MORE = {"points": "one-more-by-the-table", "wins": "one-more-by-the-table-in-wins"}
RESPONSE = {"points": "response", "wins": "response-in-wins"}
ALL_LESS_NONE, SAME_WORTHS, BORDERS = "all-by-the-table", "response-correlation", "response-border"
TABLES = ("the table", "the response")


class Drafts(NamedTuple):
    """Drafted games: points and wins in per cent, float64 [games, seats], and who picked what.

    `first` is the seat that picked first and `opened` the open county it took, NOBODY if it took the deck's top, both
    [games]; `taken` says whether each county was drafted, bool [games, counties].
    """

    points: np.ndarray
    wins: np.ndarray
    first: np.ndarray
    opened: np.ndarray
    taken: np.ndarray

    def by_place(self, what: str) -> np.ndarray:
        """`points` above the table's mean, or `wins` above the fair share, by place in the order of picks.

        Each relative to its seat's mean, float64 [games, places].
        """
        values = apart(getattr(self, what))
        places = (self.first[:, None] + np.arange(values.shape[1])) % values.shape[1]
        return np.asarray(np.take_along_axis(values - values.mean(axis=0), places, axis=1))

    @property
    def first_less_last(self) -> Estimate:
        """The points of the first to pick less those of the last."""
        points = self.by_place("points")
        return block_mean(points[:, 0]) - block_mean(points[:, -1])


def open_cards(experiment: Experiment, games: int, storage: Storage) -> np.ndarray:
    """The two counties that lie open at the first turn of drafts, games from 0 on, int8 [games, 2].

    A deal hands out the same deck from its top, first to seat 0; so any policy's deals of these games show them.
    """
    dealt = experiment.changed(policies=("random",) * experiment.players, setup="deal")

    def keep(tables: Tables, count: int) -> dict[str, np.ndarray]:
        rows = tables.counties
        held = rows[(rows[:, deals.ROW["seat"]] == 0) & np.isin(rows[:, deals.ROW["pick"]], (1, 2))]
        return {"cards": np.asarray(held[:, deals.ROW["county"]].reshape(count, 2), np.int8)}

    return deals.stored(storage, "open cards", dealt, games, keep, named="open_cards")["cards"]


def drafts_of(experiment: Experiment, games: int, storage: Storage) -> Drafts:
    """Play drafts, games from 0 on of an experiment."""
    players = experiment.players

    def keep(tables: Tables, count: int) -> dict[str, np.ndarray]:
        begins = tables.counties[tables.counties[:, deals.ROW["draft_turn"]] == 1]
        picker, opened = np.zeros(count, np.int8), np.full(count, NOBODY, np.int8)
        picker[begins[:, deals.ROW["game"]]] = begins[:, deals.ROW["seat"]]
        shown = begins[begins[:, deals.ROW["source"]] == SOURCES.index("shown")]
        opened[shown[:, deals.ROW["game"]]] = shown[:, deals.ROW["county"]]
        taken = deals.started(tables, count).owner != NOBODY
        return Drafts(deals.points_of(tables, players), deals.wins_of(tables, players), picker, opened, taken)._asdict()

    return Drafts(**deals.stored(storage, "drafts", experiment, games, keep))


def taken_when_open(drafts: Sequence[Drafts], cards: np.ndarray) -> np.ndarray:
    """How often the first to pick takes a county that lies open, in per cent, [counties]; nan for one that never does.

    `cards` are the open cards of the games of each of the drafts.
    """
    opened = np.concatenate([each.opened for each in drafts])
    counts = np.bincount(opened[opened != NOBODY], minlength=COUNTIES)
    shown = len(drafts) * np.bincount(cards.ravel(), minlength=COUNTIES)
    return np.asarray(np.divide(100.0 * counts, shown, out=np.full(COUNTIES, np.nan), where=shown > 0))


def drafted(drafts: Sequence[Drafts]) -> np.ndarray:
    """In how many games each county is drafted, in per cent, [counties]."""
    return np.asarray(100 * np.mean([each.taken.mean(axis=0) for each in drafts], axis=0))


def by_table(table: PickTable, ground: Ground, path: Path) -> Policy:
    """Picks by a table, which is written into a file of code at `path` for the ground that it was estimated on.

    Worths hold with neighbours as a deal brings them; the file counts neighbours itself, so the expected ones are taken
    out. A border costs both its seats, so what it costs against the table's mean is less than what it costs.
    InputError for a table of other counties.
    """
    if set(table.counties) != set(ground.names):
        raise InputError("picks: the table is of other counties than those in play")
    each = np.array([table.neighbours[name] for name in NEIGHBOURS])
    worth = np.zeros(COUNTIES)
    worth[ground.counties] = [table.counties[name] for name in ground.names] - each @ ground.expected
    own, foreign, region = each
    foreign *= (ground.players - 2) / (ground.players - 1)
    numbers = ", ".join(f"{value:.6f}" for value in worth)
    text = TABLE_CODE.read_text("utf-8")
    begin, end = text.index("\n", text.index("# The table: ")) + 1, text.index("# End of the table.")
    lines = f"WORTH = np.array([{numbers}])\n"
    lines += f"OWN_NEIGHBOUR, OTHER_NEIGHBOUR, SAME_REGION = {own:.6f}, {foreign:.6f}, {region:.6f}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (text[:begin] + lines + text[end:]).encode())
    return read_policy(path)


def yields_of(ground: Ground) -> PickTable:
    """A table that counts the printed Thalers and grain of a card, and nothing else."""
    total = ground.board.tax[ground.counties] + ground.board.grain[ground.counties]
    return PickTable(dict(zip(ground.names, map(float, total), strict=True)), dict.fromkeys(NEIGHBOURS, 0.0))


def policies_of(tables: Mapping[str, PickTable], ground: Ground, folder: Path) -> dict[str, Policy]:
    """The drafters by some tables, with files of code in a folder, and the one that picks at random, by name."""
    written = {name: by_table(each, ground, folder / f"{name.replace(' ', '-')}.py") for name, each in tables.items()}
    return {**written, RANDOM: read_policy(RANDOM_CODE)}


def table_of(experiment: Experiment, drafters: Sequence[Policy | None], checked: bool = False) -> Arena:
    """A table where each seat drafts as its drafter does, None for its own policy, and plays on as its policy does.

    With `checked` every answer is compared with the rules.
    """
    parts = experiment.components()
    policies = tuple(
        own if each is None
        else replace(own, name=f"{each.name} {own.name}", answers={**own.answers, **each.answers},
                     code=own.code + each.code)
        for own, each in zip(parts.policies, drafters, strict=True)
    )  # fmt: skip
    return replace(parts, policies=policies).arena(experiment.seed, checked=checked)


def drafted_by(
    experiment: Experiment, drafters: Sequence[Policy | None], games: int, workers: int | None
) -> dict[str, np.ndarray]:
    """Games from 0 on of such a table: `points` above the table's mean, wins, and the tables' mean points."""

    def keep(tables: Tables, _: int) -> dict[str, np.ndarray]:
        points, wins = deals.points_of(tables, experiment.players), deals.wins_of(tables, experiment.players)
        return {"points": apart(points), "wins": wins, "means": points.mean(axis=1)}

    return deals.played(table_of(experiment, drafters), games, keep, workers, counties=False)


def matches(
    experiment: Experiment, drafter: Policy, games: int, storage: Storage,
    before: Drafts | None = None, others: Policy | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """What drafting so brings one seat against the others, the mean over all seats: `points` and `wins` by game.

    Points are those above the table's mean, wins in per cent, both less those of the same seat drafting as the others
    do: by default, or as `others`. `before` are the games without the drafter, which else are played. Between equal
    policies these are 0 and the fair share.
    """
    seats = range(experiment.players)

    def play(_: object) -> dict[str, np.ndarray]:
        if before is None:
            one = drafted_by(experiment, [others for _ in seats], games, storage.workers)
        else:
            one = {"points": apart(before.points[:games]), "wins": before.wins[:games]}
        gained = []
        for seat in seats:
            among = [drafter if each == seat else others for each in seats]
            other = drafted_by(experiment, among, games, storage.workers)
            gained.append([(other[what] - one[what])[:, seat] for what in ONE_MORE])
        return dict(zip(ONE_MORE, np.mean(gained, axis=0), strict=True))

    codes = {"code": drafter.code} if others is None else {"code": others.code, "response": drafter.code}
    counted = "matches" if others is None else "response"
    return storage.cache.get(counted, {"experiment": experiment, "games": games, **codes}, play)


def in_table(scope: Scope, play: str, players: int, shift: int) -> Experiment:
    """Drafts of a play under the first tower; `shift` is FITTED or JUDGED."""
    experiment = in_cell(Cell(play, scope.towers[0], DRAFT), players)
    return experiment.changed(seed=experiment.seed + shift)


def of_rivals(scope: Scope, worths: Mapping[int, Worths], files: Path, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """What one more table drafter gains by number of others, and what the responses gain; files of code in `files`."""
    for (players, games), play in product(scope.rivals.items(), scope.at_tables):
        of_size, cell = worths[players], Cell(play, scope.towers[0], DRAFT)
        first, name = of_size.table(of_size.mean(play)), f"{play.replace(' ', '-')}-{players}p"
        drafter = by_table(first, of_size.ground, files / f"{name}.py")
        experiment = in_table(scope, play, players, JUDGED)
        gains = gains_of(experiment, drafter, games, storage)
        for what, quantity in ONE_MORE.items():
            for others, values in enumerate(gains[what]):
                yield Key(quantity, f"{others} others", players, cell), block_mean(values)
        yield Key(ALL_LESS_NONE, "", players, cell), block_mean(gains["means"][-1] - gains["means"][0])
        if players == PLAYERS:
            second = response_to(in_table(scope, play, players, FITTED), drafter, scope.deals, storage)
            response = by_table(second, of_size.ground, files / f"{name}-response.py")
            gained = matches(experiment, response, games, storage, others=drafter)
            for what, quantity in RESPONSE.items():
                yield Key(quantity, "", players, cell), block_mean(gained[what])
            one, other = ([table.counties[county] for county in first.counties] for table in (first, second))
            yield Key(SAME_WORTHS, "", players, cell), Number(float(np.corrcoef(one, other)[0, 1]))
            for item, table in zip(TABLES, (first, second), strict=True):
                yield Key(BORDERS, item, players, cell), Number(table.neighbours[deals.BORDER])


def gains_of(experiment: Experiment, drafter: Policy, games: int, storage: Storage) -> dict[str, np.ndarray]:
    """What one more seat gains that drafts as `drafter` does, over all seats and all sets of others who do so, too.

    By number of these others, float64 [others, blocks]: `points` are above the table's mean and `wins` in percentage
    points, each against the same seat drafting by default. `means` are a seat's mean points by number of table
    drafters, [players + 1, blocks].
    """
    players = experiment.players

    def play(_: object) -> dict[str, np.ndarray]:
        tables: dict[tuple[bool, ...], dict[str, np.ndarray]] = {}
        for chosen in product((False, True), repeat=players):
            seated = [drafter if each else None for each in chosen]
            tables[chosen] = drafted_by(experiment, seated, games, storage.workers)
        gained: list[list[list[np.ndarray]]] = [[] for _ in range(players)]
        for chosen, seat in product(tables, range(players)):
            if not chosen[seat]:
                before, after = tables[chosen], tables[*chosen[:seat], True, *chosen[seat + 1 :]]
                gained[sum(chosen)].append([(after[what] - before[what])[:, seat] for what in ONE_MORE])
        changes = np.array([np.mean(each, axis=0) for each in gained])  # [others, points or wins, games]
        means = [[one["means"] for chosen, one in tables.items() if sum(chosen) == number]
                 for number in range(players + 1)]  # fmt: skip
        return {**dict(zip(ONE_MORE, changes.swapaxes(0, 1), strict=True)),
                "means": np.array([np.mean(each, axis=0) for each in means])}  # fmt: skip

    return storage.cache.get("table drafters", {"experiment": experiment, "games": games, "code": drafter.code}, play)


def response_to(experiment: Experiment, drafter: Policy, games: int, storage: Storage) -> PickTable:
    """The table that drafts give in which all seats draft as `drafter` does, estimated as that of dealt games."""

    def keep(tables: Tables, count: int) -> dict[str, np.ndarray]:
        points = deals.points_of(tables, experiment.players).astype(np.int16)
        return {"points": points, **deals.started(tables, count)._asdict()}

    def play(_: object) -> dict[str, np.ndarray]:
        return deals.played(table_of(experiment, [drafter] * experiment.players), games, keep, storage.workers)

    facts = {"experiment": experiment, "games": games, "code": drafter.code}
    found = storage.cache.get("drafts by a table", facts, play)
    cell, points = Cell("any", experiment.tower, DRAFT), found["points"].astype(np.float64)
    result = deals.estimated(Ground(experiment), Deals(found["owner"], found["armies"]), {cell: points})
    return result.table(result.fits[cell])
