"""Where the input data lie: beside the package in a source tree, inside it in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(room: str) -> Path:
    """The folder of `board`, `tower` or `policies` data; FileNotFoundError if the installation lacks it."""
    for folder in (_PACKAGE / "_data" / room, _PACKAGE.parent / "data" / room):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the data folder {room!r} is missing beside the package")
