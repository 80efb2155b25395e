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


def test_a_statue_now_is_better_than_a_statue_next_time():  # M3
    """Both ways lead on to another own county, but only one leaves a statue at once."""
    far, near = ("Altmark", "Mittelmark"), ("Schlesien", "Mähren")
    assert borders("Böhmen", near[0])
    assert not any(borders("Böhmen", name) for name in far)
    assert goes(led(*far, "Böhmen", *near, leader="Böhmen", weights=SAFE)) in near


def test_where_no_statue_can_be_left_a_leader_goes_where_it_can_be_next_time():  # M3
    pair = ("Böhmen", "Schlesien")
    assert not any(borders(name, other) for name in ("Altmark", "Erzbm. Trier") for other in pair)
    assert goes(led("Altmark", *pair, "Erzbm. Trier", leader="Erzbm. Trier", weights=SAFE)) in pair


def test_a_county_that_already_has_an_own_statue_needs_no_other():  # M3 A10
    """Where one statue a county is allowed, the leader goes from Altmark to trophies far away."""
    for switch, goal in (("one", "Salzburg"), ("any", "Mittelmark")):
        scene = led(*CHAIN[:2], "Salzburg", leader="Altmark", weights=SAFE, statues_a_county=switch)
        scene.table.players[0].statues["Altmark"] = 1
        scene.table.players[1].statues["Salzburg"] = 1
        assert goes(scene) == goal


def test_trophies_are_taken_the_more_the_better():  # M3
    scene = led("Altmark", "Mittelmark", "Salzburg", leader="Altmark", weights=SAFE)
    scene.table.players[1].statues["Salzburg"] = 1
    scene.table.players[2].statues["Salzburg"] = 1
    assert goes(scene) == "Salzburg"  # two trophies against a statue left
    scene.table.players[2].statues.clear()
    scene.table.players[1].statues["Mittelmark"] = 1
    assert goes(scene) == "Mittelmark"  # a trophy and a statue


def test_in_the_last_round_only_statues_and_trophies_count():  # M3 M5
    weights = {"leader": 2.0, "statue": 0.5, "threat": 1.0}
    for season, goal in ((1, "Salzburg"), (2, "Mittelmark")):
        scene = led("Altmark", "Mittelmark", "Salzburg", leader="Altmark", weights=weights, armies=1)
        for name in scene.table.neighbours("Mittelmark") - set(CHAIN[:2]):
            scene.table.give(1, name, 9)
        assert goes(scene, season, year=1) == goal


def test_a_leader_avoids_a_county_in_danger():  # M4
    for threatened, safe in (("Mittelmark", "Salzburg"), ("Salzburg", "Mittelmark")):
        weights = {"leader": 2.0, "statue": 0.0, "threat": 1.0}
        scene = led("Altmark", "Mittelmark", "Salzburg", leader="Altmark", weights=weights, armies=1)
        for name in scene.table.neighbours(threatened) - {"Altmark"}:
            scene.table.give(1, name, 9)
        assert goes(scene) == safe


# -------------------------------------------------------------------------------------------------- placing


def test_a_leader_comes_to_the_county_whose_plan_gains_most_by_him():  # M1 M2
    for action, weight in (("palace", "thaler"), ("grain", "grain"), ("deploy5", "army")):
        scene = led(*TWELVE, weights=nothing_but(**{weight: 1.0}))
        scene.table.players[0].thalers = 15
        after_round(scene)
        mind_of(scene, 0).plan[:] = -1
        box = {"palace": 0, "grain": 3, "deploy5": 5}[action]
        for name in (TWELVE[3], TWELVE[8]):
            mind_of(scene, 0).plan[box] = scene.table.number(name)
            assert BOARD.counties[ask(scene, decide.choose_leader, 0)] == name


def test_a_leader_that_returns_takes_the_trophy_at_hand():  # M4
    scene = after_round(led(*CHAIN, "Salzburg", weights=SAFE), season=2)
    scene.game.event, scene.game.season = -1, 3
    scene.game.statue[1, 0] = scene.table.number("Salzburg")
    scene.game.statue[2, 0] = scene.table.number("Salzburg")
    assert BOARD.counties[ask(scene, decide.choose_leader, 0)] == "Salzburg"


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
    return [float(worth) for worth in mind.value.T[:11, list(mind.hand[:12]).index(scene.table.number(name))]]


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


def test_what_only_he_makes_affordable_is_planned():  # M2
    weights = nothing_but(majority=1.0, hold=1.0, thaler=0.1)
    for leader in (TWELVE[4], TWELVE[9]):
        scene = led(*TWELVE, leader=leader, weights=weights)
        scene.table.players[0].thalers = 2
        assert plan(begin_round(scene), 0)["palace"] == leader


def test_his_county_is_dearer_to_its_owner_and_to_rivals():  # M4 M5
    def worth(name, leader_of=None, statue_of=None):
        scene = led("Altmark", "Mittelmark")
        scene.table.give(1, "Neumark", 2)
        if leader_of is not None:
            scene.table.players[leader_of].leader = name
        if statue_of is not None:
            scene.table.players[statue_of].statues[name] = 1
        plan(begin_round(scene), 0)
        return mind_of(scene, 0).worth[scene.table.number(name)]

    assert worth("Altmark", leader_of=0) > worth("Altmark")
    assert worth("Neumark", leader_of=1) > worth("Neumark")
    assert worth("Neumark", statue_of=1) > worth("Neumark")
    assert worth("Altmark", statue_of=2) > worth("Altmark")
    assert worth("Altmark", statue_of=0) == worth("Altmark")
