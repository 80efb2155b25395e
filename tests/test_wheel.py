"""What an installed wallsim holds besides its modules."""

import re
import zipfile

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.test_architecture import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The file of the wheel."""
    [file] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    return file


@pytest.fixture(scope="module")
def names(wheel):
    """The names of the files in the wheel."""
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_long_description_is_the_readme_and_needs_no_file_beside_it(wheel, names):
    [place] = [name for name in names if name.endswith(".dist-info/METADATA")]
    text = zipfile.ZipFile(wheel).read(place).decode()
    assert "Description-Content-Type: text/markdown" in text
    assert "\n## A first result\n" in text
    assert [target for target in re.findall(r"\]\(([^)]*)\)", text) if not target.startswith("https:")] == []


def test_every_python_that_is_supported_is_a_classifier(wheel, names):
    [place] = [name for name in names if name.endswith(".dist-info/METADATA")]
    text = zipfile.ZipFile(wheel).read(place).decode()
    named = re.findall(r"^Classifier: Programming Language :: Python :: 3\.(\d+)$", text, re.MULTILINE)
    least = int(re.search(r"^Requires-Python: >=3\.(\d+)$", text, re.MULTILINE)[1])
    assert sorted(map(int, named)) == list(range(least, 15))


def test_the_package_is_marked_as_typed(names):
    assert "wallsim/py.typed" in names


def test_the_wheel_has_every_board_policy_and_tower(names):
    for path in (ROOT / "data").rglob("*"):
        assert path.is_dir() or f"wallsim/_data/{path.relative_to(ROOT / 'data').as_posix()}" in names


def test_the_wheel_has_the_package_and_nothing_of_the_rest(names):
    assert {name.split("/")[0].split("-")[0] for name in names} == {"wallsim"}
