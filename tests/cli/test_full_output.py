"""A full standard output is reported as such, whatever prints: no traceback, a documented status, nothing more."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_games import ROOT
from wallsim.cli.terminal_output import OutputError, StandardOutput
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
SAID = "standard output: No space left on device\n"
COMMANDS = [
    "--help", "--version", "run --help", "rules", "rules --json", "policies", "policies --json", "towers", "codebook",
    "codebook --json", "summary RUN", "summary RUN --json", "codebook RUN", "verify RUN", "verify RUN --json",
    "repair RUN", "runs .", "runs . --json", "compare RUN RUN", "trace RUN", "trace RUN --text", "policy show balanced",
    "tower show", "tower show --json", "battle odds --attackers 3 --defenders 2", "study --help", "board check BOARD",
    "run --policies random --games 2 --quiet --out NEW", "run --policies random --games 2 --dry-run --quiet",
]  # fmt: skip


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A folder with a run."""
    folder = tmp_path_factory.mktemp("full")
    play_run(Experiment(policies="random", games=4), folder / "RUN")
    return folder


def ended(words, folder, *options, stdout="/dev/full"):
    """Status and standard error of a command whose standard output is this file."""
    words = [str(ROOT / "data" / "board") if word == "BOARD" else word for word in words.split()]
    with open(stdout, "w") as file:
        done = subprocess.run(
            [sys.executable, *options, "-m", "wallsim", *words], stdout=file, stderr=subprocess.PIPE, text=True,
            cwd=folder, timeout=120, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(("words", "options"), [("rules", ()), ("rules --json", ("-u",)), ("--version", ())])
def test_a_full_standard_output_is_reported(words, options, places):
    assert ended(words, places, *options) == (2, SAID)


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-u",)], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_reports_a_full_standard_output(words, options, places):
    status, said = ended(words, places, *options)
    assert status == 2
    assert said.endswith(SAID)
    assert "Traceback" not in said
    assert "Exception ignored" not in said


def test_what_is_written_at_the_end_fails_by_its_name(monkeypatch):
    with open("/dev/full", "wb") as device, io.TextIOWrapper(device, encoding="utf-8") as stream:
        with StandardOutput(stream) as output:
            monkeypatch.setattr(sys, "stdout", output)
            output.write("short")  # into the buffer
            with pytest.raises(OutputError, match=r"^standard output: No space left on device$"):
                output.flush()
            output.flush()  # what was not written is not written later
        monkeypatch.undo()


def test_without_a_buffer_a_text_is_written_at_once(tmp_path):
    with (
        open(tmp_path / "out", "wb", buffering=0) as raw,
        io.TextIOWrapper(raw, "utf-8", write_through=True) as stream,
        StandardOutput(stream) as output,
    ):
        output.write("Böhmen\n")
        assert (tmp_path / "out").read_text("utf-8") == "Böhmen\n"


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-"])
def test_a_closed_standard_output_is_no_error(closed, places):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m wallsim rules {closed}"], capture_output=True, timeout=120, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_pipe_whose_reader_is_gone_says_nothing(places):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "wallsim", "summary", "RUN"], stdout=writer, stderr=subprocess.PIPE, cwd=places,
        timeout=120, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")
