"""The commands about policies: what they print and write."""

import re

import pytest

from tests.cli.commands import document, done
from tests.refusals import assert_names
from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES
from wallsim.policies.weights import WEIGHTS

QUICK = ("--games", 30, "--players", 3)


def show(*words):
    return done("policy", "show", *words).stdout


def test_a_page_goes_to_standard_output_or_whole_into_a_file(tmp_path):
    words = ("random", *QUICK, "--tower", "mid", "--seed", 9)
    page = show(*words)
    assert page.startswith("# Policy `random`\n")
    assert_names(page, "Games: 150", "0 to 29", "seed 9", "3 players", "edition 2e", "tower mid")
    assert not any(part in page for part in ("When a weight is moved", "Doubtful moves"))  # these are on request
    assert show(*words, "--out", tmp_path / "page.MD") == ""
    assert (tmp_path / "page.MD").read_text("utf-8") == page


def test_a_page_of_the_first_edition_says_nothing_of_bids():
    page = show("balanced", "--games", 30, "--edition", "1e", "--expansions", "leaders", "--setup", "draft")
    assert "| statues left |" in page
    measures = re.findall(r"^\| ([^|]+) \|", page.split("## Behaviour")[1].split("## Weights")[0], re.MULTILINE)
    assert "shortages" in measures
    assert not [name for name in measures if re.search(r"\bbids?\b|^place$|^tile", name)]


def test_a_page_shows_what_moved_weights_cost_where_it_is_asked_for(monkeypatch):
    chosen = [weight for weight in WEIGHTS if weight.name in ("hold", "thaler")]
    monkeypatch.setattr("wallsim.analysis.behaviour.moves.tuned_weights", lambda *_: chosen)
    page = show("balanced", *QUICK, "--moves", 30)
    section = page.split("## When a weight is moved")[1]
    assert {row.split("`")[1] for row in section.splitlines() if row.startswith("| `")} == {"hold", "thaler"}
    moves = document("policy", "show", "balanced", *QUICK, "--moves", 30)["moves"]
    assert [(move["weight"], move["by"] > 0) for move in moves] == [
        ("hold", False), ("hold", True), ("thaler", False), ("thaler", True),
    ]  # fmt: skip


@pytest.mark.slow
def test_a_page_counts_doubtful_moves_where_it_is_asked_for():
    words = ("balanced", *QUICK, "--setup", "draft")
    section = show(*words, "--traces", 200).split("## Doubtful moves")[1].split("## ")[0]
    shown = [row.split(" | ")[0].removeprefix("| ") for row in section.splitlines() if row.startswith("| ")][2:]
    counted = document("policy", "show", *words, "--traces", 200)["doubtful_moves"]
    assert shown == [each["name"] for each in counted] == [move.name for move in DOUBTFUL_MOVES]
    for each in counted:
        assert each["interval"][0] <= each["per_cent"] <= each["interval"][1]
        assert each["games"] == 200


def test_policies_stand_side_by_side(tmp_path):
    shown = done("policy", "compare", "random,builder", *QUICK).stdout
    assert re.findall(r"^measure +unit +(\w+) +(\w+)$", shown, re.MULTILINE) == [("random", "builder")] * 2
    assert_names(shown.splitlines()[0], "3 players", "edition 2e", "tower spielbyweb", "engine version")
    assert re.search(r"^random minus builder +\S", shown, re.MULTILINE)
    assert max(map(len, shown.splitlines())) <= 120
    done("policy", "compare", "random,builder", *QUICK, "--out", tmp_path / "it.log")
    assert (tmp_path / "it.log").read_text("utf-8") == shown
    answer = document("policy", "compare", "random,builder", *QUICK)
    assert [policy["policy"] for policy in answer["policies"]] == ["random", "builder"]
    names = {measure["name"] for measure in answer["measures"]}
    for policy in answer["policies"]:
        assert set(policy["among_its_like"]) == set(policy["alone_among_host"]) == names
