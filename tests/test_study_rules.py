"""What studies may import, and how experiments are changed."""

import ast
from pathlib import Path

from tests.test_architecture import LAYERS, ROOT, code_files, gather, imported_names, layer, module_name


def study_errors(path: Path, source: str) -> list[str]:
    """Imports of a study from a layer above the frame, or of another study by an absolute name."""
    errors = []
    for line, name in imported_names("wallsim." + module_name(path), source):
        first, own = name.split(".")[0], layer(name)
        if first == "analyses" or (first == "wallsim" and (own is None or own > LAYERS.index("studies"))):
            errors.append(f"line {line}: a study may not import {name}")
    return errors


def unchecked_copies(source: str) -> list[str]:
    """Copies of pydantic models with other values, which nothing validates."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    return [f"line {node.lineno}: {node.attr}" for node in calls if node.attr in ("model_copy", "model_construct")]


def test_studies_import_the_frame_and_what_lies_below_it():
    errors = gather(code_files("analyses"), study_errors)
    assert not errors, f"a study uses the package up to wallsim.studies, and other studies by `..name`:\n{errors}"


def test_experiments_are_changed_only_by_the_method_that_validates():
    errors = gather(code_files("wallsim", "analyses"), lambda _, text: unchecked_copies(text))
    assert not errors, f"`changed` validates, a copy by pydantic does not:\n{errors}"


def test_study_rule_finds_the_command_line_and_absolute_names():
    path = ROOT / "analyses" / "price" / "study.py"
    assert study_errors(path, "from wallsim.cli import app")
    assert study_errors(path, "from analyses.tiles import study")
    assert study_errors(path, "import wallsim.extras")
    good = (
        "import numpy\nfrom wallsim.studies.study import Study\nfrom .page import page\nfrom ..tiles.page import page"
    )
    assert study_errors(path, good) == []


def test_copy_rule_finds_copies_that_nothing_validates():
    assert unchecked_copies('experiment.model_copy(update={"games": 3})')
    assert unchecked_copies("experiment.changed(games=3)") == []
