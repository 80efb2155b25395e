"""Code that ships with an installation: loaded where it belongs, else compiled, and never written to."""

import shutil
import zipfile

import pytest
from numba.core.registry import cpu_target

from tests.compile_cache.kernels import RIGHT
from tests.compile_cache.test_files import DAMAGES
from wallsim import jit
from wallsim.compile_cache import files, kernel_cache
from wallsim.compile_cache.files import BASELINES, VARIABLE, Baseline, ShippedCode, shipped_code
from wallsim.compile_cache.kernel_cache import archive_here, code_of_installation


@pytest.fixture
def this_machine():
    """A baseline for which the code of this machine is."""
    _, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return Baseline(processor, features)


@pytest.fixture
def archive(small, tmp_path):
    """The code of the small kernels as it ships; the private cache is empty."""
    file = tmp_path / "code.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in small.cache.iterdir():
            packed.write(path, f"{small.cache.name}/{path.name}")
    empty(small)
    return file


@pytest.fixture
def ship(monkeypatch):
    """Lets the code in a file belong to the installation."""

    def ship(archive, baseline):
        code = ShippedCode(archive, baseline)
        monkeypatch.setattr(jit, "_SHIPPED", code)
        return code

    return ship


def empty(small):
    """Delete the private code of the small kernels."""
    shutil.rmtree(small.cache)
    small.cache.mkdir()


# -------------------------------------------------------------------------------------------- loading


def test_shipped_code_is_loaded_and_nothing_is_compiled_or_written(small, archive, this_machine, monkeypatch):
    """From a link, too, as installers may make it."""
    before = archive.read_bytes()
    link = archive.with_name("link.zip")
    link.symlink_to(archive)
    monkeypatch.setattr(jit, "_SHIPPED", shipped_code(link, this_machine))
    assert jit.is_compiled()
    small.assert_right(compiled=0)
    assert list(small.cache.iterdir()) == []
    assert archive.read_bytes() == before


@pytest.mark.parametrize("left_alone", [ShippedCode.left_alone, lambda code: jit.compiling_for_this_machine()])
def test_shipped_code_can_be_left_alone_and_the_private_cache_comes_first(
    small, archive, ship, this_machine, monkeypatch, left_alone
):
    with left_alone(ship(archive, this_machine)):
        small.assert_right(compiled=4)
    monkeypatch.setattr(ShippedCode, "key", lambda *_: pytest.fail("the private cache has it"))
    small.assert_right(compiled=0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_archive_costs_only_time(small, archive, ship, this_machine, damage):
    """What is damaged is compiled, and stays as it is; what is whole may be loaded."""
    ship(archive, this_machine)
    DAMAGES[damage](archive)
    before = [(path.name, path.lstat().st_mode, path.lstat().st_size) for path in archive.parent.iterdir()]
    assert small.answers() == RIGHT
    compiled = small.compiled
    assert [(path.name, path.lstat().st_mode, path.lstat().st_size) for path in archive.parent.iterdir()] == before
    assert len(small.files("nbc")) == compiled
    small.assert_right(compiled=0)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_flipped_bit_is_found_although_the_zip_file_agrees_with_it(small, archive, ship, this_machine, ending):
    with zipfile.ZipFile(archive) as packed:
        content = {name: bytearray(packed.read(name)) for name in packed.namelist()}
    for name, data in content.items():
        data[len(data) // 2] ^= name.endswith(ending)
    with zipfile.ZipFile(archive, "w") as packed:
        for name, data in content.items():
            packed.writestr(name, bytes(data))
    ship(archive, this_machine)
    small.assert_right(compiled=4)


@pytest.mark.parametrize("part", ["processor", "features", "source"])
def test_code_for_another_baseline_or_of_another_source_is_not_loaded(small, archive, ship, this_machine, part):
    right = RIGHT
    if part == "source":
        small.source.write_text(small.source.read_text("utf-8").replace("+ 1", "+ 2"), "utf-8")
        right = (*RIGHT[:2], 29)
    ship(archive, this_machine._replace(**({} if part == "source" else {part: "another"})))
    small.assert_right(compiled=4, right=right)


# ------------------------------------------------------------------------------- which file belongs here


@pytest.mark.parametrize("baseline", BASELINES.values())
def test_a_machine_needs_every_feature_of_a_baseline(baseline):
    all_of_them = baseline.features.split(",")
    assert baseline.runs_with(",".join([*all_of_them, "+another", "-missing"]))
    for feature in all_of_them:
        without = [each for each in all_of_them if each != feature]
        for instead in (feature.replace("+", "-"), f"{feature}512", "+another"):
            assert not baseline.runs_with(",".join([*without, instead]))


@pytest.fixture
def machine(monkeypatch):
    """A machine with all features of version 3, which the caller may change."""
    monkeypatch.setattr(files.platform, "machine", lambda: "x86_64")
    features = BASELINES["x86_64"].features.split(",")
    monkeypatch.setattr(kernel_cache, "get_host_cpu_features", lambda: ",".join(features))
    return features


def test_the_name_changes_with_all_that_code_depends_on(machine, monkeypatch):
    names = {archive_here()}
    for owner, name, value in (
        (kernel_cache.numba, "__version__", "0.0"),
        (kernel_cache.sys.modules["llvmlite"], "__version__", "0.0"),
        (files.sys.implementation, "cache_tag", "cpython-39"),
        (files.sys, "platform", "elsewhere"),
        *((kernel_cache.config, name, "other") for name in ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "ENABLE_AVX")),
        (kernel_cache, "digest_with", lambda *_: "of other sources"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            names.add(archive_here())
    assert len(names) == 10


def test_only_an_installation_that_has_the_file_ships_code(machine, tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "PACKAGE", tmp_path)
    assert code_of_installation() is None
    file = tmp_path / "_data" / "compiled" / archive_here()
    file.parent.mkdir(parents=True)
    file.touch()
    assert code_of_installation() is not None
    for setting in ("CPU_NAME", "CPU_FEATURES"):
        with monkeypatch.context() as patch:
            patch.setattr(kernel_cache.config, setting, "")
            assert code_of_installation() is None, "a processor is named"
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "0")
        assert code_of_installation() is None
    machine.remove("+bmi2")
    assert code_of_installation() is archive_here() is None, "it lacks a feature"
    monkeypatch.setattr(files.platform, "machine", lambda: "riscv64")
    assert archive_here() is None, "there is no such baseline"
