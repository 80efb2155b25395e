"""The openings of a run with the effects of forced cards, and all their numbers as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wallsim.analysis.games.setups import settings_of
from wallsim.analysis.openings.choices import Choice, Opening, openings_of
from wallsim.analysis.openings.forced import Forced, forced_effects
from wallsim.analysis.openings.plans import FIRST, NEXT
from wallsim.errors import InputError
from wallsim.runs.folder.results import Run, run_experiment

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
