"""What the box holds (B0), how it is packed for the kernels, and what may be written in a ruleset."""

import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from tests.naive.making import BOARD, SUBSETS, USUAL, packed
from tests.naive.table import OUT_WITH_THREE, bits
from tests.naive.winter import supply_chart
from wallsim.rules import terms
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import SWITCHES, Ruleset


def test_the_components_are_those_of_the_box():  # B0.2 to B0.6 E1 E2 E3 L1 M1
    assert (terms.ARMIES_PER_PLAYER, terms.PEASANT_ARMIES) == (62, 20)
    assert (terms.EVENT_CARDS, len(terms.ACTIONS), len(terms.TILES), terms.MONEY_CARDS) == (12, 10, 5, 5)
    assert (terms.SHOWN_ACTIONS, terms.BASE_BOXES, terms.BOXES) == (5, 11, 14)
    assert (terms.COURTIERS, terms.TOWER_CARDS, terms.FAVORS, terms.SHOWN_FAVORS) == (7, 3, 21, 3)
    assert (terms.LANDSKNECHT_CARDS, terms.STATUES) == (4, 6)


def test_every_card_has_a_number_of_its_own():  # B3.1 E3
    counties, money = range(terms.COUNTIES), range(terms.MONEY, terms.MONEY + terms.MONEY_CARDS)
    assert {*counties} & {*money, terms.TOWER_CARD, terms.NO_CARD} == set()
    assert terms.TOWER_CARD not in money
    assert terms.CARDS == 45 + 5 + 3


@pytest.mark.parametrize("players", [3, 4, 5])
def test_kernels_know_only_counties_in_play(players):  # B0.1
    rules = packed(Ruleset(players=players))
    out = OUT_WITH_THREE if players == 3 else set()
    in_play = set(BOARD.counties) - out
    assert bits(rules.in_play, BOARD.counties) == in_play
    assert set().union(*(bits(mask, BOARD.counties) for mask in rules.region_counties)) == in_play
    for number, name in enumerate(BOARD.counties):
        around = bits(BOARD.neighbours[number], BOARD.counties) - out if name in in_play else set()
        assert bits(rules.neighbours[number], BOARD.counties) == around
        listed = rules.neighbour[number, : rules.neighbour_count[number]]
        assert [BOARD.counties[other] for other in listed] == sorted(around, key=BOARD.counties.index)


@pytest.mark.parametrize(
    ("players", "thalers", "groups"),
    [(3, 18, (5, 4, 4, 3, 3, 2, 2, 2, 2)), (4, 15, (5, 4, 4, 3, 3, 2, 2, 2)), (5, 12, (5, 4, 4, 3, 3, 2, 2))],
)
def test_thalers_and_army_groups_follow_the_number_of_players(players, thalers, groups):  # B1.1 B1.2
    rules = packed(Ruleset(players=players))
    assert rules.starting_thalers.tolist() == [thalers] * players + [0] * (terms.MAX_PLAYERS - players)
    assert tuple(rules.group[: rules.groups]) == groups


@pytest.mark.parametrize("letters", [(), ("A", "B", "C"), ("C", "A", "B")])
def test_seats_start_from_their_lineups(letters):  # B1.3
    rules = packed(Ruleset(players=3, lineups=letters))
    for seat, letter in enumerate(letters or "ABC"):
        counties = [BOARD.counties[county] for county in rules.lineup_county[seat, :9]]
        expected = [(BOARD.counties[county], armies) for county, armies, _ in BOARD.lineups[3, letter]]
        assert [*zip(counties, rules.lineup_army[seat, :9], strict=True)] == expected


def test_the_supply_chart_goes_on_after_its_last_line():  # B7.2
    rules = packed(Ruleset())
    for shortage in range(64):
        assert (rules.revolting[shortage], rules.extra_peasants[shortage]) == supply_chart(shortage)


FIELDS = {  # switch, other setting than the default, field of the record, its values for default and other
    "A1": ("food_track", "open", "food_track_capped", 1, 0),
    "A2": ("bank", 150, "bank", 0, 150),
    "A3": ("draft_start", "seat_0", "draft_start_random", 1, 0),
    "A4": ("money_bid", "any", "money_bid_held", 1, 0),
    "A5": ("income", "if_held", "income_first", 1, 0),
    "A6": ("short_supply", "all", "bonus_must_be_there", 0, 1),
    "A7": ("combat", "may", "combat_must", 1, 0),
    "A8": ("few_peasants", "all_or_none", "peasants_all_or_none", 0, 1),
    "A9": ("final_tie", "shared", "ties_by_thalers", 1, 0),
    "A10": ("statues_a_county", "one", "statues_a_county", terms.STATUES, 1),
    "A11": ("single_county", "leaves", "lone_leader_stays", 1, 0),
    "A12": ("statue_points", "at_the_end", "statue_points_each_winter", 1, 0),
    "A13": ("stood_aside", "do_not_count", "stood_aside_count", 1, 0),
    "A14": ("few_cards", "any_box", "actions_first", 1, 0),
    "A15": ("palace_guard_in_revolts", "yes", "palace_guard_in_revolts", 0, 1),
    "A16": ("revolting_markers", "with_own", "own_marker_revolts", 0, 1),  # in the first edition
}


def test_all_switches_are_listed_here():
    assert [switch.mark for switch in SWITCHES] == [*FIELDS]


@pytest.mark.parametrize("mark", FIELDS)
def test_a_switch_reaches_the_kernels(mark):
    name, other, field, default, changed = FIELDS[mark]
    assert next(switch for switch in SWITCHES if switch.mark == mark).field == name
    ruleset = Ruleset(edition="1e") if mark == "A16" else Ruleset()
    assert packed(ruleset)[field] == default
    assert packed(replace(ruleset, **{name: other}))[field] == changed


def test_the_record_is_read_only_and_a_faulty_ruleset_is_refused():
    record = pack_rules(BOARD, Ruleset(), USUAL)
    with pytest.raises(ValueError, match="read-only"):
        record["players"] = 3
    with pytest.raises(ValueError, match="food_track"):
        pack_rules(BOARD, Ruleset(food_track="loose"), USUAL)


# --------------------------------------------------------------------------------------------- rulesets


def test_either_edition_goes_with_any_of_eight_sets_of_expansions():
    assert len(set(SUBSETS)) == 8
    rulesets = [Ruleset(edition=edition, expansions=some) for edition in ("2e", "1e") for some in SUBSETS]
    assert [ruleset.errors() for ruleset in rulesets] == [[]] * 16


def test_expansions_stand_in_one_order_so_that_equal_games_are_equal_rulesets():
    for expansions in [*permutations(("court", "landsknechte", "leaders"))][1:]:
        assert [name for name, *_ in Ruleset(expansions=expansions).errors()] == ["expansions"]


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("edition", "3e", "2e, 1e"),
        ("expansions", ("empress",), "court, landsknechte, leaders"),
        ("expansions", ("court", "court"), "each once"),
        ("combat", "never", "must, may"),
        ("palace_guard_in_revolts", True, "no, yes"),
    ],
)
def test_an_error_names_field_value_and_what_is_allowed(field, value, allowed):
    ((name, wrong, text),) = Ruleset(**{field: value}).errors()
    assert name == field
    assert wrong == (list(value) if field == "expansions" else value)
    assert allowed in text


def test_moving_is_a_duty_in_both_editions_unless_it_is_said_otherwise():  # B5.8 V4 A7
    for edition in ("2e", "1e"):
        assert Ruleset(edition=edition).options()["A7"] == "must"
        assert Ruleset(edition=edition, combat="may").options()["A7"] == "may"


def test_the_options_name_every_switch_by_its_mark():
    options = Ruleset(bank=120, statue_points="at_the_end").options()
    assert [*options] == [switch.mark for switch in SWITCHES]
    assert (options["A2"], options["A12"], options["A13"]) == (120, "at_the_end", "count")


def test_every_switch_says_what_it_means_and_where_it_belongs():
    assert len({switch.field for switch in SWITCHES}) == len(SWITCHES)
    assert len({switch.meaning for switch in SWITCHES} - {""}) == len(SWITCHES)
    assert {switch.rule[0] for switch in SWITCHES} <= {*"BEMV"}


TESTS = {path: path.read_text("utf-8") for path in sorted(Path(__file__).parents[1].rglob("test_*.py"))}


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.mark)
def test_every_setting_of_a_switch_is_met_where_a_test_bears_its_mark(switch):
    comment = re.compile(rf"# .*\b{switch.mark}\b")
    texts = [text for path, text in TESTS.items() if path != Path(__file__) and comment.search(text)]
    assert texts, f"no test has {switch.mark} in its comment"
    for setting in get_args(get_type_hints(Ruleset)[switch.field]):
        assert any(f'"{setting}"' in text for text in texts), f"no test of {switch.mark} names {setting}"
