"""A folder whose journal is missing: the manifest's data, from which a new journal is started."""

from __future__ import annotations

from typing import Any

from wallsim.errors import RunError
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.folder.checks import COMMON_SHAPE, gaps, manifest_errors
from wallsim.folder.checksummed_json import read_sealed_document
from wallsim.folder.journal import ChunkRecord
from wallsim.folder.layout import EXPERIMENT, MANIFEST, PartFile, part_name
from wallsim.folder.local_files import FileStore, NoAnswerError


def sealed_manifest(place: FileStore) -> dict[str, Any]:
    """The manifest of a folder if it is whole, otherwise nothing; NoAnswerError if that is unknown."""
    try:
        return read_sealed_document(place.read(MANIFEST))
    except NoAnswerError:
        raise
    except (OSError, RunError):
        return {}


def receipts_of_manifest(place: FileStore, hash_: str) -> list[ChunkRecord]:
    """Receipts for the chunks of a manifest, if it is whole and of the run with this hash; they have no times."""
    try:
        manifest = sealed_manifest(place)
        if manifest["experiment"]["hash"] != hash_:
            return []
        files = {part.file: part for part in map(PartFile.read, manifest["files"])}
        if manifest_errors(manifest, COMMON_SHAPE) or any(gaps(manifest, [*files.values()])):
            return []
        tables, played_by = [*manifest["rows"]], _played_by(manifest.get("versions", ()))
        return [
            ChunkRecord(
                chunk["chunk"], chunk["first"], chunk["games"],
                tuple(files[part_name(table, chunk["chunk"])] for table in tables), 0.0,
                versions=played_by.get(chunk["chunk"], ""),
            )
            for chunk in manifest["chunks"]
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError):
        return []


def _played_by(versions: Any) -> dict[int, str]:
    # The digest of the versions that played each chunk; ValueError for more chunks than a folder can have.
    result: dict[int, str] = {}
    left = MAX_CHUNKS
    for entry in versions:
        for first, last in entry["chunks"]:
            left -= last - first + 1
            if not 0 <= first <= last or left < 0:
                raise ValueError(f"chunks {first} to {last}")
            if entry["digest"]:
                result |= dict.fromkeys(range(first, last + 1), str(entry["digest"]))
    return result


def is_without_journal(place: FileStore, hash_: str, experiment: bytes | None) -> bool:
    """Whether a folder has the manifest or the document `experiment.toml` of what is to be played, by its hash."""
    if receipts_of_manifest(place, hash_):
        return True
    if experiment is None or place.size(EXPERIMENT) is None:
        return False
    return place.read(EXPERIMENT).partition(b"\n")[0] == experiment.partition(b"\n")[0]
