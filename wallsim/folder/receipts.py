"""The journal of work that is done key by key: a header, and a receipt for each key that is done, every line sealed.

One law: the last whole receipt of a key counts; a key without one is missing, and is done again. Which keys there must
be is said by the kind of folder, from header and results, never by the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import read_lines, sealed_line
from wallsim.folder.layout import JOURNAL, is_digests
from wallsim.folder.local_files import FileStore

Key = tuple[int | str, ...]
Facts = Mapping[str, Any]
COPY = f"{JOURNAL}.damaged-"  # the beginning of the name of a copy of a damaged journal; a number follows
_HASH_DIGITS = 16  # of the work's hash in each receipt


class Receipt(NamedTuple):
    """What was done for a key: facts, and the sha256 of its files by name."""

    facts: Facts
    files: Mapping[str, str]


@dataclass
class WorkJournal:
    """The identity in the header, and the last whole receipt of each key; `errors` has a line for each damaged one.

    `identity` is None if the header is damaged, and `first` then is what is left of it. `works` are the beginnings of
    the hashes that receipts of other work have. `earlier`: its lines are whole, but of a shape that earlier versions
    wrote. `untidy`: the file has to be written again before a line is added.
    """

    identity: dict[str, Any] | None = None
    receipts: dict[Key, Receipt] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    first: bytes = b""
    works: set[str] = field(default_factory=set)
    earlier: bool = False
    untidy: bool = False


def read_journal(
    data: bytes,
    what: str,
    fits: Callable[[Key, Facts], bool],
    *,
    ours: dict[str, Any] | None = None,
    ended: bool = False,
) -> WorkJournal:
    """Read the journal of a kind of work, whose header has `what` as its only key.

    `fits` says which facts a key may have; `ours` is the identity by which receipts are known if the header is damaged.
    """
    lines, journal = read_lines(data, beginning_of(what), ended=ended), WorkJournal()
    errors = dict.fromkeys(lines.damaged, "is damaged")
    whole_lines = {number: fields for number, (_, fields) in lines.whole.items()}
    first = whole_lines.get(1, {})
    if first.keys() == {what} and isinstance(first[what], dict):
        journal.identity = whole_lines.pop(1)[what]
    else:
        journal.first = data.partition(b"\n")[0]
    known = journal.identity if journal.identity is not None else ours
    work = None if known is None else work_hash(what, known)
    for number, fields in whole_lines.items():
        try:
            of, key, receipt = fields[what], tuple(fields["key"]), Receipt(fields["facts"], fields["files"])
            whole = isinstance(of, str) and isinstance(receipt.facts, dict) and is_digests(receipt.files)
        except (KeyError, TypeError):
            whole = False
        if not whole or not all(type(part) in (int, str) for part in key) or not fits(key, receipt.facts):
            errors[number] = "is damaged"
        elif work is not None and of != work:
            journal.works.add(of)
            errors[number] = "belongs to other work"
        else:
            journal.receipts[key] = receipt
    journal.earlier = bool(whole_lines) and not journal.receipts and not journal.works
    if journal.identity is None and 1 not in errors:
        errors[1] = "is no header, which is missing before it"
    journal.errors = [f"line {number} {errors[number]}" for number in sorted(errors)]
    journal.untidy = lines.unended is not None or bool(errors)
    return journal


def beginning_of(what: str) -> bytes:
    """How the lines of a kind of work begin."""
    return f'{{"{what}": '.encode()


def work_hash(what: str, identity: dict[str, Any]) -> str:
    """The digits by which receipts name their work."""
    return identity_hash({what: identity})[:_HASH_DIGITS]


def header_line(what: str, identity: dict[str, Any]) -> bytes:
    """The header of a journal, without the line's end."""
    return sealed_line({what: identity})


def receipt_line(what: str, work: str, key: Key, receipt: Receipt) -> bytes:
    """A receipt as a line, without the line's end."""
    return sealed_line({what: work, "key": list(key), "facts": receipt.facts, "files": receipt.files})


def journal_text(what: str, identity: dict[str, Any], receipts: Mapping[Key, Receipt], order: Iterable[Key]) -> bytes:
    """A whole journal: the receipts of `order` first, as if nothing had happened, then all others."""
    work = work_hash(what, identity)
    keys = dict.fromkeys([*(key for key in order if key in receipts), *receipts])
    return b"\n".join(
        [header_line(what, identity), *(receipt_line(what, work, key, receipts[key]) for key in keys), b""]
    )


def is_remainder_of(line: bytes, header: bytes) -> bool:
    """Whether a damaged first line was this header: it still has its seal, or all that was sealed."""
    body, _, seal = header.rpartition(b', "seal": ')
    return seal[1:65] in line or body in line


def keep_copy(place: FileStore) -> str:
    """Copy a damaged journal to a new file beside it, unless that was done before; returns the copy's name."""
    data, number = place.read(JOURNAL), 1
    while not place.create(f"{COPY}{number}", data):
        if place.digest(f"{COPY}{number}") == place.digest(JOURNAL):
            break
        number += 1
    return f"{COPY}{number}"
