"""What the report says of pairs of counties: those that were chosen, and what they bring in other games."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.plays import CASUAL
from wallsim.report.tables.estimates import in_words
from wallsim.studies.running import Result

from ..draft.pairs import TOGETHER, Judged, judged_pairs
from .counties import PLAYS

ONE_PLAYER, TWO_PLAYERS = "one player", "two players"  # who hold a pair

_CHOSEN = {True: "casual", False: "experienced"}


class Effect(NamedTuple):
    """What a pair brings in a kind of play, in VP beyond the worths of both: as a number and in words."""

    value: float
    text: str


class PairRow(NamedTuple):
    """Two counties: who holds them, for whom they were chosen, what they bring in the order of PLAYS, and a verdict."""

    names: tuple[str, str]
    held: str
    chosen: str
    effects: list[Effect]
    verdict: str

    @property
    def together(self) -> bool:
        """Whether one player holds both."""
        return self.held == ONE_PLAYER

    def other(self, name: str) -> str:
        """The county beside one of both."""
        one, other = self.names
        return other if name == one else one


def pair_rows(draft: Result) -> list[PairRow]:
    """The pairs of one player, then those of two; what brings most in the mean of all plays comes first."""
    rows = []
    for kind, by_group in judged_pairs(draft.figures, draft.design).items():
        found: dict[tuple[str, str], tuple[Judged, list[str]]] = {}
        for group, pairs in by_group.items():
            for each in pairs:
                found.setdefault(each.pair, (each, []))[1].append(_CHOSEN[group == CASUAL])
        made = [_row(each, ONE_PLAYER if kind == TOGETHER else TWO_PLAYERS, words) for each, words in found.values()]
        rows += sorted(made, key=lambda row: -sum(float(effect.value) for effect in row.effects))
    return rows


def _row(each: Judged, held: str, chosen: list[str]) -> PairRow:
    figures = [each.effects[play] for play in PLAYS]
    effects = [Effect(figure.value, in_words(figure.value, figure.ends, 2, "+")) for figure in figures]
    return PairRow(each.pair, held, ", ".join(chosen), effects, each.verdict)
