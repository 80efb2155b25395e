"""The driver runs any study: it fills pages, saves the picture, and ends with a message, never with half a file."""

import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from analyses import (
    amounts,
    casual,
    draft,
    driver,
    editions,
    events,
    expansions,
    first_look,
    ladder,
    lineups,
    price,
    robustness,
    skill,
    tiles,
    tower,
    zoo,
)
from tests.analyses.studies import is_png, page_for, run_study
from tests.test_architecture import ROOT
from wallsim.errors import InputError, RunError

STUDIES = (
    amounts, casual, draft, editions, events, expansions, first_look, ladder, lineups, price, robustness, skill, tiles,
    tower, zoo,
)  # fmt: skip


def study_that(answer):
    """A study with two marks and one argument, as a module has it."""

    def add_arguments(parser):
        parser.add_argument("--games", type=driver.count, default=7)

    return SimpleNamespace(
        STUDY=driver.Study("asked.py", "Who wins?\n\nMethod.", ("long", "short"), add_arguments, answer)
    )


def answer_of(args: Namespace) -> driver.Answer:
    """An answer without a game."""
    text = f"{args.games} games ± 0"
    return driver.Answer("0123456789abcdef", {"long": text, "short": "few"}, f"{text}\n\nall", Figure())


def test_a_study_is_a_module_with_its_experiment_and_a_page():
    files = (ROOT / "analyses").glob("*.py")
    names = sorted(path.stem for path in files if "\nSTUDY = driver.Study(" in path.read_text("utf-8"))
    assert names == sorted(module.__name__.removeprefix("analyses.") for module in STUDIES)
    for module in STUDIES:
        assert Path(ROOT / module.STUDY.script) == Path(module.__file__)
        assert f"python -m {module.__name__} " in module.__doc__
        assert module.EXPERIMENT.is_file()


def test_text_picture_and_every_page_are_written(tmp_path):
    other = tmp_path / "short.md"
    other.write_text("<!-- short -->\n<!-- /short -->\n", "utf-8")
    words = page_for(study_that(answer_of), tmp_path)
    result = run_study(study_that(answer_of), tmp_path, "--games", "3", *words, "--into", str(other))
    assert result == (0, "3 games ± 0\n\nall\n", "")
    origin = "of experiment 0123456789ab: written by analyses/asked.py, do not edit"
    assert (tmp_path / "page.md").read_text("utf-8") == (
        f"before\n<!-- long {origin} -->\n3 games ± 0\n<!-- /long -->\nbetween\n"
        f"<!-- short {origin} -->\nfew\n<!-- /short -->\nafter\n"
    )
    assert other.read_text("utf-8") == f"<!-- short {origin} -->\nfew\n<!-- /short -->\n"
    assert is_png(tmp_path / "it.png")


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (InputError("policies: nobody"), 2, "policies: nobody\n"),
        (RunError("the disk is full"), 1, "the disk is full\n"),
        (PermissionError(13, "denied"), 1, "[Errno 13] denied\n"),
        (KeyboardInterrupt(), 130, "Interrupted: finished parts are kept in "),
    ],
    ids=["input", "run", "system", "Ctrl-C"],
)
def test_what_goes_wrong_is_said_in_a_line_and_nothing_is_written(tmp_path, error, status, message):
    def fail(args):
        raise error

    words = page_for(study_that(fail), tmp_path)
    before = (tmp_path / "page.md").read_bytes()
    result = run_study(study_that(fail), tmp_path, *words)
    assert (result.status, result.printed) == (status, "")
    assert result.errors.startswith(message)
    assert result.errors.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]
    assert (tmp_path / "page.md").read_bytes() == before


@pytest.mark.parametrize("module", STUDIES)
def test_a_page_without_a_place_and_a_wrong_picture_are_refused_before_anything_is_played(module, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("no marks", "utf-8")
    status, printed, errors = run_study(module, tmp_path, "--into", str(page))
    assert (status, printed) == (2, "")
    assert f"page.md: has no place marked for {module.STUDY.marks[0]}" in errors
    assert page.read_text("utf-8") == "no marks"
    for picture, words in (("it.svg", "does not end in .png"), ("nowhere/it.png", "cannot be written")):
        assert driver.run(module.STUDY, [str(tmp_path / "runs"), str(tmp_path / picture)]) == 2
        assert words in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


@pytest.mark.parametrize("games", ["0", "-3", "many", "1.5", "²"])
def test_numbers_of_games_are_whole_and_from_one(tmp_path, games):
    for module in STUDIES:
        status, _, errors = run_study(module, tmp_path, f"--games={games}")
        assert status == 2
        assert f"argument --games: {games!r} is not a whole number from 1" in errors


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path, monkeypatch):
    class Closed:
        """A pipe whose reader has gone."""

        def write(self, text):
            raise BrokenPipeError

        def flush(self):
            raise AssertionError

        def fileno(self):
            return spare.fileno()

    with (tmp_path / "spare").open("wb") as spare:
        monkeypatch.setattr(sys, "stdout", Closed())
        assert driver.run(study_that(answer_of).STUDY, [str(tmp_path / "runs"), str(tmp_path / "it.png")]) == 0
    assert is_png(tmp_path / "it.png")
