"""README.md is short, begins with the two commands, and shows a result that the first look found."""

import os
import re
import subprocess
import sys

import pytest

from tests.docs.pages import DOCS, README, ROOT, code_blocks, commands, name, pages
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.marked_blocks import marks
from wallsim.studies import publishing
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import as_published

FIRST = ["sh .ci/play", "sh .ci/test"]
MAX_LINES = 150
STUDY_LIST = DOCS / "studies" / "index.md"


def test_it_is_short():
    assert len(README.read_text("utf-8").splitlines()) <= MAX_LINES


def test_the_two_commands_come_first():
    language, text = code_blocks(README)[0]
    assert language == "console"
    assert [" ".join(words) for words in commands(text)] == FIRST


def test_another_study_makes_it_no_longer(tmp_path, monkeypatch):
    (tmp_path / STUDY_LIST.relative_to(ROOT)).parent.mkdir(parents=True)
    for page in (README, STUDY_LIST):
        (tmp_path / page.relative_to(ROOT)).write_bytes(page.read_bytes())
    before = (tmp_path / "README.md").read_text("utf-8").count("\n")
    known = publishing.questions()
    monkeypatch.setattr(publishing, "questions", lambda: {**known, "new": "Novelty: what is new?"})
    monkeypatch.setattr(publishing, "own_studies", lambda: (*known, "new"))
    publishing.write_list(tmp_path)
    assert (tmp_path / "README.md").read_text("utf-8").count("\n") <= before
    listed = (tmp_path / STUDY_LIST.relative_to(ROOT)).read_text("utf-8")
    assert "- [Novelty](new.md): what is new?" in listed
    assert listed.count("\n- [") == len(known) + 1


@pytest.mark.parametrize("command", FIRST)
def test_the_two_commands_are_sound_executable_scripts(command):
    script = ROOT / command.split()[1]
    assert os.access(script, os.X_OK)
    assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0
    assert ".ci/setup" in script.read_text("utf-8")


def test_ci_passes_the_tests_by_the_same_script():
    assert re.search(r"^\s*(\w+=\S+ )*\.ci/test", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.skipif(
    os.path.realpath(sys.prefix) != os.path.realpath(ROOT / ".venv"), reason="only in the environment of .ci/setup"
)
def test_the_first_command_plays(tmp_path):
    script = ROOT / ".ci" / "play"
    assert "--games 1000000 --out results/million" in script.read_text("utf-8")
    words = ["sh", str(script), "--games", "40", "--out", str(tmp_path / "run")]
    result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "40 games, 4 players" in result.stdout


def test_five_lines_of_python_use_the_front_door():
    [text] = [text for language, text in code_blocks(README) if language == "python"]
    assert text.startswith("import wallsim\n")
    assert "from " not in text
    assert len([line for line in text.splitlines() if line.strip()]) <= 5


def headline():
    """The digest in the mark of the short result, and its text."""
    readme = README.read_text("utf-8")
    assert len(marks("headline").findall(readme)) == 1
    estimate = re.search(r"^<!-- headline of experiment (\w+):[^\n]*-->\n(.*?)^<!-- /headline -->", readme, re.M | re.S)
    assert estimate, "the mark of the short result names no experiment"
    return estimate[1], estimate[2]


def test_the_result_is_of_the_same_experiment_as_the_page_of_the_first_look():
    page = (DOCS / "studies" / "first_look.md").read_text("utf-8")
    assert f" of experiment {headline()[0]}: " in page


def test_the_result_has_only_numbers_of_the_page_of_the_first_look():
    page, text = as_published(load_study("first_look")).text, headline()[1]
    numbers = [number for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text) if len(number) > 2]
    assert len(numbers) > 12
    assert [number for number in numbers if number not in page] == []


def test_the_result_says_of_what_it_is():
    text = headline()[1]
    facts = ("games", "4 players", "policy", "tower", "seed", f"engine version {ENGINE_VERSION}", "fair", "95%")
    assert [fact for fact in facts if fact not in text] == []


def test_every_page_is_linked():
    """Pages in folders other than studies, such as those of the API, are reached from their own front page."""
    linked = set(re.findall(r"\]\((docs/[^)#]+\.md)", README.read_text("utf-8")))
    assert name(STUDY_LIST) in linked
    linked |= {f"docs/studies/{page}" for page in re.findall(r"\]\((\w+\.md)", STUDY_LIST.read_text("utf-8"))}
    written = {name(page): page for page in pages() if page.parent in (DOCS, DOCS / "studies") and page.stem != "index"}
    left = [page for page in written if page not in linked]
    tables = [page for page in left if page.endswith("-tables.md")]  # linked from the page of the study
    assert [page for page in left if page not in tables] == []
    for page in tables:
        own = written[page].with_name(written[page].name.replace("-tables", ""))
        assert f"]({written[page].name})" in own.read_text("utf-8")
