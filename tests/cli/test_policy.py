"""The commands about policies: what they print, write and refuse."""

import json
import re

import pytest

from tests.cli.test_games import refusal, wallsim
from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES
from wallsim.policies.weights import WEIGHTS


def call(*words):
    return wallsim("policy", *map(str, words))


def refused(*words):
    """The message of a command that ends with status 2, having printed nothing else and no traceback."""
    return refusal("policy", *map(str, words))


def test_a_page_goes_to_standard_output_or_whole_into_a_file(tmp_path):
    printed = call("show", "random", "--games", 30, "--players", 3, "--tower", "mid", "--seed", 9)
    assert printed.exit_code == 0, printed.output
    assert printed.stdout.startswith("# Policy `random`\n")
    assert "Games: 150, numbers 0 to 29 of seed 9; 3 players, line-ups, edition 2e, tower mid, " in printed.stdout
    path = tmp_path / "page.md"
    words = ("show", "random", "--games", 30, "--players", 3, "--tower", "mid", "--seed", 9, "--out", path)
    written = call(*words)
    assert written.exit_code == 0
    assert written.stdout == ""
    assert path.read_text("utf-8") == printed.stdout


def test_a_page_of_the_first_edition_says_nothing_of_bids():
    result = call("show", "balanced", "--games", 30, "--edition", "1e", "--expansions", "leaders", "--setup", "draft")
    assert result.exit_code == 0, result.output
    assert "| statues left |" in result.stdout
    measures = re.findall(
        r"^\| ([^|]+) \|", result.stdout.split("## Behaviour")[1].split("## Weights")[0], re.MULTILINE
    )
    assert "shortages" in measures
    assert not [name for name in measures if re.search(r"\bbids?\b|^place$|^tile", name)]


def test_a_page_shows_what_moved_weights_cost_where_it_is_asked_for(monkeypatch):
    chosen = [weight for weight in WEIGHTS if weight.name in ("hold", "thaler")]
    monkeypatch.setattr("wallsim.analysis.behaviour.moves.tuned_weights", lambda *_: chosen)
    words = ("show", "balanced", "--games", 30, "--players", 3, "--moves", 30)
    page = call(*words)
    assert page.exit_code == 0, page.output
    section = page.stdout.split("## When a weight is moved")[1]
    assert {row.split("`")[1] for row in section.splitlines() if row.startswith("| `")} == {"hold", "thaler"}
    moves = json.loads(call(*words, "--json").stdout)["moves"]
    assert [(move["weight"], move["by"] > 0) for move in moves] == [
        ("hold", False), ("hold", True), ("thaler", False), ("thaler", True),
    ]  # fmt: skip
    assert "When a weight is moved" not in call(*words[:-2]).stdout
    assert "--moves: random does not play by weights alone" in refused("show", "random", "--moves", 30)
    assert "--moves" in refused("show", "balanced", "--moves", -1)


@pytest.mark.slow
def test_a_page_counts_doubtful_moves_where_it_is_asked_for():
    words = ("show", "balanced", "--games", 30, "--players", 3, "--setup", "draft", "--traces", 200)
    section = call(*words).stdout.split("## Doubtful moves")[1].split("## ")[0]
    shown = [row.split(" | ")[0].removeprefix("| ") for row in section.splitlines() if row.startswith("| ")][2:]
    counted = json.loads(call(*words, "--json").stdout)["doubtful_moves"]
    assert shown == [each["name"] for each in counted] == [move.name for move in DOUBTFUL_MOVES]
    for each in counted:
        assert each["interval"][0] <= each["per_cent"] <= each["interval"][1]
        assert each["games"] == 200
    assert "Doubtful moves" not in call(*words[:-2]).stdout
    assert "--traces" in refused("show", "balanced", "--traces", "many")


def test_another_policy_can_be_the_host():
    result = call("show", "builder", "--games", 30, "--against", "random", "--players", 3)
    assert result.exit_code == 0, result.output
    assert "One seat of `builder` among 2 of `random`" in result.stdout
    assert "| `hold` | 1 | – | – | share |" in result.stdout  # random has no weights to compare


def test_policies_stand_side_by_side(tmp_path):
    result = call("compare", "random,builder", "--games", 30, "--players", 3)
    assert result.exit_code == 0, result.output
    heads = re.findall(r"^measure +unit +(\w+) +(\w+)$", result.stdout, re.MULTILINE)
    assert heads == [("random", "builder")] * 2
    assert result.stdout.startswith("3 players, line-ups, edition 2e, tower spielbyweb, engine version ")
    assert re.search(r"^random minus builder +\S", result.stdout, re.MULTILINE)
    assert max(map(len, result.stdout.splitlines())) <= 120
    call("compare", "random,builder", "--games", 30, "--players", 3, "--out", tmp_path / "it.txt")
    assert (tmp_path / "it.txt").read_text("utf-8") == result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "nobody"), r"'nobody' is not one of amateur, "),
        (("show", "random", "--against", "nobody"), r"--against: 'nobody' is not one of amateur, "),
        (("show", "random", "--games", "29"), r'--games: "29" is not a whole number from 30 to 1000000'),
        (("show", "random", "--games", "many"), r'--games: "many" is not a whole number'),
        (("show", "random", "--players", "6"), r"--players: 6 is not one of 3, 4, 5"),
        (("show", "random", "--tower", "nowhere"), r"--tower: "),
        (("compare", "random,random"), r"random,random: are not 1 to 16 different policies"),
        (("compare", "random,nobody"), r"'nobody' is not one of"),
        (("compare", "random,"), r"'' is not one of"),
    ],
)
def test_bad_input_is_named_before_anything_is_played(words, message, tmp_path):
    assert re.search(message, refused(*words, "--out", tmp_path / "it"))
    assert not (tmp_path / "it").exists()


def test_policies_of_equal_name_are_not_compared(tmp_path):
    (tmp_path / "random.toml").write_text('base = "builder"\n')
    words = ("compare", f"random,{tmp_path / 'random.toml'}", "--games", 30, "--out", tmp_path / "it")
    assert refused(*words) == "'random' is the name of more than one policy; the policies must have different names\n"
    assert not (tmp_path / "it").exists()


def test_an_output_that_cannot_be_written_is_refused(tmp_path):
    words = ("show", "random", "--games", 30, "--players", 3, "--out", tmp_path / "none" / "it.md")
    assert "it.md cannot be written" in refused(*words)
