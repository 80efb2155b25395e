"""The figures of the studies' pages are those of the register, of these experiments, policies and this engine.

After a change of policy, rules, board or ENGINE_VERSION they must be played again, by the command on each page.
"""

import re
import shutil

import pytest

from tests.docs.pages import DOCS, STUDIES
from tests.studies.first_screens import finding_errors
from tests.test_architecture import ROOT
from wallsim.report.tables.marked_blocks import differing_blocks
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import INDEX, REGISTER, as_published, list_errors, origin, page_errors
from wallsim.studies.study import FINDING

FEW_COLOURS, MANY_COLOURS = 60_000, 150_000  # bytes of a picture at most


def page_of(study):
    """The page of a study."""
    return DOCS / "studies" / f"{study}.md"


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_shows_its_picture_which_is_small(study):
    assert f"]({study}.png)" in page_of(study).read_text("utf-8")
    most = FEW_COLOURS if load_study(study).colours == 64 else MANY_COLOURS
    assert page_of(study).with_suffix(".png").stat().st_size < most


def test_what_figures_assume_names_every_study_that_calls_the_border_uncertain():
    border, trust = re.compile(r"Altmark(?:–| and )Vorpommern"), DOCS / "trust.md"
    naming = {path for path in DOCS.rglob("*.md") if border.search(path.read_text("utf-8"))} - {trust}
    assert {path.parent.name for path in naming} == {"studies"}
    [paragraph] = [part for part in trust.read_text("utf-8").split("\n\n") if border.search(part)]
    linked = set(re.findall(r"\]\(studies/(\w+)\.md\)", paragraph))
    assert {path.stem.removesuffix("-tables") for path in naming} == linked


@pytest.mark.parametrize("study", STUDIES)
def test_the_first_screen_is_what_the_register_says_and_can_be_read(study):
    """Whether the register is that of today's experiment, which takes long, is checked where the site is built."""
    result = as_published(load_study(study))
    blocks = {FINDING: result.page.first_screen}
    assert differing_blocks(page_of(study), blocks, result.digest, origin(load_study(study))) == []
    assert re.search(rf"engine version {result.figures.engine}\b", result.page.tables)
    assert finding_errors(result.page.finding, result.page.table) == []
    assert result.page.finding.picture


@pytest.fixture
def copied(tmp_path):
    """The pages, the register and the README of the study `price` in a folder that may be changed."""
    for path in (
        "docs/studies/price.md",
        *((REGISTER / name).as_posix() for name in ("price.csv", "price.toml", "codebook.csv")),
        "README.md",
        INDEX.as_posix(),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / path)
    return tmp_path


CHANGES = [  # what is replaced in a file, by its pattern, by what, and what the error has
    ("docs/studies/price.md", r"(\d\.\d)\d( ± \d\.\d\d VP)", r"\g<1>98\2", "docs/studies/price.md"),
    ("data/figures/price.csv", r"(?m)^(headline[^\n,]*,-?\d?\.)\d", r"\g<1>98765", "docs/studies/price.md"),
    ("data/figures/price.csv", r"\nheadline\.4p\.VP-per", r"\nheadline.4p.VP-a", "price.headline"),
]


@pytest.mark.parametrize(("path", "old", "new", "named"), CHANGES, ids=["number", "figure", "missing"])
def test_a_page_and_a_register_that_differ_are_found(copied, path, old, new, named):
    study, text = load_study("price"), (copied / path).read_text("utf-8")
    assert page_errors(study, copied) == []
    assert re.search(old, text)
    (copied / path).write_text(re.sub(old, new, text, count=1), "utf-8")
    assert any(named in error for error in page_errors(study, copied))


def test_the_list_of_studies_says_what_they_are(copied):
    assert list_errors(ROOT) == []
    text = (copied / INDEX).read_text("utf-8")
    (copied / INDEX).write_text(text.replace("- [Tiles]", "- [Tile]"), "utf-8")
    assert any(error.startswith(f"{INDEX.as_posix()}: studies: ") for error in list_errors(copied))
