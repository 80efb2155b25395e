"""What an installed wallsim holds besides its modules."""

import zipfile

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.test_architecture import ROOT


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """The names of the files in the wheel."""
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_package_is_marked_as_typed(names):
    assert "wallsim/py.typed" in names


def test_the_wheel_has_every_board_policy_and_tower(names):
    for path in (ROOT / "data").rglob("*"):
        assert path.is_dir() or f"wallsim/_data/{path.relative_to(ROOT / 'data').as_posix()}" in names


def test_the_wheel_has_the_package_and_nothing_of_the_rest(names):
    assert {name.split("/")[0].split("-")[0] for name in names} == {"wallsim"}
