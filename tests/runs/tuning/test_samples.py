"""No game serves two purposes: seeds differ by purpose, and turns share no number."""

from tests.runs.tuning.stand_ins import START
from wallsim.runs.tuning.samples import PURPOSES, blocks_for, seed_for, spread


def test_every_purpose_has_a_seed_of_its_own():
    seeds = [seed_for(seed, purpose) for seed in range(200) for purpose in PURPOSES]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_a_spot_has_a_seed_of_its_own():
    assert len({seed_for(1, "tables", turn) for turn in range(100)} | {seed_for(1, "tables")}) == 101


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


def test_turns_share_no_number_and_leave_none_out():
    numbers = []
    for turn in range(5):
        for table in spread(17, [(START,)] * 4, turn):
            numbers += range(table.first, table.first + table.count)
    assert numbers == list(range(5 * 17))


def test_companies_share_the_blocks_evenly_and_those_without_one_are_dropped():
    assert [table.count for table in spread(10, [(START,)] * 4, 0)] == [2, 3, 3, 2]
    few = spread(2, [(START,)] * 4, 0)
    assert [table.count for table in few] == [1, 1]


def test_settings_share_the_blocks_evenly_and_each_has_every_shift():
    tables = spread(96, [(START,)] * 24, 1, settings=6)
    assert [table.setting for table in tables] == [place // 4 for place in range(24)]
    assert {(table.setting, table.shift % 4) for table in tables} == {(s, c) for s in range(6) for c in range(4)}
    assert {table.count for table in tables} == {4}
    assert [table.setting for table in spread(10, [(START,)] * 4, 0)] == [0] * 4


def test_games_are_rounded_up_to_whole_blocks():
    assert [blocks_for(games, 4) for games in (1, 4, 5, 8)] == [1, 1, 2, 2]
