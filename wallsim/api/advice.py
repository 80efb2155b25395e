"""Advice on a plan: which one a search prefers, and how much worse others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.api.inputs import loaded_experiment
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.results import Run
from wallsim.trace.state import State

if TYPE_CHECKING:
    from wallsim.analysis.advice.advice import Advice
    from wallsim.analysis.advice.moment import Moment


def advise(
    position: Experiment | Run | State | str | Path,
    *,
    game: int = 0,
    season: str = "spring 1",
    seat: int = 0,
    actions: Sequence[str] = (),
    tiles: Sequence[str] = (),
    plan: str | Mapping[str, Any] | None = None,
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
    """Choose a plan for a seat by search, and judge it, the next best and your own against several kinds of play.

    Plans are chosen on some dealt tables and judged on others, so that no result is better by having been chosen. On a
    dealt table all that the seat cannot know is dealt at random, and the others plan by the policy of the kind of play.

    Parameters
    ----------
    position
        A game to be played again: an experiment or its TOML file, a run or its folder. Or a `State` of the table, after
        which the seat plans.
    game, season
        The number of the game, and the season that is planned, `spring 1` to `fall 2`; not with a `State`.
    seat
        The seat that plans, from 0.
    actions, tiles
        With a `State`: the five open actions in their order, and the bonus tiles of places 1 to 5. They are drawn at
        random if not given.
    plan
        Your own plan: a text such as ``"palace=Tirol, grain=Anhalt, bid=2"``, or a dictionary of the same. By default
        the plan that was made in the game is judged.
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
        `best` and `alternatives` are the plan to make and the three next best against the first kind of play, each with
        `cards` by box, `wins`, `behind`, how much less it wins than the best (from 0 to 1), their intervals, and
        `changes`, the boxes on which it differs from the best; `answers` has the same for each kind of play.

    Raises
    ------
    InputError
        If there is no such game, season, seat, play, policy or tower, or the rules do not allow the plan.

    Examples
    --------
    >>> import wallsim
    >>> advice = advise(Experiment(players=3), season="fall 1", seat=2, tables=30)  # doctest: +SKIP
    >>> advice.best.cards["palace"], advice.alternatives[0].changes  # doctest: +SKIP
    """
    from wallsim.analysis.advice.advice import Effort, advise_on_plan
    from wallsim.analysis.advice.keys import checked_number
    from wallsim.runs.workers import checked_workers

    for name, number in (("precision", precision), ("tables", tables), ("minutes", minutes), ("seed", seed)):
        checked_number(name, number)
    moment = _moment(position, game, season, seat, actions, tiles, tower, seed, trust_code)
    effort = Effort(precision / 100, tables, minutes, checked_workers(workers))
    return advise_on_plan(
        moment, plan=plan, plays=tuple(plays), policy=policy, tower=tower, seed=seed, effort=effort
    )  # fmt: skip


def _moment(
    position: Experiment | Run | State | str | Path, game: int, season: str, seat: int, actions: Sequence[str],
    tiles: Sequence[str], tower: str | None, seed: int, trust_code: bool,
) -> Moment:  # fmt: skip
    from wallsim.analysis.advice.moment import moment_of_game
    from wallsim.analysis.advice.position import moment_of_state
    from wallsim.rules.tower import DEFAULT_TOWER

    if isinstance(position, State):
        if (game, season) != (0, "spring 1"):
            raise InputError("game, season: cannot be given with a State, which is of one season")
        return moment_of_state(
            position, seat, actions=tuple(actions), tiles=tuple(tiles), tower=tower or DEFAULT_TOWER, seed=seed
        )  # fmt: skip
    if actions or tiles:
        raise InputError("actions, tiles: a game says itself what lies open; allowed only with a State")
    return moment_of_game(loaded_experiment("position", position, trust_code=trust_code), game, season, seat)
