"""No number is written as if it were certain: bounds stand where rounding would make nought or the whole of it."""

from math import inf, nan

import pytest

from tests.refusals import assert_names
from wallsim.analysis.tournament.order import SameOrder
from wallsim.report.tables.estimates import (
    bounded,
    count_of,
    ends,
    half_width,
    in_words,
    number,
    share,
    share_ends,
    share_of_resamples,
    tau_in_words,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"), (1.0, "100.0"), (0.273, "27.3"), (0.00049, "< 0.1"), (0.0005001, "0.1"), (0.99951, "> 99.9"),
        (0.9994, "99.9"), (0.999, "99.9"), (1e-15, "0.0"),
    ],
)  # fmt: skip
def test_a_share_is_nought_or_all_only_if_it_is(value, text):
    assert share(value) == text
    assert [share(value, 0) for value in (0.001, 0.5, 0.999, 1.0)] == ["< 1", "50", "> 99", "100"]


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(4.712, 2, "4.71"), (-0.3, 2, "−0.30"), (0.001, 2, "< 0.01"), (-0.001, 2, "> −0.01"), (nan, 1, "–"), (inf, 1, "∞"),
     (-1e-12, 2, "0.00")],
)  # fmt: skip
def test_other_numbers_are_nought_only_if_they_are(value, decimals, text):
    assert bounded(value, decimals) == text


def test_signs_stand_before_numbers_but_not_before_nought():
    assert [number(value, 1, "+") for value in (1.25, -1.25, 0.001)] == ["+1.2", "−1.2", "0.0"]
    assert bounded(0.001, 1, sign="+") == "< +0.1"
    widths = half_width((1.0, 1.2), 2), half_width((1.0, 1.002), 2), half_width((0.5, 0.5001), 1, 100.0, " ±")
    assert widths == (" ± 0.10", " ± < 0.01", " ±< 0.1")
    assert half_width(None, 2) == ""


def test_ends_of_an_interval_differ_as_they_are_written():
    assert ends((20.12, 27.34), 1) == "20.1 to 27.3"
    assert ends((0.9951, 0.9958), 2) == "0.995 to 0.996"
    assert ends((1.0, 1.0), 2) == "1.00 to 1.00"  # that is all there is
    assert ends((-0.004, 0.3), 2) == "0.00 to 0.30"
    assert ends(None, 1) == "–"


def test_a_low_end_is_never_written_as_all_nor_a_high_end_as_nothing():
    assert share_ends((0.997, 1.0)) == "99.7 to 100.0"
    assert share_ends((0.9997, 1.0)) == "> 99.9 to 100.0"
    assert share_ends((0.0, 0.0003)) == "0.0 to < 0.1"
    assert share_ends((0.2, 0.25), between="–") == "20.0–25.0"


def test_resamples_that_all_agree_are_no_certainty():
    of_1000 = [share_of_resamples(value, 1000) for value in (1.0, 0.9995, 0.998, 0.0)]
    assert of_1000 == ["> 99.9", "> 99.9", "99.8", "< 0.1"]
    assert [share_of_resamples(value, 60) for value in (1.0, 0.9, 0.0)] == ["> 98.3", "90.0", "< 1.7"]
    assert share_of_resamples(1.0, 10**6) == "> 99.9"
    assert [count_of(count, 1000) for count in (0, 12, 1000)] == ["fewer than 1 of 1,000", "12 of 1,000", "all 1,000"]


def test_an_estimate_is_never_nought_with_nought_around_it():
    assert in_words(0.00195, (0.001, 0.003), 2) == "< 0.01 ± < 0.01"
    assert in_words(0.00195, (-0.2, 0.2), 2) == "0.00 ± 0.20"  # the width is seen, so nobody takes it for nought
    assert in_words(99.97, (99.7, 100.2), 1, top=100.0) == "> 99.9 ± 0.2"
    assert in_words(100.0, None, 1, top=100.0) == "100.0"
    assert in_words(0.004, None, 2) == "< 0.01"
    one_sided = [in_words(value, (0.514, inf), 2) for value in (nan, 1.4)]
    assert one_sided == ["at least 0.51", "1.40 (at least 0.51)"]
    assert (in_words(-19.5, None, 2, "+"), in_words(float("-inf"), None, 2, "+")) == ("−19.50", "−∞")


def test_a_share_from_nought_to_one_is_reported_in_per_cent_with_its_half_width():
    assert in_words(0.0004, (0.0002, 0.0006), 1, top=100.0, factor=100.0, mark=" ±") == "< 0.1 ±< 0.1"
    assert in_words(-0.0004, (-0.0006, -0.0002), 1, factor=100.0) == "> −0.1 ± < 0.1"
    assert in_words(0.9999, (0.9998, 1.0), 1, top=100.0, factor=100.0) == "> 99.9 ± < 0.1"


def test_an_order_that_is_known_is_reported_by_its_pairs():
    pairs = tuple((f"p{number}", f"q{number}") for number in range(10))
    assert_names(tau_in_words(SameOrder((), 1.0, (1.0, 1.0), pairs, (), ())), "1, all 10 pairs", "same order")
    assert_names(tau_in_words(SameOrder((), -1.0, (-1.0, -1.0), (), pairs, ())), "−1, all 10 pairs", "reverse")
    known = SameOrder((), 0.8, (0.8, 0.8), pairs[:9], pairs[9:], ())
    assert_names(tau_in_words(known), "0.80, ", "all 10 pairs", "known")
    assert tau_in_words(SameOrder((), 1.0, (0.8, 1.0), pairs[:9], (), pairs[9:])) == "1.00 (0.80 to 1.00)"
    assert tau_in_words(SameOrder((), 0.6, None, (), (), pairs)) == "0.60 (–)"
