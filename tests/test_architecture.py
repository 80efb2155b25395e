"""The tree is the architecture: what may import what, and the house rules that a program can check.

Every rule is a function from a source text to its errors, so that each can be shown a bad example.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.imports import circles, facts_of, import_graph, imported_names
from tests.refusals import assert_names

ROOT = Path(__file__).resolve().parents[1]
_LAYERS = (
    "errors escaping markdown spreadsheet current_folder compile_cache jit rules state mechanics policies engine trace "
    "stats experiment folder play searches "
    "analysis report analyses studies api cli"
)
LAYERS = tuple(_LAYERS.split())
CORE = LAYERS[: LAYERS.index("engine") + 1]
CORE_LIBRARIES = {"numpy", "numba"}
LINE_LIMIT = 400
CODE_SUFFIXES = {".py", ".js", ".css", ".html", ".j2"}
CODE_FOLDERS = ("wallsim", "tests", "analyses", ".ci")
# What users import; the package itself imports what lies behind. `play` and `trace` are functions there.
FRONT_DOOR = {"wallsim", "wallsim.play", "wallsim.trace"}
SKIPPED_FOLDERS = {".git", ".venv", "results", "build", "dist", "__pycache__", ".ipynb_checkpoints"}

HOME_PATH = re.compile(r"(?<![\w.~}])/(?:home|Users|root|work)/\w")
REGISTRY = re.compile(r"pypi\.org|python[h]osted\.|registry\.npm[j]s|--(?:extra-)?index[-]url|--find[-]links")


# ------------------------------------------------------------------------------------------- what to look at


def tracked_files() -> list[Path]:
    """Files that git tracks or would track; every file but known caches where there is no git."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, capture_output=True, text=True) if (ROOT / ".git").exists() else None
    if listing is not None and listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
        return sorted(path for path in paths if path.is_file())
    inside = [path for path in ROOT.rglob("*") if path.is_file()]
    return sorted(p for p in inside if not SKIPPED_FOLDERS & set(p.relative_to(ROOT).parts))


def code_files(*folders: str) -> list[Path]:
    """The tracked Python files of some top folders."""
    return [p for p in tracked_files() if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in folders]


def module_name(path: Path) -> str:
    """The dotted name of a file; a package keeps its `.__init__`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imported_name(path: Path) -> str:
    """The dotted name by which other files import a file: studies are part of the package."""
    return re.sub(r"^analyses\b", "wallsim.analyses", module_name(path))


def gather(paths, check) -> str:
    """The errors that `check(path, text)` finds, one per line, each after its file's name."""
    assert paths, "no files found to check"
    lines = []
    for path in paths:
        lines += [f"{path.relative_to(ROOT)}: {error}" for error in check(path, path.read_text("utf-8"))]
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------------- the rules


def layer(name: str) -> int | None:
    """The number of the layer that a dotted name belongs to; -1 the package's root, None no layer at all."""
    part = [*name.split("."), ""][1]
    if part in LAYERS:
        return LAYERS.index(part)
    if part == "__main__":
        return LAYERS.index("cli")
    return -1 if part == "" or part.startswith("__") else None


def layer_errors(module: str, source: str) -> list[str]:
    """Imports from a later layer, imports of the package itself, and modules of no layer."""
    if module == "wallsim.__init__":
        return eager_errors(source)
    own = layer(module)
    if own is None:
        return [f"lies in no layer; the layers are {', '.join(LAYERS)}"]
    errors = []
    for line, name in imported_names(module, source):
        if name.split(".")[0] != "wallsim":
            continue
        theirs = layer(name)
        if theirs is None or theirs > own or name in FRONT_DOOR:
            errors.append(f"line {line}: {module} may not import {name}")
    return errors


def circle_errors(sources: dict[str, str]) -> list[str]:
    """Circles of modules that import each other, directly or through others, wherever the imports stand."""
    return [" -> ".join(circle) for circle in circles(import_graph(sources))]


def eager_errors(source: str) -> list[str]:
    """Imports of the package's own modules, or of any library, that run when the package itself is imported."""
    errors = []
    late = [node for node in ast.parse(source).body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in late:
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "not TYPE_CHECKING"):
            continue  # names for type checkers, and functions that only run when a name is asked for
        names = imported_names("wallsim.__init__", ast.unparse(node))
        errors += [(node.lineno, name) for _, name in names if name.split(".")[0] not in sys.stdlib_module_names]
    return [f"line {line}: wallsim may not import {name} before it is needed" for line, name in errors]


def library_errors(module: str, source: str) -> list[str]:
    """Imports of the core from anything but the standard library, numpy, numba and the package."""
    if module.split(".")[1] not in CORE:
        return []
    allowed = CORE_LIBRARIES | sys.stdlib_module_names | {"wallsim"}
    foreign = [(line, n) for line, n in imported_names(module, source) if n.split(".")[0] not in allowed]
    return [f"line {line}: the core may not import {name}" for line, name in foreign]


COMPILER = (
    "wallsim.jit",
    *(f"wallsim.compile_cache.{name}" for name in ("kernel_cache", "linking")),
)


def compiler_errors(module: str, source: str) -> list[str]:
    """Ways round `wallsim.jit.kernel`: numba in the package, `njit` or `jit` anywhere."""
    if module in COMPILER:
        return []
    names = imported_names(module, source)
    used = [(line, n) for line, n in names if n.split(".")[0] == "numba" and not module.startswith("tests.")]
    used += [(line, n) for line, n in names if n.endswith(".njit") or n == "numba.jit"]
    used += facts_of(source).compilers
    return [f"line {line}: {name} belongs into wallsim/jit.py" for line, name in sorted(set(used))]


def length_errors(source: str) -> list[str]:
    """More lines than a file may have."""
    count = len(source.splitlines())
    return [f"{count} lines; at most {LINE_LIMIT}"] if count > LINE_LIMIT else []


def grab_bag_errors(name: str, source: str) -> list[str]:
    """A file called utils.py, an `import *`."""
    errors = ["name the file after its one concept"] if name in ("utils.py", "util.py") else []
    stars = [line for line, imported in imported_names("", source) if imported.split(".")[-1] == "*"]
    return errors + [f"line {line}: import *" for line in stars]


def notebook_errors(text: str) -> list[str]:
    """Outputs, execution counts, and functions or classes defined in cells."""
    errors = []
    for number, cell in enumerate(json.loads(text)["cells"], start=1):
        if cell["cell_type"] != "code":
            continue
        if cell["outputs"] or cell["execution_count"] is not None:
            errors.append(f"cell {number} was committed with its output")
        lines = "".join(cell["source"]).splitlines()
        source = "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                errors.append(f"cell {number} defines {node.name}; reusable code lives in the package")
    return errors


def place_errors(text: str) -> list[str]:
    """Absolute paths into somebody's home or work folder, hosts and options of package registries."""
    errors = []
    for number, line in enumerate(text.splitlines(), start=1):
        errors += [f"line {number}: {match[0]}" for match in HOME_PATH.finditer(line)]
        errors += [f"line {number}: {match[0]}" for match in REGISTRY.finditer(line)]
    return errors


def docstring_errors(source: str) -> list[str]:
    """Public functions, classes and their public methods without a docstring."""
    return [f"line {line}: {name} has no docstring" for line, name in facts_of(source).undocumented]


def lock_errors(lock: str, dependencies: list[str]) -> list[str]:
    """Entries without an exact version and a hash, lines that name a place, direct dependencies left out."""
    entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", lock).strip())
    pinned = r"[\w.-]+==\S+( ; .*?)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\)?\n?)+"
    loose = [entry.splitlines()[0] for entry in entries if not re.fullmatch(pinned, entry)]
    errors = [f"not pinned by version and hash: {line}" for line in loose]
    errors += [f"names a place: {line}" for line in lock.splitlines() if "://" in line]
    locked = {entry.split("==")[0].lower() for entry in entries}
    wanted = [re.split(r"[^\w.-]", dependency)[0].lower() for dependency in dependencies]
    return errors + [f"{name} is not in the lock" for name in wanted if name not in locked]


# ------------------------------------------------------------------------------------- the project keeps them


def test_modules_import_only_from_their_own_layer_or_earlier_ones():
    errors = gather(code_files("wallsim"), lambda path, text: layer_errors(module_name(path), text))
    assert not errors, f"imports go one way, {' < '.join(LAYERS)}:\n{errors}"


def test_no_files_import_each_other_in_a_circle():
    paths = code_files("wallsim", "analyses")
    assert paths, "no files found to check"
    errors = circle_errors({imported_name(path): path.read_text("utf-8") for path in paths})
    assert not errors, "move what both sides need into a module below them:\n" + "\n".join(errors)


def test_the_core_imports_only_the_standard_library_numpy_and_numba():
    errors = gather(code_files("wallsim"), lambda path, text: library_errors(module_name(path), text))
    assert not errors, f"{', '.join(CORE)} must run without the data libraries:\n{errors}"


def test_kernels_are_compiled_by_the_one_decorator():
    errors = gather(code_files(*CODE_FOLDERS), lambda path, text: compiler_errors(module_name(path), text))
    assert not errors, f"numba is spoken to in wallsim/jit.py alone:\n{errors}"


def test_no_file_is_long():
    inside = [p for p in tracked_files() if p.relative_to(ROOT).parts[0] in ("wallsim", "tests", "analyses")]
    errors = gather([p for p in inside if p.suffix in CODE_SUFFIXES], lambda _, text: length_errors(text))
    assert not errors, f"one concept a file:\n{errors}"


def test_no_grab_bags():
    errors = gather(code_files(*CODE_FOLDERS), lambda path, text: grab_bag_errors(path.name, text))
    assert not errors, f"no utils.py and no star imports:\n{errors}"


def test_notebooks_carry_no_output_and_define_nothing():
    notebooks = [path for path in tracked_files() if path.suffix == ".ipynb"]
    errors = gather(notebooks, lambda _, text: notebook_errors(text))
    assert not errors, f"notebooks are narratives, committed without outputs:\n{errors}"


def test_no_file_names_a_home_folder_or_a_registry():
    texts = [path for path in tracked_files() if b"\0" not in path.read_bytes()]
    errors = gather(texts, lambda _, text: place_errors(text))
    assert not errors, f"files must serve every machine:\n{errors}"


def test_public_functions_and_classes_have_docstrings():
    errors = gather(code_files("wallsim", "analyses"), lambda _, text: docstring_errors(text))
    assert not errors, f"say what it does, with shapes, units and errors:\n{errors}"


def test_the_lock_pins_every_dependency_by_version_and_hash():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = [*project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]
    wanted = [*project["project"]["dependencies"], *(name for extra in extras for name in extra)]
    errors = lock_errors((ROOT / ".ci" / "requirements.txt").read_text("utf-8"), wanted)
    assert not errors, "run .ci/lock:\n" + "\n".join(errors)


# ----------------------------------------------------------------------------- each rule finds a bad example


def test_layer_rule_finds_late_relative_dynamic_and_homeless_imports():
    late = "def play():\n    from wallsim.experiment import chunks\n"
    assert layer_errors("wallsim.engine.game", late)
    assert layer_errors("wallsim.rules.board", "from ..state import table")
    assert layer_errors("wallsim.rules.__init__", "from ..cli import main")
    assert layer_errors("wallsim.rules.board", "from wallsim import engine")
    assert layer_errors("wallsim.rules.board", "import wallsim.policies.kinds")
    assert layer_errors("wallsim.play.plan", "import importlib\nimportlib.import_module('wallsim.cli')")
    assert layer_errors("wallsim.analysis.skill", "import wallsim")
    assert layer_errors("wallsim.analysis.skill", "from wallsim import play")
    assert layer_errors("wallsim.cli.games", "from wallsim import trace")
    assert layer_errors("wallsim.extras", "")
    assert layer_errors("wallsim.cli", "import wallsim.extras")


def test_layer_rule_accepts_earlier_layers_and_its_own():
    good = "import numpy\nfrom wallsim import jit\nfrom wallsim.rules import terms\nfrom . import table"
    assert layer_errors("wallsim.state.setup", good) == []
    assert layer_errors("wallsim.__main__", "from wallsim.cli import main") == []
    assert layer_errors("wallsim.cli", "from wallsim import __version__") == []


def test_layer_rule_lets_the_package_import_its_layers_only_when_a_name_is_asked_for():
    assert layer_errors("wallsim.__init__", "from wallsim.rules import board")
    assert layer_errors("wallsim.__init__", "import numpy")
    assert layer_errors("wallsim.__init__", "try:\n    import polars\nexcept ImportError:\n    pass")
    late = "import sys\nif TYPE_CHECKING:\n    from wallsim.api.play import play\ndef load():\n    import polars"
    assert layer_errors("wallsim.__init__", late) == []


def test_circle_rule_finds_top_level_late_and_type_checking_imports():
    assert circle_errors({"wallsim.a": "from wallsim.b import B", "wallsim.b": "import wallsim.a"})
    late = {"wallsim.a": "def f():\n    from wallsim import b", "wallsim.b": "from wallsim.a import f"}
    assert circle_errors(late) in (["wallsim.a -> wallsim.b -> wallsim.a"], ["wallsim.b -> wallsim.a -> wallsim.b"])
    typed = "if TYPE_CHECKING:\n    from .c import C"
    assert circle_errors({"wallsim.a": "from . import b", "wallsim.b": typed, "wallsim.c": "from .a import A"})
    face = {"wallsim.k.__init__": "from wallsim.k.a import A", "wallsim.k.a": "from wallsim.k import A"}
    assert circle_errors(face)
    two = {"wallsim.c": "import wallsim.d", "wallsim.d": "import wallsim.c, wallsim.a"}
    assert len(circle_errors(late | two)) == 2


def test_circle_rule_accepts_modules_that_import_one_way():
    diamond = {"wallsim.a": "from . import b, c", "wallsim.b": "from wallsim.d import D\nimport numpy"}
    assert circle_errors(diamond | {"wallsim.c": "from wallsim.d import D", "wallsim.d": "import wallsim"}) == []


def test_library_rule_finds_polars_in_the_core_only():
    assert library_errors("wallsim.engine.batch", "def late():\n    import polars as pl\n")
    assert library_errors("wallsim.jit", "from scipy import stats")
    assert library_errors("wallsim.engine.batch", "import os\nimport numpy\nfrom wallsim import jit") == []
    assert library_errors("wallsim.folder.store", "import polars") == []


def test_compiler_rule_finds_numba_and_njit():
    assert compiler_errors("wallsim.engine.game", "from numba import types")
    assert compiler_errors("wallsim.engine.game", "import numba as nb\n")
    assert compiler_errors("tests.test_tower", "from numba import njit as fast\n")
    assert compiler_errors("tests.test_tower", "import numba\n@numba.njit\ndef f(): pass\n")
    assert compiler_errors("tests.test_tower", "import numba\n@numba.jit(nogil=True)\ndef f(): pass\n")
    assert compiler_errors("wallsim.rules.record", "g = jit(f)")
    assert compiler_errors("wallsim.jit", "import numba\nnumba.njit(f)") == []
    assert compiler_errors("wallsim.state.table", "from wallsim import jit\n@jit.kernel\ndef f(): pass") == []
    assert compiler_errors("tests.test_jit", "import numba\nnumba.config") == []


def test_length_rule_counts():
    assert length_errors("x\n" * (LINE_LIMIT + 1))
    assert length_errors("x\n" * LINE_LIMIT) == []


def test_grab_bag_rule_finds_utils_and_stars():
    assert grab_bag_errors("utils.py", "")
    assert grab_bag_errors("board.py", "from wallsim.rules.terms import *")
    assert grab_bag_errors("board.py", "from wallsim.rules.terms import PALACE") == []


def test_notebook_rule_finds_outputs_and_definitions():
    def errors(source, outputs=(), count=None, kind="code"):
        cell = {"cell_type": kind, "source": source, "outputs": list(outputs), "execution_count": count}
        return notebook_errors(json.dumps({"cells": [cell]}))

    assert errors("1 + 1", outputs=[{"output_type": "stream"}])
    assert errors("1 + 1", count=3)
    assert errors(["%matplotlib inline\n", "def load(x):\n", "    return x"])
    assert errors("class Table: pass")
    assert errors(["%matplotlib inline\n", "x = [n for n in range(3)]\n", "x"]) == []
    assert errors("def is prose here", kind="markdown") == []


def test_place_rule_finds_home_folders_and_registries():
    path = "/".join(("", "home", "somebody", "games"))
    host = ".".join(("pypi", "org"))
    option = "--index" + "-url=somewhere"
    assert place_errors(f'open("{path}")') == [f"line 1: {path[:7]}"]
    assert place_errors(f"first\nsee https://{host}/project") == [f"line 2: {host}"]
    assert place_errors(option)
    assert place_errors("results/work/chunk and https://example.org/home/page, ~/.cache") == []


def test_docstring_rule_finds_bare_functions_classes_and_methods():
    assert docstring_errors("def play():\n    return 1\n")
    assert docstring_errors("@kernel\ndef play(game):\n    ''\n")
    assert docstring_errors("class Board:\n    x = 1\n")
    [error] = docstring_errors("class Board:\n    'A board.'\n    def county(self): pass\n")
    assert_names(error, "line 3", "Board.county")
    assert docstring_errors("@overload\ndef play(x: int) -> int: ...\n") == []
    assert docstring_errors("def play():\n    'Plays.'\n    def inner(): pass\ndef _hidden(): pass\n") == []


def test_lock_rule_finds_loose_entries_places_and_gaps():
    digest = "    --hash=sha256:" + "0" * 64
    good = f"# made by\nnumpy==2.4.6 \\\n{digest} \\\n{digest}\npywin==1.0 ; os_name == 'nt' \\\n{digest}\n"
    assert lock_errors(good, ["numpy>=2.4"]) == []
    assert lock_errors(good, ["numpy", "numba>=0.68"]) == ["numba is not in the lock"]
    assert lock_errors(good + "numba==0.68.1\n", [])
    assert lock_errors(good + f"numba>=0.68 \\\n{digest}\n", [])
    assert lock_errors(good + f"numba @ https://example.org/numba.whl \\\n{digest}\n", [])
