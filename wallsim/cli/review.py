"""The command that looks at a game that people played, and writes a simulated game as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped, options_from
from wallsim.cli.options import Folder, Place, TrustCode
from wallsim.cli.output import check_out, refuse, show_page, whole_number, write_output
from wallsim.cli.terminal_output import echo
from wallsim.escaping import escaped_line

_PAGE = Path("results/review.html")
_OPTIONS = options_from("wallsim.api.review:review", samples="N", seed="N", minutes="--advise MINUTES")


@app.command()
@grouped
def review(
    text: Path | None = None,
    *,
    out: Path | None = None,
    check: bool = False,
    from_: Place | None = None,
    game: str | None = None,
    options: dict[str, Any] = _OPTIONS,
    trust_code: TrustCode = False,
) -> None:
    """Look at a game that people played.

    Final scores are enough: the page says where they stand among games of bots. With more in the text it says more, up
    to points by source, win probabilities, battles and plans. It lists what is not noted, works offline, and gives
    nobody a mark. With --from a simulated game is written as such a text.

    Options
    -------
    text GAME.txt: The text of a game; docs/review.md has the format.
    out FILE: Default: the file results/review.html, with --from standard output.
    check: Only report what cannot be in the game, by line and column.
    from_ EXPERIMENT.toml|RUN: Write a simulated game as text instead, for practice.
    game N: With --from: the number of the game, from 0.  [default: 0]
    """
    if (text is None) == (from_ is None):
        refuse("GAME.txt: name the text of a game, or --from a run whose game is written as text; one of them")
    given = {"advise": "minutes" in options, "samples": options["samples"] != 200, "seed": options["seed"] != 1}
    if check or from_ is not None:
        for name in (name for name, is_given in given.items() if is_given):
            refuse(f"--{name}: is for the page of a game; leave it out with --check and --from")
    if game is not None and from_ is None:
        refuse("--game: needs --from; the text of a game has one game")
    if from_ is not None:
        if check:
            refuse("--check: cannot be combined with --from; it checks the text of a game")
        _write_text(from_, game or "0", out, trust_code)
    elif text is not None and check:
        if out is not None:
            refuse("--check: writes nothing; leave out --out")
        _check(text)
    elif text is not None:
        from wallsim.api.review import review as look_at
        from wallsim.report.html.sheets import check_page_name

        check_page_name(out or _PAGE, "--out")
        show_page(look_at(text, **options).page(), out or _PAGE, "--out")


def _check(text: Path) -> None:
    from wallsim.api.review import read_game
    from wallsim.report.tables.estimates import how_many

    read = read_game(text)
    unknown = sum(section.unknown() for section in read.sections.values())
    counts = ("table", len(read.sections)), ("battle", len(read.battles)), ("plan", len(read.plans))
    words = ", ".join(how_many(count, what) for what, count in counts)
    echo(escaped_line(f"{text}: {read.players} players, {words}."))
    for doubt in read.doubts:
        echo(escaped_line(f"{doubt}"))
    fits = "Nothing in it is impossible" + (", but not all of it fits together" if read.doubts else "")
    echo(f"{fits}; {how_many(unknown, 'number')} unknown.")


def _write_text(source: Folder, number: str, out: Path | None, trust_code: bool) -> None:
    from wallsim.api.review import text_of_game
    from wallsim.play.flags import experiment_of

    check_out(out, ".txt", or_unknown=True)
    experiment = experiment_of(source, {}, trust_code=trust_code)
    chosen = whole_number("--game", number, 0, experiment.games - 1)
    write_output(text_of_game(experiment, chosen), out)
