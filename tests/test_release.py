"""A release has one version, a dated page of the changelog, and figures of its engine."""

import shutil
import tomllib

import pytest
import release

from tests.refusals import assert_names
from tests.test_architecture import ROOT
from wallsim.engine.version import ENGINE_VERSION

FILES = ("pyproject.toml", "CHANGELOG.md", "CITATION.cff")


@pytest.fixture
def checkout(tmp_path):
    """The files that a release is checked by, as they are here, with what is unreleased as the page of the version."""
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "data" / "figures").mkdir(parents=True)
    for file in (ROOT / "data" / "figures").glob("*.toml"):
        shutil.copy(file, tmp_path / "data" / "figures")
    text = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    version = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    head = f"\n## {version} (2026-11-27, engine version {ENGINE_VERSION})\n"
    (tmp_path / "CHANGELOG.md").write_text(text.replace("\n## Unreleased\n", head), "utf-8")
    return tmp_path


def test_this_checkout_could_be_released_but_for_what_is_unreleased(checkout):
    assert list(release.problems(checkout)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "names"),
    [
        ("CHANGELOG.md", "\n## ", "\n## Unreleased\n\n- New.\n\n## ", ["CHANGELOG.md", "Unreleased"]),
        ("CHANGELOG.md", f", engine version {ENGINE_VERSION})", ", engine version 99)", ["CHANGELOG.md", 99]),
        ("pyproject.toml", '\nversion = "', '\nversion = "7.', ["CHANGELOG.md", "pyproject.toml", "7."]),
        ("CITATION.cff", "\nversion: ", "\nversion: 7.", ["CITATION.cff", "7."]),
        ("data/figures/price.toml", f"engine = {ENGINE_VERSION}", "engine = 99", ["data/figures/price.toml", 99]),
    ],
)
def test_what_does_not_agree_is_named(checkout, file, old, new, names):
    text = (checkout / file).read_text("utf-8")
    assert old in text
    (checkout / file).write_text(text.replace(old, new, 1), "utf-8")
    assert_names("\n".join(release.problems(checkout)), *names)
