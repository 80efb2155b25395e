"""A correction as a file of `data/corrections`: JSON with the coefficients and how they were made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.policies.correction import attack_features as attacks
from wallsim.policies.correction.features import INPUT_NAMES, INPUTS, MAX_UNITS, MOMENTS
from wallsim.policies.models_file import ModelForm, model_names, new_models, pack_models, path_of_models, read_models
from wallsim.rules.terms import ACTIONS

if TYPE_CHECKING:
    import numpy as np

OUTPUT_NAMES = (*ACTIONS, "auction")
FORM = ModelForm(
    inputs=INPUT_NAMES, outputs=OUTPUT_NAMES, moments=MOMENTS, max_units=MAX_UNITS,
    named={"inputs": INPUT_NAMES, "outputs": OUTPUT_NAMES}, moments_are="rounds",
    missing="teach a correction by `wallsim teach`", other_version="teach it again by `wallsim teach`",
)  # fmt: skip
ATTACKS = FORM._replace(
    inputs=attacks.INPUT_NAMES, outputs=("worth",), max_units=attacks.MAX_UNITS, named={"inputs": attacks.INPUT_NAMES},
    missing="teach attacks by `wallsim teach --attacks`", other_version="teach them again by `wallsim teach --attacks`",
)  # fmt: skip
_PACKED: dict[str, Any] = {}  # never freed, since minds hold addresses


@dataclass(frozen=True)
class Correction:
    """A correction: its name, the sha256 of its file, and what that holds; `said` is how any policy file names it."""

    name: str
    digest: str
    contents: dict[str, Any] = field(compare=False, repr=False)
    said: str = field(default="", compare=False)

    def packed(self) -> np.ndarray:
        """A CORRECTIONS array of one element; a number of players that was not taught has the model of the nearest."""
        from wallsim.policies.correction.model import CORRECTIONS

        packed = new_models(CORRECTIONS)
        pack_models(self.contents, FORM, packed[0].of)
        if "attacks" in self.contents:
            pack_models(self.contents["attacks"], ATTACKS, packed[0].of["attacks"])
            packed[0].attacks = 1
        return packed

    def address(self) -> int:
        """The address of its CORRECTIONS, which stay in memory as long as the process runs."""
        packed = _PACKED.get(self.digest)
        if packed is None:
            packed = _PACKED.setdefault(self.digest, self.packed())  # of threads that pack it at once, one is used
        return int(packed.ctypes.data)


def no_correction() -> Correction:
    """A correction that says nothing: a planner with it plans as without, and notes what it sees."""
    nothing = {"linear": [[0.0] * len(OUTPUT_NAMES)] * INPUTS, "units": [[]] * INPUTS, "outward": []}
    return Correction("none", "none", {"models": {"4": dict.fromkeys(MOMENTS, nothing)}})


def correction_names() -> tuple[str, ...]:
    """The names that `load_correction` knows."""
    return model_names("corrections")


def load_correction(name_or_path: str, folder: Path = Path()) -> Correction:
    """The correction of a name or of a .json file; raises InputError for a name or a file that is not one.

    A relative path begins at the `folder`, that of the policy file.
    """
    path = path_of_models("corrections", name_or_path, folder)
    said = str(path.resolve()) if name_or_path.endswith(".json") else name_or_path  # for policy files elsewhere, too
    return replace(read_correction(path), said=said)


def read_correction(path: Path) -> Correction:
    """The correction of a file; InputError for all that is wrong with its form."""
    return Correction(path.stem, *read_models(path, FORM, attacks=ATTACKS))
