"""`wallsim compare`: two played runs game by game, as table, picture and JSON."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.test_games import refusal, wallsim
from wallsim.report.tables.estimates import ends, number


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Runs of random players with seasons: two that differ in combat and tower, and one of another seed."""
    folder = tmp_path_factory.mktemp("compare")
    words = ("run", "--policies", "random", "--seasons")
    for name, more in (
        ("must", ("--games", "300")),
        ("may", ("--games", "240", "--switch", "combat=may", "--tower", "mid")),
        ("other", ("--games", "30", "--seed", "2")),
    ):
        result = wallsim(*words, *more, "--out", str(folder / name))
        assert result.exit_code == 0, result.output
    return folder


def compared(folders, *words):
    result = wallsim("compare", str(folders / "must"), str(folders / "may"), *words)
    assert result.exit_code == 0, result.output
    return result


def document(folders, *words):
    return json.loads(compared(folders, *words, "--json").stdout)


def test_two_runs_are_compared_on_the_games_that_both_have(folders):
    text = " ".join(compared(folders).stdout.split())
    assert "Changed: combat: must → may; tower: spielbyweb → mid;" in text
    assert "240 games in pairs, 4 players, seed 1" in text
    assert "has 300 games" in text
    assert "Pairing by game number saves" in text


def test_the_document_tells_what_the_tables_of_both_runs_say(folders):
    import wallsim

    estimate = document(folders, "--seat", "turn", "--columns", "win,vp,attacks")
    assert (estimate["games"], estimate["players"], estimate["seed"]) == (240, 4, 1)
    assert estimate["changes"][:2] == ["combat: must → may", "tower: spielbyweb → mid"]
    assert all(line["change"] for line in estimate["contrasts"])
    for side, name in (("first", "must"), ("second", "may")):
        seats = wallsim.open_run(folders / name).scan("seats").collect().to_pandas()
        treated = seats[(seats["game"] < 240) & (seats["seat"] == seats["game"] % 4)]
        for line in estimate["contrasts"][:3]:
            assert line[side] == pytest.approx(treated[line["column"]].mean())
    for line in estimate["contrasts"]:
        assert line["change"] == pytest.approx(line["second"] - line["first"])
        assert line["interval"] is None or line["interval"][0] <= line["change"] <= line["interval"][1]


def test_the_document_and_the_note_tell_how_the_intervals_were_made(folders):
    words = ("--columns", "win,vp", "--intervals", "bootstrap")
    estimate, default = document(folders, *words), document(folders, *words[:2])
    assert estimate["intervals"] == {"method": "bootstrap", "resamples": 1000, "seed": 1}
    assert default["intervals"] == {"method": "bonferroni", "resamples": None, "seed": None}
    assert estimate == document(folders, *words)
    ends = [[line["interval"] for line in each["contrasts"]] for each in (estimate, default)]
    assert ends[0] != ends[1]
    assert [line["p_adjusted"] for line in estimate["contrasts"]] == [
        line["p_adjusted"] for line in default["contrasts"]
    ]
    text = " ".join(compared(folders, *words).stdout.split())
    assert "(largest deviation of 1,000 bootstrap resamples of the games, seed 1); Tango's for wins" in text


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (("--by", "seat", "--seat", "turn"), {f"seat {seat}" for seat in range(4)}),
        (("--by", "lineup"), {f"line-up {letter}" for letter in "ABCD"}),
        (("--by", "standing", "--round", "fall 1", "--seat", "A"), {f"standing {place}" for place in range(1, 5)}),
        (("--by", "round", "--columns", "counties"), {f"{season} {year}" for year in (1, 2)
                                                      for season in ("spring", "summer", "fall", "winter")}),
        (("--by", "round", "--round", "turn", "--seat", "turn"), {f"{season} {year}" for year in (1, 2)
                                                                  for season in ("spring", "summer", "fall")}),
    ],
)  # fmt: skip
def test_it_splits(folders, words, groups):
    assert {line["group"] for line in document(folders, *words)["contrasts"]} - {None} == groups


def test_it_draws(folders, tmp_path):
    picture = tmp_path / "changes.svg"
    assert f"Wrote {picture}." in compared(folders, "--seat", "0", "--plot", str(picture)).stderr
    assert "<svg" in picture.read_text("utf-8")


def test_a_page_has_every_line_with_its_interval(folders, tmp_path):
    page = tmp_path / "new" / "changes.html"
    assert f"Open {page}" in compared(folders, "--html", str(page)).stdout
    text = page.read_text("utf-8")
    lines = document(folders)["contrasts"]
    assert len(re.findall("<tr><td>[^<]", text)) == len(lines) + text.count("imbalance, %")
    for line in lines:
        factor = 100 if line["column"] == "win" else 1
        assert f"<td>{number(factor * line['first'], 2)}</td><td>{number(factor * line['second'], 2)}</td>" in text
        if line["interval"] is not None:
            assert f"<td>{ends(line['interval'], 2, factor)}</td>" in text
    known = sum(line["p_adjusted"] is not None and line["p_adjusted"] <= 0.05 for line in lines if line["change"])
    assert known > 0
    assert len(re.findall(r"<li>[^<]* (?:rises|falls): ", text)) == min(known, 6)
    compared(folders, "--html", str(page))
    assert page.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("must", "other"), "seed: 1 and 2;"),
        (("must", "nowhere"), "nowhere: contains no run"),
        (("must", "may", "--adjust", "none"), '--adjust: "none" is not one of holm, bh'),
        (("must", "may", "--intervals", "normal"), '--intervals: "normal" is not one of bonferroni, bootstrap'),
        (("must", "may", "--seat", "7"), "--seat: 7 is not one of 0 to 3"),
        (("must", "may", "--by", "luck"), '--by: "luck" is not one of seat, lineup, round, standing'),
        (("must", "may", "--columns", "victory"), "--columns: victory is no numeric column of seats"),
        (("must", "may", "--plot", "x.gif"), "x.gif"),
        (("must", "may", "--html", "x.gif"), "--html: x.gif: name a file that ends with .html"),
        (("must", "may", "--html", "x.html", "--json"), "--html: cannot be combined with --json"),
    ],
)
def test_what_cannot_be_compared_is_refused(folders, words, why):
    first, second, *options = words
    assert why in refusal("compare", str(folders / first), str(folders / second), *options)
    assert not Path("x.gif").exists()
