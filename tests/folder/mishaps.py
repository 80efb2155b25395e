"""Failures of a run: an interruption while it is played, a changed byte on the disk, and files that were forged."""

import json
import re

from wallsim.folder.checksummed_json import sealed_document, sealed_line
from wallsim.play.observer import RunObserver


def named(errors):
    """What errors are about: files by name, and of journals the line, such as "journal.jsonl: line 2"."""
    return [re.match(r"[^:]+(: line \d+)?", error)[0] for error in errors]


def journal_lines(folder):
    """The lines of a run's journal: its header, then one per finished chunk."""
    return (folder / "journal.jsonl").read_text("utf-8").splitlines()


def log_lines(folder):
    """The lines of a folder's log."""
    return [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]


class InterruptingObserver(RunObserver):
    """Interrupts a run as soon as the journal in `folder` has more than `lines` lines."""

    def __init__(self, folder, lines):
        self.folder, self.lines = folder, lines

    def played(self, games):
        if len(journal_lines(self.folder)) > self.lines:
            raise KeyboardInterrupt


def manifest_of(folder):
    """The entries of a run's manifest."""
    return json.loads((folder / "manifest.json").read_text("utf-8"))


def put_manifest(folder, manifest):
    """Replace a manifest by another one that is sealed as if this package had written it."""
    rest = {key: value for key, value in manifest.items() if key != "seal"}
    (folder / "manifest.json").write_bytes(sealed_document(rest))


def put_line(folder, number, fields):
    """Replace a line of the journal by another one that is sealed; line 0 is the header."""
    lines = (folder / "journal.jsonl").read_bytes().split(b"\n")
    lines[number] = sealed_line({key: value for key, value in fields.items() if key != "seal"})
    (folder / "journal.jsonl").write_bytes(b"\n".join(lines))


def flip_a_bit(path):
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def every_file(folder):
    """The bytes of all files of a folder by path, but for its lock."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
