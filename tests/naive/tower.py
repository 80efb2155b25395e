"""The three models of the dice tower, cube by cube in plain Python, and logs of casts made with them.

A cast takes a NumPy generator, a tower's parameters and the cubes of each colour, and gives those that fall out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp

import numpy as np

from wallsim.analysis.tower.casts import CastLog
from wallsim.rules.tower import Independent, Layered, Urn

COLOURS = ("red", "blue", "yellow", "purple", "green")  # four players and the peasants
PEASANTS = 4
FILL = (7, 7, 7, 7, 10)

Cubes = tuple[int, ...]
Cast = Callable[[Cubes, Cubes], Cubes]  # thrown, held -> fallen


def independent_cast(rng: np.random.Generator, model: Independent, thrown: Cubes, held: Cubes) -> Cubes:
    """Every cube by itself."""
    return tuple(int(rng.binomial(n, model.p) + rng.binomial(s, model.q)) for n, s in zip(thrown, held, strict=True))


def urn_cast(rng: np.random.Generator, model: Urn, thrown: Cubes, held: Cubes) -> Cubes:
    """First the cubes inside come loose, then the thrown ones fall one by one in random order."""
    force = rng.gamma(1 / model.phi, model.phi) if model.phi > 0 else 1.0
    release = 1 - exp(-force * model.kappa * sum(thrown) ** model.beta)
    fallen = [sum(rng.random() < release for _ in range(number)) for number in held]
    inside = sum(held) - sum(fallen)
    for colour, luck in _in_clumps(rng, _shuffled(rng, thrown), model.clump):
        if luck < model.retention * max(0.0, 1 - (inside / model.capacity) ** model.alpha):
            inside += 1
        else:
            fallen[colour] += 1
    return tuple(fallen)


def layered_cast(rng: np.random.Generator, model: Layered, thrown: Cubes, floors: list[list[int]]) -> Cubes:
    """Floor by floor, the arrivals in order; `floors` holds the colours of the cubes on each and is changed.

    A cube that was knocked loose is in no clump: on the next floor it has a luck of its own.
    """
    arriving = []
    clump = -1
    for colour in _shuffled(rng, thrown):
        clump += clump < 0 or rng.random() < 1 / model.clump
        arriving.append((colour, clump))
    for held, cells, stick, knock in zip(floors, model.cells, model.stick, model.knock, strict=True):
        going_on, lucks = [], {}
        for colour, clump in arriving:
            luck = rng.random() if clump is None else lucks.setdefault(clump, rng.random())
            share = len(held) / cells
            if luck < stick * (1 - share):
                held.append(colour)
            elif luck < stick * (1 - share) + knock * share:
                knocked = 1
                while knocked < len(held) and rng.random() < model.cascade:
                    knocked += 1
                for _ in range(knocked):
                    going_on.append((held.pop(int(rng.integers(len(held)))), None))
                if rng.random() < model.swap:
                    held.append(colour)
                else:
                    going_on.append((colour, clump))
            else:
                going_on.append((colour, clump))
        arriving = going_on
    return tuple(sum(colour == other for other, _ in arriving) for colour in range(len(thrown)))


def _shuffled(rng: np.random.Generator, thrown: Cubes) -> list[int]:
    return [int(colour) for colour in rng.permutation(np.repeat(np.arange(len(thrown)), thrown))]


def _in_clumps(rng: np.random.Generator, cubes: list[int], clump: float) -> Iterable[tuple[int, float]]:
    luck = rng.random()
    for place, cube in enumerate(cubes):
        if place and rng.random() < 1 / clump:
            luck = rng.random()
        yield cube, luck


def game_log(rng: np.random.Generator, cast: Cast, games: int = 1, battles: int = 45) -> CastLog:
    """Logs of games of four: a fill, then battles, each with the tray's cubes of colours that did not fight before.

    2 to 6 attackers against another player's 1 to 4 (55 %), 1 to 3 of neutral peasants (35 %), or a revolt (10 %).
    """
    rows = []
    for game in range(games):
        held: Cubes = (0,) * len(COLOURS)
        tray, event, thrown = [0] * len(COLOURS), "fill", FILL
        for number in range(battles + 1):
            fights: set[int] = set()
            if number:
                attacker, luck = int(rng.integers(4)), rng.random()
                defender = (attacker + int(rng.integers(1, 4))) % 4 if luck < 0.55 else PEASANTS
                event, fights = ("revolt" if luck >= 0.9 else "battle"), {attacker, defender}
                hand = list(tray)
                hand[attacker] += int(rng.integers(2, 7))
                hand[defender] += int(rng.integers(1, 5 if defender != PEASANTS else 4))
                thrown = tuple(hand)
            fallen = cast(thrown, held)
            rows.append((f"game {game + 1}", event, thrown, fallen))
            held = tuple(s + n - y for n, s, y in zip(thrown, held, fallen, strict=True))
            # What fought leaves the tray, the survivors for the board, the dead for the supply; what the fill let out
            # goes back to its supply (B1.6).
            tray = [0 if colour in fights or not number else fallen[colour] for colour in range(len(COLOURS))]
    return CastLog.of(COLOURS, *zip(*rows, strict=True))


def bench_log(rng: np.random.Generator, cast: Cast, casts: int = 200) -> CastLog:
    """The log of a bench session: eight batches of six cubes to fill, then 1 to 14 cubes a cast, a colour a cast."""
    rows = []
    held: Cubes = (0,) * len(COLOURS)
    for number in range(8 + casts):
        hand = [0] * len(COLOURS)
        hand[number % len(COLOURS)] = 6 if number < 8 else int(rng.integers(1, 15))
        fallen = cast(tuple(hand), held)
        rows.append(("bench", "bench", tuple(hand), fallen))
        held = tuple(s + n - y for n, s, y in zip(hand, held, fallen, strict=True))
    return CastLog.of(COLOURS, *zip(*rows, strict=True))
