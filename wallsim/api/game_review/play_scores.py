"""Plays the games that `data/scores/scores.json` counts: `python -m wallsim.api.game_review.play_scores`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import SECOND_POLICIES, STRONG_POLICIES
from wallsim.api.play import play
from wallsim.engine.version import ENGINE_VERSION
from wallsim.experiment.experiment import Experiment
from wallsim.rules.files import data_folder
from wallsim.rules.terms import MAX_PLAYERS, MIN_PLAYERS

GAMES, SEED = 10_000, 4711
COMMAND = "python -m wallsim.api.game_review.play_scores"
SIZES = range(MIN_PLAYERS, MAX_PLAYERS + 1)


def bots_of(players: int) -> dict[str, tuple[str, str]]:
    """Policy and set-up by the name of a kind of bots: casual ones play the printed line-ups, strong ones draft."""
    return {
        "casual": (f"casual-{players}p", "lineup"),
        "master": (STRONG_POLICIES[players], "draft"),
        "scholar": (SECOND_POLICIES[players], "draft"),
    }


def counts_of(players: int, policy: str, setup: str, games: int) -> dict[str, Any]:
    """Games of one policy in all seats, counted.

    `places` has for each place the number of games by its score, `margins` the number of games by the winner's points
    above the next, `leads` by the points of the leader after year one above the next the games and the leader's wins.
    """
    seats: Any = players
    experiment = Experiment(players=seats, policies=policy, setup=setup, seed=SEED, games=games, columns="lean")  # type: ignore[arg-type]
    rows = play(experiment).scan("seats").select("game", "seat", "vp", "vp_year1", "win").sort("game", "seat").collect()
    points, early, wins = (rows[name].to_numpy().reshape(games, players) for name in ("vp", "vp_year1", "win"))
    ordered, first = -np.sort(-points, axis=1), -np.sort(-early, axis=1)
    leads = first[:, 0] - first[:, 1]
    # of several leaders that are level the mean
    won = (wins * (early == first[:, :1])).sum(axis=1) / (early == first[:, :1]).sum(axis=1)
    return {
        "policy": policy, "setup": setup, "places": [_counted(column) for column in ordered.T],
        "margins": _counted(ordered[:, 0] - ordered[:, 1]),
        "leads": {
            str(lead): [int((leads == lead).sum()), round(float(won[leads == lead].sum()), 1)]
            for lead in np.unique(leads).tolist()
        },
    }  # fmt: skip


def _counted(values: np.ndarray) -> dict[str, int]:
    found, counts = np.unique(values, return_counts=True)
    return {str(value): count for value, count in zip(found.tolist(), counts.tolist(), strict=True)}


def main() -> None:
    """Play all sizes, and write the file."""
    sizes = {
        str(players): {name: counts_of(players, *bot, GAMES) for name, bot in bots_of(players).items()}
        for players in SIZES
    }
    contents = {"command": COMMAND, "engine": ENGINE_VERSION, "games": GAMES, "seed": SEED, "sizes": sizes}
    text = json.dumps(contents, separators=(",", ":")).replace('},"', '},\n"')
    (data_folder("scores") / "scores.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
