"""A comparison as a table: whose number, both values, the change, and what pairing gained."""

import io

import numpy as np
import pytest
from rich.console import Console

from tests.analysis.contrasts.planted_runs import planted_run, wins_of
from tests.refusals import assert_names
from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.report.tables.columns import json_text
from wallsim.report.tables.contrasts import comparison_document, gain_in_words, print_comparison

GAMES = 400
RNG = np.random.default_rng(61)
VP = RNG.integers(20, 60, (GAMES, 4)).astype(float)
MORE = VP + RNG.integers(1, 4, (GAMES, 1)) * np.eye(4)[1]


def comparison(after=MORE, games=GAMES, **arguments):
    return compare(
        paired_runs(
            planted_run("a", {"vp": VP[:games], "win": wins_of(VP)[:games], "counties": VP[:games]}),
            planted_run(
                "b", {"vp": after[:games], "win": wins_of(after)[:games], "counties": VP[:games]}, combat="may"
            ),
        ),
        **{"seat": "1", "columns": ("win", "vp", "counties"), **arguments},
    )


def printed(result, *words):
    text = io.StringIO()
    print_comparison(Console(file=text, width=110, highlight=False, markup=False), result, *words)
    return text.getvalue()


def test_the_table_tells_both_values_the_change_and_its_interval():
    text = printed(comparison())
    lines = {line.split("  ")[1]: line for line in text.splitlines() if line.startswith("  ")}
    change = (MORE - VP)[:, 1]
    first, second, *settings, changed = text.splitlines()[:5]
    assert (first, second, settings[0][:2], settings[1][:2]) == ("A: a", "B: b", "A:", "B:")
    assert_names(settings[1], "tower mid", "combat = may")
    assert_names(changed, "combat: must → may")
    assert_names(text, "400 games", "4 players, seed 1")
    result = comparison()
    low, high = result.contrasts[1].interval(result.confidence)
    assert f"+{change.mean():.2f}  {low:.2f} to {high:.2f}  < 0.001" in text
    assert [section in text for section in ("treated seat", "other seats", "table")] == [True] * 3
    assert lines["counties"].split()[-3:] == ["same", "–", "–"]
    assert_names(text, "best minus worst", "Bonferroni", "Holm")
    assert "Benjamini" in printed(comparison(), "bh")


def test_what_pairing_gained_stands_under_the_table():
    assert "Pairing" in printed(comparison())
    assert gain_in_words([]) == ""
    assert_names(gain_in_words(comparison(VP).contrasts), "Pairing", "100 % of the variance", "wins 100 %")


def test_too_few_games_have_no_intervals_and_that_is_reported():
    fewest = comparison().confidence.min_blocks
    assert_names(printed(comparison(games=40)), "9 simultaneous intervals", f"at least {fewest} games", "these are 40")
    assert "Lines of fewer" in printed(comparison(seat="turn", by="seat"))
    assert "Lines of fewer" not in printed(comparison())


def test_the_document_has_every_contrast_in_plain_numbers():
    result = comparison()
    document = comparison_document(result, "holm")
    assert document["changes"] == ["combat: must → may"]
    assert document["simultaneous_intervals"] == len(document["contrasts"]) == 9
    wins, vp = document["contrasts"][:2]
    assert (wins["column"], wins["who"], wins["group"], wins["games"]) == ("win", "treated seat", None, GAMES)
    assert 0 < wins["first"] < wins["second"] < 1
    assert vp["change"] == pytest.approx((MORE - VP)[:, 1].mean())
    assert vp["p_adjusted"] < 1e-9
    assert vp["pairing_gain"] > 0.9
    assert '"p_adjusted": null' in json_text(document)
