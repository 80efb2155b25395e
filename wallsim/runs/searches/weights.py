"""The folders of tuning and of exploiting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from wallsim.errors import MOST_LISTED, RunError
from wallsim.runs.folder.journal_text import JournalText, LineShape
from wallsim.runs.folder.kind import Progress
from wallsim.runs.folder.line_journal import JOURNAL
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.searches.kind import SearchKind, sealed_json, sealed_names
from wallsim.runs.tuning.journal import MOST_GENERATIONS, GenerationLines
from wallsim.runs.tuning.names import CURVE, RESPONSE, RESULTS, TUNING, names_of


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
