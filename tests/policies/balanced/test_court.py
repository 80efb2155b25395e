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


@pytest.mark.parametrize("tray", range(7))
def test_cubes_in_the_tray_are_sent_where_they_are_cheaper_than_armies_as_far_as_they_go(tray):  # E4
    weights = nothing_but(favor=1.0, army=0.5, tray=0.0, courtier=2.0)
    armies, cubes = sent(at_court(weights=weights, tray=tray))
    assert cubes == tray
    assert armies + cubes == 6


@given(tables_with("court"), dice_of)
def test_dice_tower_cards_find_their_cubes(table, rng):  # E4
    """What the tray could give for one box it can give for all of them, in order."""
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        cards = plan(scene, seat)
        tray = scene.game.tray[seat]
        cubes = [courtiers for box, courtiers in COURT_BOXES.items() if cards[box] == "tower" and courtiers <= tray]
        assert sum(cubes) <= tray


# ------------------------------------------------------------------------------------------------- audience


@given(tables_with("court"), dice_of)
def test_more_courtiers_are_never_worth_less(table, rng):  # E5
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        plan(scene, seat)
        assert is_sorted(mind_of(scene, seat).audience_worth)


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


# ----------------------------------------------------------------------------------------- where to use it


def favored(scene, favor):
    """The county in which the seat uses a favor."""
    counties = scene.call(favor_counties, 0, favor)
    return BOARD.counties[ask(scene, decide.choose_favor_county, 0, favor, counties)]


def test_the_marker_is_removed_where_the_county_is_about_to_collect():  # B5.5 E6
    for collecting in (TWELVE[1], TWELVE[7]):
        scene = at_court((4, 0, 0), armies=1)
        mark(scene, TWELVE[1], TWELVE[7], markers=2)
        begin_round(scene)
        plan_of(scene, taxes=collecting)
        draw(scene, "palace_guard")
        assert favored(scene, 4) == collecting
