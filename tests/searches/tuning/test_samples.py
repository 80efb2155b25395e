"""No game serves two purposes, and the pool takes the mean in when it is clearly better, or after a while."""

from collections import Counter

import pytest

from tests.searches.tuning.stand_ins import START
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.searches.tuning.samples import PURPOSES, Pool, blocks_for, seed_for, spread


def test_seeds_stay_what_they_are():
    assert {purpose: seed_for(1, purpose) for purpose in PURPOSES} == {
        "search": 4215923173971654960,
        "selection": 2021340933837429789,
        "checks": 637987770806161565,
        "held-out": 5220146013781160048,
        "tables": 5862124722997179473,
        "candidates": 2946236235448961746,
    }
    assert seed_for(1, "tables", 7) == 3543887193254910514
    assert seed_for(2, "search") == 1945321144695561289


def test_companies_share_the_blocks_evenly_and_those_without_one_are_dropped():
    assert [table.count for table in spread(10, [(START,)] * 4, 0)] == [2, 3, 3, 2]
    assert [table.count for table in spread(2, [(START,)] * 4, 0)] == [1, 1]
    assert [blocks_for(games, 4) for games in (1, 4, 5, 8)] == [1, 1, 2, 2]  # games are rounded up to whole blocks
    turns = [table for turn in range(5) for table in spread(17, [(START,)] * 4, turn)]
    numbers = [number for table in turns for number in range(table.first, table.first + table.count)]
    assert numbers == list(range(5 * 17))


RANDOM = load_policy("random")


@pytest.mark.parametrize(
    ("share", "error", "turns"),
    [
        (0.40, 0.01, 3),  # at once, but not before the third generation
        (0.25, 0.01, 15),  # no better: with the last generation that it may wait
        # 0.02 above the fair share is 3 errors of the mean of n generations once n > (3 * 0.02 / 0.02) ** 2 = 9
        (0.27, 0.02, 10),
        (0.27, 0.0199, 9),
    ],
)
def test_the_mean_joins_when_its_share_is_three_errors_above_the_fair_one(share, error, turns):
    pool = Pool([START], 4, 1)
    for _ in range(2):  # counting begins again when one joins
        assert [pool.note(share, error) for _ in range(turns)] == [False] * (turns - 1) + [True]
        pool.join(RANDOM)
    assert pool.members == [START, RANDOM, RANDOM]


def test_half_of_the_opponents_are_the_newest_and_the_rest_anyone():
    members = [Policy(f"p{number}", "random") for number in range(5)]
    met = Counter(
        opponent.name
        for turn in range(400)
        for table in Pool(members, 4, 1).tables(60, turn)
        for opponent in table.opponents
    )
    total = 400 * 12 * 3
    assert met.total() == total
    assert abs(met["p4"] / total - 0.6) < 0.02
    assert all(abs(met[f"p{number}"] / total - 0.1) < 0.02 for number in range(4))


def test_draws_depend_on_seed_turn_and_members_only():
    def drawn(seed, turn):
        return Pool([START, RANDOM], 4, seed).tables(24, turn)

    assert drawn(1, 3) == drawn(1, 3)
    assert drawn(1, 3) != drawn(2, 3)
    assert [c.opponents for c in drawn(1, 3)] != [c.opponents for c in drawn(1, 4)]


@pytest.mark.parametrize("settings", [1, 6])
def test_every_setting_has_every_way_of_dealing_line_ups_as_often(settings):
    counts = Counter()
    for table in Pool([START], 4, 1, settings).tables(48 * settings, 2):
        counts[table.setting, table.shift % 4] += table.count
    assert counts == {(setting, shift): 12 for setting in range(settings) for shift in range(4)}


def test_a_pool_that_does_not_grow_takes_nobody_in_and_has_one_table_a_seat():
    pool = Pool([START], 4, 1, grows=False)
    assert not any(pool.note(0.9, 0.01) for _ in range(40))
    assert [len(each.tables(60, 0)) for each in (pool, Pool([START, RANDOM], 4, 1, grows=False))] == [4, 12]


def test_every_purpose_and_turn_has_a_seed_of_its_own():
    seeds = [seed_for(seed, purpose) for seed in range(200) for purpose in PURPOSES]
    seeds += [seed_for(1, "tables", turn) for turn in range(100)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)
