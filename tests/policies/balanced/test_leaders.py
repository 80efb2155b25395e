"""What `balanced` makes of its leader: bonuses while planning, where he goes and what he is worth (M)."""

import pytest

from tests.naive.making import BOARD
from tests.policies.balanced.test_judgement import TWELVE, nothing_but
from tests.policies.seating import ask, begin_round, mind_of, plan, ready, realm
from wallsim.policies import decide

SAFE = nothing_but(statue=1.0, hold=1.0)
CHAIN = ("Altmark", "Mittelmark", "Neumark")  # each borders the next


def led(*counties, leader=None, weights=None, armies=3, **rules):
    """Seat 0 with some counties, its leader in one of them, nobody else on the board."""
    scene = realm(*counties, armies=armies, weights=weights, expansions=("leaders",), **rules)
    scene.table.players[0].leader = leader
    scene.table.players[0].thalers = 15
    return scene


def after_round(scene, season=0, year=0):
    """The seat has planned and the round was played."""
    scene.table.year = year
    return ready(begin_round(scene, season))


def goes(scene, season=0, year=0):
    """Where the leader goes after a round."""
    return BOARD.counties[ask(after_round(scene, season, year), decide.choose_leader_move, 0)]


def borders(one, other):
    """Whether two counties share a border."""
    return bool(int(BOARD.neighbours[BOARD.counties.index(one)]) >> BOARD.counties.index(other) & 1)


# ----------------------------------------------------------------------------------------------- the next step


@pytest.mark.parametrize("far", ["Salzburg", "Böhmen", "Erzbm. Trier"])
@pytest.mark.parametrize("origin", ["Altmark", "Neumark"])
def test_a_leader_walks_next_door_to_leave_a_statue(origin, far):  # M3
    assert borders(origin, "Mittelmark")
    assert not borders(origin, far)
    scene = led(origin, "Mittelmark", far, leader=origin, weights=SAFE)
    assert goes(scene) == "Mittelmark"
    assert ask(scene, decide.choose_statue, 0, BOARD.counties.index("Mittelmark"))


def test_a_county_that_already_has_an_own_statue_needs_no_other():  # M3 A10
    """Where one statue a county is allowed, the leader goes from Altmark to trophies far away."""
    for switch, goal in (("one", "Salzburg"), ("any", "Mittelmark")):
        scene = led(*CHAIN[:2], "Salzburg", leader="Altmark", weights=SAFE, statues_a_county=switch)
        scene.table.players[0].statues["Altmark"] = 1
        scene.table.players[1].statues["Salzburg"] = 1
        assert goes(scene) == goal


def test_a_leader_avoids_a_county_in_danger():  # M4
    for threatened, safe in (("Mittelmark", "Salzburg"), ("Salzburg", "Mittelmark")):
        weights = {"leader": 2.0, "statue": 0.0, "threat": 1.0}
        scene = led("Altmark", "Mittelmark", "Salzburg", leader="Altmark", weights=weights, armies=1)
        for name in scene.table.neighbours(threatened) - {"Altmark"}:
            scene.table.give(1, name, 9)
        assert goes(scene) == safe


# -------------------------------------------------------------------------------------------------- placing


def test_in_the_draft_he_waits_for_a_county_with_an_own_neighbour_and_few_strangers():  # M1
    scene = led("Altmark", "Mittelmark", "Salzburg", setup="draft")
    begin_round(scene)
    scene.game.groups[0] = 5
    number = scene.table.number
    assert not ask(scene, decide.choose_draft_leader, 0, number("Salzburg"))
    assert ask(scene, decide.choose_draft_leader, 0, number("Mittelmark"))
    for name in scene.table.neighbours("Mittelmark") - set(CHAIN[:2]):
        scene.table.give(1, name, 4)
    begin_round(scene)
    scene.game.groups[0] = 5
    assert not ask(scene, decide.choose_draft_leader, 0, number("Mittelmark"))
    scene.game.groups[0] = 1
    assert ask(scene, decide.choose_draft_leader, 0, number("Mittelmark"))


# ------------------------------------------------------------------------------------------------- planning


def values(scene, name):
    """The worths of a county's card by box, as planned."""
    plan(begin_round(scene), 0)
    mind = mind_of(scene, 0)
    return [float(worth) for worth in mind.value[:11, list(mind.hand[:12]).index(scene.table.number(name))]]


@pytest.mark.parametrize("name", ["Altmark", "Bremen", "Hessen-Darmstadt"])
def test_his_bonuses_count_while_planning(name):  # M2
    weights = nothing_but(thaler=1.0, army=0.5, grain=1.0, hold=1.0, majority=1.0)
    plain, leading = (led(*TWELVE, leader=leader, weights=weights) for leader in (None, name))
    scene = plain
    more = [with_him - without for without, with_him in zip(values(plain, name), values(leading, name), strict=True)]
    thaler = mind_of(scene, 0).thaler
    assert thaler > 0
    assert more[:3] == pytest.approx([thaler] * 3)  # a Thaler less for a building
    assert more[3] == pytest.approx(1.0)  # grain, of which there is not enough
    assert more[4] == pytest.approx(thaler)
    assert more[5:8] == pytest.approx([0.5] * 3)
    assert more[8:] == pytest.approx([0.0] * 3)
