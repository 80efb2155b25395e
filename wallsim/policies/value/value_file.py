"""A learned value as a file of `data/values`: JSON with the coefficients and how they were made."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.policies.models_file import ModelForm, model_names, pack_models, path_of_models, read_models
from wallsim.policies.value.features import INPUT_NAMES, MAX_UNITS, MOMENTS

if TYPE_CHECKING:
    import numpy as np

OUTPUT_NAMES = ("points", "lead", "score")
FORM = ModelForm(
    inputs=INPUT_NAMES, outputs=OUTPUT_NAMES, moments=MOMENTS, max_units=MAX_UNITS, named={"inputs": INPUT_NAMES},
    moments_are="seasons", missing="learn a value by `wallsim learn`",
    other_version="learn the value again by `wallsim learn`",
)  # fmt: skip


@dataclass(frozen=True)
class Value:
    """A learned value: its name, the sha256 of its file, and what the file holds."""

    name: str
    digest: str
    contents: dict[str, Any] = field(compare=False, repr=False)

    def packed(self) -> np.ndarray:
        """A VALUES array of one element; a number of players that was not learned has the model of the nearest."""
        import numpy as np

        from wallsim.policies.value.model import VALUES

        packed = np.zeros(1, VALUES)
        pack_models(self.contents, FORM, packed[0].of)
        return packed


def value_names() -> tuple[str, ...]:
    """The names that `load_value` knows."""
    return model_names("values")


def load_value(name_or_path: str) -> Value:
    """The value of a name or of a .json file; raises InputError for a name or a file that is not one."""
    return read_value(path_of_models("values", name_or_path))


def read_value(path: Path) -> Value:
    """The value of a file; InputError for all that is wrong with its form."""
    return Value(path.stem, *read_models(path, FORM))
