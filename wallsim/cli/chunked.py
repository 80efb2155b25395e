"""What the commands `learn` and `teach` share: cells from lists of words, and a folder of chunks that is begun."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wallsim.cli.output import refuse
from wallsim.cli.search_options import report_repairs, title_of
from wallsim.cli.terminal_output import echo

if TYPE_CHECKING:
    from wallsim.runs.experiment import Experiment
    from wallsim.runs.learning.chunked import ChunkedSettings, ChunkStore, Saved


def words_of(flag: str, text: str) -> list[str]:
    """The words of a list with commas; refused if it has a duplicate."""
    words = [part.strip() for part in text.split(",")]
    if len(set(words)) < len(words):
        refuse(f"{flag}: {text[:100]} has a duplicate; each may occur once")
    return words


def cells_of(keys: Mapping[str, Any], players: str, setup: str, tower: str) -> tuple[Experiment, ...]:
    """An experiment for each combination of these numbers of players, set-ups and towers."""
    from wallsim.runs.flags import experiment_of

    return tuple(
        experiment_of(None, {**keys, "players": count, "setup": way, "tower": model})
        for count in words_of("--players", players)
        for way in words_of("--setup", setup)
        for model in words_of("--tower", tower)
    )


def file_title(name: str | None, default: str) -> str:
    """The name of the result, refused if no file can have it, or if NAME.json is that of the checksums."""
    from wallsim.runs.folder.derived import CHECKSUMS

    title = title_of(name, default)
    if f"{title}.json" == CHECKSUMS:
        refuse(f"--name: {title} is the name of the file of checksums; choose another name")
    return title


def announce_rounding(settings: ChunkedSettings) -> None:
    """Say on stderr if more games are played than were asked for."""
    if settings.played_games != settings.games:
        echo(f"--games: {settings.games:,} is rounded up to whole chunks: {settings.played_games:,} games", err=True)


def begin_chunks(store: ChunkStore, settings: ChunkedSettings, *files: str) -> Saved:
    """Say what is damaged, and mark the folder as unfinished if chunks are missing; what is saved besides `files`."""
    from wallsim.runs.learning.chunked import begin, read_saved

    damaged = store.damaged(settings.wanted_chunks)
    saved = read_saved(store.place, *files)
    lines = [*(f"{error}; it is played again" for error in damaged)]
    report_repairs(store, [*lines, *(f"{error}; it is computed again" for error in saved.errors)], saved.other_errors)
    if store.missing(settings.wanted_chunks):
        begin(store.place)
    return saved
