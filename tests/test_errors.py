"""One base for every exception of the package; the tree of the docstring is the tree of the classes."""

import ast
import importlib
import pickle
from pathlib import Path

import pytest

from wallsim import errors
from wallsim.errors import MOST_LISTED, InputError, RunError, WallsimError, quoted, short, some_of
from wallsim.folder.local_files import NoAnswerError
from wallsim.report.figures.style import PictureError
from wallsim.rules.board import BoardError, load_board
from wallsim.rules.tower import TowerError

PACKAGE = Path(errors.__file__).parent


def exceptions_of_the_package() -> list[type[Exception]]:
    """Every class of the package that is an exception, the base first."""
    result = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if "Error(" not in path.read_text("utf-8"):
            continue  # parsing all sources would take seconds
        named = [node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)]
        if any(name.endswith("Error") for name in named):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            module = importlib.import_module(".".join(parts))
            result += [getattr(module, name) for name in named if name.endswith("Error")]
    result = [cls for cls in result if cls is not NoAnswerError]  # one of the operating system's, in other words
    return result


def drawn_tree() -> dict[str, tuple[str | None, str]]:
    """The tree as the docstring draws it: each class with its base and its module."""
    drawn, branch = {}, []
    for line in errors.__doc__.splitlines():
        name = line.lstrip(" │├└─").split(" ")[0]
        if not name.endswith("Error") or not line.startswith("    "):
            continue
        depth = (len(line) - len(line.lstrip(" │├└─"))) // 4 - 1
        module = line[line.rindex("(") + 1 : -1] if line.endswith(")") else "wallsim.errors"
        branch = [*branch[:depth], name]
        drawn[name] = (branch[depth - 1] if depth else None, module)
    return drawn


def test_the_tree_in_the_docstring_is_that_of_the_classes():
    classes = exceptions_of_the_package()
    real = {
        cls.__name__: (None if cls is WallsimError else cls.__bases__[0].__name__, cls.__module__) for cls in classes
    }
    assert drawn_tree() == real
    assert len(real) > 5


@pytest.mark.parametrize("cls", exceptions_of_the_package(), ids=lambda cls: cls.__name__)
def test_every_exception_has_the_one_base_and_an_exit_status(cls):
    assert issubclass(cls, WallsimError)
    # A folder without a picture is unfinished.
    assert cls.exit_status == (2 if issubclass(cls, InputError) else 3 if cls is PictureError else 1)


def test_users_of_the_built_in_exceptions_go_on_as_before():
    assert issubclass(InputError, ValueError)
    assert issubclass(RunError, RuntimeError)


def test_an_input_error_keeps_its_errors_and_prints_one_a_line():
    error = InputError(["players: 7", "games: 0"])
    assert error.errors == ["players: 7", "games: 0"]
    assert str(error) == "players: 7\ngames: 0"
    assert InputError("one\ntwo").errors == ["one\ntwo"]


def test_of_many_errors_fifty_are_printed_none_of_them_endless():
    error = InputError([f"k{number}: unknown" for number in range(100_000)])
    lines = str(error).splitlines()
    assert len(error.errors) == 100_000
    assert len(lines) == MOST_LISTED + 1
    assert lines[-1] == "and 99,950 more"
    assert len(str(InputError(["x" * 10**6]))) < 5_000
    assert str(InputError([f"k{number}" for number in range(50)])).count("more") == 0


def test_a_name_in_a_message_has_eighty_letters_at_most():
    assert short("x" * 80) == "x" * 80
    assert (len(short("x" * 81)), short("x" * 81)[-4:]) == (80, "x...")
    assert len(quoted("x" * 1000)) == 80
    assert some_of(["a", "b"]) == "a, b"
    assert some_of([f"k{number}" for number in range(9)]) == "k0, k1, k2, k3, k4 and 4 more"


def test_an_input_error_survives_a_trip_to_another_process():
    error = pickle.loads(pickle.dumps(InputError(["a", "b"])))
    assert error.errors == ["a", "b"]
    assert str(pickle.loads(pickle.dumps(TowerError("tower: x")))) == "tower: x"


def test_a_board_error_still_counts_its_errors(tmp_path):
    with pytest.raises(BoardError, match=r"the board has \d+ error") as caught:
        load_board(tmp_path)
    assert caught.value.errors
    assert isinstance(caught.value, InputError)
