"""The command that advises a seat on its plan, a claim in the draft, a place in the order or an attack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped, options_from
from wallsim.cli.options import AsJson, Folder, Place
from wallsim.cli.output import counted, print_document, screen
from wallsim.cli.signals import tidied
from wallsim.rules.ruleset import LETTERS

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment
    from wallsim.trace.state import State

_OPTIONS = options_from(
    "wallsim.analysis.advice.options:AdviceOptions", game="N", season="NAME", step="N", seat="N|A-E",
    actions="NAME,...", tiles="NAME,...", plan="BOX=CARD,...", choice="TEXT", plays="NAME[,...]", policy="NAME",
    tower="NAME|FILE.toml", precision="POINTS", tables="N", minutes="MIN", seed="N", trust_code="", workers="N",
)  # fmt: skip


@app.command()
@grouped
def advise(position: Place, *, options: dict[str, Any] = _OPTIONS, as_json: AsJson = False) -> None:
    """Search for the best plan, claim, place or attack. The answer has the three next best, and how much worse they
    are.

    Plans are chosen on some dealt tables, on which all that is hidden is dealt at random, and judged on others. The
    other seats play in each of several kinds of play. What was done in a game, or --plan or --choice, is judged as
    well.

    Options
    -------
    position FOLDER|EXPERIMENT.toml|POSITION.txt: A run folder or an experiment file, of which --game is played again,
      or a position as text.
    """  # fmt: skip
    from wallsim.analysis.advice.options import AdviceOptions
    from wallsim.api.advice import advice_on
    from wallsim.report.tables.advice import advice_document, print_advice

    if options.get("seat") in tuple(LETTERS):
        options["seat"] = LETTERS.index(options["seat"])
    with tidied():
        asked = _read(position, trust_code=options["trust_code"])
        with counted("games") as watch:
            advice = advice_on(asked, AdviceOptions(**options), source=str(position), watch=watch)
    if as_json:
        print_document(advice_document(advice))
    else:
        print_advice(screen(), advice)


def _read(position: Folder, *, trust_code: bool) -> State | Experiment:
    if isinstance(position, Path) and position.is_file() and position.suffix != ".toml":
        from wallsim.trace.game_text.position import read_file, read_position

        return read_position(read_file(position), str(position))
    from wallsim.play.flags import experiment_of

    return experiment_of(position, {}, trust_code=trust_code)
