"""Where the input data lie, beside the package in a source tree or inside it in a wheel, and how files are read."""

import errno
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent
MOST_BYTES = 1 << 26  # of a file that a person writes or wallsim learns; nothing longer is read into memory


def data_folder(room: str) -> Path:
    """The folder of `board`, `tower` or `policies` data; FileNotFoundError if the installation lacks it."""
    for folder in (_PACKAGE / "_data" / room, _PACKAGE.parent / "data" / room):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the data folder {room!r} is missing beside the package")


def stamps_of(*folders: Path) -> tuple[tuple[str, int, int], ...]:
    """Path, time of change in ns and bytes of every file of some folders: equal as long as none has changed."""
    files = (entry for folder in folders for entry in os.scandir(folder))
    return tuple(sorted((file.path, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


def read_input(path: Path) -> bytes:
    """The bytes of a file that somebody names, at most MOST_BYTES of them; a pipe is read only below /dev.

    OSError, whose `strerror` says why, for a device, any other pipe, a folder, a longer file and a path that no file
    can have; others are passed on.
    """
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "the path contains a NUL character", str(path))
    given = str(path).startswith("/dev/")  # such as /dev/stdin; a pipe in another folder may never have a writer
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | (0 if given else os.O_NONBLOCK))
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode) and not (given and stat.S_ISFIFO(mode)):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    with open(handle, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"exceeds the limit of {MOST_BYTES:,} bytes", str(path))
    return data


def read_toml(data: bytes) -> dict[str, Any]:
    """The entries of a TOML file's bytes, with or without a byte order mark.

    ValueError names the line of what is not TOML, or not UTF-8, and a name that needs quotes.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{data[error.start]:02x}" if data[:2] not in (b"\xff\xfe", b"\xfe\xff") else "UTF-16"
        raise ValueError(f"line {line}: {byte} is not UTF-8; save the file as UTF-8") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{error}{_needs_quotes(text, str(error))}") from None


def _needs_quotes(text: str, error: str) -> str:
    # TOML takes only A to Z, digits, _ and - without quotes, and its errors do not say so of a name such as Lüneburg.
    place = re.search(r"\(at line (\d+), column (\d+)\)$", error)
    if place is None:
        return ""
    line, column = text.replace("\r\n", "\n").split("\n")[int(place[1]) - 1], int(place[2]) - 1
    names = (match[0] for match in re.finditer(r"[\w-]+", line) if match.start() <= column < match.end())
    name = next((name for name in names if not name.isascii()), None)
    return "" if name is None else f'; a name with letters other than A to Z needs quotes: "{name[:80]}"'
