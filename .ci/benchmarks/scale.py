"""Measuring how runs scale: with games, chunks, workers and slices, after a crash, and in bytes per game.

Every measurement is a command of its own, `python -m wallsim run`, in a folder that is deleted afterwards. Its start-up
is that of the same command with one game; what is left when it is subtracted is called net.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.folder import contents_of, digest_speed, finished_games, interruption_of
from benchmarks.process import Processes, Usage
from benchmarks.records import Checked, Crash, Machine, Plan, Played, Samples, Scale, Sliced, TableBytes
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import RunError
from wallsim.folder.layout import JOURNAL
from wallsim.folder.schema import ON_REQUEST
from wallsim.play.parallel import default_workers
from wallsim.policies.policy import is_policy_file

SLICES = (1, 2, 4)
TABLE_GAMES = 5_000  # whose bytes are counted, in one chunk
_CHUNKS = (100, 1_000, 10_000, 100_000)  # games per chunk, beside the default division
_MOST_CHUNKS = 1_000  # of a run in which their size is varied
_STEADY = 5.0  # net CPU seconds of a run whose speed is compared with others
_LONG = 60.0  # wall seconds of samples after which no more are taken

Taken = TypeVar("Taken")


def this_machine() -> Machine:
    """The machine of this process."""
    processor = platform.processor()
    try:
        facts = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        processor = next(line.partition(":")[2].strip() for line in facts if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # another system than Linux
    return Machine(
        default_workers(), processor or platform.machine(), platform.platform(), platform.python_version(),
        os.getloadavg()[0], ENGINE_VERSION,
    )  # fmt: skip


def measure_scale(
    plan: Plan, folder: Path, processes: Processes | None = None, tell: Callable[[str], None] = lambda words: None
) -> Scale:
    """Measure all of a plan in an empty folder, which is empty again at the end; `tell` receives each measurement.

    Policies are names or .toml files, since experiment files are written that name them. RunError if a command fails.
    """
    result = Scale(this_machine(), plan, [], [], [], [], [], [], [], {})
    for policy in plan.policies:
        _Bench(policy, plan, folder, processes or Processes(), tell).measure(result)
    return result


class _Bench:
    # The measurements of one policy.
    def __init__(
        self, policy: str, plan: Plan, folder: Path, processes: Processes, tell: Callable[[str], None]
    ) -> None:
        self._name, self._plan, self._processes, self._report = policy, plan, processes, tell
        self._policy = str(Path(policy).resolve()) if is_policy_file(policy) else policy
        self._file, self._place = folder / "experiment.toml", folder / "run"

    def measure(self, result: Scale) -> None:
        self._measure_start(result)
        rows = [self._played(games) for games in self._plan.steps]
        result.games.extend(rows)
        result.checks.append(self._checked(rows[-1]))
        steady = next((row for row in rows if row.taken.net_cpu >= _STEADY), rows[-1])
        sizes = [chunk for chunk in _CHUNKS if 2 * chunk <= steady.games <= _MOST_CHUNKS * chunk]
        result.chunks.extend([*(self._played(steady.games, chunk=chunk) for chunk in sizes), steady])
        threads = self._plan.threads[:-1]
        result.workers.extend([*(self._played(steady.games, workers=workers) for workers in threads), steady])
        result.slices.extend(self._sliced(steady, slices) for slices in SLICES)
        result.crashes.extend(self._crash(steady.games))
        result.tables.append(self._table_bytes())
        self._clear()
        self._file.unlink()

    # ------------------------------------------------------------------------------------------------- start-up

    def _measure_start(self, result: Scale) -> None:
        self._tell("compiling, and start-up")
        self._play(1)  # fills the compile cache
        self._start_run = _median(self._repeated(lambda: self._play(1)))
        result.single[self._name] = contents_of(self._place)
        self._start_check = _median(self._repeated(self._verify))
        pairs = self._repeated(lambda: self._play_slices(1, 1))
        self._start_slice, self._start_gather = (_median([pair[place] for pair in pairs]) for place in range(2))

    # ----------------------------------------------------------------------------------------------------- runs

    def _played(self, games: int, chunk: int | None = None, workers: int | None = None) -> Played:
        workers = workers or self._plan.workers
        used = self._repeated(lambda: self._play(games, chunk, workers))
        row = Played(
            self._name, games, chunk, workers, Samples(_median(used), len(used), self._start_run),
            contents_of(self._place),
        )  # fmt: skip
        division = "" if chunk is None else f" in chunks of {chunk:,}"
        self._tell(f"{games:,} games{division}, workers {workers}: {_in_words(row.taken.used)}")
        return row

    def _play(self, games: int, chunk: int | None = None, workers: int | None = None) -> Usage:
        return self._processes.run(self._run_words(games, chunk, workers))

    def _run_words(self, games: int, chunk: int | None = None, workers: int | None = None) -> list[str]:
        # Of a run into a new folder.
        self._clear()
        words = ["run", "--policies", self._policy, "--games", str(games)]
        if chunk is not None:
            self._write_experiment(games=games, chunk=chunk)
            words = ["run", str(self._file)]
        return [*words, "--workers", str(workers or self._plan.workers), "--quiet", "--out", str(self._place)]

    def _write_experiment(self, **keys: int | bool) -> None:
        # TOML writes strings, numbers and booleans as JSON does.
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in {"policies": self._policy, **keys}.items()]
        self._file.write_text("".join(lines), "utf-8")

    def _checked(self, played: Played) -> Checked:
        # Of the run that lies there.
        used = self._repeated(self._verify)
        row = Checked(
            self._name, played.games, played.contents, Samples(_median(used), len(used), self._start_check),
            digest_speed(self._place),
        )  # fmt: skip
        self._tell(f"verifying {played.games:,} games: {_in_words(row.taken.used)}")
        return row

    def _verify(self) -> Usage:
        return self._processes.run(["verify", str(self._place)])

    def _table_bytes(self) -> TableBytes:
        self._clear()
        self._write_experiment(games=TABLE_GAMES, chunk=TABLE_GAMES, **dict.fromkeys(ON_REQUEST, True))
        self._processes.run(["run", str(self._file), "--quiet", "--out", str(self._place)])
        tables = {table: size / TABLE_GAMES for table, size in contents_of(self._place).tables.items()}
        self._tell(f"{sum(tables.values()):,.0f} bytes per game in all tables")
        return TableBytes(self._name, TABLE_GAMES, tables)

    # -------------------------------------------------------------------------------------------------- slices

    def _sliced(self, whole: Played, slices: int) -> Sliced:
        pairs = self._repeated(lambda: self._play_slices(whole.games, slices))
        used, gathered = (_median([pair[place] for pair in pairs]) for place in range(2))
        start = self._start_slice
        row = Sliced(
            self._name, whole.games, slices,
            Samples(used, len(pairs), Usage(start.wall, start.cpu * slices, start.memory)),
            Samples(gathered, len(pairs), self._start_gather),
            contents_of(self._place).digest == whole.contents.digest,
        )  # fmt: skip
        self._tell(f"{whole.games:,} games, slices {slices}: {_in_words(used)}; gathering: {_in_words(gathered)}")
        return row

    def _play_slices(self, games: int, slices: int) -> tuple[Usage, Usage]:
        words = self._run_words(games, workers=1)
        used = self._processes.together([[*words, "--slice", f"{number}/{slices}"] for number in range(slices)])
        return used, self._processes.run(["repair", str(self._place), "--quiet"])

    # --------------------------------------------------------------------------------------------------- crash

    def _crash(self, games: int) -> list[Crash]:
        # The one of several with the median loss; none if all runs ended before they could be killed.
        result = [crash for crash in self._repeated(lambda: self._crashed(games)) if crash is not None]
        if not result:
            self._tell(f"{games:,} games ended before they could be killed")
            return []
        crash = sorted(result, key=lambda crash: crash.lost_cpu)[len(result) // 2]
        self._tell(f"{games:,} games, killed once: {crash.lost_cpu:.1f} CPU s and {crash.lost_wall:.1f} s lost")
        return [crash]

    def _crashed(self, games: int) -> Crash | None:
        undisturbed = self._play(games)
        digest = contents_of(self._place).digest
        words = self._run_words(games)
        killed = self._processes.killed(words, self._half_finished(games))
        if killed is None:
            return None
        resumed = self._processes.run(words)
        workers = self._plan.workers
        return Crash(
            self._name, games, workers, undisturbed, killed, resumed, self._start_run,
            interruption_of(self._place, workers), contents_of(self._place).digest == digest,
        )  # fmt: skip

    def _half_finished(self, games: int) -> Callable[[], bool]:
        journal, seen = self._place / JOURNAL, [0]

        def half_finished() -> bool:
            try:
                size = journal.stat().st_size
            except FileNotFoundError:
                return False
            if size == seen[0]:
                return False  # nothing is new
            seen[0] = size
            try:
                return 2 * finished_games(self._place) >= games
            except (OSError, RunError):
                return False

        return half_finished

    # ------------------------------------------------------------------------------------------------- samples

    def _repeated(self, once: Callable[[], Taken]) -> list[Taken]:
        began, taken = time.perf_counter(), [once()]
        while len(taken) < self._plan.samples and time.perf_counter() - began < _LONG:
            taken.append(once())
        return taken

    def _clear(self) -> None:
        if self._place.exists():
            shutil.rmtree(self._place)

    def _tell(self, words: str) -> None:
        self._report(f"{self._name}: {words}")


def _median(used: Sequence[Usage]) -> Usage:
    # The largest peak of memory, since any of them has to fit.
    return Usage(
        statistics.median(one.wall for one in used),
        statistics.median(one.cpu for one in used),
        max(one.memory for one in used),
    )


def _in_words(used: Usage) -> str:
    return f"{used.wall:.1f} s, {used.cpu:.1f} CPU s, {used.memory / 1e6:.0f} MB"
