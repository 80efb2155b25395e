"""`wallsim study` plays a study of the repository into a folder."""

import matplotlib.pyplot as plt
import pytest

from tests.cli.test_games import refusal, wallsim
from wallsim.studies.catalogue import own_studies

# Those with a quick look of a few minutes at most; tests/analyses plays the others in few games.
LOOKS = ("amounts", "draft", "editions", "events", "expansions", "lineups", "play", "price", "tiles")


def test_without_a_name_all_studies_are_listed_with_what_they_ask():
    result = wallsim("study")
    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.stdout.splitlines() if not line.startswith(" ")][1:] == list(
        own_studies()
    )


def test_a_study_writes_its_picture_and_files_and_prints_its_tables(tmp_path):
    plt.switch_backend("Agg")
    result = wallsim("study", "price", "--quick", "--games", "24", "--workers", "1", "--out", str(tmp_path / "p"))
    assert result.exit_code == 0, result.output
    assert "| VP per Thaler |" in result.stdout
    assert {path.name for path in (tmp_path / "p").iterdir()} == {
        "figures.csv", "parts", "price.ipynb", "price.md", "price.png", "record.json",
    }  # fmt: skip


@pytest.mark.one_in(8)  # a look takes up to two minutes
@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
def test_a_quick_look_answers_with_intervals(name, tmp_path):
    plt.switch_backend("Agg")
    result = wallsim("study", name, "--quick", "--out", str(tmp_path / name))
    assert result.exit_code == 0, result.output
    title, no_finding, table, *_ = result.stdout.strip().split("\n\n")
    assert title.startswith("# ")
    assert "makes no finding" in no_finding
    assert table.startswith("| ")
    assert "±" in result.stdout
    assert (tmp_path / name / f"{name}.png").is_file()
    verified = wallsim("study", name, "--verify", "--replay", "2", "--out", str(tmp_path / name))
    assert verified.exit_code == 0, verified.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("prise",), "prise is not one of"),
        (("casual", "--set", "seat=3"), "the study casual has policies"),
        (("casual", "--set", "policies"), "is not of the form OPTION=VALUE"),
        (("casual", "--set", "policies=nobody"), "nobody"),
        (("price", "--all"), "--all: cannot be combined with price"),
        (("price", "--quick", "--publish"), "--publish: only the full study"),
        (("price", "--page"), "is not a source tree"),
        (("./nowhere",), "has no study.py"),
    ],
)
def test_unknown_studies_and_options_are_refused(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refusal("study", *words, "--out", str(tmp_path / "x"))


@pytest.mark.parametrize("games", ["0", "-5", "1000001", "9" * 25])
def test_a_number_of_games_beyond_reason_is_refused_before_anything_is_played(here, games):
    said = refusal("study", "price", "--games", games, "--out", "out")
    assert f'games: "{games}" is not a whole number from 1 to 1000000' in said
    assert not (here / "out").exists()
