"""Where a policy comes from: what its file says of it beside its numbers."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

from wallsim.rules.files import data_folder


@dataclass(frozen=True)
class Origin:
    """What is told of a policy: one line of description, its file, and what the file says besides, by paragraph."""

    description: str = ""
    file: str = ""
    notes: tuple[str, ...] = ()


def origin_of(path: Path) -> Origin:
    """The origin of a policy's file: description and comments of TOML, the docstring of Python; OSError passes.

    A file that cannot be parsed says nothing, for whoever loads the policy names its faults.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        if path.suffix == ".py":
            first, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
            notes = [" ".join(part.split()) for part in rest.split("\n\n") if part.strip()]
            return Origin(first, _shown(path), tuple(notes))
        return Origin(str(tomllib.loads(text).get("description", "")), _shown(path), tuple(_comments(text)))
    except (ValueError, SyntaxError, RecursionError):
        return Origin(file=_shown(path))


def _comments(text: str) -> list[str]:
    # Whole-line comments, those on following lines as one paragraph.
    found: list[list[str]] = []
    fresh = True
    for line in text.splitlines():
        if line.startswith("#"):
            if fresh:
                found.append([])
            found[-1].append(line.lstrip("# ").rstrip())
        fresh = not line.startswith("#")
    return [" ".join(filter(None, lines)) for lines in found if any(lines)]


def _shown(path: Path) -> str:
    home = data_folder("policies")
    return f"data/policies/{path.name}" if path.resolve().parent == home.resolve() else str(path)
