"""Every link between the project's Markdown files leads to a file of the project and to an anchor in it."""

import pytest
from website.links import errors_of, link_errors, markdown_files, target_of
from website.markdown import links

from tests.test_architecture import ROOT, tracked_files


@pytest.fixture
def project(tmp_path):
    """A project of a README and two pages."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Game\n\n[towers](docs/towers.md#the-urn)\n", "utf-8")
    (tmp_path / "docs" / "towers.md").write_text("# Towers\n\n## The urn\n\n[game](../README.md)\n", "utf-8")
    return tmp_path


@pytest.mark.slow
def test_no_page_of_the_project_has_a_dead_link():
    errors = errors_of(ROOT)
    assert not errors, "\n".join(errors)


def test_links_lead_to_files_that_git_keeps():
    tracked = set(tracked_files())
    tracked |= {folder for path in tracked for folder in path.parents}
    for page in markdown_files(ROOT):
        for link in links(page.read_text("utf-8")):
            named = target_of(page, link)
            assert named is None or named[0] in tracked, f"{page.name}, line {link.line}: {link.target}"


def test_sound_links_are_no_error(project):
    assert errors_of(project) == []


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("tower.md", "tower.md does not exist"),
        ("towers.md#the-vase", "towers.md#the-vase names an anchor that is not there"),
        ("#the-vase", "#the-vase names an anchor that is not there"),
        ("/docs/towers.md", "/docs/towers.md starts at the top of the site; write it from the page's own folder"),
        ("../../secret.md", "../../secret.md lies outside the project"),
        ("rules.toml#3", "rules.toml#3 names an anchor of a file that has none"),
    ],
)
def test_a_dead_link_is_named_with_its_line(project, target, error):
    (project / "docs" / "rules.toml").write_text("", "utf-8")
    page = project / "docs" / "more.md"
    page.write_text(f"# More\n\n[dead]({target})\n", "utf-8")
    assert link_errors(page, project) == [f"line 3: {error}"]


def test_links_to_other_sites_are_left_alone(project):
    page = project / "docs" / "more.md"
    page.write_text("[numba](https://numba.pydata.org/#x) [mail](mailto:nobody@example.org)\n", "utf-8")
    assert link_errors(page, project) == []
