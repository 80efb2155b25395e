"""The command that plays a study: its figures, its page as Markdown and its picture, in one folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import Within, grouped, options_of
from wallsim.cli.options import CLUSTER, Cluster, OnDisk, Page
from wallsim.cli.output import FAILED, print_rows, refuse, show_page
from wallsim.cli.replay_output import REPLAY, verify_study
from wallsim.cli.signals import cluster_of
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError, listed
from wallsim.escaping import escaped, escaped_line

if TYPE_CHECKING:
    from wallsim.studies.running import Result
    from wallsim.studies.study import Choices, Study


_RESULTS = Path("results")


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """What is played of a study.

    Options
    -------
    games: Games, or blocks, instead of the study's own.
    quick: Preview in under two minutes (few cells and games).
    set_ OPTION=VALUE: An option of the study's own; repeatable.
    """

    games: Annotated[int | None, Within(1, 1_000_000)] = None
    quick: bool = False
    set_: list[str] | None = None

    def choices(self) -> Choices:
        """The same as `run_study` takes it; the command ends if an option has no value or two."""
        from wallsim.studies.study import Choices

        options: dict[str, str] = {}
        for text in self.set_ or []:
            name, equals, value = text.partition("=")
            if not equals or not name:
                refuse(f"--set: {escaped_line(text)!r} is not of the form OPTION=VALUE")
            if name in options:
                refuse(f"--set: {escaped_line(name)} is given twice")
            options[name] = value
        return Choices(self.games, self.quick, options)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is done with a study, but for playing and printing it.

    Options
    -------
    verify: Play nothing new: compute the figures of DIR again and compare them.
    publish: In a source tree: also write the register of figures, the page, the picture.
    page: In a source tree: write the page from the register; play nothing.
    carry: In a source tree: compare the register with a sample of today's engine; carry it.
    tables: Print all tables of a published study as Markdown; play nothing.
    report FILE: A page of HTML; published figures are not played again.
    """

    verify: bool = False
    publish: bool = False
    page: bool = False
    carry: bool = False
    tables: bool = False
    report: Page | None = None

    def in_source_tree(self) -> list[str]:
        """Those of the options given that need a source tree."""
        return [f"--{name}" for name in ("publish", "page", "carry") if getattr(self, name)]

    def source_tree(self, choices: Choices) -> Path:
        """Where pages and the register are; the command ends if they are needed and not there."""
        from wallsim.studies.study import Choices

        root = Path.cwd()
        if not (given := self.in_source_tree()):
            return root
        option = given[0]
        if choices != Choices():
            refuse(f"{option}: only the full study is published; remove --games, --quick and --set")
        if not (root / "docs" / "studies").is_dir() or not (root / "data" / "figures").is_dir():
            refuse(f"{option}: {root} is not a source tree with docs/studies and data/figures; run it there")
        return root


@app.command()
@grouped
def study(
    name: str | None = None,
    *,
    all_: bool = False,
    chosen: Chosen = options_of(Chosen),
    cluster: Cluster = CLUSTER,
    out: OnDisk | None = None,
    wanted: Wanted = options_of(Wanted),
    asked: dict[str, Any] = REPLAY,
    trust_code: bool = False,
) -> None:
    """Play a study and print its page. Figures and picture are written into DIR.

    NAME is one of the studies that `wallsim study` lists: those of wallsim, and those of installed packages (entry
    points of the group wallsim.studies). A FOLDER such as ./mine has a study of one's own.

    With --report, a FILE such as results/play.html gets the study's chapter of the strategy report and all its tables.
    Nothing is played for a published study, unless --games, --quick or --set ask for other games.

    With --carry, a sample of today's engine is compared with the published figures. Of a study that does not differ,
    these are carried to it; one that does is named, and the status is 1.

    With --verify, every file is compared with the record of the folder, and the figures are computed again from the
    folder and compared with its files and, for the full study, with the published ones. --replay N also plays N parts
    drawn at random again.

    Options
    -------
    name NAME|FOLDER: A study; without one, all of them are listed.
    all_: Play all studies, one after the other.
    out DIR: Default: results/NAME; with --all results.
    trust_code: Run the Python code of a study in a FOLDER; read it first.
    """
    from wallsim.studies.catalogue import all_studies, is_folder, load_study, questions, study_in

    others = {"--all": all_, "--verify": wanted.verify, "--publish": wanted.publish, "--page": wanted.page,
              "--carry": wanted.carry}  # fmt: skip
    if wanted.tables and (name is None or any(others.values()) or wanted.report is not None):
        refuse("--tables: prints the published tables of one study; name it, and leave the other options out")
    if name is None and not all_:
        print_rows(("study", "question"), list(questions().items()))
        return
    if name is not None and all_:
        refuse(f"--all: cannot be combined with {name}, since it plays every study")
    choices, threads = chosen.choices(), None if cluster.workers is None else cluster.threads
    if wanted.report is not None and (given := [option for option, value in others.items() if value]):
        refuse(f"--report: cannot be combined with {given[0]}; write the page on its own")
    if wanted.verify and all_:
        refuse("--verify: verifies one study; name it, without --all")
    if (given := wanted.in_source_tree())[1:]:
        refuse(f"{given[0]}: cannot be combined with {given[1]}; they are commands of their own")
    if wanted.verify and (chosen != Chosen() or cluster.dask is not None or given):
        refuse("--verify: the folder states how it was played; remove the options that change what is played")
    if not wanted.verify and asked != {"replay": 0}:
        refuse(f"{'--seed' if 'seed' in asked else '--replay'}: belongs to --verify; add it, or leave it out")
    if name is None:
        studies = list(all_studies().values())
    else:
        studies = [study_in(Path(name), trust_code=trust_code) if is_folder(name) else load_study(name)]
    first = studies[0]
    if wanted.verify:
        verify_study(first, out or _RESULTS / first.name, asked, threads)
        return
    root = wanted.source_tree(choices)
    if wanted.page:
        from wallsim.studies.publishing import write_page

        for each in studies:
            write_page(each, root)
        import_module(_README).write_readme(root)
        return
    known = _published(first, choices) if wanted.tables or wanted.report else None
    if wanted.tables:
        _print_tables(first, known)
        return
    if wanted.report is not None and known is not None:
        _write_report(known, wanted.report)
        return
    with cluster_of(cluster.dask, cluster.check_workers):
        if wanted.carry:
            _carry(studies, out or _RESULTS, threads, root)
            return
        for each in studies:
            folder = (out or _RESULTS) / each.name if all_ else out or _RESULTS / each.name
            result = _play(each, folder, choices, threads, root if wanted.publish else None)
            if wanted.report is not None:
                _write_report(result, wanted.report)


def _print_tables(study: Study, known: Result | None) -> None:
    from wallsim.studies.other_tables import all_tables
    from wallsim.studies.table_page import tables_page

    if known is None:
        refuse(f"--tables: {study.name} is not published as it is asked for; without --tables it is played and printed")
    echo(escaped(tables_page(study, all_tables(known))))


@contextmanager
def _played_in(folder: Path) -> Iterator[None]:
    """End the command for invalid input; say where finished parts are if it is interrupted."""
    try:
        yield
    except InputError as error:
        refuse(str(error))
    except KeyboardInterrupt:
        echo(escaped_line(f"Finished parts are stored in {folder}; the same command resumes."), err=True)
        raise


def _play(study: Study, folder: Path, choices: Choices, workers: int | None, root: Path | None) -> Result:
    from wallsim.studies.publishing import publish
    from wallsim.studies.register import moved, read_register
    from wallsim.studies.running import run_study
    from wallsim.studies.study import Choices

    with _played_in(folder):
        result = run_study(study, folder, choices, workers=workers)
    echo(escaped(result.text))
    if root is not None:
        changes = publish(result, root)
        import_module(_README).write_readme(root)
    else:
        try:
            full = choices == Choices()
            changes = moved(read_register(study.name), result.published) if full else []
        except (InputError, OSError):  # a study that is not published
            changes = []
    if changes:
        echo("Moved by more than their intervals, against the published figures:", err=True)
        echo("\n".join(escaped_line(line) for line in listed(changes)), err=True)
    return result


def _carry(studies: Sequence[Study], out: Path, workers: int | None, root: Path) -> None:
    """Compare all studies, then carry those that do not differ; status 1 if one differs."""
    from wallsim.engine.version import ENGINE_VERSION
    from wallsim.studies import carrying

    folder = out / f"carry-{ENGINE_VERSION}"
    with _played_in(folder):
        found = []
        for played in [carrying.published(each, root) for each in studies]:  # all are known before any is played
            found.append(carrying.compare(played, folder / played.study.name, workers=workers))
            name, count, p, *_ = carrying.row_of(found[-1], differs=False)
            echo(escaped_line(f"{name}: figures compared: {count}, p = {p}"), err=True)
    differing = carrying.differing_studies(found)
    print_rows(carrying.HEADS, [carrying.row_of(each, each in differing) for each in found])
    for one in differing:
        rows = [f"{row.id}: {row.published:.6g} published, {row.now:.6g} now" for row in one.differing]
        echo(f"{one.played.study.name} differs; play it again. It differs in:", err=True)
        echo("\n".join(escaped_line(line) for line in listed(rows)), err=True)
    for one in found:
        if one not in differing and one.played.figures.engine != ENGINE_VERSION:
            carrying.carry(one, root)
    if differing:
        raise typer.Exit(FAILED)


# Neighbours of the studies, loaded when they are needed.
_PAGE = "wallsim.analyses.strategy_report.chapters"
_README = "wallsim.analyses.strategy_report.readme"


def _published(study: Study, choices: Choices) -> Result | None:
    """The published result of a study; None for a study that is not published, or if other games are asked for."""
    from wallsim.studies.catalogue import own_studies
    from wallsim.studies.published import published_studies, refuse_other_engines
    from wallsim.studies.publishing import as_published
    from wallsim.studies.study import Choices

    known = study.name in own_studies() and study.name in published_studies()
    if not known or choices != Choices():
        return None
    refuse_other_engines([study.name])
    return as_published(study)


def _write_report(result: Result, file: Path) -> None:
    show_page(import_module(_PAGE).study_page(result), file, "--report")
