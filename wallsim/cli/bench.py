"""The command that measures the speed of policies."""

from __future__ import annotations

from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document


@app.command()
@grouped
def bench(
    policies: Annotated[str, typer.Option(help="Policies to measure, separated by commas.")] = "random,balanced",
    samples: Annotated[int, typer.Option(min=3, max=99, help="Samples per policy; the median is shown.")] = 9,
    runs: Annotated[bool, typer.Option("--runs", help="Also time start-up and whole runs; takes minutes.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of games on this machine, in CPU time and relative to 10^9 xoshiro draws."""
    from wallsim.policies.catalogue import load_policy
    from wallsim.report.tables.benchmark import bench_document, print_bench
    from wallsim.report.tables.console import make_console
    from wallsim.runs.experiment import Experiment
    from wallsim.runs.setting import Setting

    names = policies.split(",")
    Setting(Experiment()).check_custom_policies([load_policy(name) for name in names], seed=1)
    if as_json:
        print_document(bench_document(names, samples, runs))
    else:
        print_bench(make_console(), names, samples, runs)
