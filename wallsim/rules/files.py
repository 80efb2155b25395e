"""Where the input data lie: beside the package in a source tree, inside it in an installed wheel."""

import tomllib
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(room: str) -> Path:
    """The folder of `board`, `tower` or `policies` data; FileNotFoundError if the installation lacks it."""
    for folder in (_PACKAGE / "_data" / room, _PACKAGE.parent / "data" / room):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the data folder {room!r} is missing beside the package")


def read_toml(data: bytes) -> dict[str, Any]:
    """The entries of a TOML file's bytes, with or without a byte order mark.

    ValueError names the line of what is not TOML, or not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{data[error.start]:02x}" if data[:2] not in (b"\xff\xfe", b"\xfe\xff") else "UTF-16"
        raise ValueError(f"line {line}: {byte} is not UTF-8; save the file as UTF-8") from None
    return tomllib.loads(text)
