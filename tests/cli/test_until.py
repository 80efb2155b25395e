"""`--until`: games are played until an interval is short enough, at most --games, and a later call goes on."""

from pathlib import Path

import pytest

from tests.cli.test_games import refusal, wallsim
from tests.cli.test_json import document

TEXT = """
policies = "random"
games = 4000
[scenario.plain]
[scenario.points]
interventions = [{ do = "hand", seat = "turn", round = "turn", thalers = 8 }]
[scenario.tower]
tower = "rulebook"
"""


@pytest.mark.parametrize("command", [("run",), ("tournament", "random,builder")])
@pytest.mark.parametrize("text", ["vp", "win ±1", "grain ±1", "vp ±0"])
def test_a_bad_precision_is_refused_with_what_is_allowed(here, command, text):
    message = refusal(*command, "--until", text)
    assert f'--until: "{text}" is not a precision; allowed are "vp ±0.1" (victory points) or "win ±0.2pp"' in message
    assert list(here.iterdir()) == []


def test_a_run_stops_when_the_widest_interval_is_short_enough(here):
    words = ("run", "--policies", "random", "--games", "3000", "--out", "out", "--until")
    result = wallsim(*words, "win +-8pp")
    assert result.exit_code == 0, result.output
    assert "line-up A" in result.stdout
    assert "wanted is ±8 pp: reached." in " ".join(result.stdout.split())
    estimate = document("summary", "out")
    assert estimate["games"] < 1500
    assert any("Games were added until" in line for line in estimate["assumptions"])
    more = wallsim(*words, "vp ±0.1")
    assert "wanted is ±0.1 VP: not reached." in " ".join(more.stdout.split())
    assert "goes on from here" in more.stdout
    assert document("summary", "out")["games"] == 3000
    again = document(*words, "vp ±0.1")
    assert (again["games"], again["until"]["reached"], again["until"]["column"]) == (3000, False, "vp")
    assert wallsim("verify", "out").exit_code == wallsim("trace", "out", "--game", "2999").exit_code == 0


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
    compared = wallsim("compare", "out/scenario=plain", "out/scenario=points", "--seat", "turn", "--columns", "vp")
    assert (
        "Games were added to a run, but these intervals assume a number of games fixed beforehand; for a run to a "
        "target precision (`until`), use the intervals that its command printed." in " ".join(compared.stdout.split())
    )
    with_change = document("compare", "out/scenario=plain", "out/scenario=points", "--seat", "turn")
    [line] = [each for each in with_change["contrasts"] if (each["column"], each["who"]) == ("vp", "treated seat")]
    assert rows[0]["value"] == pytest.approx(line["change"])
    low, high = line["interval"]
    assert rows[0]["interval"][0] < low < high < rows[0]["interval"][1]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("[scenario.long]\ngames = 90", "--until: games is 4000 in plain and 90 in long"),
        ("[scenario.few]\nplayers = 3", "--until: players is 4 in plain and 3 in few"),
        ("[scenario.luck]\nseed = 2", "--until: seed is 1 in plain and 2 in luck"),
    ],
)
def test_scenarios_that_cannot_be_compared_game_by_game_are_refused(here, more, why):
    Path("x.toml").write_text(TEXT + more, "utf-8")
    assert why in refusal("run", "x.toml", "--until", "vp ±1")
    assert [path.name for path in here.iterdir()] == ["x.toml"]


@pytest.mark.slow
def test_a_tournament_goes_on_until_all_shares_are_known_well_enough(here):
    words = ("tournament", "random,builder", "--players", "3", "--blocks", "3000", "--out", "cup", "--until")
    result = wallsim(*words, "win ±4pp")
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    assert "wanted is ±4 pp: reached." in text
    assert "The ladder of this folder has been analysed once" in text
