"""A sample holds what a slow count finds; held-out games of policies have intervals and warnings."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from tests.refusals import assert_names
from tests.searches.tuning.stand_ins import START
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy, load_policy, policy_names
from wallsim.searches.tuning.evaluation import (
    Finding,
    Games,
    Sample,
    held_out,
    opponents_for,
    warnings_of,
)
from wallsim.searches.tuning.samples import Table
from wallsim.stats.intervals import Confidence, wilson

RANDOM = load_policy("random")
CHANCES = {"balanced": 0.3, "random": 0.95, "conqueror": 0.2}


class Coins:
    """Games of four seats in which a block's share of wins is the mean of four tosses against that opponent."""

    settings = 1

    def __init__(self):
        self.tables = []

    def play(self, policies, tables, seed):
        blocks = sum(table.count for table in tables)
        self.tables.append(tables)
        chance = CHANCES[tables[0].opponents[0].name]
        tosses = np.random.default_rng((seed, tables[0].first)).random((blocks, 4)) < chance
        return [Sample(tosses.mean(axis=1), np.zeros(blocks)) for _ in policies]


def evaluate(names, coins=None, games=400, seed=1, turn=0):
    opponents = [("start" if name == "balanced" else "sanity", load_policy(name)) for name in names]
    return held_out(coins or Coins(), START, opponents, seats=4, games=games, seed=seed, turn=turn)


def test_intervals_come_from_the_spread_of_blocks_and_hold_for_all_opponents():
    (one,) = evaluate(["balanced"])
    first, _ = evaluate(["balanced", "random"])
    shares = Coins().play([START], [Table((START,), 0, 0, 100)], 1)[0].wins
    error = shares.std(ddof=1) / sqrt(100)
    assert (one.games, one.blocks, one.share) == (400, 100, shares.mean())
    assert one.high - one.share == pytest.approx(Confidence(0.95).t(100) * error)
    assert first.high - first.share == pytest.approx(Confidence(0.95, 2).t(100) * error)
    fields = one.fields()
    assert Finding.from_fields(fields) == one
    fields["together"] = fields.pop("n_comparisons")  # as earlier versions wrote it
    assert Finding.from_fields(fields) == one


def test_a_planted_share_lies_in_its_interval_as_often_as_promised():
    inside = [all(f.low <= CHANCES[f.opponent] <= f.high for f in evaluate(CHANCES, seed=s)) for s in range(400)]
    assert 0.92 < np.mean(inside) < 0.985


def test_all_opponents_are_met_in_the_same_numbers_and_turns_share_none():
    coins = Coins()
    evaluate(CHANCES, coins)
    evaluate(["balanced"], coins, turn=1)
    numbers = [[number for c in tables for number in range(c.first, c.first + c.count)] for tables in coins.tables]
    assert numbers == [list(range(100))] * 3 + [list(range(100, 200))]


def test_settings_share_the_numbers_of_held_out_games(monkeypatch):
    coins = Coins()
    coins.settings = 6
    [finding] = held_out(coins, START, [("start", START)], seats=4, games=480, seed=1, turn=0)
    [tables] = coins.tables
    assert {(table.setting, table.shift % 4): table.count for table in tables} == {
        (setting, shift): 5 for setting in range(6) for shift in range(4)
    }
    assert (finding.games, finding.blocks) == (480, 120)


@pytest.mark.parametrize("games", [400, 40])
def test_where_no_block_differs_and_in_few_blocks_the_interval_is_wilsons(monkeypatch, games):
    monkeypatch.setitem(CHANCES, "heedless", 1.1 if games == 400 else 0.5)
    (result,) = evaluate(["heedless"], games=games)
    assert (result.low, result.high) == pytest.approx(wilson(result.share, games // 4, Confidence().z))
    assert (result.share == 1) == (games == 400)


def test_a_warning_is_given_only_where_the_whole_interval_lies_below_the_fair_share():
    def fields(name, low, high):
        return Finding(name, "sanity", 400, 100, (low + high) / 2, low, high, 3).fields()

    reported = warnings_of([fields("weak", 0.1, 0.24), fields("unclear", 0.2, 0.26), fields("strong", 0.3, 0.4)], 0.25)
    [warning] = reported
    assert_names(warning, "against weak ", "17.0% (10.0% to 24.0%)", "25.0%")


def test_opponents_are_the_start_then_balanced_then_all_that_the_search_never_met():
    quick = [name for name in policy_names() if load_policy(name).search is None]
    assert opponents_for(START, ())[:2] == (("start", START), ("sanity", load_policy(quick[0])))
    own = Policy("own", "balanced", START.weights)
    result = opponents_for(own, (RANDOM,))
    assert result[:2] == (("start", own), ("reference", START))
    assert [p.name for _, p in result[2:]] == [name for name in quick if name not in ("balanced", "random")]


BUILDER = load_policy("builder")
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
    assert_same(both, Sample(np.concatenate([first.wins, second.wins]), np.concatenate([first.leads, second.leads])))


def test_weights_by_phase_are_played():
    phased = replace(START, name="phased", phases={"fall 2": {"thaler": 0.0, "army": 0.0}})
    plain, other = Games(SETTING, 1).play([START, phased], [Table((START, START), 0, 0, 60)], 9)
    assert not np.array_equal(plain.leads, other.leads)


def test_threads_and_the_size_of_tasks_change_nothing_and_all_games_are_reported(monkeypatch):
    table, played = Table((START, BUILDER), 0, 0, 50), []
    plain = Games(SETTING, 1).play([START, BUILDER], [table], 3)
    monkeypatch.setattr("wallsim.searches.tuning.evaluation._NUMBERS", 7)
    other = Games(SETTING, 3, played.append).play([START, BUILDER], [table], 3)
    assert sum(played) == 2 * 50 * 3
    for one, same in zip(plain, other, strict=True):
        assert_same(one, same)


def assert_same(one, other):
    """Two samples have the same wins and leads."""
    assert np.array_equal(one.wins, other.wins)
    assert np.array_equal(one.leads, other.leads)


def test_one_policy_among_its_like_wins_exactly_the_fair_share_in_every_block():
    sample = Games(SETTING, 1).play([START], [Table((START, START), 0, 0, 30)], 3)[0]
    assert np.allclose(sample.wins, 1 / 3)
    assert sample.error == pytest.approx(0, abs=1e-12)


def test_the_score_adds_the_weighted_lead_to_the_share_of_wins():
    sample = Sample(np.array([0.0, 0.5, 1.0]), np.array([-2.0, 0.0, 5.0]))
    assert sample.share == 0.5
    assert sample.error == pytest.approx(0.5 / 3**0.5)
    assert sample.score(0.02) == pytest.approx(0.52)
