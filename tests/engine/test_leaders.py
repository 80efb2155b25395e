"""The military leaders in recorded games: placed, moved, lost and scored, replayed on the naive table (M)."""

from collections import Counter
from copy import deepcopy
from itertools import pairwise

import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive import leaders
from tests.naive.making import BOARD
from tests.naive.rng import JIT
from wallsim.rules.ruleset import Ruleset

GAMES = 30 if JIT else 1
LED = {"expansions": ("leaders",)}
PLAYED = [
    Ruleset(players=3, **LED),
    Ruleset(players=4, setup="draft", **LED),
    Ruleset(players=5, edition="1e", **LED),
    Ruleset(players=3, setup="draft", statues_a_county="one", **LED),
    Ruleset(players=4, expansions=("court", "landsknechte", "leaders"), statue_points="at_the_end"),
]
# Two counties a seat, so that now and then one is left.
TWO = tuple(
    (letter, tuple((BOARD.counties[county], armies) for county, armies, _ in BOARD.lineups[3, letter][:2]))
    for letter in "ABC"
)
FEW = [Ruleset(players=3, lineup_edits=TWO, single_county=switch, **LED) for switch in ("stays", "leaves")]


def label(rules):
    """A variant in a few words."""
    words = [f"{rules.players} players", rules.setup, rules.edition, rules.statues_a_county, rules.single_county]
    return ", ".join([*words, *["few counties"] * bool(rules.lineup_edits)])


variants = pytest.mark.parametrize("rules", PLAYED, ids=label)


def placed_from_nowhere(lines):
    """Those lines of leaders that came onto the board."""
    return [line for line in lines if line["t"] == "leader" and line["from"] is None]


@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_leaders_enter_in_player_order_after_it_is_set_or_in_a_county_as_it_is_drafted(players, setup):  # M1
    for game in chronicles(Ruleset(players=players, setup=setup, **LED), GAMES):
        spring = game.seasons[0]
        drafted, in_spring = (placed_from_nowhere(lines) for lines in (game.opening, spring.lines))
        if setup == "lineup":
            start = 1 + [line["t"] for line in spring.lines].index("order")
            assert spring.lines[start : start + players] == in_spring
            assert [line["seat"] for line in in_spring] == spring.turn
            assert all(spring.before.land[line["county"]].owner == line["seat"] for line in in_spring)
            assert drafted == []
            continue
        for before, line in pairwise(game.opening):
            if line["t"] == "leader":
                assert before["t"] == "deal"
                assert (line["seat"], line["county"]) == (before["seat"], before["county"])
        assert sorted(line["seat"] for line in drafted) == [*range(players)]
        assert in_spring == []


def replay(game):
    """Every leader line on the naive table; counts what happened and compares the table after every season."""
    seen = Counter()
    table = deepcopy(game.seasons[0].before)
    for player in table.players.values():
        player.leader = None
    for line in game.opening:
        if line["t"] == "leader":
            leaders.enter(table, line["seat"], line["county"])
    for season in game.seasons:
        last_action = max((number for number, line in enumerate(season.lines) if line["t"] == "action"), default=0)
        fights = [line for line in season.lines if line["t"] in ("action", "battle")]
        for number, line in enumerate(season.lines):
            if line["t"] != "leader":
                continue
            player = table.players[line["seat"]]
            assert line["from"] == player.leader
            if line["county"] is None:
                seen["lost"] += fell(season, number, fights, line)
                seen["left"] += not fell(season, number, fights, line)
                player.leader = None
            elif line["from"] is None:
                assert not line["statue"]
                assert set(line["trophies"]) == leaders.enter(table, line["seat"], line["county"])
                seen["placed"] += 1
            else:
                assert number > last_action
                assert season.after.land[line["county"]].owner == line["seat"]
                assert line["county"] != line["from"]
                may = leaders.may_leave_statue(table, line["seat"], line["county"])
                assert line["statue"] == may  # the reference policy always leaves one
                if may:
                    leaders.leave_statue(table, line["seat"])
                assert set(line["trophies"]) == leaders.enter(table, line["seat"], line["county"])
                seen.update(moved=1, statue=may, trophy=len(line["trophies"]))
        for seat, player in season.after.players.items():
            own = table.players[seat]
            assert (own.leader, own.statues, own.trophies) == (player.leader, player.statues, player.trophies)
        assert season.after.errors() == []
    return seen


def fell(season, number, fights, line):
    """Whether a leader that left the board was lost: its line comes right after the fight for its county."""
    before = season.lines[number - 1]
    while before["t"] == "leader":
        number -= 1
        before = season.lines[number - 1]
    county = before.get("target") or before.get("county")
    return before in fights and county == line["from"] and season.after.land[county].owner != line["seat"]


@pytest.mark.parametrize("rules", [*PLAYED, *FEW], ids=label)
def test_moves_statues_and_trophies_can_be_replayed_on_a_naive_table(rules):  # M3 M4 A10 A11
    seen = Counter()
    for game in chronicles(rules, GAMES):
        seen += replay(game)
    if JIT:
        often = ("lost", "placed", "moved", "statue", *["trophy"] * (rules.setup == "lineup" and rules not in FEW))
        assert min(seen[what] for what in often) > 0
        assert (seen["left"] > 0) == (rules == FEW[1])  # with one county it stays or leaves
        assert seen["statue"] < seen["moved"]


@variants
def test_after_the_tenth_action_every_leader_with_another_county_moves_in_player_order(rules):  # M3
    for season in rounds(rules, GAMES):
        lines = season.lines
        last = max(n for n, line in enumerate(lines) if line["t"] == "action")
        moved = [line["seat"] for line in lines[last + 1 :] if line["t"] == "leader" and line["county"]]
        lost = {line["seat"] for line in lines if line["t"] == "leader" and line["county"] is None}
        off = {seat for seat in season.turn if season.before.players[seat].leader is None}
        placed = {line["seat"] for line in placed_from_nowhere(lines)}
        alone = {seat for seat in season.turn if len(season.after.counties_of(seat)) < 2}
        assert moved == [seat for seat in season.turn if seat not in lost | (off - placed) | alone]


@variants
def test_a_lost_leader_is_away_until_the_end_of_the_first_winter(rules):  # M4
    returned = stayed_away = 0
    for game in chronicles(rules, GAMES):
        for number, season in enumerate(game.seasons):
            back = placed_from_nowhere(season.lines)
            if number == 3:
                lines = season.lines
                assert [line["t"] for line in lines[-1 - len(back) :]] == ["leader"] * len(back) + ["state"]
                away = {seat for seat, player in game.seasons[2].after.players.items() if player.leader is None}
                away |= {line["seat"] for line in season.of("leader") if line["county"] is None}
                owners = [seat for seat in game.seasons[2].turn if season.after.counties_of(seat)]
                assert [line["seat"] for line in back] == [seat for seat in owners if seat in away]  # fall's order
                returned += len(back)
            elif number:
                assert back == []
        end = game.seasons[7].after.players.values()
        stayed_away += sum(player.leader is None for player in end)
    if JIT:
        assert min(returned, stayed_away) > 0
