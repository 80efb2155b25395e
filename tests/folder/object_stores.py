"""What lies in a folder of an object store, looked at and damaged past the package's own ways."""

import time

from wallsim.experiment.experiment import Experiment
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.results import Run
from wallsim.play.observer import RunObserver

STORED = Experiment(policies="random", games=200, seed=8, battles=True, chunk=50)


def store_of(folder):
    """The store of the package obstore for a folder."""
    from obstore.store import from_url  # tests that need it are skipped without it

    return from_url(folder)


def objects(folder):
    """The bytes of every object by name."""
    store = store_of(folder)
    return {name: bytes(store.get(name).bytes()) for name in names(folder)}


def names(folder):
    """The names of all objects, in order."""
    return sorted(entry["path"] for page in store_of(folder).list() for entry in page)


def put(folder, name, data):
    """Put an object in place of what was there."""
    store_of(folder).put(name, data)


def remove(folder, name):
    """Delete an object."""
    store_of(folder).delete(name)


def flip_a_bit(folder, name):
    """Change one bit in the middle of an object."""
    data = bytearray(objects(folder)[name])
    data[len(data) // 2] ^= 1
    put(folder, name, bytes(data))


def tables_and_documents(folder):
    """The bytes of the objects that are the same in every undisturbed run."""
    return {name: data for name, data in objects(folder).items() if name.endswith((".parquet", ".toml", ".md"))}


def bytes_on_disk(run):
    """The same of a run on a disk."""
    paths = [path for kind in ("*.parquet", "*.toml", "*.md") for path in run.folder.rglob(kind)]
    return {path.relative_to(run.folder).as_posix(): path.read_bytes() for path in paths}


def same_as(folder, run):
    """Whether a folder has the bytes of the finished run of STORED on a disk, and verifies."""
    there = tables_and_documents(folder)
    return there == bytes_on_disk(run) and len(there) == 14 and Run.verify(folder) == []


class Interrupting(RunObserver):
    """Interrupts a run of STORED when its journal has more than some receipts, or does something else then, once."""

    def __init__(self, folder, receipts, action=None):
        self.folder, self.receipts, self.action = folder, receipts, action
        self.games = 0

    def played(self, games):
        self.games += games
        if self.games <= STORED.chunk * (self.receipts + 1):
            return
        until = time.monotonic() + 60
        while len(Journal(file_store(self.folder)).records) <= self.receipts:
            assert time.monotonic() < until, "the receipts of chunks that were played do not come"
            time.sleep(0.01)
        if self.action is None:
            raise KeyboardInterrupt
        self.games = -(10**9)
        self.action()
