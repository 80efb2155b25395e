"""Failures of a run: an interruption while it is played, and a changed byte on the disk."""

from wallsim.runs.play import RunObserver


def journal_lines(folder):
    """The lines of a run's journal: its head, then one per finished chunk."""
    return (folder / "journal.jsonl").read_text("utf-8").splitlines()


class InterruptingObserver(RunObserver):
    """Interrupts a run as soon as the journal in `folder` has more than `lines` lines."""

    def __init__(self, folder, lines):
        self.folder, self.lines = folder, lines

    def played(self, games):
        if len(journal_lines(self.folder)) > self.lines:
            raise KeyboardInterrupt


def flip_a_bit(path):
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
