"""`--until`: games are played until an interval is short enough, at most --games, and a later call goes on."""

from pathlib import Path

import pytest

from tests.cli.commands import document, done
from tests.refusals import assert_names

TEXT = """
policies = "random"
games = 4000
[scenario.plain]
[scenario.points]
interventions = [{ do = "hand", seat = "turn", round = "turn", thalers = 8 }]
[scenario.tower]
tower = "rulebook"
"""


def test_a_run_stops_when_the_widest_interval_is_short_enough(here):
    words = ("run", "--policies", "random", "--games", 3000, "--out", "out", "--until")
    assert_names(done(*words, "win +-8pp").stdout, "line-up A", "±8 pp: reached.")
    estimate = document("summary", "out")
    assert estimate["games"] < 1500
    assert any("added until" in line for line in estimate["assumptions"])
    assert_names(done(*words, "vp ±0.1").stdout, "±0.1 VP: not reached.")
    assert document("summary", "out")["games"] == 3000
    again = document(*words, "vp ±0.1")
    assert (again["games"], again["until"]["reached"], again["until"]["column"]) == (3000, False, "vp")
    done("verify", "out")
    done("trace", "out", "--game", 2999)


def test_scenarios_are_judged_by_their_contrasts_with_the_first(here):
    Path("x.toml").write_text(TEXT, "utf-8")
    estimate = document("run", "x.toml", "--until", "vp ±2", "--out", "out")
    rows = estimate["until"]["rows"]
    assert [(row["name"], row["who"]) for row in rows] == [
        ("points", "treated seat"), *(("tower", f"seat {seat}") for seat in range(4))
    ]  # fmt: skip
    assert estimate["until"]["reached"]
    assert all(high - low <= 4 for low, high in (row["interval"] for row in rows))
    assert len({each["games"] for each in estimate["scenarios"]}) == 1
    compared = done("compare", "out/scenario=plain", "out/scenario=points", "--seat", "turn", "--columns", "vp")
    assert_names(compared.stdout, "Games were added", "`until`")
    with_change = document("compare", "out/scenario=plain", "out/scenario=points", "--seat", "turn")
    [line] = [each for each in with_change["contrasts"] if (each["column"], each["who"]) == ("vp", "treated seat")]
    assert rows[0]["value"] == pytest.approx(line["change"])
    low, high = line["interval"]
    assert rows[0]["interval"][0] < low < high < rows[0]["interval"][1]


@pytest.mark.slow
def test_a_tournament_goes_on_until_all_shares_are_known_well_enough(here):
    words = ("tournament", "random,builder", "--players", 3, "--blocks", 3000, "--out", "cup", "--until")
    assert_names(done(*words, "win ±4pp").stdout, "±4 pp: reached.", "analysed once")
