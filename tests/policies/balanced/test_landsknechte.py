"""What `balanced` makes of the Landsknechte: the benefit it takes, and what a fourth region is worth to it (L)."""

from itertools import chain

import pytest

from tests.naive.making import BOARD
from tests.policies.balanced.test_judgement import nothing_but
from tests.policies.seating import ask, begin_round, is_sorted, mind_of, plan, ready, realm
from wallsim.policies import decide
from wallsim.rules.terms import BENEFITS

NORTH, SAXONY, AUSTRIA = ("Altmark", "Mittelmark"), ("Kursachsen", "Lausitz"), ("Böhmen", "Schlesien")
BAVARIA, PALATINATE = ("Oberpfalz", "Regensburg"), ("Erzbm. Trier", "Erzbm. Köln")
FIVE = (NORTH, SAXONY, AUSTRIA, BAVARIA, PALATINATE)
ON_CARD_4 = 0b1111  # every benefit


def holding(*regions, expansions=("landsknechte",), weights=None, **rules):
    """Seat 0 with two counties in each of these regions."""
    return realm(*chain(*regions), armies=3, weights=weights, expansions=expansions, **rules)


def worth_of(scene, name, season=0):
    """What owning a county is worth to seat 0 while it plans."""
    plan(begin_round(scene, season), 0)
    return mind_of(scene, 0).worth[scene.table.number(name)]


def premium(name, *regions, season=0, year=0, banner=1):
    """What the Landsknechte add to the worth of a county."""
    worths = []
    for expansions in (("landsknechte",), ()):
        scene = holding(*regions, expansions=expansions)
        scene.table.year = year
        scene.table.players[0].banner = banner if expansions else 1
        worths.append(worth_of(scene, name, season))
    return worths[0] - worths[1]


# -------------------------------------------------------------------------------------------- the fourth region


@pytest.mark.parametrize(
    ("name", "held", "counts"),
    [
        ("Oberpfalz", (NORTH, SAXONY, AUSTRIA), True),
        ("Oberpfalz", (SAXONY, AUSTRIA), False),
        ("Oberpfalz", (NORTH, SAXONY, AUSTRIA, PALATINATE), False),
        ("Oberpfalz", FIVE, False),
        ("Mähren", (NORTH, SAXONY, AUSTRIA), False),
        ("Mähren", (NORTH, SAXONY, AUSTRIA, BAVARIA), False),
        ("Böhmen", (NORTH, SAXONY, BAVARIA, AUSTRIA), False),
        ("Böhmen", (NORTH, SAXONY, BAVARIA, ("Böhmen",)), True),
        ("Böhmen", (NORTH, SAXONY, BAVARIA, PALATINATE, ("Böhmen",)), False),
    ],
)
def test_a_county_is_worth_more_if_it_is_the_only_one_of_a_fourth_region(name, held, counts):  # L1
    """To be taken or to be lost; with fewer or more regions, or two counties of one, it decides nothing."""
    assert premium(name, *held) > 0.5 if counts else premium(name, *held) == 0


def test_the_danger_to_such_a_county_is_greater():  # L1
    dangers = []
    for austria in (AUSTRIA, ("Böhmen",)):
        scene = holding(NORTH, SAXONY, BAVARIA, austria)
        scene.table.give(1, "Passau", 8)
        plan(begin_round(scene), 0)
        dangers.append(mind_of(scene, 0).danger[scene.table.number("Böhmen")])
    assert dangers[1] > dangers[0] > 0


def test_the_fewer_rounds_the_year_has_left_the_less_a_fourth_region_is_worth():  # L1 L2
    worths = [premium("Oberpfalz", NORTH, SAXONY, AUSTRIA, year=1, season=season) for season in (2, 1, 0)]
    assert is_sorted(worths)
    assert worths[0] == 0  # the last card of the game is turned before any county can change hands
    assert worths[1] > 0
    assert premium("Oberpfalz", NORTH, SAXONY, AUSTRIA, year=0, season=2) > 0  # next year's cards


def test_the_next_card_is_what_counts():  # L1
    """Whoever has already turned two cards is paid by the fourth, the best, next."""
    worths = [premium("Oberpfalz", NORTH, SAXONY, AUSTRIA, year=1, season=1, banner=card) for card in (1, 2, 3)]
    assert is_sorted(worths)
    assert worths[0] < worths[-1]


def test_a_draft_spreads_over_four_regions():  # B1.4 L1
    def choice(expansions, *regions):
        scene = holding(*regions, expansions=expansions, setup="draft", weights=nothing_but(regions=1.0, thaler=1.0))
        begin_round(scene)
        scene.game.open_card[:] = [BOARD.counties.index(name) for name in ("Hessen-Kassel", "Baden")]
        return ask(scene, decide.choose_claim, 0)

    assert choice(("landsknechte",), NORTH, SAXONY, AUSTRIA) == 1  # Bavaria is new
    assert choice((), NORTH, SAXONY, AUSTRIA) == 0
    assert choice(("landsknechte",), NORTH, SAXONY, AUSTRIA, PALATINATE) == 0  # four are held
    assert choice(("landsknechte",), NORTH, BAVARIA, AUSTRIA) == 0  # Saxony is new


# ------------------------------------------------------------------------------------------------ the benefit


@pytest.mark.parametrize(
    ("weights", "benefit"),
    [
        ({"thaler": 2.0}, "thalers"),
        ({"army": 1.0, "tray": 3.0}, "tray_armies"),
        ({"grain": 3.0}, "grain"),
        ({}, "victory_points"),
        ({"thaler": 1.0, "army": 1.0, "tray": 3.0}, "tray_armies"),
    ],
)
def test_the_benefit_of_greatest_worth_is_taken(weights, benefit):  # L1
    scene = holding(NORTH, weights=nothing_but(**weights))
    scene.table.players[0].banner = 4  # 6 Thalers, 3 armies, 2 grain or 1 point
    ready(begin_round(scene, season=2))
    assert BENEFITS[ask(scene, decide.choose_benefit, 0, ON_CARD_4)] == benefit


@pytest.mark.parametrize(
    ("held", "grain", "benefit"),
    [(FIVE, 0, "grain"), (FIVE, 18, "victory_points"), ((BOARD.counties[:24],), 18, "victory_points")],
    ids=["hungry", "fed", "hungry with a full track"],
)
def test_grain_is_taken_by_the_hungry_who_have_room_for_it(held, grain, benefit):  # L1 B7.2
    scene = holding(*held, weights=nothing_but(grain=3.0))
    scene.table.players[0].banner, scene.table.players[0].grain = 4, grain
    ready(begin_round(scene, season=2))
    assert BENEFITS[ask(scene, decide.choose_benefit, 0, ON_CARD_4)] == benefit
