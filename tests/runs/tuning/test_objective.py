"""A sample holds what a slow count finds: wins and leads of one seat, from every seat, block by block."""

from dataclasses import replace

import numpy as np
import pytest

from tests.runs.tuning.stand_ins import START
from wallsim.policies.catalogue import load_policy
from wallsim.runs.experiment import Experiment
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.evaluation import Games, Sample
from wallsim.runs.tuning.samples import Table

RANDOM, BUILDER = load_policy("random"), load_policy("builder")
SETTING = Setting(Experiment(players=3))


def counted(policy, table, seed):
    """Share of wins and mean lead of each block, from the ranks and points of the table itself."""
    wins, leads = np.zeros(table.count), np.zeros(table.count)
    for seat in range(3):
        sitting = {seat: policy, (seat + 1) % 3: table.opponents[0], (seat + 2) % 3: table.opponents[1]}
        arena = SETTING.arena([sitting[place] for place in range(3)], seed, table.shift)
        for block in range(table.count):
            rows = arena.play(table.first + block, 1).seats
            first = [place for place in range(3) if rows[place][5] == 1]
            wins[block] += (seat in first) / len(first) / 3
            leads[block] += (rows[seat][6] - max(rows[place][6] for place in range(3) if place != seat)) / 3
    return wins, leads


def test_it_counts_as_a_slow_count_does():
    tables = [Table((RANDOM, START), 1, 7, 20), Table((BUILDER, START), 2, 40, 5)]
    sample = Games(SETTING, 2).play([START], tables, 9)[0]
    wins, leads = (np.concatenate(parts) for parts in zip(*(counted(START, c, 9) for c in tables), strict=True))
    assert np.allclose(sample.wins, wins)
    assert np.allclose(sample.leads, leads)
    assert len(set(sample.wins)) > 2


def test_a_table_is_played_in_its_own_setting():
    drafted = Setting(Experiment(players=3, setup="draft", tower="mid"))
    tables = [Table((RANDOM, START), 0, 0, 10, 0), Table((RANDOM, START), 0, 10, 10, 1)]
    both = Games(SETTING, 2, further=[drafted]).play([START], tables, 9)[0]
    first = Games(SETTING, 1).play([START], tables[:1], 9)[0]
    second = Games(drafted, 1).play([START], [Table((RANDOM, START), 0, 10, 10)], 9)[0]
    assert np.array_equal(both.wins, np.concatenate([first.wins, second.wins]))
    assert np.array_equal(both.leads, np.concatenate([first.leads, second.leads]))


def test_weights_by_phase_are_played():
    phased = replace(START, name="phased", phases={"fall 2": {"thaler": 0.0, "army": 0.0}})
    plain, other = Games(SETTING, 1).play([START, phased], [Table((START, START), 0, 0, 60)], 9)
    assert not np.array_equal(plain.leads, other.leads)


def test_threads_and_the_size_of_tasks_change_nothing(monkeypatch):
    table = Table((START, BUILDER), 0, 0, 50)
    plain = Games(SETTING, 1).play([START, BUILDER], [table], 3)
    monkeypatch.setattr("wallsim.runs.tuning.evaluation._NUMBERS", 7)
    other = Games(SETTING, 3).play([START, BUILDER], [table], 3)
    for one, same in zip(plain, other, strict=True):
        assert np.array_equal(one.wins, same.wins)
        assert np.array_equal(one.leads, same.leads)


def test_one_policy_among_its_like_wins_exactly_the_fair_share_in_every_block():
    sample = Games(SETTING, 1).play([START], [Table((START, START), 0, 0, 30)], 3)[0]
    assert np.allclose(sample.wins, 1 / 3)
    assert sample.error == pytest.approx(0, abs=1e-12)


def test_all_games_are_reported():
    played = []
    Games(SETTING, 2, played.append).play([RANDOM] * 2, [Table((RANDOM,) * 2, 0, 0, 200)], 3)
    assert sum(played) == 2 * 200 * 3


def test_the_score_adds_the_weighted_lead_to_the_share_of_wins():
    sample = Sample(np.array([0.0, 0.5, 1.0]), np.array([-2.0, 0.0, 5.0]))
    assert sample.share == 0.5
    assert sample.error == pytest.approx(0.5 / 3**0.5)
    assert sample.score(0.02) == pytest.approx(0.52)
