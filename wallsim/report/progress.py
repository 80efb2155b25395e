"""A run's progress on the terminal: a bar with games per second and the time left, or plain lines elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.status import Status
from rich.text import Text

from wallsim.folder.address import Folder
from wallsim.folder.interim_analyses import growth_warning
from wallsim.play.compile_progress import COMPILE_TIME
from wallsim.play.observer import CompileProgress, RunObserver, left_out_warning
from wallsim.report.tables.estimates import how_many

_PLAIN_SECONDS = 10.0  # between two lines where no bar can be drawn
COMPILING = (
    "Compiling the rules, the tower and the policies to machine code, once per version of wallsim and kind of game; "
    "compiled code is cached for later runs."
)
WAITING = "Another process is compiling the rules, the tower and the policies to machine code; waiting for it."


class _Rate(ProgressColumn):
    """The recent number of games per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f} games/s" if task.speed else "")


def console_observer(console: Console) -> RunObserver:
    """The display of a run's progress that suits this console."""
    return BarObserver(console) if console.is_terminal else LineObserver(console)


class _Announcer(RunObserver):
    def __init__(self, console: Console) -> None:
        self.console = console
        self._said_compiling, self._said_waiting, self._last = False, False, 0.0

    def finished_before(self, folder: Folder) -> None:
        """Print that nothing is left to play."""
        self.console.print(
            f"{folder} already contains this run, finished; nothing to play.", soft_wrap=True, markup=False
        )

    def scenario(self, name: str, number: int, count: int) -> None:
        """Print which scenario comes next."""
        self.console.print(f"Scenario {name} ({number} of {count})", soft_wrap=True, markup=False)

    def looked(self, games: int, words: str) -> None:
        """Print how wide the widest interval is."""
        self.console.print(f"{games:,} games: {words}", soft_wrap=True, markup=False)

    def grows(self, before: int, blocks: int) -> None:
        """Warn that intervals hold for a number of blocks fixed beforehand."""
        self.console.print(growth_warning(before, blocks), soft_wrap=True)

    def compared(self, chunks: int, workers: int) -> None:
        """Print how many chunks of a cluster were compared."""
        one = f"Played {chunks:,} chunk{'s' if chunks != 1 else ''} of {workers:,} worker{'s' if workers != 1 else ''}"
        self.console.print(f"{one} again here and compared the bytes.", soft_wrap=True)

    def left_out(self, worker: str, chunk: int, withdrawn: int) -> None:
        """Print which worker is left out, and why."""
        self.console.print(left_out_warning(worker, chunk, withdrawn), soft_wrap=True, markup=False)

    def compiling(self, progress: CompileProgress) -> None:
        """Print why nothing is played yet: once, then every ten seconds."""
        if self.said_why(progress):
            self._last = progress.seconds
        elif (progress.new or progress.elsewhere) and progress.seconds - self._last >= _PLAIN_SECONDS:
            self._last = progress.seconds
            self.console.print(_compiled_so_far(progress), soft_wrap=True)

    def said_why(self, progress: CompileProgress) -> bool:
        """Print that kernels are compiled, here or by another process that is waited for; False if that was said."""
        if progress.elsewhere and not self._said_waiting:
            self._said_waiting = True
            self.console.print(WAITING, soft_wrap=True)
        elif progress.new and not progress.elsewhere and not self._said_compiling:
            self._said_compiling = True
            self.console.print(COMPILING, soft_wrap=True)
        else:
            return False
        return True

    def compiled(self, seconds: float) -> None:
        """Print how long compiling took."""
        self.console.print(f"{'Compiled' if self._said_compiling else 'Loaded'} in {seconds:.0f} s.")

    def say(self, note: str) -> None:
        """Print a note if there is one."""
        if note:
            self.console.print(note[0].upper() + note[1:] + ".", soft_wrap=True, markup=False)


class BarObserver(_Announcer):
    """A progress bar that is redrawn ten times per second."""

    _waiting: Status | None = None
    _bar: Progress | None = None

    def compiling(self, progress: CompileProgress) -> None:
        """Print what is compiled, and keep a line with its progress up to date."""
        self.said_why(progress)
        text = _compiled_so_far(progress) if progress.new or progress.elsewhere else "Loading compiled machine code"
        if self._waiting is None:
            self._waiting = self.console.status(text)
            self._waiting.start()
        self._waiting.update(text)

    def compiled(self, seconds: float) -> None:
        """Remove the line and print how long compiling took."""
        self.end()
        super().compiled(seconds)

    def begin(self, done: int, games: int, workers: int, note: str) -> None:
        """Draw the bar."""
        self.say(note)
        self._bar = Progress(
            TextColumn("{task.completed:,} of {task.total:,} games"), BarColumn(),
            TextColumn("{task.percentage:.0f} %"), _Rate(), TimeRemainingColumn(), TextColumn("left"),
            console=self.console, transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=games, completed=done)
        self._bar.start()

    def played(self, games: int) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.advance(self._task, games)

    def end(self) -> None:
        """Remove the bar and the line about compiling."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        if self._bar is not None:
            self._bar.stop()


class LineObserver(_Announcer):
    """A line every ten seconds, for files and pipes."""

    def begin(self, done: int, games: int, workers: int, note: str) -> None:
        """Print what is to be played."""
        self.say(note)
        self._lock = threading.Lock()
        self._done, self._games, self._fresh = done, games, 0
        self._began = self._last = time.monotonic()
        self.console.print(f"Playing {how_many(games - done, 'game')} on {how_many(workers, 'worker')} ...")

    def played(self, games: int) -> None:
        """Print a line if it is time."""
        with self._lock:
            self._done += games
            self._fresh += games
            now = time.monotonic()
            if now - self._last < _PLAIN_SECONDS:
                return
            self._last = now
            rate = self._fresh / (now - self._began)
            left = (self._games - self._done) / rate
        self.console.print(
            f"{self._done:,} of {self._games:,} games, {rate:,.0f} games/s, {_clock(left)} left",
            soft_wrap=True,
        )


@contextmanager
def counted(console: Console, things: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number of `things` done and their total: it moves a bar, or prints a line at times.

    On a terminal it is a bar, elsewhere a line every ten seconds.
    """
    if console.is_terminal:
        columns = (
            TextColumn("{task.completed:,} of {task.total:,} " + things), BarColumn(),
            TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn(), TextColumn("left"),
        )  # fmt: skip
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=1)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        return
    began = last = time.monotonic()

    def line(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PLAIN_SECONDS:
            last = now
            left = f", {_clock((total - done) * (now - began) / done)} left" if done else ""
            console.print(f"{done:,} of {total:,} {things}{left}", soft_wrap=True)

    yield line


def _compiled_so_far(progress: CompileProgress) -> str:
    so_far = f"{progress.kernels} kernels compiled after {progress.seconds:.0f} s"
    if progress.seconds_last_time is None:
        return f"{so_far}; all take {COMPILE_TIME} of CPU time"
    return f"{so_far}; the last first run on this machine took {progress.seconds_last_time:.0f} s"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
