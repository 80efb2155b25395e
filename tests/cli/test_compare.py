"""`wallsim compare`: two played runs game by game, as table, picture, page and JSON."""

import re

import pytest

import wallsim
from tests.cli.commands import document, done
from tests.refusals import assert_names
from wallsim.report.tables.estimates import ends, number


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The command that compares two runs of random players with seasons, which differ in combat and tower."""
    folder = tmp_path_factory.mktemp("compare")
    words = ("run", "--policies", "random", "--seasons", "--quiet")
    done(*words, "--games", 300, "--out", folder / "must")
    done(*words, "--games", 240, "--switch", "combat=may", "--tower", "mid", "--out", folder / "may")
    return "compare", folder / "must", folder / "may"


def test_the_text_names_what_changed_and_the_games_that_both_have(runs):
    text = done(*runs).stdout
    assert_names(text, "combat: must → may", "tower: spielbyweb → mid", "240 games", "4 players, seed 1", "300 games")
    assert "Pairing" in text


def test_the_document_tells_what_the_tables_of_both_runs_say(runs):
    estimate = document(*runs, "--seat", "turn", "--columns", "win,vp,attacks")
    assert (estimate["games"], estimate["players"], estimate["seed"]) == (240, 4, 1)
    assert estimate["changes"][:2] == ["combat: must → may", "tower: spielbyweb → mid"]
    assert all(line["change"] for line in estimate["contrasts"])
    for side, folder in (("first", runs[1]), ("second", runs[2])):
        seats = wallsim.open_run(folder).scan("seats").collect().to_pandas()
        treated = seats[(seats["game"] < 240) & (seats["seat"] == seats["game"] % 4)]
        for line in estimate["contrasts"][:3]:
            assert line[side] == pytest.approx(treated[line["column"]].mean())
    for line in estimate["contrasts"]:
        assert line["change"] == pytest.approx(line["second"] - line["first"])
        assert line["interval"] is None or line["interval"][0] <= line["change"] <= line["interval"][1]


def test_the_document_and_the_note_tell_how_the_intervals_were_made(runs):
    words = (*runs, "--columns", "win,vp", "--intervals", "bootstrap")
    estimate, default = document(*words), document(*words[:-2])
    assert estimate["intervals"] == {"method": "bootstrap", "resamples": 1000, "seed": 1}
    assert default["intervals"] == {"method": "bonferroni", "resamples": None, "seed": None}
    assert estimate == document(*words)
    of_all = [[(line["interval"], line["p_adjusted"]) for line in each["contrasts"]] for each in (estimate, default)]
    intervals, p_values = zip(*(zip(*each, strict=True) for each in of_all), strict=True)
    assert intervals[0] != intervals[1]
    assert p_values[0] == p_values[1]
    assert_names(done(*words).stdout, "1,000 bootstrap resamples", "seed 1", "Tango")


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (("--by", "seat", "--seat", "turn"), {f"seat {seat}" for seat in range(4)}),
        (("--by", "standing", "--round", "fall 1", "--seat", "A"), {f"standing {place}" for place in range(1, 5)}),
        (("--by", "round", "--round", "turn", "--seat", "turn"), {f"{season} {year}" for year in (1, 2)
                                                                  for season in ("spring", "summer", "fall")}),
    ],
)  # fmt: skip
def test_it_splits(runs, words, groups):
    assert {line["group"] for line in document(*runs, *words)["contrasts"]} - {None} == groups


def test_a_page_has_every_line_with_its_interval(runs, tmp_path):
    page = tmp_path / "new" / "changes.html"
    assert str(page) in done(*runs, "--html", page).stdout
    text = page.read_text("utf-8")
    lines = document(*runs)["contrasts"]
    assert len(re.findall("<tr><td>[^<]", text)) == len(lines) + text.count("imbalance, %")
    for line in lines:
        factor = 100 if line["column"] == "win" else 1
        assert f"<td>{number(factor * line['first'], 2)}</td><td>{number(factor * line['second'], 2)}</td>" in text
        if line["interval"] is not None:
            assert f"<td>{ends(line['interval'], 2, factor)}</td>" in text
    done(*runs, "--seat", 0, "--plot", tmp_path / "changes.svg")
    assert "<svg" in (tmp_path / "changes.svg").read_text("utf-8")
    known = sum(line["p_adjusted"] is not None and line["p_adjusted"] <= 0.05 for line in lines if line["change"])
    assert known > 0
    sentences = re.findall(r"<li>[^<]* (rises|falls): ([+−])", text)
    assert {*sentences} <= {("rises", "+"), ("falls", "−")}
    assert len(sentences) == min(known, 6)
    done(*runs, "--html", page)
    assert page.read_text("utf-8") == text
