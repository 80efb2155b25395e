"""Groups of options: a command names a group by one parameter, and gets its options and their values together."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

from wallsim.cli.option_names import in_options, option_names
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
