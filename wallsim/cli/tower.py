"""Commands for the dice tower: fit a tower to casts, simulate casts, draw towers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import Ends, Within, grouped
from wallsim.cli.options import AsJson, OnDisk, OneTower, Seed, experiment_options
from wallsim.cli.output import (
    check_out,
    counted,
    policy_of,
    print_document,
    refuse,
    refuse_to_replace,
    screen,
    tower_of,
    whole_number,
    write_output,
)
from wallsim.cli.terminal_output import echo
from wallsim.escaping import in_shell

tower_app = typer.Typer(help="Fit a dice tower to casts, simulate, or draw it.", no_args_is_help=True)
app.add_typer(tower_app, name="tower")

_MAX_TOWERS = 9


@tower_app.command()
@grouped
def fit(
    casts: Path,
    *,
    model: Literal["auto", "independent", "urn", "layered"] = "auto",
    floors: Annotated[int, Within(1, 4)] = 2,
    layered: bool = True,
    seed: Seed = 1,
    out: Path | None = None,
    as_json: AsJson = False,
) -> None:
    """Fit a tower to a log of casts. The result is a tower file for `--tower FILE`.

    The log is a CSV file with one row per cast. It has the columns in_COLOUR and out_COLOUR for each colour of cubes,
    and optionally session, cast, event (fill, battle, revolt, bench, bump or empty), tray_rethrown, edition, pour and
    note.

    The tower of the file is for play: a prior pulls its numbers to the presets, the more the shorter the log is.

    Options
    -------
    casts CASTS.csv: A log of casts.
    model: The model to write; auto: the urn if the test prefers it, otherwise independent.
    floors: Number of floors of the layered tower, 1 to 4.
    layered: Also fit the layered tower (slowest).
    seed: Seed of the simulations.
    out FILE.toml: The tower file to write.  [default: CASTS.toml]
    """
    if model == "layered" and not layered:
        refuse("--model: layered cannot be combined with --no-layered")
    from wallsim.analysis.tower.cast_file import read_casts
    from wallsim.analysis.tower.fitted_models import fit_all, fit_exactly, fitted_tower, for_simulation, nearest_preset
    from wallsim.report.tables.fits import fit_document, log_lines, print_fit
    from wallsim.rules.tower import HEADLINE, load_tower, tower_presets, tower_text

    log = read_casts(casts)
    target = out or casts.with_suffix(".toml")
    check_out(target, ".toml")
    if not casts.name.isprintable():
        refuse(f"{str(casts)!r}: its name cannot be written into a tower file; rename the log")
    refuse_to_replace(target, HEADLINE)
    if not as_json:
        echo("\n".join([*log_lines(log), ""]))
    simulated = for_simulation(log)
    if simulated is None and not as_json:
        echo("Note: this log throws more cubes than any edition contains; nothing is simulated.\n")
    if simulated is None and model == "layered":
        refuse("--model: layered can be fitted only by simulation")
    try:
        with counted("searches for the likeliest independent tower and urn") as watch:
            exact = fit_exactly(log, watch)
        with counted("simulated logs for the layered tower") as watch:
            fits = fit_all(log, floors=floors if layered else None, seed=seed, watch=watch, exact=exact)
        presets = [load_tower(name) for name in tower_presets()]
        with counted("simulated logs of the presets") as watch:
            nearest = nearest_preset(simulated, presets, seed=seed, watch=watch) if simulated else []
    except ValueError as error:
        refuse(f"{casts}: {error}")
    chosen = fits.best() if model == "auto" else model
    tower = fitted_tower(target.stem, chosen, log, fits, casts.name)
    write_output(tower_text(tower, f"the model {chosen}, fitted to {casts.name}"), target)
    if as_json:
        print_document(fit_document(fits, nearest, chosen, target, log.notes))
        return
    print_fit(screen(), fits, nearest, chosen)
    echo(f"The fitted tower, model {chosen}, is in {target}; use it with --tower {in_shell(target)}")


@tower_app.command()
@grouped
def simulate(
    *,
    tower: OneTower = "spielbyweb",
    protocol: Literal["bench", "game"] = "bench",
    casts: Annotated[int | None, Within(43, 100_000)] = None,
    games: Annotated[int | None, Within(1, 10_000)] = None,
    keys: dict[str, Any] = experiment_options("players", "policies", "seed"),
    out: Annotated[Path | None, Ends((".csv",))] = None,
) -> None:
    """Simulate a log of casts. `wallsim tower fit` reads it.

    A bench session fills the tower colour by colour, throws 1 to 14 cubes of one colour per cast, then 8 cubes 30
    times, and makes five whole fills into the empty tower. With --protocol game the log has the casts of games that
    policies play.

    Options
    -------
    protocol: A session on the bench, or the casts of whole games.
    casts: Number of casts of the bench session, 43 or more.  [default: 200]
    games: Number of games, with --protocol game.  [default: 1]
    out CASTS.csv: Output file.  [default: standard output]
    """
    other: dict[str, object] = (
        {"--casts": casts}
        if protocol == "game"
        else {"--games": games, "--players": keys["players"], "--policies": keys["policies"]}
    )
    for flag, value in other.items():
        if value is not None:
            refuse(f"{flag}: cannot be used with --protocol {protocol}")
    if out is not None:
        refuse_to_replace(out, "")
    import io

    from wallsim.analysis.tower.cast_file import write_casts

    stream = io.StringIO()
    if protocol == "game":
        from wallsim.analysis.tower.protocols import game_log
        from wallsim.play.flags import experiment_of

        log, rethrown = game_log(experiment_of(None, {**keys, "tower": tower, "games": str(games or 1)}))
        write_casts(log, stream, tray_rethrown=rethrown)
    else:
        from wallsim.analysis.tower.protocols import bench_design, simulate_log

        seed = whole_number("--seed", keys["seed"] or "1", 0, 2**31)
        try:
            write_casts(simulate_log(tower_of(tower), bench_design(casts or 200, seed=seed), seed=seed), stream)
        except ValueError as error:
            refuse(f"--tower: {error}")
    write_output(stream.getvalue(), out)


@tower_app.command()
@grouped
def show(
    *,
    tower: list[str] | None = None,
    players: Annotated[int, Within(3, 5)] = 4,
    policy: str = "balanced",
    games: Annotated[int, Within(30, 10_000)] = 400,
    seed: Seed = 1,
    out: OnDisk = Path("results/towers"),
    as_json: AsJson = False,
) -> None:
    """Draw towers in three pictures.

    first_fill.png: the cubes that fall out of a first fill; contents.png: the contents of the tower over a game;
    chances.png: the attacker's probability of winning by armies, for a fresh, a loaded and an adverse tower.

    Options
    -------
    tower NAME|FILE.toml: A tower, repeatable.  [default: spielbyweb]
    players: Number of players in the first fill and in the games.
    policy NAME: The policy that plays the games.
    games: Games per tower for its contents over a game.
    seed: Seed of the games and the simulated battles.
    out DIR: Folder for the pictures.
    """
    seats, names = cast("Literal[3, 4, 5]", players), tower or ["spielbyweb"]
    if len(names) > _MAX_TOWERS or len(set(names)) < len(names):
        refuse(f"--tower: {', '.join(names)} are not 1 to {_MAX_TOWERS} different towers")

    models = [tower_of(name) for name in names]
    if len({model.name for model in models}) < len(models):
        refuse(
            f"--tower: {', '.join(names)} have the same name twice; rename a file, "
            "because the pictures label towers by name"
        )
    if out.exists() and not out.is_dir():
        refuse(f"--out: {out} is not a folder")
    player = policy_of("policy", policy)
    import polars as pl

    from wallsim.analysis.battle.states import odds_by_state
    from wallsim.analysis.tower.contents import contents_over_games, first_fill
    from wallsim.experiment.experiment import Experiment
    from wallsim.play.setting import Setting
    from wallsim.report.figures import tower as tower_figures
    from wallsim.report.figures.style import save_picture

    Setting(Experiment(players=seats)).check_custom_policies([player], seed)
    out.mkdir(parents=True, exist_ok=True)
    fills, contents, chances = [], [], []
    with counted("towers") as watch:
        for done, model in enumerate(models):
            watch(done, len(models))
            fills.append(first_fill(model, seats, seed=seed))
            contents.append(contents_over_games(model, policy=policy, players=seats, games=games, seed=seed))
            chances.append(odds_by_state([model], seed=seed))
    about = f"{games:,} games of {seats} {policy} players, seed {seed}"
    pictures = {
        "first_fill.png": tower_figures.first_fills(pl.concat(fills), seed),
        "contents.png": tower_figures.contents_over_games(pl.concat(contents), about),
        "chances.png": tower_figures.chances_to_win(pl.concat(chances), seed),
    }
    for name, figure in pictures.items():
        save_picture(figure, out / name)
        if not as_json:
            echo(out / name)
    if as_json:
        print_document(
            {
                "pictures": [str(out / name) for name in pictures],
                "first_fill": pl.concat(fills).rows(named=True),
                "contents": pl.concat(contents).rows(named=True),
                "chances": pl.concat(chances).rows(named=True),
                "games": games,
                "seed": seed,
            }
        )
