"""What `balanced` makes of the first edition: who defends, who recruits and who moves (V)."""

import pytest

from tests.naive.table import PEASANTS
from tests.policies.balanced.test_judgement import TWELVE
from tests.policies.seating import ask, begin_round, is_sorted, ready, realm
from wallsim.mechanics.economy import recruiting_modes
from wallsim.policies import decide
from wallsim.rules.terms import BOTH, MARCH
from wallsim.rules.terms import PEASANTS as REBELS


def old(armies=2, weights=None, counties=TWELVE, **rules):
    """Seat 0 with some counties in the first edition."""
    scene = realm(*counties, armies=armies, weights=weights, edition="1e", **rules)
    scene.table.players[0].thalers = 15
    return scene


# -------------------------------------------------------------------------------------------------- defence


def defenders(armies, attackers, attacker):
    """How many of the county's armies fight."""
    scene = ready(begin_round(old(armies, {"aside": 1.0})))
    return int(ask(scene, decide.choose_defend, 0, scene.table.number(TWELVE[0]), attacker, attackers))


@pytest.mark.parametrize("attacker", [1, REBELS])
def test_the_more_attack_the_more_defend_up_to_all(attacker):  # V5
    result = [defenders(12, attackers, attacker) for attackers in range(1, 12)]
    assert is_sorted(result)
    assert result[0] < result[-1] == 12
    assert [defenders(armies, armies + 2, attacker) for armies in (1, 2, 4, 6)] == [1, 2, 4, 6]


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


def test_without_a_supply_there_is_nothing_but_to_march_be_it_with_one_army():  # V3
    scene = old(armies=5)
    scene.table.tower[0] += scene.table.supply[0]
    scene.table.supply[0] = 0
    assert recruiting(scene) == MARCH
    target, sent = ask(scene, decide.choose_recruits_move, 0, scene.table.number("Altmark"))
    assert sent == 1
    assert target in scene.table.neighbours("Altmark") & set(TWELVE)


# ---------------------------------------------------------------------------------------------- peasants, plan
