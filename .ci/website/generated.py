"""Pages of the site that are generated when it is built: all tables of every study, all columns, all values."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from wallsim.policies.value.value_file import load_value, value_names
from wallsim.report.tables.learning import markdown_of
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.other_tables import all_tables
from wallsim.studies.publishing import REGISTER, from_register
from wallsim.studies.table_page import tables_page, tables_with_headings
from website.markdown import anchors

COLUMNS, VALUES, TABLES = "docs/columns.md", "docs/accuracy.md", "docs/studies/{}-tables.md"
_RULE = re.compile(r"\[?\b([ABELMV]\d+(?:\.\d+)?)\b\]?")  # B4.2, or [A7] for a switch
# The commands that print what is generated, which the site links to the page that shows it.
_PRINTED = re.compile(r"`wallsim (?:study (\w+) --tables|(codebook --expansions all))`")


def generated_names(root: Path) -> list[str]:
    """The pages of a checkout's site that are generated alone, by their place in it."""
    return [name for name in _pages(root) if not (root / name).exists()]


def lay_out_generated(root: Path, pages: Path) -> None:
    """Write the generated pages into `pages`, and let the commands that print them link to them.

    All tables of a study follow the text that people wrote about them, if there is one.
    """
    for name, generated in _pages(root).items():
        page = pages / name
        page.write_text(generated(page.read_text("utf-8") if page.exists() else ""), "utf-8")
    for page in sorted((pages / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        linked = _PRINTED.sub(partial(_linked, page, pages), text)
        if linked != text:
            page.write_text(linked, "utf-8")


def _pages(root: Path) -> dict[str, Callable[[str], str]]:
    studies = [name for name in own_studies() if (root / REGISTER / f"{name}.csv").exists()]
    found: dict[str, Callable[[str], str]] = {TABLES.format(name): partial(_tables, name, root) for name in studies}
    if (root / "docs" / "results.md").exists():
        found[COLUMNS] = partial(_columns, root)
    if (root / "docs" / "values.md").exists():
        found[VALUES] = _values
    return found


def _tables(name: str, root: Path, written: str) -> str:
    study = load_study(name)
    tables = all_tables(from_register(study, root))
    return f"{written.rstrip()}\n\n{tables_with_headings(tables)}\n" if written else tables_page(study, tables)


def _columns(root: Path, _: str) -> str:
    # Rule numbers lead to the page of the rules, if it has them.
    rules = root / "docs" / "rules.md"
    known = anchors(rules.read_text("utf-8")) if rules.exists() else set()
    command = [sys.executable, "-m", "wallsim", "codebook", "--expansions", "all"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def linked(found: re.Match[str]) -> str:
        anchor = found[1].lower().replace(".", "-")
        return f"[{found[1]}](rules.md#{anchor})" if anchor in known else found[0]

    return _RULE.sub(linked, text)


def _values(_: str) -> str:
    tables = "\n".join(markdown_of(load_value(name).name, load_value(name).contents) for name in value_names())
    return f"# How accurate the values are\n\n[Learned values](values.md) says what the columns mean.\n\n{tables}\n"


def _linked(page: Path, pages: Path, found: re.Match[str]) -> str:
    target = pages / (COLUMNS if found[2] else TABLES.format(found[1]))
    if not target.exists() or target == page:
        return found[0]
    return f"[{found[0]}]({Path(os.path.relpath(target, page.parent)).as_posix()})"
