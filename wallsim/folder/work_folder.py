"""Folders of work that is done key by key, such as searches: their kinds as data, and one that is open for work.

FOLDER/journal.jsonl              a header, `{WHAT: identity}`, and for each key that is done a receipt, `{WHAT: work,
                                  "key": ..., "facts": ..., "files": ...}` (`folder.receipts`)
FOLDER/ROOM/...                   the files that receipts name
FOLDER/checksums.json             sealed, written last; what the results are, and the sha256 of their files
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.errors import MOST_LISTED, InputError, RunError
from wallsim.escaping import in_shell
from wallsim.experiment.identity import identity_hash
from wallsim.folder.address import disk_folder
from wallsim.folder.checks import document_errors, refuse_other_identity
from wallsim.folder.checksummed_json import document_in, is_whole, sealed_line
from wallsim.folder.derived import CHECKSUMS, Derived, write_derived
from wallsim.folder.kind import Kind, Progress
from wallsim.folder.layout import JOURNAL, is_digests
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import FolderLock, locked, refuse_files
from wallsim.folder.receipts import HASH_DIGITS, Facts, Form, Key, Receipt, Receipts

Identity = dict[str, Any]
WorkJournal = Receipts[Identity, str, Key, Receipt]
OTHER_VERSIONS = "repeat the command with the versions that began it, or in another folder"


class Result(NamedTuple):
    """A result in a folder: what was asked for, by which command, and how many steps of the work it came from."""

    asked: dict[str, Any]
    command: str
    steps: int


class Finish(NamedTuple):
    """What `checksums.json` says: the identity of the work, the results by their file, and the sha256 of all files."""

    identity: dict[str, Any]
    results: dict[str, Result]
    files: dict[str, str]

    @property
    def steps(self) -> int:
        """The most steps from which a result came."""
        return max((result.steps for result in self.results.values()), default=0)


@dataclass(frozen=True)
class WorkKind:
    """A kind of work, as data.

    `keys` are those of so many steps, by the identity of the work; `most` steps are the most there may be. `fits` says
    whether a receipt of a key may have these facts, and `name` in words what a key is. `amount` is how many `unit` a
    receipt counts, and `wanted` how many so many steps have. `room` is the folder of the files of receipts, and
    `results` are names of files by which a folder is known whose journal is lost.
    """

    what: str
    unit: str
    keys: Callable[[Facts, int], Iterable[Key]]
    fits: Callable[[Key, Facts], bool]
    name: Callable[[Key], str]
    amount: Callable[[Key, Facts], int]
    wanted: Callable[[Facts, int], int]
    most: int
    room: str = ""
    results: tuple[str, ...] = ()

    def finish(self, place: FileStore) -> Finish | None:
        """What the finishing document says; None without one, RunError if it is damaged. OSError is passed on."""
        return document_in(place, CHECKSUMS, self._finish)

    def _finish(self, fields: dict[str, Any]) -> Finish:
        identity, files = fields[self.what], fields["files"]
        results = {name: Result(**result) for name, result in fields["results"].items()}
        if not isinstance(identity, dict) or not is_digests(files) or not all(map(self._fits, results.values())):
            raise ValueError(CHECKSUMS)
        return Finish(identity, results, files)

    def _fits(self, result: Result) -> bool:
        return type(result.steps) is int and 0 <= result.steps <= self.most and isinstance(result.command, str)

    @property
    def begin(self) -> bytes:
        """How the lines of the journal begin."""
        return f'{{"{self.what}": '.encode()

    def work(self, identity: Identity) -> str:
        """The digits by which receipts name their work."""
        return identity_hash({self.what: identity})[:HASH_DIGITS]

    def header(self, identity: Identity) -> bytes:
        """The first line of the journal, without its end."""
        return sealed_line({self.what: identity})

    def line(self, identity: Identity, key: Key, receipt: Receipt) -> bytes:
        """A receipt as a line of the journal, without its end."""
        return sealed_line({self.what: self.work(identity), "key": [*key], **receipt._asdict()})

    def _header(self, fields: dict[str, Any]) -> Identity | None:
        whole = fields.keys() == {self.what} and isinstance(fields[self.what], dict)
        return fields[self.what] if whole else None

    def _receipt(self, fields: dict[str, Any]) -> tuple[str, Key, Receipt]:
        work, key, receipt = fields[self.what], tuple(fields["key"]), Receipt(fields["facts"], fields["files"])
        whole = isinstance(work, str) and isinstance(receipt.facts, dict) and is_digests(receipt.files)
        if not whole or not all(type(part) in (int, str) for part in key) or not self.fits(key, receipt.facts):
            raise ValueError(key)
        return work, key, receipt

    def journal(self, place: FileStore, ours: Identity | None = None) -> WorkJournal:
        """The journal; `ours` is the identity by which receipts are known if the header is damaged.

        FileNotFoundError without one, RunError for what is no file. OSError is passed on.
        """
        result, form = WorkJournal(), Form(self.begin, self._receipt, self._header, self.work)
        ended, work = place.size(CHECKSUMS) is not None, None if ours is None else self.work(ours)
        result.take(JOURNAL, place.read(JOURNAL), form, ours=work, ended=ended)
        return result

    def text(self, journal: WorkJournal, identity: Identity, steps: int) -> bytes:
        """The journal written anew: the last receipt of each key, in the order in which so many steps are done."""
        last = dict(journal.lines[JOURNAL])
        keys = dict.fromkeys([*(key for key in self.keys(identity, steps) if key in last), *last])
        return b"\n".join([self.header(identity), *map(last.__getitem__, keys), b""])

    def as_kind(self) -> Kind:
        """The kind as `verify`, `repair`, `runs` and `summary` know it."""
        return Kind(
            self.what, self.recognises, self.errors, self.missing,
            lambda place, verb: f"{self.command(place)} {verb} it", self.progress, self.size,
            lambda place: f"{self.command(place)} shows it", self.restored,
        )  # fmt: skip

    def recognises(self, place: FileStore) -> bool:
        """By the first words of the header, of any other line if it is damaged, or without a journal by the rest."""
        begin = self.begin
        try:
            header, *lines = place.read(JOURNAL).split(b"\n")
        except (FileNotFoundError, RunError):  # missing, or not a regular file
            there = self.room and any(name.endswith(".npz") for name in place.names(self.room, ""))
            return bool(there) or self.known(place) is not None
        if header.startswith(begin) or is_whole(header):
            return header.startswith(begin)
        return any(line.startswith(begin) for line in lines)

    def errors(self, place: FileStore) -> Iterator[str]:
        """All damage: of the journal, the files of receipts, and the results."""
        finish = None
        try:
            finish = self.finish(place)
        except RunError as error:
            yield str(error).removeprefix(f"{place}/")
        journal = WorkJournal()
        try:
            journal = self.journal(place, None if finish is None else finish.identity)
        except FileNotFoundError:
            yield f"{JOURNAL}: is missing"
        except RunError as error:
            yield str(error).removeprefix(f"{place}/")
        yield from journal.errors
        if self.room and place.is_link(self.room):
            yield f"{self.room}: is a symbolic link; remove it"
            return
        known = {name: digest for receipt in journal.records.values() for name, digest in receipt.files.items()}
        yield from document_errors(place, known)
        if finish is None:
            return
        yield from document_errors(place, finish.files)
        if journal.header not in (None, finish.identity):
            yield f"{CHECKSUMS}: is of another {self.what} than {JOURNAL}"
        keys = list(self.keys(finish.identity, finish.steps))
        missing = (key for key in keys if key not in journal.records)
        if place.size(JOURNAL) is not None:
            yield from (f"{JOURNAL}: {self.name(key)} is missing" for key in islice(missing, MOST_LISTED))
        strays = {*(place.names(self.room, "") if self.room else ())} - known.keys() - set(map(self.name, keys))
        yield from (f"{name}: does not belong to this {self.what}; remove it" for name in sorted(strays))

    def missing(self, place: FileStore) -> str:
        """The finishing document."""
        return "" if place.size(CHECKSUMS) is not None else CHECKSUMS

    def command(self, place: FileStore) -> str:
        """The command that began it, in words."""
        # Quoted again: a stranger's result must not suggest anything but a command of this program.
        finish = self.known(place)
        try:
            words = shlex.split(next((result.command for result in finish.results.values()), "")) if finish else []
        except ValueError:
            words = []
        if words[:1] != ["wallsim"]:
            return "the command that began it"
        return f"`{shlex.join(words)} --out {in_shell(place)}`"

    def known(self, place: FileStore) -> Finish | None:
        """What the finishing document says; None also if it is damaged or of another kind."""
        try:
            return self.finish(place)
        except RunError:
            return None

    def _receipts(self, place: FileStore) -> dict[Key, Receipt]:
        try:
            return self.journal(place).records
        except FileNotFoundError:
            return {}

    def progress(self, place: FileStore) -> Progress:
        """How much of it is done; of how much only a finished one says."""
        finish, receipts = self.known(place), self._receipts(place)
        done = sum(self.amount(key, receipt.facts) for key, receipt in receipts.items())
        return Progress(done, self.wanted(finish.identity, finish.steps) if finish else None, self.unit)

    def size(self, place: FileStore) -> int:
        """The bytes of the journal, the files of receipts, and those of results."""
        finish = self.known(place)
        names = [JOURNAL, *(name for receipt in self._receipts(place).values() for name in receipt.files)]
        return sum(place.size(name) or 0 for name in [*names, *(finish.files if finish else ())])

    def restored(self, place: FileStore) -> list[str]:
        """Repair the journal of a finished folder of which nothing is missing; the names of restored files."""
        errors, finish = list(self.errors(place)), self.known(place)
        if finish is None or not errors or not all(error.startswith(f"{JOURNAL}: line ") for error in errors):
            return []
        with locked(place):
            keep_copy(place)
            place.write(JOURNAL, self.text(self.journal(place, finish.identity), finish.identity, finish.steps))
        return [JOURNAL]


class WorkFolder(FolderLock):
    """A folder locked for work, as a context manager: the receipts that it has by key, and its results.

    `repairs` says what of the journal was damaged, one line each. A damaged journal is copied before it is written
    again without its damaged lines; their keys are missing.
    """

    def __init__(self, folder: str | Path, kind: WorkKind, identity: dict[str, Any]) -> None:
        """Lock a folder: create it, or go on with an existing one.

        InputError if it cannot be written, is in use, or contains anything other than this work; RunError if its
        journal is missing.
        """
        self.kind, self.identity = kind, identity
        self.repairs: list[str] = []
        self._whole: set[str] = set()
        self.acquire(FileStore(disk_folder(folder)))

    def refuse_foreign_files(self) -> None:
        """InputError for another kind of journal and for files without a journal, RunError if it is only missing."""
        if self.place.exists(JOURNAL) or self.place.is_link(JOURNAL):
            self._refuse_other_work(self.kind.journal(self.place, self.identity))
            return
        ours = (*self.kind.results, CHECKSUMS, *filter(None, [self.kind.room]))
        if beside := next(filter(self.place.exists, ours), ""):
            raise RunError(
                f"{self.folder}: {JOURNAL} is missing beside {beside}; put it back, or repeat the command with another "
                "folder"
            )
        refuse_files(self.place)

    def load_or_begin(self) -> None:
        """Read the receipts, or write the header."""
        self.place.remove_leftovers(("", *filter(None, [self.kind.room])))
        if not self.place.exists(JOURNAL):
            self.place.write(JOURNAL, self.kind.header(self.identity) + b"\n")
        journal = self.kind.journal(self.place, self.identity)
        self._refuse_other_work(journal)  # it may have come into being meanwhile
        self._journal = journal
        if journal.errors:
            copy = keep_copy(self.place)
            self.repairs = [*journal.errors, f"{JOURNAL} is repaired; the damaged file is saved as {copy}"]
        if journal.torn:
            self.place.write(JOURNAL, self.kind.text(journal, self.identity, 0))

    def _refuse_other_work(self, journal: WorkJournal) -> None:
        what, choose = self.kind.what, "choose another folder"
        if journal.header is not None:
            refuse_other_identity(self.folder, journal.header, self.identity, what)
            if journal.strange and not journal.works:
                raise InputError(f"{self.folder}: {JOURNAL} was written by another version of wallsim; {choose}")
        elif not (journal.records or self._is_rest_of_header(journal.first) or self._is_finished()):
            if journal.works:
                raise InputError(
                    f"{self.folder}: line 1 of {JOURNAL} is damaged, and the other lines belong to another {what} than "
                    f"this command's; repeat the command that began it, or {choose}"
                )
            raise InputError(f"{self.folder}: {JOURNAL} is not the journal of a {what}; {choose}")

    def _is_rest_of_header(self, line: bytes) -> bool:
        # It still has the header's seal, or all that was sealed.
        body, _, seal = self.kind.header(self.identity).rpartition(b', "seal": ')
        return seal[1:65] in line or body in line

    def _is_finished(self) -> bool:
        finish = self.finished()
        return finish is not None and finish.identity == self.identity

    @property
    def facts(self) -> dict[Key, Facts]:
        """The facts of all receipts by key."""
        return {key: receipt.facts for key, receipt in self._journal.records.items()}

    def damaged(self) -> Iterator[str]:
        """The files of receipts that are not whole, one line each; their keys are missing."""
        for receipt in self._journal.records.values():
            yield from document_errors(self.place, dict(receipt.files))

    def has(self, key: Key) -> bool:
        """Whether a key has a receipt, and the files that it names are whole."""
        receipt = self._journal.records.get(key)
        if receipt is None:
            return False
        for name, digest in receipt.files.items():
            if name not in self._whole and self.place.digest(name) == digest:
                self._whole.add(name)
        return self._whole.issuperset(receipt.files)

    def record(self, key: Key, facts: Facts, files: Mapping[str, bytes] | None = None) -> None:
        """Write the files of a key, then its receipt, and wait until they are on the disk.

        RunError if the folder has another receipt of this key; then nothing is written.
        """
        data = files or {}
        receipt = Receipt(facts, {name: sha256(each).hexdigest() for name, each in data.items()})
        known = self._journal.records.get(key)
        if known is not None and known != receipt:
            raise RunError(
                f"{self.folder}: {self.kind.name(key)}: played again it differs from its line in {JOURNAL}; its "
                f"packages may have other versions, and nothing is lost; {OTHER_VERSIONS}"
            )
        for name, each in data.items():
            self.place.make_folder(self.kind.room)
            self.place.write(name, each)
        if known is None:
            line = self.kind.line(self.identity, key, receipt)
            self.place.append(JOURNAL, line)
            self._journal.add(JOURNAL, key, receipt, line)
        self._whole |= data.keys()

    def finished(self) -> Finish | None:
        """What the finishing document says; None if there is none, or it is damaged."""
        return self.kind.known(self.place)

    def begin_again(self) -> None:
        """Mark the folder as unfinished."""
        self.place.delete(CHECKSUMS)

    def finish(self, file: str, result: Result, files: Mapping[str, Derived], before: Finish | None) -> None:
        """Write the files of a result, of which one is named, then the document that makes the folder finished.

        `before` is what the folder had; its other files stay.
        """
        others = {} if before is None else {name: one for name, one in before.files.items() if name not in files}
        results = {name: one for name, one in (before.results if before else {}).items() if name in others}
        results[file] = result
        steps = max(one.steps for one in results.values())
        text = self.kind.text(self._journal, self.identity, steps)
        if text != self.place.read(JOURNAL):  # what was done again stands at its end
            self.place.write(JOURNAL, text)
        about = {name: one._asdict() for name, one in results.items()}
        write_derived(self.place, files, others, facts={self.kind.what: self.identity, "results": about})


def keep_copy(place: FileStore) -> str:
    """Copy a damaged journal to a new file beside it, unless that was done before; returns the copy's name."""
    data, number = place.read(JOURNAL), 1
    digest = sha256(data).hexdigest()
    while not place.create(name := f"{JOURNAL}.damaged-{number}", data) and place.digest(name) != digest:
        number += 1
    return name
