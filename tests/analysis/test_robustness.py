"""A finding is called strength-proof only where it holds for weak, middling and strong play."""

import numpy as np
import polars as pl
import pytest

from wallsim.analysis.blocks import Estimate
from wallsim.analysis.intervals import normal_quantile
from wallsim.analysis.robustness import lineup_wins, robustness
from wallsim.analysis.verdicts import Claim
from wallsim.runs.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run
from wallsim.runs.tournament import make_tournament
from wallsim.runs.tournament_play import play_tournament

NOISE = np.tile([-1.0, 1.0], 50)
CLAIM = Claim("It is more than 50.", "it", 50)
PLAYS = {"weak": 49.0, "middling": 50.1, "strong": 51.0}  # an estimate's interval reaches some 0.2 to either side


def known(values):
    return {"it": Estimate(values, NOISE)}


def test_a_finding_that_holds_for_all_play_is_proof():
    found = robustness([CLAIM], {"weak": 51.0, "strong": 52.0}, known)
    assert found.proof
    assert found.verdicts[0].in_words("strength") == "strength-proof"


def test_play_for_which_it_fails_or_is_open_is_named():
    found = robustness([CLAIM], PLAYS, known)
    assert not found.proof
    assert found.verdicts[0].in_words("strength") == "not strength-proof: fails under weak; open under middling"


def test_intervals_hold_for_all_claims_and_plays_at_once():
    two = [CLAIM, Claim("It is more than 40.", "it", 40), Claim("That is more than 1.", "that", 1)]
    found = robustness(two, PLAYS, lambda value: {**known(value), "that": Estimate(value, NOISE), "other": None})
    assert found.z == normal_quantile(0.95, 2 * 3)
    assert set(found.estimates) == {"it", "that"}
    assert [verdict.proof for verdict in found.verdicts] == [False, True, True]


@pytest.mark.parametrize(
    ("claims", "plays", "words"),
    [
        ([CLAIM], {"weak": 1.0}, "two or more"),
        ([], PLAYS, "one or more"),
        ([Claim("No.", "luck", 1)], PLAYS, "weak play has no outcome luck; it has it"),
    ],
)
def test_what_cannot_be_judged_is_refused(claims, plays, words):
    with pytest.raises(InputError, match=words):
        robustness(claims, plays, known)


def test_wins_of_line_ups_are_those_of_the_tables(tmp_path):
    run = play_run(Experiment(games=40, players=3, seed=5), tmp_path / "run")
    met = play_tournament(
        make_tournament(Experiment(players=3, seed=5), ["random", "balanced", "builder"], 36), tmp_path / "met"
    )
    plays = {"middling": run, "mixed": met}
    for name, rows, blocks in (("middling", run.scan("seats").collect(), 40), ("mixed", met.rows(), 36)):
        found = lineup_wins(plays[name])
        assert list(found) == ["line-up A", "line-up B", "line-up C"]
        assert sum(share.value for share in found.values()) == pytest.approx(100)
        wins = rows.filter(pl.col("lineup") == "A")["win"].cast(pl.Float64)
        assert found["line-up A"].value == pytest.approx(100 * wins.mean())
        assert found["line-up A"].blocks == blocks
    # Of a run the game is the unit: the error is that of independent games.
    wins = run.scan("seats").collect().filter(pl.col("lineup") == "A")["win"].cast(pl.Float64).to_numpy()
    assert lineup_wins(run)["line-up A"].error == pytest.approx(100 * wins.std(ddof=1) / 40**0.5)
    verdict = robustness([Claim("A wins at all.", "line-up A", -1)], plays).verdicts[0]
    assert verdict.holds == ("middling", "mixed")


def test_a_draft_has_no_line_ups(tmp_path):
    run = play_run(Experiment(games=4, setup="draft"), tmp_path / "run")
    with pytest.raises(InputError, match="the seats have no line-ups"):
        lineup_wins(run)
