"""Numbers on the pages of studies: every one must be a figure of the register, data/figures/NAME.csv.

The tables and sentences between marks must be what the register says, byte for byte. In the sentences around them a
number with decimals, or with a unit after it, must be the value, an end or the half-width of a figure. In the texts of
the strategy report numbers are ids of figures, and words that judge are those of a claim's verdict.
"""

from importlib import import_module
from pathlib import Path

from wallsim.errors import InputError
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.publishing import list_errors, page_errors, page_of
from wallsim.studies.register import read_register
from website.numbers import number_errors
from website.pages import TEXTS

_texts, _readme = (import_module(f"wallsim.analyses.strategy_report.{name}") for name in ("texts", "readme"))


def figure_errors(root: Path) -> list[str]:
    """What on the pages of a checkout is no figure of its register, one line each."""
    errors = [*list_errors(root), *_readme.readme_errors(root)]
    for name in own_studies():
        study = load_study(name)
        try:
            errors += page_errors(study, root)
            figures = read_register(name, root / "data" / "figures" / f"{name}.csv")
            page = page_of(study, root)
            shown, text = page.relative_to(root).as_posix(), page.read_text("utf-8")
            errors += [f"{shown}: {problem}" for problem in number_errors(text, figures)]
        except InputError as error:
            errors.append(str(error))
    return [*errors, *_texts.report_errors(root / TEXTS)]
