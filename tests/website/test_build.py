"""The site is built from the pages and docstrings, shows its version, and is refused with a dead link."""

import json
import re
import shutil
import tomllib

import pytest
import website.build
from website.api import api_entries
from website.build import SiteError, build, check_out, configuration, list_versions, version_of
from website.built import built_errors
from website.generated import generated_names
from website.notebooks import notebook_names, page_of
from website.pages import API_PAGE, API_SOURCE, navigation_errors, page_names
from website.report import REPORT, write_report

import wallsim
from tests.refusals import assert_names, refused
from tests.test_architecture import ROOT
from wallsim import errors
from wallsim.analyses.strategy_report import pages

NOTEBOOKS = [page_of(name) for name in notebook_names(ROOT)]
NAVIGATION = tomllib.loads(configuration(ROOT))["project"]["nav"]
REPORT_PAGES = re.findall(r'"(report/[\w.]+)"', configuration(ROOT))
API_ENTRIES = api_entries(ROOT)
FUNCTION = '''

def {name}(games: int) -> str:
    """Count the games of {name}.

    Parameters
    ----------
    games
        Number of games.
    """
    return str(games)
'''


def write_stubs(root, site):
    """Pages of the report without anything in them."""
    for name in REPORT_PAGES:
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text("<!doctype html><title>stub</title>", "utf-8")
    return []


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A checkout with the site's true configuration and menu, pages of a title each, and a package of stubs."""
    root = tmp_path / "project"
    monkeypatch.setattr(website.build, "write_report", write_stubs)
    monkeypatch.setattr(website.build, "figure_errors", lambda root: [])  # tests/docs/test_study_pages.py checks them
    shutil.copytree(ROOT / ".ci" / "website", root / ".ci" / "website")
    for name in re.findall(r'"([\w/]+[-\w]*\.md)"', configuration(ROOT)):
        if name != API_PAGE:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f"# Page {name}\n", "utf-8")
    for entry in set(API_ENTRIES) - {"wallsim.errors"}:
        *folders, name = entry.split(".")
        module = root.joinpath(*folders, "__init__.py")
        module.parent.mkdir(parents=True, exist_ok=True)
        for depth in range(1, len(folders)):
            root.joinpath(*folders[:depth], "__init__.py").touch()
        with module.open("a", encoding="utf-8") as stubs:
            stubs.write(FUNCTION.format(name=name))
    (root / "wallsim" / "errors.py").write_text('"""Errors."""\n\nclass Oops(Exception):\n    """All."""\n', "utf-8")
    (root / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', "utf-8")
    return root


@pytest.fixture
def work(tmp_path):
    """The folder to build in."""
    folder = tmp_path / "build"
    folder.mkdir()
    return folder


def page(root, name, text):
    """Write a page of the project."""
    (root / name).write_text(text, "utf-8")


def test_the_site_has_search_a_dark_scheme_its_version_the_report_and_the_docstrings(project, work):
    (project / "data").mkdir()
    page(project, "data/mid.toml", "p = 0.7\n")
    page(project, "README.md", "# Front\n\n[urn](docs/towers.md#the-urn), [file](data/mid.toml), [all](data)\n")
    page(project, "docs/towers.md", "# Towers\n\n## The urn\n\nCubes.\n")
    assert build(project, work) == "1.2.3"
    site = work / "site" / "1.2.3"
    front, api = ((site / name).read_text("utf-8") for name in ("index.html", "docs/api.html"))
    assert REPORT_PAGES == [f"{REPORT}/{name}" for name in (pages.INDEX, pages.TONIGHT, pages.COUNTIES, pages.OPENINGS)]
    linked = ("docs/towers.html#the-urn", *(f"./{page}" for page in REPORT_PAGES))
    assert_names(front, "1.2.3", "slate", *(f'href="{target}"' for target in linked))
    assert "Cubes" in (site / "search.json").read_text("utf-8")
    assert (site / "data" / "mid.toml.html").exists()
    assert (site / "data.html").exists()
    assert_names(api, *(f'id="{entry}"' for entry in API_ENTRIES), "Number of games.", "Oops")


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("docs/towers.md", "# Towers\n\n![none](none.png)\n", ["docs/towers.md: line 3: none.png"]),
        ("docs/stray.md", "# Stray\n", ["docs/stray.md", "nav"]),
        ("docs/towers.md", "# Towers\n\n<script src='https://example.org/x.js'></script>\n", ["another site"]),
        (API_SOURCE, "# API\n\n::: wallsim.none\n", ["no wallsim.none"]),
        (API_SOURCE, "# API\n\n::: wallsim\n", ["no wallsim"]),
        ("wallsim/errors.py", "class Oops(Exception): ...\n", ["wallsim.errors", "docstring"]),
    ],
)
def test_an_error_stops_the_build(project, work, name, text, named):
    page(project, name, text)
    with refused(*named, by=SiteError):
        build(project, work)


@pytest.mark.parametrize("part", ["figure_errors", pytest.param("write_report", marks=pytest.mark.slow)])
def test_a_wrong_number_or_a_failing_report_stops_the_build(project, work, monkeypatch, part):
    monkeypatch.setattr(website.build, part, lambda *_: ["price.md: 3.1 VP"])
    with refused("3.1 VP", by=SiteError):
        build(project, work)


def test_a_version_from_before_the_site_is_refused_by_its_number(project, work):
    shutil.rmtree(project / ".ci" / "website")
    with refused("1.2.3", "no site", by=SiteError):
        build(project, work)


def test_a_report_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "wallsim").mkdir()  # it stands before an installed one
    (tmp_path / "wallsim" / "__init__.py").touch()
    (tmp_path / "wallsim" / "__main__.py").write_text("raise SystemExit('broken')", "utf-8")
    [error] = write_report(tmp_path, tmp_path / "site")
    assert_names(error, "wallsim report", "broken")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is no git here")
def test_a_tag_is_unpacked_and_an_unknown_one_refused(tmp_path):
    assert version_of(check_out("HEAD", tmp_path / "head"))
    with refused("v999", by=SiteError):
        check_out("v999", tmp_path / "none")


def test_versions_are_listed_newest_first_and_the_front_leads_to_the_one_built_last(tmp_path):
    for version in ("0.6.0", "0.10.0", "0.9.1"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").touch()
    list_versions(tmp_path, "0.10.0")
    listed = json.loads((tmp_path / "versions.json").read_text("utf-8"))
    assert [entry["version"] for entry in listed] == ["0.10.0", "0.9.1", "0.6.0"]
    assert "url=0.10.0/" in (tmp_path / "index.html").read_text("utf-8")


def test_the_built_pages_are_read_once_more(tmp_path):
    a = "<a href='b.html#there'>b</a> <a href='c.html'>c</a> <p id='x'><a href='#x'>x</a>"
    (tmp_path / "a.html").write_text(a, "utf-8")
    (tmp_path / "b.html").write_text("<p id='here'><a href='https://example.org/'>elsewhere</a>", "utf-8")
    anchor, file = built_errors(tmp_path)
    assert_names(anchor, "a.html", "b.html#there", "anchor")
    assert_names(file, "a.html", "c.html")


def test_every_page_of_the_project_is_in_the_menu_under_the_version_of_the_package():
    assert navigation_errors(page_names(ROOT) + generated_names(ROOT) + NOTEBOOKS, NAVIGATION) == []
    [studies] = [entry["Studies"] for entry in NAVIGATION if "Studies" in entry]
    named = {path: name for entry in studies[:-1] if isinstance(entry, dict) for name, path in entry.items()}
    assert "Price" in named.values()  # not the title of its page, which is a sentence
    assert studies[-1]["All tables"] == [path.replace(".md", "-tables.md") for path in named]
    assert f'site_name = "wallsim {wallsim.__version__}"' in configuration(ROOT)


def test_every_public_name_is_on_the_page_of_the_api():
    public = {name for name in wallsim.__all__ if not name.startswith("_")}
    shown = {entry.split(".")[-1] for entry in API_ENTRIES} | {name for name in public if hasattr(errors, name)}
    assert public <= shown  # the module of errors is shown whole
