"""What may be written in a ruleset, and how its switches are described."""

from itertools import permutations

import pytest

from tests.naive.making import SUBSETS
from wallsim.rules.ruleset import SWITCHES, Ruleset


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
