"""Terminals that show few characters, pipes that close early, files in other encodings."""

import os
import subprocess
import sys

import pytest

from tests.cli.test_games import ROOT, refusal, wallsim
from wallsim.cli.terminal_output import plain


def shell(command, **environment):
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "W": f"{sys.executable} -m wallsim", **environment},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
@pytest.mark.parametrize("command", ["rules", "towers", "policies", "codebook", "run --help", "run --tower ±×–"])
def test_every_text_can_be_shown_anywhere(command, encoding):
    done = shell(f"$W {command}", PYTHONIOENCODING=encoding)
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr
    (done.stdout + done.stderr).decode(encoding)


def test_plain_characters_stand_for_others():
    assert plain("3 × 4 – 5 ± 1 ≤ Böhmen ▲…") == "3 x 4 - 5 +- 1 <= Bohmen ^..."
    assert plain("漢") == "?"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("command", ["--help", "rules", "towers", "codebook", "policies --json", "trace --text"])
def test_a_pipe_that_closes_early_ends_a_command_without_a_word(command):
    done = shell(f"$W {command} | head -n 1")
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) == 1


def test_a_byte_order_mark_is_read_over(tmp_path):
    file = tmp_path / "x.toml"
    file.write_bytes(b'\xef\xbb\xbfgames = 3\r\npolicies = "random"\r\n')
    result = wallsim("run", str(file), "--out", str(tmp_path / "run"))
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b'games = 3\nname = "B\xf6hmen"\n', "line 2: byte 0xf6 is not UTF-8; save the file as UTF-8"),
        ("games = 3\n".encode("utf-16"), "line 1: UTF-16 is not UTF-8; save the file as UTF-8"),
        (b"games = 3\ngames = 4\n", "line 2"),
    ],
)
def test_other_encodings_are_refused_with_file_and_line(tmp_path, data, error):
    file = tmp_path / "x.toml"
    file.write_bytes(data)
    said = refusal("run", str(file))
    assert "x.toml" in said
    assert error in said
