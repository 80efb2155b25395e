"""`wallsim study` plays a study of the repository into a folder."""

import matplotlib.pyplot as plt
import pytest

from tests.cli.commands import done
from wallsim.studies.catalogue import own_studies

LOOKS = ("editions", "events", "price")  # the quickest; tests/analyses plays all studies in few games


def test_without_a_name_all_studies_are_listed_with_what_they_ask():
    lines = done("study").stdout.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")][1:] == list(own_studies())


def test_a_study_writes_its_picture_and_files_and_prints_its_tables(tmp_path):
    plt.switch_backend("Agg")
    result = done("study", "price", "--quick", "--games", 24, "--workers", 1, "--out", tmp_path / "p")
    assert "| VP per Thaler |" in result.stdout
    assert {path.name for path in (tmp_path / "p").iterdir()} == {
        "figures.csv", "parts", "price.ipynb", "price.md", "price.png", "record.json",
    }  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
def test_a_quick_look_answers_with_intervals(name, tmp_path):
    plt.switch_backend("Agg")
    shown = done("study", name, "--quick", "--games", 84, "--out", tmp_path / name).stdout
    title, no_finding, table, *_ = shown.strip().split("\n\n")
    assert title.startswith("# ")
    assert "no finding" in no_finding
    assert table.startswith("| ")
    assert "±" in shown
    assert (tmp_path / name / f"{name}.png").is_file()
    done("study", name, "--verify", "--replay", 2, "--out", tmp_path / name)
