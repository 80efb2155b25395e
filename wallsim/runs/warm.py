"""All machine code that playing needs, compiled for this machine before it is needed."""

from __future__ import annotations

from wallsim.runs.compile_progress import warm_up
from wallsim.runs.experiment import Experiment
from wallsim.runs.observer import RunObserver


def compile_engine(observer: RunObserver | None = None) -> float:
    """Compile for this machine, into its cache, what runs, traces, learning, searching policies and casts call.

    What is in the cache is only loaded; code that ships with the installation is not used. Policies that are Python
    files are compiled when they play. Returns the wall seconds of compiling, 0 if it took less than two. Raises
    CacheError if the disk is full.
    """
    from wallsim.jit import compiling_for_this_machine

    with compiling_for_this_machine():
        return warm_up(_call_everything, observer or RunObserver())


def _call_everything() -> None:
    import numpy as np

    from wallsim.engine.casting import CastingBench  # imports the compiler
    from wallsim.rules.terms import COLOURS
    from wallsim.rules.tower import load_tower

    arena = Experiment(games=1, policies="random").arena()
    arena.play(0, 1)
    arena.play(0, 1, battles=True)  # with the log, as traces
    arena.positions(0, 1)
    Experiment(games=1, policies="rollout").arena().prepare()
    bench, nothing = CastingBench(load_tower("spielbyweb")), np.zeros((1, COLOURS), np.int64)
    bench.throw(nothing, seed=1)
    bench.repeat(nothing[0], nothing[0], 1, seed=1)
