"""Options shared by several commands, and shell completion of their values.

The shell calls the functions of completion while the user types, so they read only names of files.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.activity import stay_silent
from wallsim.cli.option_groups import Ends, Group, Parsed, Within, annotated, described_by, option, options_of
from wallsim.errors import InputError
from wallsim.experiment.keys import EXPERIMENT_KEYS
from wallsim.folder.address import disk_folder, folder_of

if TYPE_CHECKING:
    from wallsim.folder.address import Folder as Folder
else:
    Folder = str  # typer takes no unions; `folder_of` makes a path or an address of the text


def complete_policies(incomplete: str) -> list[str]:
    """Names of policies; completes the last name of a comma-separated list."""
    from wallsim.policies.catalogue import listed_names

    return _last_of_list(incomplete, listed_names())


def complete_towers(incomplete: str) -> list[str]:
    """Names of towers."""
    from wallsim.rules.tower import tower_presets

    return [name for name in tower_presets() if name.startswith(incomplete)]


def complete_expansions(incomplete: str) -> list[str]:
    """Names of expansions, or "all"; completes the last name of a comma-separated list."""
    from wallsim.rules.terms import EXPANSIONS

    return _last_of_list(incomplete, EXPANSIONS if "," in incomplete else (*EXPANSIONS, "all"))


def complete_switches(incomplete: str) -> list[str]:
    """`NAME=VALUE` for a switch of the rules: first its name, then its value."""
    from typing import get_args, get_type_hints

    from wallsim.rules.ruleset import SWITCHES, Ruleset

    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{switch.field}=" for switch in SWITCHES if switch.field.startswith(name)]
    choices = get_args(get_type_hints(Ruleset).get(name)) if name in {switch.field for switch in SWITCHES} else ()
    return [f"{name}={choice}" for choice in choices if str(choice).startswith(value)]


def _last_of_list(incomplete: str, names: tuple[str, ...]) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


def on_disk(text: str) -> Path:
    """The path of a folder; an address is refused."""
    try:
        return disk_folder(text)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


Place = Annotated[Folder, Parsed(folder_of)]  # of results: a folder or an address
OnDisk = Annotated[Path, Parsed(on_disk)]
Seed = Annotated[int, Within(0, 2**31)]
Page = Annotated[OnDisk, Ends((".html",))]
Picture = Annotated[Path, Ends((".png", ".svg", ".pdf"), in_folder=True)]


def _be_quiet(quiet: bool) -> bool:
    if quiet:
        stay_silent()
    return quiet


_COMPLETED = {
    "policies": complete_policies,
    "expansions": complete_expansions,
    "tower": complete_towers,
    "rules": complete_switches,
}
_KINDS: dict[str, Any] = {"flag": bool, "folder": Path, "switches": list[str], "steps": list[str]}


def experiment_options(*names: str) -> Any:
    """The options of some keys of an experiment as one group; their values as texts by key, None if not given."""
    return Group(dict, tuple(option(name, key_option(name)) for name in names))


def key_option(name: str) -> Any:
    """The option of a key of an experiment, as an annotation."""
    key = EXPERIMENT_KEYS[name]
    default = "" if key.default in (None, (), False) else f"  [default: {key.default}]"
    return annotated(
        name, _KINDS.get(key.read, str), flag=f"--{key.option or name}", metavar=key.metavar, help=key.help + default,
        autocompletion=_COMPLETED.get(name),
    )  # fmt: skip


if TYPE_CHECKING:
    Expansions = str | None
else:
    Expansions = key_option("expansions")
PLAY = "wallsim.api.play:play"
TrustCode = Annotated[bool, described_by(PLAY, "trust_code")]
Workers = Annotated[str | None, described_by(PLAY, "workers", "N")]
CheckWorkers = Annotated[str | None, described_by(PLAY, "check_workers", "N")]
OneTower = Annotated[
    str,
    typer.Option(
        "--tower", metavar="NAME|FILE.toml", help="A tower; see `wallsim towers`.", autocompletion=complete_towers
    ),
]
Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Play on the workers of a Dask scheduler, such as tcp://HOST:8786."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress.", callback=_be_quiet)]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document for programs; docs/json.md lists its keys.")
]
RunFolder = Annotated[Folder, typer.Argument(metavar="FOLDER", parser=folder_of, help="A folder that wallsim wrote.")]


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """The options that say where games are played."""

    workers: Workers = None
    dask: Dask = None
    check_workers: CheckWorkers = None

    @property
    def threads(self) -> int:
        """The number of threads; for an invalid one the command ends."""
        from wallsim.cli.output import workers_of

        return workers_of(self.workers)


@dataclass(frozen=True, kw_only=True)
class Playing(Cluster):
    """The options that say how and where games are played.

    Options
    -------
    out DIR: Folder for the results.  [default: a new one under results/]
    """

    check_policies: Annotated[bool, described_by(PLAY, "check_policies")] = False
    out: Place | None = None
    quiet: Quiet = False

    def how(self) -> dict[str, Any]:
        """How games are played, for `play_into`; for an invalid number of threads the command ends."""
        from wallsim.cli.run_output import observer_of

        observer = observer_of(self.quiet)
        return {"workers": self.threads, "observer": observer, "check_policies": self.check_policies}


CLUSTER, PLAYING = options_of(Cluster), options_of(Playing)
