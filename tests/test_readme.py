"""The README says what is true: its commands run, its Python runs, its links lead somewhere."""

import contextlib
import io
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from tests.test_architecture import ROOT
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.cli import app
from wallsim.engine.version import ENGINE_VERSION
from wallsim.runs.experiment_file import load_experiment

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(console|python)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
FIRST = ["sh .ci/play", "sh .ci/test"]  # a million games, the whole suite: not played here
FIGURES = [  # run by the tests of these studies on fewer games
    ".venv/bin/python analyses/first_look.py results/first_look docs/first-result.png --into README.md",
    ".venv/bin/python analyses/zoo.py results/zoo docs/zoo.png --into README.md",
    ".venv/bin/python analyses/ladder.py results/ladder docs/ladder.png --into README.md",
    ".venv/bin/python analyses/skill.py results/skill docs/skill.png --into README.md",
    ".venv/bin/python analyses/tower.py results/tower docs/tower.png --into README.md",
]


def commands():
    """The words of every command of the console blocks, comments left out."""
    lines = [line for kind, text in BLOCKS if kind == "console" for line in text.splitlines()]
    assert all(line.startswith("$ ") for line in lines)
    return [shlex.split(line[2:], comments=True) for line in lines]


def test_the_two_commands_come_first():
    assert [" ".join(words) for words in commands()[:2]] == FIRST


def test_every_command_is_run_here_or_known_to_be_long():
    others = [" ".join(words) for words in commands() if words[0] != "wallsim"]
    assert others == [*FIRST, *FIGURES]


@pytest.mark.parametrize("command", FIRST)
def test_the_two_commands_are_sound_executable_scripts(command):
    script = ROOT / command.split()[1]
    assert os.access(script, os.X_OK)
    assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0
    assert ".ci/setup" in script.read_text("utf-8")


def test_ci_passes_the_tests_by_the_same_script():
    assert re.search(r"^\s*(\w+=\S+ )*\.ci/test", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)


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


def test_commands_and_python_run_in_their_order(tmp_path, monkeypatch):
    for folder in ("analyses", "data", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    handler = signal.getsignal(signal.SIGTERM)
    try:
        for kind, text in BLOCKS:
            if kind == "python":
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(compile(text, "README.md", "exec"), {})
                assert printed.getvalue().strip()
                continue
            for line in text.splitlines():
                words = shlex.split(line[2:], comments=True)
                if words[0] == "wallsim":
                    result = CliRunner().invoke(app, words[1:])
                    assert result.exit_code == 0, f"{line}\n{result.output}{result.exception or ''}"
    finally:
        signal.signal(signal.SIGTERM, handler)
    made = {path.name for path in (tmp_path / "results").iterdir()}
    runs = {"small", "draft", "detailed", "from_file", "court", "first_edition", "my_tower", "own", "cup", "tuned"}
    files = {"game-17.txt", "game-17.jsonl", "casts.csv", "my_tower.toml", "builder.md"}
    assert made == runs | files | {"towers"}


def test_the_log_of_casts_it_shows_can_be_read(tmp_path):
    [text] = re.findall(r"^```csv\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (tmp_path / "casts.csv").write_text(text, "utf-8")
    assert read_casts(tmp_path / "casts.csv").event == ("fill", "battle", "bump", "empty")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_and_named_files_exist(name):
    text = (ROOT / name).read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    folders = ("analyses", "data", "docs", "notebooks", "tests", "wallsim", ".ci")
    paths = re.findall(rf"`((?:{'|'.join(map(re.escape, folders))})/[\w./-]+)`", text)
    named = [path for path in [*links, *paths] if "NAME" not in path]
    assert not [path for path in named if not (ROOT / path).exists()]


def figures(name):
    """Digest and text of the figures between the marks of a name."""
    block = re.search(rf"^<!-- {name} of experiment (\w+):[^\n]*-->\n(.*?)^<!-- /{name} -->", README, re.M | re.S)
    assert block, "the figures lie between no marks with the experiment's digest"
    return block[1], block[2]


def study(name):
    """What a study's script defines."""
    return runpy.run_path(str(ROOT / "analyses" / f"{name}.py"), run_name=name)


def test_figures_and_picture_are_of_this_experiment_and_engine():
    """After a change of policy, rules, board or ENGINE_VERSION they must be made anew, by the command beside them."""
    experiment = load_experiment(ROOT / "analyses" / "first_look.toml")
    facts = (
        f"{experiment.games:,} games, {experiment.players} players, policy {experiment.policies[0]}, "
        f"tower {experiment.tower}, seed {experiment.seed}, engine version {ENGINE_VERSION}; "
    )
    digest, text = figures("figures")
    assert text.startswith(facts)
    assert digest == study("first_look")["digest"]()[:12]
    assert (ROOT / "docs" / "first-result.png").stat().st_size < 60_000


def test_the_figures_of_the_tower_are_of_this_experiment_and_engine():
    experiment = load_experiment(ROOT / "analyses" / "tower.toml")
    digest, text = figures("tower figures")
    assert text.startswith(f"{experiment.games:,} blocks under each of 9 towers, with line-ups and in the draft, ")
    assert f"; engine version {ENGINE_VERSION}. " in text.splitlines()[0]
    assert digest == study("tower")["digest"]()[:12]
    assert (ROOT / "docs" / "tower.png").stat().st_size < 60_000


def test_the_figures_of_the_zoo_are_of_these_policies_and_this_engine():
    zoo = study("zoo")
    experiment = load_experiment(ROOT / "analyses" / "zoo.toml")
    names = zoo["quick_policies"]()
    digest, text = figures("zoo figures")
    assert text.startswith(f"{len(names)} policies, {experiment.games:,} blocks each, ")
    assert f", engine version {ENGINE_VERSION}. " in text.splitlines()[0]
    assert digest == zoo["digest"](names, experiment)[:12]
    assert (ROOT / "docs" / "zoo.png").stat().st_size < 120_000


def test_the_figures_of_the_ladder_are_of_these_policies_and_this_engine():
    ladder = study("ladder")
    table = load_experiment(ROOT / "analyses" / "ladder.toml")
    tournaments = ladder["by_setup"](table, ladder["POLICIES"], ladder["BLOCKS"])
    digest, text = figures("ladder figures")
    assert text.startswith(f"{len(ladder['POLICIES'])} policies, {ladder['BLOCKS']} blocks of ")
    assert f"engine version {ENGINE_VERSION}. " in text.splitlines()[0].replace("\n", " ")
    planned = ladder["visits"](table)
    assert digest == ladder["digest"](tournaments, planned)[:12]
    assert (ROOT / "docs" / "ladder.png").stat().st_size < 60_000


def test_the_figures_of_skill_are_of_these_tournaments_and_this_engine():
    digest, text = figures("skill figures")
    assert digest == study("skill")["digest"]()[:12]
    assert text.startswith("6 tournaments, ")
    assert f", engine version {ENGINE_VERSION}. " in text.splitlines()[0]
    assert (ROOT / "docs" / "skill.png").stat().st_size < 60_000


def test_no_sentence_waits_for_its_figure():
    texts = {"README.md": README} | {path.name: path.read_text("utf-8") for path in ROOT.glob("notebooks/*.ipynb")}
    assert "[[" not in README
    assert not [name for name, text in texts.items() if "TODO-FIGURES" in text]
