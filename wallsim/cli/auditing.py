"""Showing what a replay found, for the commands `verify` and `study`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.output import FAILED, print_document, refuse, whole_number
from wallsim.cli.streams import echo
from wallsim.visible import visible_line

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


def replay_document(found: Replayed) -> dict[str, Any]:
    """The result of a replay for `--json`."""
    return {
        "chunks": found.chunks, "replayed": found.replayed, "games": found.games, "seed": found.seed,
        "equal": found.equal, "by_rows": found.by_rows, "errors": list(found.errors),
        "detection": round(found.detection, 6), "undetected_share": round(found.undetected, 6),
    }  # fmt: skip


def show_replayed(folder: Folder, found: Replayed) -> None:
    """Print what was replayed; differences go to standard error."""
    for error in found.errors:
        echo(visible_line(f"{folder}: {error}"), err=True)
    for line in found.words():
        echo(visible_line(f"{folder}: {line}"), err=not found.equal)


def audit(folder: Folder, play: Callable[[], Replayed], as_json: bool, document: dict[str, Any] | None = None) -> None:
    """Replay and show the result; the command ends with status 1 if something differs."""
    found = play()
    if as_json:
        print_document({**(document or {}), "replay": replay_document(found)})
    else:
        show_replayed(folder, found)
    if not found.equal:
        raise typer.Exit(FAILED)
