"""The command that shows which first plans seats made, and how they fared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wallsim.cli.app import app
from wallsim.cli.option_groups import Ends, Within, grouped
from wallsim.cli.options import AsJson, OnDisk, Place, TrustCode
from wallsim.cli.output import print_document, refuse, write_output
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError
from wallsim.escaping import escaped_line
from wallsim.folder.results import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wallsim.analysis.openings.forced import Explored

_ROWS = ".csv"
_DEFAULT = Path("results/openings.html")
_OPTIONS = ("forced", "lineup", "policy")  # names by which errors of the analysis begin


@app.command()
@grouped
def openings(
    runs: list[Place],
    *,
    lineup: str | None = None,
    policy: str | None = None,
    forced: Annotated[int, Within(0, 1_000_000)] = 0,
    out: Annotated[OnDisk | None, Ends((".html", _ROWS))] = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
) -> None:
    """Show the first plans and how each card fared. The next season follows.

    The runs need the table `plans` (`wallsim run --plans`). A frequent card is not a good card: with --forced the same
    games are played with another card, and the difference is what that card does.

    Options
    -------
    runs RUN...: Run folders with the table `plans`.
    lineup LETTER: Only this line-up.
    policy NAME: Only this policy.
    forced: Play N games again with each of the frequent cards of each box; 0 for none.
    out FILE: A page, .html, or a table, .csv.  [default: results/openings.html]
    """
    out = out or (None if as_json else _DEFAULT)
    from wallsim.analysis.openings.forced import explore, rows_of

    try:
        explored = [
            explore(Run.open(run), lineup=lineup, policy=policy, forced=forced, trust_code=trust_code) for run in runs
        ]
    except InputError as error:
        text = str(error)
        refuse(f"--{text}" if text.partition(":")[0] in _OPTIONS else text)
    if as_json:
        print_document({"openings": list(rows_of(explored))})
    if out is not None:
        _write(explored, out)
        if out.suffix != _ROWS:
            echo(escaped_line(f"Open {out}"), err=as_json)


def _write(explored: Sequence[Explored], out: Path) -> None:
    if out.suffix == _ROWS:
        import polars as pl

        from wallsim.analysis.openings.forced import flat, rows_of

        try:
            out.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            refuse(f"--out: {out}: cannot be written: {error.strerror}")
        rows = [flat(row) for row in rows_of(explored)]
        write_output(pl.DataFrame(rows, infer_schema_length=None).write_csv(), out)
        return
    from wallsim.report.html.sheets import write_page
    from wallsim.report.pages.openings import openings_page

    write_page(openings_page(explored), out, "--out")
