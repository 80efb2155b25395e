"""The studies there are: those of the folder `analyses`, those of other packages, and a folder that somebody names.

A package adds studies by entry points of the group `wallsim.studies`, whose names are those of the studies:

    [project.entry-points."wallsim.studies"]
    my_study = "my_package.my_study.study:STUDY"
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import wallsim.analyses
from wallsim.errors import InputError
from wallsim.rules.suggestions import did_you_mean

if TYPE_CHECKING:
    from wallsim.studies.study import Study

GROUP = "wallsim.studies"  # of entry points
MODULE = "study"  # in the folder of each study
_OWN = "wallsim_own_studies"  # the package of studies in folders that somebody names


def own_studies() -> tuple[str, ...]:
    """The names of the studies of the folder `analyses`, which the wheel carries, in alphabetical order."""
    folders = (Path(folder) for folder in wallsim.analyses.__path__)
    return tuple(sorted(path.parent.name for folder in folders for path in folder.glob(f"*/{MODULE}.py")))


def study_names() -> tuple[str, ...]:
    """The names of all studies: our own, then those of other packages.

    InputError if another package has a study of a name that there is already.
    """
    result = list(own_studies())
    for entry in _entries():
        if entry.name in result:
            point = f"the entry point {entry.name} = {entry.value!r} of the group {GROUP}"
            raise InputError(f"studies: {point} has the name of another study; remove a package, or rename the study")
        result.append(entry.name)
    return tuple(result)


def load_study(name: str) -> Study:
    """A study by its name. InputError for an unknown name, and for an entry point that is no study."""
    names = study_names()
    if name in own_studies():
        return _checked(importlib.import_module(f"wallsim.analyses.{name}.{MODULE}"), name)
    for entry in _entries():
        if entry.name == name:
            return _of_package(entry)
    raise InputError(f"study: {name} is not one of {', '.join(names)}{did_you_mean(name, names)}")


def all_studies() -> dict[str, Study]:
    """All studies by name."""
    return {name: load_study(name) for name in study_names()}


def questions() -> dict[str, str]:
    """What each study asks, by its name: the first line of its docstring. Our own are read and not run."""
    result = {}
    for folder in map(Path, wallsim.analyses.__path__):
        for name in own_studies():
            doc = ast.get_docstring(ast.parse((folder / name / f"{MODULE}.py").read_text("utf-8")))
            result[name] = (doc or "").partition("\n")[0]
    return result | {name: load_study(name).question for name in study_names() if name not in result}


def is_folder(name: str) -> bool:
    """Whether a text names a folder and no study: a path such as ./mine."""
    return "/" in name or "\\" in name or name.startswith(".")


def study_in(folder: Path, *, trust_code: bool) -> Study:
    """The study in a folder, which has `study.py` and `experiment.toml`; its code is run only with `trust_code`.

    InputError without trust, for a folder without a study, for the name of another study, and for code that fails.
    """
    folder = folder.resolve()
    file = folder / f"{MODULE}.py"
    if not file.is_file():
        raise InputError(f"study: {folder}: has no {MODULE}.py, so it is not a study")
    if not trust_code:
        raise InputError(f"study: {file}: is Python code; read it first, then add --trust-code to run it")
    if folder.name in study_names():
        raise InputError(f"study: {folder}: {folder.name} is the name of another study; rename the folder")
    if not folder.name.isidentifier():
        raise InputError(f"study: {folder}: a folder's name has letters, digits and _ alone, such as my_study")
    package = f"{_OWN}.{folder.name}"
    for name, path in ((_OWN, []), (package, [str(folder)])):
        if name not in sys.modules or name == package:
            made = ModuleType(name)
            made.__path__ = path
            sys.modules[name] = made
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        del sys.modules[name]  # of another folder of this name
    try:
        module = importlib.import_module(f"{package}.{MODULE}")
    except Exception as error:
        raise InputError(f"study: {file}: cannot be imported: {type(error).__name__}: {error}") from error
    _send_by_value(sys.modules[package])
    return _checked(module, folder.name)


def _send_by_value(module: ModuleType) -> None:
    # Workers of a cluster cannot import it.
    import cloudpickle

    cloudpickle.register_pickle_by_value(module)


def _entries() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


def _of_package(entry: EntryPoint) -> Study:
    from wallsim.studies.study import Study

    try:
        result = entry.load()
    except Exception as error:
        raise InputError(
            f"study: {entry.name}: the entry point {entry.value!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(result, Study):
        raise InputError(f"study: {entry.name}: the entry point {entry.value!r} is not a wallsim.studies.study.Study")
    if result.name != entry.name:
        raise InputError(f"study: {entry.name}: the folder of its study.py is called {result.name}; give both one name")
    return result


def _checked(module: ModuleType, name: str) -> Study:
    from wallsim.studies.study import Study

    result = getattr(module, "STUDY", None)
    if not isinstance(result, Study):
        raise InputError(f"study: {module.__file__}: defines no STUDY that is a wallsim.studies.study.Study")
    if result.name != name:
        raise InputError(f"study: {module.__file__}: STUDY.file must be __file__; it is {result.file}")
    return result
