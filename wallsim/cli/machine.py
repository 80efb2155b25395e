"""The commands on this machine: compile the engine for it, and measure its speed."""

from __future__ import annotations

from typing import Annotated

from wallsim.cli.app import app
from wallsim.cli.option_groups import Within, grouped
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, screen
from wallsim.cli.run_output import observer_of
from wallsim.cli.terminal_output import echo


@app.command()
@grouped
def bench(
    *,
    policies: str = "random,balanced",
    samples: Annotated[int, Within(3, 99)] = 9,
    runs: bool = False,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of games on this machine.

    In CPU time, and relative to 10^9 xoshiro draws.

    Options
    -------
    policies NAME[,NAME...]: Policies to measure.
    samples: Samples per policy; the median is shown.
    runs: Also time start-up and whole runs; takes minutes.
    """
    from wallsim.experiment.experiment import Experiment
    from wallsim.play.setting import Setting
    from wallsim.policies.catalogue import load_policy, refuse_former_name
    from wallsim.report.tables.benchmark import measured, print_measured

    names = policies.split(",")
    refuse_former_name(names)
    Setting(Experiment()).check_custom_policies([load_policy(name) for name in names], seed=1)
    document = measured(names, samples, runs)
    if as_json:
        print_document(document)
    else:
        print_measured(screen(), document)


@app.command()
def warm() -> None:
    """Compile the engine for this machine now. No later command has to compile it.

    A release may ship machine code for any recent processor. Code compiled for this machine is somewhat faster.
    Results are the same, byte for byte.
    """
    from wallsim.play.compile_progress import compile_engine

    if not compile_engine(observer_of(quiet=False)):
        echo("The engine is compiled for this machine.", err=True)
