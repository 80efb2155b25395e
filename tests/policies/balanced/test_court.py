"""What `balanced` makes of the Emperor's Court: whom it sends, what it takes, and where it uses it (E)."""

import pytest
from hypothesis import given

from tests.naive.making import BOARD, tables_with
from tests.policies.balanced.test_judgement import TWELVE, mark, nothing_but
from tests.policies.seating import (
    ask,
    begin_round,
    dice_of,
    draw,
    is_sorted,
    mind_of,
    plan,
    random_round,
    ready,
    realm,
    weighted,
)
from wallsim.mechanics.court import favor_counties
from wallsim.policies import decide
from wallsim.rules.terms import MONEY, TOWER_CARD

COURT_BOXES = {"court_3": 3, "court_2": 2, "court_1": 1}
POINTS, FEW_POINTS, THALERS, GRAIN, BUILDING, ARMIES = 19, 6, 16, 20, 21, 12  # favors (E6)


def at_court(favors=(0, 0, 0), season=0, events=("none",) * 4, weights=None, hall=0, tray=0, armies=5, **rules):
    """Seat 0 with twelve counties, nobody else on the board, and these favors shown, dearest first."""
    scene = realm(*TWELVE, armies=armies, weights=weights, expansions=("court",), **rules)
    me = scene.table.players[0]
    me.thalers, me.grain, me.hall = 15, 18, hall
    scene.table.supply[0] -= tray
    scene.table.tray[0] += tray
    begin_round(scene, season, events=events)
    scene.game.shown_favor[:] = favors
    return scene


def sent(scene, seat=0):
    """Courtiers that the plan sends: (for armies, for cubes)."""
    cards = plan(scene, seat)
    armies = cubes = 0
    for box, courtiers in COURT_BOXES.items():
        card = cards[box]
        if card == "tower":
            cubes += courtiers if scene.game.tray[seat] >= courtiers else 0
        elif isinstance(card, str) and scene.game.army[BOARD.counties.index(card)] > courtiers:
            armies += courtiers
    return armies, cubes


def only(space, favor):
    """One favor on a space, the others taken."""
    return [favor if place == space else 0 for place in range(3)]


# ------------------------------------------------------------------------------------------------ courtiers


@pytest.mark.parametrize("hall", range(5))
@pytest.mark.parametrize("space", range(3))
def test_just_so_many_courtiers_are_sent_as_the_favor_aimed_at_costs(space, hall):  # E2 E4
    weights = nothing_but(favor=1.0, army=0.2, threat=0.5)
    scene = at_court(only(space, POINTS), season=2, hall=hall, weights=weights, edition="1e")
    scene.game.year = 1
    assert sum(sent(scene)) == max(0, (4, 3, 2)[space] - hall)


def test_nobody_is_sent_for_favors_that_are_worth_less_than_the_armies_or_taken():  # E2 E4
    for army, courtiers in ((0.2, 4), (1.0, 4), (4.0, 0)):
        weights = {**nothing_but(favor=1.0, tray=1.0), "army": army}
        assert sum(sent(at_court(only(0, POINTS), weights=weights))) == courtiers, army
    assert sent(at_court(weights=nothing_but(favor=1.0, army=0.2), tray=6)) == (0, 0)


def test_courtiers_are_sent_for_later_rounds_but_not_in_the_last():  # E5
    weights = nothing_but(favor=1.0, army=0.1, courtier=2.0)
    result = []
    for year, season in ((0, 0), (0, 2), (1, 0), (1, 2)):
        scene = at_court(season=season, weights=weights)
        scene.game.year = year
        result.append(sum(sent(scene)))
    assert result[0] == 6
    assert result[-1] == 0
    assert is_sorted(result[::-1])


def test_no_more_than_seven_courtiers_are_gathered():  # E1
    weights = nothing_but(favor=1.0, army=0.1, courtier=2.0)
    assert [sum(sent(at_court(hall=hall, weights=weights))) for hall in (0, 1, 2, 5, 7)] == [6, 6, 5, 2, 0]


@pytest.mark.parametrize("tray", range(7))
def test_cubes_in_the_tray_are_sent_where_they_are_cheaper_than_armies_as_far_as_they_go(tray):  # E4
    weights = nothing_but(favor=1.0, army=0.5, tray=0.0, courtier=2.0)
    armies, cubes = sent(at_court(weights=weights, tray=tray))
    assert cubes == tray
    assert armies + cubes == 6


def test_armies_are_sent_where_cubes_are_dearer():  # E4
    weights = nothing_but(favor=1.0, army=0.2, tray=3.0, courtier=0.5)
    armies, cubes = sent(at_court(weights=weights, tray=6))
    assert armies > 0 == cubes


@pytest.mark.parametrize(("rival", "courtiers"), [(0, 2), (1, 2), (6, 0)])
def test_armies_are_not_taken_from_a_county_in_danger(rival, courtiers):  # E4
    weights = nothing_but(favor=0.25, army=0.1, threat=1.0, hold=1.0)
    scene = at_court(weights=weights, armies=1, edition="1e")
    scene.table.year, scene.table.land["Neumark"].armies = 1, 4
    for name in scene.table.neighbours("Neumark") - set(TWELVE):
        scene.table.give(1, name, 1 + rival)
    begin_round(scene, season=2)
    scene.game.shown_favor[:] = only(2, FEW_POINTS)
    assert sum(sent(scene)) == courtiers
    mind = mind_of(scene, 0)
    cost = mind.petition_cost[1, list(mind.hand[:12]).index(scene.table.number("Neumark"))]
    assert (cost < 0.1) == (rival == 0)


@given(tables_with("court"), dice_of)
def test_dice_tower_cards_find_their_cubes(table, rng):  # E4
    """What the tray could give for one box it can give for all of them, in order."""
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        cards = plan(scene, seat)
        tray = scene.game.tray[seat]
        cubes = [courtiers for box, courtiers in COURT_BOXES.items() if cards[box] == "tower" and courtiers <= tray]
        assert sum(cubes) <= tray


def test_a_dice_tower_card_is_worth_a_pass_on_actions_and_a_bid_of_nothing():  # E3
    scene = at_court()
    plan(scene, 0)
    mind = mind_of(scene, 0)
    towers = [place for place in range(12 + 5 + 3) if mind.hand[place] == TOWER_CARD]
    zero = list(mind.hand[:17]).index(MONEY)
    assert len(towers) == 3
    for place in towers:
        assert list(mind.value.T[:11, place]) == list(mind.value.T[:11, zero])
    assert mind.value[zero, 10] != 0


# ------------------------------------------------------------------------------------------------- audience


@given(tables_with("court"), dice_of)
def test_more_courtiers_are_never_worth_less(table, rng):  # E5
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        plan(scene, seat)
        assert is_sorted(mind_of(scene, seat).audience_worth)


def test_rivals_with_courtiers_make_an_audience_worth_less():  # E5
    def worth(*halls):
        scene = at_court((POINTS, FEW_POINTS, 1), weights=nothing_but(favor=1.0), season=2)
        scene.game.hall[1 : 1 + len(halls)] = halls
        plan(scene, 0)
        return mind_of(scene, 0).audience_worth[4]

    assert worth(0, 0, 0) > worth(5, 0, 0) > worth(5, 5, 0) > worth(7, 7, 7) > 0


@pytest.mark.parametrize(
    ("favors", "weights", "taken"),
    [
        ((POINTS, FEW_POINTS, 1), {}, POINTS),
        ((GRAIN, POINTS, FEW_POINTS), {"grain": 3.0}, GRAIN),
        ((THALERS, POINTS, FEW_POINTS), {"thaler": 2.0}, THALERS),
        ((14, POINTS, FEW_POINTS), {"army": 1.0, "tray": 2.0}, 14),
        ((21, POINTS, FEW_POINTS), {"majority": 3.0, "hold": 1.0}, BUILDING),
        ((18, 11, 10), {}, None),
        ((18, 0, 0), {"army": 1.0}, None),
    ],
)
def test_the_favor_of_greatest_worth_is_taken(favors, weights, taken):  # E5 E6
    scene = at_court(favors, weights=nothing_but(**weights), hall=7, events=("none", "none", 0, 1))
    scene.game.grain[0] = 0
    ready(scene)
    space = ask(scene, decide.choose_favor, 0, 0b111)
    assert (None if space < 0 else favors[space]) == taken


def test_courtiers_are_kept_for_better_favors_but_not_beyond_the_last_round():  # E5
    taken = []
    for year, season in ((0, 0), (1, 2)):
        scene = at_court((0, 0, FEW_POINTS), season, weights=nothing_but(courtier=1.5), hall=2)
        scene.game.year = year
        ready(scene)
        taken.append(ask(scene, decide.choose_favor, 0, 0b100))
    assert taken == [-1, 2]


def test_protection_is_worth_the_danger_it_averts():  # E6
    worth = {}
    for rival in (0, 2, 8):
        scene = at_court((18, 11, 10), armies=1)
        for name in TWELVE:
            for other in scene.table.neighbours(name) - set(TWELVE):
                if rival:
                    scene.table.give(1, other, rival)
        begin_round(scene)
        scene.game.shown_favor[:] = (18, 11, 10)
        plan(scene, 0)
        worth[rival] = list(mind_of(scene, 0).favor_worth)
    assert worth[0] == [0, 0, 0]
    assert worth[8][0] > worth[2][0] > 0
    assert worth[8][0] > worth[8][1] == worth[8][2] > 0


# ---------------------------------------------------------------------------------------------- the event


def plan_of(scene, **cards):
    """Let the seat's own plan be these counties, and nothing else."""
    plan(scene, 0)
    mind_of(scene, 0).plan[:] = -1
    boxes = ("palace", "church", "trading_post", "grain", "taxes", "deploy5", "deploy3", "deploy1", "combat_a")
    for box, name in cards.items():
        mind_of(scene, 0).plan[boxes.index(box)] = scene.table.number(name)


@pytest.mark.parametrize(
    ("event", "cards", "cancelled"),
    [
        ("tax_max_5", {"taxes": "Altmark"}, True),  # prints 6
        ("tax_max_5", {"taxes": "Mittelmark"}, False),  # prints 3
        ("tax_min_6", {"taxes": "Mittelmark"}, False),
        ("grain_max_3", {"grain": "Lüneburg"}, True),  # prints 5
        ("grain_min_4", {"grain": "Altmark"}, False),  # prints 2
        ("small_levies", {"deploy5": "Altmark"}, True),
        ("small_levies", {"taxes": "Altmark"}, False),
        ("trading_post_calms", {"trading_post": "Altmark"}, False),
        ("neutral_guard", {"combat_a": "Lüneburg"}, True),
        ("church_peace", {"taxes": "Altmark"}, False),
    ],
)
def test_an_event_is_cancelled_where_it_harms_the_seats_own_plan(event, cards, cancelled):  # E6
    scene = at_court(events=(event, 0, 1, 2), weights={"grain": 2.0})
    scene.game.grain[0] = 0
    mark(scene, "Altmark", markers=1)
    plan_of(scene, **cards)
    draw(scene, event)
    assert bool(ask(scene, decide.choose_cancel_event, 0)) == cancelled


def test_an_event_that_keeps_a_rival_out_is_not_cancelled_and_one_that_saves_a_rival_is():  # E6
    def cancelled(own, **cards):
        scene = at_court(armies=6)
        rival = sorted(scene.table.neighbours("Lüneburg") - set(TWELVE))[0]
        scene.table.give(1, rival, 1 if not own else 9)
        scene.table.land["Lüneburg" if own else rival].buildings = {"church"}
        begin_round(scene, events=("church_peace", 0, 1, 2))
        plan_of(scene, **cards)
        for name in scene.table.neighbours("Lüneburg") - {rival}:
            scene.game.built[1] |= 0 if own else 1 << scene.table.number(name)
        draw(scene, "church_peace")
        return bool(ask(scene, decide.choose_cancel_event, 0))

    assert not cancelled(True, taxes="Altmark")
    assert cancelled(False, combat_a="Lüneburg")


def test_peace_that_protects_more_than_it_forbids_is_kept():  # B5.9 E6
    def cancelled(rival):
        scene = at_court(armies=6, weights={"threat": 1.0, "attack": 0.2})
        around = sorted(scene.table.neighbours("Lüneburg") - set(TWELVE))
        scene.table.give(1, around[0], rival)
        begin_round(scene, events=("church_peace", 0, 1, 2))
        plan_of(scene, combat_a="Lüneburg")
        draw(scene, "church_peace")
        for name in (*around, "Lüneburg"):
            scene.game.built[1] |= 1 << scene.table.number(name)
        return bool(ask(scene, decide.choose_cancel_event, 0))

    assert cancelled(rival=1)
    assert not cancelled(rival=20)


# ----------------------------------------------------------------------------------------- where to use it


def favored(scene, favor):
    """The county in which the seat uses a favor."""
    counties = scene.call(favor_counties, 0, favor)
    return BOARD.counties[ask(scene, decide.choose_favor_county, 0, favor, counties)]


def test_a_free_building_goes_where_it_makes_the_difference():  # B7.4 E6
    scene = at_court((BUILDING, 0, 0))
    scene.table.give(0, "Böhmen", 2)
    scene.table.give(1, "Mähren", 2, ["palace"])
    for rival in (1, 2, 3):  # the palaces of the north are lost
        name = ("Osnabrück", "Vorpommern", "Kursachsen")[rival - 1]
        scene.table.give(1, name, 2, ["palace"])
    scene.table.give(1, "Sächs. Lande", 2, ["palace"])
    scene.table.land["Altmark"].buildings = {"palace"}
    scene.table.land["Holstein"].buildings = {"palace"}
    begin_round(scene)
    plan_of(scene, taxes="Bremen")
    draw(scene, "palace_guard")
    gain = mind_of(scene, 0).gain
    best = max(range(5), key=lambda region: gain[region, 0] if region in (0, 1, 2) else -1)
    assert BOARD.region[scene.table.number(favored(scene, BUILDING))] == best


def test_a_free_building_does_not_take_the_site_of_a_planned_one():  # E6
    scene = at_court((BUILDING, 0, 0))
    first = None
    for planned in ({}, "again"):
        plan_of(scene, **({"palace": first} if planned else {}))
        draw(scene, "palace_guard")
        result = favored(scene, BUILDING)
        assert result != first
        scene.game.event = -1
        first = result


def test_free_armies_take_a_county_that_is_free_without_a_battle():  # E6
    scene = at_court((ARMIES, 0, 0))
    ready(scene)
    assert favored(scene, ARMIES) not in TWELVE


@pytest.mark.parametrize("threatened", ["Neumark", "Hessen-Kassel", "Osnabrück"])
def test_free_armies_strengthen_the_county_in_danger_where_none_is_free(threatened):  # E6
    scene = at_court(armies=1)
    around = scene.table.neighbours(threatened) - set(TWELVE)
    enemy = min(around, key=lambda name: len(scene.table.neighbours(name) & set(TWELVE)))
    for name in scene.table.counties_of(None):
        scene.table.give(1, name, 9 if name == enemy else 1)
    begin_round(scene)
    ready(scene)
    assert favored(scene, ARMIES) in scene.table.neighbours(enemy) & set(TWELVE)


def test_the_marker_is_removed_where_the_county_is_about_to_collect():  # B5.5 E6
    for collecting in (TWELVE[1], TWELVE[7]):
        scene = at_court((4, 0, 0), armies=1)
        mark(scene, TWELVE[1], TWELVE[7], markers=2)
        begin_round(scene)
        plan_of(scene, taxes=collecting)
        draw(scene, "palace_guard")
        assert favored(scene, 4) == collecting
