"""A comparison as a table: whose number, both values, the change, and what pairing gained."""

import io

import numpy as np
import pytest
from rich.console import Console

from tests.analysis.contrasts.planted_runs import planted_run, wins_of
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
    assert text.startswith("A: a\nB: b\nA: Not the default: tower mid.\nB: Not the default: tower mid; combat = may.\n")
    assert text.splitlines()[4] == "Changed: combat: must → may."
    assert "400 games in pairs, 4 players, seed 1" in text
    result = comparison()
    low, high = result.contrasts[1].interval(result.confidence)
    assert f"+{change.mean():.2f}  {low:.2f} to {high:.2f}  < 0.001" in text
    assert [section in text for section in ("treated seat", "other seats", "table")] == [True] * 3
    assert lines["counties"].split()[-3:] == ["same", "–", "–"]
    assert "VP, best minus worst" in text
    assert "Bonferroni" in text
    assert "method of Holm" in text
    assert "Benjamini" in printed(comparison(), "bh")


def test_what_pairing_gained_stands_under_the_table():
    text = " ".join(printed(comparison()).split())
    assert "Pairing by game number saves" in text
    assert gain_in_words([]) == ""
    assert gain_in_words(comparison(VP).contrasts) == (
        "Pairing by game number saves 100 % of the variance of a change in the middle line, of wins 100 %."
    )


def test_too_few_games_have_no_intervals_and_that_is_reported():
    text = " ".join(printed(comparison(games=40)).split())
    fewest = comparison().confidence.min_blocks
    assert f"9 simultaneous intervals need at least {fewest} games; these are 40, so there are none. Draw no" in text
    some = printed(comparison(seat="turn", by="seat"))
    assert "Lines of fewer than" in some
    assert "Lines of fewer than" not in printed(comparison())


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
