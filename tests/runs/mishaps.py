"""Failures of a run: an interruption while it is played, a changed byte on the disk, and files that were forged."""

import hashlib
import json

from wallsim.runs.folder.layout import identity_hash
from wallsim.runs.folder.sealing import sealed_document, sealed_line
from wallsim.runs.observer import RunObserver


def journal_lines(folder):
    """The lines of a run's journal: its head, then one per finished chunk."""
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
    """Replace a line of the journal by another one that is sealed; line 0 is the head."""
    lines = (folder / "journal.jsonl").read_bytes().split(b"\n")
    lines[number] = sealed_line({key: value for key, value in fields.items() if key != "seal"})
    (folder / "journal.jsonl").write_bytes(b"\n".join(lines))


def make_earlier(folder, form=3):
    """Turn a finished run into one that the version before wrote.

    Nothing was sealed, the number of games was in the identity, and receipts did not name their run; heads had no
    papers, and before format 3 no format. Files of tables differ in their metadata alone and stay.
    """
    head, *receipts = map(json.loads, journal_lines(folder))
    identity = {**head["identity"], "games": head["games"]}
    hash_ = identity_hash(identity)
    begin = {"format": form, "name": head["name"]} if form > 2 else {}
    sizes = {key: head[key] for key in ("chunk", "first_chunk") if head[key] is not None}
    lines = [{**begin, "hash": hash_, **sizes, "identity": identity}]
    lines += [{key: line[key] for key in line if key not in ("run", "chunks", "versions", "seal")} for line in receipts]
    (folder / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    text = (folder / "experiment.toml").read_text("utf-8").replace(head["hash"], hash_, 1)
    (folder / "experiment.toml").write_text(text, "utf-8")
    manifest = {
        key: value
        for key, value in manifest_of(folder).items()
        if key not in ("looks", "grows", "versions", "log", "seal")
    }
    manifest["format"] = form
    manifest["experiment"].update(hash=hash_, identity=identity, text=text)
    manifest["papers"]["experiment.toml"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    (folder / "log.jsonl").unlink()


def flip_a_bit(path):
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
