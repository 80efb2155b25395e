"""Commands that measure speed: of policies, and of whole runs from small to large."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, refuse, whole_number
from wallsim.cli.signals import tidied
from wallsim.cli.terminal_output import echo

bench_app = typer.Typer(invoke_without_command=True)
app.add_typer(bench_app, name="bench")

_POLICIES = "random,balanced"
_SAMPLES, _TURNS = 9, 9
_LEAST, _MOST_TURNS = 3, 99
_MOST_CORES = 1_000_000

Measured = Annotated[str, typer.Option(help="Policies to measure, separated by commas.")]


@bench_app.callback()
@grouped
def bench(
    context: typer.Context,
    policies: Measured = _POLICIES,
    samples: Annotated[int, typer.Option(min=3, max=99, help="Samples per policy; the median is shown.")] = _SAMPLES,
    runs: Annotated[bool, typer.Option("--runs", help="Also time start-up and whole runs; takes minutes.")] = False,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|COMMIT",
            help="Compare the speed with that of another installation: the folder that contains its `wallsim`, or a "
            "commit of this checkout; takes minutes.",
        ),
    ] = None,
    turns: Annotated[
        str | None, typer.Option(metavar="N", help=f"Turns of a comparison, {_LEAST} or more.  [default: {_TURNS}]")
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Add the comparison to data/speed/releases.csv and docs/speed.md.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of games on this machine. It prints CPU time, also relative to 10^9 xoshiro draws.

    With --against, play the same games with another installation in turns, and print the ratios of both speeds.
    """
    if context.invoked_subcommand is not None:
        given = (policies, samples, runs, against, turns, record, as_json)
        if given != (_POLICIES, _SAMPLES, False, None, None, False, False):
            refuse(f"bench: write the options after `{context.invoked_subcommand}`")
        return
    if against is not None:
        if runs or samples != _SAMPLES:
            refuse(f"{'--runs' if runs else '--samples'}: cannot be combined with --against; allowed is --turns")
        number = _TURNS if turns is None else whole_number("--turns", turns, _LEAST, _MOST_TURNS)
        _compare(against, _names(policies), number, record, as_json)
        return
    if record or turns is not None:
        refuse(f"{'--record' if record else '--turns'}: needs --against")
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


@bench_app.command()
@grouped
def scale(
    games: Annotated[
        str, typer.Option(metavar="N", help="The largest number of games; others are powers of ten below it.")
    ] = "1000000",
    policies: Measured = _POLICIES,
    samples: Annotated[int, typer.Option(min=1, max=99, help="Samples of each measurement; the median is shown.")] = 3,
    cores: Annotated[str, typer.Option(metavar="N", help="Cores of the cluster in the arithmetic.")] = "64",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where temporary folders are made.  [default: the system's]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how runs scale; takes a quarter of an hour.

    It measures runs against games, chunks, workers and slices, after a crash, and in bytes.

    Every measurement is a `wallsim run` in a process of its own; its files are deleted. The last tables show the
    arithmetic for 10^9 games on a cluster.
    """
    from tempfile import TemporaryDirectory

    from wallsim.runs.benchmark.marker import write_marker
    from wallsim.runs.benchmark.records import Plan

    most = whole_number("--games", games, 1, 10**9)
    nodes = whole_number("--cores", cores, 1, _MOST_CORES)
    names = _names(policies)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    from wallsim.runs.benchmark.scale import measure_scale

    with tidied(), TemporaryDirectory(prefix="wallsim-bench-", dir=out) as folder:
        write_marker(Path(folder), "wallsim bench scale")
        result = measure_scale(Plan(most, names, samples), Path(folder), tell=lambda words: echo(words, err=True))
    if as_json:
        from wallsim.report.scale_document import scale_document

        print_document(scale_document(result, nodes))
    else:
        from wallsim.report.tables.console import make_console
        from wallsim.report.tables.scale import print_scale

        print_scale(make_console(), result, nodes)


def _compare(against: str, policies: tuple[str, ...], turns: int, record: bool, as_json: bool) -> None:
    from wallsim.report.speed_record import add_to_record, refuse_unrecordable
    from wallsim.runs.benchmark.installation import other_installation, running_installation
    from wallsim.runs.benchmark.speed_ratio import compare_speeds

    running = running_installation()
    if record:
        refuse_unrecordable(running, policies)
    with tidied(), other_installation(against) as other:
        result = compare_speeds(running, other, policies, turns, tell=lambda words: echo(words, err=True))
    if record:
        for path in add_to_record(result):
            echo(f"Wrote {path}.", err=True)
    from wallsim.report.tables.speed_ratios import print_ratios, ratios_document

    if as_json:
        print_document(ratios_document(result))
    else:
        from wallsim.report.tables.console import make_console

        print_ratios(make_console(), result)


def _names(policies: str) -> tuple[str, ...]:
    # Refused before anything is measured, and without the compiler, whose memory the processes would inherit.
    from wallsim.runs.experiment import Experiment

    names = tuple(dict.fromkeys(name.strip() for name in policies.split(",")))
    for name in names:
        if name.endswith(".py"):
            refuse(f"--policies: {name} is Python code; allowed are names and .toml files")
        Experiment(policies=name)
    return names
