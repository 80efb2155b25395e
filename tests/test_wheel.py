"""What an installed wallsim holds besides its modules."""

import re
import sys
import zipfile

import compiled_wheel
import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.naive.rng import JIT
from tests.test_architecture import ROOT
from wallsim.compile_cache.files import baseline_here
from wallsim.compile_cache.folder import cache_folder
from wallsim.compile_cache.kernel_cache import archive_here
from wallsim.jit import source_digest


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
    assert "\n## What wins\n" in text
    assert [target for target in re.findall(r"\]\(([^)]*)\)", text) if not target.startswith("https:")] == []


def test_every_python_that_is_supported_is_a_classifier(wheel, names):
    [place] = [name for name in names if name.endswith(".dist-info/METADATA")]
    text = zipfile.ZipFile(wheel).read(place).decode()
    named = re.findall(r"^Classifier: Programming Language :: Python :: 3\.(\d+)$", text, re.MULTILINE)
    least = int(re.search(r"^Requires-Python: >=3\.(\d+)$", text, re.MULTILINE)[1])
    assert sorted(map(int, named)) == list(range(least, max(map(int, named)) + 1))


def test_the_package_is_marked_as_typed(names):
    assert "wallsim/py.typed" in names


def test_the_wheel_has_every_board_policy_and_tower(names):
    for path in (ROOT / "data").rglob("*"):
        shipped = f"wallsim/_data/{path.relative_to(ROOT / 'data').as_posix()}" in names
        assert path.is_dir() or shipped != (path.parent.name == "speed")  # which .ci/bench alone reads


def test_the_wheel_has_the_notebooks(names):
    notebooks = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert notebooks
    assert {name for name in names if name.startswith("wallsim/_data/notebooks/")} == {
        f"wallsim/_data/notebooks/{name}" for name in notebooks
    }


def test_the_wheel_has_the_texts_of_the_report(names):
    texts = [path.name for path in (ROOT / "docs" / "report").glob("*.md")]
    assert {"front.md", "readme.md"} <= {*texts}
    assert {f"wallsim/_data/report/{name}" for name in texts} <= names


def test_the_wheel_has_the_templates_of_all_pages(names):
    found = [*(ROOT / "wallsim").rglob("templates/*"), *(ROOT / "analyses").rglob("templates/*")]
    paths = [path.relative_to(ROOT).as_posix() for path in found]
    assert len(paths) > 5
    assert {path if path.startswith("wallsim/") else f"wallsim/{path}" for path in paths} <= names


def test_the_wheel_has_the_package_and_nothing_of_the_rest(names):
    assert {name.split("/")[0].split("-")[0] for name in names} == {"wallsim"}


def test_a_wheel_with_machine_code_is_for_one_python_and_kind_of_machine(tmp_path, names):
    archive = tmp_path / "code.zip"
    archive.write_bytes(b"code")
    compiled = compiled_wheel.build_wheel(archive, tmp_path)
    assert re.fullmatch(rf"wallsim-[\d.]+-cp3{sys.version_info.minor}-none-\w+\.whl", compiled.name)
    packed = zipfile.ZipFile(compiled)
    assert packed.read("wallsim/_data/compiled/code.zip") == b"code"
    sources = {name for name in packed.namelist() if ".dist-info/" not in name}
    assert sources - names == {"wallsim/_data/compiled/code.zip"}
    assert not any("compiled/" in name for name in names), "any other wheel ships none"


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")
def test_a_wheel_with_machine_code_plays_at_once_and_the_same_games(tmp_path):
    baseline = baseline_here()
    if archive_here() is None:
        pytest.skip("this machine lacks the features of a baseline")
    archive = compiled_wheel.compile_archive(baseline, tmp_path)
    assert archive.stat().st_size < 10_000_000
    wheel = compiled_wheel.build_wheel(archive, tmp_path)
    compiled_wheel.check_wheel(wheel, tmp_path, cache_folder(source_digest()).parent)

    installed = tmp_path / "installed"
    for words in (
        "trace --out {}/game.jsonl",
        "summary {}/shipped",
        "run --games 1 --policies rollout --counties --out {}/searched",
        "study price --games 64 --out {}/study",
        "report --out {}/report",
    ):
        compiled_wheel.wallsim(
            words.format(tmp_path).split(), compiled_wheel.environment(tmp_path / "fresh", installed)
        )
        assert list((tmp_path / "fresh").rglob("*.nbc")) == [], words
