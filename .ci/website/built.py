"""Checks the built site: every link in its pages, written or made by the tool, leads to a file and an anchor."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """Collects the ids of a page and the targets of its links, pictures, styles and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            if name in ("href", "src") and value:
                self.targets.append(value)
                if name == "src" or tag == "link":
                    self.loaded.append(value)


def read_page(path: Path) -> _Page:
    """One page of the site, parsed."""
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def built_errors(site: Path) -> list[str]:
    """Dead links of all pages below a folder, and what they would load from other sites, one a line."""
    pages = {path.resolve(): read_page(path) for path in sorted(site.rglob("*.html"))}
    errors = []
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        errors += [f"{name}: loads {target} from another site" for target in page.loaded if urlsplit(target).netloc]
        if path.name == "404.html":  # shown under any address, so its links start at the top
            continue
        for target in dict.fromkeys(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            linked = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            linked = linked / "index.html" if linked.is_dir() else linked
            anchor = unquote(parts.fragment)
            if not linked.exists():
                errors.append(f"{name}: {target} does not exist")
            elif anchor and linked in pages and anchor not in pages[linked].ids:
                errors.append(f"{name}: {target} names an anchor that is not there")
    return errors
