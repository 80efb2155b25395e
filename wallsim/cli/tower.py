"""Commands for the dice tower: fit a tower to casts, simulate casts, draw towers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, OneTower, experiment_options, on_disk
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
from wallsim.rules.suggestions import did_you_mean

tower_app = typer.Typer(help="Fit a dice tower to casts, simulate, or draw it.", no_args_is_help=True)
app.add_typer(tower_app, name="tower")

_MODELS = ("auto", "independent", "urn", "layered")
_PROTOCOLS = ("bench", "game")
_MAX_SEED = 2**31
_MAX_CASTS, _MAX_GAMES = 100_000, 10_000
_MAX_TOWERS = 9


@tower_app.command()
def fit(
    casts: Annotated[Path, typer.Argument(metavar="CASTS.csv", help="A log of casts.")],
    model: Annotated[
        str,
        typer.Option(
            metavar="|".join(_MODELS),
            help="The model to write; auto: the urn if the test prefers it, otherwise independent.",
        ),
    ] = "auto",
    floors: Annotated[str, typer.Option(metavar="N", help="Number of floors of the layered tower, 1 to 4.")] = "2",
    layered: Annotated[bool, typer.Option(help="Also fit the layered tower (slowest).")] = True,
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the simulations.")] = "1",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="The tower file to write.  [default: CASTS.toml]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fit a tower to a log of casts. The result is a tower file for `--tower FILE`.

    The log is a CSV file with one row per cast. It has the columns in_COLOUR and out_COLOUR for each colour of cubes,
    and optionally session, cast, event (fill, battle, revolt, bench, bump or empty), tray_rethrown, edition, pour and
    note.

    The tower of the file is for play: a prior pulls its numbers to the presets, the more the shorter the log is.
    """
    if model not in _MODELS:
        refuse(f"--model: {model!r} is not one of {', '.join(_MODELS)}{did_you_mean(model, _MODELS)}")
    if model == "layered" and not layered:
        refuse("--model: layered cannot be combined with --no-layered")
    floor_count, seed_number = whole_number("--floors", floors, 1, 4), whole_number("--seed", seed, 0, _MAX_SEED)
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
            fits = fit_all(log, floors=floor_count if layered else None, seed=seed_number, watch=watch, exact=exact)
        presets = [load_tower(name) for name in tower_presets()]
        with counted("simulated logs of the presets") as watch:
            nearest = nearest_preset(simulated, presets, seed=seed_number, watch=watch) if simulated else []
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
    tower: OneTower = "spielbyweb",
    protocol: Annotated[
        str, typer.Option(metavar="|".join(_PROTOCOLS), help="A session on the bench, or the casts of whole games.")
    ] = "bench",
    casts: Annotated[
        str | None, typer.Option(metavar="N", help="Number of casts of the bench session, 43 or more.  [default: 200]")
    ] = None,
    games: Annotated[
        str | None, typer.Option(metavar="N", help="Number of games, with --protocol game.  [default: 1]")
    ] = None,
    keys: dict[str, Any] = experiment_options("players", "policies", "seed"),
    out: Annotated[
        Path | None, typer.Option(metavar="CASTS.csv", help="Output file.  [default: standard output]")
    ] = None,
) -> None:
    """Simulate a log of casts. `wallsim tower fit` reads it.

    A bench session fills the tower colour by colour, throws 1 to 14 cubes of one colour per cast, then 8 cubes 30
    times, and makes five whole fills into the empty tower. With --protocol game the log has the casts of games that
    policies play.
    """
    if protocol not in _PROTOCOLS:
        refuse(f"--protocol: {protocol!r} is not one of {', '.join(_PROTOCOLS)}{did_you_mean(protocol, _PROTOCOLS)}")
    other = (
        {"--casts": casts}
        if protocol == "game"
        else {"--games": games, "--players": keys["players"], "--policies": keys["policies"]}
    )
    for flag, value in other.items():
        if value is not None:
            refuse(f"{flag}: cannot be used with --protocol {protocol}")
    check_out(out, ".csv")
    if out is not None:
        refuse_to_replace(out, "")
    import io

    from wallsim.analysis.tower.cast_file import write_casts

    stream = io.StringIO()
    if protocol == "game":
        from wallsim.analysis.tower.protocols import game_log
        from wallsim.play.flags import experiment_of

        count = whole_number("--games", games or "1", 1, _MAX_GAMES)
        flags = {**keys, "tower": tower, "games": str(count)}
        log, rethrown = game_log(experiment_of(None, flags))
        write_casts(log, stream, tray_rethrown=rethrown)
    else:
        from wallsim.analysis.tower.protocols import MIN_CASTS, bench_design, simulate_log

        number = whole_number("--seed", keys["seed"] or "1", 0, _MAX_SEED)
        design = bench_design(whole_number("--casts", casts or "200", MIN_CASTS, _MAX_CASTS), seed=number)
        try:
            write_casts(simulate_log(tower_of(tower), design, seed=number), stream)
        except ValueError as error:
            refuse(f"--tower: {error}")
    write_output(stream.getvalue(), out)


@tower_app.command()
def show(
    tower: Annotated[
        list[str] | None,
        typer.Option("--tower", metavar="NAME|FILE.toml", help="A tower, repeatable.  [default: spielbyweb]"),
    ] = None,
    players: Annotated[
        str, typer.Option(metavar="N", help="Number of players in the first fill and in the games.")
    ] = "4",
    policy: Annotated[str, typer.Option(metavar="NAME", help="The policy that plays the games.")] = "balanced",
    games: Annotated[str, typer.Option(metavar="N", help="Games per tower for its contents over a game.")] = "400",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the games and the simulated battles.")] = "1",
    out: Annotated[Path, typer.Option(metavar="DIR", parser=on_disk, help="Folder for the pictures.")] = Path(
        "results/towers"
    ),
    as_json: AsJson = False,
) -> None:
    """Draw towers in three pictures.

    first_fill.png: the cubes that fall out of a first fill; contents.png: the contents of the tower over a game;
    chances.png: the attacker's probability of winning by armies, for a fresh, a loaded and an adverse tower.
    """
    count, seed_number = whole_number("--games", games, 30, _MAX_GAMES), whole_number("--seed", seed, 0, _MAX_SEED)
    seats = cast(Literal[3, 4, 5], whole_number("--players", players, 3, 5))
    names = tower or ["spielbyweb"]
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
    player = policy_of("--policy", policy)
    import polars as pl

    from wallsim.analysis.battle.states import odds_by_state
    from wallsim.analysis.tower.contents import contents_over_games, first_fill
    from wallsim.experiment.experiment import Experiment
    from wallsim.play.setting import Setting
    from wallsim.report.figures import tower as tower_figures
    from wallsim.report.figures.style import save_picture

    Setting(Experiment(players=seats)).check_custom_policies([player], seed_number)
    out.mkdir(parents=True, exist_ok=True)
    fills, contents, chances = [], [], []
    with counted("towers") as watch:
        for done, model in enumerate(models):
            watch(done, len(models))
            fills.append(first_fill(model, seats, seed=seed_number))
            contents.append(contents_over_games(model, policy=policy, players=seats, games=count, seed=seed_number))
            chances.append(odds_by_state([model], seed=seed_number))
    about = f"{count:,} games of {seats} {policy} players, seed {seed_number}"
    pictures = {
        "first_fill.png": tower_figures.first_fills(pl.concat(fills), seed_number),
        "contents.png": tower_figures.contents_over_games(pl.concat(contents), about),
        "chances.png": tower_figures.chances_to_win(pl.concat(chances), seed_number),
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
                "games": count,
                "seed": seed_number,
            }
        )
