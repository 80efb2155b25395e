"""What Python files import, and which files import each other; the tree of each source is built once."""

import ast
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

_LOADERS = ("import_module", "__import__")
_COMPILERS = ("jit", "njit")


class Facts(NamedTuple):
    """What the rules ask of a source. Each entry begins with its line.

    `imports` have the number of dots in front and the dotted name, whichever function or condition they stand in;
    `compilers` are calls and decorators called `jit` or `njit`; `undocumented` are public names without a docstring.
    """

    imports: tuple[tuple[int, int, str], ...]
    compilers: tuple[tuple[int, str], ...]
    undocumented: tuple[tuple[int, str], ...]


@cache
def facts_of(source: str) -> Facts:
    """The facts of a source. They are cached in place of the tree, since the trees of all files fill the memory."""
    tree = ast.parse(source)
    imports: list[tuple[int, int, str]] = []
    compilers: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        used: list[ast.expr] = getattr(node, "decorator_list", [])
        if isinstance(node, ast.Import):
            imports += [(node.lineno, 0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = f"{node.module}." if node.module else ""
            imports += [(node.lineno, node.level, base + alias.name) for alias in node.names]
        elif isinstance(node, ast.Call):
            used = [node.func]
            if _last_part(node.func).endswith(_LOADERS):
                literal = node.args and isinstance(node.args[0], ast.Constant)
                imports.append((node.lineno, 0, str(node.args[0].value) if literal else "a name made at run time"))
        compilers += [(each.lineno, ast.unparse(each)) for each in used if _last_part(each) in _COMPILERS]
    return Facts(tuple(imports), tuple(compilers), tuple(_undocumented(tree.body)))


def _last_part(name: ast.expr) -> str:
    return name.attr if isinstance(name, ast.Attribute) else name.id if isinstance(name, ast.Name) else ""


def _undocumented(body: list[ast.stmt], prefix: str = "") -> list[tuple[int, str]]:
    result = []
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if node.name.startswith("_") or "overload" in map(ast.unparse, node.decorator_list):
            continue
        if not ast.get_docstring(node):
            result.append((node.lineno, prefix + node.name))
        if isinstance(node, ast.ClassDef):
            result += _undocumented(node.body, f"{node.name}.")
    return result


def imported_names(module: str, source: str) -> list[tuple[int, str]]:
    """(line, dotted name) of all that a module imports, late imports and `import_module` included."""
    package = module.split(".")
    return [
        (line, ".".join([*package[:-level], name]) if level else name) for line, level, name in facts_of(source).imports
    ]


def import_graph(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """The modules that each module imports, among those with a source; a package ends in `.__init__`.

    An import of a name counts as one of the module that has it. All imports count: those in functions, and those under
    `if TYPE_CHECKING`.
    """
    graph = {}
    for module, source in sources.items():
        result = {_module_of(name, sources) for _, name in imported_names(module, source)}
        graph[module] = result - {module, ""}
    return graph


def _module_of(name: str, modules: Mapping[str, str]) -> str:
    while name:
        if name in modules:
            return name
        if f"{name}.__init__" in modules:
            return f"{name}.__init__"
        name = name.rpartition(".")[0]
    return ""


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Circles of a graph: in each one every module imports the next, and the last is the first.

    There is at least one for each group of modules that import each other; an empty list if there are none.
    """
    result: list[list[str]] = []
    left = dict(graph)
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = error.args[1][::-1]
            result.append(circle)
            left = {module: names - {*circle} if module in circle else names for module, names in left.items()}
        else:
            return result
