"""The military leaders in recorded games: placed, moved, lost and scored, replayed on the naive table (M)."""

from collections import Counter
from copy import deepcopy
from itertools import pairwise

import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive import leaders
from tests.naive.making import USUAL
from tests.naive.rng import JIT
from tests.naive.scene import Scene
from wallsim.engine.expansions import after_actions
from wallsim.engine.season import play_winter
from wallsim.rules.ruleset import Ruleset

GAMES = 30 if JIT else 1
LED = {"expansions": ("leaders",)}
PLAYED = [
    Ruleset(players=3, **LED),
    Ruleset(players=4, setup="draft", **LED),
    Ruleset(players=5, edition="1e", **LED),
    Ruleset(players=3, setup="draft", statues_a_county="any", single_county="leaves", **LED),
    Ruleset(players=4, expansions=("court", "landsknechte", "leaders"), statue_points="at_the_end"),
]


def label(rules):
    """A variant in a few words."""
    return f"{rules.players} players, {rules.setup}, {rules.edition}, {rules.statues_a_county}, {rules.statue_points}"


variants = pytest.mark.parametrize("rules", PLAYED, ids=label)


def placed_from_nowhere(lines):
    """Those lines of leaders that came onto the board."""
    return [line for line in lines if line["t"] == "leader" and line["from"] is None]


@variants
def test_leaders_of_line_ups_are_placed_in_spring_right_after_player_order(rules):  # M1
    for game in chronicles(rules, GAMES):
        if rules.setup == "draft":
            continue
        spring = game.seasons[0]
        kinds = [line["t"] for line in spring.lines]
        start = kinds.index("order") + 1
        placed = spring.lines[start : start + rules.players]
        assert [line["t"] for line in placed] == ["leader"] * rules.players
        assert [line["seat"] for line in placed] == spring.turn
        for line in placed:
            assert line["from"] is None
            assert spring.before.land[line["county"]].owner == line["seat"]
        assert all(player.leader is None for player in spring.before.players.values())


@pytest.mark.parametrize("players", [3, 4, 5])
def test_leaders_of_a_draft_are_placed_in_a_county_as_it_is_claimed(players):  # M1
    for game in chronicles(Ruleset(players=players, setup="draft", **LED), GAMES):
        for before, line in pairwise(game.opening):
            if line["t"] == "leader":
                assert before["t"] == "deal"
                assert (line["seat"], line["county"]) == (before["seat"], before["county"])
        assert sorted(line["seat"] for line in placed_from_nowhere(game.opening)) == [*range(players)]
        assert placed_from_nowhere(game.seasons[0].lines) == []


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


@variants
def test_moves_statues_and_trophies_can_be_replayed_on_a_naive_table(rules):  # M3 M4 A10
    seen = Counter()
    for game in chronicles(rules, GAMES):
        seen += replay(game)
    if JIT:
        often = ("lost", "placed", "moved", "statue", *["trophy"] * (rules.setup == "lineup"))
        assert min(seen[what] for what in often) > 0
        assert seen["left"] == 0 or rules.single_county == "leaves"
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


@variants
def test_statues_and_trophies_score_each_winter_or_in_the_last(rules):  # M5 A12
    points = Counter()
    for game in chronicles(rules, GAMES):
        for winter in (3, 7):
            season = game.seasons[winter]
            for line in season.of("score"):
                player = season.before.players[line["seat"]]  # nothing but fights happened since fall
                counted = winter == 7 or rules.statue_points == "each_winter"
                result = (line["statues"], line["trophies"])
                assert result == ((sum(player.statues.values()), player.trophies) if counted else (0, 0))
                points[winter] += sum(result)
    if JIT:
        assert points[7] > 0
        assert (points[3] > 0) == (rules.statue_points == "each_winter")


def test_several_statues_of_an_owner_stand_in_a_county_only_under_the_switch():  # M3 A10
    crowds = Counter()
    for setting in ("one", "any"):
        rules = Ruleset(players=3, statues_a_county=setting, **LED)
        for game in chronicles(rules, 60 if JIT else 1):
            players = game.seasons[-1].after.players.values()
            crowds[setting] = max(crowds[setting], *(max(p.statues.values(), default=0) for p in players))
    assert crowds["one"] <= 1
    assert crowds["any"] > 1 or not JIT


@pytest.mark.parametrize(("switch", "stays"), [("stays", True), ("leaves", False)])
def test_a_leader_whose_owner_has_one_county_stays_or_leaves(switch, stays):  # M3 A11
    scene = Scene.start(3, tower=USUAL, single_county=switch, **LED)
    scene.table.give(0, "Böhmen", 3)
    scene.table.give(1, "Passau", 2)
    scene.table.give(1, "Altmark", 2)
    scene.table.players[0].leader, scene.table.players[1].leader = "Böhmen", "Passau"
    scene.player_order(1, 0, 2)
    scene.do(after_actions)
    assert scene.table.players[0].leader == ("Böhmen" if stays else None)
    assert scene.table.players[1].leader == "Altmark"
    assert scene.table.players[0].statues == Counter()
    assert scene.table.players[0].counts["leader_lost"] == 0


def test_a_leader_that_returns_takes_its_trophies_in_winter_after_scoring():  # M4 M5
    scene = Scene.start(3, tower=USUAL, **LED)
    scene.table.give(0, "Böhmen", 3)
    scene.table.give(1, "Passau", 2)
    owner, rival = scene.table.players[0], scene.table.players[1]
    owner.grain = rival.grain = 18
    rival.leader, rival.statues = "Passau", Counter({"Böhmen": 1})
    scene.player_order(0, 1, 2)
    scene.show_events([0])
    scene.do(play_winter)
    owner, rival = scene.table.players[0], scene.table.players[1]
    assert (owner.leader, owner.trophies, owner.counts["trophies"]) == ("Böhmen", 1, 1)
    assert (rival.statues, rival.counts["statues_lost"]) == (Counter(), 1)
    assert (owner.points, rival.points) == (1, 2)  # a county each, and the statue that still stood
