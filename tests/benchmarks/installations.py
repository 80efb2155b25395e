"""Installations in place of wallsim: small packages that claim to play, and timers without a process."""

import subprocess
from contextlib import contextmanager

from benchmarks.installation import Installation

EXPERIMENT = """
import time

class Experiment:
    def __init__(self, players, policies, seed):
        if policies != "random":
            raise ValueError(f"policies: {policies}\\nunknown")

    def arena(self):
        return self

    def play(self, first, count):
        print("playing", first, count)
        start = time.process_time()
        while time.process_time() < start + count / 1000:
            pass
"""


def package(folder, *, engine="ENGINE_VERSION = 3", experiment=EXPERIMENT):
    """A folder with a package called wallsim, which plays a thousand games of `random` per CPU second."""
    (folder / "wallsim" / "engine").mkdir(parents=True)
    for name, text in (("__init__.py", experiment), ("engine/__init__.py", ""), ("engine/version.py", engine)):
        (folder / "wallsim" / name).write_text(text, "utf-8")
    (folder / "pyproject.toml").write_text('[project]\nname = "wallsim"\nversion = "0.1.2"\n', "utf-8")
    return folder


def git(folder, *words):
    """Run git in a folder, as somebody who signs nothing."""
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


def installation(folder, title="other"):
    """The installation in a folder, without asking git."""
    return Installation(folder, "0.1.2", "", title)


class Stopwatch:
    """Starts timers that play so many games per CPU second, by title, and keeps what was asked of them."""

    def __init__(self, **speeds):
        self.speeds, self.started, self.asked = speeds, [], []

    @contextmanager
    def __call__(self, installation):
        self.started.append(installation.title)
        yield _Timer(self, installation.title)
        self.started.append(f"{installation.title} ended")


class _Timer:
    engine_version = 4

    def __init__(self, stopwatch, title):
        self._stopwatch, self._title = stopwatch, title

    def seconds(self, policy, first, count):
        self._stopwatch.asked.append((self._title, policy, first, count))
        return count / self._stopwatch.speeds[self._title]
