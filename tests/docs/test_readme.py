"""README.md is short, begins with the two commands, and says what the studies found."""

import os
import re
import subprocess
import sys

import pytest

from tests.docs.pages import DOCS, README, ROOT, code_blocks, commands, name, pages
from wallsim.analyses.strategy_report.pages import shares_of
from wallsim.analyses.strategy_report.readme import PICTURE, readme_errors, write_readme
from wallsim.studies.catalogue import own_studies
from wallsim.studies.publishing import write_list
from wallsim.studies.register import read_register
from wallsim.studies.scope import CASUAL_TABLE

FIRST = ["sh .ci/play", "sh .ci/test"]
MAX_LINES = 110
STUDY_LIST = DOCS / "studies" / "index.md"


def test_it_is_short_and_begins_with_two_commands():
    language, text = code_blocks(README)[0]
    assert (language, [" ".join(words) for words in commands(text)]) == ("console", FIRST)
    assert README.read_text("utf-8").count("\n") <= MAX_LINES


def test_the_list_of_studies_has_a_link_to_each(tmp_path):
    published = STUDY_LIST.read_text("utf-8")
    emptied = re.sub(r"^- \[.*\n", "", published, flags=re.M)
    copy = tmp_path / STUDY_LIST.relative_to(ROOT)
    copy.parent.mkdir(parents=True)
    copy.write_text(emptied, "utf-8")
    write_list(tmp_path)
    assert copy.read_text("utf-8") == published != emptied
    for study in own_studies():
        assert published.count(f"]({study}.md)") == 1, study


@pytest.mark.parametrize("command", FIRST)
def test_the_two_commands_are_sound_executable_scripts(command):
    script = ROOT / command.split()[1]
    assert os.access(script, os.X_OK)
    assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(
    os.path.realpath(sys.prefix) != os.path.realpath(ROOT / ".venv"), reason="only in the environment of .ci/setup"
)
def test_the_first_command_plays(tmp_path):
    script = ROOT / ".ci" / "play"
    assert re.search(r"--games 1000000 --out \S+/million", script.read_text("utf-8"))
    words = ["sh", str(script), "--games", "40", "--out", str(tmp_path / "run")]
    result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "40 games" in result.stdout


def test_five_lines_of_python_use_the_front_door():
    [text] = [text for language, text in code_blocks(README) if language == "python"]
    assert text.startswith("import wallsim\n")
    assert "from " not in text
    assert len([line for line in text.splitlines() if line.strip()]) <= 5


def test_line_up_a_wins_as_often_wherever_somebody_asks():
    """The README, the first page of the report and its page of line-ups answer by one figure, that of casual bots."""
    figure = read_register("lineups")["lineups.wins.4p.A/casual/spielbyweb"]
    first, _, rest = README.read_text("utf-8").partition("## From Python")
    assert re.search(rf"\b{figure.value:.0f} % of games between four casual bots", " ".join(first.split()))
    assert "of games" not in rest
    assert f"{{{figure.id}|0 value}} %" in (DOCS / "report" / "front.md").read_text("utf-8").splitlines()[0]
    assert shares_of(read_register("lineups"), 4, CASUAL_TABLE)["A"] == figure


def test_a_changed_picture_or_text_of_what_studies_found_is_noticed_and_written_again(tmp_path):
    assert readme_errors(ROOT) == []
    (tmp_path / "docs").mkdir()
    share = re.search(r"With it A wins (\d+ %)", README.read_text("utf-8"))[1]
    for path in ("README.md", PICTURE):
        (tmp_path / path).write_text((ROOT / path).read_text("utf-8").replace(share, "7 %"), "utf-8")
    assert [error.partition(":")[0] for error in readme_errors(tmp_path)] == ["README.md", PICTURE.as_posix()]
    write_readme(tmp_path)
    assert readme_errors(tmp_path) == []


def test_every_page_is_linked():
    """Pages in folders other than studies, such as those of the API, are reached from their own front page."""
    linked = set(re.findall(r"\]\((docs/[^)#]+\.md)", README.read_text("utf-8")))
    assert len(re.findall(r"(?m)^\| .*\]\(docs/", README.read_text("utf-8"))) <= 12
    linked |= {f"docs/{page}" for page in re.findall(r"\]\(([\w/-]+\.md)", (DOCS / "index.md").read_text("utf-8"))}
    assert name(STUDY_LIST) in linked
    linked |= {f"docs/studies/{page}" for page in re.findall(r"\]\((\w+\.md)", STUDY_LIST.read_text("utf-8"))}
    written = {name(page): page for page in pages() if page.parent in (DOCS, DOCS / "studies") and page.stem != "index"}
    left = [page for page in written if page not in linked]
    tables = [page for page in left if page.endswith("-tables.md")]  # linked from the page of the study
    assert [page for page in left if page not in tables] == []
    for page in tables:
        own = written[page].with_name(written[page].name.replace("-tables", ""))
        assert f"]({written[page].name})" in own.read_text("utf-8")
