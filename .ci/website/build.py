"""Builds the docs site: `.ci/docs [--quick] [TAG ...]` runs it. Fails on dead links and missing anchors.

Without a tag it builds the checkout into build/site/VERSION, with one also the project as it was at that tag. The list
of versions in the header comes from build/site/versions.json and holds every version that lies there. The checkout's
notebooks have their results: they are run unless build/notebooks has them. With --quick they are not run, and those
that build/notebooks does not have are shown without results, as are those of tags.
"""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from wallsim.studies.catalogue import questions
from website.api import api_errors
from website.built import built_errors
from website.figures import figure_errors
from website.generated import generated_names, lay_out_generated
from website.links import errors_of
from website.notebooks import NotebookError, lay_out_notebooks, navigation_of, notebook_names, page_of
from website.pages import CONFIGURATION, lay_out, navigation_errors, page_names
from website.report import REPORT, write_report

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
STUDIES, TABLES = "docs/studies", "-tables"  # the folder of the pages, and the end of the names of those of tables
QUICK = "--quick"
FIRST = "0.6.0"  # the first version that has a site
FRONT = '<!doctype html><meta charset="utf-8"><title>wallsim</title><meta http-equiv="refresh" content="0; url={}/">\n'


def version_of(root: Path) -> str:
    """The package's version in a checkout."""
    return str(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"])


class SiteError(Exception):
    """The site cannot be built; the message lists the errors."""


def configuration(root: Path) -> str:
    """The text of the site's configuration for a checkout, with version, folder, pages of studies and notebooks."""
    text = (root / CONFIGURATION).read_text("utf-8").replace("# NOTEBOOKS\n", navigation_of(root))
    text = text.replace('"STUDIES"', ", ".join(_entries_of_studies(root))).replace('"SOURCES"', json.dumps(str(root)))
    return text.replace("VERSION", version_of(root))


def _entries_of_studies(root: Path) -> list[str]:
    """The menu of the studies: each by its name, since its page is titled by its finding; then their tables."""
    paths = sorted((root / STUDIES).glob("*.md"), key=lambda path: (path.stem != "index", path.name))
    pages = {path.stem: json.dumps(f"{STUDIES}/{path.name}") for path in paths}
    tables = {name.removesuffix(TABLES): entry for name, entry in pages.items() if name.endswith(TABLES)}
    titles = {name: question.partition(":")[0] for name, question in questions().items() if name in pages}
    for name in tables:
        heading = (root / STUDIES / f"{name}{TABLES}.md").read_text("utf-8").partition("\n")[0]
        titles[name] = heading.removeprefix("# ").partition(":")[0]
    entries = []
    for name, entry in pages.items():
        if name in titles:
            entries.append(f"{{ {json.dumps(titles[name])} = {entry} }}")
        elif not name.endswith(TABLES):
            entries.append(entry)
    every = [json.dumps(f"{STUDIES}/{name}{TABLES}.md") for name in pages if name in titles]
    return [*entries, f'{{ "All tables" = [{", ".join(every)}] }}'] if every else entries


def build(root: Path, work: Path, checked: bool = True, run: bool = True) -> str:
    """Build the site of a checkout into the folder `site` of `work` and return its version.

    Notebooks are `run` unless the folder `notebooks` of `work` has them; NotebookError if one fails.
    SiteError on any error of its pages; not `checked`, only if nothing can be built. A version of old passed the checks
    of its day, and today's may ask for more.
    """
    version = version_of(root)
    if not (root / CONFIGURATION).exists():
        raise SiteError(f"version {version} has no site; {FIRST} is the first that has one")
    configured = configuration(root)
    if checked:
        _refuse("in the Markdown", errors_of(root))
        _refuse(
            "in the menu",
            navigation_errors(
                page_names(root) + generated_names(root) + [page_of(name) for name in notebook_names(root)],
                tomllib.loads(configured)["project"]["nav"],
            ),
        )
        _refuse("in the page of the API", api_errors(root))
        _refuse("in the published figures", figure_errors(root))
    lay_out(root, work / "pages")
    lay_out_generated(root, work / "pages")
    lay_out_notebooks(root, work / "pages", work / "notebooks", run=run)
    config = work / "zensical.toml"
    config.write_text(configured, "utf-8")
    site = work / "site" / version
    shutil.rmtree(site, ignore_errors=True)
    zensical = Path(sys.executable).with_name("zensical")
    command: list[str | Path] = [zensical, "build", "--clean", "-f", config]
    if subprocess.run([*command, "--strict"] if checked else command, check=False).returncode:
        raise SiteError(f"the site of version {version} has the errors above")
    if f'"{REPORT}/' in configured:
        _refuse("in the strategy report", write_report(root, site))
    if checked:
        _refuse("in the built site", built_errors(site))
    return version


def _refuse(where: str, errors: list[str]) -> None:
    if errors:
        raise SiteError(f"errors {where}:\n" + "\n".join(errors))


def list_versions(site: Path, newest: str) -> None:
    """Write the list of versions that the header shows, newest first, and the page that leads to `newest`."""

    def order(version: str) -> tuple[int, ...]:
        return tuple(int(part) for part in version.split(".") if part.isdigit())

    versions = sorted((path.parent.name for path in site.glob("*/index.html")), key=order, reverse=True)
    listed = [{"version": version, "title": version, "aliases": []} for version in versions]
    (site / "versions.json").write_text(json.dumps(listed, indent=1) + "\n", "utf-8")
    (site / "index.html").write_text(FRONT.format(newest), "utf-8")


def check_out(tag: str, to: Path) -> Path:
    """The project's files as they were at a tag, unpacked into a folder."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    packed = subprocess.run(["git", "-C", ROOT, "archive", tag], capture_output=True, check=False)
    if packed.returncode:
        raise SiteError(f"git knows no tag {tag!r}")
    subprocess.run(["tar", "-x", "-C", to], input=packed.stdout, check=True)
    return to


def main(arguments: list[str]) -> int:
    """Build the sites of the tags and then that of the checkout; 1 if one has an error."""
    BUILD.mkdir(exist_ok=True)
    try:
        for tag in arguments:
            if tag != QUICK:
                build(check_out(tag, BUILD / "tags" / tag), BUILD, checked=False, run=False)
        version = build(ROOT, BUILD, run=QUICK not in arguments)
    except (SiteError, NotebookError) as error:
        print(f"docs: {error}", file=sys.stderr)
        return 1
    list_versions(BUILD / "site", version)
    print("docs: built build/site; to read it: .venv/bin/python -m http.server --bind localhost -d build/site 8000")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
