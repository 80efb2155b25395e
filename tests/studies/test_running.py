"""A study writes its figures, page, tables, picture and record, or a clear error and nothing."""

from types import SimpleNamespace

import pytest

from tests.analyses.studies import estimate
from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import assert_names, refused
from tests.studies.asking import asked
from tests.studies.first_screens import finding_errors
from wallsim.errors import InputError, RunError
from wallsim.stats.intervals import Confidence
from wallsim.studies import running
from wallsim.studies.finding import RESTS_ON, Finding, best_first, either, moving_most
from wallsim.studies.register import read_register
from wallsim.studies.running import FIGURES, checked_choices, choices_of, digest_of, options_of, play_study, run_study
from wallsim.studies.study import Choices
from wallsim.studies.table_page import CLAIMS, sections_of


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


BLOCKS = 400
ONE = Confidence()


def near(value):
    """An estimate with a standard error of about 0.05."""
    return estimate(value, BLOCKS)


def test_the_best_comes_first_and_after_it_what_is_not_distinguishable_from_it():
    half = (near(0.0).interval(ONE)[1] - near(0.0).interval(ONE)[0]) / 2
    values = {"last": near(0.0), "close": near(1.0 - 1.9 * half), "best": near(1.0), "apart": near(1.0 - 2.1 * half)}
    assert best_first(values, ONE, largest=True) == ["best", "close"]
    mirrored = {name: near(-each.value) for name, each in values.items()}
    assert best_first(mirrored, ONE, largest=False) == ["best", "close"]


def test_the_largest_of_many_changes_is_named_alone_only_where_it_is_known_from_all_others():
    def found(**values):
        return moving_most({name: [SimpleNamespace(value=value, ends=(value - 0.1, value + 0.1)) for value in pair]
                            for name, pair in values.items()})  # fmt: skip

    assert found(a=(1.0, 1.0), b=(-2.0, -2.0), c=(0.0, 1.9)) == ["b"]  # c may be as large in one cell alone
    assert found(a=(1.0, 1.0), b=(-2.0, -2.0), c=(1.9, 1.95)) == ["b", "c"]
    assert either(["b"], "numbers") == "b"
    assert either(["b", "c", "d"], "numbers") == "b, c or d"
    assert either(list("abcd"), "numbers") == "one of 4 numbers"


def test_too_many_words_numbers_and_rows_and_code_names_are_errors():
    good = Finding(f"A is best {RESTS_ON}", "A wins 40.0 ± 1.0 %.", "A wins 30.0 ± 1.0 %.", "Why.", "Wins")
    table = "\n".join(["| a |", "| --- |", *["| 1 |"] * 12])
    assert finding_errors(good, table) == []
    assert len(finding_errors(good, f"{table}\n| 1 |")) == 1
    for change in (
        {"differs": "Much."}, {"title": f"`strong-4p` is best {RESTS_ON}"}, {"title": f"Casual players win {RESTS_ON}"},
        {"title": "A is best (four players)"}, {"title": "A is best (one tower)"},
        {"casual": "1 2 3 4 5 6"}, {"casual": f"{'word ' * 31}."}, {"unknown": "Few words. " * 30},
    ):  # fmt: skip
        assert len(finding_errors(good._replace(**change), table)) == 1


TABLES = """What was played.

| tower, VP | weak | strong |
| --- | --- | --- |
| `mid` | 1 | 2 |

Under the first.

With 3 players:

| claim | measured by | lowest | highest | answer |
| --- | --- | --- | --- | --- |
| It rains. | rain > 0 | 1 | 2 | holds |

| play | wins, % |
| --- | --- |
| weak | 3 |

Under the last."""


def test_claims_come_first_cells_last_and_sentences_stay_with_their_table():
    before, sections = sections_of(TABLES)
    assert before == "What was played."
    assert [each.heading for each in sections] == [f"{CLAIMS}, with 3 players", "Play: wins, %", "Tower, VP"]
    assert [each.text.splitlines()[-1] for each in sections][1:] == ["Under the last.", "Under the first."]
    assert sections[0].text.startswith("With 3 players:")


def test_tables_are_printed_from_the_register_and_nothing_is_played(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = command("study", "price", "--tables")
    assert printed.exit_code == 0, printed.output
    assert printed.stdout.splitlines()[0].endswith("all tables")
    assert f"## {CLAIMS}" in printed.stdout
    assert [*tmp_path.iterdir()] == []
    for words in (["price", "--tables", "--quick"], ["--tables"], ["price", "--tables", "--page"]):
        assert_names(refusal("study", *words), "--tables")
