"""No game calls the C library, or NumPy's products of matrices, for a number: neither sources nor machine code do."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from tests.naive.rng import JIT
from tests.test_architecture import CORE, code_files, gather, module_name
from wallsim import jit
from wallsim.compile_cache.linking import Kernel
from wallsim.engine.casting import CastingBench, play_casts
from wallsim.engine.game import play_games
from wallsim.experiment.experiment import Experiment
from wallsim.rules.terms import COLOURS
from wallsim.rules.tower import load_tower

# What a C library may round in its own way.
NAMES = "exp exp2 expm1 log log2 log10 log1p pow sin cos tan sincos asin acos atan atan2 sinh cosh tanh cbrt hypot erf "
NAMES += "erfc tgamma lgamma"
OF_PYTHON = {*NAMES.split(), "gamma", "power", "float_power", "arcsin", "arccos", "arctan", "arctan2", "dot", "matmul"}
OF_PYTHON |= {"einsum", "inner", "vdot", "linalg"}
SYMBOL = re.compile(rf"\0_?((?:{NAMES.strip().replace(' ', '|')})[fl]?)\0".encode())


def rounding_errors(module: str, source: str) -> list[str]:
    """What differs between systems in a file that games come from: functions, powers of variables, products."""
    if module.split(".")[1] not in CORE:
        return []
    used = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("math", "np", "numpy"):
            used += [(node.lineno, node.attr)] if node.attr in OF_PYTHON else []
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            used += [(node.lineno, alias.name) for alias in node.names if alias.name in OF_PYTHON]
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            operands = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
            if isinstance(node.op, ast.MatMult) or (isinstance(node.op, ast.Pow) and operands):
                used.append((node.lineno, ast.unparse(node)))
    return [f"line {line}: {name} may be rounded otherwise elsewhere" for line, name in used]


def test_no_source_that_games_come_from_asks_the_c_library():
    errors = gather(code_files("wallsim"), lambda path, text: rounding_errors(module_name(path), text))
    assert not errors, f"wallsim/state/elementary.py has such functions:\n{errors}"


BAD = [
    "math.exp(x)", "from math import log1p", "np.cos(x)", "x ** 0.5", "2 ** n", "x **= y", "a @ b", "np.linalg.inv(a)"
]  # fmt: skip


@pytest.mark.parametrize("source", BAD)
def test_each_way_to_the_c_library_is_found(source):
    assert len(rounding_errors("wallsim.mechanics.tower", f"import math\n{source}")) == 1


def called(machine_code):
    """The functions above that some machine code calls: they are in the table of its symbols."""
    return {name.decode() for name in SYMBOL.findall(machine_code)}


def cached_code(kernel):
    """The files of a kernel's machine code in the compile cache; a library that was loaded from there keeps none."""
    return [path.read_bytes() for path in Path(kernel._cache.cache_path).glob(f"*.{kernel.__name__}-*.nbc")]


@pytest.mark.skipif(not JIT, reason="reads machine code")
def test_no_machine_code_of_games_and_casts_calls_the_c_library():
    Experiment(policies="balanced", games=1).arena().play(0, 1)
    CastingBench(load_tower("mid-urn")).throw(np.ones((1, COLOURS)), seed=1)
    for kernel in (play_games, play_casts):
        assert {frozenset(called(code)) for code in cached_code(kernel)} == {frozenset()}


@pytest.mark.own_code
def test_no_machine_code_of_searches_calls_the_c_library():
    Experiment(policies="rollout", games=1).arena().play(0, 1)
    searches = [each for each in jit._ENTRY_POINTS if each.__name__ == "search_plan"]
    assert [{frozenset(called(code)) for code in cached_code(each)} for each in searches] == [{frozenset()}]


@pytest.mark.skipif(not JIT, reason="reads machine code")
@pytest.mark.parametrize(("name", "argument"), [("exp", 1.0), ("cos", 1.0), ("erf", 1.0), ("pow", 2.5)])
def test_a_call_of_the_c_library_is_found_in_machine_code(name, argument):
    import math

    function = getattr(math, name)
    caller = {1.0: lambda x: function(x), 2.5: lambda x: function(x, 2.5)}[argument]
    compiled = Kernel(caller, targetoptions={"nopython": True, "error_model": "numpy"})
    compiled(argument)
    assert called(next(iter(compiled.overloads.values())).library._get_compiled_object()) == {name}
