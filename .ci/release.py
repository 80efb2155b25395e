"""Checks a release and builds its wheels: the one for all machines, and the one with machine code for this kind.

A release has one version everywhere, a dated page of the changelog, figures of this engine, and pages that follow from
the figures.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import compiled_wheel

from wallsim.engine.version import ENGINE_VERSION

ROOT = Path(__file__).resolve().parents[1]
_PAGE = re.compile(r"^## (\S+)(?: \((\d{4}-\d\d-\d\d), engine version (\d+)\))?$(.*?)(?=^## |\Z)", re.M | re.S)
# The pages of pictures that depend on the installed libraries of the system.
_DIFFERS = {"docs/studies/draft-picks.pdf"}


def problems(root: Path) -> Iterator[str]:
    """What keeps a checkout from being released, one line each; its pages are not looked at."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    pages = _PAGE.findall((root / "CHANGELOG.md").read_text("utf-8"))
    if pages and pages[0][0] == "Unreleased":
        if pages.pop(0)[3].strip():
            yield f'CHANGELOG.md: "Unreleased" has entries; they belong to the page of a version, such as {version}'
    if not pages or pages[0][0] != version:
        yield f"CHANGELOG.md: the newest version is {pages[0][0] if pages else 'missing'}; pyproject.toml has {version}"
    elif not pages[0][1]:
        yield f"CHANGELOG.md: {version} needs its date and engine version, as (2026-11-27, engine version 4)"
    elif int(pages[0][2]) != ENGINE_VERSION:
        yield f"CHANGELOG.md: {version} names engine version {pages[0][2]}; the engine has {ENGINE_VERSION}"
    cited = re.search(r"^version: (.*)$", (root / "CITATION.cff").read_text("utf-8"), re.M)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff: version is {cited[1] if cited else 'missing'}; pyproject.toml has {version}"
    for file in sorted((root / "data" / "figures").glob("*.toml")):
        register = tomllib.loads(file.read_text("utf-8"))
        engines = [register[name]["engine"] for name in ("played", "carried") if name in register]
        if engines and ENGINE_VERSION not in engines:
            yield f"{file.relative_to(root)}: of engine {engines[-1]}; the engine has {ENGINE_VERSION}"


def changed_files(root: Path) -> list[str]:
    """The files that git tracks and that differ from the last commit, and new ones."""
    listing = subprocess.run(
        ["git", "-C", str(root), "status", "--porcelain", "-z"], check=True, capture_output=True, text=True
    )
    return [line[3:] for line in listing.stdout.split("\0") if line]


def main(target: str) -> None:
    """Check everything, then build; SystemExit with what is wrong."""
    wrong = list(problems(ROOT))
    wrong += [f"{name}: is not committed" for name in changed_files(ROOT)]
    if not wrong:
        subprocess.run([sys.executable, "-P", "-m", "wallsim", "study", "--all", "--page"], cwd=ROOT, check=True)
        changed = set(changed_files(ROOT))
        subprocess.run(["git", "-C", str(ROOT), "checkout", "--quiet", "--", *_DIFFERS], check=True)
        wrong = [f"{name}: is not what the figures say; commit what changed" for name in sorted(changed - _DIFFERS)]
    if wrong:
        raise SystemExit("\n".join(wrong))
    if target != "--check":
        print(compiled_wheel.build_wheel(None, Path(target)))
        compiled_wheel.main(Path(target))


if __name__ == "__main__":
    main(sys.argv[1])
