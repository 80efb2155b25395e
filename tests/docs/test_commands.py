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
SEARCH = [".ci/maker mends results/search --into analyses/lineups/mends.toml", ".ci/maker mends docs/examples --ready"]
PLAYED_HERE = [README, *(DOCS / f"{page}.md" for page in (
    "running", "towers", "policies", "values", "tournaments", "results", "contrasts", "designers", "means",
    "interventions", "openings", "speed", "figures", "strategy-report", "review", "advise", "replay",
))]  # in this order, in one folder  # fmt: skip
PLAYED_ELSEWHERE = {"docs/clusters.md", "docs/custom-policies.md", "docs/python.md"}  # each by a test of its own
TOO_FEW = re.compile(r"so\s+there\s+are\s+none|Draw\s+no\s+conclusions")  # examples show intervals


def console(page):
    """The commands of a page, as text."""
    return [shlex.join(words) for kind, text in code_blocks(page) if kind == "console" for words in commands(text)]


@pytest.mark.parametrize("study", STUDIES)
def test_the_page_of_a_study_has_the_command_that_makes_it(study):
    assert f"wallsim study {study} --publish" in console(DOCS / "studies" / f"{study}.md")


def test_every_example_is_run_here_or_by_a_test_of_its_own_and_none_writes_into_the_folder_of_a_study():
    """A study takes results/NAME, where a run of another experiment is refused."""
    examples = {name(page) for page in pages() if {"console", "python"} & {kind for kind, _ in code_blocks(page)}}
    studies = {f"docs/studies/{study}.md" for study in STUDIES}
    assert examples - PLAYED_ELSEWHERE - studies == {name(page) for page in PLAYED_HERE}
    every = [command for page in pages() for command in console(page)]
    assert [command for command in every if not command.startswith("wallsim ")] == [*FIRST, *SEARCH]
    written = {into for command in every if not command.startswith("wallsim study ")
               for into in re.findall(r"--out (\S+)", command)}  # fmt: skip
    assert not written & {f"results/{study}" for study in STUDIES}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder that looks like a checkout."""
    for folder in ("analyses", "data", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(page, language, text):
    """What an example prints; each command must succeed, each block of Python print something."""
    if language == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, name(page), "exec"), {})
        assert printed.getvalue().strip(), text
        return printed.getvalue()
    results = [(words, CliRunner().invoke(app, words[1:])) for words in commands(text) if words[0] == "wallsim"]
    for words, result in results:
        assert result.exit_code == 0, f"{words}\n{result.output}{result.exception or ''}"
    return "".join(result.output for _, result in results)


@pytest.mark.slow
def test_commands_and_python_run_in_their_order_and_make_what_they_name(here):
    handler = signal.getsignal(signal.SIGTERM)  # the command takes it over; the test's process wants its own back
    named = set()
    try:
        for page in PLAYED_HERE:
            for language, text in code_blocks(page):
                if language in ("python", "console"):
                    assert not TOO_FEW.search(ran(page, language, text)), f"{name(page)}: play more:\n{text}"
                    named |= set(re.findall(r"\bresults/([\w.-]+)", text))
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert {path.name for path in (here / "results").iterdir()} == named - {"million"}  # which .ci/play makes
    for path in (here / "results").glob("*.md"):
        assert not TOO_FEW.search(path.read_text("utf-8")), path.name
