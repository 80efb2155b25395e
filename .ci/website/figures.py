"""Numbers on the pages of studies: every one must be a figure of the register, data/figures/NAME.csv.

The tables and sentences between marks must be what the register says, byte for byte. In the sentences around them a
number with decimals, or with a unit after it, must be the value, an end or the half-width of a figure.
"""

from pathlib import Path

from wallsim.errors import InputError
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.numbers import number_faults
from wallsim.studies.publishing import list_faults, page_faults, pages_of
from wallsim.studies.register import read_register


def figure_faults(root: Path) -> list[str]:
    """What on the pages of a checkout is no figure of its register, one line each."""
    faults = list_faults(root)
    for name in own_studies():
        study = load_study(name)
        try:
            faults += page_faults(study, root)
            figures = read_register(name, root / "data" / "figures" / f"{name}.csv")
            page = pages_of(study, root)[0]
            text = page.read_text("utf-8")
            faults += [f"{page.relative_to(root).as_posix()}: {fault}" for fault in number_faults(text, figures)]
        except InputError as error:
            faults.append(str(error))
    return faults
