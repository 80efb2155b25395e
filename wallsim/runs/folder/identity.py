"""The check that a folder belongs to the expected results, and the differences if it does not."""

from __future__ import annotations

import json
from typing import Any

from wallsim.errors import InputError
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.local_files import FileStore


def refuse_other_identity(place: FileStore | Folder, theirs: dict[str, Any], ours: dict[str, Any], what: str) -> None:
    """InputError with the differences between two identities, if any; `what` is the name of the contents."""
    if shown := differences_of(theirs, ours):
        raise InputError(f"{place}: contains another {what}: {shown}; choose another folder")


def differences_of(theirs: dict[str, Any], ours: dict[str, Any], here: str = "here") -> str:
    """The differences between two identities in words, empty if there are none; `here` is where the second one is."""
    different = [key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)]
    return "; ".join(
        f"{key} is {_shortened(theirs.get(key))} there, {_shortened(ours.get(key))} {here}" for key in different
    )


def _shortened(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
