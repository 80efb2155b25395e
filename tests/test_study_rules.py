"""What studies may import, and how experiments are changed."""

import ast
from pathlib import Path

from tests.test_architecture import LAYERS, ROOT, code_files, gather, imported_names, layer, module_name


def study_faults(path: Path, source: str) -> list[str]:
    """Imports of a study from a layer above the frame, or of another study by an absolute name."""
    faults = []
    for line, name in imported_names("wallsim." + module_name(path), source):
        first, own = name.split(".")[0], layer(name)
        if first == "analyses" or (first == "wallsim" and (own is None or own > LAYERS.index("studies"))):
            faults.append(f"line {line}: a study may not import {name}")
    return faults


def unchecked_copies(source: str) -> list[str]:
    """Copies of pydantic models with other values, which nothing validates."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    return [f"line {node.lineno}: {node.attr}" for node in calls if node.attr in ("model_copy", "model_construct")]


def test_studies_import_the_frame_and_what_lies_below_it():
    faults = gather(code_files("analyses"), study_faults)
    assert not faults, f"a study uses the package up to wallsim.studies, and other studies by `..name`:\n{faults}"


def test_experiments_are_changed_only_by_the_method_that_validates():
    faults = gather(code_files("wallsim", "analyses"), lambda _, text: unchecked_copies(text))
    assert not faults, f"`changed` validates, a copy by pydantic does not:\n{faults}"


def test_study_rule_finds_the_command_line_and_absolute_names():
    path = ROOT / "analyses" / "price" / "study.py"
    assert study_faults(path, "from wallsim.cli import app")
    assert study_faults(path, "from analyses.tiles import study")
    assert study_faults(path, "import wallsim.extras")
    good = (
        "import numpy\nfrom wallsim.studies.study import Study\nfrom .page import page\nfrom ..tiles.page import page"
    )
    assert study_faults(path, good) == []


def test_copy_rule_finds_copies_that_nothing_validates():
    assert unchecked_copies('experiment.model_copy(update={"games": 3})')
    assert unchecked_copies("experiment.changed(games=3)") == []
