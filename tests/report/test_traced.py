"""Numbers that know their figure: arithmetic keeps the ids, texts are marked, and pages get elements from marks."""

import copy
import pickle

import pytest

from wallsim.analyses.strategy_report.html import with_ids
from wallsim.report.tables.estimates import bounded, in_words, number
from wallsim.report.tables.traced import Source, Traced, joined, judged, marked, sources_in, unmarked

ONE, OTHER = Traced(2.0, ("a.b",), "VP"), Traced(0.5, ("a.c",), "VP")


def element(text, value="2"):
    """The element of a page for `ONE` or a number of its figure."""
    return f'<data value="{value}" data-id="a.b" data-unit="VP">{text}</data>'


def test_arithmetic_keeps_the_figure_agrees_with_plain_numbers_and_knows_both_figures():
    made = (ONE + 1, 1 + ONE, ONE - 1, 1 - ONE, 3 * ONE, ONE * 3, ONE / 2, 2 / ONE, -ONE, abs(-ONE), round(ONE, 1))
    assert {(each.ids, each.unit) for each in made} == {(("a.b",), "VP")}
    assert (ONE + OTHER, ONE - OTHER, ONE * OTHER, ONE / OTHER) == (2.5, 1.5, 1.0, 4.0)
    assert (ONE - OTHER).ids == ("a.b", "a.c")
    assert (ONE - OTHER).unit == ""
    assert round(ONE) == 2
    assert type(round(ONE)) is int


def test_a_rounded_number_keeps_the_full_one():
    fine = Traced(1.2345, ("a.b",), "VP")
    assert (round(fine, 1), round(fine, 1).full, (round(-fine, 1) + 0.0).full, (2 * fine).full) == (
        1.2, 1.2345, -1.2345, 2.469,
    )  # fmt: skip
    assert with_ids(number(fine, 1)) == element("1.2", "1.2345")


def test_copies_stay_traced():
    for each in (copy.copy(ONE), copy.deepcopy(ONE), pickle.loads(pickle.dumps(ONE))):
        assert (each, each.ids, each.unit) == (2.0, ("a.b",), "VP")


@pytest.mark.parametrize(
    "write",
    [
        lambda value: number(value, 1, "+"),
        lambda value: in_words(value, (value - 1, value + 1), 1),
        lambda value: bounded(value / 1000, 1),
        lambda value: f"{-value:.3f}",
    ],
)
def test_a_text_is_that_of_the_plain_number_with_marks_around_it(write):
    assert unmarked(write(ONE)) == write(2.0)
    assert {each.ids for each in sources_in(write(ONE))} == {("a.b",)}
    assert list(sources_in(write(2.0))) == []


def test_a_value_and_its_half_width_are_one_element():
    text = in_words(ONE, (ONE - 1, ONE + 1), 1)
    assert list(sources_in(text)) == [Source(("a.b",), 2.0, "VP")]
    assert with_ids(f"<p>{text} VP</p>") == f"<p>{element('2.0 ± 1.0')} VP</p>"
    mixed = f"{ONE:.1f} ± {OTHER:.1f}"
    assert joined(mixed) == mixed


def test_words_of_a_verdict_have_their_claim_and_marks_within_marked_text_give_way():
    assert with_ids(judged("wins", "a.claim")) == '<span data-claim="a.claim">wins</span>'
    assert list(sources_in(marked(f"at most {OTHER:.0f}", ONE))) == [Source(("a.b",), 2.0, "VP")]


def test_attributes_titles_and_options_have_no_elements_and_pictures_their_own():
    page = f'<title>{ONE:.0f}</title><i title="{ONE:.0f}">{ONE:.0f}</i><svg><text>{ONE:.0f}</text></svg>{ONE:.0f}'
    in_picture = '<tspan data-id="a.b">2</tspan>'
    assert with_ids(page) == (
        f'<title>2</title><i title="2">{element("2")}</i><svg><text>{in_picture}</text></svg>{element("2")}'
    )


def test_a_link_leads_to_the_first_element_of_a_figure_or_nowhere():
    page = with_ids(f'<a href="#figure-a.b">x</a> <a href="#figure-a.c">y</a> {ONE:.0f} {ONE:.1f}')
    assert page.startswith('<a href="#figure-a.b">x</a> <a>y</a> <data id="figure-a.b" value')
    assert page.count('id="figure-') == 1


def test_a_private_character_of_a_name_marks_nothing():
    name = "x\U000ffff0y\ue000 ± \U000ffff1z\ue000"
    assert list(sources_in(name)) == []
    assert joined(name) == name
    assert with_ids(f"<p>{name} {ONE:.0f}</p>").count("<data") == 1
