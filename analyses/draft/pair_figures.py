"""Pairs of counties as the register has them: chosen by some games, judged by others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures, figure_id

from .cells import DEAL, PLAYERS, Scope, in_cell
from .deals import Ground
from .figures import CHOSEN_BY, EFFECT
from .pairs import KINDS, Pair, candidates, groups_of

ADDS, COSTS, UNKNOWN = "adds", "costs", "depends on play, or is not known"


class Judged(NamedTuple):
    """A pair of one kind that was chosen for a group of plays, with its effect in the games that judge it, by play."""

    pair: Pair
    chosen: Figure
    effects: dict[str, Figure]

    @property
    def sides(self) -> dict[str, int]:
        """By play: 1 if the pair is known to bring points, -1 if it is known to cost some, 0 if neither is known."""
        return {play: side_of(figure.ends) for play, figure in self.effects.items()}

    @property
    def verdict(self) -> str:
        """What is known of the pair in all plays, in words."""
        return verdict_of(self.sides.values())


def verdict_of(sides: Iterable[int]) -> str:
    """What is known where something brings points (1), costs some (-1), or neither is known (0), in every play."""
    known = set(sides)
    return ADDS if known == {1} else COSTS if known == {-1} else UNKNOWN


def judged_pairs(figures: Figures, scope: Scope) -> dict[str, dict[str, list[Judged]]]:
    """The pairs by kind and by the first play of the group that they were chosen for, what brings most first."""
    ground, groups, result = Ground(in_cell(scope.home(DEAL))), groups_of(scope), {}
    plays = [play for group in groups.values() for play in group]
    for kind in KINDS:
        pairs = candidates(kind, ground)
        result[kind] = {name: _chosen(figures, kind, pairs, name, plays, scope.towers[0]) for name in groups}
    return result


def _chosen(figures: Figures, kind: str, pairs: list[Pair], group: str, plays: list[str], tower: str) -> list[Judged]:
    found = []
    for pair in pairs:
        key = figure_id(figures.study, CHOSEN_BY[kind], " and ".join(pair), players=PLAYERS, play=group, setup=DEAL)
        if (chosen := figures.get(key)) is not None:
            effects = {
                play: figures.of(EFFECT[kind], " and ".join(pair), players=PLAYERS, play=play, tower=tower, setup=DEAL)
                for play in plays
            }
            found.append(Judged(pair, chosen, effects))
    return sorted(found, key=lambda each: -each.effects[group].value)
