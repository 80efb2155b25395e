"""A process that dies between two changes of the disk, played in this process: nothing reaches the disk afterwards."""

import os
import shutil
import sys
from contextlib import contextmanager

from wallsim.folder.commit import TEMPORARY, append_line

STEPS = ("replace", "link", "unlink", "mkdir", "fsync")
# Files with times, or the names of processes, in them.
TIMED = ("journal", "manifest.json", "log.jsonl")


class Death(BaseException):
    """The end of a process by a kill, a power cut or too little memory."""


@contextmanager
def dying(moment):
    """Die before a step on the disk by its number from 0: a file that comes, goes or is replaced, or an added line.

    Gives a function that says whether that many steps were made. Files that were begun stay as a kill leaves them.
    """
    left, real = [moment], {name: getattr(os, name) for name in STEPS}

    def deadly(name):
        def call(*arguments, **keywords):
            if left[0] < 0:
                raise Death
            if _is_step(name, arguments):
                left[0] -= 1
                if left[0] < 0:
                    raise Death
            return real[name](*arguments, **keywords)

        return call

    for name in STEPS:
        setattr(os, name, deadly(name))
    try:
        yield lambda: left[0] < 0
    except Death:
        pass
    finally:
        for name in STEPS:
            setattr(os, name, real[name])


def _is_step(name, arguments):
    # What is written becomes a file when it gets its name, and a line is there when it is synced.
    if name == "fsync":
        return sys._getframe(2).f_code is append_line.__code__
    return name != "unlink" or (os.path.lexists(arguments[0]) and not str(arguments[0]).endswith(TEMPORARY))


def contents(folder):
    """The bytes of all files of a folder by path but hidden ones; None for what differs from one time to the next."""
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    return {
        path.relative_to(folder).as_posix(): None if path.name.startswith(TIMED) else path.read_bytes()
        for path in paths
    }


def leftovers(folder):
    """The temporary files in a folder."""
    return [path.name for path in folder.rglob("*") if path.name.endswith(TEMPORARY)]


def deaths(act, place, prepared=None, stride=1):
    """A folder for each step at which `act(folder)` can die, as it leaves it there; `prepared` lies there before.

    With a stride those between are left out.
    """
    moment = 0
    while True:
        folder = place / f"at-{moment}" / "x"  # of one name, since results may have it
        folder.parent.mkdir(parents=True)
        if prepared is not None and prepared.exists():
            shutil.copytree(prepared, folder)
        with dying(moment) as died:
            act(folder)
        if not died():
            shutil.rmtree(folder.parent)
            return
        yield moment, folder
        shutil.rmtree(folder.parent)
        moment += stride
