"""Small searches by the commands for them, and what they leave in their folder."""

import json

from tests.cli.commands import done


def files(folder):
    """The files of a search by name, but for its lock."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def comments_of(text):
    """The comments of a policy file, on one line."""
    return " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("#"))


# Searches so small that each takes a fraction of a second; all generations have lines, checks and results.
_ONE = ("--workers", 1)
_TINY_SEARCH = ("--players", 3, "--games", 3, "--population", 3, *_ONE, "--seed", 2, "--generations", 3)
_TINY_LESSONS = (
    *("--players", 3, "--games", 400, "--plans", 4, "--tables", 1, "--units", 0, "--passes", 1, "--setup", "lineup"),
    *_ONE,
)
TINY = {
    "tune": ("balanced", *_TINY_SEARCH, "--held-out", 6, "--check-every", 2, "--weights", "hold,deny"),
    "exploit": ("random", *_TINY_SEARCH, "--held-out", 6, "--phases", "years", "--phase-weights", "hold"),
    "teach": ("balanced", "--value", "season-ends", "--name", "taught", *_TINY_LESSONS),
    "learn": ("--policies", "random", "--players", 3, "--games", 2000, "--units", 0, "--setup", "lineup", *_ONE),
}


def tiny(command, folder, *words):
    """Search in a folder with the tiny settings of a command, which have to do; returns what was printed."""
    return done(command, *TINY[command], "--out", folder, *words)


def all_files(folder):
    """The files of a search by their paths, but for its lock and copies of damaged journals."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: p.read_bytes() for name, p in paths.items() if name != ".lock" and ".damaged-" not in name}


def without_times(name, data):
    """The bytes of a file; of a journal its entries without CPU time, by which the lines of `exploit` differ."""
    if name != "journal.jsonl":
        return data
    entries = [json.loads(line) for line in data.splitlines()]
    return [{**entry, "facts": {**entry.get("facts", {}), "cpu": 0}, "seal": ""} for entry in entries]


def undisturbed(folder, whole):
    """Whether a folder has the files of another one, byte for byte but for CPU times."""
    ours, theirs = ({n: without_times(n, d) for n, d in all_files(one).items()} for one in (folder, whole))
    return ours == theirs
