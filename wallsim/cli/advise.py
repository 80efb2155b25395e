"""The command that advises a seat on its plan, a claim in the draft, a place in the order or an attack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.analysis.advice.keys import ADVICE_KEYS
from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Folder, TrustCode, Workers, number_options
from wallsim.cli.output import counted, print_document, refuse, screen, whole_number, workers_of
from wallsim.cli.signals import tidied
from wallsim.folder.address import folder_of
from wallsim.rules.ruleset import LETTERS
from wallsim.searches.search import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wallsim.analysis.advice.choice import Choice
    from wallsim.analysis.advice.moment import Moment

_MAX_STEP = 1_000_000


@app.command()
@grouped
def advise(
    position: Annotated[
        Folder,
        typer.Argument(
            metavar="FOLDER|EXPERIMENT.toml|POSITION.txt",
            parser=folder_of,
            help="A run folder or an experiment file, of which --game is played again, or a position as text.",
        ),
    ],
    game: Annotated[str | None, typer.Option(metavar="N", help="Number of the game in a run.  [default: 0]")] = None,
    season: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The season that is planned, such as 'fall 1'.  [default: spring 1]"),
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Instead of --season, a line of the game's trace, counted from 0: a claim, a plan, the order or an "
            "attack.",
        ),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="N|A-E", help="The seat that decides.  [default: 0, or that of --step]")
    ] = None,
    actions: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="The five open actions of a position.  [default: drawn at random]"),
    ] = None,
    tiles: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="The bonus tiles of a position, by place.  [default: drawn at random]"),
    ] = None,
    plan: Annotated[
        str | None,
        typer.Option(metavar="BOX=CARD,...", help="Your own plan, to be judged beside the best ones."),
    ] = None,
    choice: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Your own choice at a --step that is no plan, to be judged: 'Tirol' or 'deck' for a claim, '2' or "
            "'six_armies' for a place, 'Tirol 3' for an attack.",
        ),
    ] = None,
    plays: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,...]",
            help="Kinds of play of the others; the advice is for the first.  [default: "
            "strong, second strong, middling, casual, weak]",
        ),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(metavar="NAME", help="The policy as which the seat goes on.  [default: expert-Np]")
    ] = None,
    tower: Annotated[
        str | None, typer.Option(metavar="NAME|FILE.toml", help="The tower.  [default: that of the run, or spielbyweb]")
    ] = None,
    numbers: dict[str, Any] = number_options(ADVICE_KEYS, *ADVICE_KEYS),
    trust_code: TrustCode = False,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Search for the best plan, claim, place or attack. The answer has the three next best, and how much worse they
    are.

    Plans are chosen on some dealt tables, on which all that is hidden is dealt at random, and judged on others. The
    other seats play in each of several kinds of play. What was done in a game, or --plan or --choice, is judged as
    well.
    """  # fmt: skip
    from wallsim.analysis.advice.advice import advise_on
    from wallsim.analysis.advice.question import Effort
    from wallsim.report.tables.advice import advice_document, print_advice

    effort = Effort(numbers["precision"] / 100, numbers["tables"], numbers["minutes"], workers_of(workers))
    number = None if seat is None else _seat(seat)
    request: dict[str, Any] = {
        "plan": plan, "choice": choice, "plays": listed(plays), "policy": policy, "tower": tower,
    }  # fmt: skip
    text = isinstance(position, Path) and position.is_file() and position.suffix != ".toml"
    with tidied():
        if text:
            for flag, value in (("--game", game), ("--season", season), ("--step", step)):
                if value is not None:
                    refuse(f"{flag}: cannot be combined with a position as text, which is of one season")
            asked: Moment | Choice = _of_text(
                Path(position), number or 0, listed(actions), listed(tiles), numbers["seed"], request
            )
        else:
            for flag, value in (("--actions", actions), ("--tiles", tiles)):
                if value is not None:
                    refuse(f"{flag}: a run says itself what lies open; allowed only with a position as text")
            asked = _of_run(position, game, season, step, number, trust_code, request)
        with counted("games") as watch:
            advice = advise_on(asked, **request, seed=numbers["seed"], effort=effort, watch=watch)
    if as_json:
        print_document(advice_document(advice))
    else:
        print_advice(screen(), advice)


def _seat(text: str) -> int:
    """The seat of a number, or of a letter as positions have them."""
    return LETTERS.index(text) if text and text in LETTERS else whole_number("--seat", text, 0, len(LETTERS) - 1)


def _of_run(
    place: Folder, game: str | None, season: str | None, step: str | None, seat: int | None, trust_code: bool,
    request: Mapping[str, Any],
) -> Moment | Choice:  # fmt: skip
    from wallsim.analysis.advice.advice import check_asked, decision_of_step
    from wallsim.analysis.advice.moment import moment_of_game
    from wallsim.experiment.keys import MAX_GAMES
    from wallsim.play.flags import experiment_of

    experiment = experiment_of(place, {}, trust_code=trust_code)
    number = whole_number("--game", game or "0", 0, MAX_GAMES)
    line = None if step is None else whole_number("--step", step, 0, _MAX_STEP)
    if line is not None and season is not None:
        refuse("--step: cannot be combined with --season; give one of them")
    check_asked(experiment.ruleset(), experiment.components().board, line, **request)
    if line is not None:
        return decision_of_step(experiment, number, line, seat)
    return moment_of_game(experiment, number, season or "spring 1", seat or 0)


def _of_text(
    file: Path, seat: int, actions: list[str], tiles: list[str], seed: int, request: Mapping[str, Any]
) -> Moment:
    from wallsim.analysis.advice.advice import check_asked
    from wallsim.analysis.advice.moment import moment_of_state
    from wallsim.rules.board import load_board
    from wallsim.rules.tower import DEFAULT_TOWER
    from wallsim.trace.game_text.position import read_file, read_position

    state = read_position(read_file(file), str(file))
    check_asked(state.ruleset(), load_board(), None, **request)
    tower = request["tower"] or DEFAULT_TOWER
    return moment_of_state(state, seat, actions=actions, tiles=tiles, tower=tower, seed=seed, source=str(file))
