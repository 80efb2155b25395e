"""The files of a teaching: the correction as in `data/corrections`, and the pupil's policy with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wallsim.policies.catalogue import Policy
from wallsim.policies.correction.correction_file import OUTPUT_NAMES, Correction
from wallsim.policies.correction.features import INPUT_NAMES
from wallsim.runs.learning.outcome import models_text
from wallsim.runs.teaching.fitting import Fit
from wallsim.runs.tuning.outcome import policy_text

_DIGITS = 4  # of a coefficient


def model_of(fit: Fit) -> dict[str, list[list[float]]]:
    """A model in types of JSON."""
    return {"linear": _rows(fit.linear), "units": _rows(fit.units), "outward": _rows(fit.outward)}


def rounded(fit: Fit) -> Fit:
    """The model as it is written and played."""
    model = model_of(fit)
    return Fit(
        *(
            np.array(model[part]).reshape(whole.shape).astype(np.float32)
            for part, whole in (("linear", fit.linear), ("units", fit.units), ("outward", fit.outward))
        )
    )


def correction_text(result: dict[str, Any], models: dict[str, Any]) -> str:
    """The text of a file of `data/corrections`."""
    return models_text({**result, "outputs": list(OUTPUT_NAMES), "inputs": list(INPUT_NAMES)}, models)


def taught_policy_text(pupil: Policy, file: str, comments: Sequence[str]) -> str:
    """The text of the policy file of the pupil with the correction of a file that lies beside it."""
    description = f"`{pupil.name}` whose worths of cards a taught correction corrects, see the file."
    taught = replace(pupil, correction=Correction("", "", {}, said=file))  # whose file is named, not read
    return policy_text(taught, description, comments)


def _rows(table: np.ndarray) -> list[list[float]]:
    return [[json.loads(f"{float(number):.{_DIGITS}g}") for number in row] for row in table]
