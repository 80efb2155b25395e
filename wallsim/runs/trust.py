"""Code from other people: a Python policy that a file names is run only if the user trusts its code.

A user who types the name of a policy, or passes it to `Experiment`, has read it or knows its author. A name inside an
experiment file or a run folder may have been written by somebody else, and loading an experiment loads its policies. So
the names are looked at before, and nothing of a refused file is read.
"""

from __future__ import annotations

from typing import Any

from wallsim.policies.policy import is_code_file
from wallsim.runs.quotation import shown

OPTION = "--trust-code"


def code_errors(policies: Any) -> list[str]:
    """One line for each Python file among the policies of a file; these may be of any type, since nothing is checked.

    Whether a file is code is asked of the function that decides about running it.
    """
    return [
        f"policies: {shown(name)[1:-1]} is Python code, which runs with your rights; read it, and add {OPTION} to run "
        "it (in Python trust_code=True)"
        for name in dict.fromkeys(_texts(policies))
        if is_code_file(name)
    ]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for each in inner for text in _texts(each)]
