"""Bands of chances: with facts hidden in simulated games they hold the chance that all facts give."""

import random
from dataclasses import replace

import pytest

from wallsim.api.game_review.chances import COVERED, chances_of
from wallsim.api.outlook import TABLES
from wallsim.api.review import SAMPLES
from wallsim.api.trace import traces
from wallsim.experiment.experiment import Experiment
from wallsim.trace.game_text.from_trace import game_of_trace
from wallsim.trace.game_text.model import START

LATER = ("fall 1", "winter 1", "spring 2", "summer 2", "fall 2")
LEAST = 0.9  # share of chances that bands must hold


def hidden(game, rng):
    """The same game with one season end, where nobody knows tray, tower and events, and some other numbers."""
    time = rng.choice(LATER)
    section = game.sections[time]
    rows = {}
    for seat, row in section.rows.items():
        holdings = [replace(each, armies=None) if rng.random() < 0.3 else each for each in row.holdings]
        known = {name: None for name in ("grain", "thalers") if rng.random() < 0.3}
        rows[seat] = replace(row, holdings=holdings, **known)
    unknown = replace(section, rows=rows, tray=None, inside=None, events=None)
    return replace(game, sections={START: game.sections[START], time: unknown}), time


def coverage(games, players, seed):
    """The share of chances of all facts that lie in the bands, by kind of table."""
    experiment = Experiment(players=players, policies="casual", setup="draft", seed=seed, games=games)
    rng, inside, cases = random.Random(seed), dict.fromkeys(TABLES, 0), 0
    for events in traces(experiment, range(games)):
        game = game_of_trace(events.match, events)
        unknown, time = hidden(game, rng)
        [truth] = chances_of(replace(game, sections={time: game.sections[time]}))
        [band] = chances_of(unknown)
        assert truth.known
        assert not band.known
        cases += players
        for table in TABLES:
            pairs = zip(truth.chances[table], band.chances[table], strict=True)
            inside[table] += sum(each.low <= true.wins <= each.high for true, each in pairs)
    return {table: count / cases for table, count in inside.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "players", "least"), [(3, 3, 0.5), pytest.param(100, 4, LEAST, marks=pytest.mark.one_in(8))]
)
def test_bands_hold_the_chances_of_nine_games_in_ten(games, players, least):
    assert (SAMPLES >= 200, COVERED >= LEAST) == (True, True)
    assert min(coverage(games, players, 72).values()) >= least
