"""The folders of learning."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from wallsim.errors import RunError
from wallsim.runs.folder.derived import CHECKSUMS
from wallsim.runs.folder.journal_text import JournalText, LineShape
from wallsim.runs.folder.kind import Progress
from wallsim.runs.folder.line_journal import JOURNAL
from wallsim.runs.folder.local_files import Place
from wallsim.runs.learning.journal_lines import (
    BLOCK,
    CHUNK,
    LEARNING,
    POSITIONS,
    ChunkLines,
    chunk_file,
    has_chunk_files,
)
from wallsim.runs.searches.kind import SearchKind, sealed_json, sealed_names


class ValueLearning(SearchKind):
    """The folders of a learning."""

    what, kind = LEARNING, LEARNING

    def shape(self, identity: dict[str, Any] | None) -> LineShape:
        """Chunks of games."""
        return ChunkLines(_players(identity))

    def has_lines(self, place: Place, text: JournalText) -> bool:
        """By the beginning of the header, by the lines, or by the files of chunks."""
        begins = text.header_line.startswith(f'{{"{LEARNING}": {{'.encode())
        return begins or bool(text.lines) or (not text.header_line and has_chunk_files(place))

    def further_errors(self, place: Place, text: JournalText, shape: LineShape) -> Iterator[str]:
        """Chunks that are changed, missing or foreign, and those that a value was learned from and that are missing."""
        if place.is_link(POSITIONS):
            yield f"{POSITIONS}: is a symbolic link; remove it"
            return
        known = {chunk_file(line.entry["players"], line.entry["chunk"]): line.entry for line in text.lines.values()}
        for name, entry in known.items():
            if place.size(name) is None:
                yield f"{name}: is missing"
            elif place.digest(name) != entry["sha256"]:
                yield f"{name}: its bytes have changed"
        yield from self._missing_at_the_end(place, text, shape)
        may_come = self._without_lines(place, text, shape)
        for name in place.names(POSITIONS, ""):
            if name not in known and name not in may_come:
                yield f"{name}: does not belong to this {self.what}; remove it"

    def _without_lines(self, place: Place, text: JournalText, shape: LineShape) -> set[str]:
        # The files of chunks that may be there although the journal has no whole line of them: those whose line is
        # damaged, and the one that an interruption left before its line was written.
        gaps = {shape.name(position) for position in text.gaps}
        players = _players(text.header)
        next_chunk = max((chunk for chunk, _ in text.lines), default=-1) + 1
        wanted = self._wanted_chunks(place)
        if text.errors:
            last = max(next_chunk + len(text.errors), wanted)
        elif not wanted:
            last = next_chunk
        else:
            last = wanted - 1
        return gaps | {chunk_file(count, chunk) for count in players or (3, 4, 5) for chunk in range(last + 1)}

    def _missing_at_the_end(self, place: Place, text: JournalText, shape: LineShape) -> Iterator[str]:
        wanted = self._wanted_chunks(place)
        if text.errors or not place.exists(JOURNAL):  # a damaged line may be the one that is missing
            return
        for chunk in range(wanted):
            for position in ((chunk, order) for order in range(len(_players(text.header)))):
                if position not in text.lines:
                    yield f"{JOURNAL}: the line of {shape.name(position)} is missing at the end"

    def _wanted_chunks(self, place: Place) -> int:
        # Chunks of each number of players from which the values in the folder were learned; 0 if none is whole.
        most = 0
        for name in sealed_names(place, ".json"):
            games = (sealed_json(place, name) or {}).get("games")
            if isinstance(games, dict):
                with suppress(KeyError, TypeError):
                    most = max(most, (games["fitted"] + games["held_out"]) // (BLOCK * CHUNK))
        return min(most, 1_000_000)

    def result_of(self, place: Place) -> dict[str, Any] | None:
        """The contents of the first value that is whole."""
        with suppress(RunError):
            for name in sealed_names(place, ".json"):
                if (document := sealed_json(place, name)) is not None:
                    return {**document, "file": name}
        return None

    def result_names(self, result: dict[str, Any]) -> tuple[str, ...]:
        """The value's file."""
        return (str(result["file"]),)

    def progress_of(self, place: Place, text: JournalText) -> Progress:
        """Games."""
        games = sum(line.entry["games"] for line in text.lines.values())
        wanted = self._wanted_chunks(place) * BLOCK * CHUNK * len(_players(text.header))
        return Progress(games, max(wanted, games) if wanted else None, "games")

    def unsealed(self, place: Place) -> str:
        """The first file that may be a value's."""
        return next((name for name in place.names("", ".json") if name != CHECKSUMS), "")

    def all_files(self, place: Place) -> Iterator[str]:
        """The journal, the chunks and the values."""
        yield from super().all_files(place)
        yield from place.names(POSITIONS, ".npz")


def _players(identity: dict[str, Any] | None) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(int(cell["players"]) for cell in (identity or {})["cells"]))
    except (KeyError, TypeError, ValueError):
        return ()


LEARNINGS = ValueLearning()
