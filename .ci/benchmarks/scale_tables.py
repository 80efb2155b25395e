"""Output of `.ci/bench scale`: tables of what was measured, and the arithmetic for a cluster, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from benchmarks.cluster import Cluster, on_cluster
from benchmarks.parts import Part, print_parts
from benchmarks.process import Usage
from benchmarks.records import Played, Scale, Sliced, TableBytes
from wallsim.experiment.experiment import Experiment

CORES = 64  # of the cluster in the arithmetic, unless another number is asked for
_DEFAULT_TABLES = ("games", "seats")
_MB = 1e6


def print_scale(console: Console, scale: Scale, cores: int) -> None:
    """Print the machine, a table for each kind of measurement, and the arithmetic for a cluster of `cores` cores."""
    console.print(machine_words(scale), soft_wrap=True)
    print_parts(console, parts_of(scale, cores))


def scale_block(scale: Scale) -> str:
    """The same as Markdown for docs/scale.md, for a cluster of `CORES` cores."""
    parts = (f"### {part.title}\n\n{part.markdown}" for part in parts_of(scale, CORES))
    return "\n\n".join((machine_words(scale), *parts))


def machine_words(scale: Scale) -> str:
    """Of what machine all the figures are, in a sentence or two."""
    machine, plan = scale.machine, scale.plan
    cores = "1 core" if machine.cores == 1 else f"{machine.cores} cores"
    samples = f"Medians of {plan.samples} samples, or of fewer if these took more than a minute."
    if plan.samples == 1:
        samples = "One sample of each."
    return (
        f"All figures are of this machine: {cores}, {machine.processor}, {machine.system}, Python {machine.python}, "
        f"engine version {machine.engine_version}. Its load was {machine.load:.1f} when measuring began. {samples}"
    )


def parts_of(scale: Scale, cores: int) -> Iterator[Part]:
    """All tables, the arithmetic for `cores` cores last."""
    yield Part(
        "Games", ("policy", "games", *_USED, "peak MB", "MB on disk", "files"),
        [(row.policy, f"{row.games:,}", *_speeds(row), _mb(row.contents.bytes), f"{row.contents.files:,}")
         for row in scale.games],
        f"Whole commands with {scale.plan.workers} workers, summary included. Speeds are without start-up, that of one "
        f"game: {_starts(scale)}. A dash: too short to tell.",
    )  # fmt: skip
    yield Part(
        "Chunk size", ("policy", "games", "games per chunk", *_USED, "peak MB", "MB on disk", "files"),
        [(row.policy, f"{row.games:,}", "usual" if row.chunk is None else f"{row.chunk:,}", *_speeds(row),
          _mb(row.contents.bytes), f"{row.contents.files:,}") for row in scale.chunks],
        f"Usual: the first chunks are small, later ones have {Experiment().chunk_games():,} games.",
    )  # fmt: skip
    yield Part(
        "Workers", ("policy", "games", "workers", *_USED, "peak MB"),
        [(row.policy, f"{row.games:,}", f"{row.workers:,}", *_speeds(row)) for row in scale.workers],
        "Threads of one process.",
    )  # fmt: skip
    yield Part(
        "Slices", ("policy", "games", "slices", *_USED, "peak MB each", "gather s", "gather CPU s", "bytes"),
        [(row.policy, f"{row.games:,}", f"{row.slices:,}", *_speeds(row),
          f"{row.gathered.used.wall:.1f}", f"{row.gathered.used.cpu:.1f}", "the same" if row.same else "DIFFERENT")
         for row in scale.slices],
        "Processes at the same time with one worker each, then `wallsim repair` for all. Bytes: compared with the run "
        "without slices.",
    )  # fmt: skip
    yield Part(
        "A crash",
        ("policy", "games", "stored", "unfinished", "lost CPU s", "start-up CPU s", "lost s", "killed at s", "bytes"),
        [(row.policy, f"{row.games:,}", f"{row.interruption.stored:,}", f"{row.interruption.under_way:,}",
          f"{row.lost_cpu:.1f}", f"{row.start.cpu:.1f}", f"{row.lost_wall:.1f}", f"{row.killed.wall:.1f}",
          "the same" if row.same else "DIFFERENT") for row in scale.crashes],
        "Killed by signal 9 when half of the games had receipts, and resumed by the same command. Unfinished: games of "
        "chunks that had begun, at most as many were played twice. Lost: more than the same run without a crash.",
    )  # fmt: skip
    yield Part(
        "Bytes a game", ("policy", "games", "default", "--seasons", "--battles", "--counties", "--plans", "all"),
        [(row.policy, f"{row.games:,}", *(f"{size:,.1f}" for size in _bytes(row))) for row in scale.tables],
        "In one chunk. Default: the tables games and seats; each option adds a table to them.",
    )  # fmt: skip
    yield Part(
        "Verify", ("policy", "games", "MB on disk", "s", "CPU s", "MB per CPU s", "sha256 alone, MB per CPU s"),
        [(row.policy, f"{row.games:,}", _mb(row.contents.bytes), *_used(row.taken.used),
          _number(None if row.speed is None else row.speed / _MB), _number(row.digests / _MB)) for row in scale.checks],
        "`wallsim verify` of the largest run, from the system's cache; MB per CPU second without start-up.",
    )  # fmt: skip
    for policy in scale.plan.policies:
        cluster = on_cluster(scale, policy, cores)
        yield Part(
            f"{_power(cluster.games)} games of {policy} on {cores:,} cores" if cluster else f"Many games of {policy}",
            ("step", "from the figures above", "result"),
            steps_of(cluster) if cluster else [],
            "For cores like those measured here while all were busy, and disks that keep up with them. Gathering and "
            "verifying are each done by one process."
            if cluster
            else "The runs were too short to tell; measure with more --games.",
        )


def steps_of(cluster: Cluster) -> list[tuple[str, ...]]:
    """The arithmetic for a cluster: what, from what, and the result."""
    games, chunks = f"{_power(cluster.games)} games", f"{cluster.chunks:,} chunks"
    hours, size = _time(cluster.cpu_hours), _size(cluster.bytes)
    by = "by sha256 alone" if cluster.only_digests else "by `wallsim verify`"
    steps: list[tuple[str, ...]] = [
        (
            "CPU time",
            f"{games} / {cluster.speed:,.0f} per CPU second + {cluster.cores:,} start-ups × {cluster.start:.1f} s",
            f"CPU {hours}",
        ),
        (f"on {cluster.cores:,} cores", f"CPU {hours} / {cluster.cores:,}", _time(cluster.hours)),
        ("tables", f"{games} × {cluster.game_bytes:.1f} bytes", size),
        ("chunks", f"{games} / {cluster.chunk:,} games, the first ones smaller", f"{cluster.chunks:,}"),
        ("files", f"{chunks} × {cluster.tables} tables", f"{cluster.files:,}"),
        (
            "receipts",
            f"{chunks} × ({cluster.receipt_bytes:.0f} bytes of journal + {cluster.entry_bytes:.0f} of manifest)",
            _size(cluster.receipts),
        ),
    ]
    if cluster.gathering is not None and cluster.gathering_hours is not None:
        words = f"{games} / {cluster.gathering:,.0f} per CPU second of `wallsim repair`"
        steps.append(("gather", words, f"CPU {_time(cluster.gathering_hours)}"))
    words = f"{size} / {cluster.checking / _MB:,.0f} MB per CPU second {by}"
    return [*steps, ("verify", words, f"CPU {_time(cluster.checking_hours)}")]


_USED = ("s", "CPU s", "games per s", "games per CPU s")


def _used(used: Usage) -> tuple[str, str]:
    return f"{used.wall:.1f}", f"{used.cpu:.1f}"


def _speeds(row: Played | Sliced) -> tuple[str, ...]:
    taken = row.taken
    speeds = (_number(taken.a_second(row.games)), _number(taken.a_cpu_second(row.games)))
    return (*_used(taken.used), *speeds, _mb(taken.used.memory))


def _starts(scale: Scale) -> str:
    starts = {policy: scale.largest(policy).taken.start for policy in scale.plan.policies}
    return "; ".join(f"{policy} {start.wall:.1f} s, {start.cpu:.1f} CPU s" for policy, start in starts.items())


def _bytes(row: TableBytes) -> list[float]:
    default = sum(row.tables[table] for table in _DEFAULT_TABLES)
    more = [row.tables[table] for table in ("seasons", "battles", "counties", "plans")]
    return [default, *(default + size for size in more), default + sum(more)]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _mb(size: float) -> str:
    return f"{size / _MB:,.0f}" if size >= 10 * _MB else f"{size / _MB:,.2f}"


def _size(size: float) -> str:
    return f"{size / 1e9:,.0f} GB" if size >= 1e10 else f"{size / _MB:,.0f} MB"


def _time(hours: float) -> str:
    if hours >= 1:
        return f"{hours:,.1f} hours"
    return f"{hours * 60:,.1f} minutes" if hours >= 1 / 60 else f"{hours * 3600:,.0f} seconds"


def _power(games: int) -> str:
    zeros = len(str(games)) - 1
    return f"10^{zeros}" if games == 10**zeros else f"{games:,}"
