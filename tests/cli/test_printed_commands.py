"""Commands in messages can be pasted: the folder in them is one word, quoted where it must be, and no option."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.commands import done, wallsim
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.rules.files import data_folder

NAMES = ("a b", "it's", "-x", "$(x)", "~")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run of a few games."""
    return play_run(Experiment(games=20, chunk=10, policies="random"), tmp_path_factory.mktemp("run") / "run").folder


def commands_in(text):
    """The words of every command of wallsim or of the shell that a text has in quotes."""
    found = re.findall(r"`((?:wallsim|rm) [^`]*)`", text)
    found += re.findall(r"(?m)(?<=Play it with: )wallsim .*$", text)
    found += [line[line.index("wallsim ") :] for line in text.splitlines() if " repair " in line and "`" not in line]
    return [shlex.split(command) for command in found]


def unfinished(run, folder):
    """A copy of the run without its manifest."""
    shutil.copytree(run, folder)
    (folder / "manifest.json").unlink()


@pytest.mark.parametrize("name", NAMES[:3])
def test_the_folder_in_a_printed_command_is_that_folder(run, here, name):
    folder = here / name
    given = f"./{name}"
    unfinished(run, folder)
    (folder / "seats" / "part-000000.parquet").unlink()
    (here / "scenarios").mkdir()
    said = {words: wallsim(*words, given) for words in (("verify",), ("summary",), ("report",), ("compare", given))}
    said["runs"] = wallsim("runs", ".")
    outputs = [result.output for result in said.values()]
    for text in outputs:
        assert "Traceback" not in text
    commands = [words for text in outputs for words in commands_in(text)]
    assert len(commands) >= 4, outputs
    for words in commands:
        assert words[:2] == ["wallsim", "repair"], words
        assert len(words) == 3, words
        assert not words[2].startswith("-")
        assert Path(words[2]).resolve() == folder


@pytest.mark.parametrize("name", NAMES)
def test_a_new_file_is_named_as_the_shell_needs_it(here, name):
    (words,) = commands_in(done("init", f"./{name}.toml").output)
    assert words[:2] == ["wallsim", "run"]
    assert Path(words[2]).samefile(here / f"{name}.toml")
    assert len(words) == 3
    assert not words[2].startswith("-")
    (comment,) = re.findall(r"(?m)^# +(wallsim run .*)$", (here / f"{name}.toml").read_text("utf-8"))
    assert len(shlex.split(comment)) == 3


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_board_is_named_as_the_shell_needs_it(here, name):
    shutil.copytree(data_folder("board"), here / name)
    said = done("board", "check", f"./{name}").output
    folder = shlex.split(said[said.index("--board") :])[1]
    assert Path(folder).resolve() == here / name
    assert not folder.startswith("-")
