"""The journal of a folder: a header, and a receipt for each key that is done, every line sealed.

One law: the last whole receipt of a key counts; a key without one is missing, and is done again. Which keys there must
be is said by the kind of folder, from header and results, never by the journal. Runs, tournaments, searches and the
parts of studies differ in the form of their lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from wallsim.folder.checksummed_json import read_lines
from wallsim.folder.layout import JOURNAL

Key = tuple[int | str, ...]
Facts = Mapping[str, Any]
HASH_DIGITS = 16  # of the hash by which receipts name the work that they belong to

Head = TypeVar("Head")
Work = TypeVar("Work", bound=Hashable)
Name = TypeVar("Name", bound=Hashable)
Each = TypeVar("Each")


class Receipt(NamedTuple):
    """What a search did for a key: facts, and the sha256 of its files by name."""

    facts: Facts
    files: Mapping[str, str]


@dataclass(frozen=True)
class Form(Generic[Head, Work, Name, Each]):
    """The lines of a kind of journal.

    `begin` is how a receipt begins. `receipt` reads from the fields of a line by what words it names its work, its key,
    and the receipt; KeyError, TypeError or ValueError for what is none. `header` reads a first line, None if it is
    none, and `work` are the words for it in receipts.
    """

    begin: bytes
    receipt: Callable[[dict[str, Any]], tuple[Work, Name, Each]]
    header: Callable[[dict[str, Any]], Head | None] = lambda fields: None
    work: Callable[[Head], Work | None] = lambda header: None


class Receipts(Generic[Head, Work, Name, Each]):
    """What a journal says, which may have several files: its header, and the last whole receipt of each key.

    `header` is None if it is damaged, and `first` is what is left of it. `all` are all whole receipts, `lines` their
    bytes by file, each with its key, and `works` the words by which they name their work. `errors` has a line for each
    damaged one, and `strange` counts whole lines that are none of ours. `torn`: a file has to be written again before
    lines are added to it.
    """

    def __init__(self) -> None:
        """Nothing is read yet."""
        self.header: Head | None = None
        self.first = b""
        self.records: dict[Name, Each] = {}
        self.all: list[Each] = []
        self.lines: dict[str, list[tuple[Name, bytes]]] = {}
        self.works: dict[Work, None] = {}
        self.errors: list[str] = []
        self.strange = 0
        self.torn: set[str] = set()

    def take(
        self, name: str, data: bytes, form: Form[Head, Work, Name, Each], *, ours: Work | None = None,
        ended: bool = False,
    ) -> None:  # fmt: skip
        """Read a file; of a key that several files have, the receipt of the first one counts.

        `ours` are the words for the work if the header is damaged. `ended`: nobody may be writing, so that a last line
        without an end is damaged, too.
        """
        read = read_lines(data, form.begin, ended=ended)
        whole, errors = dict(read.whole), dict.fromkeys(read.damaged, "is damaged")
        if name == JOURNAL:
            self.header = form.header(whole[1][1]) if 1 in whole else None
            if self.header is not None:
                del whole[1]
            else:
                self.first, errors[1] = data.partition(b"\n")[0], "is damaged"
        known = ours if self.header is None else form.work(self.header)
        self.lines[name], earlier, self.records = [], self.records, {}
        for number, (line, fields) in whole.items():
            try:
                work, key, receipt = form.receipt(fields)
                self.works[work] = None
            except (KeyError, TypeError, ValueError):
                errors[number] = "is damaged"
                self.strange += 1
                continue
            if known not in (None, work):
                errors[number] = "belongs to other work"
                continue
            self.add(name, key, receipt, line)
        self.records |= earlier
        self.errors += [f"{name}: line {number} {errors[number]}" for number in sorted(errors)]
        if read.unended or errors:
            self.torn.add(name)

    def add(self, name: str, key: Name, receipt: Each, line: bytes) -> None:
        """Count a receipt of a file, which is its last line so far."""
        self.lines[name].append((key, line))
        self.records[key] = receipt
        self.all.append(receipt)

    def text(self, name: str, header: bytes = b"", without: Collection[Name] = ()) -> bytes:
        """A file written anew: a header, if it has one, and the receipts but for those of some keys."""
        lines = [header] if header else []
        lines += [line for key, line in self.lines.get(name, ()) if key not in without]
        return b"".join(line + b"\n" for line in lines)
