"""The names of options in messages: the library names a key or a parameter of Python, a command its option."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping

from typer.models import ArgumentInfo, OptionInfo

_NAMES = re.compile(r"(\w[\w, ]*?)((?:\.[^:\s]+)?): ")


def option_names(parameters: Iterable[inspect.Parameter]) -> dict[str, str]:
    """What users call each parameter of a command: its option, or an argument in capital letters."""
    names: dict[str, str] = {}
    for parameter in parameters:
        shown = _shown(parameter)
        names |= {parameter.name: shown, shown.removeprefix("--").replace("-", "_"): shown}
    return names


def _shown(parameter: inspect.Parameter) -> str:
    infos = getattr(parameter.annotation, "__metadata__", ())
    if any(isinstance(info, ArgumentInfo) for info in infos):
        return parameter.name.upper()
    # With Annotated, typer keeps the first name of an option as its default.
    options = [info for info in infos if isinstance(info, OptionInfo)]
    words = [word for info in options for word in (info.default, *(info.param_decls or ()))]
    declared = [word for word in words if isinstance(word, str) and word.startswith("--")]
    return declared[0] if declared else f"--{parameter.name.replace('_', '-')}"


def in_options(line: str, names: Mapping[str, str]) -> str:
    """A line about values of a command, with its options in place of the names before a colon."""
    result = _NAMES.match(line)
    if result is None or not all(name in names for name in result[1].split(", ")):
        return line
    shown = ", ".join(names[name] for name in result[1].split(", "))
    return f"{shown}{result[2].replace('.', ' ', 1)}: {line[result.end() :]}"
