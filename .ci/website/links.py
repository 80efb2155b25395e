"""Checks that every link between Markdown files leads somewhere: to a file that exists, and to an anchor in it."""

from pathlib import Path
from urllib.parse import unquote

from website.markdown import Link, anchors, links, reading_errors

ELSEWHERE = ("http://", "https://", "mailto:")
PAGE_FOLDERS = ("docs", "data")  # and the top folder, but nothing below its other folders


def markdown_files(root: Path) -> list[Path]:
    """The Markdown files of a checkout: those of the top folder, of docs and of data."""
    inside = [path for folder in PAGE_FOLDERS for path in (root / folder).rglob("*.md")]
    return sorted([*root.glob("*.md"), *inside])


def target_of(page: Path, link: Link) -> tuple[Path, str] | None:
    """(file or folder, anchor without its #) that a link of a page names; None for links to other sites."""
    if link.target.startswith(ELSEWHERE):
        return None
    path, _, anchor = link.target.partition("#")
    return (page.parent / unquote(path)).resolve() if path else page.resolve(), unquote(anchor)


def link_errors(page: Path, root: Path) -> list[str]:
    """What is wrong with a page's links, one `line N: ...` for each, in the order of the lines."""
    errors = []
    for link in links(page.read_text("utf-8")):
        error = _error(page, link, root.resolve())
        if error:
            errors.append(f"line {link.line}: {link.target} {error}")
    return errors


def _error(page: Path, link: Link, root: Path) -> str | None:
    if link.target.startswith("["):
        return "is defined nowhere in the page"
    named = target_of(page, link)
    if named is None:
        return None
    if link.target.startswith("/"):
        return "starts at the top of the site; write it from the page's own folder"
    path, anchor = named
    if not path.is_relative_to(root):
        return "lies outside the project"
    if not path.exists():
        return "does not exist"
    if not anchor:
        return None
    if path.suffix != ".md":
        return "names an anchor of a file that has none"
    return None if anchor in anchors(path.read_text("utf-8")) else "names an anchor that is not there"


def page_errors(page: Path, root: Path) -> list[str]:
    """All errors of a page: its dead links, and lists that the site would not render as GitHub does."""
    reading = [f"line {line}: {error}" for line, error in reading_errors(page.read_text("utf-8"))]
    return link_errors(page, root) + reading


def errors_of(root: Path) -> list[str]:
    """The errors of all Markdown files of a checkout, each as `file: line N: ...`."""
    return [f"{page.relative_to(root)}: {error}" for page in markdown_files(root) for error in page_errors(page, root)]
