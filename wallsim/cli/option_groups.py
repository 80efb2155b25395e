"""Groups of options: a command names a group by one parameter, and gets its options and their values together."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

from wallsim.errors import InputError


@dataclass(frozen=True)
class Group:
    """Options that commands take together: `make` is called with their values by name."""

    make: Callable[..., Any]
    parameters: tuple[inspect.Parameter, ...]


def options_of(group: type) -> Any:
    """The options of a dataclass, one for each field: its annotation says which."""
    hints = get_type_hints(group, include_extras=True)
    return Group(group, tuple(option(field.name, hints[field.name], field.default) for field in fields(group)))


def option(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    """A parameter that becomes an option."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer sees it: with the options of its groups in place of the groups.

    An InputError about a key or a parameter names its option.
    """
    plain: list[inspect.Parameter] = []
    groups: dict[str, Group] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if isinstance(parameter.default, Group):
            groups[parameter.name] = parameter.default
            plain += parameter.default.parameters
        else:
            plain.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    names = option_names(plain)

    def called(**values: Any) -> None:
        try:
            for name, group in groups.items():
                values[name] = group.make(**{each.name: values.pop(each.name) for each in group.parameters})
            command(**values)
        except InputError as error:
            raise InputError([in_options(str(line), names) for line in error.errors]) from None

    called.__name__, called.__doc__, called.__module__ = command.__name__, command.__doc__, command.__module__
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in plain}
    vars(called)["__signature__"] = inspect.Signature(plain)
    return called


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
