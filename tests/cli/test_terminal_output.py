"""What is printed reaches terminals of few characters, full disks, closed and broken pipes: no traceback anywhere."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import ROOT, done, refusal
from tests.refusals import assert_names, refused
from wallsim.cli.terminal_output import OutputError, StandardOutput, plain
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

on_a_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
COMMANDS = [
    "--help", "run --help", "rules", "policies --json", "codebook", "summary RUN", "verify RUN --json", "runs .",
    "compare RUN RUN", "trace RUN --text", "policy show balanced", "battle odds --attackers 3 --defenders 2",
    "board check BOARD",
]  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a run; do not change it."""
    folder = tmp_path_factory.mktemp("full")
    play_run(Experiment(policies="random", games=4), folder / "RUN")
    return folder


def shell(line, folder=None, **environment):
    """How a line of bash ended, in which $W is wallsim."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, timeout=120, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "W": f"{sys.executable} -m wallsim", **environment},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", ["rules", "towers", "codebook", "run --tower ±×–"])
def test_every_text_can_be_shown_anywhere(command, encoding):
    ended = shell(f"$W {command}", PYTHONIOENCODING=encoding)
    assert ended.returncode in (0, 2)
    assert b"Traceback" not in ended.stderr
    (ended.stdout + ended.stderr).decode(encoding)


def test_plain_characters_stand_for_others():
    assert plain("3 × 4 – 5 ± 1 ≤ Böhmen ▲…") == "3 x 4 - 5 +- 1 <= Bohmen ^..."
    assert plain("漢") == "?"


def assert_reported(ended):
    """A command ended because standard output was full, which it says last and without anything of Python."""
    assert ended.returncode == 2
    assert_names(ended.stderr.decode().splitlines()[-1], "standard output", "No space left")
    assert b"Traceback" not in ended.stderr
    assert b"Exception ignored" not in ended.stderr


@on_a_full_device
@pytest.mark.parametrize("line", ["rules --json", "--version"])
def test_a_full_standard_output_is_reported_and_nothing_else(line, place):
    ended = shell(f"$W {line} > /dev/full", place, PYTHONUNBUFFERED="1" if "json" in line else "")
    assert_reported(ended)
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.one_in(10)
@pytest.mark.slow
@on_a_full_device
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_reports_a_full_standard_output(line, unbuffered, place):
    words = line.replace("BOARD", str(ROOT / "data" / "board"))
    assert_reported(shell(f"$W {words} > /dev/full", place, PYTHONUNBUFFERED=unbuffered))


@on_a_full_device
def test_what_is_written_at_the_end_fails_by_its_name(monkeypatch):
    with open("/dev/full", "wb") as device, io.TextIOWrapper(device, encoding="utf-8") as stream:
        with StandardOutput(stream) as output:
            monkeypatch.setattr(sys, "stdout", output)
            output.write("short")  # into the buffer
            with refused("standard output", "No space left", by=OutputError):
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


def test_a_closed_standard_output_is_no_error():
    ended = shell("$W rules >&- 2>&-")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_a_pipe_whose_reader_is_gone_ends_a_command_without_a_word(place):
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", "wallsim", "summary", "RUN"], stdout=writer, stderr=subprocess.PIPE, cwd=place,
        timeout=120, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_so_does_a_pipe_that_closes_early():
    ended = shell("$W codebook | head -n 1")
    assert (ended.stderr, len(ended.stdout.splitlines())) == (b"", 1)


def test_a_byte_order_mark_is_read_over(tmp_path):
    (tmp_path / "x.toml").write_bytes(b'\xef\xbb\xbfgames = 3\r\npolicies = "random"\r\n')
    done("run", tmp_path / "x.toml", "--out", tmp_path / "run")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b'games = 3\nname = "B\xf6hmen"\n', ("line 2: byte 0xf6", "UTF-8")),
        ("games = 3\n".encode("utf-16"), ("line 1: UTF-16", "UTF-8")),
        (b"games = 3\ngames = 4\n", ("line 2",)),
    ],
)
def test_other_encodings_are_refused_with_file_and_line(tmp_path, data, names):
    (tmp_path / "x.toml").write_bytes(data)
    assert_names(refusal("run", tmp_path / "x.toml"), "x.toml", *names)
