"""Many answers of a policy counted, and compared with exact chances."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import chi_square_z
from tests.naive.scene import Scene
from tests.policies.seating import begin_round, box_names, mind_of
from wallsim.policies import decide
from wallsim.rules.terms import MONEY, MONEY_CARDS

LAND = ("Böhmen", "Passau", "Altmark", "Neumark", "Anhalt", "Hessen-Darmstadt", "Bremen", "Holstein", "Tirol",
        "Burgund", "Lüneburg", "Mecklenburg", "Mittelmark", "Osnabrück", "Vorpommern")  # fmt: skip


def owner_of(counties: int, thalers: int = 9, seat: int = 1, **switches) -> Scene:
    """A scene in which a seat holds the first so many counties and plans."""
    scene = Scene.start(tower=USUAL, **switches)
    for name in LAND[:counties]:
        scene.table.give(seat, name, 2)
    scene.table.players[seat].thalers = thalers
    return begin_round(scene)


def plans(scene: Scene, count: int, seat: int = 1) -> np.ndarray:
    """Many plans: cards by number, [count, boxes in play]; -1 for an empty box."""
    mind, boxes = mind_of(scene, seat), len(box_names(scene.table.rules))
    result = np.empty((count, boxes), np.int64)
    for drawn in range(count):
        decide.choose_plan(scene.game, scene.rules, mind, seat)
        result[drawn] = mind.plan[:boxes]
    return result


def cards_of(counties: int) -> list[int]:
    """The numbers of a seat's cards: counties, then money 0 to 4."""
    return [BOARD.counties.index(name) for name in LAND[:counties]] + [MONEY + value for value in range(MONEY_CARDS)]


def assert_uniform(seen, values, chances=None) -> None:
    """`seen` counts nothing but `values`, each with its chance; a single value is certain."""
    assert set(seen) <= set(values)
    assert len(values) == 1 or abs(chi_square_z([seen[value] for value in values], chances)) < 4


def count_answers(answer, count: int) -> Counter:
    """How often each answer came."""
    return Counter(answer() for _ in range(count))


def numbers(names, most: int) -> list[tuple[str, int]]:
    """Every (county, armies) from 1 to `most` armies."""
    return [(name, armies) for name in sorted(names) for armies in range(1, most + 1)]
