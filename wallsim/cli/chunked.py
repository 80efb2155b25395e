"""What the commands `learn` and `teach` share: names of results, and a folder of chunks that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wallsim.cli.output import counted, refuse
from wallsim.cli.search_options import report_repairs, title_of
from wallsim.cli.terminal_output import echo

if TYPE_CHECKING:
    from wallsim.searches.learning.chunked import ChunkedSettings, ChunkStore


def file_title(name: str | None, default: str) -> str:
    """The name of the result, refused if no file can have it, or if NAME.json is that of the checksums."""
    from wallsim.folder.derived import CHECKSUMS

    title = title_of(name, default)
    if f"{title}.json" == CHECKSUMS:
        refuse(f"--name: {title} is the name of the file of checksums; choose another name")
    return title


def announce_rounding(settings: ChunkedSettings) -> None:
    """Say on stderr if more games are played than were asked for."""
    if settings.played_games != settings.games:
        echo(f"--games: {settings.games:,} is rounded up to whole chunks: {settings.played_games:,} games", err=True)


def search_chunks(
    store: ChunkStore,
    settings: ChunkedSettings,
    facts: Mapping[str, Any],
    play: Callable[[Any, Callable[[int, int], None]], tuple[dict[str, Any], Any]],
    files: Mapping[str, Callable[[dict[str, Any], Any], str]],
) -> dict[str, Any]:
    """Play what a folder lacks, and write the `files` of the result, texts by name, which `facts` begin.

    Says what is damaged, and marks the folder as unfinished if chunks are missing.
    """
    from wallsim.folder.derived import write_derived
    from wallsim.searches.learning.chunked import begin, read_saved

    with store:
        damaged = store.damaged(settings.wanted_chunks)
        saved = read_saved(store.place, *files)
        lines = [*(f"{error}; it is played again" for error in damaged)]
        lines += [f"{error}; it is computed again" for error in saved.errors]
        report_repairs(store, lines, saved.other_errors)
        if store.missing(settings.wanted_chunks):
            begin(store.place)
        with counted("games") as watch:
            found, models = play(store, watch)
        result = {**facts, **found}
        texts = {name: text(result, models).encode() for name, text in files.items()}
        write_derived(store.place, texts, saved.others)
    return result
