"""The notebook of a study's folder: it reads what was played there, and shows page, picture and figures."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from wallsim.studies.catalogue import study_names
from wallsim.studies.study import Choices, Study


def notebook(study: Study, folder: Path, choices: Choices) -> bytes:
    """The notebook as JSON, without outputs. It is run in `folder`, the study's, where it plays nothing again."""
    title, _, asked = study.question.partition(": ")
    method = (study.doc or "").partition("\n")[2].strip()
    return _document(
        ("markdown", f"# {title}\n\n{asked[:1].upper()}{asked[1:]}\n\n{method}"),
        ("code", _loading(study, folder, choices)),
        ("code", "Markdown(result.text)"),
        ("code", "result.picture();"),
        ("markdown", "Every figure with its interval, in all cells:"),
        ("code", "table_of(result.figures.values())"),
    )


def _loading(study: Study, folder: Path, choices: Choices) -> str:
    given = [f"{name}={value!r}" for name, value in vars(choices).items() if value != getattr(Choices(), name)]
    if study.name in study_names():
        function, loaded = "load_study", f'load_study("{study.name}")'
    else:
        there = os.path.relpath(study.folder, folder.resolve())
        function, loaded = "study_in", f"study_in(Path({there!r}), trust_code=True)"
    lines = [
        *(["from pathlib import Path", ""] if function == "study_in" else []),
        "from IPython.display import Markdown",
        "",
        f"from wallsim.studies.catalogue import {function}",
        "from wallsim.studies.published import table_of",
        "from wallsim.studies.running import play_study",
        "from wallsim.studies.study import Choices",
        "",
        f'result = play_study({loaded}, ".", Choices({", ".join(given)}))',
    ]
    return "\n".join(lines)


def _document(*cells: tuple[str, str]) -> bytes:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {
        "cells": [_cell(number, kind, text) for number, (kind, text) in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{number:02}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
