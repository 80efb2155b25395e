"""What a run reports while it is played, and the bytes that it leaves."""

from wallsim.play.observer import RunObserver


class Counter(RunObserver):
    """Keeps what it is told, and can interrupt after some games."""

    def __init__(self, most=10**9):
        self.games, self.done, self.note, self.was_finished, self.grown = 0, 0, "", False, None
        self.looks, self.scenarios, self.most = [], [], most

    def begin(self, done, games, workers, note):
        self.done, self.note = done, note

    def played(self, games):
        self.games += games
        if self.games > self.most:
            raise KeyboardInterrupt

    def finished_before(self, folder):
        self.was_finished = True

    def grows(self, before, blocks):
        self.grown = (before, blocks)

    def looked(self, games, words):
        self.looks.append(games)

    def scenario(self, name, number, count):
        self.scenarios.append((name, number, count))


def parts_of(folder, *further):
    """The bytes of all tables' files, and of further kinds of files, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for kind in ("*.parquet", *further)
        for path in sorted(folder.rglob(kind))
    }


def files_of(folder):
    """The bytes of all files that no session and no machine changes."""
    return parts_of(folder, "experiment.toml", "codebook.md")
