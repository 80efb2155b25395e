"""Running the script of a study as its command does."""

import contextlib
import io
import runpy
import sys

import pytest
from matplotlib import pyplot as plt


def answer_of(script, folder, *words):
    """What a study prints that keeps its runs in `folder`/runs and draws `folder`/it.png."""
    printed = io.StringIO()
    plt.switch_backend("Agg")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [script.name, str(folder / "runs"), str(folder / "it.png"), *words])
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(script), run_name="__main__")
    return printed.getvalue()
