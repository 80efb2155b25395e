"""Commands that list the available options."""

from __future__ import annotations

from wallsim.cli.app import app
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, print_rows
from wallsim.cli.terminal_output import echo


@app.command()
def rules(as_json: AsJson = False) -> None:
    """List the options of the rules: players, set-up, edition, expansions, switches, and the numbers of the game.

    A switch decides a point on which the rulebooks are silent or differ. The numbers are those that a designer may
    change.
    """
    from wallsim.report.tables.catalogues import RULES_FOOT, amount_rows, rule_rows

    headings = ("mark", "rules", "name", "default", "else", "meaning")
    if as_json:
        _list("rules", headings, rule_rows() + amount_rows(), as_json)
        return
    print_rows(headings, rule_rows())
    echo(RULES_FOOT)
    print_rows(("rules", "name", "printed", "bounds", "meaning"), [row[1:] for row in amount_rows()])


@app.command()
def policies(as_json: AsJson = False) -> None:
    """List the available policies."""
    from wallsim.report.tables.catalogues import policy_rows

    _list("policies", ("policy", "kind", "weights", "description"), policy_rows(), as_json)


@app.command()
def towers(as_json: AsJson = False) -> None:
    """List the presets of the dice tower.

    `through` is the probability that a thrown cube falls through, `loose` that a cube inside is knocked loose. For the
    models urn and layered they are means for casts of eight cubes after the contents have settled.
    """
    from wallsim.report.tables.catalogues import tower_rows

    _list("towers", ("tower", "model", "through", "loose", "source"), tower_rows(), as_json)


def _list(name: str, headings: tuple[str, ...], rows: list[tuple[str, ...]], as_json: bool) -> None:
    if as_json:
        from wallsim.report.documents import rows_document

        print_document(rows_document(name, headings, rows))
    else:
        print_rows(headings, rows)
