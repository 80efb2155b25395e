"""The command `.ci/bench`: `speed` and `scale` measure, `against` compares the speed with another version.

Imports are delayed: processes that are measured inherit the peak of this one's memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from wallsim.cli.app import ErrorMessageGroup
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, refuse, whole_number
from wallsim.cli.signals import tidied
from wallsim.cli.terminal_output import echo

app = typer.Typer(
    cls=ErrorMessageGroup, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None, help="Benchmarks of this checkout.",
)  # fmt: skip
Measured = Annotated[str, typer.Option(help="Policies to measure, separated by commas.")]
Recorded = Annotated[bool, typer.Option("--record", help="Write the result to data/speed and to its page in docs.")]


@app.command()
@grouped
def speed(
    samples: Annotated[int, typer.Option(min=3, max=99, help="Samples of each measurement; the median is shown.")] = 9,
    record: Recorded = False,
    as_json: AsJson = False,
) -> None:
    """Measure games of policies and settings, start-up, and the cost of tables, in CPU time; takes minutes."""
    from benchmarks.installation import running_installation
    from benchmarks.recorded import SPEEDS, refuse_unrecordable
    from benchmarks.recorded import record as write
    from benchmarks.speed_record import speed_blocks
    from benchmarks.speed_tables import parts_of_speeds
    from benchmarks.speeds import measure_speeds

    running = running_installation()
    if record:
        refuse_unrecordable(running, (), SPEEDS)
    with tidied():
        result = measure_speeds(samples, tell=lambda words: echo(words, err=True))
    if record:
        words = f".ci/bench speed --samples {samples} --record"
        _wrote(write(running, SPEEDS, words, result, speed_blocks))
    from benchmarks.parts import print_parts
    from wallsim.report.tables.console import make_console

    if as_json:
        print_document({"speeds": result})
    else:
        print_parts(make_console(), parts_of_speeds(result))


@app.command()
@grouped
def scale(
    games: Annotated[
        str, typer.Option(metavar="N", help="The largest number of games; others are powers of ten below it.")
    ] = "1000000",
    policies: Measured = "random,balanced",
    samples: Annotated[int, typer.Option(min=1, max=99, help="Samples of each measurement; the median is shown.")] = 3,
    cores: Annotated[str, typer.Option(metavar="N", help="Cores of the cluster in the arithmetic.")] = "64",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where temporary folders are made.  [default: the system's]")
    ] = None,
    record: Recorded = False,
    as_json: AsJson = False,
) -> None:
    """Measure runs against games, chunks, workers and slices, after a crash, and in bytes; takes a quarter of an hour.

    Every measurement is a `wallsim run` in a process of its own; its files are deleted. The last tables show the
    arithmetic for 10^9 games on a cluster.
    """
    from benchmarks.installation import running_installation
    from benchmarks.recorded import SCALE, refuse_unrecordable
    from benchmarks.recorded import record as write
    from benchmarks.records import Plan
    from benchmarks.scale import measure_scale
    from wallsim.folder.verification import write_marker

    most, nodes = whole_number("--games", games, 1, 10**9), whole_number("--cores", cores, 1, 10**6)
    names, running = _names(policies), running_installation()
    if record:
        refuse_unrecordable(running, names, SCALE)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    with tidied(), TemporaryDirectory(prefix="wallsim-bench-", dir=out) as folder:
        write_marker(Path(folder), ".ci/bench scale")
        result = measure_scale(Plan(most, names, samples), Path(folder), tell=lambda words: echo(words, err=True))
    if record:
        from benchmarks.speed_record import scale_blocks

        words = f".ci/bench scale --games {most} --policies {policies} --samples {samples} --record"
        _wrote(write(running, SCALE, words, result, scale_blocks))
    from benchmarks.scale_document import scale_document
    from benchmarks.scale_tables import print_scale
    from wallsim.report.tables.console import make_console

    if as_json:
        print_document(scale_document(result, nodes))
    else:
        print_scale(make_console(), result, nodes)


@app.command()
@grouped
def against(
    other: Annotated[
        str, typer.Argument(metavar="DIR|COMMIT", help="A folder that contains a `wallsim`, or a commit.")
    ],
    policies: Measured = "random,balanced",
    turns: Annotated[str, typer.Option(metavar="N", help="Turns of the comparison, 3 or more.")] = "9",
    record: Recorded = False,
    as_json: AsJson = False,
) -> None:
    """Play the same games with another version in turns, and print the ratios of both speeds; takes minutes."""
    from benchmarks.installation import other_installation, running_installation
    from benchmarks.recorded import RATIOS, refuse_unrecordable
    from benchmarks.releases import read_releases
    from benchmarks.speed_ratio import compare_speeds
    from benchmarks.speed_record import add_to_record

    names, number, running = _names(policies), whole_number("--turns", turns, 3, 99), running_installation()
    if record:
        refuse_unrecordable(running, names, RATIOS)
        read_releases(RATIOS.paths(running.folder)[0])
    with tidied(), other_installation(other) as installation:
        result = compare_speeds(running, installation, names, number, tell=lambda words: echo(words, err=True))
    if record:
        _wrote(add_to_record(result))
    from benchmarks.ratio_tables import print_ratios, ratios_document
    from wallsim.report.tables.console import make_console

    if as_json:
        print_document(ratios_document(result))
    else:
        print_ratios(make_console(), result)


def _wrote(paths: Iterable[Path]) -> None:
    for path in paths:
        echo(f"Wrote {path}.", err=True)


def _names(policies: str) -> tuple[str, ...]:
    # Refused before anything is measured, and without the compiler, whose memory the processes would inherit.
    from wallsim.experiment.experiment import Experiment

    names = tuple(dict.fromkeys(name.strip() for name in policies.split(",")))
    for name in names:
        if name.endswith(".py"):
            refuse(f"--policies: {name} is Python code; allowed are names and .toml files")
        Experiment(policies=name)
    return names


if __name__ == "__main__":
    app(prog_name=".ci/bench")
