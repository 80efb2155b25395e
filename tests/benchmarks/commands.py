"""Commands played in this process, which say that they used what a simple formula says."""

import json
import signal
from pathlib import Path

from benchmarks.__main__ import app
from benchmarks.folder import finished_games
from benchmarks.process import Processes, Usage
from typer.testing import CliRunner

from tests.cli.commands import wallsim

START, SECONDS_A_GAME, MEMORY = 2.0, 0.01, 300_000_000  # of a run; two workers halve the wall seconds of playing
CHECK_START, SECONDS_A_CHECKED_GAME = 1.0, 0.001  # of verify and repair


class Commands(Processes):
    """Plays every command at once, keeps its words, and counts its seconds by the games in the folder afterwards."""

    def __init__(self):
        self.words = []

    def run(self, words):
        self._play(words)
        folder = Path(words[words.index("--out") + 1] if "--out" in words else words[1])
        games = finished_games(folder) - 1  # a run of one game is nothing but its start-up
        if words[0] == "run":
            return Usage(START + games * SECONDS_A_GAME / 2, START + games * SECONDS_A_GAME, MEMORY + games)
        return Usage(CHECK_START, CHECK_START + games * SECONDS_A_CHECKED_GAME, MEMORY // 3)

    def together(self, commands):
        for words in commands:
            self._play(words)
        games = finished_games(Path(words[words.index("--out") + 1])) - 1
        cpu = START * len(commands) + games * SECONDS_A_GAME
        return Usage(START + games * SECONDS_A_GAME / len(commands), cpu, MEMORY)

    def killed(self, words, when):
        """Every second chunk is played, and then no more."""
        assert not when()
        self._play([*words, "--slice", "0/2"])
        assert when()
        games = finished_games(Path(words[words.index("--out") + 1]))
        return Usage(START + games * SECONDS_A_GAME / 2, START + games * SECONDS_A_GAME, MEMORY)

    def _play(self, words):
        self.words.append(list(words))
        result = wallsim(*words)
        assert result.exit_code == 0, result.output


def bytes_by_table(folder):
    """The bytes of a run's files by table."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    return {table: sum(path.stat().st_size for path in (folder / table).iterdir()) for table in manifest["rows"]}


def bench(*words):
    """The command `.ci/bench` in this process."""
    handler = signal.getsignal(signal.SIGTERM)  # the command takes it over
    try:
        return CliRunner().invoke(app, list(words))
    finally:
        signal.signal(signal.SIGTERM, handler)


def message_of(*words):
    """What a command that refuses its words says on stderr."""
    result = bench(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    return result.stderr
