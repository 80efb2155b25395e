"""What lies in the current folder takes no part in a command: neither modules nor settings of Numba and matplotlib."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import done
from tests.naive.rng import JIT
from tests.test_architecture import ROOT, code_files

MODULES = ("joblib", "pickle", "wallsim", "yaml", "numpy", "cloudpickle")
RC = b"axes.grid: True\nfont.size: 30\nbackend: TkAgg\nfigure.hooks: joblib:hook\n\xff\n"  # no UTF-8: it cannot be read
POLICY = """
import numpy as np
from wallsim.jit import lowest_bit

def place(game, rules, mind, seat, free):
    return lowest_bit(free) + int(np.empty(300).sum())
"""
RUN = ["run", "--policies", "mine.py,random,random", "--players", "3", "--games", "60", "--workers", "2",
       "--plot", "out.svg", "--out", "out"]  # fmt: skip
SCRIPT = """
import atexit, os, sys
from wallsim.cli import main
atexit.register(lambda: print(os.environ["NUMBA_CACHE_DIR"], file=sys.stderr))
main()
"""
OF_TIME = {"journal.jsonl", "log.jsonl", "manifest.json", "checksums.json"}


def furnished(folder, *without):
    """A folder with everything that might take part, and the variables of a user who has set everything."""
    folder.mkdir()
    for name in set(MODULES) - set(without):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'MARK')!r}, 'a').write({name!r})\n", "utf-8")
    (folder / ".numba_config.yaml").write_text("opt: '1'\nboundscheck: 1\n", "utf-8")
    for place in (folder, folder / "settings" / "matplotlib"):
        (place / "stylelib").mkdir(parents=True)
        (place / "matplotlibrc").write_bytes(RC)
        (place / "stylelib" / "own.mplstyle").write_bytes(RC)
    return {"XDG_CONFIG_HOME": str(folder / "settings"), "MPLBACKEND": "nonsense"}


def command(folder, words, variables=None, start=()):
    """Run the command in a folder as an installed one starts: from a script that lies elsewhere."""
    script = folder.parent / "bin" / "start.py"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT, "utf-8")
    cache = {"WALLSIM_CACHE_DIR": str(Path(os.environ["NUMBA_CACHE_DIR"]).parent)}  # set by `wallsim.jit`
    return subprocess.run(
        [sys.executable, *(start or (str(script),)), *words], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **cache, **(variables or {})},
    )  # fmt: skip


def results(folder):
    """The bytes of all that a command has written, but for what tells the time."""
    files = [folder / "out.svg", folder / "out.png", *(folder / "out").rglob("*")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files
            if file.is_file() and file.name not in OF_TIME}  # fmt: skip


def test_a_picture_is_drawn_whatever_is_set(tmp_path, monkeypatch):
    variables = furnished(tmp_path / "full")
    assert command(tmp_path / "full", ["board", "map", "--out", "out.png"], variables).returncode == 0
    monkeypatch.chdir(tmp_path)
    done("board", "map", "--out", "out.png")
    assert results(tmp_path / "full") == results(tmp_path)
    assert not (tmp_path / "full" / "MARK").exists()


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")
def test_a_command_that_compiles_starts_processes_and_draws_writes_the_same(tmp_path):
    variables, plain = furnished(tmp_path / "full"), tmp_path / "plain"
    plain.mkdir()
    for folder, given in ((plain, {}), (tmp_path / "full", variables)):
        (folder / "mine.py").write_text(POLICY, "utf-8")
        ended = command(folder, RUN, given)
        assert ended.returncode == 0, ended.stderr
        assert ended.stderr.splitlines()[-1] == os.environ["NUMBA_CACHE_DIR"]
    assert results(tmp_path / "full") == results(plain) != {}
    assert not (tmp_path / "full" / "MARK").exists()


@pytest.mark.slow
def test_python_m_wallsim_imports_nothing_from_there(tmp_path):
    """But a package of its own name, which Python finds before wallsim begins."""
    furnished(tmp_path / "full", "wallsim")
    ended = command(tmp_path / "full", ["policies"], start=("-m", "wallsim"))
    assert ended.returncode == 0, ended.stderr
    assert not (tmp_path / "full" / "MARK").exists()


def test_every_process_of_python_that_the_package_or_a_benchmark_starts_has_a_safe_path():
    code = [path for path in code_files("wallsim", ".ci") if "website" not in path.parts]
    starts = [path for path in code if "[sys.executable" in (text := path.read_text("utf-8"))
              or 'backend="loky"' in text]  # fmt: skip
    assert len(starts) >= 5
    for path in starts:
        text = path.read_text("utf-8")
        assert any(word in text for word in ("SAFE_PATH", '"-P"', "installation.environment()")), path
