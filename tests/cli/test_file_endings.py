"""A file whose name promises another format than the command writes is refused, and nothing is written."""

from pathlib import Path

import pytest

from tests.cli.test_games import refusal
from wallsim.report.file_endings import check_ending

TOML = "analyses/first_look/experiment.toml"


@pytest.mark.parametrize(
    ("words", "option", "allowed"),
    [
        (("figures", "price", "--parquet", "x.csv"), "--parquet", ".parquet"),
        (("trace", "--policies", "random", "--out", "x.csv"), "--out", ".jsonl"),
        (("trace", "--policies", "random", "--text", "--out", "x.parquet"), "--out", ".txt"),
        (("policy", "show", "random", "--out", "x.html"), "--out", ".md"),
        (("policy", "show", "random", "--json", "--out", "x.md"), "--out", ".json"),
        (("policy", "compare", "random,balanced", "--out", "x.toml"), "--out", ".md"),
        (("review", "--from", TOML, "--out", "x.html"), "--out", ".txt"),
        (("tower", "simulate", "--out", "x.parquet"), "--out", ".csv"),
        (("replay", TOML, "--out", "x.csv"), "--out", ".html"),
        (("board", "map", "--out", "x.csv"), "x.csv", ".svg"),
    ],
)
def test_an_ending_of_another_format_is_refused(words, option, allowed, tmp_path, monkeypatch):
    words = [str(Path(word).resolve()) if word == TOML else word for word in words]
    monkeypatch.chdir(tmp_path)
    message = refusal(*words)
    assert option in message
    assert allowed in message
    assert not list(tmp_path.iterdir())


def test_a_fitted_tower_is_written_into_no_csv(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "casts.csv").write_text("in_red,out_red\n9,5\n4,4\n")
    assert "ends with .toml" in refusal("tower", "fit", "casts.csv", "--out", "own.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["casts.csv"]


def test_unknown_endings_and_capitals_are_taken_where_any_text_may_go(tmp_path):
    check_ending(tmp_path / "it", "--out", (".md",), or_unknown=True)
    check_ending(tmp_path / "it.log", "--out", (".md",), or_unknown=True)
    check_ending(tmp_path / "IT.MD", "--out", (".md",))
