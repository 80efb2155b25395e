"""The command that plays a study: its figures as Markdown and its picture, in one folder."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.auditing import DrawSeed, ReplayCount, count_of, replay_document, seed_of, show_replayed
from wallsim.cli.options import CheckWorkers, Dask, on_disk
from wallsim.cli.output import FAILED, print_document, refuse
from wallsim.cli.stopping import cluster_of, tidied
from wallsim.cli.streams import echo
from wallsim.errors import RunError
from wallsim.visible import visible_line

if TYPE_CHECKING:
    from types import ModuleType

    from wallsim.cli.options import Folder

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
    verify: Annotated[
        bool, typer.Option("--verify", help="Play nothing new: compute the figures of DIR again and compare them.")
    ] = False,
    replay: ReplayCount = None,
    seed: DrawSeed = None,
) -> None:
    """Play a study of the repository, print its figures, and draw its picture into DIR/NAME.png.

    With --verify, every file is compared with the record of the folder, and the figures are computed again from the
    folder and compared with its files and, for the full study, with the published page. --replay N also plays N parts
    drawn at random again.

    Studies are no part of the installed package: run this in a checkout.
    """
    if name not in STUDIES:
        from wallsim.rules.spelling import did_you_mean

        refuse(f"study: {name} is not one of {', '.join(STUDIES)}{did_you_mean(name, STUDIES)}")
    folder = out or Path("results") / name
    if verify:
        if games is not None or quick or dask is not None:
            refuse("--verify: the folder states how it was played; leave --games, --quick and --dask out")
        _verify(name, folder, replay, seed, workers)
        return
    if replay is not None or seed is not None:
        refuse(f"{'--replay' if replay is not None else '--seed'}: belongs to --verify; add it, or leave it out")
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
    folder.mkdir(parents=True, exist_ok=True)
    with cluster_of(dask, check_workers):
        status = driver.run(module.STUDY, [str(folder), str(folder / f"{name}.png"), *words])
    if status:
        raise typer.Exit(status)


def _verify(name: str, folder: Path, replay: str | None, seed: str | None, workers: int | None) -> None:
    from wallsim.runs.folder.place import place_of
    from wallsim.runs.results import verify_results
    from wallsim.runs.study_folder import STUDY, read_record

    count, draw = 0 if replay is None else count_of(replay), seed_of(seed, replay)
    if not STUDY.recognises(place_of(folder)):
        refuse(
            f"{folder}: contains no study; `wallsim study {name} --out {folder}` plays it, all of it, since published "
            "figures cannot be checked without their games"
        )
    try:
        record = read_record(place_of(folder))
    except RunError:  # which is reported with all other damage
        record = None
    if record is not None and record.name != name:
        refuse(f"{folder}: is a folder of the study {record.name}, not of {name}")
    errors = verify_results(folder)
    if errors:
        echo("\n".join(visible_line(f"{folder}: {error}") for error in errors), err=True)
        echo(visible_line(f"{folder}: is damaged; {STUDY.state(folder).mending}"), err=True)
        raise typer.Exit(FAILED)
    echo(visible_line(f"{folder}: no file is missing or changed."))
    audit_study(folder, count, draw, workers, trust_code=False, quiet=False, as_json=False, document={}, name=name)


def audit_study(
    folder: Folder, count: int | None, seed: int | None, workers: int | None, trust_code: bool, quiet: bool,
    as_json: bool, document: dict[str, Any], name: str | None = None,
) -> None:  # fmt: skip
    """Replay a study's folder whose files are unchanged, and print the result; status 1 if anything differs."""
    from wallsim.cli.showing import observer_of
    from wallsim.runs.folder.place import place_of
    from wallsim.runs.study_folder import read_record

    if name is None:
        record = read_record(place_of(folder))
        if record is None or record.name not in STUDIES:
            refuse(
                f"{folder}: does not state which study it contains; use `wallsim study NAME --verify --out {folder}`"
            )
        name = record.name
    module, auditor = _module(name), _module("study_audit")
    checkout = Path(str(auditor.__file__)).resolve().parents[1]
    with tidied():
        found = auditor.audit_study(
            module.STUDY, Path(folder), count, seed=seed, workers=workers, trust_code=trust_code,
            observer=observer_of(quiet), checkout=checkout,
        )  # fmt: skip
    if as_json:
        replayed = None if found.replayed is None else replay_document(found.replayed)
        more = {"replay": replayed, "errors": list(found.errors), "notes": list(found.notes)}
        print_document({**document, **more})
    else:
        for error in found.errors:
            echo(visible_line(f"{folder}: {error}"), err=True)
        if found.replayed is not None:
            show_replayed(folder, found.replayed)
        for note in found.notes:
            echo(visible_line(f"{folder}: {note}"))
    if not found.equal:
        raise typer.Exit(FAILED)


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
