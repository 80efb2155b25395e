"""Commands that list the available options, and measure speed."""

from __future__ import annotations

from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, print_rows
from wallsim.cli.streams import echo


@app.command()
def rules(as_json: AsJson = False) -> None:
    """List the options of the rules: players, set-up, edition, expansions, switches, and the numbers of the game.

    A switch decides a point on which the rulebooks are silent or differ. The numbers are those that a designer may
    turn.
    """
    from wallsim.report.tables.catalogues import RULES_FOOT, amount_rows, rule_rows

    headings = ("mark", "rules", "name", "default", "else", "meaning")
    if as_json:
        _list("rules", headings, rule_rows() + amount_rows(), as_json)
        return
    print_rows(headings, rule_rows())
    echo(RULES_FOOT)
    print_rows(("rules", "name", "printed", "bounds", "meaning"), [row[1:] for row in amount_rows()])


@app.command()
def policies(as_json: AsJson = False) -> None:
    """List the available policies."""
    from wallsim.report.tables.catalogues import policy_rows

    _list("policies", ("policy", "kind", "weights", "description"), policy_rows(), as_json)


@app.command()
def towers(as_json: AsJson = False) -> None:
    """List the presets of the dice tower.

    `through` is the probability that a thrown cube falls through, `loose` that a cube inside is knocked loose. For the
    models urn and layered they are means for casts of eight cubes after the contents have settled.
    """
    from wallsim.report.tables.catalogues import tower_rows

    _list("towers", ("tower", "model", "through", "loose", "source"), tower_rows(), as_json)


def _list(name: str, headings: tuple[str, ...], rows: list[tuple[str, ...]], as_json: bool) -> None:
    if as_json:
        from wallsim.report.documents import rows_document

        print_document(rows_document(name, headings, rows))
    else:
        print_rows(headings, rows)


@app.command()
def bench(
    policies: Annotated[str, typer.Option(help="Policies to measure, separated by commas.")] = "random,balanced",
    samples: Annotated[int, typer.Option(min=3, max=99, help="Samples per policy; the median is shown.")] = 9,
    runs: Annotated[bool, typer.Option("--runs", help="Also time start-up and whole runs; takes minutes.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of games on this machine, in CPU time and relative to 10^9 xoshiro draws."""
    from wallsim.policies.catalogue import load_policy
    from wallsim.report.tables.console import make_console
    from wallsim.report.tables.speeds import bench_document, print_bench
    from wallsim.runs.experiment import Experiment
    from wallsim.runs.setting import Setting

    names = policies.split(",")
    Setting(Experiment()).check_custom_policies([load_policy(name) for name in names], seed=1)
    if as_json:
        print_document(bench_document(names, samples, runs))
    else:
        print_bench(make_console(), names, samples, runs)
