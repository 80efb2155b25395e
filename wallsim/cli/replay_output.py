"""Showing the result of a replay, for the commands `verify` and `study`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.output import FAILED, print_document, refuse, whole_number
from wallsim.cli.terminal_output import echo
from wallsim.escaping import escaped_line

if TYPE_CHECKING:
    from wallsim.cli.options import Folder
    from wallsim.runs.replay.audit import Replayed

ALL = "all"
_MOST = 10**9

ReplayCount = Annotated[
    str | None,
    typer.Option(
        "--replay", metavar="N|all", help="Also play N chunks drawn at random again, or all, and compare every byte."
    ),
]
DrawSeed = Annotated[
    str | None,
    typer.Option("--seed", metavar="N", help="With --replay: repeats a draw.  [default: a random one, printed]"),
]


def count_of(replay: str) -> int | None:
    """The value of --replay, None for all; for an invalid value the command ends."""
    return None if replay == ALL else whole_number("--replay", replay, 1, _MOST)


def seed_of(seed: str | None, replay: str | None) -> int | None:
    """The value of --seed, which goes with --replay; for an invalid value the command ends."""
    from wallsim.runs.keys import MAX_SEED

    if seed is None:
        return None
    if replay is None:
        refuse("--seed: belongs to --replay N; add it, or leave --seed out")
    return whole_number("--seed", seed, 0, MAX_SEED)


def replay_document(result: Replayed) -> dict[str, Any]:
    """The result of a replay for `--json`."""
    return {
        "chunks": result.chunks, "replayed": result.replayed, "games": result.games, "seed": result.seed,
        "equal": result.equal, "by_rows": result.by_rows, "errors": list(result.errors),
        "detection": round(result.detection, 6), "undetected_share": round(result.undetected, 6),
    }  # fmt: skip


def show_replayed(folder: Folder, result: Replayed) -> None:
    """Print what was replayed; differences go to standard error."""
    for error in result.errors:
        echo(escaped_line(f"{folder}: {error}"), err=True)
    for line in result.words():
        echo(escaped_line(f"{folder}: {line}"), err=not result.equal)


def audit(folder: Folder, play: Callable[[], Replayed], as_json: bool, document: dict[str, Any]) -> None:
    """Replay and show the result; the command ends with status 1 if something differs."""
    result = play()
    if as_json:
        print_document({**document, "unchanged": result.equal, "replay": replay_document(result)})
    else:
        show_replayed(folder, result)
    if not result.equal:
        raise typer.Exit(FAILED)
