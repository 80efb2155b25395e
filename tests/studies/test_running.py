"""A study writes its figures, page, picture and record, or a clear error and nothing."""

import pytest

from tests.refusals import refused
from tests.studies.asking import asked
from wallsim.errors import InputError, RunError
from wallsim.studies import running
from wallsim.studies.register import read_register
from wallsim.studies.running import FIGURES, checked_choices, choices_of, digest_of, options_of, play_study, run_study
from wallsim.studies.study import Choices


def test_figures_page_picture_and_record_are_written(tmp_path):
    result = run_study(asked(tmp_path), tmp_path / "out", Choices(3))
    assert {path.name for path in (tmp_path / "out").iterdir() if path.name != "parts"} == {
        FIGURES, "asked.ipynb", "asked.md", "asked.png", "record.json",
    }  # fmt: skip
    paragraphs = (tmp_path / "out" / "asked.md").read_text("utf-8").rstrip("\n").split("\n\n")
    title, unknown, picture, first, *tables = paragraphs
    counted = "3 games, 25.5 % of wins"
    assert (title, first, tables) == (f"# A wins in {counted}", "One table.", [counted, "all"])
    assert (unknown, picture) == ("- **Not known:** Who else wins.", "![Wins of A](asked.png)")
    assert read_register("asked", tmp_path / "out" / FIGURES) == result.figures
    assert {figure.seed for figure in result.figures.values()} == {11}
    assert {figure.digest for figure in result.figures.values()} == {result.digest[:12]}


def test_the_texts_are_those_of_two_pages_and_without_a_finding_the_first_says_what_is_asked(tmp_path):
    pages = [run_study(asked(tmp_path, **changes), tmp_path / "out").page for changes in ({}, {"finding": None})]
    asking = f"# {asked(tmp_path).question}\n"
    assert [each.tables for each in pages] == ["7 games, 25.5 % of wins"] * 2
    assert [each.first_screen.endswith("\n\nOne table.") for each in pages] == [True, True]
    assert [each.first_screen.startswith(asking) for each in pages] == [False, True]
    assert ["(asked.png)" in each.first_screen for each in pages] == [True, False]


@pytest.mark.parametrize(
    "error",
    [InputError("policies: nobody"), RunError("the disk is full"), PermissionError(13, "denied"), KeyboardInterrupt()],
    ids=["input", "run", "system", "Ctrl-C"],
)
def test_what_goes_wrong_leaves_no_figures(tmp_path, error):
    def fail(design, storage):
        raise error

    with pytest.raises(type(error)):
        run_study(asked(tmp_path, fail), tmp_path / "out")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file() and path.name != "record.json"]


@pytest.mark.parametrize(
    ("changes", "choices", "names"),
    [
        ({"games": ""}, Choices(3), ["games", "asked"]),
        ({}, Choices(options={"lines": "2"}), ["options", "lines", "asked has line"]),
        ({}, Choices(options={"line": "third"}), ["line", "third", "first, second"]),
    ],
)
def test_choices_that_a_study_does_not_have_are_refused(tmp_path, changes, choices, names):
    with refused(*names):
        play_study(asked(tmp_path, **changes), tmp_path / "out", choices)


def test_the_digest_is_of_the_design_and_of_what_is_counted(tmp_path):
    study, more = asked(tmp_path), asked(tmp_path, count_version=2)
    digests = {digest_of(study, study.design(Choices(games))) for games in (None, 7, 8)}
    assert len(digests) == 2
    assert digest_of(more, more.design(Choices())) not in digests


def test_options_are_recorded_and_read_again():
    for choices in (Choices(), Choices(5), Choices(5, True), Choices(None, False, {"line": "a=b", "x": ""})):
        assert choices_of(options_of(choices)) == choices
    with pytest.raises(ValueError, match="--often"):
        choices_of(["--often"])


def test_a_quick_look_gives_way_to_what_is_given(tmp_path):
    study = asked(tmp_path, quick=Choices(3, options={"line": "second"}))
    assert checked_choices(study, Choices(quick=True)) == Choices(3, options={"line": "second"})
    given = Choices(5, True, {"line": "first"})
    assert checked_choices(study, given) == Choices(5, options={"line": "first"})
    assert checked_choices(asked(tmp_path), given) == given


def test_cpu_seconds_are_those_of_a_full_play(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "process_time", iter((100.0, 107.4, 200.0, 201.0)).__next__)
    first, again = (run_study(asked(tmp_path), tmp_path / "out") for _ in range(2))
    assert first.cpu_seconds == 7
    assert again.cpu_seconds is None, "parts of the first play may have been used"
    monkeypatch.setattr(running, "cluster_sizes", [16])
    assert run_study(asked(tmp_path), tmp_path / "elsewhere").cpu_seconds is None
