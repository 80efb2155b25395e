"""Advice on a plan or another choice: which one a search prefers, and how much worse others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from wallsim.analysis.advice.advice import advise_on, check_asked, decision_of_step
from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.keys import checked_number
from wallsim.analysis.advice.moment import Moment, moment_of_game, moment_of_state
from wallsim.analysis.advice.question import Advice, Effort
from wallsim.api.inputs import loaded_experiment
from wallsim.api.text import Printable
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.play.parallel import checked_workers
from wallsim.report.tables.advice import print_advice
from wallsim.rules.board import load_board
from wallsim.rules.tower import DEFAULT_TOWER
from wallsim.trace.state import State


@dataclass(frozen=True)
class ShownAdvice(Printable, Advice):
    """Advice that `print` shows as `wallsim advise` does."""

    def _print(self, console: Console) -> None:
        print_advice(console, self)


def advise(
    position: Experiment | Run | State | str | Path,
    *,
    game: int = 0,
    season: str | None = None,
    step: int | None = None,
    seat: int | None = None,
    actions: Sequence[str] = (),
    tiles: Sequence[str] = (),
    plan: str | Mapping[str, Any] | None = None,
    choice: str | Mapping[str, Any] | None = None,
    plays: Sequence[str] = (),
    policy: str | None = None,
    tower: str | None = None,
    seed: int = 1,
    precision: float = 2.0,
    tables: int = 20_000,
    minutes: float | None = None,
    workers: int | None = None,
    trust_code: bool = False,
) -> Advice:
    """Choose a plan, or another choice, for a seat by search, and judge it, the next best and your own.

    They are judged against several kinds of play. Plans are chosen on some dealt tables and judged on others, so that
    no result is better by having been chosen. On a dealt table all that the seat cannot know is dealt at random, and
    the others plan by the policy of the kind of play.

    Parameters
    ----------
    position
        A game to be played again: an experiment or its TOML file, a run or its folder. Or a `State` of the table, after
        which the seat plans.
    game, season
        The number of the game, and the season that is planned, `spring 1` (the default) to `fall 2`; not with a
        `State`.
    step
        Instead of a season, a line of the game's trace, counted from 0: a claim in a draft, a plan, the line `order` of
        an auction, or an attack or move by combat A or B.
    seat
        The seat that decides, from 0; by default that of the step, in an auction the one that chooses first, else 0.
    actions, tiles
        With a `State`: the five open actions in their order, and the bonus tiles of places 1 to 5. They are drawn at
        random if not given.
    plan
        Your own plan: a text such as ``"palace=Tirol, grain=Anhalt, bid=2"``, or a dictionary of the same. By default
        the plan that was made in the game is judged.
    choice
        Your own choice at a step that is no plan, as a text: a county, ``"deck"`` or ``"recycle"`` for a claim, ``"2"``
        or ``"six_armies"`` for a place and its tile, ``"Tirol 3"`` for three armies to Tirol, ``"none"`` for no move.
        Or a dictionary such as `cards` of the answer.
    plays
        The kinds of play of the others, of `strong`, `second strong`, `middling`, `casual` and `weak`; all by default.
        The advice is for the first one.
    policy
        The policy as which the seat goes on; by default the strongest one for so many players.
    tower
        The tower; by default that of the game, or `spielbyweb` for a state.
    seed
        The seed of the dealt tables.
    precision
        Half the width of the widest interval that is wanted, in points of wins.
    tables
        Dealt tables at most that judge the plans of a kind of play.
    minutes
        No further tables are judged after so many minutes.
    workers
        Threads, by default one per core; they do not affect results.
    trust_code
        As for `trace`.

    Returns
    -------
    Advice
        `kind` is `plan`, `claim`, `place` or `attack`. `best` and `alternatives` are the plan or choice to make and the
        three next best against the first kind of play. Each has `cards` by box, or what is chosen; `wins`, and
        `behind`, how much less it wins than the best (from 0 to 1), with their intervals; and `changes`, in what it
        differs from the best. `answers` has the same for each kind of play.

    Raises
    ------
    InputError
        If there is no such game, season, step, seat, play, policy or tower, nobody decides at the step, or the rules do
        not allow the plan or choice.

    Examples
    --------
    >>> import wallsim
    >>> advice = advise(Experiment(players=3), season="fall 1", seat=2, tables=30)  # doctest: +SKIP
    >>> advice.best.cards["palace"], advice.alternatives[0].changes  # doctest: +SKIP
    """
    for name, number in (("precision", precision), ("tables", tables), ("minutes", minutes), ("seed", seed)):
        checked_number(name, number)
    asked: dict[str, Any] = {
        "plan": plan, "choice": choice, "plays": tuple(plays), "policy": policy, "tower": tower,
    }  # fmt: skip
    decision = _decision(position, game, season, step, seat, actions, tiles, seed, trust_code, asked)
    effort = Effort(precision / 100, tables, minutes, checked_workers(workers))
    return ShownAdvice(**vars(advise_on(decision, **asked, seed=seed, effort=effort)))


def _decision(
    position: Experiment | Run | State | str | Path, game: int, season: str | None, step: int | None, seat: int | None,
    actions: Sequence[str], tiles: Sequence[str], seed: int, trust_code: bool, asked: Mapping[str, Any],
) -> Moment | Choice:  # fmt: skip
    if isinstance(position, State):
        if game != 0 or season is not None or step is not None:
            raise InputError("game, season, step: cannot be given with a State, which is of one season")
        check_asked(position.ruleset(), load_board(), None, **asked)
        return moment_of_state(
            position, 0 if seat is None else seat, actions=tuple(actions), tiles=tuple(tiles),
            tower=asked["tower"] or DEFAULT_TOWER, seed=seed,
        )  # fmt: skip
    if actions or tiles:
        raise InputError("actions, tiles: a game says itself what lies open; allowed only with a State")
    experiment = loaded_experiment("position", position, trust_code=trust_code)
    check_asked(experiment.ruleset(), experiment.components().board, step, **asked)
    if step is None:
        return moment_of_game(experiment, game, season or "spring 1", 0 if seat is None else seat)
    if season is not None:
        raise InputError("step: cannot be given with a season; give one of them")
    return decision_of_step(experiment, game, step, seat)
