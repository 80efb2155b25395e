"""Editions, favors and Landsknechte as the kernels get them, from the shipped board and from a user's own."""

import pytest

from tests.naive.court import WARDED_OFF, kind_of
from tests.naive.landsknechte import BENEFITS
from tests.naive.making import BOARD, SUBSETS, USUAL, packed
from wallsim.rules import terms
from wallsim.rules.board import load_board
from wallsim.rules.board_cards import FAVOR_VALUES
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset


def own_rules(folder, **ruleset):
    """The record that a user's own board gives."""
    return pack_rules(load_board(folder.path), Ruleset(**ruleset), USUAL)[0]


@pytest.mark.parametrize("expansions", SUBSETS)
def test_the_kernels_know_which_expansions_are_in_play(expansions):  # E L M
    rules = packed(Ruleset(expansions=expansions))
    assert (rules.court, rules.landsknechte, rules.leaders) == tuple(
        name in expansions for name in ("court", "landsknechte", "leaders")
    )
    assert list(rules.expansion) == [rules.court, rules.landsknechte, rules.leaders]
    assert rules.expansions == len(expansions)
    assert rules.boxes == (14 if "court" in expansions else 11)  # E3


@pytest.mark.parametrize(("edition", "first", "loyal_below"), [("2e", 0, 1), ("1e", 1, 2)])
def test_the_kernels_know_the_edition_and_the_duty_to_move_in_it(edition, first, loyal_below):  # V4 V6 A7
    for fields, must in (({}, 1), ({"combat": "must"}, 1), ({"combat": "may"}, 0)):
        rules = packed(Ruleset(edition=edition, **fields))
        assert (rules.first_edition, rules.loyal_below, rules.combat_must) == (first, loyal_below, must)


def test_both_editions_share_chart_events_and_starting_money():  # V7 V8
    first, second = packed(Ruleset(edition="1e")), packed(Ruleset())
    for name in ("revolting", "extra_peasants", "event_effect", "event_loss", "starting_thalers", "group"):
        assert (first[name] == second[name]).all()


def test_kernels_number_favors_and_benefits_in_the_order_of_the_boards_lists():  # E6, L1
    favors = (
        terms.CANCEL_EVENT, terms.FAVOR_THALERS, terms.FAVOR_TRAY_ARMIES, terms.CALM, terms.FAVOR_GRAIN,
        terms.FAVOR_POINTS, terms.FREE_BUILDING, terms.NO_ATTACK, terms.FREE_ARMIES,
    )  # fmt: skip
    benefits = (terms.BENEFIT_THALERS, terms.BENEFIT_TRAY_ARMIES, terms.BENEFIT_GRAIN, terms.BENEFIT_POINTS)
    for numbers, listed, kinds in (
        (favors, FAVOR_VALUES, terms.FAVOR_KINDS),
        (benefits, BENEFITS, terms.BENEFITS),
    ):
        assert numbers == (*range(len(kinds)),)
        assert (*listed,) == kinds


@pytest.mark.parametrize("row", BOARD.favors, ids=lambda row: f"favor {row['number']}")
def test_a_favors_kind_and_value_reach_the_kernels(row):  # E6
    rules, number, value = packed(Ruleset(expansions=("court",))), row["number"], row["value"]
    assert terms.FAVOR_KINDS[rules.favor_kind[number]] == row["kind"]
    if kind_of(number) == "building":
        value = ("palace", "church", "trading_post").index(value)
    elif kind_of(number) == "truce":
        value = sum(1 << ("combat_a", "combat_b").index(action) for action in WARDED_OFF[value])
    assert rules.favor_value[number] == (value or 0)


@pytest.mark.parametrize(
    ("old", "new", "number", "value"),
    [
        ("16,thalers,6", "16,thalers,11", 16, 11),
        ("7,free_building,trading_post", "7,free_building,palace", 7, 0),
        ("11,no_attack,B", "11,no_attack,A or B", 11, 0b11),
    ],
)
def test_a_users_own_value_of_a_favor_replaces_the_shipped_one(folder, old, new, number, value):  # E6
    folder.change("favors.csv", old, new)
    rules = own_rules(folder, expansions=("court",))
    assert rules.favor_value[number] == value
    shipped = packed(Ruleset(expansions=("court",)))
    same = [other for other in range(1, 22) if other != number]
    assert (rules.favor_value[same] == shipped.favor_value[same]).all()


def test_a_user_may_give_a_number_another_kind(folder):  # E6
    folder.change("favors.csv", "19,victory_points,3", "19,thalers,9")
    rules = own_rules(folder, expansions=("court",))
    assert (rules.favor_kind[19], rules.favor_value[19]) == (terms.FAVOR_THALERS, 9)


def test_the_cards_reach_the_kernels_the_empty_banner_first_and_a_users_own_replace_them(folder):  # L1
    shipped = [[0, 0, 0, 0], [2, 1, 0, 0], [4, 2, 1, 0], [6, 3, 2, 1]]
    assert packed(Ruleset(expansions=("landsknechte",))).benefit.tolist() == shipped
    folder.change("landsknechte.csv", "3,4,2,1,0", "3,0,5,0,2")
    own = [*shipped[:2], [0, 5, 0, 2], shipped[3]]
    assert own_rules(folder, expansions=("landsknechte",)).benefit.tolist() == own


@pytest.mark.parametrize(
    ("file", "fields"), [("favors.csv", ("favor_kind", "favor_value")), ("landsknechte.csv", ("benefit",))]
)
def test_the_order_of_a_file_of_cards_does_not_matter(folder, file, fields):  # E6, L1
    header, *lines = folder.lines(file)
    folder.write(file, [header, *reversed(lines)])
    rules, shipped = own_rules(folder, expansions=("court",)), packed(Ruleset(expansions=("court",)))
    assert all((rules[name] == shipped[name]).all() for name in fields)
