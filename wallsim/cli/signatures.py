"""What signatures and docstrings say of the options of commands.

A command says in a section Options of its docstring what its own options mean. An option that is a parameter of a
function or a field of a class, such as those of `wallsim`, is said there, once for Python and the terminal. Their
sources are read and not imported, since the help of a command needs none of the libraries that they work with.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.cli.terminal_output import plain

_SECTION = re.compile(r"\n*^(\w+)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"(\w+)(?: (\S+))?: (.*)")
_SENTENCE = re.compile(r"(?<=\.)\s")
_NONE = re.compile(r"[;.]?\s*None for ([^.;]+)[.;]?")


class Described(NamedTuple):
    """A parameter of a function or a field of a class: its type as it is written, its default, and its text."""

    type: str
    default: Any
    text: str

    @property
    def help(self) -> str:
        """The text of an option: the first sentence, and what stands for None as the default."""
        absent = _NONE.search(self.text)
        first = _SENTENCE.split(_NONE.sub(".", self.text, count=1))[0]
        shown = f"{first}  [default: {absent[1]}]" if absent and self.default is None else first
        return plain(shown)  # the help is written as UTF-8, whatever a terminal supports


def sections_of(docstring: str | None) -> dict[str, str]:
    """The sections of a docstring by their headings; the text before the first has an empty one."""
    parts = _SECTION.split(inspect.cleandoc(docstring or ""))
    return dict(zip(("", *parts[1::2]), parts[::2], strict=True))


def own_options(docstring: str | None) -> dict[str, tuple[str | None, str]]:
    """What the section Options says of each parameter of a command: its metavar, if it has one, and its text.

    An entry is `NAME METAVAR: text`; further lines of it are indented.
    """
    text = re.sub(r"\n +", " ", sections_of(docstring).get("Options", ""))
    found = [match.groups() for match in map(_ENTRY.fullmatch, text.splitlines()) if match]
    return {name: (metavar, words) for name, metavar, words in found}


def described(source: str, names: Iterable[str]) -> dict[str, Described]:
    """Some keyword parameters of a function, or fields of a class, by name; `source` is `package.module:name`.

    Defaults are literals, or constants of the module that are. The texts are those of the section Parameters, or the
    descriptions of a model's fields.
    """
    module, _, name = source.partition(":")
    body = _parsed(module).body
    definition = next(node for node in reversed(body) if getattr(node, "name", None) == name)
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef), source
    texts, typed = _texts(ast.get_docstring(definition)), _typed(definition)
    constants = {
        target.id: node.value
        for node in body if isinstance(node, ast.Assign)
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    return {each: _described(*typed[each], texts.get(each, ""), constants) for each in names}


@cache
def _parsed(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None, module
    assert spec.origin is not None, module
    return ast.parse(Path(spec.origin).read_text("utf-8"))


def _described(kind: ast.expr, default: ast.expr | None, text: str, constants: Mapping[str, ast.expr]) -> Described:
    if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "Annotated":
        kind = kind.slice.elts[0] if isinstance(kind.slice, ast.Tuple) else kind
    if isinstance(default, ast.Call):  # Field(default, description="...") of a model
        words = {word.arg: word.value for word in default.keywords}
        text = ast.literal_eval(words["description"]) if "description" in words else text
        default = default.args[0] if default.args else words.get("default")
    if isinstance(default, ast.Name):
        default = constants.get(default.id, default)
    return Described(ast.unparse(kind), None if default is None else ast.literal_eval(default), text)


def _typed(definition: ast.FunctionDef | ast.ClassDef) -> dict[str, tuple[ast.expr, ast.expr | None]]:
    """The type and the default of each keyword parameter or field, by name."""
    if isinstance(definition, ast.FunctionDef):
        given = zip(definition.args.kwonlyargs, definition.args.kw_defaults, strict=True)
        return {each.arg: (each.annotation, default) for each, default in given if each.annotation is not None}
    fields = [node for node in definition.body if isinstance(node, ast.AnnAssign)]
    return {node.target.id: (node.annotation, node.value) for node in fields if isinstance(node.target, ast.Name)}


def _texts(docstring: str | None) -> dict[str, str]:
    """The text of each parameter in the section Parameters, on one line; parameters of one entry share it."""
    texts: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", sections_of(docstring).get("Parameters", "")):
        names, _, text = entry.partition("\n")
        texts |= dict.fromkeys(re.split(r", *", names), " ".join(text.split()))
    return texts
