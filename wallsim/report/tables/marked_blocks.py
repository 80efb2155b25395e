"""Marked blocks of text inside a page: a study writes the text between two marks, people write the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from wallsim.errors import InputError
from wallsim.folder.commit import write_whole

_DIGITS = 12  # of the experiment's hash in the opening mark; it changes with any policy or rule


def marks(name: str) -> re.Pattern[str]:
    """A pattern for the marks `<!-- NAME ... -->` to `<!-- /NAME -->` and all between; group 1 is the closing mark."""
    return re.compile(rf"<!-- {re.escape(name)}\b[^\n]*-->\n.*?(<!-- /{re.escape(name)} -->)", re.DOTALL)


def marked_text(path: Path, names: Sequence[str]) -> str:
    """The text of a page that has marks for at least one of these blocks, and for none of them twice.

    InputError if it does not, or if it cannot be read.
    """
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None
    counts = {name: len(marks(name).findall(text)) for name in names}
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise InputError(f"{path}: has more than one place marked for {', '.join(twice)}")
    if not any(counts.values()):
        example = f"<!-- {names[0]} --> ... <!-- /{names[0]} -->"
        raise InputError(f"{path}: has no place marked for {' or '.join(names)}: {example}")
    return text


def put_between_marks(paths: Iterable[Path], blocks: Mapping[str, str], digest: str, script: str) -> None:
    """Write blocks, by the names of their marks, into each page that has these marks.

    The opening marks name the digest of the experiment, if there is one, and the script or command that writes them.
    All pages are checked before the first is written. InputError for a page without marks for any block, or with two
    pairs for one; nothing is written then.
    """
    texts = {path: marked_text(path, list(blocks)) for path in paths}
    for path, text in texts.items():
        write_whole(path, _filled(text, blocks, _origin(digest, script)).encode())


def differing_blocks(path: Path, blocks: Mapping[str, str], digest: str, script: str) -> list[str]:
    """The names of the blocks whose marked text on a page is not the one that would be written there, marks included.

    Blocks that the page has no marks for are left out. InputError for a page as in `put_between_marks`.
    """
    text, origin = marked_text(path, list(blocks)), _origin(digest, script)
    return [name for name, block in blocks.items() if _filled(text, {name: block}, origin) != text]


def _origin(digest: str, script: str) -> str:
    return f"of experiment {digest[:_DIGITS]}: written by {script}" if digest else f"written by {script}"


def _filled(text: str, blocks: Mapping[str, str], origin: str) -> str:
    for name, block in blocks.items():
        before, *place = marks(name).split(text, maxsplit=1)
        if place:
            closing, after = place
            text = f"{before}<!-- {name} {origin}, do not edit -->\n{block.strip()}\n{closing}{after}"
    return text
