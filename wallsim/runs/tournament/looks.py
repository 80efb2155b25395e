"""How often the ladder of a growing tournament has been looked at: its intervals hold for a size fixed beforehand.

Whoever adds blocks until the ladder looks decided stops where chance helped, and finds differences that are not there
more often than the intervals say. So a tournament's folder keeps at which numbers of blocks its ladder was judged.
"""

from __future__ import annotations

import json
from pathlib import Path

from wallsim.errors import InputError, RunError
from wallsim.runs.folder.commit import write_whole

LOOKS = "looks.json"


def looks_of(folder: Path, hash_: str) -> tuple[int, ...]:
    """At which numbers of blocks the ladder of the tournament with this hash was judged, in order; () if never.

    RunError if the file is damaged or of another tournament. OSError passes.
    """
    path = folder / LOOKS
    if not path.exists():
        return ()
    try:
        noted = json.loads(path.read_bytes())
        blocks = noted["blocks"]
        whole = noted["hash"] == hash_ and all(type(number) is int and number > 0 for number in blocks)
        if not whole or blocks != sorted(set(blocks)):
            raise ValueError(blocks)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RunError(
            f"{path}: is damaged; delete it, and the looks at the ladder are counted again from this one on"
        ) from None
    return tuple(blocks)


def note_look(folder: Path, hash_: str, blocks: int) -> tuple[int, ...]:
    """Note that the ladder is judged at this number of blocks, once however often; all looks, in order.

    RunError if the file is damaged, InputError if it cannot be read or written.
    """
    try:
        before = looks_of(folder, hash_)
        looks = tuple(sorted({*before, blocks}))
        if looks != before:
            write_whole(folder / LOOKS, (json.dumps({"hash": hash_, "blocks": looks}) + "\n").encode())
    except OSError as error:
        raise InputError(f"{folder / LOOKS}: cannot be read or written: {error.strerror or error}") from None
    return looks


def looks_in_words(looks: tuple[int, ...]) -> str:
    """What the looks so far mean for the intervals of the ladder, in a sentence."""
    shown = [f"{number:,}" for number in looks]
    if len(looks) == 1:
        return f"The ladder of this folder has been looked at once, at {shown[0]} blocks."
    return (
        f"The ladder of this folder has been looked at {len(looks)} times, at {', '.join(shown[:-1])} and {shown[-1]} "
        "blocks; its intervals hold for the first look only."
    )


def growth_warning(before: int, blocks: int) -> str:
    """What to bear in mind where blocks are added to a tournament that has `before`."""
    return (
        f"{blocks - before:,} blocks are added to {before:,}. Intervals hold for a number of blocks fixed beforehand: "
        "adding blocks until the ladder looks decided breaks them."
    )
