"""The figures of the studies' pages are those of the register, of these experiments, policies and this engine.

After a change of policy, rules, board or ENGINE_VERSION they must be played again, by the command on each page.
"""

import re
import shutil

import pytest

from tests.docs.pages import DOCS, README, STUDIES
from tests.test_architecture import ROOT
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.marked_blocks import marks
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import REGISTER, list_errors, page_errors

FEW_COLOURS, MANY_COLOURS = 60_000, 150_000  # bytes of a picture at most


def page_of(study):
    """The page of a study."""
    return DOCS / "studies" / f"{study}.md"


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_shows_its_picture_which_is_small(study):
    assert f"]({study}.png)" in page_of(study).read_text("utf-8")
    most = FEW_COLOURS if load_study(study).colours == 64 else MANY_COLOURS
    assert page_of(study).with_suffix(".png").stat().st_size < most


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_figures_are_of_this_experiment_engine_and_register(study):
    result = load_study(study)
    assert page_errors(result, ROOT) == []
    [block] = marks(result.marks[0]).finditer(page_of(study).read_text("utf-8"))
    assert f"engine version {ENGINE_VERSION}" in block[0].splitlines()[1]


@pytest.fixture
def copied(tmp_path):
    """The page, the register and the README of the study `price` in a folder that may be changed."""
    for path in ("docs/studies/price.md", (REGISTER / "price.csv").as_posix(), "README.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "result"),
    [
        ("docs/studies/price.md", "0.21 ± 0.02 VP", "0.22 ± 0.02 VP", "is not what the register says"),
        ("docs/studies/price.md", "1,000 blocks of 24", "2,000 blocks of 24", "is not what the register says"),
        ("data/figures/price.csv", ",0.2085,", ",0.3085,", "is not what the register says"),
        ("data/figures/price.csv", "price.headline", "price.answer", "the page cannot be made from it"),
    ],
)
def test_a_number_changed_on_a_page_or_in_the_register_is_found(copied, path, old, new, result):
    study = load_study("price")
    assert page_errors(study, copied) == []
    text = (copied / path).read_text("utf-8")
    assert old in text
    (copied / path).write_text(text.replace(old, new), "utf-8")
    assert any(result in error for error in page_errors(study, copied))


def test_the_readme_lists_the_studies_as_they_are(copied):
    assert list_errors(ROOT) == []
    text = (copied / "README.md").read_text("utf-8")
    (copied / "README.md").write_text(text.replace("- [Tiles]", "- [Tile]"), "utf-8")
    assert list_errors(copied) != []


def test_the_headline_of_the_readme_agrees_with_the_page():
    [short] = marks("headline").finditer(README.read_text("utf-8"))
    [long] = marks("figures").finditer(page_of("first_look").read_text("utf-8"))
    shares = r"(?m)^(\| [A-D] \| [\d.]+ \| [\d.]+ to [\d.]+ \|)"
    assert len(re.findall(shares, short[0])) == 4
    assert re.findall(shares, short[0]) == re.findall(shares, long[0])
    assert f"engine version {ENGINE_VERSION}" in short[0]
