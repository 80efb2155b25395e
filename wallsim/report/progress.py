"""A run's progress on the terminal: a bar with games per second and the time left, or plain lines elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

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


@contextmanager
def counted(
    console: Console, things: str, before: int = 0, *, rated: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number of `things` done and their total: it moves a bar, or prints a line at times.

    On a terminal it is a bar, elsewhere a line every ten seconds. `before` were done already; if `rated` they are games
    whose speed is shown.
    """
    if console.is_terminal:
        columns = (
            TextColumn("{task.completed:,} of {task.total:,} " + things), BarColumn(),
            TextColumn("{task.percentage:.0f} %"), *([_Rate()] if rated else []), TimeRemainingColumn(),
            TextColumn("left"),
        )  # fmt: skip
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=max(1, before), completed=before)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        return
    began = last = time.monotonic()

    def line(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PLAIN_SECONDS:
            last, rate = now, (done - before) / (now - began)
            speed = f", {rate:,.0f} games/s" if rated else ""
            left = f", {_clock((total - done) / rate)} left" if rate else ""
            console.print(f"{done:,} of {total:,} {things}{speed}{left}", soft_wrap=True)

    yield line


def console_observer(console: Console) -> RunObserver:
    """The display of a run's progress that suits this console."""
    return BarObserver(console) if console.is_terminal else LineObserver(console)


class LineObserver(RunObserver):
    """What happens in a run, in lines, and a line every ten seconds with its progress, for files and pipes."""

    def __init__(self, console: Console) -> None:
        """Print on a console."""
        self.console = console
        self._said_compiling, self._said_waiting, self._last = False, False, 0.0
        self._lock, self._shown = threading.Lock(), ExitStack()
        self._done, self._games = 0, 0
        self._watch: Callable[[int, int], None] = lambda done, total: None

    def begin(self, done: int, games: int, workers: int, note: str) -> None:
        """Print what is to be played, or draw the bar."""
        if note:
            self.console.print(note[0].upper() + note[1:] + ".", soft_wrap=True, markup=False)
        if not self.console.is_terminal:
            self.console.print(f"Playing {how_many(games - done, 'game')} on {how_many(workers, 'worker')} ...")
        self._done, self._games = done, games
        self._watch = self._shown.enter_context(counted(self.console, "games", done, rated=True))
        self._watch(done, games)

    def played(self, games: int) -> None:
        """Count more games, which may come from any thread."""
        with self._lock:
            self._done += games
            self._watch(self._done, self._games)

    def end(self) -> None:
        """Remove what is redrawn."""
        self._shown.close()

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


class BarObserver(LineObserver):
    """The same with a progress bar, and a line about compiling that is kept up to date."""

    _waiting: Status | None = None

    def compiling(self, progress: CompileProgress) -> None:
        """Print what is compiled, and keep a line with its progress up to date."""
        self.said_why(progress)
        text = _compiled_so_far(progress) if progress.new or progress.elsewhere else "Loading compiled machine code"
        if self._waiting is None:
            self._waiting = self._shown.enter_context(self.console.status(text))
        self._waiting.update(text)

    def compiled(self, seconds: float) -> None:
        """Remove the line and print how long compiling took."""
        self.end()
        super().compiled(seconds)

    def end(self) -> None:
        """Remove the bar or the line."""
        super().end()
        self._waiting = None


def _compiled_so_far(progress: CompileProgress) -> str:
    so_far = f"{progress.kernels} kernels compiled after {progress.seconds:.0f} s"
    if progress.seconds_last_time is None:
        return f"{so_far}; all take {COMPILE_TIME} of CPU time"
    return f"{so_far}; the last first run on this machine took {progress.seconds_last_time:.0f} s"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
