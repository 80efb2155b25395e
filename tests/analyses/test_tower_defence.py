"""What a defender is worth: planted differences come back, and attacks recast differ by the defender alone."""

from math import isnan

import numpy as np
import polars as pl
import pytest

from wallsim.analyses.tower.played import (
    ATTACKERS,
    DEFENDERS,
    attacks_of,
    battles_by_size,
    gain_as_met,
    recast,
    typical_mix,
)
from wallsim.analysis.battle.battle import Battle, Cubes
from wallsim.analysis.battle.odds import battle_odds
from wallsim.rules.tower import load_tower
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run
from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import Confidence
from wallsim.trace.match import Match

FORM = (len(ATTACKERS), len(DEFENDERS))


def fights(rng, chance, most=6, games=800):
    """Battles by game and size, and those held, where `chance` has the form FORM."""
    fought = rng.integers(0, most, (games, *FORM))
    return fought.astype(float), rng.binomial(fought, chance).astype(float)


def traced(experiment, games):
    """The first games of an experiment: their numbers, what is known of them, and their logs."""
    parts, arena = experiment.components(), experiment.arena()
    for game in range(games):
        yield game, Match(parts.board, parts.ruleset, parts.tower, 5, experiment.policies, game), arena.trace(game)


def test_a_planted_gain_comes_back_as_often_as_the_interval_says():
    rng, covered = np.random.default_rng(2), 0
    chance = 0.3 - 0.03 * np.arange(FORM[0])[:, None] + 0.07 * np.arange(FORM[1])
    for _ in range(150):
        fought, held = fights(rng, chance, games=100)
        low, high = gain_as_met(fought, held, typical_mix([fought])).interval(Confidence())
        covered += low <= 0.07 <= high
    assert 0.89 * 150 < covered < 0.99 * 150


def test_the_same_mix_is_asked_of_every_condition():
    """Two conditions with the same chances but other attackers: their gains are equal, the plain differences not."""
    rng = np.random.default_rng(3)
    chance = 0.6 - 0.1 * np.arange(FORM[0])[:, None] * np.ones(FORM[1]) + [0.0, 0.1, 0.15]
    one, other = fights(rng, chance), fights(rng, chance)
    for values in one:
        values[:, 4:, :1] = 0  # here the strong attack only where many defend
    one[0][:, 4:, :1], one[1][:, 4:, :1] = 1, rng.random((800, 2, 1)) < chance[4:, :1]
    mix = typical_mix([one[0], other[0]])
    gains = [gain_as_met(*fight, mix) for fight in (one, other)]
    assert gains[0].value == pytest.approx(gains[1].value, abs=0.03)
    assert mix.sum() == pytest.approx(1)
    plain = [held.sum(axis=(0, 1))[:2] / fought.sum(axis=(0, 1))[:2] for fought, held in (one, other)]
    assert abs(np.diff(plain[0]) - np.diff(plain[1])) > 0.03


def test_a_size_that_never_occurred_has_no_gain():
    fought, held = fights(np.random.default_rng(4), np.full(FORM, 0.2))
    mix = typical_mix([fought])
    fought[:, 2, 1] = held[:, 2, 1] = 0
    assert isnan(gain_as_met(fought, held, mix).value)
    mix[2] = 0
    assert not isnan(gain_as_met(fought, held, mix).value)


def test_battles_are_counted_by_size_as_the_table_has_them(tmp_path):
    run = play_run(Experiment(games=150, seed=8, battles=True), tmp_path / "run", workers=1)
    fought, held = battles_by_size(run)
    rows = run.scan("battles").filter(pl.col("kind").cast(pl.String) == "player").collect()
    for attackers, defenders in ((4, 1), (5, 2), (8, 3)):
        these = rows.filter(engaged_attacker=attackers, engaged_defender=defenders)
        place = (slice(None), ATTACKERS.index(attackers), DEFENDERS.index(defenders))
        assert fought[place].sum() == these.height
        assert held[place].sum() == (these["result"].cast(pl.String) == "defender").sum()
    game = int(rows["game"][0])
    assert fought[game].sum() <= rows.filter(game=game).height
    assert 1000 < fought.sum() < rows.height


@pytest.mark.parametrize("tower", ["spielbyweb", "spielbyweb-urn", "mid-layered", "rulebook"])
def test_attacks_cast_again_hold_as_often_as_they_were_held(tower):
    again = recast(Experiment(tower=tower, seed=5), 60, casts=10)
    assert again["attacks"].sum() > 250
    bias = block_ratio(again["again"] - again["held"], again["attacks"])
    assert abs(bias.value) < 4 * bias.error
    gain = block_ratio(again["with more"] - again["again"], again["attacks"])
    assert 0 < gain.value - 4 * gain.error < gain.value + 4 * gain.error < 0.15


def test_the_gain_of_one_attack_is_that_of_the_exact_odds():
    """The first attack of a game, cast often, against `battle_odds` of what lay in tray and tower (B6)."""
    experiment = Experiment(seed=5)
    again, seen = recast(experiment, 3, casts=6000), False
    for game, match, log in traced(experiment, 3):
        expected = np.zeros(2)
        for line, loyal in attacks_of(match, log):
            sides = (str(line["attacker"]), str(line["defender"]), "peasants")
            tray, thrown = ([line[where][side] for side in sides] for where in ("tray_before", "engaged"))
            fallen = [line["tower_after"][side] + line["tray_after_drop"][side] for side in sides]
            tower = Cubes(*(after - lay - cast for after, lay, cast in zip(fallen, tray, thrown, strict=True)))
            for more in (0, 1):
                fight = Battle(thrown[0], thrown[1] + more, peasants_join=loyal, tray=Cubes(*tray), tower=tower)
                expected[more] += battle_odds(load_tower("spielbyweb"), fight).lose
            seen = True
        assert [again["again"][game], again["with more"][game]] == pytest.approx(expected, abs=0.08)
        assert expected[1] - expected[0] > 0.2
    assert seen


def test_peasants_are_loyal_where_they_left_the_tray():  # B6.6
    seen = set()
    for _, match, log in traced(Experiment(seed=5), 40):
        for line, loyal in attacks_of(match, log):
            if line["p"] > 0:
                seen.add(loyal)
                assert loyal == (line["tray_after"]["peasants"] == 0)
    assert seen == {True, False}


def test_the_first_edition_is_not_cast_again():
    with pytest.raises(ValueError, match="1e"):
        recast(Experiment(edition="1e"), 1)
