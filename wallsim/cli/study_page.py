"""The page of HTML on a study, which `wallsim study NAME --report FILE` writes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from wallsim.cli.output import refuse
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError
from wallsim.escaping import escaped_line

if TYPE_CHECKING:
    from wallsim.studies.running import Result
    from wallsim.studies.study import Choices, Study

# Neighbours of the studies, loaded when they are needed.
_PAGE = "wallsim.analyses.strategy_report.chapters"
_README = "wallsim.analyses.strategy_report.readme"


def check_report(file: Path, others: dict[str, bool]) -> None:
    """Refuse a file that is no page, and options beside which `--report` has no meaning, before anything is played."""
    from wallsim.report.html.sheets import check_page_name

    for option, given in others.items():
        if given:
            refuse(f"--report: cannot be combined with {option}; write the page on its own")
    check_page_name(file, "--report")


def published(study: Study, choices: Choices) -> Result | None:
    """The published result of a study; None for a study that is not published, or if other games are asked for."""
    from wallsim.studies.catalogue import own_studies
    from wallsim.studies.published import published_studies
    from wallsim.studies.publishing import as_published
    from wallsim.studies.study import Choices

    known = study.name in own_studies() and study.name in published_studies()
    return as_published(study) if known and choices == Choices() else None


def write_report(result: Result, file: Path) -> None:
    """Write the page of a study, and say where."""
    from wallsim.report.html.sheets import write_page

    try:
        write_page(import_module(_PAGE).study_page(result), file, "--report")
    except InputError as error:
        refuse(str(error))
    echo(escaped_line(f"Open {file}"))


def write_readme(root: Path) -> None:
    """Write what the README of a checkout says of the studies. InputError where its sentences hold no longer."""
    import_module(_README).write_readme(root)
