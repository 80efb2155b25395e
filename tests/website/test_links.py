"""Every link between the project's Markdown files leads to a file of the project and to an anchor in it."""

import pytest
from website.links import link_errors, markdown_files, target_of
from website.markdown import links

from tests.refusals import assert_names
from tests.test_architecture import ROOT, tracked_files


@pytest.fixture
def project(tmp_path):
    """A project of a README and two pages."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Game\n\n[towers](docs/towers.md#the-urn)\n", "utf-8")
    (tmp_path / "docs" / "towers.md").write_text("# Towers\n\n## The urn\n\n[game](../README.md)\n", "utf-8")
    return tmp_path


def test_links_lead_to_files_that_git_keeps():
    tracked = set(tracked_files())
    tracked |= {folder for path in tracked for folder in path.parents}
    for page in markdown_files(ROOT):
        for link in links(page.read_text("utf-8")):
            named = target_of(page, link)
            assert named is None or named[0] in tracked, f"{page.name}, line {link.line}: {link.target}"


@pytest.mark.parametrize(
    ("target", "about"),
    [
        ("tower.md", "exist"), ("towers.md#vase", "anchor"), ("#vase", "anchor"), ("/docs/towers.md", "top"),
        ("../../secret.md", "outside"), ("rules.toml#3", "has none"),
    ],
)  # fmt: skip
def test_a_dead_link_is_named_with_its_line(project, target, about):
    (project / "docs" / "rules.toml").write_text("", "utf-8")
    page = project / "docs" / "more.md"
    sound = "[numba](https://numba.pydata.org/#x) [mail](mailto:nobody@example.org) [game](../README.md)"
    page.write_text(f"# More {sound}\n\n[dead]({target})\n", "utf-8")
    [error] = link_errors(page, project)
    assert_names(error, f"line 3: {target}", about)
