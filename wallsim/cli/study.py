"""The command that plays a study: its figures as Markdown and its picture, in one folder."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import CheckWorkers, Dask, on_disk
from wallsim.cli.output import refuse
from wallsim.cli.stopping import cluster_of

if TYPE_CHECKING:
    from types import ModuleType

STUDIES = (
    "amounts", "casual", "draft", "editions", "events", "expansions", "first_look", "ladder", "lineups", "price",
    "robustness", "skill", "tiles", "tower", "zoo",
)  # fmt: skip
_HERE = Path(__file__).resolve().parents[2]  # the checkout, where the package lies in one


@app.command()
def study(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(STUDIES)}.")],
    games: Annotated[int | None, typer.Option(min=1, help="Games, or blocks, instead of the study's own.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A look in under two minutes: few cells, few games.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; one per core unless given.")] = None,
    dask: Dask = None,
    check_workers: CheckWorkers = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", parser=on_disk, help="Default: results/NAME.")] = None,
) -> None:
    """Play a study of the repository, print its figures, and draw its picture into DIR/NAME.png.

    Studies are no part of the installed package: run this in a checkout.
    """
    if name not in STUDIES:
        from wallsim.rules.spelling import did_you_mean

        refuse(f"study: {name} is not one of {', '.join(STUDIES)}{did_you_mean(name, STUDIES)}")
    driver, module = _module("driver"), _module(name)
    given = {"--games": games, "--quick": quick or None, "--workers": workers}
    known = driver.parser_of(module.STUDY).format_usage()
    words = []
    for option, value in given.items():
        if value is None:
            continue
        if option not in known:
            refuse(f"{option}: the study {name} has no such option; leave it out")
        words += [option] if value is True else [option, str(value)]
    folder = out or Path("results") / name
    folder.mkdir(parents=True, exist_ok=True)
    with cluster_of(dask, check_workers):
        status = driver.run(module.STUDY, [str(folder), str(folder / f"{name}.png"), *words])
    if status:
        raise typer.Exit(status)


def _module(name: str) -> ModuleType:
    """A module of the folder `analyses`, of the working folder or beside the package."""
    for place in (Path.cwd(), _HERE):
        if (place / "analyses" / "driver.py").is_file() and str(place) not in sys.path:
            sys.path.append(str(place))
    try:
        return import_module(f"analyses.{name}")
    except ModuleNotFoundError as error:
        if error.name not in ("analyses", f"analyses.{name}"):
            raise
        refuse(f"study: there is no analyses/{name}.py; studies are run in a checkout of the repository")
