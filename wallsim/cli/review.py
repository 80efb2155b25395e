"""The command that looks at a game that people played, and writes a simulated game as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import Folder, TrustCode
from wallsim.cli.output import check_out, refuse, show_page, whole_number, write_output
from wallsim.cli.terminal_output import echo
from wallsim.escaping import escaped_line
from wallsim.folder.address import folder_of

_PAGE = Path("results/review.html")


@app.command()
def review(
    game: Annotated[
        Path | None, typer.Argument(metavar="GAME.txt", help="The text of a game; docs/review.md has the format.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Default: the file {_PAGE}, with --from standard output."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only report what cannot be in the game, by line and column.")
    ] = False,
    source: Annotated[
        Folder | None,
        typer.Option(
            "--from", metavar="EXPERIMENT.toml|RUN", parser=folder_of,
            help="Write a simulated game as text instead, for practice.",
        ),
    ] = None,
    number: Annotated[
        str | None,
        typer.Option("--game", metavar="N", help="With --from: the number of the game, from 0.  [default: 0]"),
    ] = None,
    samples: Annotated[
        str | None, typer.Option(metavar="N", help="How often what nobody remembers is drawn.  [default: 200]")
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="Repeats the draws.  [default: 1]")] = None,
    minutes: Annotated[
        str | None,
        typer.Option(
            "--advise", metavar="MINUTES", help="Compare noted plans with those that a search prefers, in so much time."
        ),
    ] = None,
    trust_code: TrustCode = False,
) -> None:  # fmt: skip
    """Look at a game that people played.

    Final scores are enough: the page says where they stand among games of bots. With more in the text it says more, up
    to points by source, win probabilities, battles and plans. It lists what is not noted, works offline, and gives
    nobody a mark. With --from a simulated game is written as such a text.
    """
    if (game is None) == (source is None):
        refuse("GAME.txt: name the text of a game, or --from a run whose game is written as text; one of them")
    for flag, value in (("--advise", minutes), ("--samples", samples), ("--seed", seed)):
        if value is not None and (check or source is not None):
            refuse(f"{flag}: is for the page of a game; leave it out with --check and --from")
    if number is not None and source is None:
        refuse("--game: needs --from; the text of a game has one game")
    if source is not None:
        if check:
            refuse("--check: cannot be combined with --from; it checks the text of a game")
        _write_text(source, number or "0", out, trust_code)
        return
    assert game is not None
    if check:
        if out is not None:
            refuse("--check: writes nothing; leave out --out")
        from wallsim.api.review import read_game
        from wallsim.report.tables.estimates import how_many

        read = read_game(game)
        unknown = sum(section.unknown() for section in read.sections.values())
        echo(
            escaped_line(
                f"{game}: {read.players} players, {how_many(len(read.sections), 'table')}, "
                f"{how_many(len(read.battles), 'battle')}, {how_many(len(read.plans), 'plan')}."
            )
        )
        for doubt in read.doubts:
            echo(escaped_line(f"{doubt}"))
        fits = "Nothing in it is impossible" + (", but not all of it fits together" if read.doubts else "")
        echo(f"{fits}; {how_many(unknown, 'number')} unknown.")
        return
    _write_page(game, out or _PAGE, samples or "200", seed or "1", minutes)


def _write_page(game: Path, out: Path, samples: str, seed: str, minutes: str | None) -> None:
    from wallsim.api.review import FEWEST_SAMPLES, MOST_SAMPLES
    from wallsim.api.review import review as look_at
    from wallsim.experiment.keys import MAX_SEED
    from wallsim.report.html.sheets import check_page_name

    check_page_name(out, "--out")
    draws = whole_number("--samples", samples, FEWEST_SAMPLES, MOST_SAMPLES)
    number = whole_number("--seed", seed, 0, MAX_SEED)
    page = look_at(game, samples=draws, seed=number, minutes=_minutes(minutes)).page()
    show_page(page, out, "--out")


def _minutes(text: str | None) -> float | None:
    """The time for comparing plans."""
    from wallsim.analysis.advice.keys import ADVICE_KEYS
    from wallsim.experiment.keys import read_number

    found: float | None = read_number("--advise", ADVICE_KEYS["minutes"], text)
    return found


def _write_text(source: Folder, number: str, out: Path | None, trust_code: bool) -> None:
    from wallsim.api.review import text_of_game
    from wallsim.play.flags import experiment_of

    check_out(out, ".txt", or_unknown=True)
    experiment = experiment_of(source, {}, trust_code=trust_code)
    chosen = whole_number("--game", number, 0, experiment.games - 1)
    write_output(text_of_game(experiment, chosen), out)
