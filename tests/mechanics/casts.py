"""Towers and their casts: the same one again and again, by colour and floor, and whether it follows a distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

from tests.naive.rng import chi_square_z
from tests.naive.scene import Scene
from wallsim.engine.casting import CastingBench
from wallsim.mechanics.tower import cast
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import Independent, Layered, TowerModel, TowerParameters, Urn, load_tower, tower_presets
from wallsim.state.random import key_game, key_streams

PLACES = (1, PEASANTS, 3)  # the colours that a short tuple of cubes stands for
CASTS = 20_000

BOX = (62, 62, 62, 62, 62, 20)  # B0.2
PRESETS = {name: load_tower(name).parameters for name in tower_presets()}
EDGES = {
    "all that is thrown falls": Independent(1.0, 0.0),
    "nothing falls": Independent(0.0, 0.0),
    "only what was inside falls": Independent(0.0, 1.0),
    "urn that keeps all": Urn(1.0, 1e6, 0.0, 0.0, phi=1.0, clump=10.0),
    "urn that spills all": Urn(1.0, 1e6, 10.0, 3.0, phi=1.0),
    "urn of one": Urn(1.0, 1.0, 0.5, -1.0, alpha=0.1),
    "four wide floors": Layered((1000,) * 4, (1.0, 0.5, 0.9, 0.8), (1.0,) * 4, 0.9, 0.5, 1.0),
    "four floors that spill": Layered((83,) * 4, (1.0,) * 4, (1.0,) * 4, 0.99, 1.0, 1.0),
    "four floors and clumps": Layered((90, 80, 40, 200), (0.9,) * 4, (1.0,) * 4, 0.5, 0.2, 3.0),
    "one cell a floor": Layered((1,) * 4, (1.0,) * 4, (1.0,) * 4, 0.0, 0.5),
    "one cell": Layered((1,), (0.5,), (0.5,)),
}
PARAMETERS = {**PRESETS, **EDGES}
each_model = pytest.mark.parametrize("model", PARAMETERS.values(), ids=PARAMETERS)
Cubes = tuple[int, ...]


def scene_of(model: TowerParameters, players: int = 5) -> Scene:
    """An empty table with a tower of its own."""
    return Scene.start(players, tower=TowerModel("own", model))


def lay(cubes: Iterable[int], where) -> None:
    """Count cubes of the first few of PLACES in an array by colour."""
    where[:] = 0
    for place, number in zip(PLACES, cubes, strict=False):
        where[place] = number


def lay_in(game, inside) -> None:
    """Put cubes into the tower: a tuple by colour, or one a floor."""
    game.floor[:, :] = 0
    if inside and isinstance(inside[0], tuple):
        for floor, cubes in enumerate(inside):
            lay(cubes, game.floor[floor])
        game.tower[:] = game.floor.sum(axis=0)
    else:
        lay(inside, game.tower)


def seen(model: TowerParameters, thrown: Cubes, inside: Cubes, casts: int = CASTS, seed: int = 1) -> Counter:
    """How often what falls out of a tower with these cubes inside, by colour; compiled, so that casts may be many."""
    fallen = CastingBench(TowerModel("own", model)).repeat(six(thrown), six(inside), casts, seed=seed)
    return Counter(map(tuple, fallen[:, PLACES[: len(thrown)]].tolist()))


def seen_on_floors(
    model: Layered, thrown: Cubes, floors: tuple[Cubes, ...], casts: int = 5000, seed: int = 1
) -> Counter:
    """How often what lies on the floors after a cast into a tower with these; a tuple by colour per floor."""
    game, rules = (scene := scene_of(model)).game, scene.rules
    key_game(game, seed, 0)
    key_streams(game, 1)
    result, colours = Counter(), PLACES[: len(thrown)]
    start = np.zeros((2, COLOURS), np.int64)
    lay([number // 2 for number in thrown], start[0])  # what lies in the tray is thrown with the rest (B6.1)
    lay([number - number // 2 for number in thrown], start[1])
    lay_in(game, floors)
    inside, before = game.tower.copy(), game.floor.copy()
    for _ in range(casts):
        game.tray[:], game.engaged[:], game.tower[:], game.floor[:] = start[0], start[1], inside, before
        cast(game, rules)
        result[game.floor.tobytes()] += 1
    shape = game.floor.shape

    def decoded(raw):
        lying = np.frombuffer(raw, np.int64).reshape(shape)[: len(floors), colours]
        return tuple(map(tuple, lying.tolist()))

    return Counter({decoded(raw): number for raw, number in result.items()})


def assert_follows(result: Counter, chances: Mapping) -> None:
    """No impossible outcome, and by Pearson's test the expected chances; rare outcomes are pooled."""
    casts = sum(result.values())
    chances = {outcome: float(chance) for outcome, chance in chances.items() if chance}
    assert abs(sum(chances.values()) - 1) < 1e-9
    assert not set(result) - set(chances), "what cannot happen happened"
    rare = [outcome for outcome, chance in chances.items() if chance * casts < 10]
    counts = {outcome: result[outcome] for outcome in chances if outcome not in rare}
    likely = {outcome: chances[outcome] for outcome in counts}
    left, others = sum(chances[outcome] for outcome in rare), sum(result[outcome] for outcome in rare)
    home = "others" if left * casts >= 10 else min(likely, key=likely.__getitem__)
    counts[home], likely[home] = counts.get(home, 0) + others, likely.get(home, 0.0) + left
    if len(likely) > 1:
        assert abs(chi_square_z([*counts.values()], [*likely.values()])) < 4


def assert_equal_counts(result: Counter, others: Counter) -> None:
    """Two samples of the same size come from one distribution, by Pearson's test; rare outcomes are pooled."""
    assert sum(result.values()) == sum(others.values())
    rare = Counter()
    pairs = []
    for outcome in result | others:
        if result[outcome] + others[outcome] >= 20:
            pairs.append((result[outcome], others[outcome]))
        else:
            rare += Counter({"found": result[outcome], "others": others[outcome]})
    if rare.total() >= 20:
        pairs.append((rare["found"], rare["others"]))
    assert len(pairs) > 2
    # Given its sum, each pair is a draw of even chances; that the sizes are equal takes one degree of freedom.
    statistic = sum((one - other) ** 2 / (one + other) for one, other in pairs)
    freedom = len(pairs) - 1
    spread = 2 / (9 * freedom)
    assert abs(((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5) < 4


def six(cubes: Iterable[int]) -> list[int]:
    """A short tuple of cubes as counts of six colours."""
    counts = np.zeros(COLOURS, np.int64)
    lay(cubes, counts)
    return [int(number) for number in counts]


def box_in(model, inside, seed=0):
    """A scene in which a share of the whole box is inside as far as there is room, and all the rest is thrown."""
    scene = scene_of(model)
    game, rng = scene.game, np.random.default_rng(seed)
    cubes = rng.permutation(np.repeat(np.arange(6), BOX))[: round(inside * sum(BOX))]
    if isinstance(model, Layered):
        places = rng.permutation(np.repeat(np.arange(len(model.cells)), model.cells))
        for floor, colour in zip(places, cubes, strict=False):
            game.floor[floor, colour] += 1
        game.tower[:] = game.floor.sum(axis=0)
    else:
        game.tower[:] = np.bincount(cubes, minlength=6)
    game.engaged[:] = (BOX - game.tower) // 2
    game.tray[:] = BOX - game.tower - game.engaged
    key_game(game, 5, seed)
    key_streams(game, 2)
    return scene
