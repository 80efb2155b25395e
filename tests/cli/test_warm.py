"""The command that compiles for this machine before the first game."""

import pytest

from tests.cli.commands import done
from wallsim import jit
from wallsim.compile_cache.files import BASELINES, ShippedCode
from wallsim.play import compile_progress


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    code = ShippedCode(tmp_path / "code.zip", BASELINES["x86_64"])
    monkeypatch.setattr(jit, "_SHIPPED", code)
    return code


def test_it_compiles_even_where_code_ships_and_says_so(shipped, monkeypatch):
    ignored = []
    monkeypatch.setattr(compile_progress, "_call_everything", lambda: ignored.append(shipped.ignored))
    assert "compiled" in done("warm").stderr
    assert ignored == [True]
    assert not shipped.ignored


def test_a_slow_compilation_is_reported_as_by_a_run(monkeypatch):
    monkeypatch.setattr(compile_progress, "_QUIET_SECONDS", 0.0)
    monkeypatch.setattr(compile_progress, "_call_everything", lambda: compile_progress.time.sleep(0.05))
    assert "in 0 s" in done("warm").stderr
