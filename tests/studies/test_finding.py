"""The first screen of a page: what may be called the best, and what makes the screen hard to read."""

from tests.analyses.studies import estimate
from tests.studies.first_screens import finding_errors
from wallsim.stats.intervals import Confidence
from wallsim.studies.finding import Finding, best_first

BLOCKS = 400
ONE = Confidence()


def near(value):
    """An estimate with a standard error of about 0.05."""
    return estimate(value, BLOCKS)


def test_the_best_comes_first_and_after_it_what_is_not_distinguishable_from_it():
    half = (near(0.0).interval(ONE)[1] - near(0.0).interval(ONE)[0]) / 2
    values = {"last": near(0.0), "close": near(1.0 - 1.9 * half), "best": near(1.0), "apart": near(1.0 - 2.1 * half)}
    assert best_first(values, ONE, largest=True) == ["best", "close"]
    mirrored = {name: near(-each.value) for name, each in values.items()}
    assert best_first(mirrored, ONE, largest=False) == ["best", "close"]


def test_too_many_words_numbers_and_rows_and_code_names_are_errors():
    good = Finding("A is best", "A wins 40.0 ± 1.0 %.", "A wins 30.0 ± 1.0 %.", "Why.", "Wins")
    table = "\n".join(["| a |", "| --- |", *["| 1 |"] * 12])
    assert finding_errors(good, table) == []
    assert len(finding_errors(good, f"{table}\n| 1 |")) == 1
    assert len(finding_errors(good._replace(differs="Much."), table)) == 1
    assert len(finding_errors(good._replace(title="`strong-4p` is best"), table)) == 1
    assert len(finding_errors(good._replace(title="Casual players win"), table)) == 1
    assert len(finding_errors(good._replace(casual="1 2 3 4 5 6"), table)) == 1
    assert len(finding_errors(good._replace(casual=f"{'word ' * 31}."), table)) == 1
    assert len(finding_errors(good._replace(unknown=f"{'Few words. ' * 30}"), table)) == 1
