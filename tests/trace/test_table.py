"""Tables after each line: every kind of game, what lies open when, and merge patches."""

import copy
import random

import pytest

from tests.trace.random_settings import arena_of, random_setting
from tests.trace.recorded import EVERY_KIND, FULL, GAMES, name_of, record
from tests.trace.steps_of_recorded import check_steps
from wallsim.rules.board import load_board
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match
from wallsim.trace.table import merge_patch, patched, tables


@pytest.mark.parametrize("game", EVERY_KIND, ids=name_of)
def test_steps_tell_and_change_what_the_trace_does(game):
    recorded = record(*game)
    check_steps(recorded.match, recorded.lines)


@pytest.mark.slow
@pytest.mark.one_in(20)  # a hundred games take half a minute
@pytest.mark.parametrize("first", range(0, 500, 10))
def test_steps_of_games_of_any_settings(first):
    for number in range(first, first + 10):
        setting = random_setting(number)
        match = Match(load_board(), setting.rules, setting.tower, setting.seed, setting.policies, 0)
        check_steps(match, list(trace_lines(match, arena_of(setting).trace(0))))


def test_plans_open_box_by_box():  # B3.5, B4.1, B2.1
    recorded = record(*FULL)
    seen = []
    for line, (table, _) in zip(recorded.lines, tables(recorded.match, recorded.lines), strict=True):
        revealed, actions = table.get("revealed", []), table.get("actions", [])
        if line["t"] == "plan":
            assert (revealed, table["shown"]) == ([], 5)
            assert table["plans"][str(line["seat"])]["boxes"].items() <= line["boxes"].items()
        elif line["t"] == "order":
            assert revealed == ["bid"]
        elif line["t"] == "action":
            done = actions.index(line["action"])
            assert set(revealed) == {"bid", "court", *actions[: done + 1]}
            assert table["shown"] == min(10, 5 + done)
            seen.append(done)
        elif line["t"] == "winter":
            assert "plans" not in table
    assert len(set(seen)) == 10


def test_armies_march_when_their_battle_is_cast():  # B6.2
    recorded = record(*GAMES[0])
    before, marched = {}, 0
    for number, (table, cast) in enumerate(tables(recorded.match, recorded.lines)):
        action = recorded.lines[min(number + 1, len(recorded.lines) - 1)]
        if cast is not None and "target" in action:
            origin = action["county"]
            assert table["counties"][origin]["armies"] == before["counties"][origin]["armies"] - action["moved"]
            marched += 1
        before = table
    assert marched > 5


def test_a_merge_patch_makes_one_object_of_another():
    rng = random.Random(4)

    def some(depth):
        keys = rng.sample("abcdef", rng.randint(0, 5))
        made = {key: rng.choice([1, 0, True, False, "x", [1, None], []]) for key in keys}
        return made | {key: some(depth - 1) for key in keys if depth and rng.random() < 0.4}

    for _ in range(2000):
        one, other = some(3), some(3)
        kept = copy.deepcopy((one, other))
        patch = merge_patch(one, other)
        assert patched(one, patch) == other
        assert [type(value) for value in patched(one, patch).values()] == [type(other[k]) for k in patched(one, patch)]
        assert (one, other) == kept
        assert merge_patch(other, other) == {}
    assert patched({"a": {"b": 1}}, {"a": {"b": None, "c": {"d": 2}}}) == {"a": {"c": {"d": 2}}}  # RFC 7396
