"""What very many games need on a cluster: arithmetic on measured figures, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.records import Scale
from wallsim.experiment.experiment import Experiment

GAMES = 10**9


@dataclass(frozen=True)
class Cluster:
    """The needs of `games` games of a policy, played in as many slices as there are cores.

    Measured: `speed`, games per net CPU second; `start`, CPU seconds of a slice's start-up; `game_bytes` of the tables;
    `receipt_bytes` and `entry_bytes` of a chunk in journal and manifest; `gathering`, games per CPU second of
    `wallsim repair`, None if it was too short to tell; `checking`, bytes per CPU second of `wallsim verify`, or of
    reading and hashing alone if that was too short (`only_digests`). By division: `chunks`, of `chunk` games each but
    the first ones, with `tables` files each.
    """

    policy: str
    games: int
    cores: int
    speed: float
    start: float
    game_bytes: float
    chunk: int
    chunks: int
    tables: int
    receipt_bytes: float
    entry_bytes: float
    gathering: float | None
    checking: float
    only_digests: bool

    @property
    def cpu_hours(self) -> float:
        """CPU hours of playing, with the start-up of all slices."""
        return (self.games / self.speed + self.cores * self.start) / 3600

    @property
    def hours(self) -> float:
        """Hours on all cores, if they share the work evenly."""
        return self.cpu_hours / self.cores

    @property
    def bytes(self) -> float:
        """Bytes of the tables."""
        return self.games * self.game_bytes

    @property
    def files(self) -> int:
        """Files of the tables."""
        return self.chunks * self.tables

    @property
    def receipts(self) -> float:
        """Bytes of journals and manifest."""
        return self.chunks * (self.receipt_bytes + self.entry_bytes)

    @property
    def gathering_hours(self) -> float | None:
        """CPU hours of `wallsim repair`, which hashes all files, writes the manifest and prints the summary."""
        return None if self.gathering is None else self.games / self.gathering / 3600

    @property
    def checking_hours(self) -> float:
        """CPU hours of `wallsim verify`."""
        return self.bytes / self.checking / 3600


def on_cluster(scale: Scale, policy: str, cores: int, games: int = GAMES) -> Cluster | None:
    """The needs of `games` games of a measured policy on some cores; None if its runs were too short to tell.

    All figures are those of the longest run that was measured.
    """
    longest, single = scale.largest(policy), scale.single[policy]
    speed = longest.taken.a_cpu_second(longest.games)
    if speed is None:
        return None
    contents, layout = longest.contents, Experiment(games=games).layout()
    further = max(1, contents.chunks - single.chunks)
    [check] = [row for row in scale.checks if row.policy == policy]
    sliced = [row for row in scale.slices if row.policy == policy]
    return Cluster(
        policy, games, cores, speed,
        start=sliced[0].taken.start.cpu / sliced[0].slices,
        game_bytes=contents.bytes / longest.games,
        chunk=layout.chunk,
        chunks=layout.count,
        tables=len(contents.tables),
        receipt_bytes=(contents.journal - single.journal) / further,
        entry_bytes=(contents.manifest - single.manifest) / further,
        gathering=sliced[0].gathering,
        checking=check.speed or check.digests,
        only_digests=check.speed is None,
    )  # fmt: skip
