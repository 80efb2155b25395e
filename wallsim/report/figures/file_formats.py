"""The formats of pictures that can be written, chosen by the ending of the file name."""

from __future__ import annotations

from pathlib import Path

from wallsim.errors import InputError

FORMATS = ("png", "svg", "pdf")


def picture_format(path: str | Path) -> str:
    """`png`, `svg` or `pdf`, by the ending of a file's name; InputError for any other ending."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise InputError(f"{path}: unsupported picture format; the name must end in .{', .'.join(FORMATS)}")
    return ending
