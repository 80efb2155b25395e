"""Every command and every Python example of README.md and the pages runs, or is known to be run elsewhere."""

import contextlib
import io
import re
import shlex
import shutil
import signal

import pytest
from typer.testing import CliRunner

from tests.docs.pages import DOCS, README, ROOT, STUDIES, code_blocks, commands, name, pages
from wallsim.cli import app

FIRST = ["sh .ci/play", "sh .ci/test"]  # a million games, the whole suite: see test_readme.py
SEARCH = ".ci/maker mends results/search --into analyses/lineups/mends.toml"
PLAYED_HERE = [  # in this order, in one folder
    README,
    *(
        DOCS / f"{page}.md"
        for page in (
            *("running", "towers", "policies", "values", "tournaments", "results", "contrasts", "designers", "means"),
            *("interventions", "openings", "speed", "figures", "strategy-report", "review", "advise", "replay"),
        )
    ),
]
PLAYED_ELSEWHERE = {"docs/clusters.md", "docs/custom-policies.md", "docs/python.md"}  # each by a test of its own
TOO_FEW = re.compile(r"so\s+there\s+are\s+none|Draw\s+no\s+conclusions")  # examples show intervals
MADE = {
    *(
        "small",
        "drafted",
        "three-drafted",
        "counties",
        "detailed",
        "from_file",
        "court",
        "first_edition",
        "lean",
        "own_board",
        "scenarios",
    ),
    *("mid_urn", "my_tower", "mixed", "cup", "tuned", "learned", "exploited", "taught", "pupil", "towers"),
    *("sliced", "merged", "fairer"),
    *("change", "change.html", "confirmed", "skill_printed", "skill_exchange", "skill.html", "cup_thalers"),
    *("report", "tonight.html", "heute.html", "shared", "shared.html", "game-17.html", "comeback.html"),
    *("review.html", "practice.txt", "practice.html", "advised", "advised-draft"),
    *("must", "may", "changes.png", "precise", "cup_until", "means", "without", "gift", "worth", "tile.txt"),
    *("plans", "planned", "courses", "openings.html", "openings-a.csv"),
    *("tax.png", "drafted.svg", "tiles.parquet"),
    *("game-17.txt", "game-17.jsonl", "casts.csv", "my_tower.toml", "builder.md"),
}


def console(page):
    """The commands of a page, as text."""
    return [shlex.join(words) for kind, text in code_blocks(page) if kind == "console" for words in commands(text)]


def test_commands_other_than_wallsim_are_the_two_scripts_and_a_search():
    others = [command for page in pages() for command in console(page) if not command.startswith("wallsim ")]
    assert others == [*FIRST, SEARCH]


@pytest.mark.parametrize("study", STUDIES)
def test_the_page_of_a_study_has_the_command_that_makes_it(study):
    assert f"wallsim study {study} --publish" in console(DOCS / "studies" / f"{study}.md")


def test_every_page_with_examples_is_run_here_or_by_a_test_of_its_own():
    examples = {name(page) for page in pages() if {"console", "python"} & {kind for kind, _ in code_blocks(page)}}
    studies = {f"docs/studies/{study}.md" for study in STUDIES}
    assert examples - PLAYED_ELSEWHERE - studies == {name(page) for page in PLAYED_HERE}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder that looks like a checkout."""
    for folder in ("analyses", "data", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_commands_and_python_run_in_their_order(here):
    handler = signal.getsignal(signal.SIGTERM)  # the command takes it over; the test's process wants its own back
    try:
        for page in PLAYED_HERE:
            for language, text in code_blocks(page):
                if language == "python":
                    run_python(page, text)
                elif language == "console":
                    run_console(page, text)
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert {path.name for path in (here / "results").iterdir()} == MADE
    for path in (here / "results").glob("*.md"):
        assert not TOO_FEW.search(path.read_text("utf-8")), path.name


def run_python(page, text):
    """Run a block of Python, which must print something, and no sentence on too small a sample."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, name(page), "exec"), {})
    assert printed.getvalue().strip(), text
    assert not TOO_FEW.search(printed.getvalue()), text


def test_no_command_of_a_page_writes_into_the_folder_of_a_study():
    """A study takes results/NAME, where a run of another experiment is refused."""
    taken = {f"results/{study}" for study in STUDIES}
    written = [
        (name(page), folder)
        for page in (*pages(), README)
        for command in dict.fromkeys(console(page))
        if not command.startswith("wallsim study ")
        for folder in re.findall(r"--out (\S+)", command)
        if folder in taken
    ]
    assert written == []


def run_console(page, text):
    """Run the wallsim commands of a console block."""
    for words in commands(text):
        if words[0] == "wallsim":
            result = CliRunner().invoke(app, words[1:])
            assert result.exit_code == 0, f"{name(page)}: {words}\n{result.output}{result.exception or ''}"
            assert not TOO_FEW.search(result.output), f"{name(page)}: {words}: play more\n{result.output}"
