"""The description and comments of a policy's file."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from wallsim.policies.catalogue import is_policy_file
from wallsim.rules.files import data_folder, read_input, read_toml

_ABSOLUTE = re.compile(r"(?<![^\s'\",=])~?/(?:[^\s/'\",]+/)+")  # folders before a name, as in the command of a tuning


@dataclass(frozen=True)
class Origin:
    """The origin of a policy: one line of description, its file, and the paragraphs of the file's comments."""

    description: str = ""
    file: str = ""
    notes: tuple[str, ...] = ()


def origin_of(name_or_path: str) -> Origin:
    """The origin of a policy as `load_policy` names it: description and comments of TOML, the docstring of Python.

    A file that cannot be parsed gives neither, since loading the policy reports its errors. OSError if it cannot be
    read.
    """
    home = data_folder("policies")
    path = Path(name_or_path) if is_policy_file(name_or_path) else home / f"{name_or_path}.toml"
    text = read_input(path).decode("utf-8", "replace")
    try:
        if path.suffix == ".py":
            first, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
            notes = [" ".join(part.split()) for part in rest.split("\n\n") if part.strip()]
            return Origin(first, _shown(path), tuple(notes))
        return Origin(str(read_toml(text).get("description", "")), _shown(path), tuple(_comments(text)))
    except (ValueError, SyntaxError, RecursionError):
        return Origin(file=_shown(path))


def _comments(text: str) -> list[str]:
    # Whole-line comments; those on consecutive lines are one paragraph.
    paragraphs: list[list[str]] = []
    fresh = True
    for line in text.splitlines():
        if line.startswith("#"):
            if fresh:
                paragraphs.append([])
            paragraphs[-1].append(line.lstrip("# ").rstrip())
        fresh = not line.startswith("#")
    return [_ABSOLUTE.sub("", " ".join(filter(None, lines))) for lines in paragraphs if any(lines)]


def _shown(path: Path) -> str:
    inside = path.resolve().parent == data_folder("policies").resolve()
    return f"data/policies/{path.name}" if inside else path.name  # a page is for others, too: no path of this machine
