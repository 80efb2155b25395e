"""A page on one study: its chapter as in the report, and all its tables."""

from __future__ import annotations

from pathlib import Path

from wallsim.report.html.sheets import write_page
from wallsim.studies.other_tables import all_tables
from wallsim.studies.running import Result
from wallsim.studies.table_page import tables_with_headings

from .chapters import chapter_of, traced_result
from .frames import frame_of
from .html import as_html, rendered


def study_page(result: Result) -> str:
    """The page of a study, played or published; figures in it have their ids. A quick look has no finding."""
    result = traced_result(result)
    chapter, tables = chapter_of(result, quick=True), tables_with_headings(all_tables(result))
    title, box = chapter.finding.title, chapter.finding.sentences().values()
    frame = frame_of(
        title, chapter.method, result.figures, chapter.seed, [title, *box, chapter.table, tables], csv=False
    )  # fmt: skip
    return rendered(
        "study.html.j2", title=title, chapter=chapter, frame=frame, table=as_html(chapter.table),
        tables=as_html(tables),
    )  # fmt: skip


def write_study_page(result: Result, file: str | Path) -> None:
    """Write the page of a study. InputError for a name that is not one of a page, and if it cannot be written."""
    write_page(study_page(result), Path(file), "--report")
