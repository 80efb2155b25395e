"""The folders of tuning and exploiting, which search for weights, and those of learning and teaching."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from wallsim.errors import MOST_LISTED, RunError
from wallsim.folder.derived import CHECKSUMS
from wallsim.folder.journal_text import JournalText, LineShape
from wallsim.folder.kind import Progress
from wallsim.folder.layout import JOURNAL
from wallsim.folder.learning_journal import (
    BLOCK,
    CHUNK,
    LESSON_BLOCK,
    LESSON_CHUNK,
    MOST_CHUNKS,
    ChunkLines,
    LessonLines,
)
from wallsim.folder.local_files import FileStore
from wallsim.folder.search_kind import SearchKind, sealed_json, sealed_names
from wallsim.folder.tuning_journal import CURVE, MOST_GENERATIONS, RESPONSE, RESULTS, TUNING, GenerationLines, names_of

SIZES = (3, 4, 5)  # numbers of players


class Learning(SearchKind):
    """The folders of a learning, or of a teaching, by the lines of their journals.

    A chunk has `chunk_games` games; a result is a file NAME.json, and has files NAME.ENDING for each of `endings`.
    """

    def __init__(self, lines: type[ChunkLines], chunk_games: int, endings: tuple[str, ...] = (".json",)) -> None:
        """A kind of folders."""
        self._lines, self._chunk_games, self._endings = lines, chunk_games, endings
        self.what = self.kind = lines.kind

    def shape(self, identity: dict[str, Any] | None) -> LineShape:
        """Chunks of games."""
        return self._lines(_players(identity))

    def has_lines(self, place: FileStore, text: JournalText) -> bool:
        """By the beginning of the header, by the lines, or by the files of chunks."""
        begins = text.header_line.startswith(f'{{"{self.kind}": {{'.encode())
        return begins or bool(text.lines) or (not text.header_line and self._lines.has_files(place))

    def further_errors(self, place: FileStore, text: JournalText, shape: LineShape) -> Iterator[str]:
        """Chunks that are changed, missing or foreign, and those that a result came from and that are missing."""
        room = self._lines.room
        if place.is_link(room):
            yield f"{room}: is a symbolic link; remove it"
            return
        known = {
            self._lines.file(line.entry["players"], line.entry["chunk"]): line.entry for line in text.lines.values()
        }
        for name, entry in known.items():
            if place.size(name) is None:
                yield f"{name}: is missing"
            elif place.digest(name) != entry["sha256"]:
                yield f"{name}: its bytes have changed"
        yield from self._missing_at_the_end(place, text, shape)
        may_come = self._without_lines(place, text, shape)
        for name in place.names(self._lines.room, ""):
            if name not in known and name not in may_come:
                yield f"{name}: does not belong to this {self.what}; remove it"

    def _without_lines(self, place: FileStore, text: JournalText, shape: LineShape) -> set[str]:
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
        return gaps | {self._lines.file(count, chunk) for count in players or SIZES for chunk in range(last + 1)}

    def _missing_at_the_end(self, place: FileStore, text: JournalText, shape: LineShape) -> Iterator[str]:
        wanted = self._wanted_chunks(place)
        if text.errors or not place.exists(JOURNAL):  # a damaged line may be the one that is missing
            return
        every = ((chunk, order) for chunk in range(wanted) for order in range(len(_players(text.header))))
        for position in islice((position for position in every if position not in text.lines), MOST_LISTED):
            yield f"{JOURNAL}: the line of {shape.name(position)} is missing at the end"

    def _wanted_chunks(self, place: FileStore) -> int:
        # Chunks of each number of players from which the results in the folder came; 0 if none is whole.
        most = 0
        for name in sealed_names(place, ".json"):
            games = (sealed_json(place, name) or {}).get("games")
            if isinstance(games, dict):
                fitted, held_out = games.get("fitted"), games.get("held_out")
                if type(fitted) is int and type(held_out) is int:
                    most = max(most, (fitted + held_out) // self._chunk_games)
        return min(most, MOST_CHUNKS)

    def result_of(self, place: FileStore) -> dict[str, Any] | None:
        """The contents of the first result that is whole."""
        with suppress(RunError):
            for name in sealed_names(place, ".json"):
                if (document := sealed_json(place, name)) is not None:
                    return {**document, "file": name}
        return None

    def result_names(self, result: dict[str, Any]) -> tuple[str, ...]:
        """The result's files."""
        return tuple(str(result["file"]).removesuffix(".json") + ending for ending in self._endings)

    def progress_of(self, place: FileStore, text: JournalText) -> Progress:
        """Games."""
        games = sum(line.entry["games"] for line in text.lines.values())
        wanted = self._wanted_chunks(place) * self._chunk_games * len(_players(text.header))
        return Progress(games, max(wanted, games) if wanted else None, "games")

    def unsealed(self, place: FileStore) -> str:
        """The first file that may be a result's."""
        return next((name for name in place.names("", ".json") if name != CHECKSUMS), "")

    def all_files(self, place: FileStore) -> Iterator[str]:
        """The journal, the chunks and the results."""
        yield from super().all_files(place)
        yield from place.names(self._lines.room, ".npz")


def _players(identity: dict[str, Any] | None) -> tuple[int, ...]:
    try:
        counts = dict.fromkeys(cell["players"] for cell in (identity or {})["cells"])
        return tuple(count for count in counts if type(count) is int and count in SIZES)
    except (KeyError, TypeError):
        return ()


LEARNINGS = Learning(ChunkLines, BLOCK * CHUNK)
TEACHINGS = Learning(LessonLines, LESSON_BLOCK * LESSON_CHUNK, (".json", ".toml"))


class WeightSearch(SearchKind):
    """The folders of a search for weights, of which there are two kinds."""

    def __init__(self, what: str, kind: str) -> None:
        """The folders of a search by its name in messages and its name in the header of the journal."""
        self.what, self.kind = what, kind
        self._result = RESULTS[kind]

    def shape(self, identity: dict[str, Any] | None) -> LineShape:
        """Generations and checks."""
        every = (identity or {}).get("check_every")
        return GenerationLines(self.kind, every if type(every) is int and every > 0 else None)

    def has_lines(self, place: FileStore, text: JournalText) -> bool:
        """By the beginning of the header, by the result's file, and by the CPU time, which only responses have."""
        if not text.lines and not text.header_line:
            listed = sealed_names(place, self._result)
            return bool(listed) or (place.size(self._result) is not None and place.size(CURVE) is not None)
        if text.header_line.startswith(f'{{"{self.kind}": {{'.encode()) and b'"check_every": ' in text.header_line:
            return True
        entries = [line.entry for line in text.lines.values()]
        if not entries:
            return False
        results = [kind for kind, name in RESULTS.items() if place.size(name) is not None]
        if any("generation" in entry for entry in entries):
            return any("cpu" in entry for entry in entries) == (self.kind == RESPONSE)
        return results == [self.kind] or (not results and self.kind == TUNING)

    def further_errors(self, place: FileStore, text: JournalText, shape: LineShape) -> Iterator[str]:
        """What a finished search lacks at the end of its journal, and a result of another search."""
        result = self.result_of(place)
        if result is None:
            return
        if text.header is not None and result.get("settings") != text.header:
            yield f"{self._result}: is the result of another {self.what} than {JOURNAL} is of"
        generations = result.get("generations")
        if isinstance(shape, GenerationLines) and type(generations) is int and place.size(JOURNAL) is not None:
            there = {*text.lines, *text.gaps}
            damaged = any(error.endswith((": is damaged", ": has no end")) for error in text.errors)
            every = () if damaged else shape.positions(min(generations, MOST_GENERATIONS))
            for position in islice((position for position in every if position not in there), MOST_LISTED):
                yield f"{JOURNAL}: {shape.name(position)} is missing at the end"

    def result_of(self, place: FileStore) -> dict[str, Any] | None:
        """The contents of tune.json or exploit.json."""
        with suppress(RunError):
            return sealed_json(place, self._result)
        return None

    def result_names(self, result: dict[str, Any]) -> tuple[str, ...]:
        """Policy file, curve, picture and result."""
        return names_of(str(result.get("name")), self._result)

    def progress_of(self, place: FileStore, text: JournalText) -> Progress:
        """Generations."""
        result = self.result_of(place)
        wanted = result.get("generations") if result is not None else None
        done = sum(is_generation for _, is_generation in text.lines)
        return Progress(done, wanted if type(wanted) is int else None, "generations")

    def unsealed(self, place: FileStore) -> str:
        """The result's file."""
        return self._result if place.size(self._result) is not None else ""


TUNINGS = WeightSearch("tuning", TUNING)
RESPONSES = WeightSearch("best response", RESPONSE)
