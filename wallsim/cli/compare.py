"""The command that compares two runs game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped, options_from
from wallsim.cli.options import AsJson, Folder, Page, Picture, Place
from wallsim.cli.output import print_document, refuse, screen, show_page
from wallsim.errors import InputError

if TYPE_CHECKING:
    from wallsim.api.comparison import ScenariosComparison

_COMPARISON = "wallsim.api.comparison"
_OF_RUNS = options_from(
    f"{_COMPARISON}:compare", seat="N|LETTER|turn", by="seat|lineup|round|standing",
    moment="--round ROUND|turn", columns="NAME[,NAME...]", intervals="bonferroni|bootstrap",
)  # fmt: skip


@app.command()
@grouped
def compare(
    first: Place,
    second: Place | None = None,
    *,
    asked: dict[str, Any] = _OF_RUNS,
    adjust: Literal["holm", "bh"] = "holm",
    baseline: dict[str, Any] = options_from(f"{_COMPARISON}:compare_scenarios", to="NAME"),
    plot: Picture | None = None,
    html: Page | None = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs of the same games, or scenarios. It prints what changed from A to B, with intervals.

    Games of the same number and seed share cards and chance, so they are compared in pairs. A folder of scenarios alone
    compares all of them with one, by line-up or seat; the intervals of wins and points hold simultaneously.

    Options
    -------
    first A: A run folder, or alone a folder of scenarios.
    second [B]: A run folder of the same seed and number of players.
    adjust: Adjust p-values by Holm, or by Benjamini and Hochberg.
    plot FILE: Also draw the changes into a .png, .svg or .pdf file.
    html FILE: Write a page of HTML instead.
    """
    if html is not None and as_json:
        refuse("--html: cannot be combined with --json")
    if second is None:
        given = {**asked, "plot": plot, "intervals": asked["intervals"] != "bonferroni"}
        unfit = [name for name, value in given.items() if value and name != "columns"]
        result: Any = _scenarios(first, asked.get("columns"), unfit, **baseline)
    else:
        if baseline:
            refuse("--to: is for a folder of scenarios alone")
        from wallsim.api.comparison import compare as compare_runs

        result = compare_runs(first, second, **asked)
    if html is not None:
        from wallsim.report.html.comparison import comparison_page, scenarios_page

        page = scenarios_page(result, first, adjust) if second is None else comparison_page(result, adjust)
        show_page(page, html, "--html")
    elif as_json:
        from wallsim.report.tables.contrasts import comparison_document, scenarios_document

        print_document((scenarios_document if second is None else comparison_document)(result, adjust))
    else:
        from wallsim.report.tables.contrasts import print_comparison, print_scenarios

        (print_scenarios if second is None else print_comparison)(screen(), result, adjust)
    if plot is not None:
        from wallsim.cli.run_output import save_axes
        from wallsim.report.figures.forest import changes

        save_axes(changes(result), plot)


def _scenarios(folder: Folder, columns: Any, unfit: list[str], to: str | None = None) -> ScenariosComparison:
    from wallsim.api.comparison import compare_scenarios
    from wallsim.folder.scenarios import holds_scenarios

    if not holds_scenarios(folder):
        refuse(f"{folder}: contains no scenarios; give a second folder to compare two runs")
    if unfit:
        raise InputError(
            f"{unfit[0]}: is for two runs; with a folder of scenarios --to, --columns, --adjust, --html and "
            "--json are allowed"
        )
    return compare_scenarios(folder, to=to, columns=columns)
