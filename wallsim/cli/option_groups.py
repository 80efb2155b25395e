"""Options of commands: from a command's own signature, from the parameters of a function, and in groups.

A command names a group by one parameter, and gets its options and their values together.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo

from wallsim.cli.signatures import Described, described, own_options, sections_of
from wallsim.errors import InputError
from wallsim.experiment.keys import decimal_key, number_key, read_number, shown, whole_number
from wallsim.rules.suggestions import did_you_mean


@dataclass(frozen=True)
class Group:
    """Options that commands take together: `make` is called with their values by name."""

    make: Callable[..., Any]
    parameters: tuple[inspect.Parameter, ...]


class Within(NamedTuple):
    """The bounds of a number, in the annotation of a command's parameter: `Annotated[int, Within(1, 9)]`."""

    least: float
    most: float


class Parsed(NamedTuple):
    """How the text of a path or an address is read, in the annotation of a command's parameter."""

    parser: Callable[[str], Any]


class Ends(NamedTuple):
    """With what the name of a written file ends, in the annotation of a command's parameter."""

    endings: tuple[str, ...]
    or_unknown: bool = False  # also with what stands for no format of wallsim, or nothing
    in_folder: bool = False  # which must exist

    def checked(self, name: str, file: Path | None) -> Path | None:
        """The file; InputError, naming the parameter, for another name, or if it cannot be written there."""
        from wallsim.report.file_endings import check_ending

        if file is None or (file.exists() and not file.is_file() and not file.is_dir()):  # a device has any name
            return file
        check_ending(file, name, self.endings, or_unknown=self.or_unknown)
        if self.in_folder and not file.parent.is_dir():
            raise InputError(f"{name}: {file} cannot be written: there is no such folder")
        return file


def options_of(group: type) -> Any:
    """The options of a dataclass, one for each field, as those of a command: a group that is an instance of it."""
    parameters, read = _own_options(group)

    def made(**values: Any) -> Any:
        return group(**{name: read[name](name, value) if name in read else value for name, value in values.items()})

    return Group(made, tuple(parameters))


def options_from(source: str, **metavars: str) -> Any:
    """The options of some keyword parameters of a function, or fields of a class: a group of those that are given.

    `source` is `package.module:name`. `metavars` names the parameters; a metavar may begin with the option's name,
    `--round ROUND`, if it is not the parameter's. Types, defaults and texts are those of the function. A text that is
    no number is handed on, for the function to reject.
    """
    known = described(source, metavars)
    read = {name: _reader(known[name]) for name in metavars}

    def given(**values: Any) -> dict[str, Any]:
        return {name: read[name](value) for name, value in values.items() if value is not None}

    return Group(given, tuple(_described_option(name, known[name], words) for name, words in metavars.items()))


def described_by(source: str, name: str, metavar: str | None = None) -> OptionInfo:
    """The option of a parameter of a function, with its text, for an annotation that commands share."""
    info: OptionInfo = typer.Option(flag_of(name), metavar=metavar, help=described(source, (name,))[name].help)
    return info


def _described_option(name: str, each: Described, words: str) -> inspect.Parameter:
    flag, metavar = re.match(r"(--[\w-]+)?\s*(.*)", words).groups()  # type: ignore[union-attr]
    flags, default = "bool" in each.type, None if each.default in (None, ()) else each.default
    default = default if flags or default is None else str(default)
    kind = bool if flags else str
    return option(name, annotated(name, kind, default, flag=flag, metavar=metavar or None, help=each.help), default)


def _reader(each: Described) -> Callable[[Any], Any]:
    """How the value of an option becomes that of a parameter, by its type as it is written."""
    if "bool" in each.type:
        return bool
    if "Sequence" in each.type or each.type.startswith(("tuple", "list")):
        return lambda text: tuple(part.strip() for part in text.split(","))
    if re.search(r"\bfloat\b", each.type):
        return _decimal
    return whole_number if re.search(r"\bint\b", each.type) else str


def _decimal(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def flag_of(name: str) -> str:
    """The option of a parameter; `from_` is --from."""
    return f"--{name.rstrip('_').replace('_', '-')}"


def option(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    """A parameter that becomes an option."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def annotated(name: str, kind: Any, default: Any = None, *, flag: str | None = None, **words: Any) -> Any:
    """A type with its option; `words` are those of `typer.Option`. A flag that is true by default has its opposite."""
    flag = flag or flag_of(name)
    return _noted(kind, default, typer.Option(f"{flag}/--no-{flag[2:]}" if default is True else flag, **words))


def _noted(kind: Any, default: Any, info: OptionInfo | ArgumentInfo) -> Any:
    shown = kind if default is inspect.Parameter.empty or isinstance(default, bool) else kind | None
    return Annotated[shown, info]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer sees it: with the options of its groups in place of the groups.

    A parameter of which the section Options of the docstring speaks is an argument if it may be given by position, and
    an option if by its name alone. Numbers are read within their bounds, and a Literal is one of its texts. An
    InputError about a key or a parameter names its option.
    """
    parameters, read = _own_options(command)
    groups = {each.name: each.default for each in parameters if isinstance(each.default, Group)}
    plain = [part for each in parameters for part in (each.default.parameters if each.name in groups else (each,))]
    names = option_names(plain)

    def called(**values: Any) -> None:
        try:
            for name, reader in read.items():
                values[name] = reader(name, values[name])
            for name, group in groups.items():
                values[name] = group.make(**{each.name: values.pop(each.name) for each in group.parameters})
            command(**values)
        except InputError as error:
            raise InputError([in_options(str(line), names) for line in error.errors]) from None

    called.__name__, called.__module__ = command.__name__, command.__module__
    called.__doc__ = sections_of(command.__doc__)[""]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in plain}
    vars(called)["__signature__"] = inspect.Signature(plain)
    return called


Reader = Callable[[str, Any], Any]  # checks and converts the value of a parameter, called with its name


def _own_options(described: Callable[..., Any]) -> tuple[list[inspect.Parameter], dict[str, Reader]]:
    """The parameters of a command or of a group with their options, and what reads the values of some."""
    parameters: list[inspect.Parameter] = []
    read: dict[str, Reader] = {}
    texts = own_options(described.__doc__)
    for parameter in inspect.signature(described, eval_str=True).parameters.values():
        if parameter.name in texts:
            read[parameter.name] = _checked_as(*_unwrapped(parameter.annotation))
            parameter = _own(parameter, *texts[parameter.name])
        parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    return parameters, read


def _unwrapped(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type and what is noted of it, of `X`, `X | None`, `list[X]`, or the same with notes."""
    if get_origin(annotation) is Annotated:
        kind, infos = _unwrapped(annotation.__origin__)
        return kind, (*infos, *annotation.__metadata__)
    parts = [part for part in get_args(annotation) if part is not types.NoneType]
    if get_origin(annotation) in (Union, types.UnionType, list) and len(parts) == 1:
        return _unwrapped(parts[0])
    return annotation, ()


def _checked_as(kind: Any, infos: Iterable[Any]) -> Reader:
    """What checks and converts the value of an option of this type; InputError names the parameter."""
    for info in infos:
        if isinstance(info, Ends):
            return info.checked
        if isinstance(info, Within):
            make = decimal_key if kind is float else number_key
            key = make(info.least, info.most, None)  # type: ignore[arg-type]
            return lambda name, text: read_number(name, key, text)
    return partial(_one_of, get_args(kind)) if get_origin(kind) is Literal else lambda _, value: value


def _one_of(allowed: Sequence[str], name: str, text: str | None) -> str | None:
    if text is None or text in allowed:
        return text
    raise InputError(f"{name}: {shown(text)} is not one of {', '.join(allowed)}{did_you_mean(text, allowed)}")


def _own(parameter: inspect.Parameter, metavar: str | None, text: str) -> inspect.Parameter:
    """A parameter with the option, or the argument, that the docstring of its command describes."""
    kind, infos = _unwrapped(parameter.annotation)
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    name, default = parameter.name, parameter.default
    typed: Any = list[str] if "list[" in str(parameter.annotation) else kind if kind in (bool, Path) else str
    if isinstance(default, int | float) and typed is str:
        default = str(default)
    words: dict[str, Any] = {
        "metavar": metavar or "|".join(choices) or ("N" if kind in (int, float) else None),
        "help": text,
        "parser": next((info.parser for info in infos if isinstance(info, Parsed)), None),
    }
    if parameter.kind is parameter.KEYWORD_ONLY:
        return option(name, annotated(name, typed, default, **words), default)
    return option(name, _noted(typed, default, typer.Argument(**words)), default)


_NAMES = re.compile(r"(\w[\w, ]*?)((?:\.[^:\s]+)?): ")
_FILE = re.compile(r"\.(csv|json|toml|txt|py)$")


def option_names(parameters: Iterable[inspect.Parameter]) -> dict[str, str]:
    """What users call each parameter of a command: its option, or an argument in capital letters."""
    names: dict[str, str] = {}
    for parameter in parameters:
        called = _called(parameter)
        names |= {parameter.name: called, called.removeprefix("--").replace("-", "_"): called}
    return names


def _called(parameter: inspect.Parameter) -> str:
    infos = getattr(parameter.annotation, "__metadata__", ())
    if any(isinstance(info, ArgumentInfo) for info in infos):
        return parameter.name.upper()
    # With Annotated, typer keeps the first name of an option as its default.
    options = [info for info in infos if isinstance(info, OptionInfo)]
    words = [word for info in options for word in (info.default, *(info.param_decls or ()))]
    declared = [word for word in words if isinstance(word, str) and word.startswith("--")]
    return declared[0].partition("/")[0] if declared else flag_of(parameter.name)


def in_options(line: str, names: Mapping[str, str]) -> str:
    """A line about values of a command, with its options in place of the names before a colon."""
    result = _NAMES.match(line)
    if result is None or not all(name in names for name in result[1].split(", ")):
        return line
    called = ", ".join(names[name] for name in result[1].split(", "))
    if _FILE.search(result[2]) or (result[2] and not called.startswith("--")):  # the name of a file, such as casts.csv
        return line
    return f"{called}{result[2].replace('.', ' ', 1)}: {line[result.end() :]}"
