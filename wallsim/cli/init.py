"""The command that writes a new experiment file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.output import refuse
from wallsim.cli.terminal_output import echo
from wallsim.escaping import in_shell


@app.command()
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The file to write; it must not exist.")] = Path(
        "experiment.toml"
    ),
) -> None:
    """Write an experiment file with every key explained. Each key has its default and its meaning."""
    if file.suffix != ".toml":
        refuse(f"{file}: the name of an experiment file must end in .toml")
    from wallsim.runs.experiment_file import experiment_template

    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(experiment_template(str(file)))
    except FileExistsError:
        refuse(f"{file}: already exists and is not replaced; choose another file")
    except OSError as error:
        refuse(f"{file}: cannot be written: {error.strerror}")
    echo(f"Wrote {file}. Play it with: wallsim run {in_shell(file)}")
