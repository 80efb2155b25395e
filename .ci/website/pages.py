"""Lays out the pages that the site is built from: copies of the Markdown and of every file that it links to."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from website.links import target_of
from website.markdown import Link, links
from website.report import REPORT

FRONT_PAGE = "README.md"
TEXTS = "docs/report"
MORE_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
CONFIGURATION = ".ci/website/zensical.toml"
API_PAGE, API_SOURCE = "docs/api.md", ".ci/website/api.md"  # in the site only, since GitHub could not fill it in
STYLE, STYLE_SOURCE = "site.css", ".ci/website/site.css"
COPIED = {".png", ".svg", ".jpg", ".gif", ".pdf"}  # pictures, and pages to print
LANGUAGES = {".py": "python", ".toml": "toml", ".sh": "sh", ".json": "json"}


def page_names(root: Path) -> list[str]:
    """The pages of a checkout's site by their place in it, `docs/towers.md` for one.

    The texts of the strategy report are no pages: the report writes their numbers and verdicts.
    """
    docs = sorted(path for path in (root / "docs").rglob("*.md") if path.parent != root / TEXTS)
    return [FRONT_PAGE, *MORE_PAGES, API_PAGE, *(path.relative_to(root).as_posix() for path in docs)]


def lay_out(root: Path, pages: Path) -> None:
    """Fill the folder `pages` with the pages of a checkout.

    The folder mirrors the checkout, so that links between pages and to what is copied need no change. A text file that
    a page links to (a module, an example) becomes a page that shows it; a folder does too, as a list of its files.
    """
    shutil.rmtree(pages, ignore_errors=True)
    _copy(root / STYLE_SOURCE, pages / STYLE)
    waiting, done = page_names(root), set()
    while waiting:
        name = waiting.pop()
        if name not in done:
            done.add(name)
            waiting += _lay_out_one(name, root, pages)


def _lay_out_one(name: str, root: Path, pages: Path) -> list[str]:
    """Put one file into its place, and return the files that it links to."""
    source = root / (API_SOURCE if name == API_PAGE else name)
    if source.suffix in COPIED:
        _copy(source, pages / name)
        return []
    if source.suffix != ".md" or source.is_dir():
        _write(pages / f"{name}.md", _shown(source, name))
        return []
    text, place = source.read_text("utf-8"), root / name
    _write(pages / name, _with_shown_files(text, place, root))
    return [linked for link in links(text) if (linked := _linked(place, link, root)) and (root / linked).exists()]


def _linked(page: Path, link: Link, root: Path) -> str | None:
    named = target_of(page, link)
    return None if named is None else str(named[0].relative_to(root.resolve()))


def _with_shown_files(text: str, page: Path, root: Path) -> str:
    """The text with links to the pages that show files in place of links to the files."""
    for link in links(text):
        linked = _linked(page, link, root)
        if linked is None or "#" in link.target or Path(linked).suffix in {*COPIED, ".md"}:
            continue
        shown = link.target.rstrip("/") + ".md"
        text = re.sub(rf"(\]\(\s*<?|\]:\s*<?){re.escape(link.target)}(?=[\s>)]|$)", rf"\g<1>{shown}", text, flags=re.M)
    return text


def _shown(source: Path, name: str) -> str:
    """A page that shows a text file, or lists a folder; the site's search leaves it out."""
    head = f"---\nsearch:\n  exclude: true\n---\n\n# `{name}`\n\n"
    if source.is_dir():
        inside = sorted(path.name for path in source.iterdir() if not path.name.startswith((".", "__pycache__")))
        return head + "".join(f"- `{entry}`\n" for entry in inside)
    return f"{head}````{LANGUAGES.get(source.suffix, 'text')}\n{source.read_text('utf-8')}\n````\n"


def _copy(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def navigation_errors(names: list[str], navigation: list[Any]) -> list[str]:
    """Pages that the site's menu leaves out, and entries of the menu that are no page."""
    listed = [name for name in _entries(navigation) if not name.startswith(f"{REPORT}/")]  # written into the built site
    left_out = [f"{name} is missing from nav in {CONFIGURATION}" for name in names if name not in listed]
    return left_out + [f"nav in {CONFIGURATION} names {name}, which is no page" for name in listed if name not in names]


def _entries(navigation: list[Any]) -> Iterator[str]:
    for entry in navigation:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict):
            for value in entry.values():
                yield from [value] if isinstance(value, str) else _entries(value)
