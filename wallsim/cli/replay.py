"""The command that writes the page of one game, to move through step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import Folder, Page, Place, TrustCode
from wallsim.cli.output import refuse, show_page
from wallsim.cli.run_output import observer_of, warn_of_lineups
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError
from wallsim.escaping import escaped_line

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment


@app.command()
@grouped
def replay(
    file: Place,
    *,
    game: str | None = None,
    remarkable: str | None = None,
    out: Page | None = None,
    trust_code: TrustCode = False,
) -> None:
    """Write one game as a page to watch in a browser. It shows map, plans, tower, odds and story step by step.

    The page is one file and needs no network. With --remarkable the most remarkable game of the run is picked:
    comeback, the winner that was furthest behind after year one, or at the end of any season if the run has the table
    seasons; upset, a win of the policy (where all play by one, of the seat) that wins least often in the run, by the
    most points; closest, the fewest points between the best two, then the fewest Thalers; luck, the winner whose
    battles went furthest beyond what battles with as many cubes bring, for which the run needs the table battles.

    Options
    -------
    file EXPERIMENT.toml|FOLDER: An experiment file or a run folder.
    game N: Number of the game in the run, starting at 0.  [default: 0]
    remarkable comeback|upset|closest|luck: Pick the game from the run's tables, instead.
    out FILE.html: Default: results/game-N.html.
    """
    from wallsim.errors import short
    from wallsim.experiment.keys import whole_number
    from wallsim.play.flags import experiment_of

    if game is not None and remarkable is not None:
        refuse("--game: cannot be combined with --remarkable, which picks the game")
    chosen = 0 if game is None else whole_number(game)
    if remarkable is not None:
        chosen = _picked(file, remarkable)
    played = experiment_of(file, {}, trust_code=trust_code)
    if not isinstance(chosen, int) or not 0 <= chosen < played.games:
        refuse(f"--game: {short(game or '')} is not a whole number from 0 to {played.games - 1}")
    warn_of_lineups(played)
    _write(played, chosen, out or Path(f"results/game-{chosen}.html"))


def _picked(file: Folder, kind: str) -> int:
    """The game of a run that is remarkable in this way; says why."""
    from wallsim.analysis.games.remarkable import remarkable_game
    from wallsim.folder.results import Run

    if isinstance(file, Path) and file.is_file():
        refuse(f"--remarkable: picks from the tables of a run; {file} is an experiment")
    run = Run.open(file)
    try:
        pick = remarkable_game(run, kind)
    except InputError as error:
        refuse(f"--{error}")
    echo(escaped_line(f"Game {pick.game}: {pick.reason}."))
    return pick.game


def _write(played: Experiment, game: int, out: Path) -> None:
    from wallsim.api.trace import record_game, replay_page

    page = replay_page(record_game(played, game, observer_of(quiet=False)), played.board)
    show_page(page, out, "--out")
