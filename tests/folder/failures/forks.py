"""Commands of wallsim in real processes that start at once: forks of one process in which everything is loaded.

`python -m tests.folder.failures.forks` is that process; names of modules that it loads besides may follow. It reads a
request a line from its standard input, and answers with a line: a command to start, or the number of a process to
wait for.
"""

import importlib
import inspect
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 120.0  # seconds that a command may take at most


class Child:
    """A command that is running; what it prints goes into a file."""

    def __init__(self, forks, process, output):
        self.forks, self.process, self.output = forks, process, output

    def kill(self, number=signal.SIGKILL):
        """Send a signal; a process that has ended is left alone, since it remains until it is waited for."""
        os.kill(self.process, number)

    def wait(self, patience=PATIENCE):
        """The exit status, negative for a signal; a process that does not end in time is killed, and is a failure."""
        status = self.forks.ask({"wait": self.process, "patience": patience})["status"]
        if status is None:
            self.kill()
            self.forks.ask({"wait": self.process, "patience": patience})
            raise AssertionError(f"hangs: {self.said()}")
        return status

    def said(self):
        """Everything that was printed."""
        return self.output.read_text("utf-8", "replace")


class Forks:
    """The process with everything loaded, as a context manager; what it started ends with it."""

    def __init__(self, folder, *modules):
        self._folder, self._count = folder, 0
        threads = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment = {**os.environ, **threads, "COLUMNS": "400"}
        with (folder / "forks.log").open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.folder.failures.forks", *modules],
                cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip

    @property
    def number(self):
        """The number of the process."""
        return self._process.pid

    def __enter__(self):
        assert self._answer()["ready"]
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def start(self, *arguments, **how):
        """A command in a process of its own.

        `limits` maps names of `resource` to numbers of bytes, and `user` is a number. `stopped_in` is a signal and a
        function, as `module:name`, which sends it to the process at its first call.
        """
        self._count += 1
        output = self._folder / f"output-{self._count}.txt"
        output.touch()
        words = [str(argument) for argument in arguments]
        process = self.ask({"start": words, "output": str(output), **how})["process"]
        return Child(self, process, output)

    def run(self, *arguments, **how):
        """The exit status of a command, and everything that it printed."""
        child = self.start(*arguments, **how)
        return child.wait(), child.said()

    def ask(self, request):
        """The answer to a request."""
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        assert line, (self._folder / "forks.log").read_text("utf-8")
        return json.loads(line)


# ------------------------------------------------------------------------------------------- in that process


def serve():
    """Load everything, then answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _load()
    for module in sys.argv[1:]:
        importlib.import_module(module)
    # Only the thread that forks lives on in a child; others would leave their locks behind. Those of the allocator are
    # started again, and the one that removes what polars spilled has nothing to do.
    names = {Path(f"/proc/self/task/{thread}/comm").read_text().strip() for thread in os.listdir("/proc/self/task")}
    assert threading.active_count() == 1
    assert names <= {Path("/proc/self/comm").read_text().strip(), "jemalloc_bg_thd", "polars-ooc-clea"}, names
    print(json.dumps({"ready": True}), flush=True)
    running = set()
    for line in sys.stdin:
        request = json.loads(line)
        if "start" in request:
            process = os.fork()
            if process == 0:
                _be_child(request)
            running.add(process)
            answer = {"process": process}
        else:
            answer = {"status": _status(request["wait"], request["patience"])}
            if answer["status"] is not None:
                running.discard(request["wait"])
        print(json.dumps(answer), flush=True)
    for process in running:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _load():
    import polars  # noqa: F401

    import wallsim.analysis.games.summary
    import wallsim.cli.run_output
    import wallsim.folder.merge
    import wallsim.play.chunk_play
    import wallsim.play.repair
    import wallsim.play.scenarios.play
    import wallsim.report.progress
    import wallsim.report.tables.summary  # noqa: F401
    from wallsim.experiment.experiment import Experiment

    experiment = Experiment(policies="random")
    experiment.components().arena(1).play(0, 1)


def _status(process, patience):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    return None


def _be_child(request):
    """End this process with the status of a command; an interrupt just before it or after it leaves no traceback."""
    status = 128 + signal.SIGINT
    try:
        status = _command(request)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        pass
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _command(request):
    """Run a command of wallsim in this process, and give its exit status."""
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        output = os.open(request["output"], os.O_WRONLY)
        for source, target in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if "stopped_in" in request:
            _stop_in(*request["stopped_in"])
        if "user" in request:
            os.setgroups([])
            os.setgid(request["user"])
            os.setuid(request["user"])
        for name, most in request.get("limits", {}).items():
            resource.setrlimit(getattr(resource, name), (most, most))
        sys.argv = ["wallsim", *request["start"]]
        from wallsim.cli import main

        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        raise
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _stop_in(number, target):
    """Let a function send a signal to this process when it is called first, from whatever thread."""
    module, _, path = target.partition(":")
    owner = importlib.import_module(module)
    *outer, name = path.split(".")
    for each in outer:
        owner = getattr(owner, each)
    real = getattr(owner, name)
    left = [number]

    def call(*arguments, **keywords):
        if left:
            os.kill(os.getpid(), left.pop())
            time.sleep(0.01)  # until Python notices it
        return real(*arguments, **keywords)

    setattr(owner, name, staticmethod(call) if inspect.ismethod(real) else call)


if __name__ == "__main__":
    serve()
