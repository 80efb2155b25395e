"""What can go wrong with a run, in two kinds that the command line turns into messages and exit statuses."""

from __future__ import annotations


class InputError(ValueError):
    """The caller asked for what cannot be; each of `faults` is a line: place, value, what is allowed."""

    def __init__(self, faults: str | list[str]) -> None:
        """Keeps the faults as a list; the message has one per line."""
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        super().__init__("\n".join(self.faults))


class RunError(RuntimeError):
    """Something failed while a run was played or read: a full disk, a damaged file, an unfinished folder."""
