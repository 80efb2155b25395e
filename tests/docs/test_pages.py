"""Every page says in its first sentence what it is for; named files exist; counts and tables are true."""

import re

import pytest

from tests.docs.pages import DOCS, ROOT, STUDIES, code_blocks, name, pages, prose
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.experiment.file import load_experiment
from wallsim.play.compile_progress import COMPILE_TIME
from wallsim.play.scenarios.file import load_experiments
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.files import data_folder

CHECKED = [*pages(), *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"))]
FOLDERS = ("analyses", "data", "docs", "notebooks", "tests", "wallsim", ".ci")
ELSEWHERE = {"rules.md", "python.md"}  # pages with tests of their own, in their own form


# Pages in other folders, such as those of the API, have no text of their own.
PROSE = [page for page in pages() if page.parent in (DOCS, DOCS / "studies") and page.name not in ELSEWHERE]
FINDINGS = [DOCS / "studies" / f"{study}.md" for study in STUDIES]
MARKED = re.compile(r"^<!-- .*?^<!-- /[^\n]*-->$", re.MULTILINE | re.DOTALL)
MOST_WORDS = 450  # that people write on the page of a study


@pytest.mark.parametrize("page", PROSE, ids=name)
def test_a_page_begins_with_its_title_and_what_it_is_for_and_its_lines_are_wrapped(page):
    """That of a study begins with its finding and is short; tables, figures between marks and links may be longer."""
    text = page.read_text("utf-8")
    first, second, third = text.splitlines()[:3]
    if page in FINDINGS:
        assert first.startswith("<!-- finding")
        assert second.startswith("# ")
        assert len(MARKED.sub("", text).split()) <= MOST_WORDS
        assert "## Regenerate it" in text
    else:
        assert (first[:2], second, third[:10]) == ("# ", "", "This page ")
    lines = MARKED.sub("", prose(page)).splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []


@pytest.mark.parametrize("page", CHECKED, ids=name)
def test_named_files_exist_and_no_sentence_waits_for_its_figure(page):
    """Links are checked by tests/website."""
    text = prose(page)
    paths = re.findall(rf"`((?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]+)`", text)
    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []
    assert not re.search(r"\[\[|TODO-FIGURES", text)


def test_every_study_has_its_pages_and_there_are_no_others():
    written = {page.stem for page in (DOCS / "studies").glob("*.md")}
    assert written - {f"{study}-tables" for study in STUDIES} == {*STUDIES, "coverage", "index"}


def test_the_log_of_casts_it_shows_can_be_read(tmp_path):
    [text] = [text for language, text in code_blocks(DOCS / "towers.md") if language == "csv"]
    (tmp_path / "casts.csv").write_text(text, "utf-8")
    assert read_casts(tmp_path / "casts.csv").event == ("fill", "battle", "bump", "empty")


def test_the_tables_have_all_presets_of_towers_and_all_policies():
    towers, policies = ((DOCS / f"{page}.md").read_text("utf-8") for page in ("towers", "policies"))
    assert [path.stem for path in data_folder("tower").glob("*.toml") if f"`{path.stem}`" not in towers] == []
    shipped = {path.stem for path in data_folder("policies").glob("*.toml")}
    assert [name for name in shipped if f"`{name}`" not in policies and "-noise-" not in name] == []


def test_numbers_in_words_are_true():
    assert re.search(r"\btwenty;", (DOCS / "glossary.md").read_text("utf-8"))
    assert len(QUESTIONS) == 20
    assert re.search(r"\bseventy weights", (DOCS / "trust.md").read_text("utf-8"))
    assert 65 <= len(WEIGHTS) <= 75


def test_every_place_names_the_same_time_of_compiling_and_none_an_index_of_packages():
    places = [ROOT / "README.md", ROOT / "wallsim" / "api" / "play.py", ROOT / "notebooks" / "quickstart.ipynb"]
    places += [DOCS / f"{page}.md" for page in ("python", "notebooks")]
    for place in places:
        text = " ".join(place.read_text("utf-8").split())
        assert f"{COMPILE_TIME} of CPU time" in text, place
        assert not re.search(r"compil[^.|]*(half a minute|one to two minutes|a minute|up to a minute)", text), place
    places = [*(page for page in CHECKED if page.name != "CHANGELOG.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    places += [path for folder in ("wallsim", "analyses") for path in (ROOT / folder).rglob("*.py")]
    for place in places:
        assert not re.search(r"install\W+wallsim\b(?!-)", place.read_text("utf-8")), place


def test_the_files_of_experiments_are_those_shown():
    shown = [text for language, text in code_blocks(DOCS / "running.md") if language == "toml"]
    assert shown == [
        (DOCS / "examples" / name).read_text("utf-8")
        for name in ("scenarios.toml", "edited_setup.toml", "amounts.toml")
    ]
    edited = load_experiment(DOCS / "examples" / "edited_setup.toml").ruleset()
    assert edited.starting_thalers() == (14, 15, 15, 17)
    assert [letter for letter, _ in edited.lineup_edits] == ["A", "B", "D"]
    assert {sum(armies for _, armies in groups) for _, groups in edited.lineup_edits} == {25}
    turned = load_experiments(DOCS / "examples" / "amounts.toml").experiments
    assert [dict(each.ruleset().amounts).get("palace_points") for each in turned.values()] == [None, 2]
    assert all(dict(each.ruleset().amounts)["palace_price"] == 4 for each in turned.values())
