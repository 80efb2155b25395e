"""Every number in the sentences around figures is a figure of the register, but for levels and names of rules."""

from math import nan
from types import SimpleNamespace

import pytest
from website.numbers import number_errors

FIGURES = {
    "worth": SimpleNamespace(value=3.14, low=2.91, high=3.37),
    "games": SimpleNamespace(value=12_000.0, low=nan, high=nan),
    "loss": SimpleNamespace(value=-7.0, low=-7.5, high=-6.5),
}


NO_ERROR = (
    "It is worth 3.14 VP, or 3.1 points.",
    "Known to ± 0.23 VP.",  # the half-width
    "It costs 7 VP.",  # of a negative value
    "95 % of intervals hold, 99 % of those.",  # levels
    "By B5.8, in 4 games with 3 seats.",  # rules, and what has no unit
    "The command `play --cost 5.5` and\n```\n9.99 VP\n```\n",
    "See [there](page-1.5.md).",
    "<!-- made by the study -->\n8.88 VP\n<!-- /made by the study -->\n",
)
WRONG = {
    "It is worth 3.2 VP.": "3.2",
    "Known to ± 0.46 VP.": "0.46",  # the whole width
    "12,001 points.": "12,001",
    "90 % of intervals hold.": "90", "As `3.14` says, 4.25.\n\n<!-- made -->\n3.14\n<!-- /made -->\n": "4.25",
}  # fmt: skip


@pytest.mark.parametrize("text", NO_ERROR)
def test_figures_and_what_is_no_number_of_a_sentence_are_without_error(text):
    assert number_errors(text, FIGURES) == []


@pytest.mark.parametrize("text", WRONG)
def test_a_number_that_is_no_figure_is_named_with_its_place(text):
    [error] = number_errors(text, FIGURES)
    assert error.startswith(f"{WRONG[text]} is no figure")
    assert WRONG[text] in error.partition("...")[2]
