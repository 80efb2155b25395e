"""What `balanced` makes of the first edition: who defends, who recruits and who moves (V)."""

import pytest

from tests.naive.making import BOARD
from tests.naive.table import PEASANTS
from tests.policies.balanced.test_judgement import TWELVE
from tests.policies.seating import ask, begin_round, is_sorted, mind_of, plan, ready, realm
from wallsim.mechanics.economy import recruiting_modes
from wallsim.policies import decide
from wallsim.policies.weights import ARMY
from wallsim.rules.terms import BOTH, MARCH, RECRUIT
from wallsim.rules.terms import PEASANTS as REBELS


def old(armies=2, weights=None, counties=TWELVE, **rules):
    """Seat 0 with some counties in the first edition."""
    scene = realm(*counties, armies=armies, weights=weights, edition="1e", **rules)
    scene.table.players[0].thalers = 15
    return scene


# -------------------------------------------------------------------------------------------------- defence


def defenders(armies, attackers, attacker=1, aside=1.0, **tower):
    """How many of the county's armies fight."""
    scene = old(armies, {"aside": aside})
    for colour, cubes in tower.items():
        seat = PEASANTS if colour == "peasants" else int(colour[-1])
        scene.table.tower[seat] += cubes
        scene.table.supply[seat] -= cubes
    return int(
        ask(ready(begin_round(scene)), decide.choose_defend, 0, scene.table.number(TWELVE[0]), attacker, attackers)
    )


@pytest.mark.parametrize("attacker", [1, REBELS])
def test_the_more_attack_the_more_defend_up_to_all(attacker):  # V5
    result = [defenders(12, attackers=attackers, attacker=attacker) for attackers in range(1, 12)]
    assert is_sorted(result)
    assert result[0] < result[-1] == 12
    assert [defenders(armies, armies + 2, attacker) for armies in (1, 2, 4, 6)] == [1, 2, 4, 6]


@pytest.mark.parametrize("attacker", [1, REBELS])
def test_the_more_standing_aside_saves_the_more_do(attacker):  # V5
    result = [defenders(12, attackers=2, attacker=attacker, aside=aside) for aside in (2.0, 1.0, 0.3, 0.1, 0.0)]
    assert is_sorted(result)
    assert result[0] < result[-1] == 12


def test_attackers_waiting_in_the_tower_are_reckoned_with():  # B6.5 V5
    assert defenders(12, attackers=1, seat_1=12) > defenders(12, attackers=1)
    assert defenders(12, attackers=2, attacker=REBELS, peasants=12) > defenders(12, attackers=2, attacker=REBELS)


def test_peasants_who_join_the_defence_free_armies_but_cannot_hold_alone():  # B6.8 V5 V6 A13
    def fighting(markers, **rules):
        scene = old(8, {"aside": 1.0}, **rules)
        scene.table.tower[PEASANTS], scene.table.supply[PEASANTS] = 12, 8
        scene.table.land[TWELVE[0]].markers = markers
        scene.table.markers_left -= markers
        return int(ask(ready(begin_round(scene)), decide.choose_defend, 0, scene.table.number(TWELVE[0]), 1, 2))

    tie = {"stood_aside": "do_not_count"}
    assert fighting(0, **tie) == fighting(1, **tie) < fighting(2, **tie)
    assert fighting(0, stood_aside="count") < fighting(0, **tie)


# ------------------------------------------------------------------------------------- recruit and/or move


def threatened_next_door(armies=4):
    """A safe county beside one that a strong rival threatens."""
    scene = old(counties=("Altmark", "Mittelmark"), armies=armies, weights={"threat": 1.0})
    scene.table.land["Mittelmark"].armies = 1
    for name in scene.table.neighbours("Mittelmark") - scene.table.neighbours("Altmark") - {"Altmark"}:
        scene.table.give(1, name, 4)
    return scene


def recruiting(scene, name="Altmark"):
    """The way chosen to recruit and/or move."""
    county = scene.table.number(name)
    ready(begin_round(scene))
    return ask(scene, decide.choose_recruit, 0, county, scene.call(recruiting_modes, 0, county))


def test_recruits_march_to_where_danger_is():  # V3
    scene = threatened_next_door()
    assert recruiting(scene) == BOTH
    scene.game.army[scene.table.number("Altmark")] += 1  # as the engine does before it asks
    assert ask(scene, decide.choose_recruits_move, 0, scene.table.number("Altmark")) == ("Mittelmark", 4)


def test_a_lone_army_marches_as_soon_as_another_has_joined_it():  # V3
    assert recruiting(threatened_next_door(armies=1)) == BOTH


@pytest.mark.parametrize("counties", [TWELVE, ("Altmark",)])
def test_without_danger_next_door_or_own_neighbours_recruits_stay(counties):  # V3
    assert recruiting(old(armies=2, counties=counties)) == RECRUIT


def test_without_a_supply_there_is_nothing_but_to_march_be_it_with_one_army():  # V3
    scene = old(armies=5)
    scene.table.tower[0] += scene.table.supply[0]
    scene.table.supply[0] = 0
    assert recruiting(scene) == MARCH
    target, sent = ask(scene, decide.choose_recruits_move, 0, scene.table.number("Altmark"))
    assert sent == 1
    assert target in scene.table.neighbours("Altmark") & set(TWELVE)


# ---------------------------------------------------------------------------------------------- peasants, plan


@pytest.mark.parametrize(("edition", "safer"), [("1e", [True, False]), ("2e", [False, False])])
def test_peasants_make_a_county_safer_till_it_has_two_markers_or_one(edition, safer):  # B6.6 V6
    dangers = []
    for markers in (0, 1, 2):
        scene = realm("Altmark", edition=edition)
        scene.table.land["Altmark"].markers = markers
        scene.table.markers_left -= markers
        scene.table.tower[PEASANTS], scene.table.supply[PEASANTS] = 10, 10
        for name in scene.table.neighbours("Altmark"):
            scene.table.give(1, name, 4)
        plan(begin_round(scene), 0)
        dangers.append(mind_of(scene, 0).danger[scene.table.number("Altmark")])
    assert dangers[0] < dangers[2]
    assert [danger == dangers[0] for danger in dangers[1:]] == safer


def test_a_county_that_could_only_attack_in_vain_is_not_sent_to_combat():  # V4 A7
    """Its army would be lost, which on another box it is not."""
    scene = old(counties=("Altmark", *BOARD.counties[20:27]))
    for name in scene.table.neighbours("Altmark"):
        scene.table.give(1, name, 9)
    cards = plan(begin_round(scene), 0)
    assert "Altmark" not in (cards["combat_a"], cards["combat_b"])
    mind = mind_of(scene, 0)
    column = list(mind.hand[:8]).index(scene.table.number("Altmark"))
    assert mind.value[column, 8] == mind.value[column, 9]
    assert -1.1 * mind.weight[ARMY] < mind.value[column, 8] < -0.9 * mind.weight[ARMY]
