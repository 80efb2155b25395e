"""Names of scenarios are readable, safe as names of folders, and never the same for two cells."""

import pytest

from wallsim.runs.scenarios.file import cell_name, labels
from wallsim.runs.scenarios.folder import MAX_CHARACTERS, is_name, repeated


@pytest.mark.parametrize("name", ["a", "2", "court+tower-mid", "A_b.c-d", "x" * MAX_CHARACTERS])
def test_letters_digits_and_four_signs_make_a_name(name):
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a b", "a/b", "a=b", "a,b", "-a", "ä", "a\n", "x" * (MAX_CHARACTERS + 1)]
)
def test_what_a_folder_or_a_reader_of_partitions_might_misread_is_no_name(name):
    assert not is_name(name)


def test_names_that_differ_in_case_alone_are_repeated():
    assert repeated(["a", "B", "A", "b", "c"]) == ["A", "b"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["mid", "rulebook"], ["mid", "rulebook"]),
        ([True, False, -2, 2], ["true", "false", "-2", "2"]),
        ([[], ["court"], ["court", "leaders"], "all"], ["none", "court", "court.leaders", "all"]),
        (["towers/my tower.toml", "other/my tower.toml"], ["my-tower", "my-tower.2"]),
        (["a/b", "A b"], ["a-b", "A-b.2"]),
        (["x" * 40, "y" * 41], ["x" * 40, "y" * 35 + ".2"]),
        (["", "x" * 60], ["none", "x" * 35 + ".2"]),
        ([[{"do": "hand", "thalers": -2, "round": "spring 1"}], []], ["hand-thalers-2-spring-1", "none"]),
    ],
)
def test_values_have_labels_that_are_short_safe_and_distinct(values, expected):
    assert labels(values) == expected
    assert all(is_name(f"x-{label}") for label in labels(values))


def test_a_cell_is_named_after_its_scenario_and_the_values_of_its_factors():
    assert cell_name(["tower", "rules.combat"], ["mid", "may"]) == "tower-mid+combat-may"
    assert cell_name(["tower"], ["mid"], "court") == "court+tower-mid"
