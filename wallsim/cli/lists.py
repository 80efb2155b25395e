"""Commands that list the available options, and write a file with every key of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, experiment_options
from wallsim.cli.output import print_document, print_rows, refuse
from wallsim.cli.terminal_output import echo
from wallsim.escaping import in_shell

if TYPE_CHECKING:
    from wallsim.studies.figure import Figure

_VALUED = 4  # players of the games in which values of counties were measured


@app.command()
@grouped
def init(file: Path = Path("experiment.toml")) -> None:
    """Write an experiment file with every key explained. Each key has its default and its meaning.

    Options
    -------
    file FILE.toml: The file to write; it must not exist.
    """
    if file.suffix != ".toml":
        refuse(f"{file}: the name of an experiment file must end in .toml")
    from wallsim.experiment.file import experiment_template

    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(experiment_template(str(file)))
    except FileExistsError:
        refuse(f"{file}: already exists and is not replaced; choose another file")
    except OSError as error:
        refuse(f"{file}: cannot be written: {error.strerror}")
    echo(f"Wrote {file}. Play it with: wallsim run {in_shell(file)}")


@app.command()
def rules(as_json: AsJson = False) -> None:
    """List the options of the rules. These are players, set-up, edition, expansions, switches, and the numbers of the
    game.

    A switch decides a point on which the rulebooks are silent or differ. The numbers are those that a designer may
    change.
    """
    from wallsim.report.tables.catalogues import AMOUNTS_HEADS, RULES, RULES_FOOT, amount_rows, rule_rows

    if as_json:
        _list("rules", RULES, rule_rows() + amount_rows(), as_json)
        return
    print_rows(RULES, rule_rows())
    echo(RULES_FOOT)
    print_rows(AMOUNTS_HEADS, [row[1:] for row in amount_rows()])


@app.command()
@grouped
def lineups(keys: dict[str, Any] = experiment_options("players", "board"), as_json: AsJson = False) -> None:
    """List the printed line-ups and the free counties. Each county has its numbers and its value; those out of play are
    listed too (out).

    They are those of the game or of a board of one's own. `exchange` in an experiment file changes a county of a
    line-up for another, `replace` all of them.
    """
    from wallsim.play.flags import experiment_of
    from wallsim.report.tables.catalogues import FREE, LINEUP_FOOT, LINEUPS, lineup_rows
    from wallsim.report.tables.columns import headings_of, objects_of, texts_of
    from wallsim.rules.other_settings import other_settings, settings_line

    experiment = experiment_of(None, {**keys, "setup": "draft"})  # for which a board needs no line-ups
    parts, players = experiment.components(), experiment.players
    rows = lineup_rows(parts.board, players)
    own = other_settings({"board": parts.board.digest}, parts.board.name)
    if as_json:
        counties = objects_of(LINEUPS, rows)
        thalers = parts.ruleset.starting_thalers()[0]
        document = {"not_default": own, "players": players, "starting_thalers": thalers, "counties": counties}
        print_document(document if own else {**document, **_figures_of_lineups(counties, players)})
        return
    if own:
        echo(f"{settings_line(own)}\n")
    if rows[0].lineup == FREE:
        echo(f"The board has no line-ups of {players} players; --setup draft needs none.\n")
    heads, texts = headings_of(LINEUPS), texts_of(LINEUPS, rows)
    if own or rows[0].lineup == FREE:
        print_rows(heads, texts)
    else:
        _print_valued(players, heads, texts)
    echo(LINEUP_FOOT)


def _print_valued(players: int, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    # The line-ups of the game with what studies measured of them.
    values = _county_values([row[1] for row in rows], players)
    cells = {county: f"{each.value:+.2f}".replace("-", "−") for county, each in values.items()}
    print_rows((*heads, "value"), [(*row, cells[row[1]]) for row in rows]) if values else print_rows(heads, rows)
    counties: dict[str, list[str]] = {}
    for row in rows:
        counties.setdefault(row[0], []).append(row[1])
    echo("\nWins of casual bots (not people) with the printed line-ups, and the sum of the counties' values:\n")
    print_rows(("line-up", "wins, %", "interval", "values"), _wins_rows(players, counties, values))
    scope = "mean of three towers, counties dealt" if values else f"measured with {_VALUED} players only"
    echo(
        f"\nFair: {100 / players:.1f} %. Values are in VP for casual bots ({scope}). Intervals are simultaneous, 95 %."
    )
    echo(f"Sources: figures lineups.wins.{players}p.* and draft.worth-by-play.*, as `wallsim figures` shows them.")


@app.command()
def policies(as_json: AsJson = False) -> None:
    """List the bots: the policies that can play."""
    from wallsim.report.tables.catalogues import POLICIES, policy_rows

    _list("policies", POLICIES, policy_rows(), as_json)


@app.command()
def towers(as_json: AsJson = False) -> None:
    """List the presets of the dice tower.

    `through` is the probability that a thrown cube falls through, `loose` that a cube inside is knocked loose. For the
    models urn and layered they are means for casts of eight cubes after the contents have settled.
    """
    from wallsim.report.tables.catalogues import TOWERS, tower_rows

    _list("towers", TOWERS, tower_rows(), as_json)


def _list(name: str, headings: tuple[str, ...], rows: list[tuple[str, ...]], as_json: bool) -> None:
    if as_json:
        from wallsim.report.tables.columns import named_rows

        print_document({name: named_rows(headings, rows)})
    else:
        print_rows(headings, rows)


def _county_values(counties: Sequence[str], players: int) -> dict[str, Figure]:
    """The value of each county to casual bots in victory points; empty for numbers of players without any."""
    if players != _VALUED:
        return {}
    from wallsim.studies.figure import slug
    from wallsim.studies.register import read_register

    found = read_register("draft")
    return {county: found[f"draft.worth-by-play.4p.{slug(county)}/casual/all"] for county in counties}


def _lineup_wins(players: int) -> dict[str, Figure]:
    """The share of wins of each printed line-up among casual bots, in percent."""
    from wallsim.rules.ruleset import LETTERS
    from wallsim.studies.register import read_register

    found = read_register("lineups")
    return {letter: found[f"lineups.wins.{players}p.{letter}/casual/spielbyweb"] for letter in LETTERS[:players]}


def _figures_of_lineups(counties: Sequence[Mapping[str, Any]], players: int) -> dict[str, Any]:
    """The same as keys of a document: values by county and wins in percent by line-up, with intervals and ids."""
    values = _county_values([county["county"] for county in counties], players)
    return {name: {key: {"id": each.id, "value": each.value, "low": each.low, "high": each.high}
                   for key, each in found.items()}
            for name, found in (("values", values), ("wins", _lineup_wins(players)))}  # fmt: skip


def _wins_rows(players: int, counties: Mapping[str, Sequence[str]], values: Mapping[str, Figure]) -> list[list[str]]:
    """Line-up, percent of wins with its interval, and the sum of its counties' values, where there are values."""
    rows = []
    for letter, wins in _lineup_wins(players).items():
        total = f"{sum(values[county].value for county in counties[letter]):+.1f}".replace("-", "−") if values else "–"
        rows.append([letter, f"{wins.value:.1f}", f"{wins.low:.1f} to {wins.high:.1f}", total])
    return rows
