"""What another card on a box does: the same games, seats and luck, in which the experiment lays the card.

How the seats that lay a card fare says little about it, since they lay it for a reason. Here the card is laid by an
intervention (`do = "plan"`), once the seat has planned; where the seat laid it itself, the two games are the same.
`rows_of` has these effects beside all numbers of openings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.games.breakdown import Mean
from wallsim.analysis.openings.choices import BID, FIRST, NEXT, PASS, Choice, Opening, openings_of
from wallsim.engine.arena import Tables
from wallsim.engine.columns import columns_of
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run, run_experiment
from wallsim.rules.other_settings import settings_of
from wallsim.rules.terms import ACTIONS, ROUNDS
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

_SHARES = np.array([0.0, 1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5])  # by the number of seats that share the win, 0 for none


@dataclass(frozen=True)
class Forced:
    """The mean change of a seat's victory points and wins where a card is laid that it did not lay itself.

    `games` counts the games in which the plan changed, and are the blocks of the means; `same` those with the card
    there anyway, whose results are the same, and `not_laid` those where the card could not be laid. The intervals of
    one quantity hold together with those of the other cards of the box.
    """

    games: int
    same: int
    not_laid: int
    vp: Mean
    wins: Mean


class Gains(NamedTuple):
    """What a forced card changed: victory points and wins of the seat in the games whose plan changed, float64 [games].

    `same` counts the games in which the card lay there anyway, `not_laid` those where it could not be laid.
    """

    vp: np.ndarray
    wins: np.ndarray
    same: int
    not_laid: int

    def effect(self, confidence: Confidence) -> Forced:
        """The mean change, with intervals."""
        vp, wins = (_mean(gains, confidence) for gains in (self.vp, self.wins))
        return Forced(len(self.vp), self.same, self.not_laid, vp, wins)


def forced_effects(experiment: Experiment, opening: Opening, games: int) -> dict[tuple[str, str], Forced]:
    """The effect of each frequent card of an opening, by (box, card), in games 0 to `games` - 1 of an experiment.

    No bid is forced. InputError for games without line-ups: their seats begin with other counties in every game.
    """
    letters = experiment.ruleset().letters()
    if opening.lineup is None:
        raise InputError("forced: needs line-ups; in a draft or deal a seat begins with other counties in every game")
    seat = letters.index(opening.lineup)
    base = experiment.arena().play(0, games, plans=True)
    effects = {}
    for box in opening.boxes:
        confidence = Confidence(n_comparisons=max(1, len(box.frequent)))
        for choice in box.frequent if box.box != BID else ():
            gains = forced_gains(experiment, base, seat, box.box, choice.card)
            effects[box.box, choice.card] = gains.effect(confidence)
    return effects


def forced_step(seat: int, box: str, card: str) -> dict[str, str | int]:
    """The intervention that lays a card, or "pass", on a box of a seat's first plan."""
    return {"do": "plan", "box": box, "card": card, "seat": seat, "round": f"{FIRST} 1"}


def forced_gains(experiment: Experiment, base: Tables, seat: int, box: str, card: str) -> Gains:
    """What a card on a box of a seat's first plan changes in the games of `base`, which begin with game 0."""
    steps = (*experiment.interventions, forced_step(seat, box, card))
    other = experiment.changed(interventions=steps).arena().play(0, len(base.games), plans=True)
    before, after = (_laid(experiment, each, seat) for each in (base, other))
    changed = (before != after).any(axis=1)
    there = _is_card(experiment, before[:, ACTIONS.index(box)], card)
    vp, wins = (
        (_of_seat(experiment, other, seat, name) - _of_seat(experiment, base, seat, name))[changed]
        for name in ("vp", "win")
    )
    return Gains(vp, wins, int(there.sum()), int((~there & ~changed).sum()))


def _laid(experiment: Experiment, tables: Tables, seat: int) -> np.ndarray:
    """The cards of a seat's first plan: int16 [games, boxes], the bid last."""
    names = [column.name for column in columns_of("plans", experiment.expansions)]
    first = names.index(f"{ACTIONS[0]}_card")
    plans = tables.plans.reshape(-1, ROUNDS, experiment.players, len(names))
    return plans[:, 0, seat, first : first + len(ACTIONS) + 1]


def _is_card(experiment: Experiment, laid: np.ndarray, card: str) -> np.ndarray:
    counties = experiment.components().board.counties
    if card == PASS:
        return (laid < 0) | (laid >= len(counties))
    there: np.ndarray = laid == counties.index(card)
    return there


def _of_seat(experiment: Experiment, tables: Tables, seat: int, name: str) -> np.ndarray:
    """The victory points of a seat by game, or its wins."""
    names = [column.name for column in columns_of("seats", experiment.expansions)]
    values = tables.seats.reshape(-1, experiment.players, len(names))[:, seat, names.index(name)]
    numbers: np.ndarray = _SHARES[values] if name == "win" else values.astype(np.float64)
    return numbers


def _mean(gains: np.ndarray, confidence: Confidence) -> Mean:
    if not len(gains):
        return Mean(0.0, None)
    estimate = block_mean(gains)
    return Mean(estimate.value, estimate.interval(confidence))


Effects = Mapping[tuple[str, str], Forced]
Row = dict[str, Any]


@dataclass(frozen=True)
class Explored:
    """The openings of a run, and of each the effects of forced cards, empty if none were played."""

    run: Run
    openings: tuple[Opening, ...]
    effects: tuple[Effects, ...]


def explore(
    run: Run, *, lineup: str | None = None, policy: str | None = None, forced: int = 0, trust_code: bool = False
) -> Explored:
    """The openings of a run, of a line-up or policy if one is named.

    The first `forced` games are played again for every frequent card; 0 for none. `trust_code`: also with the Python
    policies in the folder. InputError if the run has no table `plans`, no such line-up or policy, fewer games, or, for
    forced cards, no line-ups; RunError if it is damaged or was played with another engine, policy, tower or board.
    """
    games = run.manifest["games"]
    if forced > games:
        raise InputError(f"forced: {forced} is not a whole number from 0 to {games}, the games in {run.folder}")
    openings = openings_of(run, lineup, policy)
    if not forced:
        return Explored(run, openings, tuple({} for _ in openings))
    experiment = run_experiment(run.folder, trust_code=trust_code)
    return Explored(run, openings, tuple(forced_effects(experiment, opening, forced) for opening in openings))


def rows_of(explored: Sequence[Explored]) -> Iterator[Row]:
    """Every number as a flat row; None where there is none, shares and wins between 0 and 1, intervals as pairs."""
    for each in explored:
        for opening, effects in zip(each.openings, each.effects, strict=True):
            common = {
                "run": str(each.run.folder), "not_default": "; ".join(settings_of(each.run.manifest)),
                "lineup": opening.lineup, "policy": opening.policy,
            }  # fmt: skip
            for box in opening.boxes:
                place = {"season": FIRST, "given_box": None, "given_card": None, "box": box.box}
                for choice in box.choices:
                    yield {**common, **place, **_numbers(choice), **_forced(effects.get((box.box, choice.card)))}
            for (given, card), boxes in opening.following.items():
                for box in boxes:
                    place = {"season": NEXT, "given_box": given, "given_card": card, "box": box.box}
                    for choice in box.choices:
                        yield {**common, **place, **_numbers(choice), **_forced(None)}


def flat(row: Row) -> Row:
    """A row with two columns in place of each interval, its ends."""
    result: Row = {}
    for name, value in row.items():
        if name.endswith("_interval"):
            stem = name.removesuffix("_interval")
            result[f"{stem}_low"], result[f"{stem}_high"] = (None, None) if value is None else value
        else:
            result[name] = value
    return result


def _numbers(choice: Choice) -> Row:
    return {
        "card": choice.card, "plans": choice.cases, "games": choice.games, "share": choice.share,
        "share_interval": choice.share_interval, "vp": choice.vp.mean, "vp_interval": choice.vp.interval,
        "wins": choice.wins.mean, "wins_interval": choice.wins.interval,
    }  # fmt: skip


def _forced(effect: Forced | None) -> Row:
    if effect is None or effect.games == 0:
        vp = wins = vp_interval = wins_interval = None
    else:
        vp, wins = effect.vp.mean, effect.wins.mean
        vp_interval, wins_interval = effect.vp.interval, effect.wins.interval
    return {
        "forced_games": None if effect is None else effect.games,
        "forced_same": None if effect is None else effect.same,
        "forced_vp": vp, "forced_vp_interval": vp_interval, "forced_wins": wins, "forced_wins_interval": wins_interval,
    }  # fmt: skip
