"""Builds a wheel with machine code for a common denominator of processors, and lets it play before anyone gets it.

The code belongs to one minor version of Python, one version of Numba and one of llvmlite; installed beside others, the
wheel compiles like any other.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

from wallsim.compile_cache.files import FOLDER, VARIABLE, Baseline, baseline_here

ROOT = Path(__file__).resolve().parents[1]
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of all files in an archive
_CHECKED = ("--games", "300", "--policies", "random,balanced,strong-4p,balanced", "--seed", "7", "--battles", "--quiet")


def environment(cache: Path, package: Path, **others: str) -> dict[str, str]:
    """The environment of a process that plays with the package in a folder and no settings of Numba but those given."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return {**plain, "WALLSIM_CACHE_DIR": str(cache), "PYTHONPATH": str(package), **others}


def wallsim(words: list[str], variables: dict[str, str]) -> None:
    """Run a command of wallsim; raises CalledProcessError if it fails."""
    subprocess.run(
        [sys.executable, "-P", "-m", "wallsim", *words], env=variables, check=True, stdout=subprocess.DEVNULL
    )


def compile_archive(baseline: Baseline, folder: Path) -> Path:
    """Compile everything for a baseline, and pack the code of the package's files under the name that is looked for.

    SystemExit if this machine, which plays with the code, lacks a feature of the baseline.
    """
    from wallsim.compile_cache.kernel_cache import archive_here  # imports Numba, which then reads its settings

    name = archive_here()
    if name is None:
        raise SystemExit(f"this machine lacks features of {baseline.processor}; build on one that has them")
    cache, archive = folder / "cache", folder / name
    numba = {"NUMBA_CPU_NAME": baseline.processor, "NUMBA_CPU_FEATURES": baseline.features}
    wallsim(["warm"], environment(cache, ROOT, **numba))
    [compiled] = [place for place in cache.iterdir() if place.is_dir()]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(compiled.glob("wallsim.*/*.nb[ic]")):
            entry = zipfile.ZipInfo(file.relative_to(compiled).as_posix(), _EPOCH)
            packed.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=9)
    return archive


def build_wheel(archive: Path | None, folder: Path) -> Path:
    """Build the wheel with an archive, for this Python and kind of machine; without one, the wheel for all."""

    class CompiledWheel(WheelBuilder):
        def get_default_build_data(self) -> dict[str, Any]:
            data = super().get_default_build_data()
            if archive is not None:
                place = sysconfig.get_platform().replace("-", "_").replace(".", "_")
                data["tag"] = f"cp{sys.version_info.major}{sys.version_info.minor}-none-{place}"
                data["force_include"] = {str(archive): f"wallsim/{(FOLDER / archive.name).as_posix()}"}
            return data

    [wheel] = CompiledWheel(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(wheel)


def check_wheel(wheel: Path, folder: Path, cache: Path) -> None:
    """Play with an unpacked wheel; SystemExit if it compiles, or if code that is compiled here plays other bytes.

    `cache` is the compile cache of the latter, which may be warm.
    """
    installed = folder / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    fresh = folder / "fresh"
    wallsim(["run", *_CHECKED, "--out", str(folder / "shipped")], environment(fresh, installed))
    if compiled := sorted(fresh.rglob("*.nbc")):
        raise SystemExit(f"{wheel.name} compiles: {', '.join(file.name for file in compiled)}")
    wallsim(["run", *_CHECKED, "--out", str(folder / "own")], environment(cache, installed, **{VARIABLE: "0"}))
    if tables(folder / "shipped") != tables(folder / "own"):
        raise SystemExit(f"{wheel.name}: shipped code plays other bytes than code that is compiled for this machine")


def tables(run: Path) -> dict[str, bytes]:
    """The bytes of a run's tables by file name."""
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in sorted(run.rglob("*.parquet"))}


def main(target: Path) -> None:
    """Compile, build and check a wheel, and print its path."""
    baseline = baseline_here()
    if baseline is None:
        raise SystemExit("there is no baseline for this kind of processor in wallsim/compile_cache/files.py")
    for setting in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[setting]  # of which the name of the archive would be
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheel = build_wheel(compile_archive(baseline, folder), target)
        check_wheel(wheel, folder, folder / "cache")
    print(wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
