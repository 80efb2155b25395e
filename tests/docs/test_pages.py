"""Every page says in its first sentence what it is for; named files exist; counts and tables are true."""

import re

import pytest

from tests.docs.pages import DOCS, ROOT, STUDIES, code_blocks, name, pages, prose
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.experiment.file import load_experiment
from wallsim.play.compile_progress import COMPILE_TIME
from wallsim.play.scenarios.file import load_experiments
from wallsim.policies.catalogue import load_policy
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


@pytest.mark.parametrize("page", [page for page in PROSE if page not in FINDINGS], ids=name)
def test_a_page_begins_with_its_title_and_what_it_is_for(page):
    title, blank, opening = page.read_text("utf-8").splitlines()[:3]
    assert title.startswith("# ")
    assert blank == ""
    assert opening.startswith("This page ")


@pytest.mark.parametrize("page", FINDINGS, ids=name)
def test_the_page_of_a_study_begins_with_its_finding_and_is_short(page):
    mark, title = page.read_text("utf-8").splitlines()[:2]
    assert mark.startswith("<!-- finding")
    assert title.startswith("# ")
    assert len(MARKED.sub("", page.read_text("utf-8")).split()) <= MOST_WORDS


@pytest.mark.parametrize("page", CHECKED, ids=name)
def test_named_files_exist(page):
    """Links are checked by tests/website."""
    paths = re.findall(rf"`((?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]+)`", prose(page))
    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PROSE, ids=name)
def test_lines_are_wrapped(page):
    """Tables, figures between marks and links may be longer."""
    text = MARKED.sub("", prose(page))
    long = [line for line in text.splitlines() if len(line) > 120 and not line.startswith("|")]
    assert long == []


def test_no_sentence_waits_for_its_figure():
    waiting = [page for page in pages() if "[[" in page.read_text("utf-8")]
    texts = [*pages(), *ROOT.glob("notebooks/*.ipynb")]
    assert waiting + [path for path in texts if "TODO-FIGURES" in path.read_text("utf-8")] == []


def test_every_study_has_a_page_and_every_page_of_a_study_a_command():
    written = {page.stem for page in (DOCS / "studies").glob("*.md")}
    assert written - {f"{study}-tables" for study in STUDIES} == {*STUDIES, "coverage", "index"}
    for study in STUDIES:
        assert "## Regenerate it" in (DOCS / "studies" / f"{study}.md").read_text("utf-8")


def test_the_log_of_casts_it_shows_can_be_read(tmp_path):
    [text] = [text for language, text in code_blocks(DOCS / "towers.md") if language == "csv"]
    (tmp_path / "casts.csv").write_text(text, "utf-8")
    assert read_casts(tmp_path / "casts.csv").event == ("fill", "battle", "bump", "empty")


def test_all_presets_of_towers_and_all_policies_are_in_the_tables():
    towers, policies = (DOCS / "towers.md").read_text("utf-8"), (DOCS / "policies.md").read_text("utf-8")
    assert [path.stem for path in data_folder("tower").glob("*.toml") if f"`{path.stem}`" not in towers] == []
    shipped = [path.stem for path in data_folder("policies").glob("*.toml")]
    assert [name for name in shipped if f"`{name}`" not in policies and "-noise-" not in name] == []


def test_the_policies_of_the_table_of_speeds_are_shipped():
    text = (DOCS / "speed.md").read_text("utf-8")
    table = re.search(r"^<!-- speed: .*?^<!-- /speed -->", text, re.MULTILINE | re.DOTALL)
    assert table
    timed = re.findall(r"^\| `([\w-]+)` \|(?: [\d,.]+(?: to [\d,]+)? \|){4}$", table[0], re.MULTILINE)
    assert len(timed) == 3
    for policy in timed:
        load_policy(policy)


def test_numbers_in_words_are_true():
    assert "There are twenty;" in (DOCS / "glossary.md").read_text("utf-8")
    assert len(QUESTIONS) == 20
    assert "some seventy weights" in (DOCS / "trust.md").read_text("utf-8")
    assert 65 <= len(WEIGHTS) <= 75


def test_every_place_names_the_same_time_of_compiling():
    places = [ROOT / "README.md", ROOT / "wallsim" / "api" / "play.py", ROOT / "notebooks" / "quickstart.ipynb"]
    places += [DOCS / f"{page}.md" for page in ("speed", "python", "notebooks")]
    for place in places:
        text = " ".join(place.read_text("utf-8").split())
        assert f"{COMPILE_TIME} of CPU time" in text, place
        assert not re.search(r"compil[^.|]*(half a minute|one to two minutes|a minute|up to a minute)", text), place


def test_no_place_says_that_an_index_of_packages_has_wallsim():
    places = [*(page for page in CHECKED if page.name != "CHANGELOG.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    places += [*(ROOT / "wallsim").rglob("*.py"), *(ROOT / "analyses").rglob("*.py")]
    for place in places:
        assert not re.search(r"install\W+wallsim\b(?!-)", place.read_text("utf-8")), place


EXAMPLES = ("scenarios.toml", "edited_setup.toml", "amounts.toml")


def test_the_files_of_experiments_are_those_shown():
    shown = [text for language, text in code_blocks(DOCS / "running.md") if language == "toml"]
    assert shown == [(DOCS / "examples" / name).read_text("utf-8") for name in EXAMPLES]
    edited = load_experiment(DOCS / "examples" / "edited_setup.toml").ruleset()
    assert edited.starting_thalers() == (14, 15, 15, 17)
    assert [letter for letter, _ in edited.lineup_edits] == ["A", "B", "D"]
    assert {sum(armies for _, armies in groups) for _, groups in edited.lineup_edits} == {25}
    turned = load_experiments(DOCS / "examples" / "amounts.toml").experiments
    assert [dict(each.ruleset().amounts).get("palace_points") for each in turned.values()] == [None, 2]
    assert all(dict(each.ruleset().amounts)["palace_price"] == 4 for each in turned.values())
