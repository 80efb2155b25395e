"""Running a study on a few games as its command does, and reading the Markdown that it prints."""

import contextlib
import io
from typing import NamedTuple

from matplotlib import pyplot as plt

from analyses import driver


class Result(NamedTuple):
    """The exit status of a command, and what it printed on standard output and standard error."""

    status: int
    printed: str
    errors: str


def run_study(module, folder, *words):
    """Run a study that keeps its runs in `folder`/runs and draws `folder`/it.png."""
    plt.switch_backend("Agg")
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            status = driver.run(module.STUDY, [str(folder / "runs"), str(folder / "it.png"), *words])
        except SystemExit as end:  # of argparse
            status = end.code
    return Result(status, printed.getvalue(), errors.getvalue())


def names_in(module, folder):
    """The names in the folder of a finished study, but for its figures as text and its record, which all have."""
    names = {path.name for path in folder.iterdir()}
    always = {f"{module.__name__.rpartition('.')[2]}.md", "record.json"}
    assert always <= names
    return names - always


def page_for(module, folder):
    """A page with an empty place for every block of a study, and the words that name it to the command."""
    path = folder / "page.md"
    places = [f"<!-- {name} -->\nold\n<!-- /{name} -->\n" for name in module.STUDY.marks]
    path.write_text("before\n" + "between\n".join(places) + "after\n", "utf-8")
    return ("--into", str(path))


def filled(module, blocks):
    """What that page must become, by the blocks of an answer's digest and texts."""
    digest, *texts = blocks
    origin = f"of experiment {digest[:12]}: written by {module.STUDY.script}, do not edit"
    places = [
        f"<!-- {name} {origin} -->\n{text.strip()}\n<!-- /{name} -->\n"
        for name, text in zip(module.STUDY.marks, texts, strict=True)
    ]
    return "before\n" + "between\n".join(places) + "after\n"


def is_png(path):
    """Whether a file is a picture in the PNG format."""
    return path.read_bytes().startswith(b"\x89PNG")


def table_of(printed, heading):
    """The rows of the first table whose headings begin so, as lists of cells."""
    lines = printed.splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(line.strip("| ").split(" | "))
    return rows


def number(cell):
    """The estimate of a cell, without its interval."""
    return float(cell.split(" ")[0].replace("−", "-"))


def files_of(folder):
    """When each table below a folder was last written."""
    return {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")}
